// SPDX-License-Identifier: Apache-2.0
// An elastic block of finite elements pressed on a rigid ground with friction: general
// sparse M and K [Moreau1994, 2 and Jean1999: contact dynamics of deformable bodies].
//
// Plane strain, E' = E / (1 - nu^2).
//   Patch test, flat ground, no friction, pressure p on top: the stress is uniform, every
//     node carries p times its length, the top sinks by p h / E', the side moves out by
//     nu / (1 - nu) p / E' times its distance; linear triangles give all that exactly.
//   Friction, traction T on top beside p: it holds while T < mu p; above it the whole
//     block slides with the mean acceleration (T - mu p) / (rho h).
//   Hertz, ground of curvature k, force P per length: the half-width of the contact is
//     a = sqrt(4 P / (pi k E')), the peak of the pressure 2 P / (pi a).
//
// Equilibria are reached by steps that are long against the periods of the block (theta =
// 1 takes the energy out). The ground is curved and not the block, which is the same for
// small displacements.
#include "problems/examples/example.h"
#include "problems/mechanics/plate.h"

#include <math.h>

struct pressed_options {
    int across, up;
    double young, poisson, density, mu, pressure, shear, step, end;
};

static const struct dls_option options[] = {
    DLS_INT(pressed_options, across, 16, 1, 2000, "cells along the ground"),
    DLS_INT(pressed_options, up, 8, 1, 2000, "cells upwards"),
    DLS_REAL(pressed_options, young, 1e4, 1e-6, 1e15, "Young's modulus"),
    DLS_REAL(pressed_options, poisson, 0.3, 0, 0.49, "Poisson's ratio"),
    DLS_REAL(pressed_options, density, 1, 1e-9, 1e6, "density"),
    DLS_REAL(pressed_options, mu, 0.3, 0, 1e3, "friction coefficient"),
    DLS_REAL(pressed_options, pressure, 10, 0, 1e12, "pressure on top"),
    DLS_REAL(pressed_options, shear, 2, -1e12, 1e12, "traction along x on top"),
    DLS_REAL(pressed_options, step, 1e-3, 1e-9, 1e3, "length of a time step"),
    DLS_REAL(pressed_options, end, 0.2, 1e-9, 1e6, "duration"),
    {0},
};

struct load {
    double pressure, shear, ramp; // both grow linearly until `ramp`
};

static void traction(const struct dls_plate *p, double t, double *normal,
                     double *tangential)
{
    const struct load *l = p->data;
    double share = l->ramp > 0 ? fmin(1, t / l->ramp) : 1;
    *normal = -share * l->pressure;
    *tangential = share * l->shear;
}

// A block of width 2 and height 1.
static struct dls_plate *make_plate(const struct pressed_options *o, double curvature,
                                    double ramp, struct dls_arena *a)
{
    struct dls_plate *p = DLS_NEW(a, struct dls_plate, 1);
    struct load *l = DLS_NEW(a, struct load, 1);
    if (a->failed) return NULL;
    *l = (struct load){o->pressure, o->shear, ramp};
    *p = (struct dls_plate){
        .across = o->across,
        .up = o->up,
        .width = 2,
        .height = 1,
        .young = o->young,
        .poisson = o->poisson,
        .density = o->density,
        .curvature = curvature,
        .law = {.mu = o->mu},
        .traction = traction,
        .data = l,
    };
    return dls_plate_open(p, a) ? NULL : p;
}

// Sums over the lower edge: forces, and the displacement of two nodes of the upper one.
static void observe(const struct dls_sim *sim, double *values)
{
    const struct dls_plate *p = sim->system->self;
    int top = dls_plate_node(p, p->across / 2, p->up);
    values[0] = values[1] = 0;
    for (int k = 0; k < sim->last.problem.contacts; k++) {
        values[0] += sim->last.r[2 * k] / sim->h;
        values[1] += sim->last.r[2 * k + 1] / sim->h;
    }
    values[2] = sim->q[2 * top];
    values[3] = sim->q[2 * top + 1];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"normal_force", "friction", "top_x", "top_y",
                                        NULL};
    const struct pressed_options *o = asked->options;
    struct dls_plate *p = make_plate(o, 0, 0, a);
    double *zero = p ? DLS_NEW(a, double, p->system.n) : NULL;
    if (!zero) return DLS_ENOMEM;
    *scene = (struct dls_scene){.system = &p->system,
                                .q = zero,
                                .v = zero,
                                .h = o->step,
                                .end = o->end,
                                .scheme = "theta:theta=1",
                                .names = names,
                                .observe = observe};
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

struct outcome {
    double *q, *v;
    double *force; // of each lower node: normal
    double normal, friction;
};

static void keep(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    const struct dls_plate *p = sim->system->self;
    out->normal = out->friction = 0;
    for (int i = 0; i < sim->system->n; i++)
        out->q[i] = sim->q[i], out->v[i] = sim->v[i];
    for (int i = 0; i <= p->across; i++) out->force[i] = 0;
    for (int k = 0; k < sim->last.problem.contacts; k++) {
        out->force[sim->last.contact[k].id] = sim->last.r[2 * k] / sim->h;
        out->normal += sim->last.r[2 * k] / sim->h;
        out->friction += sim->last.r[2 * k + 1] / sim->h;
    }
}

static enum dls_status press(struct outcome *out, const struct dls_plate *p, double h,
                             int steps, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    double *zero = DLS_NEW(a, double, p->system.n);
    *out = (struct outcome){.q = DLS_NEW(a, double, p->system.n),
                            .v = DLS_NEW(a, double, p->system.n),
                            .force = DLS_NEW(a, double, p->across + 1)};
    if (a->failed) return DLS_ENOMEM;
    struct dls_trial trial = {&p->system, "theta:theta=1", zero, zero,
                              h,          steps * h,       keep, out};
    return dls_trial_run(&trial, asked, a, err);
}

// The time a wave takes through the block.
static double passage(const struct pressed_options *o)
{
    return sqrt(o->density / o->young);
}

static enum dls_status check_patch(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    struct pressed_options o = *(const struct pressed_options *)asked->options;
    double stiff = o.young / (1 - o.poisson * o.poisson), worst = 0;
    struct outcome out;
    o.mu = o.shear = 0;
    o.young = dls_spoilt(asked, o.young);
    struct dls_plate *p = make_plate(&o, 0, 0, a);
    if (!p) return DLS_ENOMEM;
    // Each step of 30 passages divides the amplitude of the slowest mode by 30 or more.
    enum dls_status status = press(&out, p, 30 * passage(&o), 20, asked, a, err);
    if (status) return status;
    for (int i = 0; i <= p->across; i++)
        worst = fmax(worst, fabs(out.force[i] / (o.pressure * p->lever[i]) - 1));
    dls_check_most(c, "patch: force of a node over p times its length, error", worst,
                   1e-8, "uniform stress; solver at 1e-12 of the impulses");
    int top = dls_plate_node(p, p->across, p->up);
    int left = dls_plate_node(p, 0, p->up);
    dls_check_near(c, "patch: the top sinks by p h / E'",
                   -out.q[2 * top + 1] * stiff / o.pressure, 1, 1e-8,
                   "linear displacements are exact in linear triangles");
    dls_check_near(c, "patch: the sides part by nu / (1 - nu) p w / E'",
                   (out.q[2 * top] - out.q[2 * left]) * stiff * (1 - o.poisson)
                       / (o.poisson * o.pressure * p->width),
                   1, 1e-8, "likewise");
    return DLS_OK;
}

static enum dls_status check_friction(struct dls_checks *c,
                                      const struct dls_asked *asked,
                                      struct dls_arena *a, struct dls_error *err)
{
    struct pressed_options o = *(const struct pressed_options *)asked->options;
    double width = 2;
    for (int side = -1; side <= 1; side += 2) {
        struct outcome out;
        double h = 30 * passage(&o), speed = 0, weight = 0;
        o.shear = (1 + 0.5 * side) * o.mu * o.pressure;
        struct dls_plate *p = make_plate(&o, 0, 0, a);
        if (!p) return DLS_ENOMEM;
        enum dls_status status = press(&out, p, h, 20, asked, a, err);
        if (status) return status;
        for (int i = 0; i <= p->across; i++) { // of the lower edge, all alike
            speed += out.v[2 * i] * p->lever[i];
            weight += p->lever[i];
        }
        if (side < 0) {
            dls_check_near(c, "T = 0.5 mu p: sliding of the lower edge", speed / weight,
                           0, 1e-9, "it holds; solver");
            dls_check_near(c, "T = 0.5 mu p: friction over T times the width",
                           -out.friction / (o.shear * width), 1, 1e-8, "equilibrium");
            continue;
        }
        double exact = (o.shear - o.mu * o.pressure) / o.density * 20 * h;
        dls_check_near(c, "T = 1.5 mu p: friction over mu times the normal force",
                       -out.friction / (o.mu * out.normal), 1, 1e-8, "all nodes slide");
        dls_check_near(c, "T = 1.5 mu p: speed over (T - mu p) t / (rho h)",
                       speed / weight / exact, 1, 0.02,
                       "the first step loads the block: 1/20 of 1/3 of it");
    }
    return DLS_OK;
}

static enum dls_status check_hertz(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    struct pressed_options o = *(const struct pressed_options *)asked->options;
    double stiff = o.young / (1 - o.poisson * o.poisson), a_H = 0.3, width = 2;
    int steps = 200;
    struct outcome out;
    o.mu = o.shear = 0;
    o.across = 40;
    o.up = 20;
    double P = o.pressure * width, curvature = 4 * P / (acos(-1) * a_H * a_H * stiff);
    double h = 30 * passage(&o), wide = 0, peak = 0, second = 0;
    o.young = dls_spoilt(asked, o.young);
    struct dls_plate *p = make_plate(&o, curvature, (steps - 10) * h, a);
    if (!p) return DLS_ENOMEM;
    enum dls_status status = press(&out, p, h, steps, asked, a, err);
    if (status) return status;
    double cell = width / o.across;
    for (int i = 0; i <= o.across; i++) {
        peak = fmax(peak, out.force[i] / p->lever[i]);
        second += out.force[i] * p->x[i] * p->x[i] / P;
        wide += out.force[i] > 1e-6 * P ? cell : 0;
    }
    dls_check_near(c, "Hertz: force over P", out.normal / P, 1, 1e-6,
                   "at rest; ten steps after the load");
    dls_check_near(c, "Hertz: half-width over sqrt(4 P / (pi k E'))", 0.5 * wide / a_H,
                   1, cell / a_H,
                   "nodes are a cell apart: a cell at each end, half each");
    // The mean of x^2 under the ellipse of pressure is a^2 / 4; it has no steps.
    dls_check_near(c, "Hertz: half-width from the mean of x^2", 2 * sqrt(second) / a_H,
                   1, 0.05, "cells (a / 6) and a block of height 3 a for a half-space");
    dls_check_near(c, "Hertz: peak pressure over 2 P / (pi a)",
                   peak * acos(-1) * a_H / (2 * P), 1, 0.06,
                   "likewise; nodes stop a share of a load step above the ground");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_patch(c, asked, a, err);
    if (!status) status = check_friction(c, asked, a, err);
    return status ? status : check_hertz(c, asked, a, err);
}

const struct dls_example dls_example_pressed_block = {
    .name = "pressed-block",
    .brief =
        "an elastic block of triangles on rough ground: patch test, sliding, Hertz",
    .paper = "Moreau1994, 2; Jean1999",
    .solver = "newton",
    .options = options,
    .options_size = sizeof(struct pressed_options),
    .make = make,
    .check = check,
};
