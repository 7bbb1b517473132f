// SPDX-License-Identifier: Apache-2.0
// Two balls joined by a spring fall on a plane, one above the other [AcarySlides, two
// ball oscillator with impact].
//
//     m q1'' = -m g + k (q2 - q1 - L) + lambda,   m q2'' = -m g - k (q2 - q1 - L),
//     0 <= q1 ⟂ lambda,   q1'^+ = -e q1'^-,      k = 1e3 N/m, h = 2e-3 s
//
// The slides compare the theta-scheme with theta = 1, Newmark (gamma = 1, beta = 1/2)
// and HHT (gamma = 1, beta = 1/2, alpha_f = 0.1). The reference is the event-driven
// scheme, accurate to 1e-11 until impacts accumulate; its own check is the energy it
// keeps between impacts.
//
// Checks: drift of position and velocity of the first ball against the reference over
// the first 0.6 s; first order of each scheme; damping of the vibration, strongest for
// theta = 1.
#include "problems/examples/example.h"

#include <math.h>

struct balls_options {
    double stiffness, length, height, e, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(balls_options, stiffness, 1e3, 0, 1e12, "stiffness of the spring, N/m"),
    DLS_REAL(balls_options, length, 1, 1e-6, 1e6, "length of the spring at rest"),
    DLS_REAL(balls_options, height, 0.3, 0, 1e6, "height of the lower ball"),
    DLS_REAL(balls_options, e, 0, 0, 1, "restitution"),
    DLS_REAL(balls_options, gravity, 10, 0, 1e6, "gravity"),
    DLS_REAL(balls_options, step, 2e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(balls_options, end, 2, 1e-6, 1e6, "duration"),
    {0},
};

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)v;
    const struct balls_options *o = s->self;
    double pull = o->stiffness * (q[1] - q[0] - o->length);
    F[0] = pull - o->gravity;
    F[1] = -pull - o->gravity;
}

static void tangent(const struct dls_system *s, double t, const double *q,
                    const double *v, struct dls_entries *K, struct dls_entries *C)
{
    (void)t, (void)q, (void)v, (void)C;
    const struct balls_options *o = s->self;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            dls_entries_add(K, i, j, i == j ? o->stiffness : -o->stiffness);
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    const struct balls_options *o = s->self;
    double stretch = q[1] - q[0] - o->length;
    return 0.5 * o->stiffness * stretch * stretch + o->gravity * (q[0] + q[1]);
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct balls_options *o = s->self;
    struct dls_contact ground = {
        .other = -1, .gap = q[0], .law = {.e_n = o->e}, .n = {0, 1, 0}};
    int row = dls_contacts_add(c, ground, NULL);
    if (row >= 0) dls_entries_add(&c->H, row, 0, 1);
}

static dls_vec3 place(const struct dls_system *s, const double *q, int body)
{
    (void)s;
    return (dls_vec3){0, q[body], 0};
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = sim->q[0];
    values[1] = sim->v[0];
    values[2] = sim->q[1];
    values[3] = sim->v[1];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"q1", "v1", "q2", "v2", NULL};
    struct dls_system *system = DLS_NEW(a, struct dls_system, 1);
    struct balls_options *o = DLS_NEW(a, struct balls_options, 1);
    double *q = DLS_NEW(a, double, 2), *v = DLS_NEW(a, double, 2);
    if (a->failed) return DLS_ENOMEM;
    *o = *(const struct balls_options *)asked->options;
    *system = (struct dls_system){
        .n = 2,
        .nq = 2,
        .d = 1,
        .bodies = 2,
        .self = o,
        .mass = dls_unit_mass,
        .force = force,
        .tangent = tangent,
        .potential = potential,
        .contacts = contacts,
        .place = place,
    };
    q[0] = o->height;
    q[1] = o->height + o->length;
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

enum { SAMPLES = 150 }; // of the first 0.6 s, every 4 ms

struct path {
    double q[SAMPLES], v[SAMPLES], energy[SAMPLES];
    int count, every;
};

static void sample(const struct dls_sim *sim, void *data)
{
    struct path *p = data;
    if (sim->steps % p->every || p->count == SAMPLES) return;
    p->q[p->count] = sim->q[0];
    p->v[p->count] = sim->v[0];
    p->energy[p->count++] = sim->ledger.kinetic + sim->ledger.potential;
}

static enum dls_status follow(struct path *p, const char *scheme, double h,
                              const struct dls_asked *asked, struct dls_arena *a,
                              struct dls_error *err)
{
    struct dls_scene scene;
    enum dls_status status = make(&scene, asked, a, err);
    if (status) return status;
    *p = (struct path){.every = (int)lround(4e-3 / h)};
    struct dls_trial trial = dls_trial_of(&scene, sample, p);
    trial.scheme = scheme;
    trial.h = h;
    trial.end = 0.6;
    return dls_trial_run(&trial, asked, a, err);
}

static double drift(const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < SAMPLES; k++) sum += fabs(x[k] - y[k]) / SAMPLES;
    return sum;
}

struct scheme_case {
    const char *name, *scheme;
    double most_q, most_v;   // mean drift allowed
    double position, energy; // mean drift
};

static enum dls_status check_scheme(struct dls_checks *c, struct scheme_case *s,
                                    const struct path *exact,
                                    const struct dls_asked *asked, struct dls_arena *a,
                                    struct dls_error *err)
{
    double h[4], error[4];
    struct path p;
    for (int k = 0; k < 4; k++) {
        h[k] = 2e-3 / (1 << k);
        enum dls_status status = follow(&p, s->scheme, h[k], asked, a, err);
        if (status) return status;
        error[k] = drift(p.q, exact->q);
        if (k) continue;
        s->position = error[0];
        s->energy = exact->energy[SAMPLES - 1] - p.energy[SAMPLES - 1];
        dls_check_most(c, dls_text(a, "%s: mean drift of position, h = 2e-3", s->name),
                       s->position, s->most_q, "4/3 of what the damping costs");
        dls_check_most(c, dls_text(a, "%s: mean drift of velocity, h = 2e-3", s->name),
                       drift(p.v, exact->v), s->most_v, "likewise");
    }
    dls_check_near(c, dls_text(a, "%s: order of the position", s->name),
                   dls_order_fit(4, h, error), 1, 0.1,
                   "order 1, from gamma = 1, theta = 1 and impacts alike");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct scheme_case cases[] = {
        {"theta = 1", "theta:theta=1", 0.0105, 0.165, 0, 0},
        {"Newmark", "alpha:kind=newmark:gamma=1:beta=0.5", 0.0055, 0.08, 0, 0},
        {"HHT", "alpha:kind=hht:gamma=1:beta=0.5:alpha_f=0.1", 0.0042, 0.065, 0, 0},
    };
    struct path exact;
    struct balls_options bouncing = *(const struct balls_options *)asked->options;
    struct dls_asked with = *asked;
    bouncing.e = 0.5;
    with.options = &bouncing;
    enum dls_status status = follow(&exact, "event", 1e-3, &with, a, err);
    if (status) return status;
    const struct balls_options *o = asked->options;
    double start = o->gravity * (2 * o->height + o->length),
           first = sqrt(2 * o->height / o->gravity);
    int before = (int)(first / 4e-3) - 1;
    dls_check_near(c, "reference, e = 0.5: energy after the first impact",
                   exact.energy[before + 3], start - 0.75 * o->gravity * o->height,
                   1e-9, "the lower ball loses (1 - e^2) m g h0");
    status = follow(&exact, "event", 1e-3, asked, a, err);
    if (status) return status;
    dls_check_near(c, "reference: energy before the first impact", exact.energy[before],
                   start, 1e-9, "integrator at 1e-12");
    // e = 0: the lower ball stops, half of the kinetic energy m g h0 each is lost.
    double lost = o->gravity * o->height;
    dls_check_near(c, "reference: energy after the first impact",
                   exact.energy[before + 3], start - lost, 1e-9,
                   "the lower ball loses m g h0 (e = 0)");
    for (int k = 0; k < 3 && !status; k++)
        status = check_scheme(c, &cases[k], &exact, asked, a, err);
    if (status) return status;
    // The vibration that the first impact starts has m v^2 / 4 = g h0 / 2 = 1.5.
    const char *why = "a third of the vibration, 1.5, at least";
    for (int k = 0; k < 3; k++)
        dls_check_least(
            c, dls_text(a, "%s: energy lost beside the impacts", cases[k].name),
            cases[k].energy, 0.5, why);
    dls_check_near(c, "energy lost by theta = 1 over that of Newmark",
                   cases[0].energy / cases[1].energy, 2, 0.15,
                   "damping w^2 h / 2 against w^2 h / 4, to first order");
    return DLS_OK;
}

const struct dls_example dls_example_two_balls = {
    .name = "two-balls",
    .brief = "two balls joined by a spring hit the ground: drift of three schemes",
    .paper = "AcarySlides, two ball oscillator with impact",
    .options = options,
    .options_size = sizeof(struct balls_options),
    .make = make,
    .check = check,
};
