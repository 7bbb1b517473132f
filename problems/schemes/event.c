// SPDX-License-Identifier: Apache-2.0
// Event-driven integration of systems with one frictionless contact at a time
// [AcaryBrogliato2008].
//
//     flight:  M a = F + G^T lambda_G,  until gap = 0
//     impact:  M (v^+ - v^-) = H^T r + G^T ...,  contact law with restitution
//     closed:  the same with u_N' = 0 and a force lambda >= 0; lambda = 0 opens it
//
// Method, until the step of length h is over:
//   1. integrate (q, v) by GSL's Runge-Kutta pair of order 8(9), tolerance 1e-12;
//   2. where the gap of an accepted step is negative, find its root by Brent's method,
//      integrating anew from the step's start;
//   3. solve the impact as a step problem without forces, by the solver; a speed after
//      it below `rest` closes the contact, since no method can count the impacts up to
//      their point of accumulation.
// Rows of joints and contacts are differenced along the motion for their rates.
// The work of the joints is integrated beside the motion, for the energy ledger.
// Accuracy: that of the integrator, 1e-12; used as a reference for the other schemes.
// Fails (unsupported): several contacts at once, friction, rotations in space.
#include "problems/mechanics/scheme.h"

#include "formulations/parts/inertia.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <string.h>

struct event_options {
    double rest;
};

static const struct dls_option options[] = {
    DLS_REAL(event_options, rest, 1e-6, 0, 1e300,
             "impacts slower than this end in rest"),
    {0},
};

enum { IMPACTS = 100000 }; // per step, far more than any tolerance `rest` lets happen

struct event {
    struct dls_sim *sim;
    struct dls_error *err;
    enum dls_status status;
    int n;
    bool closed;    // the contact is held
    double opening; // a closed contact: its force is negative at the last evaluation
    double *y, *y0; // (q, v, work of joints), and where the accepted step began
    double joint_power; // at the last evaluation
    gsl_odeiv2_driver *driver;
    double t0;
};

static size_t states(const struct event *e) { return 2 * (size_t)e->n + 1; }

// The work of the joints since it was last asked for.
static double take_joint_work(struct event *e)
{
    double work = e->y[2 * e->n];
    e->y[2 * e->n] = 0;
    return work;
}

// Whether the contact was closed at the end of the last step.
static int memory(const struct dls_system *system)
{
    (void)system;
    return 1;
}

// --- accelerations -------------------------------------------------------------------

// d/dt (A v + b) at fixed v: rows of joints (and of the closed contact) a little ahead.
static enum dls_status rates(struct event *e, double t, const double *q,
                             const double *v, struct dls_step *s, double *rate)
{
    const struct dls_system *system = e->sim->system;
    struct dls_step ahead;
    // Rows change on the scale of the positions; a step of 1e-6 halves the digits.
    double eps = 1e-6 * fmax(e->sim->h, 1e-9);
    double *q_ahead = dls_copy(s->arena, q, (size_t)system->nq, sizeof *q);
    if (!q_ahead) return DLS_ENOMEM;
    dls_system_move(system, eps, v, q_ahead);
    enum dls_status status =
        dls_step_open(&ahead, e->sim, t + eps, q_ahead, e->closed ? 1e300 : -INFINITY);
    if (status) return status;
    int joints = s->problem.joints;
    memset(rate, 0, (size_t)(joints + 1) * sizeof *rate);
    if (joints) {
        for (int i = 0; i < joints; i++)
            rate[i] = (ahead.problem.b[i] - s->problem.b[i]) / eps;
        dls_csr_add(ahead.problem.G, 1 / eps, v, rate);
        dls_csr_add(s->problem.G, -1 / eps, v, rate);
    }
    if (!e->closed || !ahead.problem.m) return DLS_OK;
    double now = s->problem.w_ob[0], next = ahead.problem.w_ob[0];
    for (int k = s->problem.H->p[0]; k < s->problem.H->p[1]; k++)
        now += s->problem.H->x[k] * v[s->problem.H->j[k]];
    for (int k = ahead.problem.H->p[0]; k < ahead.problem.H->p[1]; k++)
        next += ahead.problem.H->x[k] * v[ahead.problem.H->j[k]];
    rate[joints] = (next - now) / eps;
    return DLS_OK;
}

// Adds the force that keeps a closed contact, lambda = -(H a + rate) / (H M^-1 H^T), and
// returns it.
static double hold(struct event *e, const struct dls_step *s,
                   const struct dls_inertia *inertia, double rate, double *work,
                   double *a)
{
    const struct dls_csr *H = s->problem.H;
    double W = 0, acceleration = rate;
    memset(work, 0, (size_t)e->n * sizeof *work);
    for (int k = H->p[0]; k < H->p[1]; k++) {
        work[H->j[k]] = H->x[k];
        acceleration += H->x[k] * a[H->j[k]];
    }
    dls_inertia_solve(inertia, work, NULL, work, s->lambda);
    for (int k = H->p[0]; k < H->p[1]; k++) W += H->x[k] * work[H->j[k]];
    double lambda = -acceleration / W;
    e->opening = -lambda;
    for (int i = 0; i < e->n && lambda > 0; i++) a[i] += lambda * work[i];
    return fmax(lambda, 0);
}

// v . (M a - F - H_N^T lambda): what the joints do per unit of time.
static double joint_power(const struct dls_step *s, const double *v, const double *a,
                          const double *F, double lambda)
{
    double power = 0;
    if (!s->problem.joints) return 0;
    for (int i = 0; i < s->problem.n; i++) {
        power -= v[i] * F[i];
        for (int k = s->M->p[i]; k < s->M->p[i + 1]; k++)
            power += v[i] * s->M->x[k] * a[s->M->j[k]];
    }
    const struct dls_csr *H = s->problem.H;
    for (int k = 0; lambda > 0 && k < H->p[1]; k++)
        power -= lambda * H->x[k] * v[H->j[k]];
    return power;
}

static enum dls_status accelerate(struct event *e, double t, const double *q,
                                  const double *v, double *a)
{
    const struct dls_system *system = e->sim->system;
    struct dls_arena before = e->sim->step_memory[0];
    struct dls_arena *arena = &e->sim->step_memory[0];
    *arena = dls_arena_scratch(e->sim->arena); // freed again below
    struct dls_step s;
    struct dls_inertia *inertia = NULL;
    double *F = DLS_NEW(arena, double, e->n), *gyro = DLS_NEW(arena, double, e->n);
    double *rate = DLS_NEW(arena, double, system->joints + 1);
    enum dls_status status =
        dls_step_open(&s, e->sim, t, q, e->closed ? 1e300 : -INFINITY);
    if (!status) status = rates(e, t, q, v, &s, rate);
    if (!status) status = dls_inertia_create(&inertia, &s.problem, arena, e->err);
    if (!status) {
        dls_system_force(system, t, q, v, F, gyro);
        for (int i = 0; i < system->joints; i++) rate[i] = -rate[i];
        dls_inertia_solve(inertia, F, rate, a, s.lambda);
        double lambda = 0;
        if (e->closed && s.problem.m)
            lambda = hold(e, &s, inertia, rate[system->joints], gyro, a);
        e->joint_power = joint_power(&s, v, a, F, lambda);
    }
    dls_inertia_destroy(inertia);
    dls_arena_free(arena);
    *arena = before;
    return status;
}

static int derivative(double t, const double y[], double dy[], void *data)
{
    struct event *e = data;
    memcpy(dy, y + e->n, (size_t)e->n * sizeof *dy);
    e->status = accelerate(e, t, y, y + e->n, dy + e->n);
    dy[2 * e->n] = e->joint_power;
    return e->status ? GSL_EBADFUNC : GSL_SUCCESS;
}

// --- events --------------------------------------------------------------------------

static double gap_of(const struct event *e, double t, const double *y)
{
    return dls_system_gap(e->sim->system, t, y, 1e300);
}

// The gap at time t, integrated from the start of the accepted step; y is moved there.
static double gap_at(double t, void *data)
{
    struct event *e = data;
    double from = e->t0;
    memcpy(e->y, e->y0, states(e) * sizeof *e->y);
    gsl_odeiv2_driver_reset(e->driver);
    if (t > from && gsl_odeiv2_driver_apply(e->driver, &from, t, e->y)) return NAN;
    return gap_of(e, t, e->y);
}

// When the gap closes in (t0, t1], where it is negative at t1; y is moved there. A
// contact that never opened closes at once.
static double closing_time(struct event *e, double t1)
{
    double open = t1, closed = t1;
    for (int k = 0; k < 60 && gap_at(open, e) <= 0; k++) {
        closed = open;
        open = e->t0 + 0.5 * (open - e->t0);
    }
    if (!(gap_at(open, e) > 0)) return gap_at(e->t0, e), e->t0;
    gsl_function f = {gap_at, e};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver) return e->status = DLS_ENOMEM, t1;
    gsl_root_fsolver_set(solver, &f, open, closed);
    int status = GSL_CONTINUE;
    for (int k = 0; k < 100 && status == GSL_CONTINUE; k++) {
        gsl_root_fsolver_iterate(solver);
        status = gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                        gsl_root_fsolver_x_upper(solver), 1e-15, 0);
    }
    double root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    gap_at(root, e);
    return root;
}

// percussion += M (v^+ - v^-), v^- the velocity that the run has arrived at.
static void add_change(const struct event *e, const struct dls_step *s, const double *v,
                       double *percussion)
{
    dls_csr_add(s->M, 1, v, percussion);
    dls_csr_add(s->M, -1, e->sim->v, percussion);
}

// The smooth arc from sim->v to y in the energy ledger.
static enum dls_status book_arc(struct event *e, double t, struct dls_step *s)
{
    const double *v = e->y + e->n;
    enum dls_status status = dls_step_open(s, e->sim, t, e->y, -INFINITY);
    double *percussion = DLS_NEW(s->arena, double, 2 * (size_t)e->n);
    if (status || !percussion) return DLS_ENOMEM;
    add_change(e, s, v, percussion);
    dls_ledger_book(&e->sim->ledger, s,
                    &(struct dls_passage){
                        .t = t,
                        .v_minus = e->sim->v,
                        .v_plus = v,
                        .percussion = percussion,
                        .gyro = percussion + e->n,
                        .joint_work = take_joint_work(e),
                        .potential = dls_system_potential(e->sim->system, t, e->y),
                    });
    memcpy(e->sim->v, v, (size_t)e->n * sizeof *v);
    return DLS_OK;
}

// The impact at (t, y): v jumps; a slow one closes the contact.
static enum dls_status strike(struct event *e, double t)
{
    const struct event_options *o = e->sim->options;
    struct dls_sim *sim = e->sim;
    struct dls_step s;
    enum dls_status status = book_arc(e, t, &s);
    // Brent's method leaves the gap at rounding of its slope times 1e-15.
    if (!status) status = dls_step_open(&s, sim, t, e->y, 1e-9);
    if (status) return status;
    if (s.problem.contacts > 1 || (s.problem.contacts && s.problem.mu[0] > 0))
        return dls_fail(e->err, DLS_UNSUPPORTED,
                        "event: takes one contact without friction at a time");
    bool slow = s.problem.contacts && s.problem.u_minus[0] > -o->rest;
    for (int i = 0; slow && i < s.problem.m; i++) s.problem.w[i] = s.problem.w_ob[i];
    dls_csr_add(s.M, 1, sim->v, s.problem.f);
    status = dls_step_solve(&s, sim, e->err);
    if (status) return status;
    double *zero = DLS_NEW(s.arena, double, e->n);
    if (!zero) return DLS_ENOMEM;
    dls_ledger_book(&sim->ledger, &s,
                    &(struct dls_passage){
                        .t = t,
                        .v_minus = sim->v,
                        .v_plus = s.v,
                        .percussion = zero,
                        .gyro = zero,
                        .potential = sim->ledger.potential,
                    });
    e->closed = slow;
    memcpy(sim->v, s.v, (size_t)e->n * sizeof *s.v);
    memcpy(e->y + e->n, s.v, (size_t)e->n * sizeof *s.v);
    return DLS_OK;
}

// One accepted step of the integrator from *t towards `end`, and the event in it.
static enum dls_status arc(struct event *e, gsl_odeiv2_evolve *evolve, double *t,
                           double end, double *h)
{
    gsl_odeiv2_driver *d = e->driver;
    e->t0 = *t;
    memcpy(e->y0, e->y, states(e) * sizeof *e->y);
    int code = gsl_odeiv2_evolve_apply(evolve, d->c, d->s, d->sys, t, end, h, e->y);
    if (code || e->status)
        return e->status ? e->status
                         : dls_fail(e->err, DLS_ENUMERIC, "event: GSL: %s",
                                    gsl_strerror(code));
    if (e->closed) {
        if (e->opening > 0) e->closed = false;
        return DLS_OK;
    }
    if (!(gap_of(e, *t, e->y) < 0)) return DLS_OK;
    *t = closing_time(e, *t);
    gsl_odeiv2_evolve_reset(evolve);
    gsl_odeiv2_step_reset(d->s);
    return e->status ? e->status : strike(e, *t);
}

static enum dls_status travel(struct event *e, double end)
{
    gsl_odeiv2_evolve *evolve = gsl_odeiv2_evolve_alloc(states(e));
    if (!evolve) return DLS_ENOMEM;
    double t = e->sim->t, h = end - t;
    enum dls_status status = DLS_OK;
    for (int k = 0; k < IMPACTS && t < end && !status; k++)
        status = arc(e, evolve, &t, end, &h);
    gsl_odeiv2_evolve_free(evolve);
    if (!status && t < end)
        return dls_fail(e->err, DLS_ENUMERIC, "event: impacts accumulate at t = %g", t);
    return status;
}

static enum dls_status step(struct dls_sim *sim, struct dls_error *err)
{
    const struct dls_system *system = sim->system;
    if (system->move || system->nq != system->n)
        return dls_fail(err, DLS_UNSUPPORTED, "event: takes no rotations in space");
    struct dls_arena *a = &sim->step_memory[0];
    struct event e = {
        .sim = sim,
        .err = err,
        .n = system->n,
        .closed = sim->memory[0] > 0,
        .y = DLS_NEW(a, double, 2 * (size_t)system->n + 1),
        .y0 = DLS_NEW(a, double, 2 * (size_t)system->n + 1),
    };
    if (a->failed) return DLS_ENOMEM;
    gsl_odeiv2_system ode = {derivative, NULL, states(&e), &e};
    e.driver = gsl_odeiv2_driver_alloc_y_new(&ode, gsl_odeiv2_step_rk8pd, sim->h, 1e-12,
                                             1e-12);
    if (!e.driver) return DLS_ENOMEM;
    memcpy(e.y, sim->q, (size_t)e.n * sizeof *e.y);
    memcpy(e.y + e.n, sim->v, (size_t)e.n * sizeof *e.y);
    double *v_before = dls_copy(a, sim->v, (size_t)e.n, sizeof *v_before);
    double *percussion = DLS_NEW(a, double, e.n);
    struct dls_ledger ledger = sim->ledger;
    struct dls_step last;
    enum dls_status status = a->failed ? DLS_ENOMEM : travel(&e, sim->t + sim->h);
    gsl_odeiv2_driver_free(e.driver);
    if (!status) status = dls_step_open(&last, sim, sim->t + sim->h, e.y, -INFINITY);
    if (status) { // impacts have moved these on
        if (v_before) memcpy(sim->v, v_before, (size_t)e.n * sizeof *v_before);
        sim->ledger = ledger;
        return status;
    }
    const double *v = e.y + e.n;
    add_change(&e, &last, v, percussion);
    sim->memory[0] = e.closed;
    return dls_sim_advance(sim, &last,
                           &(struct dls_arrival){.q = e.y,
                                                 .v = v,
                                                 .percussion = percussion,
                                                 .joint_work = take_joint_work(&e)});
}

const struct dls_scheme dls_scheme_event = {
    .name = "event",
    .brief = "event-driven: Runge-Kutta arcs between impacts found by root finding",
    .cite = "AcaryBrogliato2008",
    .options = options,
    .options_size = sizeof(struct event_options),
    .memory = memory,
    .step = step,
};
