// SPDX-License-Identifier: Apache-2.0
// The stones of the bridge; see bridge_stones.c.
#ifndef DLS_PROBLEMS_EXAMPLES_BRIDGE_STONES_H
#define DLS_PROBLEMS_EXAMPLES_BRIDGE_STONES_H

#include "problems/mechanics/rigid.h"

struct dls_bridge_options {
    int stones, courses;
    double radius, thickness, opening, mu, speed, density, gravity, step, end;
};

struct dls_bridge {
    struct dls_bridge_options o;
    struct dls_rigid *rigid; // NULL while blocks are only counted
    int blocks;
    struct dls_ramp push; // motion of the object
    struct dls_arena *arena;
};

// The voussoirs are bodies 0 to stones - 1 from left to right, the springings obstacles 0
// and 1. An even number of stones becomes odd: one is the key. NULL when memory runs out.
struct dls_bridge *dls_bridge_make(const struct dls_bridge_options *,
                                   struct dls_arena *);

#endif
