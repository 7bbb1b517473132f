// SPDX-License-Identifier: Apache-2.0
// A light disk (mass m) on the ground carries a heavy one (mass M). In the normal
// direction
//
//   W = [1/m, -1/m; -1/m, 1/m + 1/M],   r = ((m + M) g h, M g h) at rest,
//
// and Gauss-Seidel reduces the error by W_12^2 / (W_11 W_22) = M / (M + m) per sweep:
// the mass ratio alone makes two contacts hard.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct heavy_on_light_options {
    double ratio, mass, radius, speed;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_REAL(heavy_on_light_options, ratio, 100, 1e-9, 1e9, "heavy mass / light mass"),
    DLS_REAL(heavy_on_light_options, mass, 1, 1e-9, 1e9, "mass of the light disk"),
    DLS_REAL(heavy_on_light_options, radius, 0.1, 1e-6, 1e6, "radius of both disks"),
    DLS_REAL(heavy_on_light_options, speed, 0, 0, 1e6,
             "downward velocity of the heavy disk before the step"),
    DLS_ROWS_LAW(heavy_on_light_options, 0),
    DLS_ROWS_STEP(heavy_on_light_options),
    {0},
};

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct heavy_on_light_options *o = opt;
    struct dls_build b;
    if (!dls_build_open(&b, 2, 2, 2, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    for (int k = 0; k < 2; k++) {
        double mass = k ? o->ratio * o->mass : o->mass;
        struct dls_body *disk = dls_build_stacked(
            &b, mass, o->radius,
            (struct dls_law){.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t});
        if (k) disk->v.y = -o->speed;
    }
    struct dls_origin origin = {"heavy-on-light", options, opt,
                                "A heavy disk rests on a light one on the ground."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_heavy_on_light = {
    .name = "heavy-on-light",
    .brief = "a heavy disk on a light one on the ground",
    .options = options,
    .options_size = sizeof(struct heavy_on_light_options),
    .make = make,
};
