// SPDX-License-Identifier: Apache-2.0
// Event-driven integration of systems with frictionless contacts [AcaryBrogliato2008].
//
//     arc:     M a = F + sum lambda_i H_i^T + G^T lambda_G, i = closed contacts, see closed.c
//     impact:  M (v^+ - v^-) = sum r_i H_i^T + G^T ...,  contact law with restitution
//
// Method, until the step of length h is over:
//   1. a contact is closed where its gap is below 1e-8 and its speed below 1e-3 `rest`;
//   2. integrate (q, v) by GSL's Runge-Kutta pair of order 8(9), tolerance 1e-12, while
//      closed contacts push or open; where a force vanishes and the gap accelerates, the
//      contact is open from the next accepted step on;
//   3. where the gap of an open contact is negative after an accepted step, find its root
//      by Brent's method, integrating anew from the step's start;
//   4. solve the impact as a step problem without forces at all contacts with gaps below
//      1e-8, by the solver; restitution acts where a contact comes faster than `rest`,
//      since no method can count the impacts up to their point of accumulation.
// The work of the joints is integrated beside the motion, for the energy ledger. Closed
// contacts follow from (q, v): nothing is kept between steps.
// Accuracy: that of the integrator, 1e-12; used as a reference for the other schemes.
// Fails (unsupported): friction, rotations in space. A gap that closes and opens again
// within one accepted step is overlooked.
#include "problems/schemes/closed.h"

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
             "impacts slower than this have no restitution"),
    {0},
};

enum { IMPACTS = 100000 }; // per step, far more than any tolerance `rest` lets happen

// Brent's method leaves a gap at rounding; contacts that stay closed for long drift apart
// by the error of differenced rows.
static const double closed_gap = 1e-8;

struct event {
    struct dls_sim *sim;
    struct dls_error *err;
    enum dls_status status;
    enum dls_status solved; // DLS_OK, or how the last impact that fell short ended
    double residual;        // worst of the impacts
    bool gave_up;           // at an impact that was left unsolved
    int n;
    struct dls_closed closed;
    double *y, *y0; // (q, v, work of joints), and where the accepted step began
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

static int derivative(double t, const double y[], double dy[], void *data)
{
    struct event *e = data;
    struct dls_motion_at at = {.t = t, .q = y, .v = y + e->n, .a = dy + e->n};
    memcpy(dy, y + e->n, (size_t)e->n * sizeof *dy);
    e->status = dls_closed_accelerate(&e->closed, e->sim, &at, e->err);
    dy[2 * e->n] = at.power;
    return e->status ? GSL_EBADFUNC : GSL_SUCCESS;
}

// --- events --------------------------------------------------------------------------

// The contacts at (t, y); the arena is freed by who asks.
static bool contacts_at(struct event *e, double t, double reach, struct dls_contacts *c,
                        struct dls_arena *a)
{
    *a = dls_arena_scratch(e->sim->pool);
    bool found = dls_system_contacts(e->sim->system, t, e->y, reach, c, a);
    if (!found) e->status = DLS_ENOMEM;
    return found;
}

// The least gap of the contacts that are open.
static double gap_of(struct event *e, double t)
{
    struct dls_arena a;
    struct dls_contacts c;
    double least = INFINITY;
    if (contacts_at(e, t, 1e300, &c, &a))
        for (int k = 0; k < c.count; k++)
            if (!dls_closed_has(&e->closed, c.all[k].id))
                least = fmin(least, c.all[k].gap);
    dls_arena_free(&a);
    return least;
}

// Speeds below this are those of closed contacts: what comes slower than `rest` leaves with
// the solver's error, which is well below.
static double closed_speed(const struct event *e)
{
    const struct event_options *o = e->sim->options;
    return 1e-3 * o->rest;
}

// Which contacts are closed at (t, y).
static enum dls_status find_closed(struct event *e, double t)
{
    struct dls_arena a;
    struct dls_contacts c;
    e->closed.count = 0;
    struct dls_csr *H = NULL;
    if (contacts_at(e, t, closed_gap, &c, &a))
        H = dls_contacts_rows(&c, e->sim->system, &a);
    for (int k = 0; H && k < c.count; k++) {
        double speed = c.w_ob[k * c.d];
        for (int i = H->p[k * c.d]; i < H->p[k * c.d + 1]; i++)
            speed += H->x[i] * e->y[e->n + H->j[i]];
        if (fabs(speed) <= closed_speed(e) && !dls_closed_add(&e->closed, c.all[k].id))
            H = NULL;
    }
    dls_arena_free(&a);
    return H ? DLS_OK : DLS_ENOMEM;
}

// Closed contacts whose force has vanished and that are being opened.
static void release(struct event *e)
{
    for (int k = e->closed.count - 1; k >= 0; k--)
        if (e->closed.opens[k] > 0) dls_closed_drop(&e->closed, k);
}

// The gap at time t, integrated from the start of the accepted step; y is moved there.
static double gap_at(double t, void *data)
{
    struct event *e = data;
    double from = e->t0;
    memcpy(e->y, e->y0, states(e) * sizeof *e->y);
    gsl_odeiv2_driver_reset(e->driver);
    if (t > from && gsl_odeiv2_driver_apply(e->driver, &from, t, e->y)) return NAN;
    return gap_of(e, t);
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

// Whether some contact comes at all: else a gap was passed by rounding.
static bool comes(const struct event *e, const struct dls_problem *p)
{
    for (int k = 0; k < p->contacts; k++)
        if (p->u_minus[k * p->d] < -closed_speed(e)) return true;
    return false;
}

// Restitution acts on contacts that come faster than `rest`.
static void soften(struct dls_problem *p, double rest)
{
    for (int k = 0; k < p->contacts; k++) {
        int row = k * p->d;
        if (p->u_minus[row] < -rest) continue;
        memcpy(p->w + row, p->w_ob + row, (size_t)p->d * sizeof *p->w);
    }
}

// A contact that still comes where the solver left it would strike again at once, for ever:
// the step ends there, and counts as short of the tolerance.
static void give_up(struct event *e, const struct dls_step *s)
{
    const struct event_options *o = e->sim->options;
    for (int k = 0; k < s->problem.contacts; k++)
        if (s->u[k * s->problem.d] < -o->rest) e->gave_up = true;
    if (e->gave_up) e->solved = DLS_STALLED;
}

// The impact at (t, y): v jumps; contacts without speed after it are closed.
static enum dls_status strike(struct event *e, double t)
{
    const struct event_options *o = e->sim->options;
    struct dls_sim *sim = e->sim;
    struct dls_step s;
    enum dls_status status = book_arc(e, t, &s);
    if (!status) status = dls_step_open(&s, sim, t, e->y, closed_gap);
    if (status) return status;
    for (int k = 0; k < s.problem.contacts; k++)
        if (s.problem.mu[k] > 0)
            return dls_fail(e->err, DLS_UNSUPPORTED, "event: takes no friction");
    if (!comes(e, &s.problem)) return find_closed(e, t);
    soften(&s.problem, o->rest);
    dls_csr_add(s.M, 1, sim->v, s.problem.f);
    status = dls_step_solve(&s, sim, e->err);
    if (status) return status;
    if (s.status) e->solved = s.status;
    e->residual = fmax(e->residual, s.residual);
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
    memcpy(sim->v, s.v, (size_t)e->n * sizeof *s.v);
    memcpy(e->y + e->n, s.v, (size_t)e->n * sizeof *s.v);
    give_up(e, &s);
    return find_closed(e, t);
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
    if (!(gap_of(e, *t) < 0)) {
        release(e);
        return e->status;
    }
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
    enum dls_status status = find_closed(e, t);
    for (int k = 0; k < IMPACTS && t < end && !status && !e->gave_up; k++)
        status = arc(e, evolve, &t, end, &h);
    gsl_odeiv2_evolve_free(evolve);
    if (!status && t < end && !e->gave_up)
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
        .closed.arena = a,
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
    last.status = e.solved;
    last.residual = e.residual;
    return dls_sim_advance(sim, &last,
                           &(struct dls_arrival){.q = e.y,
                                                 .v = v,
                                                 .percussion = percussion,
                                                 .joint_work = take_joint_work(&e)});
}

const struct dls_scheme dls_scheme_event = {
    .name = "event",
    .brief = "event-driven: Runge-Kutta arcs between impacts found by root finding, no "
             "friction",
    .cite = "AcaryBrogliato2008",
    .options = options,
    .options_size = sizeof(struct event_options),
    .step = step,
};
