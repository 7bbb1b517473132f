// SPDX-License-Identifier: Apache-2.0
// Mass and inertia of shapes; balls and boxes are in build.h.
#ifndef DLS_PROBLEMS_MECHANICS_SHAPE_MASS_H
#define DLS_PROBLEMS_MECHANICS_SHAPE_MASS_H

#include "problems/mechanics/build.h"
#include "problems/shapes/shape.h"

// Moves the corners of a polygon so that the centre of mass becomes the origin; returns
// where it was.
dls_vec3 dls_polygon_centre(int corners, dls_vec3 *corner);

// A solid polygon of mass rho per area, the origin of its corners being the centre of
// mass, and a solid cylinder block of density rho.
struct dls_body dls_body_polygon(double rho, const struct dls_shape *, dls_vec3 at);
struct dls_body dls_body_cylinder(double rho, const struct dls_shape *, dls_vec3 at);

#endif
