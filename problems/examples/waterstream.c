// SPDX-License-Identifier: Apache-2.0
// Water dripping down into a cavity [Moreau2004, 2.6]: a sweeping process in which time
// is depth, t downwards.
//
//     f(t, x, y) = x^2 / a^2 + y^2 - R(t)^2 <= 0,    R(t) = 1 + 0.4 cos t
//
// Detached water falls vertically (x, y constant). On the wall where it narrows (R' <
// 0) the stream follows a line of steepest descent, along which y = C x^(a^2), and
// which the wall f = 0 then fixes. At the narrowest place, t = pi, the wall begins to
// overhang and the water gets loose.
//
// Checks: the depth of arrival, where R(t) first reaches the stream; first order of the
// stream on the wall against the closed form; release at t = pi, vertical after it.
#include "problems/examples/example.h"

#include <math.h>

struct water_options {
    double x, y, a, step;
};

static const struct dls_option options[] = {
    DLS_REAL(water_options, x, 0.9, 0.01, 1.3, "where the stream starts"),
    DLS_REAL(water_options, y, 0.6, 0.01, 1.3, "where the stream starts"),
    DLS_REAL(water_options, a, 1.3, 0.5, 2, "ratio of the axes of the cavity"),
    DLS_REAL(water_options, step, 0.01, 1e-9, 1, "step of depth"),
    {0},
};

static double radius(double t) { return 1 + 0.4 * cos(t); }

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    const struct water_options *o = s->self;
    double x = q[0] / (o->a * o->a), y = q[1], R = radius(t);
    struct dls_contact wall = {
        .other = -1,
        .gap = R * R - q[0] * x - y * y,
        .point = {q[0], q[1], -t},
        .n = {-x / hypot(x, y), -y / hypot(x, y), 0},
    };
    int row = dls_contacts_add(c, wall, NULL);
    if (row < 0) return;
    dls_entries_add(&c->H, row, 0, -2 * x);
    dls_entries_add(&c->H, row, 1, -2 * y);
}

static dls_vec3 place(const struct dls_system *s, const double *q, int body)
{
    (void)s, (void)body;
    return (dls_vec3){q[0], q[1], 0};
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = sim->q[0];
    values[1] = sim->q[1];
    values[2] = radius(sim->t);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "y", "radius", NULL};
    struct dls_system *system = DLS_NEW(a, struct dls_system, 1);
    struct water_options *o = DLS_NEW(a, struct water_options, 1);
    double *q = DLS_NEW(a, double, 2), *v = DLS_NEW(a, double, 2);
    if (a->failed) return DLS_ENOMEM;
    *o = *(const struct water_options *)asked->options;
    *system = (struct dls_system){
        .n = 2,
        .nq = 2,
        .d = 1,
        .bodies = 1,
        .self = o,
        .mass = dls_unit_mass,
        .force = dls_no_force,
        .contacts = contacts,
        .place = place,
    };
    q[0] = o->x;
    q[1] = o->y;
    *scene = (struct dls_scene){
        .system = system,
        .q = q,
        .v = v,
        .h = o->step,
        .end = 5,
        .scheme = "catching-up",
        .names = names,
        .observe = observe,
    };
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

// Where the stream is on the wall of radius R: y = C x^(a^2), x^2 / a^2 + y^2 = R^2, by
// bisection in x.
static void on_wall(const struct water_options *o, double R, double q[2])
{
    double power = o->a * o->a, C = o->y / pow(o->x, power), lo = 0, hi = o->a * R;
    for (int k = 0; k < 200; k++) {
        double x = 0.5 * (lo + hi), y = C * pow(x, power);
        *(x * x / power + y * y < R * R ? &lo : &hi) = x;
    }
    q[0] = lo;
    q[1] = C * pow(lo, power);
}

struct outcome {
    const struct water_options *o;
    double arrival, release; // first and last depth at which it moved
    double fall;             // most moved in a step after the release
    double error;            // on the wall, largest
    double previous[2];
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    double moved = hypot(sim->q[0] - out->previous[0], sim->q[1] - out->previous[1]);
    double pi = acos(-1), exact[2];
    out->previous[0] = sim->q[0];
    out->previous[1] = sim->q[1];
    if (moved > 1e-12) {
        if (!(out->arrival > 0)) out->arrival = sim->t;
        out->release = sim->t;
    }
    if (sim->t > pi + sim->h) out->fall = fmax(out->fall, moved);
    if (!(out->arrival > 0) || sim->t > pi) return;
    on_wall(out->o, radius(sim->t), exact);
    out->error = fmax(out->error, hypot(sim->q[0] - exact[0], sim->q[1] - exact[1]));
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct water_options *o = asked->options;
    double h[4], error[4], pi = acos(-1);
    double reached = sqrt(o->x * o->x / (o->a * o->a) + o->y * o->y);
    struct outcome out = {0};
    for (int k = 0; k < 4; k++) {
        struct dls_trial trial = dls_trial_of(asked->scene, follow, &out);
        trial.h = h[k] = 0.02 / (1 << k);
        out = (struct outcome){.o = o, .previous = {o->x, o->y}};
        enum dls_status status = dls_trial_run(&trial, asked, a, err);
        if (status) return status;
        error[k] = out.error;
    }
    dls_check_near(c, "depth of arrival at the wall", out.arrival,
                   acos((reached - 1) / 0.4), h[3], "vertical fall before; one step");
    dls_check_near(c, "order on the wall against y = C x^(a^2)",
                   dls_order_fit(4, h, error), 1, 0.1, "order 1");
    dls_check_most(c, "error on the wall at the smallest step", error[3], h[3],
                   "steps shorter than the slope 0.4 of the wall");
    dls_check_near(c, "depth of the release", out.release, pi, 2 * h[3],
                   "where the wall begins to overhang; one step and its flatness");
    dls_check_most(c, "way moved in a step after the release", out.fall, 1e-14,
                   "vertical fall");
    return DLS_OK;
}

const struct dls_example dls_example_waterstream = {
    .name = "waterstream",
    .brief = "water dripping into a cavity: fall, steepest descent, release",
    .paper = "Moreau2004, 2.6",
    .options = options,
    .options_size = sizeof(struct water_options),
    .make = make,
    .check = check,
};
