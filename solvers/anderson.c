// SPDX-License-Identifier: Apache-2.0
// Anderson acceleration of the Gauss-Seidel sweep, with a safeguard.
//
//     f_k = G(x_k) - x_k,   gamma = argmin |f_k - dF gamma|_S,
//     x_{k+1} = G(x_k) - dG gamma
//
// Notation: G the sweep of pgs; columns of dF, dG = differences of the last `memory`
// values of f and G(x); |.|_S the norm of energies (solvers/local/metric.h).
//
// Method [Anderson1965; WalkerNi2011; ZhangODonoghueBoyd2020]
//   1. Sweep from x_k.
//   2. If |f_k| exceeds `growth` times that of the last accepted iterate, x_k was a bad
//      guess: forget all differences and go on from G(x_{k-1}), the plain step.
//   3. Otherwise accept: add a column, drop the oldest one when the memory is full.
//   4. The least squares by LAPACK's rank-revealing QR.
//   The iterate shown to the judge is the last accepted G(x), which lies in the cones.
//
// Cost: a sweep and a QR of m x memory, 2 m memory^2 operations.
// Fails: a rejected guess costs a sweep, so that it is at worst twice as slow as pgs; it
// gains where the statuses of the contacts have settled and nothing while they change.
#include "solvers/local/gauss_seidel.h"
#include "solvers/local/metric.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#define RANK_TOLERANCE 1e-10 // singular values below it, relatively, are left out

enum { MOST = 50 };

struct anderson_options {
    int memory;
    int patience, pause;
    double growth, rank, omega;
};

static const struct dls_option anderson_options[] = {
    DLS_INT(anderson_options, memory, 5, 0, MOST, "differences kept; 0 = plain sweeps"),
    DLS_INT(anderson_options, patience, 10, 1, 1000, "sweeps without gain"),
    DLS_INT(anderson_options, pause, 10, 1, 100, "plain sweeps after failure"),
    DLS_REAL(anderson_options, rank, 1e-10, 0, 1, "rank"),
    DLS_REAL(anderson_options, growth, 2, 1e-6, 1e6,
             "accepted growth of the residual of the sweep"),
    DLS_REAL(anderson_options, omega, 1.0, 1e-3, 2.0, "over-relaxation of the sweep"),
    {0},
};

struct anderson {
    struct dls_gauss_seidel sweep;
    int m, memory, patience, since; long pause, length,least; double rank, best, at_pause; double *anchor;
    double growth;
    int count, next;    // columns in use, and the one to overwrite
    double *weight;     // m: square roots of the metric
    double *x, *Gx, *f; // m: start of the next sweep, last accepted G(x) and f
    double accepted;    // |f| of the last accepted iterate; INFINITY: none
    double *dF, *dG;    // m x memory, by columns; f and dF carry the weights
    double *Q, *y;      // work of the least squares
    double *work;
    int work_size;
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    const struct anderson_options *o = opt;
    struct anderson *self = *out = DLS_NEW(a, struct anderson, 1);
    int m = f->m, memory = o->memory < m ? o->memory : m, work_size = 1;
    double size = 1;
    int pivot[MOST], rank;
    if (memory)
        LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, memory, 1, NULL, m, NULL, m, pivot,
                            RANK_TOLERANCE, &rank, &size, -1);
    work_size = (int)size;
    if (a->failed) return DLS_ENOMEM;
    *self = (struct anderson){
        .m = m,
        .memory = memory,
        .growth = o->growth, .patience=o->patience, .rank=o->rank,.least=o->pause,.anchor=DLS_NEW(a,double,m),
        .weight = DLS_NEW(a, double, m),
        .x = DLS_NEW(a, double, m),
        .Gx = DLS_NEW(a, double, m),
        .f = DLS_NEW(a, double, m),
        .dF = DLS_NEW(a, double, (size_t)m *(size_t)memory),
        .dG = DLS_NEW(a, double, (size_t)m *(size_t)memory),
        .Q = DLS_NEW(a, double, (size_t)m *(size_t)memory),
        .y = DLS_NEW(a, double, m),
        .work = DLS_NEW(a, double, work_size),
        .work_size = work_size,
    };
    if (a->failed) return DLS_ENOMEM;
    dls_metric_fill(self->f, f->W);
    for (int i = 0; i < m; i++) self->weight[i] = sqrt(self->f[i / f->d]);
    return dls_gauss_seidel_create(&self->sweep, f, o->omega, DLS_SWEEP_GIVEN, a, err);
}

// Forgets the differences.
static void forget(struct anderson *self)
{
    self->count = self->next = 0;
    self->accepted = INFINITY;
}

static void reset(void *data, const double *r)
{
    struct anderson *self = data;
    memcpy(self->x, r, (size_t)self->m * sizeof *r);
    forget(self);
    self->length=self->least; self->pause=0; self->best=self->at_pause=INFINITY; self->since=0;
}

// Writes the differences to the accepted iterate into the next column, then accepts
// G(x) = r with the weighted f.
static void remember(struct anderson *self, const double *r, const double *f)
{
    size_t at = (size_t)self->next * (size_t)self->m;
    if (self->memory && self->accepted < INFINITY) {
        for (int i = 0; i < self->m; i++) {
            self->dF[at + (size_t)i] = f[i] - self->f[i];
            self->dG[at + (size_t)i] = r[i] - self->Gx[i];
        }
        self->next = (self->next + 1) % self->memory;
        if (self->count < self->memory) self->count++;
    }
    memcpy(self->f, f, (size_t)self->m * sizeof *f);
    memcpy(self->Gx, r, (size_t)self->m * sizeof *r);
}

// x = G(x) - dG gamma, gamma from the least squares.
static void extrapolate(struct anderson *self)
{
    int m = self->m, k = self->count, pivot[MOST] = {0}, rank = 0;
    memcpy(self->x, self->Gx, (size_t)m * sizeof *self->x);
    if (!k) return;
    memcpy(self->Q, self->dF, (size_t)m * (size_t)k * sizeof *self->Q);
    memcpy(self->y, self->f, (size_t)m * sizeof *self->y);
    LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, k, 1, self->Q, m, self->y, m, pivot,
                        self->rank, &rank, self->work, self->work_size);
    for (int l = 0; l < k; l++) {
        const double *dG = self->dG + (size_t)l * (size_t)m;
        double gamma = self->y[l];
        for (int i = 0; i < m; i++) self->x[i] -= gamma * dG[i];
    }
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct anderson *self = data;
    size_t bytes = (size_t)self->m * sizeof *r;
    double *f = self->y, sum = 0;
    memcpy(r, self->x, bytes);
    dls_gauss_seidel_sweep(&self->sweep, r, work);
    for (int i = 0; i < self->m; i++) {
        f[i] = self->weight[i] * (r[i] - self->x[i]);
        sum += f[i] * f[i];
    }
    double norm = sqrt(sum);
    if (self->pause > 0) {
        remember(self, r, f);
        self->accepted = norm;
        memcpy(self->anchor, r, bytes);
        memcpy(self->x, r, bytes);
        self->best = norm; self->since=0;
        if (--self->pause == 0) {
            if (norm <= 0.5*self->at_pause) self->length = self->length/2 > self->least ? self->length/2:self->least;
            self->at_pause = norm;
            extrapolate(self);
        }
        return DLS_OK;
    }
    if (norm < self->best) {memcpy(self->anchor, r, bytes); self->best=norm; self->since=0;} else self->since++;
    if (!(norm <= self->growth*self->best) || self->since > self->patience) {
        memcpy(r, self->anchor, bytes);
        memcpy(self->x, r, bytes);
        forget(self);
        self->pause = self->length;
        self->length *= 2;
        return DLS_OK;
    }
    remember(self, r, f);
    self->accepted = norm;
    extrapolate(self);
    return DLS_OK;
}

const struct dls_solver dls_solver_anderson = {
    .name = "anderson",
    .brief = "safeguarded Anderson acceleration of the Gauss-Seidel sweep",
    .cite = "WalkerNi2011",
    .takes = &dls_formulation_delassus,
    .options = anderson_options,
    .options_size = sizeof(struct anderson_options),
    .create = create,
    .reset = reset,
    .step = step,
};
