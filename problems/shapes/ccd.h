// SPDX-License-Identifier: Apache-2.0
// Convex bodies in space through libccd; see ccd.c.
#ifndef DLS_PROBLEMS_SHAPES_CCD_H
#define DLS_PROBLEMS_SHAPES_CCD_H

#include "problems/shapes/detect.h"

// The point of a body (ball, cylinder block, polyhedron) farthest along a direction.
dls_vec3 dls_support(const struct dls_placed *, dls_vec3 direction);

// min n . x over the first - max n . y over the second: their gap along a unit n that
// points from the second towards the first.
double dls_support_gap(const struct dls_placed *, const struct dls_placed *,
                       dls_vec3 n);

// The direction in which the gap of two bodies is largest, if their gap is known to lie
// between `least` and `reach`; false where no direction was found.
bool dls_ccd_normal(const struct dls_placed *, const struct dls_placed *, double least,
                    double reach, dls_vec3 *n);

// Replaces n by a direction near it in which the gap is a local maximum.
void dls_support_climb(const struct dls_placed *, const struct dls_placed *,
                       dls_vec3 *n);

// The best direction across `edge` within 0.2 of n (which it replaces); n is left alone
// where it runs along the edge.
void dls_support_ridge(const struct dls_placed *, const struct dls_placed *,
                       dls_vec3 edge, dls_vec3 *n);

#endif
