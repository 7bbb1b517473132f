// SPDX-License-Identifier: Apache-2.0
// Obstacles, and the points where shapes touch; see detect.c.
#ifndef DLS_PROBLEMS_SHAPES_DETECT_H
#define DLS_PROBLEMS_SHAPES_DETECT_H

#include "problems/shapes/motion.h"
#include "problems/shapes/shape.h"

#include "base/vec3.h"

// A half-space, body side n . (x - point) > 0, that may move.
struct dls_plane {
    dls_vec3 point, n;  // at time 0; n is a unit vector
    dls_motion *motion; // NULL: at rest
    const void *data;   // of the motion
};

enum dls_obstacle_kind {
    DLS_OBSTACLE_PLANE,
    DLS_OBSTACLE_WALL,      // segment in the plane, from `point` to `end`, two-sided
    DLS_OBSTACLE_CONTAINER, // for balls: inside a cylinder about the line (point, n)
    DLS_OBSTACLE_SHAPE,     // a shape at a pose: paved ground, steps, ...
};

// Something that does not obey forces. Members are meant at time 0.
struct dls_obstacle {
    enum dls_obstacle_kind kind;
    dls_vec3 point, n, end;
    double radius; // of a container
    struct dls_shape shape;
    struct dls_pose pose;
    dls_motion *motion;
    const void *data;
};

// A touching point between two bodies or a body and an obstacle.
struct dls_meeting {
    dls_vec3 point, n; // n from the other towards the body
    dls_vec3 surface;  // velocity of the obstacle
    double gap;        // positive apart, negative when they overlap
    int feature;       // what touches, below 2^16; numbers the points of one pair
};

enum { DLS_MEETINGS = 16 };

// Two balls within `reach`; see detect.c.
static inline bool dls_balls_meet(dls_vec3 a, double radius_a, dls_vec3 b,
                                  double radius_b, double reach,
                                  struct dls_meeting *meeting)
{
    dls_vec3 across = dls_vec3_sub(a, b);
    double distance = dls_vec3_norm(across), gap = distance - radius_a - radius_b;
    if (!(gap <= reach)) return false;
    meeting->n =
        distance > 0 ? dls_vec3_scale(1 / distance, across) : (dls_vec3){1, 0, 0};
    meeting->point = dls_vec3_add(b, dls_vec3_scale(radius_b + 0.5 * gap, meeting->n));
    meeting->surface = (dls_vec3){0, 0, 0};
    meeting->gap = gap;
    meeting->feature = 0;
    return true;
}

// A shape somewhere.
struct dls_placed {
    const struct dls_shape *shape;
    struct dls_pose pose;
};

// Points of a body and another within `reach`; returns how many. In the plane (dim = 2)
// shapes are balls and polygons, in space (dim = 3) all but polygons.
int dls_detect_pair(const struct dls_placed *body, const struct dls_placed *other,
                    int dim, double reach, struct dls_meeting[DLS_MEETINGS]);

// The same for two polygons (dim = 2) or two polyhedra (dim = 3) that are placed. `hint`
// tells where to look first, and is left for the next time: what is found does not depend
// on it, and zeros are a hint too.
int dls_detect_solids(const struct dls_solid *body, const struct dls_solid *other,
                      double reach, unsigned char hint[2],
                      struct dls_meeting[DLS_MEETINGS]);

// A body, and an obstacle where its motion has brought it.
struct dls_facing {
    const struct dls_placed *body;
    const struct dls_obstacle *obstacle;
    const struct dls_drive *drive;
};
// Points of both within `reach`; returns how many.
int dls_detect_obstacle(const struct dls_facing *, int dim, double reach,
                        struct dls_meeting[DLS_MEETINGS]);

// Where an obstacle of kind DLS_OBSTACLE_SHAPE is.
struct dls_placed dls_obstacle_place(const struct dls_obstacle *,
                                     const struct dls_drive *);

#endif
