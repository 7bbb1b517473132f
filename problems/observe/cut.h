// SPDX-License-Identifier: Apache-2.0
// Forces across surfaces in a packing; see cut.c.
#ifndef DLS_PROBLEMS_OBSERVE_CUT_H
#define DLS_PROBLEMS_OBSERVE_CUT_H

#include "problems/observe/observed.h"

// A plane (in two dimensions a line) through `point` with unit normal n, or, with a
// radius, the cylinder of that radius about the vertical axis through `point`. The outer
// side is that of n, or beyond the radius.
struct dls_cut {
    dls_vec3 point, n;
    double radius; // 0: a plane
};

// What the outer side does to the inner one.
struct dls_resultant {
    dls_vec3 force, moment; // moment about `point`
    int contacts;
};
// Contacts of two grains with centres on both sides, and of chosen grains only (both of
// them). Obstacles belong to no side.
struct dls_resultant dls_cut_resultant(const struct dls_observed *,
                                       const struct dls_cut *, dls_chosen *,
                                       const void *data);
// In the plane: the height y at which the resultant acts on the vertical line x = point.x
double dls_cut_height(const struct dls_cut *, const struct dls_resultant *);

// The same averaged over cuts moved along n over a length (ends included): one cut hangs
// on which grains it happens to part.
struct dls_resultant dls_cut_mean(const struct dls_observed *, const struct dls_cut *,
                                  double length, int count);

// Mean force density (radial, vertical) across a strip of a surface of revolution about
// the vertical axis through `axis`: the strip from (r, z) = from to (r, z) = to. A
// contact counts where the line between the two centres meets the strip. Positive side:
// left of the direction from -> to turned by -90 degrees, that is n = (dz, -dr).
struct dls_strip {
    dls_vec3 axis;
    double from[2], to[2];
};
struct dls_density {
    double r, z;             // force on the negative side per area
    double error_r, error_z; // standard errors from 8 azimuth sectors
    double area;
    int contacts;
};
struct dls_density dls_strip_density(const struct dls_observed *,
                                     const struct dls_strip *);

// nu . T' - nu' . T of two strips, nu their normals, and its standard error: zero within
// it where the stress is symmetric.
double dls_reciprocity(const struct dls_strip[2], const struct dls_density[2],
                       double *error);

#endif
