// SPDX-License-Identifier: Apache-2.0
// A sphere and a disk that roll against rolling resistance [AcarySlides, rolling
// friction for rock-fall; Moreau2004, 4.3].
//
// The cone is |r_T| <= mu r_N, |r_R| <= mu_r r_N with a length mu_r = c_r R. In pure
// rolling (mu large) the resisting torque is c_r R m g:
//   sphere  v' = -(5/7) c_r g,  stops after 7 v^2 / (10 g c_r);
//   disk    v' = -(2/3) c_r g,  stops after 3 v^2 / (4 g c_r).
// On a slope of angle t it stays at rest iff tan t <= c_r (and tan t <= mu). Without
// resistance a sphere set sliding at v0 rolls from t = 2 v0 / (7 mu g) on, at 5/7 v0.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct rolling_options {
    double radius, speed, mu, c_r, gravity, step;
};

static const struct dls_option options[] = {
    DLS_REAL(rolling_options, radius, 0.2, 1e-6, 1e6, "radius"),
    DLS_REAL(rolling_options, speed, 1, 0, 1e6, "initial speed, rolling"),
    DLS_REAL(rolling_options, mu, 0.5, 0, 1e3, "friction coefficient"),
    DLS_REAL(rolling_options, c_r, 0.1, 0, 1e3,
             "rolling coefficient, without dimension"),
    DLS_REAL(rolling_options, gravity, 9.81, 0, 1e6, "gravity"),
    DLS_REAL(rolling_options, step, 5e-3, 1e-9, 1, "length of a time step"),
    {0},
};

static enum dls_status make_ball(struct dls_scene *scene,
                                 const struct rolling_options *o, int dim, double slope,
                                 struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(dim, 1, 1, true, a);
    if (!r) return DLS_ENOMEM;
    double R = o->radius, pi = acos(-1), g = o->gravity;
    double down = -g * cos(slope), along = g * sin(slope);
    dls_vec3 up = {0, dim == 2, dim == 3}, at = dls_vec3_scale(R, up);
    struct dls_body ball = dim == 2 ? dls_body_disk(1, R, at)
                                    : dls_body_sphere(3 / (4 * pi * R * R * R), R, at);
    ball.v.x = o->speed;
    if (dim == 2) ball.spin.z = -o->speed / R;
    if (dim == 3) ball.spin.y = o->speed / R;
    dls_rigid_body(r, ball, dls_shape_ball(R));
    dls_rigid_plane(r, (struct dls_plane){.n = up});
    r->gravity = dls_vec3_add((dls_vec3){along, 0, 0}, dls_vec3_scale(down, up));
    r->law.mu = o->mu;
    r->mu_r = o->c_r * R;
    *scene = (struct dls_scene){.h = o->step, .scheme = "moreau"};
    return dls_scene_rigid(scene, r, a);
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = sim->q[0];
    values[1] = sim->v[0];
    values[2] = sim->v[4];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "v", "spin", NULL};
    const struct rolling_options *o = asked->options;
    enum dls_status status = make_ball(scene, o, 3, 0, a);
    scene->end = 2;
    scene->names = names;
    scene->observe = observe;
    return status;
}

static enum dls_status roll(struct dls_kept *kept, const struct dls_scene *scene,
                            double end, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    struct dls_trial trial = {scene->system, "moreau", scene->q,       scene->v,
                              scene->h,      end,      dls_trial_keep, kept};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_stop(struct dls_checks *c, int dim,
                                  const struct dls_asked *asked, struct dls_arena *a,
                                  struct dls_error *err)
{
    const struct rolling_options *o = asked->options;
    const char *name = dim == 3 ? "sphere" : "disk";
    double share = dim == 3 ? 5.0 / 7 : 2.0 / 3, slowing = share * o->c_r * o->gravity;
    double stop = o->speed / slowing, distance = 0.5 * o->speed * stop;
    double q[7], v[6];
    struct dls_kept kept = {.q = q, .v = v};
    struct dls_scene scene;
    enum dls_status status = make_ball(&scene, o, dim, 0, a);
    if (!status) status = roll(&kept, &scene, 1.1 * stop, asked, a, err);
    if (status) return status;
    dls_check_near(c, dls_text(a, "%s: distance to the stop", name), q[0], distance,
                   slowing * o->step * o->step + 1e-8,
                   "one step at the speed lost in one step; solver");
    dls_check_near(c, dls_text(a, "%s: speed after it", name), v[0], 0, 1e-8,
                   "at rest; solver, a hundred steps");
    double lost = 0.5 * o->speed * o->speed / share;
    dls_check_near(c, dls_text(a, "%s: work of rolling resistance", name),
                   kept.ledger.tangential, -lost, 1e-6, "all of the kinetic energy");
    return DLS_OK;
}

static enum dls_status check_slope(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    struct rolling_options o = *(const struct rolling_options *)asked->options;
    double v[6], end = 0.2;
    o.speed = 0;
    for (int k = 0; k < 2; k++) {
        double slope = atan(o.c_r * (k ? 1.1 : 0.999));
        struct dls_kept kept = {.v = v};
        struct dls_scene scene;
        enum dls_status status = make_ball(&scene, &o, 3, slope, a);
        if (!status) status = roll(&kept, &scene, end, asked, a, err);
        if (status) return status;
        if (!k) {
            dls_check_near(c, "slope of 0.999 c_r: speed after 0.2 s", v[0], 0, 1e-8,
                           "stays at rest; solver");
            continue;
        }
        double a_exact = 5.0 / 7 * o.gravity * (sin(slope) - o.c_r * cos(slope));
        dls_check_near(c, "slope of 1.1 c_r: speed over the exact one",
                       v[0] / (a_exact * end), 1, 1e-6, "rolls; solver");
    }
    return DLS_OK;
}

static enum dls_status check_sliding(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    struct rolling_options o = *(const struct rolling_options *)asked->options;
    o.c_r = 0;
    o.speed = 1;
    o.mu = 0.2;
    double v[6], q[7], start[] = {o.speed, 0, 0, 0, 0, 0};
    double end = 2 * o.speed / (7 * o.mu * o.gravity);
    struct dls_kept kept = {.v = v, .q = q};
    struct dls_scene scene;
    enum dls_status status = make_ball(&scene, &o, 3, 0, a);
    scene.v = start;
    if (!status) status = roll(&kept, &scene, 1.5 * end, asked, a, err);
    if (status) return status;
    dls_check_near(c, "sliding sphere: final speed", v[0], 5.0 / 7 * o.speed, 1e-8,
                   "momentum about the contact is kept; solver");
    double lost = kept.ledger.tangential / (0.5 * o.speed * o.speed);
    dls_check_near(c, "sliding sphere: energy lost", lost, -2.0 / 7, 1e-8,
                   "closed form");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_stop(c, 3, asked, a, err);
    if (!status) status = check_stop(c, 2, asked, a, err);
    if (!status) status = check_slope(c, asked, a, err);
    return status ? status : check_sliding(c, asked, a, err);
}

const struct dls_example dls_example_rolling = {
    .name = "rolling",
    .brief = "a sphere and a disk against rolling resistance: stopping distance",
    .paper = "AcarySlides, rolling friction for rock-fall; Moreau2004, 4.3",
    .solver = "extragradient",
    .options = options,
    .options_size = sizeof(struct rolling_options),
    .make = make,
    .check = check,
};
