// SPDX-License-Identifier: Apache-2.0
// Shapes, obstacles and the points where they touch; see detect.c.
#ifndef DLS_PROBLEMS_DETECT_H
#define DLS_PROBLEMS_DETECT_H

#include "base/vec3.h"

#include <stdint.h>

enum dls_shape_kind { DLS_SHAPE_BALL, DLS_SHAPE_CORNERS };

// A disk or sphere about the centre of mass, or a convex body given by its corners in
// body axes.
struct dls_shape {
    enum dls_shape_kind kind;
    double radius;
    int corners;
    dls_vec3 corner[8];
};

struct dls_shape dls_shape_ball(double radius);
// A rectangle (edges.z = 0) or a box with these edges.
struct dls_shape dls_shape_box(dls_vec3 edges);

// A half-space, body side n . (x - point) > 0, that may move.
struct dls_plane {
    dls_vec3 point, n; // at time 0; n is a unit vector
    // Displacement and velocity at time t; NULL: at rest.
    void (*motion)(double t, dls_vec3 *shift, dls_vec3 *velocity);
};

// Where a body is: its centre, and its axes in space.
struct dls_pose {
    dls_vec3 at, axis[3];
};

// A touching point between two bodies or a body and a plane.
struct dls_meeting {
    dls_vec3 point, n; // n from the other towards the body
    dls_vec3 surface;  // velocity of the obstacle
    double gap;
    int feature; // which corner; numbers the points of one pair
};

enum { DLS_MEETINGS = 8 };

// Points of a shape at a pose within `reach` of a plane; returns how many.
int dls_detect_plane(const struct dls_shape *, const struct dls_pose *,
                     const struct dls_plane *, double t, double reach,
                     struct dls_meeting meeting[DLS_MEETINGS]);

// Points of two balls; returns 0 or 1.
int dls_detect_balls(const struct dls_shape *, const struct dls_pose *,
                     const struct dls_shape *, const struct dls_pose *, double reach,
                     struct dls_meeting *);

#endif
