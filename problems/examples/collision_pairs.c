// SPDX-License-Identifier: Apache-2.0
// Collisions of free spheres: two of them, Newton's cradle, and a multiple impact
// [Moreau2004, 7.3-7.5, energy balance (48)-(50)].
//
// Two spheres, head on:      m1 m2 / (m1 + m2) (1 + e) |u^-| is the impulse.
// Cradle of 3 unit masses, v = (1, 0, 0), all in touch:
//                            v^+ = ((1 - 2e)/3, (1 + e)/3, (1 + e)/3).
// Three in touch with v = (1, 0, 0.3), e = 0: all leave with the mean velocity where
// both contacts act, one contact does positive work and the collision still dissipates.
//
// Checks: momentum is kept to rounding, the measured jump of the kinetic energy is the
// contact work A = sum r . (u^- + u^+) / 2, the closed forms above.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct pairs_options {
    double e, mu, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(pairs_options, e, 0.5, 0, 1, "normal restitution"),
    DLS_REAL(pairs_options, mu, 0.3, 0, 1e3, "friction coefficient"),
    DLS_REAL(pairs_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(pairs_options, end, 0.5, 1e-6, 1e6, "duration"),
    {0},
};

// --- the main run: an oblique collision of two unequal spheres with spin -------------

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct pairs_options *o = asked->options;
    struct dls_rigid *r = dls_rigid_new(3, 2, 0, false, a);
    if (!r) return DLS_ENOMEM;
    struct dls_body first = dls_body_sphere(1000, 0.1, (dls_vec3){-0.3, 0.05, 0});
    struct dls_body second = dls_body_sphere(2000, 0.15, (dls_vec3){0.2, -0.03, 0.02});
    first.v = (dls_vec3){1, 0.1, 0};
    first.spin = (dls_vec3){3, -2, 5};
    second.v = (dls_vec3){-0.5, 0, 0.1};
    second.spin = (dls_vec3){-1, 4, 2};
    dls_rigid_body(r, first, dls_shape_ball(0.1));
    dls_rigid_body(r, second, dls_shape_ball(0.15));
    r->law = (struct dls_law){.mu = o->mu, .e_n = o->e};
    *scene = (struct dls_scene){.h = o->step, .end = o->end, .scheme = "moreau"};
    return dls_scene_rigid(scene, r, a);
}

// Linear and angular momentum about the origin, six numbers.
static void momentum(const struct dls_rigid *r, const double *q, const double *v,
                     double p[6])
{
    for (int i = 0; i < 6; i++) p[i] = 0;
    for (int k = 0; k < r->bodies; k++) {
        const struct dls_body *b = &r->body[k];
        struct dls_pose pose = dls_rigid_pose(r, q, k);
        const double *w = v + 6 * k;
        dls_vec3 linear = dls_vec3_scale(b->mass, (dls_vec3){w[0], w[1], w[2]});
        dls_vec3 angular = dls_vec3_cross(pose.at, linear);
        double spin[] = {b->inertia.x * w[3], b->inertia.y * w[4], b->inertia.z * w[5]};
        for (int i = 0; i < 3; i++)
            angular = dls_vec3_add(angular, dls_vec3_scale(spin[i], pose.axis[i]));
        p[0] += linear.x, p[1] += linear.y, p[2] += linear.z;
        p[3] += angular.x, p[4] += angular.y, p[5] += angular.z;
    }
}

static enum dls_status check_oblique(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    struct dls_scene scene;
    enum dls_status status = make(&scene, asked, a, err);
    if (status) return status;
    const struct dls_rigid *r = scene.system->self;
    double q[14], v[12], before[6], after[6], worst = 0, size = 0;
    struct dls_kept kept = {.q = q, .v = v};
    struct dls_trial trial = {scene.system, "moreau",  scene.q,        scene.v,
                              scene.h,      scene.end, dls_trial_keep, &kept};
    status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    momentum(r, scene.q, scene.v, before);
    momentum(r, q, v, after);
    for (int i = 0; i < 6; i++) {
        worst = fmax(worst, fabs(after[i] - before[i]));
        size = fmax(size, fabs(before[i]));
    }
    const struct dls_ledger *l = &kept.ledger;
    double jump = l->kinetic - l->kinetic_start, work = l->normal + l->tangential;
    dls_check_most(c, "two spheres: change of the six momenta, relative", worst / size,
                   1e-14, "opposite impulses; rounding only");
    dls_check_near(c, "two spheres: jump of kinetic energy over contact work",
                   jump / work, 1, 1e-12,
                   "an identity; rounding of the larger energies");
    dls_check_most(c, "two spheres: contact work", work, -1e-3 * l->kinetic_start,
                   "they met, and lost energy");
    return DLS_OK;
}

// --- a row of three unit disks in touch ----------------------------------------------

static enum dls_status strike_row(struct dls_kept *kept, const double *speed, double e,
                                  const struct dls_asked *asked, struct dls_arena *a,
                                  struct dls_error *err)
{
    enum { COUNT = 3 };
    struct dls_rigid *r = dls_rigid_new(2, COUNT, 0, false, a);
    if (!r) return DLS_ENOMEM;
    for (int k = 0; k < COUNT; k++) {
        struct dls_body ball = dls_body_disk(1, 0.5, (dls_vec3){k, 0, 0});
        ball.v.x = speed[k];
        dls_rigid_body(r, ball, dls_shape_ball(0.5));
    }
    r->law = (struct dls_law){.e_n = e};
    struct dls_scene scene;
    enum dls_status status = dls_scene_rigid(&scene, r, a);
    // Gaps at half a step of 1e-9 are closed or open by rounding of the radii at most;
    // the spheres start overlapping by that much.
    double *q = dls_copy(a, scene.q, (size_t)r->system.nq, sizeof *q);
    if (status || !q) return DLS_ENOMEM;
    for (int k = 0; k < COUNT; k++) q[3 * k] *= 1 - 1e-8;
    struct dls_trial trial = {&r->system, "moreau",       q,   scene.v, 1e-9,
                              1e-9,       dls_trial_keep, kept};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_cradle(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    static const double all_e[] = {0, 0.5, 1};
    for (int k = 0; k < 3; k++) {
        double e = all_e[k], v[9],
               exact[] = {(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3};
        double worst = 0;
        struct dls_kept kept = {.v = v};
        enum dls_status status =
            strike_row(&kept, (double[]){1, 0, 0}, e, asked, a, err);
        if (status) return status;
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(v[3 * i] - exact[i]));
        dls_check_most(c, dls_text(a, "cradle, e = %g: error of the velocities", e),
                       worst, 1e-11, "solver at 1e-12, Gauss-Seidel on two contacts");
        double momentum = v[0] + v[3] + v[6];
        dls_check_near(c, dls_text(a, "cradle, e = %g: momentum", e), momentum, 1,
                       1e-14, "impulses cancel by construction; rounding");
        double lost = 0.5 * (v[0] * v[0] + v[3] * v[3] + v[6] * v[6]) - 0.5;
        dls_check_near(c, dls_text(a, "cradle, e = %g: energy lost", e), lost,
                       -(1 - e * e) / 3, 1e-11, "closed form; solver at 1e-12");
    }
    return DLS_OK;
}

static enum dls_status check_three(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    double v[9];
    struct dls_kept kept = {.v = v};
    enum dls_status status = strike_row(&kept, (double[]){1, 0, 0.3}, 0, asked, a, err);
    if (status) return status;
    double mean = 1.3 / 3, first = kept.r[0] * 0.5 * -1, second = kept.r[2] * 0.5 * 0.3;
    dls_check_near(c, "three spheres, v = (1, 0, 0.3), e = 0: common velocity", v[3],
                   mean, 1e-11, "solver at 1e-12");
    dls_check_near(c, "three spheres: work at the first contact", first,
                   -0.5 * (1 - mean), 1e-11, "r = 1 - mean, u_bar = -1/2");
    dls_check_near(c, "three spheres: work at the second contact is positive", second,
                   0.5 * 0.3 * (mean - 0.3), 1e-11, "r = mean - 0.3, u_bar = 0.15");
    dls_check_near(c, "three spheres: steps flagged as creating energy",
                   (double)kept.ledger.flagged, 0, 0, "the sum is negative");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_oblique(c, asked, a, err);
    if (!status) status = check_cradle(c, asked, a, err);
    return status ? status : check_three(c, asked, a, err);
}

const struct dls_example dls_example_collision_pairs = {
    .name = "collision-pairs",
    .brief = "two spheres, Newton's cradle, a multiple impact: momentum and energy",
    .paper = "Moreau2004, 7.3-7.5 and 8",
    .options = options,
    .options_size = sizeof(struct pairs_options),
    .make = make,
    .check = check,
};
