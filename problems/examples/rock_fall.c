// SPDX-License-Identifier: Apache-2.0
// Rocks roll down a slope and out on the plain, with rolling resistance
// [AcarySlides, rolling friction for rock-fall; Moreau2004, 4.3].
//
// A disk of radius R starts at rest on a slope of angle A and length S, e = 0, friction
// large enough to roll, coefficient c_r (torque bound c_r R r_N). On smooth ground
//     at the foot   v^2 = 4/3 g S (sin A - c_r cos A);
//     the impact on the plain, momentum about the new contact with the largest rolling
//     impulse       v' = v (1 + 2 cos A - 2 c_r sin A) / 3;
//     run-out       L = 3 v'^2 / (4 g c_r).
// A rough slope is paved with stones of random size: each rock leaves it with another
// speed. The normal impulses add up to the same weight, in flights and impacts as in steady
// rolling, and with them the loss by rolling; impacts on stones take more. So no rock runs
// farther.
//
// Checks: L on smooth ground, for two c_r; over many rough slopes the mean run-out is
// shorter and the runs are scattered; no rock runs farther than on smooth ground.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include "base/rng.h"

#include <math.h>

struct rock_options {
    double radius, angle, length, c_r, mu, stone, gravity, step, end;
    int rocks, seed;
};

static const struct dls_option options[] = {
    DLS_REAL(rock_options, radius, 0.5, 1e-6, 1e3, "radius of a rock, m"),
    DLS_REAL(rock_options, angle, 35, 1, 80, "of the slope, degrees"),
    DLS_REAL(rock_options, length, 20, 1e-3, 1e5, "of the slope, m"),
    DLS_REAL(rock_options, c_r, 0.3, 1e-6, 1e3, "rolling coefficient"),
    DLS_REAL(rock_options, mu, 2, 0, 1e3, "friction coefficient"),
    DLS_REAL(rock_options, stone, 0.05, 0, 1e3, "height of the stones, m; 0 = smooth"),
    DLS_REAL(rock_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(rock_options, step, 2e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(rock_options, end, 20, 1e-6, 1e6, "duration"),
    DLS_INT(rock_options, rocks, 20, 2, 100000, "rough slopes of the statistics"),
    DLS_INT(rock_options, seed, 1, 0, 2147483647, "of the stones"),
    {0},
};

// The foot of the slope is the origin, the plain is y = 0, x > 0.
static enum dls_status make_slope(struct dls_scene *scene, const struct rock_options *o,
                                  int seed, struct dls_arena *a)
{
    double A = o->angle * acos(-1) / 180, R = o->radius, size = 6 * o->stone;
    int stones = o->stone > 0 ? (int)(0.9 * o->length / (2 * size)) : 0;
    struct dls_rng g = dls_rng_seed((uint64_t)seed);
    struct dls_rigid *r = dls_rigid_new(2, 1, 2 + stones, true, a);
    if (!r) return DLS_ENOMEM;
    dls_vec3 n = {sin(A), cos(A), 0}, up = {-cos(A), sin(A), 0};
    dls_vec3 at = dls_vec3_add(dls_vec3_scale(o->length, up), dls_vec3_scale(R, n));
    // The rock comes down from S above the place where it touches both planes.
    at = dls_vec3_add(at, dls_vec3_scale(R * tan(0.5 * A), up));
    dls_rigid_body(r, dls_body_disk(1, R, at), dls_shape_ball(R));
    dls_rigid_plane(r, (struct dls_plane){.n = n});
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    for (int k = 0; k < stones; k++) { // round, sunk so that they show a random height
        double way = o->length * (0.05 + 0.9 * dls_rng_real(&g));
        double height = o->stone * dls_rng_real(&g) - size;
        struct dls_obstacle stone = {
            .kind = DLS_OBSTACLE_SHAPE,
            .shape = dls_shape_ball(size),
            .pose = {.at = dls_vec3_add(dls_vec3_scale(way, up),
                                        dls_vec3_scale(height, n)),
                     .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        };
        dls_rigid_obstacle(r, stone);
    }
    r->gravity.y = -o->gravity;
    r->law.mu = o->mu;
    r->mu_r = o->c_r * R;
    r->system.slack = 1e-9 * R;
    *scene = (struct dls_scene){.h = o->step, .end = o->end, .scheme = "moreau"};
    return dls_scene_rigid(scene, r, a);
}

static void observe(const struct dls_sim *sim, double *values)
{
    for (int i = 0; i < 3; i++) values[i] = i < 2 ? sim->q[i] : sim->v[0];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "y", "v_x", NULL};
    const struct rock_options *o = asked->options;
    enum dls_status status = make_slope(scene, o, o->seed, a);
    scene->names = names;
    scene->observe = observe;
    return status;
}

// --- checks --------------------------------------------------------------------------

static enum dls_status roll(double *run_out, const struct rock_options *o, int seed,
                            const struct dls_asked *asked, struct dls_arena *a,
                            struct dls_error *err)
{
    struct dls_scene scene;
    double q[3];
    struct dls_kept kept = {.q = q};
    enum dls_status status = make_slope(&scene, o, seed, a);
    struct dls_trial trial = {scene.system, "moreau", scene.q,        scene.v,
                              o->step,      o->end,   dls_trial_keep, &kept};
    if (!status) status = dls_trial_run(&trial, asked, a, err);
    double corner = o->radius * tan(0.5 * o->angle * acos(-1) / 180);
    *run_out = q[0] - corner; // from the place where the disk touches both planes
    return status;
}

static double exact(const struct rock_options *o)
{
    double A = o->angle * acos(-1) / 180;
    double square = 4.0 / 3 * o->gravity * o->length * (sin(A) - o->c_r * cos(A));
    double kept = (1 + 2 * cos(A) - 2 * o->c_r * sin(A)) / 3;
    return 0.75 * kept * kept * square / (o->gravity * o->c_r);
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct rock_options o = *(const struct rock_options *)asked->options;
    int rocks = asked->scale < 1 ? 6 : o.rocks;
    double stone = o.stone, L = 0, mean = 0, square = 0, farthest = 0;
    enum dls_status status = DLS_OK;
    o.stone = 0;
    for (int k = 1; k >= 0 && !status; k--) { // ends with the c_r that was asked for
        struct rock_options with = o;
        with.c_r = (1 + 0.3 * k) * o.c_r;
        status = roll(&L, &with, 0, asked, a, err);
        // The impact comes up to a step late and v h deep, on a run of many meters.
        dls_check_near(c, dls_text(a, "smooth, c_r = %g: run-out over L", with.c_r),
                       L / exact(&with), 1, 5e-3, "order h, at the foot");
    }
    o.stone = stone;
    for (int k = 0; k < rocks && !status; k++) {
        double way;
        status = roll(&way, &o, o.seed + k, asked, a, err);
        mean += way / rocks;
        square += way * way / rocks;
        farthest = fmax(farthest, way);
    }
    if (status) return status;
    double spread = sqrt(fmax(0, square - mean * mean));
    dls_check_most(
        c, dls_text(a, "rough, %d rocks: mean run-out over the smooth one", rocks),
        mean / L, 0.9, "stones take energy");
    dls_check_least(c, "rough: standard deviation over the mean", spread / fabs(mean),
                    0.02, "every slope is another");
    dls_check_most(c, "rough: farthest over the smooth run-out", farthest / L, 1 + 5e-3,
                   "no rock runs farther; order h");
    return DLS_OK;
}

const struct dls_example dls_example_rock_fall = {
    .name = "rock-fall",
    .brief = "rocks roll down a rough slope and out on the plain: run-out statistics",
    .paper = "AcarySlides, rolling friction for rock-fall; Moreau2004, 4.3",
    .solver = "extragradient",
    .options = options,
    .options_size = sizeof(struct rock_options),
    .make = make,
    .check = check,
};
