// SPDX-License-Identifier: Apache-2.0
// Several frictionless contacts in continuous time: which stay closed, which open, what an
// impact does to those that are closed already [Moreau2004, 5.3; AcaryBrogliato2008].
//
// Between impacts accelerations obey 0 <= lambda ⟂ u' >= 0 at all closed contacts; the
// event-driven scheme integrates that, and Moreau's scheme approaches it as h falls.
//
// ladder: a rod of length L leans at the angle a against a wall and slides. It leaves the
//     wall where its height is 2/3 of that at the start; from then on its centre keeps
//     v_x = (L / 3) sin a sqrt(g sin a / L).
// block: falls by d on one corner, tilted by a, without restitution, turns about it and
//     lands on the other. With half sides b, c and y = b sin a + c cos a the first impact
//     gives w = x v / (k^2 + x^2), x = y' (a), v = sqrt(2 g d), k^2 = (b^2 + c^2) / 3;
//     (k^2 + y'^2) w^2 / 2 + g y is kept until a = 0; the second multiplies w by
//     (c^2 - 2 b^2) / (c^2 + 4 b^2), or stops the block where that is negative.
// groove: a disk falls into a V: both contacts at once, heights fall by e^2, then rest.
// balls: one disk runs into a smaller one, both on the ground: with s, -c the slope of the
//     line of centres the impulse is r = (1 + e) c v / (1 / m_1 + c^2 / m_2); the first
//     disk flies up with s r / m_1, the ground holds the second.
// chain: a disk hits two that touch: ((1 - 2 e), 1 + e, 1 + e) v / 3.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct events_options {
    double length, angle, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(events_options, length, 2, 1e-3, 1e3, "of the ladder"),
    DLS_REAL(events_options, angle, 75, 1, 89, "of the ladder and the ground, degrees"),
    DLS_REAL(events_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(events_options, step, 1e-2, 1e-9, 1, "length of a time step"),
    DLS_REAL(events_options, end, 1.1, 1e-6, 1e6, "duration"),
    {0},
};

// --- the ladder ----------------------------------------------------------------------

// q = centre and angle with the ground; mass 1.
struct ladder {
    struct dls_system system;
    double length, gravity;
};

static void ladder_mass(const struct dls_system *s, const double *q,
                        struct dls_entries *M)
{
    (void)q;
    const struct ladder *l = s->self;
    dls_entries_add(M, 0, 0, 1);
    dls_entries_add(M, 1, 1, 1);
    dls_entries_add(M, 2, 2, l->length * l->length / 12);
}

static void ladder_force(const struct dls_system *s, double t, const double *q,
                         const double *v, double *F)
{
    (void)t, (void)q, (void)v;
    const struct ladder *l = s->self;
    F[0] = F[2] = 0;
    F[1] = -l->gravity;
}

static double ladder_potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    return ((const struct ladder *)s->self)->gravity * q[1];
}

// Ground under the foot, wall behind the top.
static void ladder_contacts(const struct dls_system *s, double t, const double *q,
                            struct dls_contacts *c)
{
    (void)t;
    const struct ladder *l = s->self;
    double half = 0.5 * l->length, x = half * cos(q[2]), y = half * sin(q[2]);
    struct dls_contact foot = {.id = 0, .other = -1, .gap = q[1] - y, .n = {0, 1, 0}};
    struct dls_contact top = {.id = 1, .other = -1, .gap = q[0] - x, .n = {1, 0, 0}};
    int row = dls_contacts_add(c, foot, NULL);
    if (row >= 0) {
        dls_entries_add(&c->H, row, 1, 1);
        dls_entries_add(&c->H, row, 2, -x); // d(-sin) / da
    }
    row = dls_contacts_add(c, top, NULL);
    if (row >= 0) {
        dls_entries_add(&c->H, row, 0, 1);
        dls_entries_add(&c->H, row, 2, y);
    }
}

static double radians(double degrees) { return degrees * acos(-1) / 180; }

static void make_ladder(struct ladder *l, const struct events_options *o, double q[3])
{
    double a = radians(o->angle);
    *l = (struct ladder){.length = o->length, .gravity = o->gravity};
    l->system = (struct dls_system){.n = 3,
                                    .nq = 3,
                                    .d = 1,
                                    .bodies = 1,
                                    .slack = 1e-12 * o->length,
                                    .self = l,
                                    .mass = ladder_mass,
                                    .force = ladder_force,
                                    .potential = ladder_potential,
                                    .contacts = ladder_contacts};
    q[0] = 0.5 * o->length * cos(a);
    q[1] = 0.5 * o->length * sin(a);
    q[2] = a;
}

static void observe(const struct dls_sim *sim, double *values)
{
    for (int i = 0; i < 3; i++) values[i] = sim->q[i];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "y", "angle", NULL};
    const struct events_options *o = asked->options;
    struct ladder *l = DLS_NEW(a, struct ladder, 1);
    double *q = DLS_NEW(a, double, 3), *v = DLS_NEW(a, double, 3);
    if (a->failed) return DLS_ENOMEM;
    make_ladder(l, o, q);
    *scene = (struct dls_scene){.system = &l->system,
                                .q = q,
                                .v = v,
                                .h = o->step,
                                .end = o->end,
                                .scheme = "event",
                                .names = names,
                                .observe = observe};
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

// Runs a system and keeps its last state; `end` is a whole number of steps.
struct play {
    const struct dls_system *system;
    const double *q, *v;
    double h, end;
};

static enum dls_status run(struct dls_kept *kept, const struct play *p,
                           const char *scheme, const struct dls_asked *asked,
                           struct dls_arena *a, struct dls_error *err)
{
    struct dls_trial trial = {p->system, scheme, p->q,           p->v,
                              p->h,      p->end, dls_trial_keep, kept};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status play_rigid(struct dls_kept *kept, const struct dls_rigid *r,
                                  double end, const struct dls_asked *asked,
                                  struct dls_arena *a, struct dls_error *err)
{
    struct dls_scene scene;
    if (a->failed || dls_scene_rigid(&scene, r, a)) return DLS_ENOMEM;
    struct play p = {scene.system, scene.q, scene.v, 0.01, end};
    return run(kept, &p, "event", asked, a, err);
}

static enum dls_status check_ladder(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    const struct events_options *o = asked->options;
    struct ladder l;
    double q[3], v[3], zero[3] = {0}, h[3], error[3], s = sin(radians(o->angle));
    make_ladder(&l, o, q);
    struct dls_kept kept = {.v = v};
    struct play p = {&l.system, q, zero, o->step, o->end};
    double exact = o->length / 3 * s * sqrt(o->gravity * s / o->length);
    enum dls_status status = run(&kept, &p, "event", asked, a, err);
    if (status) return status;
    dls_check_near(c, "ladder: v_x after it left the wall", v[0], exact, 1e-8,
                   "closed form; rates of rows are differenced");
    dls_check_near(c, "ladder: energy", kept.ledger.kinetic + kept.ledger.potential,
                   kept.ledger.potential_start, 1e-8, "likewise");
    for (int k = 0; k < 3; k++) {
        p.h = h[k] = 1e-3 * o->end / (1 << k);
        status = run(&kept, &p, "moreau", asked, a, err);
        if (status) return status;
        error[k] = fabs(v[0] - exact);
    }
    dls_check_most(c, "ladder: error of Moreau's scheme, the smallest step", error[2],
                   1e-3 * exact, "a quarter of that of the largest");
    dls_check_near(c, "ladder: its order in h", dls_order_fit(3, h, error), 1, 0.3,
                   "order 1 where contacts open");
    return DLS_OK;
}

// The energy over m after the second landing; the first one ends at a = 0.
static double landed_energy(double b, double c, double tilt, double drop, double g)
{
    double k2 = (b * b + c * c) / 3, x = b * cos(tilt) - c * sin(tilt);
    double w = x * sqrt(2 * g * drop) / (k2 + x * x);
    double down = b * sin(tilt) + c * cos(tilt) - c;
    double w2 = ((k2 + x * x) * w * w + 2 * g * down) / (k2 + b * b);
    double ratio = fmax(0, (c * c - 2 * b * b) / (c * c + 4 * b * b));
    return 0.5 * (k2 + b * b) * ratio * ratio * w2 + g * c;
}

static enum dls_status check_block(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    static const struct {
        const char *what;
        double b, c, end;
    } blocks[] = {
        {"slender block: energy after it landed on both corners", 0.4, 1, 0.25},
        {"flat block: the same, at rest", 1, 0.8, 0.5}};
    const struct events_options *o = asked->options;
    for (int k = 0; k < 2; k++) {
        double b = blocks[k].b, half = blocks[k].c, tilt = 0.05, drop = 0.1;
        struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, a);
        if (!r) return DLS_ENOMEM;
        dls_vec3 edges = {2 * b, 2 * half, 1};
        double y = b * sin(tilt) + half * cos(tilt) + drop;
        struct dls_body body = dls_body_box(1, edges, (dls_vec3){0, y, 0});
        r->angle[dls_rigid_body(r, body,
                                dls_shape_box((dls_vec3){2 * b, 2 * half, 0}))] = tilt;
        dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
        r->gravity.y = -o->gravity;
        struct dls_kept kept = {0};
        enum dls_status status = play_rigid(&kept, r, blocks[k].end, asked, a, err);
        if (status) return status;
        dls_check_near(c, blocks[k].what,
                       (kept.ledger.kinetic + kept.ledger.potential) / body.mass,
                       landed_energy(b, half, tilt, drop, o->gravity), 1e-8,
                       "closed form; rates of rows are differenced");
    }
    return DLS_OK;
}

static enum dls_status check_groove(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    const struct events_options *o = asked->options;
    double e = 0.5, radius = 0.2, drop = 0.3, slope = radians(50), g = o->gravity;
    double lowest = radius / cos(slope), fall = sqrt(2 * drop / g);
    struct dls_rigid *r = dls_rigid_new(2, 1, 2, false, a);
    if (!r) return DLS_ENOMEM;
    dls_rigid_body(r, dls_body_disk(1, radius, (dls_vec3){0, lowest + drop, 0}),
                   dls_shape_ball(radius));
    for (int side = -1; side <= 1; side += 2)
        dls_rigid_plane(r, (struct dls_plane){.n = {side * sin(slope), cos(slope), 0}});
    r->gravity.y = -g;
    r->law.e_n = e;
    // In the middle of the second bounce, of length 2 e^2 fall.
    double end = 0.01 * round(100 * fall * (1 + 2 * e + e * e)), q[3], v[3];
    double since = end - fall * (1 + 2 * e), up = e * e * g * fall;
    struct dls_kept kept = {.q = q, .v = v};
    enum dls_status status = play_rigid(&kept, r, end, asked, a, err);
    if (status) return status;
    dls_check_near(c, "groove: height in the second bounce", q[1] - lowest,
                   up * since - 0.5 * g * since * since, 1e-9, "closed form");
    dls_check_near(c, "groove: to the side", q[0], 0, 1e-9, "both sides at once");
    status = play_rigid(&kept, r, 1.5, asked, a, err);
    if (status) return status;
    dls_check_near(c, "groove: speed at rest", hypot(v[0], v[1]), 0, 1e-9,
                   "both contacts are closed");
    dls_check_near(c, "groove: height at rest", q[1] - lowest, 0, 1e-8,
                   "gaps that count as closed");
    return DLS_OK;
}

static enum dls_status check_balls(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    const struct events_options *o = asked->options;
    double R[2] = {0.5, 0.3}, m[2] = {2, 1}, e = 0.6, v0 = 2, gap = 0.1, q[6], v[6];
    double apart = 2 * sqrt(R[0] * R[1]), cosine = apart / (R[0] + R[1]);
    double sine = (R[0] - R[1]) / (R[0] + R[1]);
    struct dls_rigid *r = dls_rigid_new(2, 2, 1, false, a);
    if (!r) return DLS_ENOMEM;
    for (int k = 0; k < 2; k++) {
        struct dls_body disk =
            dls_body_disk(m[k], R[k], (dls_vec3){k * (apart + gap), R[k], 0});
        disk.v.x = k ? 0 : v0;
        dls_rigid_body(r, disk, dls_shape_ball(R[k]));
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->gravity.y = -o->gravity;
    r->law.e_n = e;
    double impulse = (1 + e) * cosine * v0 / (1 / m[0] + cosine * cosine / m[1]);
    double up = sine * impulse / m[0], end = 0.1, since = end - gap / v0;
    struct dls_kept kept = {.q = q, .v = v};
    enum dls_status status = play_rigid(&kept, r, end, asked, a, err);
    if (status) return status;
    const char *reason = "closed form, three contacts at once";
    dls_check_near(c, "balls: speed of the first", v[0], v0 - cosine * impulse / m[0],
                   1e-9, reason);
    dls_check_near(c, "balls: its height over the ground", q[1] - R[0],
                   up * since - 0.5 * o->gravity * since * since, 1e-9, reason);
    dls_check_near(c, "balls: speed of the second", v[3], cosine * impulse / m[1], 1e-9,
                   reason);
    dls_check_near(c, "balls: its height over the ground", q[4] - R[1], 0, 1e-9,
                   "it stays down");
    return DLS_OK;
}

static enum dls_status check_chain(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    for (int k = 0; k < 3; k++) {
        double e = 0.5 * k, v[9], q[9];
        struct dls_rigid *r = dls_rigid_new(2, 3, 0, false, a);
        if (!r) return DLS_ENOMEM;
        for (int i = 0; i < 3; i++) {
            struct dls_body disk =
                dls_body_disk(1, 0.5, (dls_vec3){i - (i ? 0 : 0.05), 0, 0});
            disk.v.x = !i;
            dls_rigid_body(r, disk, dls_shape_ball(0.5));
        }
        r->law.e_n = e;
        struct dls_kept kept = {.q = q, .v = v};
        enum dls_status status = play_rigid(&kept, r, 0.2, asked, a, err);
        if (status) return status;
        dls_check_near(c, dls_text(a, "chain, e = %g: speed of the first", e), v[0],
                       (1 - 2 * e) / 3, 1e-9, "closed form");
        dls_check_near(c, dls_text(a, "chain, e = %g: speed of the last", e), v[6],
                       (1 + e) / 3, 1e-9, "closed form");
    }
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_ladder(c, asked, a, err);
    if (!status) status = check_block(c, asked, a, err);
    if (!status) status = check_groove(c, asked, a, err);
    if (!status) status = check_balls(c, asked, a, err);
    return status ? status : check_chain(c, asked, a, err);
}

const struct dls_example dls_example_events = {
    .name = "events",
    .brief = "several contacts in continuous time: ladder, block, groove, balls, chain",
    .paper = "Moreau2004, 5.3",
    .tol = 1e-11, // rounding leaves one of 7000 steps of the ladder at 1.5e-12
    .options = options,
    .options_size = sizeof(struct events_options),
    .make = make,
    .check = check,
};
