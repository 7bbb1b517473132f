// SPDX-License-Identifier: Apache-2.0
// A block on an inclined plane: at rest, sliding, tipping.
//
// In axes along the plane gravity is g (sin t, -cos t). With mu and half sides b, h:
//   slides iff mu < tan t,          acceleration g (sin t - mu cos t);
//   slid at v0, mu > tan t:         stops at v0 / (g (mu cos t - sin t)) after the
//                                   distance v0^2 / (2 g (mu cos t - sin t)),
//                                   losing m v0^2 / 2 + m g d sin t by friction;
//   tips iff tan t > b / h          (mu large enough to hold it).
// The law of Coulomb does not lift the block while it slides: the gap stays closed; a
// convexified cone would lift it at mu v.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct incline_options {
    double angle, mu, speed, half_width, half_height, gravity, step;
};

static const struct dls_option options[] = {
    DLS_REAL(incline_options, angle, 20, 0, 89, "inclination, degrees"),
    DLS_REAL(incline_options, mu, 0.6, 0, 1e3, "friction coefficient"),
    DLS_REAL(incline_options, speed, 2, 0, 1e6, "initial speed down the plane"),
    DLS_REAL(incline_options, half_width, 0.5, 1e-6, 1e6, "half the base"),
    DLS_REAL(incline_options, half_height, 0.25, 1e-6, 1e6, "half the height"),
    DLS_REAL(incline_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(incline_options, step, 2e-3, 1e-9, 1, "length of a time step"),
    {0},
};

static double radians(double degrees) { return degrees * acos(-1) / 180; }

static double stopping_time(const struct incline_options *o)
{
    double t = radians(o->angle);
    return o->speed / (o->gravity * (o->mu * cos(t) - sin(t)));
}

static enum dls_status make_block(struct dls_scene *scene,
                                  const struct incline_options *o, struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, a);
    if (!r) return DLS_ENOMEM;
    double t = radians(o->angle);
    dls_vec3 edges = {2 * o->half_width, 2 * o->half_height, 0};
    struct dls_body block = dls_body_box(1, (dls_vec3){edges.x, edges.y, 1},
                                         (dls_vec3){0, o->half_height, 0});
    block.v.x = o->speed;
    dls_rigid_body(r, block, dls_shape_box(edges));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->gravity = (dls_vec3){o->gravity * sin(t), -o->gravity * cos(t), 0};
    r->law.mu = o->mu;
    *scene = (struct dls_scene){.h = o->step, .scheme = "moreau"};
    return dls_scene_rigid(scene, r, a);
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = sim->q[0];
    values[1] = sim->v[0];
    values[2] = sim->q[2];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "v", "angle", NULL};
    const struct incline_options *o = asked->options;
    enum dls_status status = make_block(scene, o, a);
    double stop = stopping_time(o);
    scene->end = stop > 0 && stop < 10 ? 1.2 * stop : 2;
    scene->names = names;
    scene->observe = observe;
    return status;
}

static enum dls_status slide(struct dls_kept *kept, const struct incline_options *o,
                             double end, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_scene scene;
    enum dls_status status = make_block(&scene, o, a);
    if (status) return status;
    struct dls_trial trial = {scene.system, "moreau", scene.q,        scene.v,
                              scene.h,      end,      dls_trial_keep, kept};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_threshold(struct dls_checks *c,
                                       const struct dls_asked *asked,
                                       struct dls_arena *a, struct dls_error *err)
{
    struct incline_options o = *(const struct incline_options *)asked->options;
    double q[3], v[3], t = radians(o.angle), end = 0.2;
    struct dls_kept kept = {.q = q, .v = v};
    o.speed = 0;
    o.mu = tan(t) * (1 + 1e-6);
    enum dls_status status = slide(&kept, &o, end, asked, a, err);
    if (status) return status;
    dls_check_near(c, "mu = tan(angle) (1 + 1e-6), at rest: speed", v[0], 0, 1e-11,
                   "sticks; 100 steps solved to 1e-12 of g h");
    o.mu = tan(t) * (1 - 1e-3);
    status = slide(&kept, &o, end, asked, a, err);
    if (status) return status;
    double exact = o.gravity * (sin(t) - o.mu * cos(t)) * end;
    dls_check_near(c, "mu = tan(angle) (1 - 1e-3), at rest: speed over the exact one",
                   v[0] / exact, 1, 1e-8,
                   "slides; the difference of two forces 1e3 larger");
    return DLS_OK;
}

static enum dls_status check_stop(struct dls_checks *c, const struct dls_asked *asked,
                                  struct dls_arena *a, struct dls_error *err)
{
    const struct incline_options *o = asked->options;
    double q[3], v[3], t = radians(o->angle), stop = stopping_time(o);
    double distance = 0.5 * o->speed * stop;
    struct dls_kept kept = {.q = q, .v = v};
    enum dls_status status = slide(&kept, o, 1.2 * stop, asked, a, err);
    if (status) return status;
    double mass = 4 * o->half_width * o->half_height;
    double lost =
        0.5 * mass * o->speed * o->speed + mass * o->gravity * distance * sin(t);
    // In the step that stops the block half a step may be moved at up to the last
    // speed.
    double last = o->gravity * (o->mu * cos(t) - sin(t)) * o->step * o->step;
    dls_check_near(c, "stopping distance", q[0], distance, last,
                   "one step at the speed lost in one step");
    dls_check_near(c, "speed after the stop", v[0], 0, 1e-10, "solver at 1e-12");
    double change = mass * o->gravity * last * sin(t);
    dls_check_near(c, "work of friction", kept.ledger.tangential, -lost,
                   2 * change + 1e-9, "that distance times the force");
    dls_check_most(c, "deepest gap", -kept.worst_gap, 1e-9,
                   "no lift, no sinking; solver");
    dls_check_near(c, "height of the block", q[1], o->half_height, 1e-9, "likewise");
    return DLS_OK;
}

static enum dls_status check_tipping(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    struct incline_options o = *(const struct incline_options *)asked->options;
    o.speed = 0;
    o.mu = 2;
    for (int k = 0; k < 2; k++) {
        double q[3], side = k ? 1.02 : 0.98;
        struct dls_kept kept = {.q = q};
        o.half_width = 0.25;
        o.half_height = 0.5;
        o.angle = atan(side * o.half_width / o.half_height) * 180 / acos(-1);
        enum dls_status status = slide(&kept, &o, 1, asked, a, err);
        if (status) return status;
        if (k)
            dls_check_most(c, "tan(angle) = 1.02 b/h: rotation after 1 s", q[2], -1e-3,
                           "tips downhill");
        else
            dls_check_near(c, "tan(angle) = 0.98 b/h: rotation after 1 s", q[2], 0,
                           1e-9, "stands; solver at 1e-12");
    }
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_threshold(c, asked, a, err);
    if (!status) status = check_stop(c, asked, a, err);
    return status ? status : check_tipping(c, asked, a, err);
}

const struct dls_example dls_example_incline = {
    .name = "incline",
    .brief = "a block on an inclined plane: threshold, stopping distance, tipping",
    .paper = "textbook; no lift while sliding, as Coulomb's law asks",
    .options = options,
    .options_size = sizeof(struct incline_options),
    .make = make,
    .check = check,
};
