// SPDX-License-Identifier: Apache-2.0
// What a heap about the vertical through the origin gives to the ground; see ground.c.
#ifndef DLS_PROBLEMS_OBSERVE_GROUND_H
#define DLS_PROBLEMS_OBSERVE_GROUND_H

#include "problems/observe/observed.h"

// Three mean diameters: a usual width of annuli.
double dls_ground_annulus(const struct dls_observed *);

// Pressure of all obstacles in annuli about the axis, in the plane in pairs of strips;
// returns the force beyond them.
double dls_ground_annuli(const struct dls_observed *, int count, double width,
                         double *p);

// The grains whose centres are within `half` of the axis, upward:
//     lift + reaction = weight + momentum, exactly.
struct dls_slice {
    double lift;     // what the other grains give it
    double weight;   // the load on it, downward
    double reaction; // what obstacles give it
    double momentum; // sum of m a
};
struct dls_slice dls_slice_of(const struct dls_observed *, double half);

// How far from the axis the outermost grain on an obstacle is.
double dls_ground_reach(const struct dls_observed *);

#endif
