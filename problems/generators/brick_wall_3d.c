// SPDX-License-Identifier: Apache-2.0
// A brick wall in space, four contacts per joint; the layout is in wall.c.
#include "problems/generators/generator.h"
#include "problems/generators/wall.h"

static const struct dls_option options[] = {
    DLS_ROWS_WALL(4, 3, 2),
    DLS_REAL(dls_wall, depth, 0.115, 1e-6, 1e6, "depth of a brick"),
    DLS_REAL(dls_wall, accel_y, 0, -1e3, 1e3,
             "acceleration of the ground across the wall, in g"),
    DLS_ROWS_LAW(dls_wall, 0.5),
    DLS_ROWS_STEP(dls_wall),
    {0},
};

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    struct dls_origin origin = {"brick-wall-3d", options, opt,
                                "A dry brick wall in running bond, in space; one brick "
                                "of the middle course is pushed."};
    return dls_wall_make(opt, 3, p, &origin, a);
}

const struct dls_generator dls_generator_brick_wall_3d = {
    .name = "brick-wall-3d",
    .brief = "a dry brick wall in space, pushed or shaken, strongly hyperstatic",
    .options = options,
    .options_size = sizeof(struct dls_wall),
    .make = make,
};
