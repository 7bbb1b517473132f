// SPDX-License-Identifier: Apache-2.0
// The shape of a heap: its surface, its slope, its layers; see heap.c.
#ifndef DLS_PROBLEMS_OBSERVE_HEAP_H
#define DLS_PROBLEMS_OBSERVE_HEAP_H

#include "problems/observe/observed.h"

// The height of the surface at a place: the lowest point of a ball of that radius that
// was lowered along its vertical to the first grain; `floor` where it meets nobody.
double dls_surface_height(const struct dls_observed *, dls_vec3 at, double probe,
                          double floor);

// A cone (in the plane a triangle) about the vertical through the origin.
struct dls_heap {
    double height; // of the surface, mean over the middle
    double angle;  // of the slope, degrees
    double base;   // radius or half-width where the slope meets the floor
};
// Middle: within `middle` of the axis. Probes of the mean radius of the grains; the slope
// is a line fitted where the surface is between 20 and 80 % of the height.
struct dls_heap dls_heap_shape(const struct dls_observed *, double middle,
                               double floor);

// Direction of a layer in the half plane (r, z) of distance from the axis and height, in
// degrees from r: that of the grains around (r, z) whose numbers, which are their order
// of deposition, differ by less than `window` / 2 from those of the grains at (r, z).
// `error` is the standard error of the fit. NAN where too few grains are there.
struct dls_layer_at {
    double r, z;
    double near; // what counts as being at (r, z)
    double wide; // what counts as around it
    int window;
};
double dls_layer_angle(const struct dls_observed *, const struct dls_layer_at *,
                       double *error);

#endif
