// SPDX-License-Identifier: Apache-2.0
// Displacement fields between two instants, and how they turn; see field.c.
#ifndef DLS_PROBLEMS_OBSERVE_FIELD_H
#define DLS_PROBLEMS_OBSERVE_FIELD_H

#include "problems/observe/fraction.h"
#include "problems/observe/observed.h"

// Centres at two instants, `count` of each; in space use the meridian plane (below).
struct dls_displaced {
    int count;
    const dls_vec3 *from, *to;
};

// Centres of a state (q of the system), count of them.
void dls_centres(const struct dls_sim *, dls_vec3 *to);

// (r, z, 0) of points in space about the vertical axis through the origin: the plane in
// which a cylinder's circulation shows.
void dls_meridian_plane(int count, const dls_vec3 *from, dls_vec3 *to);

// Over the grains that start in a region of the plane: how many, mean displacement, mean
// square of |D|, and J = sum (x - x_c) x D / sum |x - x_c|^2 with x_c their centroid.
struct dls_flow {
    int count;
    dls_vec3 mean;
    double square, J;
};
struct dls_flow dls_flow_in(const struct dls_displaced *, const struct dls_region *);

// Mean displacements by cells of a grid (row by row, across x up): cells with fewer than
// three grains are NAN. `field` has across * up entries.
struct dls_grid {
    struct dls_region region;
    int across, up;
};
void dls_flow_grid(const struct dls_displaced *, const struct dls_grid *,
                   dls_vec3 *field);

#endif
