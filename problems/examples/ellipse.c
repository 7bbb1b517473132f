// SPDX-License-Identifier: Apache-2.0
// A puck on a floor with two friction coefficients: the cone has an elliptic section
// [Moreau2004, 5.4, law (31)].
//
//     K = { (r_1 / mu_1)^2 + (r_2 / mu_2)^2 <= r_N^2 }
//
// Sliding dissipates most: r_i = -mu_i^2 u_i r_N / |(mu_1 u_1, mu_2 u_2)|, which is not
// opposite to the velocity. With r_N = m g the velocity obeys
//     u_i' = -g mu_i^2 u_i / |(mu_1 u_1, mu_2 u_2)|,   hence
//     u_2 / u_2(0) = (u_1 / u_1(0))^(mu_2^2 / mu_1^2):
// the puck turns into the direction of little friction. In the direction of the axis i it
// stops after v^2 / (2 g mu_i). At rest it holds on a slope whose pull in the direction psi
// is below g mu_1 mu_2 / |(mu_2 cos psi, mu_1 sin psi)|.
#include "problems/examples/example.h"

#include <math.h>

struct ellipse_options {
    double mu_1, mu_2, speed, direction, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(ellipse_options, mu_1, 0.6, 1e-6, 1e3, "friction along x"),
    DLS_REAL(ellipse_options, mu_2, 0.2, 1e-6, 1e3, "friction along y"),
    DLS_REAL(ellipse_options, speed, 2, 0, 1e6, "initial speed"),
    DLS_REAL(ellipse_options, direction, 40, -360, 360, "its angle to x, degrees"),
    DLS_REAL(ellipse_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(ellipse_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(ellipse_options, end, 1, 1e-6, 1e6, "duration"),
    {0},
};

// --- the system: a point of mass 1, x along the first tangent, z upwards ---------------

struct puck {
    struct dls_system system;
    struct ellipse_options o;
    double pull, psi; // along the floor
};

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)q, (void)v;
    const struct puck *p = s->self;
    F[0] = p->pull * cos(p->psi);
    F[1] = p->pull * sin(p->psi);
    F[2] = -p->o.gravity;
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct puck *p = s->self;
    struct dls_contact floor = {.other = -1,
                                .gap = q[2],
                                .law = {.mu = p->o.mu_1},
                                .mu_2 = p->o.mu_2,
                                .n = {0, 0, 1},
                                .t = {1, 0, 0}};
    int row = dls_contacts_add(c, floor, NULL);
    for (int i = 0; row >= 0 && i < 3; i++)
        dls_entries_add(&c->H, row + i, (i + 2) % 3, 1); // z, x, y
}

static struct puck *make_puck(const struct ellipse_options *o, struct dls_arena *a)
{
    struct puck *p = DLS_NEW(a, struct puck, 1);
    if (!p) return NULL;
    *p = (struct puck){
        .system = {.n = 3,
                   .nq = 3,
                   .d = 3,
                   .bodies = 1,
                   .constant_mass = true,
                   .slack = 1e-9,
                   .self = p,
                   .mass = dls_unit_mass,
                   .force = force,
                   .contacts = contacts},
        .o = *o,
    };
    return p;
}

static void observe(const struct dls_sim *sim, double *values)
{
    for (int i = 0; i < 2; i++) {
        values[i] = sim->q[i];
        values[2 + i] = sim->v[i];
    }
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "y", "v_x", "v_y", NULL};
    const struct ellipse_options *o = asked->options;
    struct puck *p = make_puck(o, a);
    double *q = DLS_NEW(a, double, 3), *v = DLS_NEW(a, double, 3);
    double angle = o->direction * acos(-1) / 180;
    if (a->failed) return DLS_ENOMEM;
    v[0] = o->speed * cos(angle);
    v[1] = o->speed * sin(angle);
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

static enum dls_status slide(double q[3], double v[3], struct puck *p, double end,
                             const struct dls_asked *asked, struct dls_arena *a,
                             struct dls_error *err)
{
    double from_q[3] = {0}, from_v[3] = {v[0], v[1], 0};
    struct dls_kept kept = {.q = q, .v = v};
    struct dls_trial trial = {&p->system, "moreau", from_q,         from_v,
                              p->o.step,  end,      dls_trial_keep, &kept};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_slides(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    const struct ellipse_options *o = asked->options;
    struct puck *p = make_puck(o, a);
    double mu[2] = {o->mu_1, o->mu_2}, q[3];
    if (!p) return DLS_ENOMEM;
    for (int i = 0; i < 2; i++) {
        double v[3] = {i ? 0 : o->speed, i ? o->speed : 0, 0};
        double stop = o->speed / (o->gravity * mu[i]);
        enum dls_status status = slide(q, v, p, 1.1 * stop, asked, a, err);
        if (status) return status;
        dls_check_near(c, dls_text(a, "axis %d: distance to the stop", i + 1), q[i],
                       0.5 * o->speed * stop, o->gravity * mu[i] * o->step * o->step,
                       "one step at the speed lost in one step");
    }
    double angle = o->direction * acos(-1) / 180, start[2], v[3];
    start[0] = v[0] = o->speed * cos(angle);
    start[1] = v[1] = o->speed * sin(angle);
    // Half way to the stop of the faster axis.
    double end = 0.5 * start[0] / (o->gravity * mu[0]);
    enum dls_status status = slide(q, v, p, end, asked, a, err);
    if (status) return status;
    double late = 0.5 * o->gravity * mu[0] * o->step / v[0] * pow(mu[1] / mu[0], 2);
    double share = pow(v[0] / start[0], mu[1] * mu[1] / (mu[0] * mu[0]));
    dls_check_near(c, "oblique: u_2 / u_2(0) over the power of u_1 / u_1(0)",
                   v[1] / start[1] / share, 1, late,
                   "an implicit step: half of what a step takes, in the exponent");
    dls_check_most(c, "oblique: u_1 / u_1(0)", v[0] / start[0], 0.9, "it has slid");
    return DLS_OK;
}

static enum dls_status check_threshold(struct dls_checks *c,
                                       const struct dls_asked *asked,
                                       struct dls_arena *a, struct dls_error *err)
{
    const struct ellipse_options *o = asked->options;
    for (int side = -1; side <= 1; side += 2) {
        struct puck *p = make_puck(o, a);
        double q[3], v[3] = {0};
        if (!p) return DLS_ENOMEM;
        p->psi = o->direction * acos(-1) / 180;
        double bound = o->gravity * o->mu_1 * o->mu_2
                       / hypot(o->mu_2 * cos(p->psi), o->mu_1 * sin(p->psi));
        p->pull = (1 + 0.005 * side) * bound;
        enum dls_status status = slide(q, v, p, 0.1, asked, a, err);
        if (status) return status;
        const char *what =
            dls_text(a, "pull of %g times the bound: speed", 1 + 0.005 * side);
        if (side < 0)
            dls_check_most(c, what, hypot(v[0], v[1]), 1e-10, "holds; solver at 1e-12");
        else
            dls_check_least(c, what, hypot(v[0], v[1]), 1e-4 * bound, "slides");
    }
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_slides(c, asked, a, err);
    return status ? status : check_threshold(c, asked, a, err);
}

const struct dls_example dls_example_ellipse = {
    .name = "ellipse",
    .brief = "a puck on a floor with two friction coefficients: elliptic cones",
    .paper = "Moreau2004, 5.4",
    .options = options,
    .options_size = sizeof(struct ellipse_options),
    .make = make,
    .check = check,
};
