// SPDX-License-Identifier: Apache-2.0
// A brick wall in the plane, two contacts per joint; the layout is in wall.c.
#include "problems/generators/generator.h"
#include "problems/generators/wall.h"

static const struct dls_option options[] = {
    DLS_ROWS_WALL(6, 5, 2),
    DLS_ROWS_LAW(dls_wall, 0.5),
    DLS_ROWS_STEP(dls_wall),
    {0},
};

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    struct dls_origin origin = {"brick-wall-2d", options, opt,
                                "A dry brick wall in running bond, in the plane; one "
                                "brick of the middle course is pushed."};
    return dls_wall_make(opt, 2, p, &origin, a);
}

const struct dls_generator dls_generator_brick_wall_2d = {
    .name = "brick-wall-2d",
    .brief = "a dry brick wall in the plane, pushed or shaken along its length",
    .options = options,
    .options_size = sizeof(struct dls_wall),
    .make = make,
};
