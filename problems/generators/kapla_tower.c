// SPDX-License-Identifier: Apache-2.0
// A tower of planks: layers of two parallel planks, each layer across the one below.
//
// Planks are 3 to 5 times as long as wide and lie flat (120 x 24 x 8 mm in the toy). Those
// of even layers point along x, those of odd ones along y; the two of a layer are as far
// apart as their length allows, so that every crossing is a square whose edge is the width.
// A crossing carries contacts at its four corners, a plank of the lowest layer stands on its
// four corners:
//
//     contacts = 8 + 16 (layers - 1),   48 rows over 12 velocities a layer: m/n near 4.
//
// Under its weight one answer is w / 16 a corner, w what stands above the crossing's layer;
// there are many others. The table accelerates along x: every crossing can slide by itself,
// and a tower of height Z and base b starts to tip at b / Z of g. Bodies are numbered by
// layers, contacts by bodies. Cost: linear.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct kapla_options {
    int layers;
    double length, width, height, density, accel;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(kapla_options, layers, 20, 1, 100000, "number of layers"),
    DLS_REAL(kapla_options, length, 0.12, 1e-6, 1e6, "length of a plank, m"),
    DLS_REAL(kapla_options, width, 0.024, 1e-6, 1e6, "width of a plank"),
    DLS_REAL(kapla_options, height, 0.008, 1e-6, 1e6, "height of a plank"),
    DLS_REAL(kapla_options, density, 600, 1e-9, 1e9, "density"),
    DLS_REAL(kapla_options, accel, 0, -1e3, 1e3, "of the table along x, in g"),
    DLS_ROWS_LAW(kapla_options, 0.5),
    DLS_ROWS_STEP(kapla_options),
    {0},
};

static void add_plank(struct dls_build *b, const struct kapla_options *o, int layer,
                      int side)
{
    bool across = layer % 2; // points along y
    double apart = 0.5 * (o->length - o->width), off = side ? apart : -apart;
    dls_vec3 edges = {across ? o->width : o->length, across ? o->length : o->width,
                      o->height};
    dls_vec3 at = {across ? off : 0, across ? 0 : off, (layer + 0.5) * o->height};
    struct dls_body plank = dls_body_box(o->density, edges, at);
    plank.force.x = -o->accel * plank.mass * o->gravity;
    struct dls_touch c = {
        .body = dls_build_body(b, plank),
        .other = -1,
        .point = {at.x, at.y, layer * o->height},
        .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
    };
    if (!layer) dls_build_corners(b, c, edges.x, edges.y);
    for (int k = 0; k < 2 && layer; k++) { // both planks of the layer below
        c.other = 2 * (layer - 1) + k;
        *(across ? &c.point.y : &c.point.x) = k ? apart : -apart;
        dls_build_corners(b, c, o->width, o->width);
    }
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    const struct kapla_options *o = opt;
    struct dls_build b;
    if (o->width >= o->length)
        return dls_fail(err, DLS_EINVAL, "kapla-tower: width %g is not below length %g",
                        o->width, o->length);
    if (!dls_build_open(&b, 3, 2 * o->layers, 8 + 16 * (o->layers - 1), a))
        return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    for (int layer = 0; layer < o->layers; layer++)
        for (int side = 0; side < 2; side++) add_plank(&b, o, layer, side);
    struct dls_origin origin = {"kapla-tower", options, opt,
                                "Layers of two planks, each across the one below."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_kapla_tower = {
    .name = "kapla-tower",
    .brief = "a tower of crossed planks, four times as many rows as velocities",
    .options = options,
    .options_size = sizeof(struct kapla_options),
    .make = make,
};
