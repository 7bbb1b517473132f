// SPDX-License-Identifier: Apache-2.0
// A square pyramid of boxes on the ground: a structure in all three directions.
//
// Layer k = 0 ... `layers` - 1 from the ground has s x s boxes, s = layers - k, at a pitch
// of edge (1 + space), so that boxes of one layer do not touch. Box (i, j) lies on the
// boxes (i, j), (i+1, j), (i, j+1), (i+1, j+1) of the layer below and meets each in a
// square of edge (1 - space) / 2, which carries contacts at its corners: 16 contacts a
// box, 48 rows over 6 velocities. A box of the lowest layer stands on its 4 corners.
//
//   contacts = 4 layers^2 + 16 (1^2 + 2^2 + ... + (layers - 1)^2)
//
// The squares under a box and those on it are the same in plan: at rest the impulses
// that pass straight down through each corner, h/16 of the weight more with every box,
// are one of many answers.
//
// The ground starts to turn about the pyramid's axis, with the velocity `twist` at the
// middle of the lowest edges. A pile of one friction coefficient follows ground of up to
// mu g h: near the axis contacts stick, farther out they slide. There is a solution: all
// bodies turning with the ground, the upper ones rising faster, give u inside K*.
//
// Bodies are numbered by layers from the ground, then by j, then by i; contacts by
// bodies. Cost: linear.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct pyramid_options {
    int layers;
    double edge, height, space, density, twist;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(pyramid_options, layers, 4, 1, 200, "number of layers"),
    DLS_REAL(pyramid_options, edge, 0.2, 1e-6, 1e6, "edge of a box along x and y"),
    DLS_REAL(pyramid_options, height, 0.1, 1e-6, 1e6, "height of a box"),
    DLS_REAL(pyramid_options, space, 0.1, 0, 0.9, "between boxes of a layer, in edges"),
    DLS_REAL(pyramid_options, density, 2000, 1e-9, 1e9, "density"),
    DLS_REAL(pyramid_options, twist, 0.075, -1e6, 1e6,
             "velocity of the turning ground at the middle of an edge"),
    DLS_ROWS_LAW(pyramid_options, 0.5),
    DLS_ROWS_STEP(pyramid_options),
    {0},
};

// 1^2 + 2^2 + ... + k^2.
static int squares(int k) { return k * (k + 1) * (2 * k + 1) / 6; }

// Number of box (i, j) of a layer.
static int box_of(const struct pyramid_options *o, int layer, int i, int j)
{
    int side = o->layers - layer;
    return squares(o->layers) - squares(side) + j * side + i;
}

static dls_vec3 centre(const struct pyramid_options *o, int layer, int i, int j)
{
    double pitch = o->edge * (1 + o->space);
    return (dls_vec3){pitch * (i + 0.5 * layer), pitch * (j + 0.5 * layer),
                      o->height * (layer + 0.5)};
}

// Velocity of the ground at a point: that of a turntable.
static dls_vec3 ground(const struct pyramid_options *o, dls_vec3 point)
{
    double pitch = o->edge * (1 + o->space), middle = pitch * (o->layers - 1) / 2;
    double spin = o->twist / (middle + o->edge / 2);
    return (dls_vec3){-spin * (point.y - middle), spin * (point.x - middle), 0};
}

static void add_box(struct dls_build *b, const struct pyramid_options *o, int layer,
                    int i, int j)
{
    dls_vec3 at = centre(o, layer, i, j);
    dls_vec3 edges = {o->edge, o->edge, o->height};
    struct dls_touch c = {
        .body = dls_build_body(b, dls_body_box(o->density, edges, at)),
        .other = -1,
        .point = at,
        .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
    };
    c.point.z -= o->height / 2;
    if (layer == 0) {
        struct dls_touch *corner = &b->touch[dls_build_corners(b, c, o->edge, o->edge)];
        for (int k = 0; k < 4; k++) corner[k].surface = ground(o, corner[k].point);
        return;
    }
    double square = o->edge * (1 - o->space) / 2;
    for (int k = 0; k < 4; k++) {
        dls_vec3 below = centre(o, layer - 1, i + k % 2, j + k / 2);
        c.other = box_of(o, layer - 1, i + k % 2, j + k / 2);
        c.point.x = (at.x + below.x) / 2;
        c.point.y = (at.y + below.y) / 2;
        dls_build_corners(b, c, square, square);
    }
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct pyramid_options *o = opt;
    struct dls_build b;
    int contacts = 4 * o->layers * o->layers + 16 * squares(o->layers - 1);
    if (!dls_build_open(&b, 3, squares(o->layers), contacts, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    for (int layer = 0; layer < o->layers; layer++)
        for (int k = 0, side = o->layers - layer; k < side * side; k++)
            add_box(&b, o, layer, k % side, k / side);
    struct dls_origin origin = {"pyramid", options, opt,
                                "A square pyramid of boxes on ground that turns."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_pyramid = {
    .name = "pyramid",
    .brief = "a square pyramid of boxes on turning ground, strongly hyperstatic",
    .options = options,
    .options_size = sizeof(struct pyramid_options),
    .make = make,
};
