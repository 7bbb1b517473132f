// SPDX-License-Identifier: Apache-2.0
// How much of a box is solid; see fraction.c.
#ifndef DLS_PROBLEMS_OBSERVE_FRACTION_H
#define DLS_PROBLEMS_OBSERVE_FRACTION_H

#include "problems/observe/observed.h"

struct dls_region {
    dls_vec3 lo, hi; // z does not count in the plane
};

// The smallest box around all grains.
struct dls_region dls_region_around(const struct dls_observed *);

// Area of a disk or a convex polygon (corners counterclockwise) inside a rectangle, and
// volume of a ball inside a box.
double dls_disk_inside(dls_vec3 centre, double radius, const struct dls_region *);
double dls_polygon_inside(int corners, const dls_vec3 *corner,
                          const struct dls_region *);
double dls_ball_inside(dls_vec3 centre, double radius, const struct dls_region *);

// Solid part of the region over the region. Disks, polygons and balls are clipped; other
// shapes count whole where their centre is inside.
double dls_solid_fraction(const struct dls_observed *, const struct dls_region *);

#endif
