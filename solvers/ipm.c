// SPDX-License-Identifier: Apache-2.0
// Interior point for contact with friction: convex problems between Lorentz cones, with
// De Saxcé's shift updated from one to the next.
//
//     y = W x + q + s e_N,   L ∋ x ⟂ y ∈ L,       s = |y_T|  at the solution
//
// Notation: x, y, W, q of the formulation `socp`; nu = x.y / contacts the barrier parameter;
// rho = W x + q + s e_N - y.
//
// Method [Acary2024; Mehrotra1992; Vandenberghe2010, section 5; the shift Acary2011]
//   1. For a frozen s the problem is convex: rounds of predictor and corrector steps
//      (solvers/kernel/cone_program.c).
//   2. A round ends when rho and nu are small against the last change of the shift,
//      |y_T| - s. Where contacts are near two states at once, y is only known to the root
//      of nu. So, where rounds no longer make that change smaller, the next ones take nu
//      down towards its square.
//   3. s is a fixed point of |y_T(s)|. Plain rounds drift at constant speed where few
//      contacts slide slowly and oscillate elsewhere; Anderson's mixing of the last
//      rounds follows the drift and damps the oscillation (solvers/kernel/mixing.c).
//   4. The next round starts from x and y moved inwards by the step of the shift.
//
// Cost: a sparse factorisation and two solves an iteration; 8 to 30 iterations for the
// first round whatever the rank of W, 2 to 8 for the others.
// Fails: the rounds converge slowly, or not at all, where many contacts slide and their
// statuses change from one round to the next.
#include "solvers/kernel/cone_program.h"
#include "solvers/kernel/mixing.h"
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
static const double least_distance = 1e-8; // from the boundary at the start of a round
static const double first_distance = 30;   // that of the start from nothing
static const double first_target = 1e-4;   // of the first round
static const double longest_step = 0.99;   // whole ones make later rounds longer
static const double short_step = 1e-3;     // such steps in succession end a round
enum { SHORT_STEPS = 3, LONGEST_ROUND = 60 };

struct ipm {
    const struct dls_socp *form;
    struct ipm_options opt;
    struct dls_cone_program round; // y = W x + (q + s e_N) between cones
    double *q;                     // m: q + s e_N
    double *s, *change, *moved;    // contacts: shift, |y_T| - s, and its last step
    struct dls_mixing mixing;      // of s
    double target, accuracy;       // of nu and of rho in this round
    double sharp, best;            // factor of the target, and the least change so far
    int iterations, short_steps;   // of this round
};

// --- creation -------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_socp *f = form;
    struct ipm *self = *out = DLS_NEW(a, struct ipm, 1);
    size_t c = (size_t)f->contacts;
    double *q = DLS_NEW(a, double, f->m), *shifts = DLS_NEW(a, double, 3 * c);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct ipm){
        .form = f,
        .opt = *(const struct ipm_options *)opt,
        .q = q,
        .s = shifts,
        .change = shifts + c,
        .moved = shifts + 2 * c,
    };
    if (!dls_mixing_create(&self->mixing, f->contacts, self->opt.memory, a))
        return DLS_ENOMEM;
    enum dls_status status = dls_cone_program_create(&self->round, f, q, false, a, err);
    self->round.longest = longest_step;
    return status;
}

static void destroy(void *data)
{
    struct ipm *self = data;
    dls_cone_program_destroy(&self->round);
}

// --- rounds ---------------------------------------------------------------------------

// Moves z inwards: into the cone where it is outside, and by delta more.
static void centre(int d, double delta, double *z)
{
    double outside = dls_lorentz_norm(d, z) - z[0];
    z[0] += fmax(outside, 0) + delta;
}

// The shift enters q of the rounds.
static void enter_shift(struct ipm *self)
{
    const struct dls_socp *f = self->form;
    memcpy(self->q, f->q, (size_t)f->m * sizeof *self->q);
    for (int a = 0; a < f->contacts; a++) self->q[a * f->d] += self->s[a];
}

// Starts a round at a distance delta inside the cones.
static void start_round(struct ipm *self, double delta)
{
    const struct dls_socp *f = self->form;
    for (int a = 0; a < f->contacts; a++) {
        centre(f->d, delta, self->round.x + a * f->d);
        centre(f->d, delta, self->round.y + a * f->d);
    }
    self->iterations = self->short_steps = 0;
}

// Mean of |x.y| and of what y lacks to be in its cone.
static double distance(const struct ipm *self)
{
    const struct dls_socp *f = self->form;
    double sum = 0;
    for (int a = 0; a < f->contacts; a++) {
        const double *x = self->round.x + a * f->d, *y = self->round.y + a * f->d;
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
    double delta = first_distance, *y = self->round.y;
    memcpy(self->round.x, x, (size_t)f->m * sizeof *x);
    memset(y, 0, (size_t)f->m * sizeof *y);
    memset(self->s, 0, (size_t)f->contacts * sizeof *self->s);
    dls_mixing_forget(&self->mixing);
    self->target = self->accuracy = first_target;
    self->sharp = 1;
    self->best = INFINITY;
    if (dls_norm(f->m, x) > 0) {
        dls_bsr_multiply(&f->W, x, f->q, y);
        dls_socp_shift(f, y, self->s);
        for (int a = 0; a < f->contacts; a++) y[a * f->d] += self->s[a];
        delta = fmin(first_distance, fmax(distance(self), least_distance));
    }
    enter_shift(self);
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
    dls_socp_shift(f, self->round.y, self->change);
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
    enter_shift(self);
    start_round(self, fmax(dls_norm(f->contacts, self->moved) / root, least_distance));
    return !done;
}

// --- iterations -----------------------------------------------------------------------

// Whether the round has reached its targets, or will not.
static bool round_is_over(const struct ipm *self)
{
    return (self->round.nu <= self->target && self->round.off <= self->accuracy)
           || self->short_steps >= SHORT_STEPS || self->iterations >= LONGEST_ROUND;
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct ipm *self = data;
    double t;
    if (!self->form->m) return DLS_FINISHED;
    work->products++;
    if (!dls_cone_program_look(&self->round) || round_is_over(self)) {
        if (!next_round(self)) return DLS_FINISHED;
        work->products++;
        if (!dls_cone_program_look(&self->round)) return DLS_STALLED;
    }
    enum dls_status status = dls_cone_program_iterate(&self->round, &t, work);
    self->iterations++;
    self->short_steps = t < short_step ? self->short_steps + 1 : 0;
    memcpy(z, self->round.x, (size_t)self->form->m * sizeof *z);
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
