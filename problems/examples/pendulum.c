// SPDX-License-Identifier: Apache-2.0
// A pendulum held by two joints bounces on a stop [AcarySlides, bouncing pendulum].
//
//     q = (x, y, angle),  g1 = x - l cos(angle) = 0,  g2 = y - l sin(angle) = 0,
//     g3 = x - sqrt(2)/2 >= 0,  gravity along -y, h = 2e-3, theta = 1/1.8
//
// With the joints solved, (m l^2 + J) angle'' = -m g l cos(angle): from rest at angle 0
// the stop is hit at -pi/4 with spin^2 = 2 m g l sin(pi/4) / (m l^2 + J), and each
// impact turns the spin into -e times itself.
//
// Checks: spin before and after the first impact; joints at the velocity level only
// (theta-scheme) drift by a bounded amount of order h; with the position correction of
// the alpha-scheme joints and stop hold to 1e-12 at every step.
#include "problems/examples/example.h"

#include <math.h>

struct pendulum_options {
    double length, mass, inertia, e, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(pendulum_options, length, 1, 1e-6, 1e6, "length"),
    DLS_REAL(pendulum_options, mass, 1, 1e-6, 1e6, "mass"),
    DLS_REAL(pendulum_options, inertia, 0.1, 1e-9, 1e6,
             "inertia about the mass centre"),
    DLS_REAL(pendulum_options, e, 0.8, 0, 1, "restitution"),
    DLS_REAL(pendulum_options, gravity, 9.81, 0, 1e6, "gravity"),
    DLS_REAL(pendulum_options, step, 2e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(pendulum_options, end, 3, 1e-6, 1e6, "duration"),
    {0},
};

static void mass(const struct dls_system *s, const double *q, struct dls_entries *M)
{
    (void)q;
    const struct pendulum_options *o = s->self;
    dls_entries_add(M, 0, 0, o->mass);
    dls_entries_add(M, 1, 1, o->mass);
    dls_entries_add(M, 2, 2, o->inertia);
}

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)q, (void)v;
    const struct pendulum_options *o = s->self;
    F[0] = F[2] = 0;
    F[1] = -o->mass * o->gravity;
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    const struct pendulum_options *o = s->self;
    return o->mass * o->gravity * q[1];
}

static void joint(const struct dls_system *s, double t, const double *q,
                  struct dls_entries *G, double *g, double *b)
{
    (void)t;
    const struct pendulum_options *o = s->self;
    double l = o->length;
    g[0] = q[0] - l * cos(q[2]);
    g[1] = q[1] - l * sin(q[2]);
    b[0] = b[1] = 0;
    dls_entries_add(G, 0, 0, 1);
    dls_entries_add(G, 0, 2, l * sin(q[2]));
    dls_entries_add(G, 1, 1, 1);
    dls_entries_add(G, 1, 2, -l * cos(q[2]));
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct pendulum_options *o = s->self;
    struct dls_contact stop = {
        .other = -1,
        .gap = q[0] - o->length * sqrt(0.5),
        .law = {.e_n = o->e},
        .point = {q[0], q[1], 0},
        .n = {1, 0, 0},
    };
    int row = dls_contacts_add(c, stop, NULL);
    if (row >= 0) dls_entries_add(&c->H, row, 0, 1);
}

static void observe(const struct dls_sim *sim, double *values)
{
    const struct pendulum_options *o = sim->system->self;
    values[0] = sim->q[2];
    values[1] = sim->v[2];
    values[2] = sim->q[0] - o->length * cos(sim->q[2]);
    values[3] = sim->q[1] - o->length * sin(sim->q[2]);
    values[4] = sim->q[0] - o->length * sqrt(0.5);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"angle", "spin", "g1", "g2", "g3", NULL};
    struct dls_system *system = DLS_NEW(a, struct dls_system, 1);
    struct pendulum_options *o = DLS_NEW(a, struct pendulum_options, 1);
    double *q = DLS_NEW(a, double, 3), *v = DLS_NEW(a, double, 3);
    if (a->failed) return DLS_ENOMEM;
    *o = *(const struct pendulum_options *)asked->options;
    *system = (struct dls_system){
        .n = 3,
        .nq = 3,
        .d = 1,
        .joints = 2,
        .bodies = 1,
        .self = o,
        .mass = mass,
        .force = force,
        .potential = potential,
        .contacts = contacts,
        .joint = joint,
    };
    q[0] = o->length;
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

struct outcome {
    double drift, early, late; // worst |g1|, |g2|: of the run, of its halves
    double gap;                // least g3
    double spin;               // of the last step
    double before, after;      // of the steps around the first impact
    double end;
    double work_of_joints;
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    double values[5];
    observe(sim, values);
    double drift = fmax(fabs(values[2]), fabs(values[3]));
    double *half = sim->t < 0.5 * out->end ? &out->early : &out->late;
    *half = fmax(*half, drift);
    out->drift = fmax(out->drift, drift);
    out->gap = fmin(out->gap, values[4]);
    if (!(out->before < 0) && values[1] > 0 && out->spin < 0)
        out->before = out->spin, out->after = values[1];
    out->spin = values[1];
    out->work_of_joints = sim->ledger.joints;
}

static enum dls_status swing(struct outcome *out, const char *scheme, double h,
                             const struct dls_asked *asked, struct dls_arena *a,
                             struct dls_error *err)
{
    struct dls_trial trial = dls_trial_of(asked->scene, follow, out);
    trial.scheme = scheme;
    trial.h = h;
    *out = (struct outcome){.end = trial.end, .gap = INFINITY};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct pendulum_options *o = asked->options;
    double ml2 = o->mass * o->length * o->length;
    double hit =
        -sqrt(2 * o->mass * o->gravity * o->length * sqrt(0.5) / (ml2 + o->inertia));
    struct outcome alpha, theta;
    double h[3], drift[3];
    enum dls_status status = swing(&alpha, "alpha", o->step, asked, a, err);
    for (int k = 0; k < 3 && !status; k++) {
        h[k] = o->step / (1 << k);
        status = swing(&theta, "theta:theta=0.5555555555555556", h[k], asked, a, err);
        drift[k] = theta.drift;
        if (status || k) continue;
        dls_check_near(c, "theta = 1/1.8: spin before the first impact", theta.before,
                       hit, 2 * o->gravity * o->step, "the spin gained in two steps");
        dls_check_near(c, "theta = 1/1.8: spin after it over the spin before",
                       theta.after / theta.before, -o->e, 0.007,
                       "the law, on an arm that the drift makes too long");
        dls_check_near(c, "theta = 1/1.8: worst drift of the joints over h l",
                       theta.drift / (o->step * o->length), 2.2, 0.5,
                       "of order h, no correction");
        dls_check_most(c, "theta = 1/1.8: drift, second half over the first",
                       theta.late / theta.early, 2,
                       "it grows while it moves, not without bound");
    }
    if (status) return status;
    dls_check_near(c, "theta = 1/1.8: order of the drift", dls_order_fit(3, h, drift),
                   1, 0.3, "order 1");
    dls_check_near(c, "alpha: spin before the first impact", alpha.before, hit,
                   2 * o->gravity * o->step, "the spin gained in two steps");
    dls_check_near(c, "alpha: spin after it over the spin before",
                   alpha.after / alpha.before, -o->e, 0.002,
                   "the law, less the pull of gravity in the step");
    dls_check_most(c, "alpha: worst drift of the joints", alpha.drift, 1e-12,
                   "position correction, Newton's method to rounding");
    dls_check_least(c, "alpha: least g3", alpha.gap, -1e-12, "position correction");
    return DLS_OK;
}

const struct dls_example dls_example_pendulum = {
    .name = "pendulum",
    .brief = "a pendulum with two joints bounces on a stop: drift and its correction",
    .paper = "AcarySlides, bouncing pendulum",
    .options = options,
    .options_size = sizeof(struct pendulum_options),
    .make = make,
    .check = check,
};
