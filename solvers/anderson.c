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
//   1. Sweep from x_k; gamma by LAPACK's rank-revealing QR; x_{k+1} as above.
//   2. The extrapolation has failed when |f_k| exceeds `growth` times the smallest |f| since
//      it began, or when there was no smaller one in PATIENCE sweeps. Then forget all
//      differences, return to the G(x) with the smallest |f|, and take plain sweeps before
//      the next attempt: 10 at first and twice as many after each failure; where |f| has
//      halved from one stretch of plain sweeps to the next, half as many.
//   The iterate shown to the judge is G(x), which lies in the cones; x need not.
//
// Cost: a sweep and a QR of m x memory, 2 m memory^2 operations; plain sweeps have none.
// Fails: while contacts change their status nothing is gained, and the attempts make up to
// two sweeps necessary where pgs needs one. A small |f| is not a small error: on hyperstatic
// sets the extrapolation may lead to a place from where Gauss-Seidel is very slow.
#include "solvers/contact/gauss_seidel.h"
#include "solvers/contact/metric.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#define RANK_TOLERANCE 1e-5 // columns that add less, relatively, are left out

enum { MOST = 50, PATIENCE = 10, SHORTEST = 10 };

struct anderson_options {
    int memory;
    double growth, omega;
};

static const struct dls_option anderson_options[] = {
    DLS_INT(anderson_options, memory, 5, 0, MOST, "differences kept; 0 = plain sweeps"),
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
    double *Q, *y;      // m x memory, m: work of the least squares
    double *work;
    int work_size;
};

// Room that LAPACK asks for.
static int work_size(int m, int memory)
{
    double size = 1;
    int pivot[MOST] = {0}, rank;
    if (memory)
        LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, memory, 1, NULL, m, NULL, m, pivot,
                            RANK_TOLERANCE, &rank, &size, -1);
    return (int)size;
}

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    const struct anderson_options *o = opt;
    struct anderson *self = *out = DLS_NEW(a, struct anderson, 1);
    int m = f->m, memory = o->memory < m ? o->memory : m, size = work_size(m, memory);
    size_t columns = (size_t)m * (size_t)memory;
    if (a->failed) return DLS_ENOMEM;
    *self = (struct anderson){
        .m = m,
        .memory = memory,
        .growth = o->growth,
        .weight = DLS_NEW(a, double, m),
        .x = DLS_NEW(a, double, m),
        .Gx = DLS_NEW(a, double, m),
        .f = DLS_NEW(a, double, m),
        .dF = DLS_NEW(a, double, columns),
        .dG = DLS_NEW(a, double, columns),
        .best = DLS_NEW(a, double, m),
        .Q = DLS_NEW(a, double, columns),
        .y = DLS_NEW(a, double, m),
        .work = DLS_NEW(a, double, size),
        .work_size = size,
    };
    if (a->failed) return DLS_ENOMEM;
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

// Replaces Gx and f by those of this sweep; their differences become a column.
static void remember(struct anderson *self, const double *r, const double *f)
{
    size_t at = (size_t)self->next * (size_t)self->m;
    bool column = self->known && self->memory;
    for (int i = 0; column && i < self->m; i++) {
        self->dF[at + (size_t)i] = f[i] - self->f[i];
        self->dG[at + (size_t)i] = r[i] - self->Gx[i];
    }
    if (column) {
        self->next = (self->next + 1) % self->memory;
        if (self->count < self->memory) self->count++;
    }
    memcpy(self->f, f, (size_t)self->m * sizeof *f);
    memcpy(self->Gx, r, (size_t)self->m * sizeof *r);
    self->known = true;
}

// x = G(x) - dG gamma
static void extrapolate(struct anderson *self)
{
    int m = self->m, k = self->count, pivot[MOST] = {0}, rank;
    memcpy(self->x, self->Gx, (size_t)m * sizeof *self->x);
    if (!k) return;
    memcpy(self->Q, self->dF, (size_t)m * (size_t)k * sizeof *self->Q);
    memcpy(self->y, self->f, (size_t)m * sizeof *self->y);
    LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, k, 1, self->Q, m, self->y, m, pivot,
                        RANK_TOLERANCE, &rank, self->work, self->work_size);
    for (int l = 0; l < k; l++) {
        const double *dG = self->dG + (size_t)l * (size_t)m;
        double gamma = self->y[l];
        for (int i = 0; i < m; i++) self->x[i] -= gamma * dG[i];
    }
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
