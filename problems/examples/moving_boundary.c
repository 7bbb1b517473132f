// SPDX-License-Identifier: Apache-2.0
// A particle confined by a moving frictionless boundary [Moreau2004, 3].
//
//     m u' = X + r,   -r in N_Phi(t)(q),   Phi(t) = { |x - c(t)| <= R }
//
// Phi is a bowl, a disk whose centre is pulled along x with the acceleration A from rest.
// Seen from the bowl gravity is sqrt(g^2 + A^2), tilted by alpha = atan(A / g): a particle
// that starts at rest in the deepest point swings about the tilted direction as a pendulum
// of length R and amplitude alpha. With G = sqrt(g^2 + A^2):
//     period  4 sqrt(R / G) K(sin(alpha / 2)),   K the complete elliptic integral;
//     reaction in the middle of the swing  m G (3 - 2 cos alpha), at its ends m G cos alpha.
// The scheme sees directions of the boundary and never its curvature (Remark 3).
//
// The floor of a table, y >= B sin(w t), throws the particle: it leaves at sin(w t) =
// g / (B w^2), with the table's velocity, on a parabola.
//
// Checks: time of the first return, both reactions, the depth below the boundary (of order
// h: Remark 1); time and place of the throw; free flight is exact (Remark 2).
#include "problems/examples/example.h"

#include <gsl/gsl_sf_ellint.h>
#include <math.h>

struct boundary_options {
    double radius, pull, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(boundary_options, radius, 1, 1e-6, 1e6, "radius R of the bowl"),
    DLS_REAL(boundary_options, pull, 5, 0, 1e6, "acceleration A of the bowl"),
    DLS_REAL(boundary_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(boundary_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(boundary_options, end, 4, 1e-6, 1e6, "duration"),
    {0},
};

// --- the system: a particle of mass 1 and one boundary --------------------------------

struct particle {
    struct dls_system system;
    double gravity;
    double radius, pull;     // of the bowl
    double amplitude, omega; // of the table, where radius = 0
};

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)q, (void)v;
    const struct particle *p = s->self;
    F[0] = 0;
    F[1] = -p->gravity;
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    const struct particle *p = s->self;
    return p->gravity * q[1];
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    const struct particle *p = s->self;
    struct dls_contact contact = {.other = -1, .n = {0, 1, 0}};
    double w_ob[1]; // -n . velocity of the boundary
    if (p->radius > 0) {
        double x = q[0] - 0.5 * p->pull * t * t, y = q[1], length = hypot(x, y);
        if (length > 0) contact.n = (dls_vec3){-x / length, -y / length, 0};
        contact.gap = p->radius - length;
        w_ob[0] = -contact.n.x * p->pull * t;
    } else {
        contact.gap = q[1] - p->amplitude * sin(p->omega * t);
        w_ob[0] = -p->amplitude * p->omega * cos(p->omega * t);
    }
    int row = dls_contacts_add(c, contact, w_ob);
    if (row < 0) return;
    dls_entries_add(&c->H, row, 0, contact.n.x);
    dls_entries_add(&c->H, row, 1, contact.n.y);
}

static struct particle *make_particle(double gravity, struct dls_arena *a)
{
    struct particle *p = DLS_NEW(a, struct particle, 1);
    if (!p) return NULL;
    *p = (struct particle){
        .system = {.n = 2,
                   .nq = 2,
                   .d = 1,
                   .bodies = 1,
                   .constant_mass = true,
                   .self = p,
                   .mass = dls_unit_mass,
                   .force = force,
                   .potential = potential,
                   .contacts = contacts},
        .gravity = gravity,
    };
    return p;
}

// A step gives the particle the boundary's velocity V of its middle and keeps it until the
// middle of the next: it lags by V' h^2 / 2 a step, of order h in all. The slack keeps the
// contact closed where the boundary runs away.
static void close_at_rest(struct particle *p, double h) { p->system.slack = 0.2 * h; }

static void observe(const struct dls_sim *sim, double *values)
{
    const struct particle *p = sim->system->self;
    double x = sim->q[0] - 0.5 * p->pull * sim->t * sim->t;
    values[0] = atan2(x, -sim->q[1]); // angle in the bowl
    values[1] = p->radius - hypot(x, sim->q[1]);
    values[2] = sim->last.problem.m ? sim->last.r[0] / sim->h : 0;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"angle", "gap", "reaction", NULL};
    const struct boundary_options *o = asked->options;
    struct particle *p = make_particle(o->gravity, a);
    double *q = DLS_NEW(a, double, 2), *v = DLS_NEW(a, double, 2);
    if (a->failed) return DLS_ENOMEM;
    p->radius = o->radius;
    p->pull = dls_spoilt(asked, o->pull); // nothing but its motion could be wrong
    close_at_rest(p, o->step);
    q[1] = -o->radius;
    *scene = (struct dls_scene){.system = &p->system,
                                .q = q,
                                .v = v,
                                .h = o->step,
                                .end = o->end,
                                .scheme = "moreau",
                                .names = names,
                                .observe = observe};
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

// A swing: extremes of the angle (they alternate), reactions, depth.
struct swing {
    double angle[3], reaction[3]; // of the last steps
    double back;                  // when the particle is first back at the start
    double at_end, largest, depth;
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct swing *s = data;
    double values[3];
    observe(sim, values);
    for (int k = 0; k < 2; k++) {
        s->angle[k] = s->angle[k + 1];
        s->reaction[k] = s->reaction[k + 1];
    }
    s->angle[2] = values[0];
    s->reaction[2] = values[2];
    s->depth = fmax(s->depth, -values[1]);
    s->largest = fmax(s->largest, values[2]);
    double left = s->angle[1] - s->angle[0], right = s->angle[2] - s->angle[1];
    if (sim->steps < 4) return;
    if (s->at_end == 0 && left < 0 && right >= 0) s->at_end = s->reaction[1];
    if (s->back == 0 && left > 0 && right <= 0) // the vertex of the parabola through 3
        s->back = sim->t - sim->h * (0.5 + right / (right - left)) - sim->h;
}

static enum dls_status swing_once(struct swing *s, double h, double end,
                                  const struct dls_asked *asked, struct dls_arena *a,
                                  struct dls_error *err)
{
    struct boundary_options o = *(const struct boundary_options *)asked->options;
    struct dls_asked with = *asked;
    struct dls_scene scene;
    o.step = h;
    with.options = &o;
    enum dls_status status = make(&scene, &with, a, err);
    if (status) return status;
    *s = (struct swing){0};
    struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v, h,
                              end,          follow,   s};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_bowl(struct dls_checks *c, const struct dls_asked *asked,
                                  struct dls_arena *a, struct dls_error *err)
{
    const struct boundary_options *o = asked->options;
    double G = hypot(o->gravity, o->pull), alpha = atan(o->pull / o->gravity);
    double period = 4 * sqrt(o->radius / G)
                    * gsl_sf_ellint_Kcomp(sin(0.5 * alpha), GSL_PREC_DOUBLE);
    double h[3], depth[3];
    struct swing s;
    for (int k = 0; k < 3; k++) {
        h[k] = 4 * o->step / (1 << k);
        enum dls_status status = swing_once(&s, h[k], 1.2 * period, asked, a, err);
        if (status) return status;
        depth[k] = s.depth;
    }
    dls_check_near(c, "bowl: order in h of the depth below the boundary",
                   dls_order_fit(3, h, depth), 1, 0.05,
                   "V' h^2 / 2 a step, t / h steps");
    dls_check_near(c, "bowl: first return over the period", s.back / period, 1,
                   0.25 * s.depth / o->radius,
                   "half the depth on average, and half of that by the root");
    dls_check_near(c, "bowl: largest reaction over m G (3 - 2 cos alpha)",
                   s.largest / (G * (3 - 2 * cos(alpha))), 1, 1e-3,
                   "a mean over a step, order h");
    dls_check_near(c, "bowl: reaction at the end of the swing over m G cos alpha",
                   s.at_end / (G * cos(alpha)), 1, 2e-3,
                   "a mean over a step whose end is known to half of it");
    return DLS_OK;
}

// Free flight: the last time with a reaction and the state then.
struct throw
{
    double t, y, v; // after the last step with a reaction
    double now_t, now_y;
};

static void watch(const struct dls_sim *sim, void *data)
{
    struct throw *s = data;
    if (sim->last.problem.m && sim->last.r[0] > 0)
        s->t = sim->t, s->y = sim->q[1], s->v = sim->v[1];
    s->now_t = sim->t;
    s->now_y = sim->q[1];
}

static enum dls_status check_table(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    const struct boundary_options *o = asked->options;
    struct particle *p = make_particle(o->gravity, a);
    if (!p) return DLS_ENOMEM;
    double B = 0.1, w = sqrt(2 * o->gravity / B), h = 0.1 * o->step;
    double leaves = asin(0.5) / w; // g / (B w^2) = 1/2
    double q[] = {0, 0}, v[] = {0, B * w}, end = leaves + 0.1;
    p->amplitude = dls_spoilt(asked, B);
    p->omega = w;
    close_at_rest(p, h);
    struct throw s = {0};
    struct dls_trial trial = {&p->system, "moreau", q, v, h, end, watch, &s};
    enum dls_status status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    double flight = s.now_t - leaves, rise = B * w * cos(w * leaves);
    double exact = 0.5 * B + rise * flight - 0.5 * o->gravity * flight * flight;
    dls_check_near(c, "table: time of the throw over asin(g / (B w^2)) / w",
                   s.t / leaves, 1, 1.5 * h / leaves, "found at a step");
    dls_check_near(c, "table: height in flight over the parabola's", s.now_y / exact, 1,
                   20 * h, "velocities of the throw, order h");
    flight = s.now_t - s.t;
    exact = s.y + s.v * flight - 0.5 * o->gravity * flight * flight;
    // The velocity stored is that of the end of a step: the leap-frog is exact.
    dls_check_near(c, "table: free flight from its own start", s.now_y - exact, 0,
                   1e-12, "the scheme integrates uniform gravity exactly; rounding");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_bowl(c, asked, a, err);
    return status ? status : check_table(c, asked, a, err);
}

const struct dls_example dls_example_moving_boundary = {
    .name = "moving-boundary",
    .brief = "a particle in a bowl that is pulled, and on a table that throws it",
    .paper = "Moreau2004, 3",
    .options = options,
    .options_size = sizeof(struct boundary_options),
    .make = make,
    .check = check,
};
