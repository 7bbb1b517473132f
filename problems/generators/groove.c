// SPDX-License-Identifier: Apache-2.0
// A disk in a V groove of half-angle alpha (between wall and vertical). At rest
//
//   mgh / (2 (sin + mu cos)) <= r_N <= mgh / (2 (sin - mu cos))(alpha)
//
// at both walls, without upper bound when mu >= tan(alpha): v = 0 is unique, the
// impulses are not. A torque (in weights times radius) makes the disk turn when
// friction is short.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct groove_options {
    double angle, mass, radius, torque;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_REAL(groove_options, angle, 45, 1, 89, "half-angle of the groove, degrees"),
    DLS_REAL(groove_options, mass, 1, 1e-9, 1e9, "mass"),
    DLS_REAL(groove_options, radius, 0.1, 1e-6, 1e6, "radius"),
    DLS_REAL(groove_options, torque, 0, -1e6, 1e6, "torque, in weight times radius"),
    DLS_ROWS_LAW(groove_options, 0.3),
    DLS_ROWS_STEP(groove_options),
    {0},
};

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct groove_options *o = opt;
    double alpha = o->angle * 0.017453292519943295;
    struct dls_build b;
    if (!dls_build_open(&b, 2, 1, 2, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    dls_vec3 at = {0, o->radius / sin(alpha),
                   0}; // the edge of the groove is the origin
    struct dls_body disk = dls_body_disk(o->mass, o->radius, at);
    disk.torque.z = o->torque * o->mass * o->gravity * o->radius;
    dls_build_body(&b, disk);
    for (int side = -1; side <= 1; side += 2) {
        dls_vec3 n = {-side * cos(alpha), sin(alpha), 0};
        dls_build_touch(&b, (struct dls_touch){
                                .body = 0,
                                .other = -1,
                                .point = dls_vec3_sub(at, dls_vec3_scale(o->radius, n)),
                                .n = n,
                                .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
                            });
    }
    struct dls_origin origin = {"groove", options, opt,
                                "A disk rests in a V groove: v = 0, many impulses."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_groove = {
    .name = "groove",
    .brief = "a disk in a V groove: one velocity, a segment of impulses",
    .options = options,
    .options_size = sizeof(struct groove_options),
    .make = make,
};
