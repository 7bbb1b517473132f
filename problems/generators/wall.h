// SPDX-License-Identifier: Apache-2.0
// Brick walls in running bond, in the plane and in space; see wall.c.
#ifndef DLS_PROBLEMS_GENERATORS_WALL_H
#define DLS_PROBLEMS_GENERATORS_WALL_H

#include "problems/mechanics/build.h"

// The options of both generators.
struct dls_wall {
    int courses, bricks, heads;
    double density, length, height, depth;
    double push, accel_x, accel_y;
    double mu, e_n, e_t, gravity, step;
};

// Rows that both tables share.
#define DLS_ROWS_WALL(courses_def, bricks_def, push_def)                               \
    DLS_INT(dls_wall, courses, courses_def, 1, 2000, "number of courses"),             \
        DLS_INT(dls_wall, bricks, bricks_def, 1, 2000, "bricks in a course"),          \
        DLS_CHOICE(dls_wall, heads, 0, "no|yes", "contacts in the vertical joints"),   \
        DLS_REAL(dls_wall, density, 1800, 1e-9, 1e9, "density"),                       \
        DLS_REAL(dls_wall, length, 0.24, 1e-6, 1e6, "length of a brick"),              \
        DLS_REAL(dls_wall, height, 0.07, 1e-6, 1e6, "height of a brick"),              \
        DLS_REAL(dls_wall, push, push_def, -1e6, 1e6,                                  \
                 "force on the first brick of the middle course, in its weights"),     \
        DLS_REAL(dls_wall, accel_x, 0, -1e3, 1e3,                                      \
                 "acceleration of the ground along the wall, in g")

// The wall in `dim` dimensions.
enum dls_status dls_wall_make(const struct dls_wall *, int dim, struct dls_problem *,
                              const struct dls_origin *, struct dls_arena *);

#endif
