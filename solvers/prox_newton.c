// SPDX-License-Identifier: Apache-2.0
// Proximal points by semismooth Newton, with Gauss-Seidel sweeps in between.
//
//     x_k+1 = solution of  F(x, rho u) = 0,  u = W x + q + alpha (x - c_k),
//     c_k+1 = x_k+1 + beta d_k
//
// Notation: x, W, q scaled contacts with unit diagonal (solvers/kernel/newton_problem.h), F
// the function of Alart and Curnier; c the proximal centre; d_k = x_k+1 - c_k.
//
// Method [Rockafellar1976; SolodovSvaiter1999; AlartCurnier1991; Acary2018, section 5]
//   1. Newton on the proximal problem from its centre, whose matrix is regular however
//      many contacts there are, with a halving line search, until |F| is below 0.8 of
//      the proximal term rho alpha |x - c|. Then the point is reached. Mostly one to ten
//      contacts make up what is left of |F|; the next point mends them at less cost than
//      more steps for this one.
//   2. A point reached in few steps: alpha is divided by 5. A point not reached after alpha
//      was lowered: alpha goes back to its last value, which is then held for 1, 3, 7, ...
//      successes. A point not reached otherwise: alpha is 5 times as large for a while, and
//      `sweeps` Gauss-Seidel sweeps repair the statuses of single contacts, as `start` of
//      them do before the first point.
//   3. Where impulses are not unique, W x + q hardly depends on the part of x that is still
//      wrong, and the steps d_k have one direction and length over hundreds of points,
//      until contacts reach the boundaries of their cones. While d_k points in the direction
//      of d_k-1 (cosine above 0.9), the centre is moved beyond x_k+1 by beta d_k. beta is
//      the longest of 1, 2, 4, ... for which at most `crossings` contacts change their branch
//      of the law on the way. `crossings` is doubled after an extrapolation from which a
//      point was reached, and divided by four after one from which none was.
//   4. Where a structure hardly moves, velocities are smaller than impulses by orders of
//      magnitude. F should weigh both alike, so rho should be large; but a large rho needs
//      statuses that are nearly right. So rho rises by a third with every point reached in
//      few steps and is halved where a point was not reached. A point takes
//      min(rho, 1 / alpha): with a larger one the proximal term closes contacts that open.
//
// Cost: a sparse factorisation per Newton step, 2 to 4 of them per proximal step.
// Fails: slow where alpha has to stay large; the fill of W may not fit.
#include "solvers/kernel/nested.h"
#include "solvers/kernel/newton_problem.h"
#include "solvers/linear/newton_system.h"
#include "solvers/solver.h"

#include "formulations/delassus.h"

#include <math.h>
#include <string.h>

enum { LINE_TRIALS = 8, LONGEST_HOLD = 30, SHORT_HOLD = 3 };
enum { MANY = 1 << 28 }; // more crossings than there are contacts: no limit any more
static const double least_alpha = 1e-10, most_alpha = 1e3;
static const double aligned = 0.9, most_beta = 1e4;
static const double share = 0.8; // of the proximal term that |F| may have
static const double least_rho = 30, most_rho = 1e4, rise = 1.3;
static const double round_off = 1e-13;

struct prox_newton_options {
    double rho, alpha;
    int newton, few, start, sweeps;
};

static const struct dls_option prox_newton_options[] = {
    DLS_REAL(prox_newton_options, rho, 100, 1e-6, 1e6,
             "first weight of velocities against impulses, relative to the diagonal"),
    DLS_REAL(prox_newton_options, alpha, 1e-3, 1e-10, 1e3,
             "first proximal parameter, relative to the diagonal"),
    DLS_INT(prox_newton_options, newton, 15, 1, 1000,
            "Newton steps for a point, at most"),
    DLS_INT(prox_newton_options, few, 5, 1, 1000,
            "a point reached in this many steps lowers alpha"),
    DLS_INT(prox_newton_options, start, 300, 0, 1e9,
            "Gauss-Seidel sweeps at the start"),
    DLS_INT(prox_newton_options, sweeps, 300, 0, 1e9,
            "Gauss-Seidel sweeps after a failure"),
    {0},
};

struct prox_newton {
    const struct dls_delassus *form;
    struct prox_newton_options opt;
    struct dls_newton_problem problem;
    struct dls_newton_system system;
    struct dls_nested sweeper; // Gauss-Seidel
    double alpha, beta;
    double rho;       // as it rises and falls; what a point takes is at most 1 / alpha
    int crossings;    // changes of branch that an extrapolation may pass
    int hold, wait;   // successes asked for after a failure, and how many are left
    double *answer;   // m: the last proximal point, x_k
    double *step;     // m: the last d_k
    double *velocity; // m
    double length;    // |d_k|, 0 where there is none
    bool lowered;     // alpha, by the last step
    bool started;     // its first sweeps are over
    bool sweep_first; // before the next proximal step
};

// --- creation -------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    if (f->problem->rolling)
        return dls_fail(err, DLS_UNSUPPORTED, "no contact function for rolling rows");
    struct prox_newton *self = *out = DLS_NEW(a, struct prox_newton, 1);
    double *vectors = DLS_NEW(a, double, 3 * (size_t)f->m);
    if (a->failed) return DLS_ENOMEM;
    self->form = f;
    self->opt = *(const struct prox_newton_options *)opt;
    self->answer = vectors;
    self->step = vectors + f->m;
    self->velocity = vectors + 2 * (size_t)f->m;
    struct dls_newton_problem *p = &self->problem;
    if (dls_newton_problem_create(p, f, DLS_ALART_CURNIER, 1, a)) return DLS_ENOMEM;
    bool symmetric = dls_newton_problem_symmetric(p);
    enum dls_status status =
        dls_nested_create(&self->sweeper, "pgs", NULL, f->problem, f, a, err);
    if (status != DLS_OK) return status;
    return dls_newton_system_create(&self->system, &p->W, p->H, p->M, symmetric, a);
}

static void destroy(void *data)
{
    struct prox_newton *self = data;
    dls_nested_destroy(&self->sweeper);
    dls_newton_system_destroy(&self->system);
}

static void reset(void *data, const double *r)
{
    struct prox_newton *self = data;
    (void)r; // every turn of the sweeps starts from the iterate
    self->alpha = self->opt.alpha;
    self->rho = self->opt.rho;
    self->beta = self->length = 0;
    self->hold = self->wait = self->crossings = 0;
    self->lowered = false;
    self->started = false;
    self->sweep_first = true;
}

// --- proximal steps -------------------------------------------------------------------

// A Newton step on the proximal problem; false where there is none that descends.
static enum dls_status newton_step(struct prox_newton *self, double now, bool *moved,
                                   struct dls_work *work)
{
    struct dls_newton_problem *p = &self->problem;
    double rcond;
    *moved = false;
    enum dls_status status =
        dls_newton_system_factor(&self->system, p->value, p->shift, &rcond, work);
    if (status != DLS_OK) return status;
    if (!(rcond > 0) || !dls_newton_system_solve(&self->system, p->dx, work))
        return self->system.linear.out_of_memory ? DLS_ENOMEM : DLS_OK;
    dls_newton_problem_direct(p);
    work->products++;
    double t = dls_newton_problem_armijo(p, now, LINE_TRIALS);
    for (int k = 0; k < p->m; k++) p->x[k] += t * p->dx[k];
    *moved = t > 0;
    return DLS_OK;
}

// |x - c|
static double distance(const struct dls_newton_problem *p)
{
    double sum = 0;
    for (int k = 0; k < p->m; k++)
        sum += (p->x[k] - p->centre[k]) * (p->x[k] - p->centre[k]);
    return sqrt(sum);
}

// What |F| has to fall below: a share of the proximal term, or round-off.
static double accuracy(const struct dls_newton_problem *p)
{
    double size = 0;
    for (int k = 0; k < p->m; k++) size += p->x[k] * p->x[k];
    return fmax(share * p->rho * p->shift * distance(p), round_off * sqrt(size));
}

// Solves the proximal problem from its centre; `steps` receives how many Newton steps
// that took, 0 where it failed.
static enum dls_status proximal_point(struct prox_newton *self, int *steps,
                                      struct dls_work *work)
{
    struct dls_newton_problem *p = &self->problem;
    enum dls_status status = DLS_OK;
    bool moved = true;
    memcpy(p->x, p->centre, (size_t)p->m * sizeof *p->x);
    p->shift = self->alpha;
    p->rho = fmin(self->rho, 1 / self->alpha);
    double now = dls_newton_problem_evaluate(p);
    work->products++;
    *steps = 0;
    for (int k = 1; k <= self->opt.newton && moved; k++) {
        if (dls_work_expired(work)) return DLS_OK;
        status = newton_step(self, now, &moved, work);
        if (status != DLS_OK) return status;
        now = dls_newton_problem_evaluate(p);
        work->products++;
        if (moved && sqrt(2 * now) <= accuracy(p)) return *steps = k, DLS_OK;
    }
    return DLS_OK;
}

// The branch of the law at z = x - rho u: 0 open, 1 stick, 2 slip.
static int branch(int d, double mu, const double *z)
{
    if (z[0] <= 0) return 0;
    double square = 0;
    for (int i = 1; i < d; i++) square += z[i] * z[i];
    return square <= mu * mu * z[0] * z[0] ? 1 : 2;
}

// How many contacts are on another branch at x + beta d than at x; p->du holds W d and
// `velocity` W x + q.
static int changes(const struct prox_newton *self, double beta)
{
    const struct dls_newton_problem *p = &self->problem;
    int count = 0;
    double z[3], moved[3];
    for (int a = 0; a < p->contacts; a++) {
        for (int i = 0, k = a * p->d; i < p->d; i++, k++) {
            z[i] = p->x[k] - p->rho * self->velocity[k];
            moved[i] = z[i] + beta * (self->step[k] - p->rho * p->du[k]);
        }
        count += branch(p->d, p->mu[a], z) != branch(p->d, p->mu[a], moved);
    }
    return count;
}

// The longest of 1, 2, 4, ... on whose way at most `crossings` contacts change branch.
static double reach(struct prox_newton *self, struct dls_work *work)
{
    struct dls_newton_problem *p = &self->problem;
    double beta = 1;
    dls_bsr_multiply(&p->W, p->x, p->q, self->velocity);
    dls_bsr_multiply(&p->W, self->step, NULL, p->du);
    work->products += 2;
    while (beta < most_beta && changes(self, 2 * beta) <= self->crossings) beta *= 2;
    return beta;
}

// d = x - c. While it points as the one before, the next centre is x + beta d.
static void extrapolate(struct prox_newton *self, struct dls_work *work)
{
    struct dls_newton_problem *p = &self->problem;
    double dot = 0, length = distance(p);
    for (int k = 0; k < p->m; k++) {
        double d = p->x[k] - p->centre[k];
        dot += d * self->step[k];
        self->step[k] = d;
    }
    bool along = self->length > 0 && dot > aligned * length * self->length;
    if (self->beta > 0 && self->crossings < MANY)
        self->crossings = 2 * self->crossings + 1;
    self->length = length;
    self->beta = along ? reach(self, work) : 0;
    for (int k = 0; k < p->m; k++) p->centre[k] = p->x[k] + self->beta * self->step[k];
}

// Back to the last answer. After an extrapolation the next one is shorter. An alpha that
// was just lowered is taken back, and the next attempt waits longer each time; otherwise
// alpha rises and sweeps come first.
static void fail(struct prox_newton *self)
{
    struct dls_newton_problem *p = &self->problem;
    memcpy(p->centre, self->answer, (size_t)p->m * sizeof *p->x);
    if (self->beta > 0) {
        self->crossings = self->crossings / 4;
    } else {
        self->alpha = fmin(most_alpha, 5 * self->alpha);
        self->sweep_first = !self->lowered;
        if (self->lowered)
            self->hold = self->hold < LONGEST_HOLD ? 2 * self->hold + 1 : LONGEST_HOLD;
        self->wait = self->lowered || self->hold < SHORT_HOLD ? self->hold : SHORT_HOLD;
    }
    self->lowered = false;
    self->beta = self->length = 0;
}

static void succeed(struct prox_newton *self, int steps)
{
    self->lowered = false;
    if (self->wait > 0)
        self->wait--;
    else if (steps <= self->opt.few && self->alpha > least_alpha) {
        self->alpha /= 5;
        self->length *= 5;
        self->lowered = true;
    }
}

// rho rises with a point reached in few steps and falls where none was reached.
static void weigh(struct prox_newton *self, int steps)
{
    double *rho = &self->rho;
    if (!steps)
        *rho = fmax(fmin(least_rho, self->opt.rho), 0.5 * *rho);
    else if (steps <= self->opt.few)
        *rho = fmin(fmax(most_rho, self->opt.rho), rise * *rho);
}

// Whether the proximal term has grown: the extrapolation went too far.
static bool strays(const struct prox_newton *self)
{
    return self->beta > 0 && distance(&self->problem) > 1.1 * self->length;
}

// Sweeps from r and makes the result the centre.
static enum dls_status sweep(struct prox_newton *self, double *r, struct dls_work *work)
{
    struct dls_newton_problem *p = &self->problem;
    dls_nested_start(&self->sweeper, r);
    long sweeps = self->started ? self->opt.sweeps : self->opt.start;
    enum dls_status status = dls_nested_run(&self->sweeper, sweeps, work);
    if (status != DLS_OK) return status;
    self->started = true;
    dls_nested_lift(&self->sweeper, r);
    dls_newton_problem_enter(p, r);
    memcpy(p->centre, p->x, (size_t)p->m * sizeof *p->x);
    memcpy(self->answer, p->x, (size_t)p->m * sizeof *p->x);
    self->sweep_first = false;
    return DLS_OK;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct prox_newton *self = data;
    struct dls_newton_problem *p = &self->problem;
    int steps;
    if (!p->m) return DLS_FINISHED;
    if (self->sweep_first) return sweep(self, r, work);
    enum dls_status status = proximal_point(self, &steps, work);
    if (status != DLS_OK || dls_work_expired(work)) return status;
    weigh(self, steps);
    if (!steps || strays(self)) return fail(self), DLS_OK;
    memcpy(self->answer, p->x, (size_t)p->m * sizeof *p->x);
    dls_newton_problem_leave(p, 0, r);
    extrapolate(self, work);
    succeed(self, steps);
    return DLS_OK;
}

const struct dls_solver dls_solver_prox_newton = {
    .name = "prox-newton",
    .brief = "proximal points by semismooth Newton, extrapolated, with sweeps between",
    .use = "Hyperstatic sets to 1e-8.",
    .fails = "In large packings the factors of W fill in; one iteration may then take "
             "all the time allowed.",
    .cite = "Rockafellar1976",
    .takes = &dls_formulation_delassus,
    .options = prox_newton_options,
    .options_size = sizeof(struct prox_newton_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .destroy = destroy,
};
