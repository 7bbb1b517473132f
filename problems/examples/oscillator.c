// SPDX-License-Identifier: Apache-2.0
// A mass on a linear spring against a stop [AcarySlides, exact solution by arcs; total
// energy of the bouncing oscillator].
//
//     m x'' = -k (x - x_0) + lambda,   0 <= x ⟂ lambda,   x'^+ = -e x'^-
//
// Between impacts x = x_0 + A cos(w t + phi), w^2 = k / m; the next impact is where
// this vanishes, so the motion and its energy are known in closed form, arc by arc.
//
// Checks: the event-driven scheme follows the arcs to the integrator's accuracy; over
// 4 s the energy of the generalised-alpha scheme stays nearest to the exact one, while
// the theta-scheme with theta = 1 and the fully implicit Newmark scheme (gamma = 1,
// beta = 1/2) lose more.
#include "problems/examples/example.h"

#include <math.h>

struct oscillator_options {
    double stiffness, rest, start, e, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(oscillator_options, stiffness, 40, 1e-6, 1e12, "stiffness of the spring"),
    DLS_REAL(oscillator_options, rest, 0.2, 0, 1e6, "where the spring is at rest"),
    DLS_REAL(oscillator_options, start, 1.2, 1e-6, 1e6, "initial position"),
    DLS_REAL(oscillator_options, e, 0.8, 0, 1, "restitution at the stop x = 0"),
    DLS_REAL(oscillator_options, step, 2e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(oscillator_options, end, 4, 1e-6, 1e6, "duration"),
    {0},
};

// --- the system, of unit mass --------------------------------------------------------

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)v;
    const struct oscillator_options *o = s->self;
    F[0] = -o->stiffness * (q[0] - o->rest);
}

static void tangent(const struct dls_system *s, double t, const double *q,
                    const double *v, struct dls_entries *K, struct dls_entries *C)
{
    (void)t, (void)q, (void)v, (void)C;
    const struct oscillator_options *o = s->self;
    dls_entries_add(K, 0, 0, o->stiffness);
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    const struct oscillator_options *o = s->self;
    return 0.5 * o->stiffness * (q[0] - o->rest) * (q[0] - o->rest);
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct oscillator_options *o = s->self;
    struct dls_contact stop = {
        .other = -1, .gap = q[0], .law = {.e_n = o->e}, .n = {1, 0, 0}};
    int row = dls_contacts_add(c, stop, NULL);
    if (row >= 0) dls_entries_add(&c->H, row, 0, 1);
}

static struct dls_system make_system(struct oscillator_options *o)
{
    return (struct dls_system){
        .n = 1,
        .nq = 1,
        .d = 1,
        .bodies = 1,
        .self = o,
        .mass = dls_unit_mass,
        .force = force,
        .tangent = tangent,
        .potential = potential,
        .contacts = contacts,
    };
}

// --- the exact solution --------------------------------------------------------------

// Position, velocity and energy at time t.
struct exact {
    double x, v, energy;
};

static struct exact exact_at(const struct oscillator_options *o, double t)
{
    double w = sqrt(o->stiffness), x = o->start, v = 0, two_pi = 2 * acos(-1);
    for (;;) {
        double A = hypot(x - o->rest, v / w), phi = atan2(-v / w, x - o->rest);
        // x = rest + A cos(w t + phi) falls through zero at this phase.
        double impact = A > o->rest ? (acos(-o->rest / A) - phi) / w : INFINITY;
        while (impact <= 1e-13) impact += two_pi / w;
        if (t < impact) {
            double p = w * t + phi;
            return (struct exact){o->rest + A * cos(p), -A * w * sin(p),
                                  0.5 * o->stiffness * A * A};
        }
        t -= impact;
        v = o->e * A * w * sqrt(1 - o->rest * o->rest / (A * A));
        x = 0;
    }
}

// --- the main run --------------------------------------------------------------------

static void observe(const struct dls_sim *sim, double *values)
{
    struct exact e = exact_at(sim->system->self, sim->t);
    values[0] = sim->q[0];
    values[1] = sim->v[0];
    values[2] = sim->ledger.kinetic + sim->ledger.potential;
    values[3] = e.x;
    values[4] = e.v;
    values[5] = e.energy;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {
        "x", "v", "energy", "x_exact", "v_exact", "energy_exact", NULL};
    struct dls_system *system = DLS_NEW(a, struct dls_system, 1);
    struct oscillator_options *o = DLS_NEW(a, struct oscillator_options, 1);
    double *q = DLS_NEW(a, double, 1), *v = DLS_NEW(a, double, 1);
    if (a->failed) return DLS_ENOMEM;
    *o = *(const struct oscillator_options *)asked->options;
    *system = make_system(o);
    q[0] = o->start;
    *scene = (struct dls_scene){
        .system = system,
        .q = q,
        .v = v,
        .h = o->step,
        .end = o->end,
        .scheme = "alpha",
        .names = names,
        .observe = observe,
    };
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

// Mean over time of |energy - exact| and of |x - exact|, and the energy at the end.
struct outcome {
    double energy_error, position_error, energy_end, samples;
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    struct exact e = exact_at(sim->system->self, sim->t);
    out->energy_end = sim->ledger.kinetic + sim->ledger.potential;
    out->energy_error += fabs(out->energy_end - e.energy);
    out->position_error += fabs(sim->q[0] - e.x);
    out->samples++;
}

static enum dls_status try(struct outcome *out, const char *scheme, double h,
                           const struct dls_asked *asked, struct dls_arena *a,
                           struct dls_error *err)
{
    struct dls_trial trial = dls_trial_of(asked->scene, follow, out);
    trial.scheme = scheme;
    trial.h = h;
    *out = (struct outcome){0};
    enum dls_status status = dls_trial_run(&trial, asked, a, err);
    out->energy_error /= out->samples;
    out->position_error /= out->samples;
    return status;
}

static enum dls_status check_energies(struct dls_checks *c,
                                      const struct dls_asked *asked,
                                      struct dls_arena *a, struct dls_error *err)
{
    const struct oscillator_options *o = asked->options;
    struct outcome alpha, theta, newmark;
    double h = o->step;
    enum dls_status status = try(&alpha, "alpha", h, asked, a, err);
    if (!status) status = try(&theta, "theta:theta=1", h, asked, a, err);
    if (!status)
        status = try(&newmark, "alpha:kind=newmark:gamma=1:beta=0.5", h, asked, a, err);
    if (status) return status;
    double end = exact_at(o, o->end).energy;
    const char *why = "the ordering of the slides, as an inequality";
    dls_check_most(c, "energy error of alpha over that of theta = 1",
                   alpha.energy_error / theta.energy_error, 0.5, why);
    dls_check_most(c, "energy error of alpha over that of implicit Newmark",
                   alpha.energy_error / newmark.energy_error, 0.5, why);
    dls_check_most(c, "final energy of theta = 1 over the exact one",
                   theta.energy_end / end, 0.95,
                   "it loses, by more than phases explain");
    dls_check_most(c, "final energy of implicit Newmark over the exact one",
                   newmark.energy_end / end, 0.95, "likewise");
    // Each of the impacts, about one in a period, may be late by a step.
    dls_check_near(c, "final energy of alpha over the exact one",
                   alpha.energy_end / end, 1, 0.05,
                   "impacts are placed within a step of 2 % of the swing");
    return DLS_OK;
}

static enum dls_status check_orders(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    static const char *const schemes[] = {"moreau", "theta", "alpha"};
    enum { SIZES = 3 };
    int phases = asked->scale < 1 ? 5 : 10;
    for (int s = 0; s < 3; s++) {
        double h[SIZES], error[SIZES];
        for (int k = 0; k < SIZES; k++) {
            h[k] = 6e-3 * pow(2, -k);
            error[k] = 0;
            for (int p = 0; p < phases; p++) {
                struct outcome out;
                enum dls_status status =
                    try(&out, schemes[s], h[k] * (1 - 0.5 * p / phases), asked, a, err);
                if (status) return status;
                error[k] += out.position_error / phases;
            }
        }
        dls_check_near(c, dls_text(a, "%s: order of the position", schemes[s]),
                       dls_order_fit(SIZES, h, error), 1, 0.25,
                       "order 1 over impacts; the phase of impacts varies");
    }
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct outcome event;
    enum dls_status status = try(&event, "event", 1e-2, asked, a, err);
    if (status) return status;
    dls_check_most(c, "event-driven: mean error of the position", event.position_error,
                   1e-9, "integrator at 1e-12, some thousand evaluations");
    dls_check_most(c, "event-driven: mean error of the energy", event.energy_error,
                   1e-8, "the same times stiffness 40");
    status = check_energies(c, asked, a, err);
    return status ? status : check_orders(c, asked, a, err);
}

const struct dls_example dls_example_oscillator = {
    .name = "oscillator",
    .brief = "a linear oscillator against a stop: the energy that schemes lose",
    .paper = "AcarySlides, exact solution of the oscillator, figure 7",
    .options = options,
    .options_size = sizeof(struct oscillator_options),
    .make = make,
    .check = check,
};
