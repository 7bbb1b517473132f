// SPDX-License-Identifier: Apache-2.0
// Which balls of any sizes come near each other; see grid.c.
#ifndef DLS_PROBLEMS_SHAPES_GRID_H
#define DLS_PROBLEMS_SHAPES_GRID_H

#include "base/arena.h"
#include "base/vec3.h"

#include <stdbool.h>

// A ball that bounds something.
struct dls_bound {
    dls_vec3 at;
    double radius;
};

struct dls_near {
    int i, j;              // i < j
    unsigned char hint[2]; // of detection, see detect.h
};

struct dls_nears {
    int count, room;
    struct dls_near *all; // by i, then j
};

// All pairs with |x_i - x_j| <= r_i + r_j + reach and i < movable: those behind, which
// stand still, do not ask for each other. Memory of the result is from the
// arena; DLS_ENOMEM shows in arena->failed.
void dls_grid_pairs(struct dls_nears *, int dim, int count, int movable,
                    const struct dls_bound *, double reach, struct dls_arena *);

#endif
