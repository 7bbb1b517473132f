// SPDX-License-Identifier: Apache-2.0
// Lemke's complementary pivoting on a sparse basis.
//
//     w = A z + b + c z_0,   w, z, z_0 >= 0,   w . z = 0;   the answer has z_0 = 0.
//
// Notation: a basis B has n of the columns e_i (of w_i), -A_:i (of z_i), -c (of z_0);
// x = B^-1 b are the basic unknowns, d = B^-1 a the entering column.
//
// Method [Lemke1965; CottlePangStone1992, algorithm 4.4.5]
//   1. Scale A to D A D with entries up to 1, D of powers of two, and b to size 1.
//   2. Enter z_0 so that the worst row becomes zero, all others positive.
//   3. Enter the complement of what left; the first basic unknown to reach zero leaves.
//   4. z_0 leaves: the basis is complementary. Factor it afresh and solve it with
//      iterative refinement. Nothing leaves: a ray.
// Ties, the source of cycles, are broken as if b were b + epsilon p with p random and
// epsilon -> 0, by carrying y = B^-1 p along: the lexicographic rule with p as first
// column, which decides alone for almost every p. Unknowns without sign stay basic.
//
// A start other than zero proposes the basis { z_i > w_i }, and z_0 then covers it (its
// column is -B c). On a ray or a singular basis the run begins anew: from z = 0 with the
// chosen c, then with random ones (`restarts`), every other time from a random basis. It
// ends with the last ray. A ray proves that there is no answer only for some classes of A.
// A step makes the pivots until the next factorisation; the points on the way mean nothing
// to the judge.
//
// Cost: per pivot one solve with the factors of basis.c and passes over n numbers;
// often n / 2 to 3 n pivots, at worst 2^n. Fails: rays on A outside the classes that
// the method processes; bases so ill-conditioned that the ratio test picks noise.
#include "solvers/linear/basis.h"
#include "solvers/solver.h"

#include "formulations/lcp.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COVER_ONES, COVER_ROWS, COVER_RANDOM };
enum { MOST_REPAIRS = 8 }; // complementary bases found infeasible by round-off

static const double PIVOT = 1e-8; // smallest pivot, relative to the largest |d_i|
static const double ZERO = 1e-13; // |x_i| that counts as zero where max |b| = 1

struct lemke_options {
    int cover, scale, restarts, refactor;
};

static const struct dls_option lemke_options[] = {
    DLS_CHOICE(lemke_options, cover, COVER_ONES, "ones|rows|random",
               "covering vector c: 1, 1 + row sums of |A|, random"),
    DLS_CHOICE(lemke_options, scale, 1, "no|yes", "scale the rows and columns of A"),
    DLS_INT(lemke_options, restarts, 10, 0, 1000, "restarts with random c after a ray"),
    DLS_INT(lemke_options, refactor, 64, 1, 10000, "pivots between factorisations"),
    {0},
};

struct lemke {
    const struct dls_lcp *form;
    const struct lemke_options *options;
    int n, free;
    double *scale, unit; // D, and the size of D b: z = unit D z'
    double *A;      // values of the scaled columns, in the pattern of form->columns
    double *b, *p;  // scaled b, and its perturbation
    double *c, *z0; // covering vector, by rows of the basis, and column of z_0
    int *basic;     // unknown in each row of the basis: w_i = i, z_i = n + i
    int *row;       // 2 n + 1: row of each unknown, or -1
    double *x, *y, *d, *rhs;
    struct dls_basis basis;
    int entering, attempt, repairs;
    bool running, warm;
    long pivots;
    struct dls_rng rng;
};

// --- scaling -------------------------------------------------------------------------

// One round of D_i <- D_i / sqrt(largest entry of row and column i), `largest` is work.
static void equilibrate(struct lemke *self, double *largest)
{
    const struct dls_csr *T = self->form->columns;
    double *D = self->scale;
    memset(largest, 0, (size_t)self->n * sizeof *largest);
    for (int j = 0; j < self->n; j++)
        for (int k = T->p[j]; k < T->p[j + 1]; k++) {
            double size = fabs(D[T->j[k]] * T->x[k] * D[j]);
            largest[j] = fmax(largest[j], size);
            largest[T->j[k]] = fmax(largest[T->j[k]], size);
        }
    for (int i = 0; i < self->n; i++)
        if (largest[i] > 0) D[i] /= sqrt(largest[i]);
}

// A <- D A D and b <- D b / unit; powers of two, so that nothing is rounded.
static void scale_problem(struct lemke *self)
{
    enum { ROUNDS = 5 };
    const struct dls_csr *T = self->form->columns;
    double *D = self->scale, largest = 0;
    for (int i = 0; i < self->n; i++) D[i] = 1;
    for (int k = 0; self->options->scale && k < ROUNDS; k++) equilibrate(self, self->x);
    for (int i = 0; i < self->n; i++) {
        D[i] = exp2(rint(log2(D[i])));
        self->b[i] = D[i] * self->form->b[i];
        largest = fmax(largest, fabs(self->b[i]));
    }
    self->unit = largest > 0 ? exp2(rint(log2(largest))) : 1;
    for (int i = 0; i < self->n; i++) self->b[i] /= self->unit;
    for (int j = 0; j < self->n; j++)
        for (int k = T->p[j]; k < T->p[j + 1]; k++)
            self->A[k] = D[T->j[k]] * T->x[k] * D[j];
}

// --- the basis -----------------------------------------------------------------------

static bool has_sign(const struct lemke *self, int unknown)
{
    return unknown < self->n || unknown >= self->n + self->free;
}

// Writes the entries of an unknown's column; returns how many.
static int column(const struct lemke *self, int unknown, int *i, double *x)
{
    const struct dls_csr *T = self->form->columns;
    int n = self->n, count = 0;
    if (unknown < n) {
        i[0] = unknown, x[0] = 1;
        return 1;
    }
    if (unknown == 2 * n) {
        for (int k = 0; k < n; k++)
            if (self->z0[k] != 0) i[count] = k, x[count++] = self->z0[k];
        return count;
    }
    int j = unknown - n;
    for (int k = T->p[j]; k < T->p[j + 1]; k++)
        i[count] = T->j[k], x[count++] = -self->A[k];
    return count;
}

static enum dls_status factor(struct lemke *self, struct dls_work *work)
{
    struct dls_basis *B = &self->basis;
    for (int k = 0; k < self->n; k++)
        B->p[k + 1] =
            B->p[k] + column(self, self->basic[k], B->i + B->p[k], B->x + B->p[k]);
    work->factorisations++;
    return dls_basis_factor(B);
}

// The complementary basis that z proposes, or with z = NULL one where each z_i is basic
// with probability `share`.
static void propose(struct lemke *self, const double *z, double share)
{
    int n = self->n;
    double *w = self->rhs;
    if (z) dls_lcp_slack(self->form, z, w);
    for (int k = 0; k <= 2 * n; k++) self->row[k] = -1;
    for (int i = 0; i < n; i++) {
        double D = self->scale[i];
        bool in = z ? z[i] / D > w[i] * D : dls_rng_real(&self->rng) < share;
        self->basic[i] = in || i < self->free ? n + i : i;
        self->row[self->basic[i]] = i;
    }
}

static void choose_cover(struct lemke *self)
{
    const struct dls_csr *T = self->form->columns;
    int n = self->n, kind = self->attempt > 1 ? COVER_RANDOM : self->options->cover;
    double *c = self->c;
    for (int i = 0; i < n; i++)
        c[i] = kind == COVER_RANDOM ? dls_rng_range(&self->rng, 1, 2) : 1;
    for (int k = 0; kind == COVER_ROWS && k < T->p[n]; k++)
        c[T->j[k]] += fabs(self->A[k]);
    for (int i = 0; i < self->free; i++) c[i] = 0;
}

// --- pivots --------------------------------------------------------------------------

// Factors the basis afresh and computes x and y from it.
static enum dls_status refresh(struct lemke *self, struct dls_work *work)
{
    enum dls_status status = factor(self, work);
    if (status != DLS_OK) return status;
    dls_basis_solve(&self->basis, self->b, self->x, false);
    dls_basis_solve(&self->basis, self->p, self->y, false);
    return DLS_OK;
}

// Exchanges the unknown in `row` for the one whose column is d = B^-1 a.
static enum dls_status exchange(struct lemke *self, int row, int unknown,
                                struct dls_work *work)
{
    const double *d = self->d;
    double t = self->x[row] / d[row], s = self->y[row] / d[row];
    for (int i = 0; i < self->n; i++) {
        if (d[i] == 0) continue;
        self->x[i] -= t * d[i];
        self->y[i] -= s * d[i];
    }
    self->x[row] = t;
    self->y[row] = s;
    self->row[self->basic[row]] = -1;
    self->row[unknown] = row;
    self->basic[row] = unknown;
    self->pivots++;
    return dls_basis_replace(&self->basis, row, d) ? DLS_OK : refresh(self, work);
}

// A complementary basis is an answer if x >= 0; else z_0 covers it and enters.
static enum dls_status enter_cover(struct lemke *self, struct dls_work *work)
{
    enum dls_status status = factor(self, work);
    if (status != DLS_OK) return status;
    dls_basis_solve(&self->basis, self->b, self->x, true);
    double size = 1;
    int n = self->n, worst = -1;
    for (int i = 0; i < n; i++) {
        self->y[i] = dls_rng_range(&self->rng, 1, 2);
        size = fmax(size, fabs(self->x[i]));
    }
    for (int i = 0; i < n; i++) {
        if (!has_sign(self, self->basic[i]) || self->x[i] >= -ZERO * size) continue;
        double gain =
            worst < 0 ? 1 : self->x[worst] / self->c[worst] - self->x[i] / self->c[i];
        if (gain == 0) gain = self->y[worst] / self->c[worst] - self->y[i] / self->c[i];
        if (gain > 0) worst = i;
    }
    if (worst < 0) return DLS_FINISHED;
    if (self->repairs++ == MOST_REPAIRS) return DLS_ENUMERIC;
    for (int i = 0; i < n; i++) self->d[i] = -self->c[i];
    dls_basis_multiply(&self->basis, self->y, self->p);
    dls_basis_multiply(&self->basis, self->d, self->z0);
    self->entering = (self->basic[worst] + n) % (2 * n);
    return exchange(self, worst, 2 * n, work);
}

// The row that leaves when d enters, or -1: the smallest ratio x_i / d_i, where ratios
// that differ by round-off are told apart by y_i / d_i.
static int leaving_row(const struct lemke *self)
{
    const double *x = self->x, *y = self->y, *d = self->d;
    double largest = 0, least = INFINITY;
    int best = -1, z0 = self->row[2 * self->n];
    for (int i = 0; i < self->n; i++) largest = fmax(largest, fabs(d[i]));
    for (int i = 0; i < self->n; i++)
        if (d[i] > PIVOT * largest && has_sign(self, self->basic[i]))
            least = fmin(least, (fmax(x[i], 0) + ZERO) / d[i]);
    if (least == INFINITY) return -1;
    if (d[z0] > PIVOT * largest && x[z0] <= least * d[z0]) return z0;
    for (int i = 0; i < self->n; i++) {
        if (!(d[i] > PIVOT * largest && x[i] <= least * d[i])) continue;
        if (!has_sign(self, self->basic[i])) continue;
        if (best < 0 || y[i] * d[best] < y[best] * d[i]) best = i;
    }
    return best;
}

// d = B^-1 a of the entering unknown.
static void entering_column(struct lemke *self)
{
    int *i = self->basis.iwork, n = self->n;
    double *x = self->basis.work, *a = self->rhs;
    memset(a, 0, (size_t)n * sizeof *a);
    for (int k = column(self, self->entering, i, x) - 1; k >= 0; k--) a[i[k]] = x[k];
    dls_basis_solve(&self->basis, a, self->d, false);
}

static enum dls_status pivot(struct lemke *self, struct dls_work *work)
{
    enum dls_status status = DLS_OK;
    entering_column(self);
    int row = leaving_row(self), n = self->n;
    if (row < 0 && self->basis.updates) { // a ray is believed to fresh factors only
        status = refresh(self, work);
        if (status != DLS_OK) return status;
        entering_column(self);
        row = leaving_row(self);
    }
    if (row < 0) return DLS_RAY;
    int leaves = self->basic[row];
    status = exchange(self, row, self->entering, work);
    if (status != DLS_OK) return status;
    if (leaves == 2 * n) return enter_cover(self, work);
    self->entering = (leaves + n) % (2 * n);
    return DLS_OK;
}

// --- interface -----------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct dls_lcp *f = form;
    const struct lemke_options *o = opt;
    struct lemke *self = *out = DLS_NEW(a, struct lemke, 1);
    if (!self) return DLS_ENOMEM;
    int n = f->n, entries = dls_csr_count(f->columns);
    *self = (struct lemke){
        .form = f,
        .options = o,
        .n = n,
        .free = f->free,
        .scale = DLS_NEW(a, double, n),
        .A = DLS_NEW(a, double, entries),
        .b = DLS_NEW(a, double, n),
        .p = DLS_NEW(a, double, n),
        .c = DLS_NEW(a, double, n),
        .z0 = DLS_NEW(a, double, n),
        .basic = DLS_NEW(a, int, n),
        .row = DLS_NEW(a, int, 2 * n + 1),
        .x = DLS_NEW(a, double, n),
        .y = DLS_NEW(a, double, n),
        .d = DLS_NEW(a, double, n),
        .rhs = DLS_NEW(a, double, n),
    };
    enum dls_status status =
        dls_basis_create(&self->basis, n, entries + 2 * n, o->refactor, a);
    if (status == DLS_OK) scale_problem(self);
    return status;
}

static void destroy(void *data) { dls_basis_destroy(&((struct lemke *)data)->basis); }

static void reset(void *data, const double *z)
{
    struct lemke *self = data;
    self->running = self->warm = false;
    self->attempt = 0;
    for (int i = self->free; i < self->n; i++) self->warm |= z[i] != 0;
}

// Begins attempt number `attempt`: 0 from the start z, 1 from z = 0; then with random
// covers, by turns from z = 0 and from a random basis with few z_i.
static enum dls_status begin(struct lemke *self, const double *z, struct dls_work *work)
{
    enum { TRIES = 50 };
    if (!self->running) self->rng = dls_rng_seed(work->seed);
    if (!self->attempt && !self->warm) self->attempt = 1;
    self->running = true;
    self->repairs = 0;
    choose_cover(self);
    propose(self, self->attempt ? NULL : z, 0);
    if (self->attempt < 3 || self->attempt % 2 == 0) return enter_cover(self, work);
    enum dls_status status = DLS_ENUMERIC;
    for (int k = 0; k < TRIES && status == DLS_ENUMERIC; k++) {
        propose(self, NULL, fmin(0.5, 4.0 / self->n));
        status = enter_cover(self, work);
    }
    return status;
}

// z of the basis, negative round-off taken away.
static void answer(const struct lemke *self, double *z)
{
    for (int i = 0; i < self->n; i++) {
        int row = self->row[self->n + i];
        double x = row < 0 ? 0 : self->unit * self->scale[i] * self->x[row];
        z[i] = i < self->free ? x : fmax(0, x);
    }
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct lemke *self = data;
    if (!self->n) return DLS_FINISHED;
    enum dls_status status = self->running ? DLS_OK : begin(self, z, work);
    for (;;) {
        long factored = work->factorisations;
        while (status == DLS_OK && work->factorisations == factored
               && !dls_work_expired(work))
            status = pivot(self, work);
        bool failed = status == DLS_RAY || status == DLS_ENUMERIC;
        if (!failed || self->attempt > self->options->restarts) break;
        self->attempt++;
        status = begin(self, z, work);
    }
    snprintf(work->note, sizeof work->note, "%ld pivots, %d restarts", self->pivots,
             self->attempt > 1 ? self->attempt - 1 : 0);
    if (status >= 0) answer(self, z);
    return status;
}

const struct dls_solver dls_solver_lemke = {
    .name = "lemke",
    .brief = "Lemke's complementary pivoting, facets in space",
    .use = "LCPs and contact in the plane: the answer is exact and comes after "
           "finitely many pivots.",
    .fails = "In space it solves a relaxation with facets, and says so. Large problems "
             "need thousands of pivots; it may end on a ray, without an answer.",
    .cite = "CottlePangStone1992",
    .takes = &dls_formulation_lcp,
    .options = lemke_options,
    .options_size = sizeof(struct lemke_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .destroy = destroy,
};
