// SPDX-License-Identifier: Apache-2.0
// Pairs of balls that may touch, good for several steps; see neighbours.c.
#ifndef DLS_PROBLEMS_SHAPES_NEIGHBOURS_H
#define DLS_PROBLEMS_SHAPES_NEIGHBOURS_H

#include "problems/shapes/grid.h"

// A zeroed struct with an arena is an empty list.
struct dls_neighbours {
    struct dls_arena
        *arena;            // pairs that were outgrown stay in it: at most as much again
    struct dls_nears near; // by i, then j
    int count, movable, room;
    struct dls_bound *made; // the balls of which the list was made
    double reach, skin;     // likewise
    long builds;            // how often
};

// Brings the list up to date: it holds all pairs with |x_i - x_j| <= r_i + r_j + reach
// and i < movable, and others. False when memory runs out.
bool dls_neighbours_update(struct dls_neighbours *, int dim, int count, int movable,
                           const struct dls_bound *, double reach);

#endif
