// SPDX-License-Identifier: Apache-2.0
// The harmonic overhang: n equal blocks of length L piled over the edge of a table. The
// j-th block from the top reaches `reach` L / 2j beyond the one below, so that the top
// reaches `reach` L / 2 (1 + 1/2 + ... + 1/n) beyond the edge. The pile stands if
// reach <= 1; at reach = 1 each block balances on the edge below it and the impulses
// are unique. Two contacts per interface, at the ends of the overlap.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct overhang_options {
    int n;
    double reach, density, length, height;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(overhang_options, n, 8, 1, 1000000, "number of blocks"),
    DLS_REAL(overhang_options, reach, 1, 0, 1.9, "overhang, 1 = the most that stands"),
    DLS_REAL(overhang_options, density, 1000, 1e-9, 1e9, "mass per area"),
    DLS_REAL(overhang_options, length, 1, 1e-6, 1e6, "length of a block"),
    DLS_REAL(overhang_options, height, 0.2, 1e-6, 1e6, "height of a block"),
    DLS_ROWS_LAW(overhang_options, 0.5),
    DLS_ROWS_STEP(overhang_options),
    {0},
};

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct overhang_options *o = opt;
    struct dls_build b;
    if (!dls_build_open(&b, 2, o->n, 2 * o->n, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    double below = 0; // right end of what carries the block; the edge of the table is 0
    for (int k = 0; k < o->n; k++) {
        double right = below + o->reach * o->length / (2.0 * (o->n - k));
        dls_vec3 at = {right - o->length / 2, (k + 0.5) * o->height, 0};
        dls_vec3 edges = {o->length, o->height, 1};
        dls_build_body(&b, dls_body_box(o->density, edges, at));
        double ends[] = {right - o->length, below};
        for (int side = 0; side < 2; side++)
            dls_build_touch(&b, (struct dls_touch){
                                    .body = k,
                                    .other = k - 1,
                                    .point = {ends[side], k * o->height, 0},
                                    .n = {0, 1, 0},
                                    .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
                                });
        below = right;
    }
    struct dls_origin origin = {"overhang", options, opt,
                                "Blocks piled over the edge of a table."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_overhang = {
    .name = "overhang",
    .brief = "blocks piled over the edge of a table, up to the harmonic limit",
    .options = options,
    .options_size = sizeof(struct overhang_options),
    .make = make,
};
