// SPDX-License-Identifier: Apache-2.0
// A rigid table on four legs: 12 rows over 6 velocities, hence hyperstatic. Centred and
// unpushed, with feet numbered around the table,
//
//   r_N = mgh/4 + t (1, -1, 1, -1),   |t| <= mgh/4,
//
// for every t: the velocity and the total wrench are unique, the impulses are not. A
// load off the centre or a horizontal push makes feet lift or slip.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

struct four_leg_table_options {
    double mass, length, width, height;
    double load, load_x, load_y, push;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_REAL(four_leg_table_options, mass, 20, 1e-9, 1e9, "mass of the table"),
    DLS_REAL(four_leg_table_options, length, 1.6, 1e-6, 1e6, "distance of feet in x"),
    DLS_REAL(four_leg_table_options, width, 0.8, 1e-6, 1e6, "distance of feet in y"),
    DLS_REAL(four_leg_table_options, height, 0.7, 1e-6, 1e6, "height of the centre"),
    DLS_REAL(four_leg_table_options, load, 0, 0, 1e6,
             "vertical force on the table, in weights of it"),
    DLS_REAL(four_leg_table_options, load_x, 0, -10, 10,
             "place of the load, 1 = above the feet at +length/2"),
    DLS_REAL(four_leg_table_options, load_y, 0, -10, 10,
             "place of the load, 1 = above the feet at +width/2"),
    DLS_REAL(four_leg_table_options, push, 0, -1e6, 1e6,
             "horizontal force along x at the centre, in weights of the table"),
    DLS_ROWS_LAW(four_leg_table_options, 0.5),
    DLS_ROWS_STEP(four_leg_table_options),
    {0},
};

// The mass sits in the top, a plate that is thin against the table.
static struct dls_body table(const struct four_leg_table_options *o)
{
    double x = o->length, y = o->width, weight = o->mass * o->gravity;
    double share = o->mass / 12, load = o->load * weight;
    dls_vec3 arm = {o->load_x * x / 2, o->load_y * y / 2, 0}, down = {0, 0, -load};
    return (struct dls_body){
        .mass = o->mass,
        .inertia = {share * y * y, share * x * x, share * (x * x + y * y)},
        .at = {0, 0, o->height},
        .force = {o->push * weight, 0, -load},
        .torque = dls_vec3_cross(arm, down),
    };
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct four_leg_table_options *o = opt;
    static const int side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    struct dls_build b;
    if (!dls_build_open(&b, 3, 1, 4, a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    int top = dls_build_body(&b, table(o));
    for (int k = 0; k < 4; k++)
        dls_build_touch(
            &b, (struct dls_touch){
                    .body = top,
                    .other = -1,
                    .point = {side[k][0] * o->length / 2, side[k][1] * o->width / 2, 0},
                    .n = {0, 0, 1},
                    .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
                });
    struct dls_origin origin = {"four-leg-table", options, opt,
                                "A rigid table on four legs: the impulses are not "
                                "unique, velocity and total wrench are."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_four_leg_table = {
    .name = "four-leg-table",
    .brief = "a rigid table on four legs, the smallest hyperstatic problem in space",
    .options = options,
    .options_size = sizeof(struct four_leg_table_options),
    .make = make,
};
