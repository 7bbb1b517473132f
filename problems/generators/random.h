// SPDX-License-Identifier: Apache-2.0
// What generators of random problems draw.
#ifndef DLS_PROBLEMS_GENERATORS_RANDOM_H
#define DLS_PROBLEMS_GENERATORS_RANDOM_H

#include "problems/mechanics/build.h"

#include "base/rng.h"

// Normal numbers in the first `dim` entries.
static inline dls_vec3 dls_random_normals(struct dls_rng *g, int dim)
{
    dls_vec3 v = {0};
    v.x = dls_rng_normal(g);
    v.y = dls_rng_normal(g);
    if (dim == 3) v.z = dls_rng_normal(g);
    return v;
}

// A body at rest: masses within so many decades around 1, inertias of half the mass and
// more.
static inline struct dls_body dls_random_body(struct dls_rng *g, int dim,
                                              double decades)
{
    struct dls_body b = {.mass = pow(10, decades * dls_rng_range(g, -0.5, 0.5))};
    b.inertia.x = b.mass * dls_rng_range(g, 0.5, 1);
    b.inertia.y = b.mass * dls_rng_range(g, 0.5, 1);
    b.inertia.z = b.mass * dls_rng_range(g, 0.5, 1);
    b.at = dls_random_normals(g, dim);
    return b;
}

#endif
