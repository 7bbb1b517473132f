// SPDX-License-Identifier: Apache-2.0
// A solid sphere bouncing on a plane under the three-parameter law (e_n, e_t, mu)
// [Moreau1994, 6; Moreau2004, 7.5].
//
// W = diag(1/m, 7/(2m), 7/(2m)) for a solid sphere, so normal and tangential parts
// decouple: r_N = (1 + e_n) m |u_N^-|, and
//   sticking  mu r_N >= (2/7) m (1 + e_t) |u_T^-|:   u_T^+ = -e_t u_T^-
//   sliding   otherwise:   u_T^+ = u_T^- (1 - (7/2) mu (1 + e_n) |u_N^-| / |u_T^-|)
// which is the two-line law found in experiments with spheres. With e_n = e_t = 1
// energy is kept and the sphere is a superball: thrown with spin under a table it hits
// the floor, the table, the floor again and comes back out.
//
// Checks: both branches of the law for several incidences, and the flight through and
// back, against the map of the three bounces in closed form.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct superball_options {
    double radius, table, speed_x, speed_z, mu, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(superball_options, radius, 0.025, 1e-6, 1e3, "radius of the ball"),
    DLS_REAL(superball_options, table, 0.8, 1e-3, 1e3,
             "height of the table's underside"),
    DLS_REAL(superball_options, speed_x, 5, -1e3, 1e3, "initial horizontal speed"),
    DLS_REAL(superball_options, speed_z, -6, -1e3, 1e3, "initial vertical speed"),
    DLS_REAL(superball_options, mu, 5, 0, 1e3, "friction coefficient"),
    DLS_REAL(superball_options, step, 1e-4, 1e-9, 1, "length of a time step"),
    DLS_REAL(superball_options, end, 0.4, 1e-6, 1e6, "duration"),
    {0},
};

// A sphere of unit mass above a floor, under a table if there is one.
static struct dls_rigid *make_ball(double radius, double table, struct dls_law law,
                                   struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(3, 1, 2, false, a);
    if (!r) return NULL;
    double density = 3 / (4 * acos(-1) * radius * radius * radius);
    dls_rigid_body(r, dls_body_sphere(density, radius, (dls_vec3){0, 0, radius}),
                   dls_shape_ball(radius));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    if (table > 0)
        dls_rigid_plane(r, (struct dls_plane){.point = {0, 0, table}, .n = {0, 0, -1}});
    r->law = law;
    return r;
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = sim->q[0];
    values[1] = sim->q[2];
    values[2] = sim->v[0];
    values[3] = sim->v[2];
    values[4] = sim->v[4];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "z", "v_x", "v_z", "spin_y", NULL};
    const struct superball_options *o = asked->options;
    struct dls_rigid *r = make_ball(
        o->radius, o->table, (struct dls_law){.mu = o->mu, .e_n = 1, .e_t = 1}, a);
    if (!r) return DLS_ENOMEM;
    r->gravity.z = -9.81;
    r->body[0].at.z = 0.4 * o->table;
    r->body[0].v = (dls_vec3){o->speed_x, 0, o->speed_z};
    *scene = (struct dls_scene){
        .h = o->step,
        .end = o->end,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return dls_scene_rigid(scene, r, a);
}

// --- the law at one impact -----------------------------------------------------------

static enum dls_status check_law(struct dls_checks *c, double e_t, double tangent,
                                 const struct dls_asked *asked, struct dls_arena *a,
                                 struct dls_error *err)
{
    double e_n = 0.9, mu = 0.25, radius = 0.5, v[6];
    struct dls_rigid *r =
        make_ball(radius, 0, (struct dls_law){.mu = mu, .e_n = e_n, .e_t = e_t}, a);
    if (!r) return DLS_ENOMEM;
    // u_T = (v_x - radius w_y, v_y + radius w_x): half from the motion, half from spin.
    double start[] = {0.5 * tangent,          0.3 * tangent,           -1,
                      0.3 * tangent / radius, -0.5 * tangent / radius, 7};
    double q[] = {0, 0, radius - 1e-12, 1, 0, 0, 0};
    struct dls_kept kept = {.v = v};
    struct dls_trial trial = {&r->system, "moreau",       q,    start, 1e-14,
                              1e-14,      dls_trial_keep, &kept};
    enum dls_status status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    double minus = tangent * hypot(1, 0.6), plus_x = v[0] - radius * v[4];
    double sticks = -e_t, slides = 1 - 3.5 * mu * (1 + e_n) / minus;
    bool stick = mu * (1 + e_n) >= 2.0 / 7 * (1 + e_t) * minus;
    dls_check_near(c,
                   dls_text(a, "e_t = %g, u_T/u_N = %.3g: u_T^+ / u_T^- (%s)", e_t,
                            minus, stick ? "sticks" : "slides"),
                   plus_x / tangent, stick ? sticks : slides, 1e-11, "solver at 1e-12");
    return DLS_OK;
}

// --- through and back ----------------------------------------------------------------

// The bounce in closed form; `side` is 1 on the floor and -1 under the table.
static void bounce(double v[3], double radius, double side)
{
    double u_t = v[0] - side * radius * v[2]; // v = (v_x, v_z, spin about y)
    v[0] -= 4.0 / 7 * u_t;
    v[2] += side * 10.0 / 7 * u_t / radius;
    v[1] = -v[1];
}

static enum dls_status check_flight(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    const struct superball_options *o = asked->options;
    struct dls_scene scene;
    double v[6], q[7];
    struct dls_kept kept = {.v = v, .q = q};
    enum dls_status status = make(&scene, asked, a, err);
    if (status) return status;
    double exact[] = {o->speed_x, o->speed_z, 0};
    bounce(exact, o->radius, 1);
    bounce(exact, o->radius, -1);
    bounce(exact, o->radius, 1);
    struct dls_trial trial = {scene.system, "moreau",  scene.q,        scene.v,
                              scene.h,      scene.end, dls_trial_keep, &kept};
    status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    dls_check_near(c, "through and back: horizontal speed after three bounces", v[0],
                   exact[0], 1e-9,
                   "impulses act exactly; horizontal speed feels no gravity");
    dls_check_near(c, "through and back: spin after three bounces", v[4], exact[2],
                   1e-7, "likewise, divided by the radius");
    dls_check_most(c, "through and back: horizontal speed over the initial one",
                   v[0] / o->speed_x, -0.1, "it comes back");
    double energy = kept.ledger.kinetic + kept.ledger.potential;
    double start = kept.ledger.kinetic_start + kept.ledger.potential_start;
    dls_check_near(c, "through and back: energy over the initial one", energy / start,
                   1, 1e-3, "impacts are placed within a step: g h v of height each");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    static const double e_t[] = {0, 0.44, 1}, tangents[] = {0.3, 1, 3};
    enum dls_status status = DLS_OK;
    for (int k = 0; k < 9 && !status; k++)
        status = check_law(c, e_t[k / 3], tangents[k % 3], asked, a, err);
    return status ? status : check_flight(c, asked, a, err);
}

const struct dls_example dls_example_superball = {
    .name = "superball",
    .brief = "a sphere bouncing with (e_n, e_t, mu): stick, slide, through and back",
    .paper = "Moreau1994, 6; Moreau2004, 7.5",
    .options = options,
    .options_size = sizeof(struct superball_options),
    .make = make,
    .check = check,
};
