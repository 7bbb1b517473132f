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

// The share of the others whose centres are lower (y) than that of k; and where the
// surface is: 95 % of the centres (NAN: not there) lie below, NAN when memory runs out.
double dls_rank(int count, const dls_vec3 *at, int k);
double dls_surface(int count, const dls_vec3 *at, struct dls_arena *);

// Over the grains that start in a region of the plane: how many, mean displacement, mean
// square of |D|, and J = sum (x - x_c) x D / sum |x - x_c|^2 with x_c their centroid.
struct dls_flow {
    int count;
    dls_vec3 mean;
    double square, J;
};
struct dls_flow dls_flow_in(const struct dls_displaced *, const struct dls_region *);

// How grains circulate between upright walls x = left and x = right; with `axis` the
// left one is the axis of a cylinder (meridian plane) and no wall. Walls reach `layer`
// inside, the core is the inner half, corners are the upper squares of a quarter of the
// distance between walls (in a cylinder: of the diameter) below `surface`, `low` is the
// lower half of the pack above `bottom`.
struct dls_basin {
    double left, right, layer, bottom, surface;
    bool axis;
};
struct dls_circulation {
    struct dls_flow left, right; // upper corners; left.count = 0 with an axis
    struct dls_flow low;
    double wall, core, all; // mean vertical displacements; NAN where nobody starts
};
struct dls_circulation dls_circulation(const struct dls_displaced *,
                                       const struct dls_basin *);

// Mean displacements by cells of a grid (row by row, across x up): cells with fewer than
// three grains are NAN. `field` has across * up entries.
struct dls_grid {
    struct dls_region region;
    int across, up;
};
void dls_flow_grid(const struct dls_displaced *, const struct dls_grid *,
                   dls_vec3 *field);

#endif
