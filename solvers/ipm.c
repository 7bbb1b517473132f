// SPDX-License-Identifier: Apache-2.0
// Interior point for contact with friction: convex problems between Lorentz cones, with
// De Saxcé's shift updated from one to the next.
//
//     y = W x + q + s e_N,   L ∋ x ⟂ y ∈ L,       s = |y_T|  at the solution
//
// Notation: x, y, W, q of the formulation `socp`; o the Jordan product, e its unit;
// T the scaling of Nesterov and Todd, T^-1 x = T y = lambda; nu = x.y / contacts the
// barrier parameter; rho = W x + q + s e_N - y; sigma the centring.
//
// Method [Acary2024; Mehrotra1992; Vandenberghe2010, section 5; the shift Acary2011]
//   1. Predictor: (W + T^-2) dx = -rho - T^-1 lambda, dy = W dx + rho; the step length t
//      to the boundary gives sigma = (1 - t)^3.
//   2. Corrector, same factors:
//        (W + T^-2) dx = -rho - T^-1 (lambda \ c),
//        c = lambda o lambda + (T^-1 dx) o (T dy) - sigma nu e,
//      then a step of 0.99 of the way to the boundary, at most 1. Where that is short,
//      the pair is too far off centre and a step towards it (sigma = 1) is made instead.
//   3. When rho and nu are small against the last change of the shift, |y_T| - s, the
//      round ends. Where contacts are near two states at once y is only known to the root
//      of nu, so nu goes down towards the square of that change while rounds that are
//      less accurate do not make it smaller.
//   4. s is a fixed point of |y_T(s)|. Plain rounds drift at constant speed where few
//      contacts slide slowly and oscillate elsewhere; Anderson's mixing of the last
//      rounds follows the drift and damps the oscillation (solvers/kernel/mixing.c).
//   5. The next round starts from x and y moved inwards by the step of the shift.
//
// Cost: a sparse factorisation and two solves an iteration; 8 to 30 iterations for the
// first round whatever the rank of W, 2 to 8 for the others.
// Fails: the rounds converge slowly, or not at all, where many contacts slide and their
// statuses change from one round to the next.
#include "solvers/kernel/mixing.h"
#include "solvers/linear/cone_system.h"
#include "solvers/solver.h"

#include "formulations/parts/lorentz.h"
#include "formulations/socp.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

struct ipm_options {
    double inner;
    int memory;
};

static const struct dls_option ipm_options[] = {
    DLS_REAL(ipm_options, inner, 0.01, 1e-6, 1,
             "accuracy of a round, relative to the last change of the shift"),
    DLS_INT(ipm_options, memory, 5, 0, 50,
            "rounds remembered by the acceleration of the shift"),
    {0},
};

static const double finest = 1e-15, finest_nu = 1e-20; // of rho and nu: nothing below
static const double to_boundary = 0.99;
static const double least_distance = 1e-8; // from the boundary at the start of a round
static const double first_distance = 30;   // that of the start from nothing
static const double first_target = 1e-4;   // of the first round
static const double crawl = 0.1;       // shorter steps are replaced by centring ones
static const double short_step = 1e-3; // such steps in succession end a round
enum { SHORT_STEPS = 3, LONGEST_ROUND = 60 };

struct ipm {
    const struct dls_socp *form;
    struct ipm_options opt;
    struct dls_cone_system system;
    struct dls_scaling *scaling; // contacts
    double *x, *y, *dx, *dy;     // m
    double *rho, *rhs;           // m
    double *s, *change, *moved;  // contacts: shift, |y_T| - s, and its last step
    struct dls_mixing mixing;    // of s
    double target, accuracy;     // of nu and of rho in this round
    double sharp, best;          // factor of the target, and the least change so far
    double nu;
    int iterations, short_steps; // of this round
};

// --- creation -------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_socp *f = form;
    struct ipm *self = *out = DLS_NEW(a, struct ipm, 1);
    size_t m = (size_t)f->m, c = (size_t)f->contacts;
    double *vectors = DLS_NEW(a, double, 6 * m), *shifts = DLS_NEW(a, double, 3 * c);
    struct dls_scaling *scaling = DLS_NEW(a, struct dls_scaling, c);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct ipm){
        .form = f,
        .opt = *(const struct ipm_options *)opt,
        .scaling = scaling,
        .x = vectors,
        .y = vectors + m,
        .dx = vectors + 2 * m,
        .dy = vectors + 3 * m,
        .rho = vectors + 4 * m,
        .rhs = vectors + 5 * m,
        .s = shifts,
        .change = shifts + c,
        .moved = shifts + 2 * c,
    };
    if (!dls_mixing_create(&self->mixing, f->contacts, self->opt.memory, a))
        return DLS_ENOMEM;
    return dls_cone_system_create(&self->system, f, false, a, err);
}

static void destroy(void *data)
{
    struct ipm *self = data;
    dls_cone_system_destroy(&self->system);
}

// --- rounds ---------------------------------------------------------------------------

// Moves z inwards: into the cone where it is outside, and by delta more.
static void centre(int d, double delta, double *z)
{
    double outside = dls_lorentz_norm(d, z) - z[0];
    z[0] += fmax(outside, 0) + delta;
}

// y <- W x + q + s e_N
static void find_velocity(struct ipm *self, double *y)
{
    const struct dls_socp *f = self->form;
    dls_bsr_multiply(&f->W, self->x, f->q, y);
    for (int a = 0; a < f->contacts; a++) y[a * f->d] += self->s[a];
}

// Starts a round at a distance delta inside the cones.
static void start_round(struct ipm *self, double delta)
{
    const struct dls_socp *f = self->form;
    for (int a = 0; a < f->contacts; a++) {
        centre(f->d, delta, self->x + a * f->d);
        centre(f->d, delta, self->y + a * f->d);
    }
    self->iterations = self->short_steps = 0;
}

// Mean of |x.y| and of what y lacks to be in its cone.
static double distance(const struct ipm *self)
{
    const struct dls_socp *f = self->form;
    double sum = 0;
    for (int a = 0; a < f->contacts; a++) {
        const double *x = self->x + a * f->d, *y = self->y + a * f->d;
        double dot = 0;
        for (int i = 0; i < f->d; i++) dot += x[i] * y[i];
        sum += fabs(dot) + fmax(0, dls_lorentz_norm(f->d, y) - y[0]);
    }
    return sum / f->contacts;
}

// The start r = 0 tells nothing: x = y a multiple of e. Another one is trusted as far as its
// residual goes.
static void reset(void *data, const double *x)
{
    struct ipm *self = data;
    const struct dls_socp *f = self->form;
    double delta = first_distance;
    memcpy(self->x, x, (size_t)f->m * sizeof *x);
    memset(self->y, 0, (size_t)f->m * sizeof *self->y);
    memset(self->s, 0, (size_t)f->contacts * sizeof *self->s);
    dls_mixing_forget(&self->mixing);
    self->target = self->accuracy = first_target;
    self->sharp = 1;
    self->best = INFINITY;
    if (dls_norm(f->m, x) > 0) {
        find_velocity(self, self->y);
        dls_socp_shift(f, self->y, self->s);
        find_velocity(self, self->y);
        delta = fmin(first_distance, fmax(distance(self), least_distance));
    }
    start_round(self, delta);
}

// How small rho and nu have to become in the next round, given the change of the shift.
static void set_targets(struct ipm *self, double change)
{
    double sharper = change > 0.7 * self->best ? 0.1 * self->sharp : self->sharp;
    self->sharp = fmax(change, sharper);
    self->best = fmin(self->best, change);
    self->accuracy = fmax(finest, self->opt.inner * change);
    self->target = fmax(finest_nu, self->opt.inner * change * fmin(1, self->sharp));
}

// Ends a round: updates the shift and starts the next. False where nothing changes any
// more.
static bool next_round(struct ipm *self)
{
    const struct dls_socp *f = self->form;
    double root = sqrt(f->contacts);
    dls_socp_shift(f, self->y, self->change);
    for (int a = 0; a < f->contacts; a++) {
        self->change[a] -= self->s[a];
        self->moved[a] = -self->s[a];
    }
    dls_mixing_step(&self->mixing, self->s, self->change);
    for (int a = 0; a < f->contacts; a++) {
        self->s[a] = fmax(0, self->s[a]);
        self->moved[a] += self->s[a];
    }
    double change = dls_norm(f->contacts, self->change) / root;
    bool done = change < finest && self->target <= finest_nu;
    set_targets(self, change);
    start_round(self, fmax(dls_norm(f->contacts, self->moved) / root, least_distance));
    return !done;
}

// --- iterations -----------------------------------------------------------------------

// rho, nu and the scalings; false where a point left its cone by round-off.
static bool look(struct ipm *self)
{
    const struct dls_socp *f = self->form;
    double sum = 0;
    bool inside = true;
    find_velocity(self, self->rho);
    for (int k = 0; k < f->m; k++) {
        self->rho[k] -= self->y[k];
        sum += self->x[k] * self->y[k];
    }
    self->nu = sum / f->contacts;
    for (int a = 0; a < f->contacts && inside; a++)
        inside = dls_scaling_make(self->scaling + a, f->d, self->x + a * f->d,
                                  self->y + a * f->d);
    return inside;
}

// Solves for dx and dy; `second` keeps the second-order term of the present ones.
static bool direction(struct ipm *self, double sigma, bool second)
{
    const struct dls_socp *f = self->form;
    int d = f->d;
    for (int a = 0; a < f->contacts; a++) {
        const struct dls_scaling *T = self->scaling + a;
        double c[3], u[3], v[3];
        dls_lorentz_product(d, T->lambda, T->lambda, c);
        c[0] -= sigma * self->nu;
        if (second) {
            dls_scaling_undo(T, d, self->dx + a * d, u);
            dls_scaling_apply(T, d, self->dy + a * d, v);
            dls_lorentz_product(d, u, v, u);
            for (int i = 0; i < d; i++) c[i] += u[i];
        }
        dls_lorentz_divide(d, T->lambda, c, u);
        dls_scaling_undo(T, d, u, v);
        for (int i = 0, k = a * d; i < d; i++, k++) self->rhs[k] = -self->rho[k] - v[i];
    }
    if (!dls_cone_system_solve(&self->system, self->rhs, self->dx, NULL)) return false;
    dls_bsr_multiply(&f->W, self->dx, self->rho, self->dy); // dy = W dx + rho
    return true;
}

// The largest t <= 1 with x + t dx and y + t dy in the cones.
static double reach(const struct ipm *self)
{
    int d = self->form->d, m = self->form->m;
    return fmin(1, fmin(dls_lorentz_reach_all(d, m, self->x, self->dx),
                        dls_lorentz_reach_all(d, m, self->y, self->dy)));
}

// A predictor-corrector step; `t` receives its length, 0 where the algebra failed.
static enum dls_status iterate(struct ipm *self, double *t)
{
    *t = 0;
    enum dls_status status = dls_cone_system_factor(&self->system, self->scaling, NULL);
    if (status != DLS_OK) return status == DLS_ENUMERIC ? DLS_OK : status;
    if (!direction(self, 0, false)) return DLS_OK;
    double rest = 1 - reach(self);
    if (!direction(self, rest * rest * rest, true)) return DLS_OK;
    *t = fmin(1, to_boundary * reach(self));
    if (*t < crawl) {
        if (!direction(self, 1, false)) return DLS_OK;
        *t = fmin(1, to_boundary * reach(self));
    }
    for (int k = 0; k < self->form->m; k++) {
        self->x[k] += *t * self->dx[k];
        self->y[k] += *t * self->dy[k];
    }
    return DLS_OK;
}

// Whether the round has reached its targets, or will not.
static bool round_is_over(const struct ipm *self)
{
    double off = dls_norm(self->form->m, self->rho) / sqrt(self->form->m);
    return (self->nu <= self->target && off <= self->accuracy)
           || self->short_steps >= SHORT_STEPS || self->iterations >= LONGEST_ROUND;
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct ipm *self = data;
    double t;
    if (!self->form->m) return DLS_FINISHED;
    if (!look(self) || round_is_over(self)) {
        if (!next_round(self)) return DLS_FINISHED;
        if (!look(self)) return DLS_STALLED;
    }
    enum dls_status status = iterate(self, &t);
    work->factorisations++;
    work->products += 4;
    self->iterations++;
    self->short_steps = t < short_step ? self->short_steps + 1 : 0;
    memcpy(z, self->x, (size_t)self->form->m * sizeof *z);
    return status;
}

const struct dls_solver dls_solver_ipm = {
    .name = "ipm",
    .brief = "interior point between Lorentz cones, De Saxcé's shift in rounds",
    .use = "Hyperstatic sets with little slip.",
    .fails =
        "It crawls where many contacts slip, since the shift is frozen within each "
        "round.",
    .cite = "Acary2024",
    .takes = &dls_formulation_socp,
    .options = ipm_options,
    .options_size = sizeof(struct ipm_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .destroy = destroy,
};
