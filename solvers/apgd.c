// SPDX-License-Identifier: Apache-2.0
// Accelerated projected gradients on the cone problem.
//
//     z+ = P_K(y - t D F(y)),   theta+^2 = (1 - theta+) theta^2,
//     y+ = z+ + beta (z+ - z),  beta = theta (1 - theta) / (theta^2 + theta+)
//
// with F(y) = u + s e_N, u = W y + q, D_a = 1 / |W_aa| (solvers/contact/metric.h).
//
// Method [Mazhar2015; BeckTeboulle2009; ODonoghueCandes2015]
//   1. z+ as above. While d . (F(z+) - F(y)) > |d|^2 / t, d = z+ - y, in the metric: the
//      curvature along d exceeds 1 / t; halve t and repeat.
//   2. Restart when F(y) . (z+ - z) > 0: momentum points uphill; theta <- 1, y <- z+.
//   3. t grows by a tenth a step, so that it follows the curvature down too.
//   4. Keep the iterate whose natural map (unit step in the metric) is smallest. Where
//      that of z+ has grown a hundred times, or the best is a thousand steps old, go back
//      to it and take some steps without momentum, twice as many each time until the best
//      map has halved. With the shift the problem is no minimisation, and this alone stops
//      momentum that runs away.
//   W y+ is a combination of W z+ and W z, known already.
//
// Cost: one product with W a step, one more per reduction of t.
// Fails: for the convex law and symmetric W the energy falls as 1 / k^2; with Coulomb's
// shift nothing is proved. As all gradient methods, slow where W is ill-conditioned.
#include "solvers/contact/metric.h"
#include "solvers/solver.h"

#include "formulations/shifted.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 60 };
static const double grow = 1.1, shrink = 0.5;

struct apgd_options {
    int momentum;
    double growth;
    int patience;
};

static const struct dls_option apgd_options[] = {
    DLS_CHOICE(apgd_options, momentum, 1, "none|nesterov",
               "plain projected gradients, or accelerated ones"),
    DLS_REAL(apgd_options, growth, 100, 1, 1e300,
             "growth of the natural map at which to return to the best iterate"),
    DLS_INT(apgd_options, patience, 1000, 1, 1000000000,
            "steps without a better natural map after which to return"),
    {0},
};

struct apgd {
    const struct dls_shifted *form;
    bool momentum;
    double growth;
    long patience, since;      // steps since the best iterate: allowed, and done
    double *S;                 // contacts
    double t, theta;           // step, and Nesterov's sequence
    double *z, *u_z;           // m: the iterate and its u = W z + q
    double *y, *u_y, *F;       // m: the extrapolated point, its u and F
    double *next, *u_next;     // m: z+
    double *best, best_defect; // m: the best iterate, and its natural map
    double returned;           // the best map when momentum last ran away
    long plain, pause;         // steps without momentum: left now, and after a return
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct dls_shifted *f = form;
    const struct apgd_options *o = opt;
    int m = f->delassus.m;
    struct apgd *self = *out = DLS_NEW(a, struct apgd, 1);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct apgd){
        .form = f,
        .momentum = o->momentum,
        .growth = o->growth,
        .patience = o->patience,
        .S = DLS_NEW(a, double, f->delassus.contacts),
        .z = DLS_NEW(a, double, m),
        .u_z = DLS_NEW(a, double, m),
        .y = DLS_NEW(a, double, m),
        .u_y = DLS_NEW(a, double, m),
        .F = DLS_NEW(a, double, m),
        .next = DLS_NEW(a, double, m),
        .u_next = DLS_NEW(a, double, m),
        .best = DLS_NEW(a, double, m),
    };
    if (a->failed) return DLS_ENOMEM;
    dls_metric_fill(self->S, f->delassus.W);
    return DLS_OK;
}

// Takes z as it stands, without momentum.
static void begin(struct apgd *self)
{
    const struct dls_delassus *D = &self->form->delassus;
    size_t bytes = (size_t)D->m * sizeof *self->z;
    dls_bsr_multiply(D->W, self->z, D->q, self->u_z);
    memcpy(self->y, self->z, bytes);
    memcpy(self->u_y, self->u_z, bytes);
    self->theta = 1;
}

static void reset(void *data, const double *z)
{
    struct apgd *self = data;
    memcpy(self->z, z, (size_t)self->form->delassus.m * sizeof *z);
    self->t = 1;
    self->best_defect = self->returned = INFINITY;
    self->plain = self->since = 0;
    self->pause = 1;
    begin(self);
}

// to = P_K(from - t D F); returns |to - from|^2 in the metric. With `to` NULL nothing is
// kept.
static double move(const struct apgd *self, double t, const double *from, double *to)
{
    int d = self->form->delassus.d;
    double sum = 0;
    for (int a = 0; a < self->form->delassus.contacts; a++) {
        double p[DLS_LARGEST_D], part = 0;
        const double *x = from + a * d, *F = self->F + a * d;
        for (int i = 0; i < d; i++) p[i] = x[i] - t / self->S[a] * F[i];
        dls_cone_project(self->form->cones + a, p, p);
        for (int i = 0; i < d; i++) part += (p[i] - x[i]) * (p[i] - x[i]);
        if (to) memcpy(to + a * d, p, (size_t)d * sizeof *p);
        sum += self->S[a] * part;
    }
    return sum;
}

// (z+ - y) . (F(z+) - F(y)), the shift included.
static double curvature(const struct apgd *self)
{
    const struct dls_shifted *f = self->form;
    int d = f->delassus.d;
    double sum = 0;
    for (int i = 0; i < f->delassus.m; i++) {
        double dF = self->u_next[i] - self->u_y[i];
        if (!f->convex && i % d == 0)
            dF += dls_cone_shift(f->cones + i / d, self->u_next + i)
                  - dls_cone_shift(f->cones + i / d, self->u_y + i);
        sum += (self->next[i] - self->y[i]) * dF;
    }
    return sum;
}

// F = u + s e_N
static void evaluate(struct apgd *self, const double *u)
{
    memcpy(self->F, u, (size_t)self->form->delassus.m * sizeof *u);
    dls_shifted_add(self->form, u, self->F);
}

// z+ with t reduced until the curvature fits; u_next too. Returns the products made.
static int advance(struct apgd *self)
{
    const struct dls_delassus *D = &self->form->delassus;
    for (int k = 1;; k++) {
        double square = move(self, self->t, self->y, self->next);
        dls_bsr_multiply(D->W, self->next, D->q, self->u_next);
        if (!(curvature(self) * self->t > square) || k == TRIALS) return k;
        self->t *= shrink;
    }
}

// Whether momentum points uphill: F(y) . (z+ - z) > 0.
static bool uphill(const struct apgd *self)
{
    double sum = 0;
    for (int i = 0; i < self->form->delassus.m; i++)
        sum += self->F[i] * (self->next[i] - self->z[i]);
    return sum > 0;
}

// y <- z+ + beta (z+ - z), and z+ becomes z.
static void extrapolate(struct apgd *self)
{
    double theta = self->theta, square = theta * theta;
    double next = 0.5 * (sqrt(square * square + 4 * square) - square);
    double beta = theta * (1 - theta) / (square + next);
    if (!self->momentum || self->plain > 0 || uphill(self)) beta = 0, next = 1;
    for (int i = 0; i < self->form->delassus.m; i++) {
        self->y[i] = self->next[i] + beta * (self->next[i] - self->z[i]);
        self->u_y[i] = self->u_next[i] + beta * (self->u_next[i] - self->u_z[i]);
    }
    double *z = self->z, *u = self->u_z;
    self->z = self->next, self->u_z = self->u_next;
    self->next = z, self->u_next = u;
    self->theta = next;
}

// Whether momentum led astray. Under the convex law its convergence is proved, though the
// residual goes up and down, so only numbers that are not finite count there.
static bool lost(const struct apgd *self, double defect)
{
    if (self->form->convex || !self->momentum) return !isfinite(defect);
    return !(defect <= self->growth * self->best_defect)
           || self->since > self->patience;
}

// Back to the best iterate.
static void retreat(struct apgd *self)
{
    memcpy(self->z, self->best, (size_t)self->form->delassus.m * sizeof *self->z);
    self->pause = self->best_defect < 0.5 * self->returned ? 1 : 2 * self->pause;
    self->returned = self->best_defect;
    self->plain = self->pause;
    self->since = 0;
    begin(self);
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct apgd *self = data;
    size_t bytes = (size_t)self->form->delassus.m * sizeof *r;
    evaluate(self, self->u_y);
    work->products += advance(self);
    extrapolate(self);
    self->t *= grow;
    if (self->plain > 0) self->plain--;
    evaluate(self, self->u_z);
    double defect = sqrt(move(self, 1, self->z, NULL));
    self->since++;
    if (defect < self->best_defect) {
        self->best_defect = defect;
        self->since = 0;
        memcpy(self->best, self->z, bytes);
    } else if (lost(self, defect)) {
        retreat(self);
        work->products++;
    }
    memcpy(r, self->z, bytes);
    bool done = self->form->relaxes
                && dls_shifted_residual(self->form, r, self->u_z) <= work->tol;
    return done ? DLS_FINISHED : DLS_OK;
}

const struct dls_solver dls_solver_apgd = {
    .name = "apgd",
    .brief = "Nesterov's projected gradients on cones, with restarts",
    .use = "Large problems where no factorisation is wanted.",
    .fails = "On hyperstatic walls the iterates wander and the residual stays high.",
    .cite = "Mazhar2015",
    .takes = &dls_formulation_shifted,
    .options = apgd_options,
    .options_size = sizeof(struct apgd_options),
    .create = create,
    .reset = reset,
    .step = step,
};
