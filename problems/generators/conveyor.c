// SPDX-License-Identifier: Apache-2.0
// Blocks in a row on a moving belt, held back by a fixed stop: an obstacle that moves
// (w_ob != 0) while another stands, beside external forces. The belt drags the blocks
// along +x against the stop; each rests on two corners and touches its neighbour with
// two corners, so the row is hyperstatic. `lift` gives the belt a vertical velocity
// too.
//
//   w_ob = -(n, t) . (speed, lift)   at the contacts with the belt, 0 elsewhere
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct conveyor_options {
    int n, stop;
    double density, length, height, speed, lift, push;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(conveyor_options, n, 5, 1, 1000000, "number of blocks"),
    DLS_CHOICE(conveyor_options, stop, 1, "no|yes", "a fixed stop at the right end"),
    DLS_REAL(conveyor_options, density, 500, 1e-9, 1e9, "mass per area of the blocks"),
    DLS_REAL(conveyor_options, length, 0.4, 1e-6, 1e6, "length of a block"),
    DLS_REAL(conveyor_options, height, 0.3, 1e-6, 1e6, "height of a block"),
    DLS_REAL(conveyor_options, speed, 0.5, -1e6, 1e6, "belt velocity along x"),
    DLS_REAL(conveyor_options, lift, 0, -1e6, 1e6, "belt velocity along y"),
    DLS_REAL(conveyor_options, push, -0.2, -1e6, 1e6,
             "horizontal force on the first block, in weights of it"),
    DLS_ROWS_LAW(conveyor_options, 0.4),
    DLS_ROWS_STEP(conveyor_options),
    {0},
};

// Two corners of block k on the belt.
static void on_belt(struct dls_build *b, const struct conveyor_options *o, int k)
{
    for (int side = 0; side < 2; side++)
        dls_build_touch(b, (struct dls_touch){
                               .body = k,
                               .other = -1,
                               .point = {(k + side) * o->length, 0, 0},
                               .n = {0, 1, 0},
                               .surface = {o->speed, o->lift, 0},
                               .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
                           });
}

// Two corners of the right face of block k against the next block, or the stop.
static void on_right(struct dls_build *b, const struct conveyor_options *o, int k)
{
    for (int side = 0; side < 2; side++)
        dls_build_touch(b, (struct dls_touch){
                               .body = k,
                               .other = k + 1 < o->n ? k + 1 : -1,
                               .point = {(k + 1) * o->length, side * o->height, 0},
                               .n = {-1, 0, 0},
                               .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
                           });
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct conveyor_options *o = opt;
    struct dls_build b;
    if (!dls_build_open(&b, 2, o->n, 4 * o->n, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    for (int k = 0; k < o->n; k++) {
        dls_vec3 at = {(k + 0.5) * o->length, o->height / 2, 0};
        struct dls_body block =
            dls_body_box(o->density, (dls_vec3){o->length, o->height, 1}, at);
        if (k == 0) block.force.x = o->push * block.mass * o->gravity;
        dls_build_body(&b, block);
    }
    for (int k = 0; k < o->n; k++) {
        on_belt(&b, o, k);
        if (k + 1 < o->n || o->stop) on_right(&b, o, k);
    }
    struct dls_origin origin = {"conveyor", options, opt,
                                "Blocks on a moving belt, held back by a fixed stop."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_conveyor = {
    .name = "conveyor",
    .brief = "blocks on a moving belt, held back by a fixed stop",
    .options = options,
    .options_size = sizeof(struct conveyor_options),
    .make = make,
};
