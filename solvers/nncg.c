// SPDX-License-Identifier: Apache-2.0
// Nonsmooth nonlinear conjugate gradients over a Gauss-Seidel sweep.
//
//     y = G(x),   g = x - y,   beta = |g|^2 / |g_-|^2,
//     x <- y + beta p,   p <- beta p - g
//
// with G the sweep of pgs and |.| the norm of energies (solvers/contact/metric.h).
//
// Method [SilcowitzEtAl2010]
//   1. The step of the sweep stands for the gradient of an energy that nobody writes down;
//      Fletcher and Reeves' formula makes the directions p conjugate.
//   2. beta > 1: the step grew. Restart, p <- -g and x <- y. The same where beta < 0.1: a
//      plain sweep that gains so much needs no help.
//   3. Safeguard: a restart at a step `back` times longer than the shortest one seen goes
//      back to the y of that shortest step. The search for the shortest step begins again
//      from there, and `back` is doubled. Between two returns at least one sweep's progress
//      is kept, and returns become rare: at worst the method is Gauss-Seidel with detours.
//   The iterate shown to the judge is y, which lies in the cones; x need not.
//
// Cost: a sweep and a few passes over vectors.
// Fails: where contacts change their status often there is a restart after every other
// sweep and it is no faster than pgs.
#include "solvers/contact/gauss_seidel.h"
#include "solvers/contact/metric.h"

#include <math.h>
#include <string.h>

// Sets that a few sweeps solve take up to four times as many with directions. With 0.2 some
// large packings take longer.
static const double enough = 0.1;

struct nncg_options {
    double omega, back;
};

static const struct dls_option nncg_options[] = {
    DLS_REAL(nncg_options, omega, 1.0, 1e-3, 2.0, "over-relaxation of the sweep"),
    DLS_REAL(nncg_options, back, 10, 1, 1e300,
             "growth of the step at which a restart first returns to the best iterate"),
    {0},
};

struct nncg {
    struct dls_gauss_seidel sweep;
    double *S;             // contacts
    double *x, *p;         // m: start of the next sweep, direction
    double *best;          // m: what the shortest step led to
    double last, shortest; // |g|^2 of the last step and of the shortest
    double first, back;    // growth of |g|^2 that returns at first, and now
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    const struct nncg_options *o = opt;
    struct nncg *self = *out = DLS_NEW(a, struct nncg, 1);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct nncg){
        .S = DLS_NEW(a, double, f->contacts),
        .x = DLS_NEW(a, double, f->m),
        .p = DLS_NEW(a, double, f->m),
        .best = DLS_NEW(a, double, f->m),
        .first = o->back * o->back,
    };
    if (a->failed) return DLS_ENOMEM;
    dls_metric_fill(self->S, f->W);
    return dls_gauss_seidel_create(&self->sweep, f, o->omega, DLS_SWEEP_GIVEN, a, err);
}

static void reset(void *data, const double *r)
{
    struct nncg *self = data;
    size_t bytes = (size_t)self->sweep.form->m * sizeof *r;
    memcpy(self->x, r, bytes);
    memset(self->p, 0, bytes);
    self->last = self->shortest = INFINITY;
    self->back = self->first;
}

// To the answer of the shortest step, and on from there.
static void go_back(struct nncg *self, double *r)
{
    size_t bytes = (size_t)self->sweep.form->m * sizeof *r;
    memcpy(r, self->best, bytes);
    memcpy(self->x, r, bytes);
    memset(self->p, 0, bytes);
    self->last = self->shortest = INFINITY;
    self->back *= 4; // of squares
}

// |x - y|_S^2 of the last sweep.
static double step_square(const struct nncg *self, const double *y)
{
    int d = self->sweep.form->d;
    double sum = 0;
    for (int a = 0; a < self->sweep.form->contacts; a++) {
        double part = 0;
        for (int i = a * d; i < a * d + d; i++)
            part += (self->x[i] - y[i]) * (self->x[i] - y[i]);
        sum += self->S[a] * part;
    }
    return sum;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct nncg *self = data;
    int m = self->sweep.form->m;
    size_t bytes = (size_t)m * sizeof *r;
    memcpy(r, self->x, bytes);
    dls_gauss_seidel_sweep(&self->sweep, r, work); // y = G(x)
    double g = step_square(self, r), beta = g / self->last;
    bool restart = !(beta <= 1), quick = beta < enough;
    if (restart && g > self->back * self->shortest) return go_back(self, r), DLS_OK;
    if (g < self->shortest) memcpy(self->best, r, bytes), self->shortest = g;
    for (int i = 0; i < m; i++) {
        double far = restart || quick ? 0 : beta * self->p[i];
        self->p[i] = far + (r[i] - self->x[i]); // p <- beta p - g
        self->x[i] = r[i] + far;                // x <- y + beta p
    }
    self->last = g;
    return DLS_OK;
}

const struct dls_solver dls_solver_nncg = {
    .name = "nncg",
    .brief = "nonsmooth nonlinear conjugate gradients over a Gauss-Seidel sweep",
    .use = "Where pgs works but is slow: a cheap acceleration.",
    .fails = "Where pgs fails, though it often comes further first.",
    .cite = "SilcowitzEtAl2010",
    .takes = &dls_formulation_delassus,
    .options = nncg_options,
    .options_size = sizeof(struct nncg_options),
    .create = create,
    .reset = reset,
    .step = step,
};
