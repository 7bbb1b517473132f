// SPDX-License-Identifier: Apache-2.0
// Newton's cradle: n equal balls in line, touching, frictionless; the first arrives
// with a given speed, the last may move already. For three balls of unit mass and
// v = (1, 0, 0) Moreau's law gives
//
//   v^+ = ((1 - 2e)/3, (1 + e)/3, (1 + e)/3),
//
// which keeps the energy at e = 1 but is not the sequence of pair impacts (0, 0, 1).
// With v = (1, 0, 0.3) and e = 0 the work of a single contact is positive although the
// collision dissipates.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct cradle_options {
    int n;
    double mass, radius, first, last, e_n;
};

static const struct dls_option options[] = {
    DLS_INT(cradle_options, n, 3, 2, 1000000, "number of balls"),
    DLS_REAL(cradle_options, mass, 1, 1e-9, 1e9, "mass of each"),
    DLS_REAL(cradle_options, radius, 0.02, 1e-6, 1e6, "radius of each"),
    DLS_REAL(cradle_options, first, 1, -1e6, 1e6, "velocity of the first ball"),
    DLS_REAL(cradle_options, last, 0, -1e6, 1e6, "velocity of the last ball"),
    DLS_REAL(cradle_options, e_n, 1, 0, 1, "normal restitution"),
    {0},
};

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct cradle_options *o = opt;
    struct dls_build b;
    if (!dls_build_open(&b, 2, o->n, o->n - 1, a)) return DLS_ENOMEM;
    for (int k = 0; k < o->n; k++) {
        dls_vec3 at = {2 * o->radius * k, 0, 0};
        struct dls_body ball = dls_body_disk(o->mass, o->radius, at);
        ball.v.x = k == 0 ? o->first : k == o->n - 1 ? o->last : 0;
        dls_build_body(&b, ball);
        if (k == 0) continue;
        dls_build_touch(&b, (struct dls_touch){
                                .body = k,
                                .other = k - 1,
                                .point = {at.x - o->radius, 0, 0},
                                .n = {1, 0, 0},
                                .law = {.e_n = o->e_n},
                            });
    }
    struct dls_origin origin = {"cradle", options, opt,
                                "Equal balls in line, touching; the first arrives."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_cradle = {
    .name = "cradle",
    .brief = "Newton's cradle: balls in line, frictionless, with restitution",
    .options = options,
    .options_size = sizeof(struct cradle_options),
    .make = make,
};
