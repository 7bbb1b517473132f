// SPDX-License-Identifier: Apache-2.0
// Anderson acceleration of the Gauss-Seidel sweep, with a safeguard.
//
//     f_k = G(x_k) - x_k,   gamma = argmin |f_k - dF gamma|_S,
//     x_{k+1} = G(x_k) - dG gamma
//
// Notation: G the sweep of pgs; columns of dF, dG = differences of the last `memory`
// values of f and G(x); |.|_S the norm of energies (solvers/contact/metric.h).
//
// Method [Anderson1965; WalkerNi2011; ZhangODonoghueBoyd2020]
//   1. Sweep from x_k; gamma by the products of the columns (solvers/kernel/gram.h), where
//      columns that add little are left out; x_{k+1} as above.
//   2. The extrapolation has failed when |f_k| exceeds `growth` times the smallest |f| since
//      it began, or when there was no smaller one in PATIENCE sweeps. Then forget all
//      differences, return to the G(x) with the smallest |f|, and take plain sweeps before
//      the next attempt: 10 at first and twice as many after each failure; where |f| has
//      halved from one stretch of plain sweeps to the next, half as many.
//   The iterate shown to the judge is G(x), which lies in the cones; x need not.
//
// Cost: a sweep and some 6 m memory operations; plain sweeps have none.
// Fails: while contacts change their status nothing is gained, and the attempts make up to
// two sweeps necessary where pgs needs one. A small |f| is not a small error: on hyperstatic
// sets the extrapolation may lead to a place from where Gauss-Seidel is very slow.
#include "solvers/contact/gauss_seidel.h"
#include "solvers/contact/metric.h"
#include "solvers/kernel/gram.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

static const double rank_tolerance = 1e-5; // squared it is well above round-off

enum { PATIENCE = 10, SHORTEST = 10 };

struct anderson_options {
    int memory;
    double growth, omega;
};

static const struct dls_option anderson_options[] = {
    DLS_INT(anderson_options, memory, 5, 0, DLS_GRAM_MOST,
            "differences kept; 0 = plain sweeps"),
    DLS_REAL(anderson_options, growth, 10, 1, 1e300,
             "growth of the change made by a sweep at which to go back"),
    DLS_REAL(anderson_options, omega, 1.0, 1e-3, 2.0, "over-relaxation of the sweep"),
    {0},
};

struct anderson {
    struct dls_gauss_seidel sweep;
    int m, memory;
    double growth;
    double *weight;     // m: square roots of the metric
    double *x, *Gx, *f; // m: start of the next sweep, last G(x) and weighted f
    bool known;         // Gx and f belong to the iterate before
    int count, next;    // columns in use, and the one to overwrite
    double *dF, *dG;    // m x memory, by columns; dF weighted
    double *best;       // m: G(x) of the smallest |f|
    double best_f;      // that |f|, and
    int since;          // sweeps since then
    long plain, pause;  // plain sweeps: left now, and after the next failure
    double plain_f;     // |f| after the last stretch of them
    double *G;          // memory x memory: dF^T dF
    double *y;          // m
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    const struct anderson_options *o = opt;
    struct anderson *self = *out = DLS_NEW(a, struct anderson, 1);
    int m = f->m, memory = o->memory < m ? o->memory : m;
    size_t n = (size_t)m, k = (size_t)memory;
    double *all =
        DLS_NEW(a, double, (6 + 2 * k) * n + k * k); // one piece: sets are small
    if (a->failed) return DLS_ENOMEM;
    *self = (struct anderson){
        .m = m,
        .memory = memory,
        .growth = o->growth,
        .weight = all,
        .x = all + n,
        .Gx = all + 2 * n,
        .f = all + 3 * n,
        .best = all + 4 * n,
        .y = all + 5 * n,
        .dF = all + 6 * n,
        .dG = all + (6 + k) * n,
        .G = all + (6 + 2 * k) * n,
    };
    dls_metric_fill(self->f, f->W);
    for (int i = 0; i < m; i++) self->weight[i] = sqrt(self->f[i / f->d]);
    return dls_gauss_seidel_create(&self->sweep, f, o->omega, DLS_SWEEP_GIVEN, a, err);
}

// Starts at r without a past.
static void begin(struct anderson *self, const double *r)
{
    memcpy(self->x, r, (size_t)self->m * sizeof *r);
    self->known = false;
    self->count = self->next = self->since = 0;
}

static void reset(void *data, const double *r)
{
    struct anderson *self = data;
    begin(self, r);
    self->best_f = self->plain_f = INFINITY;
    self->plain = 0;
    self->pause = SHORTEST;
}

static double *column(double *columns, const struct anderson *self, int l)
{
    return columns + (size_t)l * (size_t)self->m;
}

// Counts the column that was just written, and takes its products with the others.
static void add_column(struct anderson *self)
{
    int l = self->next, memory = self->memory;
    self->next = (l + 1) % memory;
    if (self->count < memory) self->count++;
    for (int c = 0; c < self->count; c++)
        self->G[c * memory + l] = self->G[l * memory + c] =
            dls_gram_dot(self->m, column(self->dF, self, l), column(self->dF, self, c));
}

// Replaces Gx and f by those of this sweep; their differences become a column.
static void remember(struct anderson *self, const double *r, const double *f)
{
    if (self->known && self->memory) {
        double *dF = column(self->dF, self, self->next);
        double *dG = column(self->dG, self, self->next);
        for (int i = 0; i < self->m; i++) dF[i] = f[i] - self->f[i];
        for (int i = 0; i < self->m; i++) dG[i] = r[i] - self->Gx[i];
        add_column(self);
    }
    memcpy(self->f, f, (size_t)self->m * sizeof *f);
    memcpy(self->Gx, r, (size_t)self->m * sizeof *r);
    self->known = true;
}

// x = G(x) - dG gamma
static void extrapolate(struct anderson *self)
{
    int m = self->m, k = self->count;
    double b[DLS_GRAM_MOST], gamma[DLS_GRAM_MOST];
    memcpy(self->x, self->Gx, (size_t)m * sizeof *self->x);
    for (int l = 0; l < k; l++)
        b[l] = dls_gram_dot(m, column(self->dF, self, l), self->f);
    dls_gram_solve(k, self->G, self->memory, b, rank_tolerance, gamma);
    for (int l = 0; l < k; l++)
        dls_axpy(m, -gamma[l], column(self->dG, self, l), self->x);
}

// Keeps the sweep's answer where it is the best, or a plain one; false when the
// extrapolation has failed.
static bool keep(struct anderson *self, const double *r, double f)
{
    if (!self->memory) return true;
    if (self->plain > 0 || f < self->best_f) {
        memcpy(self->best, r, (size_t)self->m * sizeof *r);
        self->best_f = f;
        self->since = 0;
        return true;
    }
    return f <= self->growth * self->best_f && ++self->since <= PATIENCE;
}

// Counts a plain sweep; true where it was the last of its stretch.
static bool stretch_ends(struct anderson *self, double f)
{
    if (--self->plain > 0) return false;
    if (f <= 0.5 * self->plain_f && self->pause > SHORTEST) self->pause /= 2;
    self->plain_f = f;
    return true;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct anderson *self = data;
    size_t bytes = (size_t)self->m * sizeof *r;
    double *f = self->y, square = 0;
    memcpy(r, self->x, bytes);
    dls_gauss_seidel_sweep(&self->sweep, r, work);
    for (int i = 0; i < self->m; i++) {
        f[i] = self->weight[i] * (r[i] - self->x[i]);
        square += f[i] * f[i];
    }
    if (!keep(self, r, sqrt(square))) {
        memcpy(r, self->best, bytes);
        begin(self, r);
        self->plain = self->pause;
        self->pause *= 2;
        return DLS_OK;
    }
    remember(self, r, f);
    if (self->plain == 0 || stretch_ends(self, sqrt(square)))
        extrapolate(self);
    else
        memcpy(self->x, r, bytes);
    return DLS_OK;
}

const struct dls_solver dls_solver_anderson = {
    .name = "anderson",
    .brief = "safeguarded Anderson acceleration of the Gauss-Seidel sweep",
    .use = "Stacks and walls: it needs the fewest sweeps of all methods that only "
           "sweep.",
    .fails =
        "It gains little while contacts still change between open, stick and slip.",
    .cite = "WalkerNi2011",
    .takes = &dls_formulation_delassus,
    .options = anderson_options,
    .options_size = sizeof(struct anderson_options),
    .create = create,
    .reset = reset,
    .step = step,
};
