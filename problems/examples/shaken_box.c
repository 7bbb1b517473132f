// SPDX-License-Identifier: Apache-2.0
// Beads between two plates, shaken: vortices in the upper corners [Moreau1994, 2, fig 1].
//
// Given: 1650 beads of 0.15 cm, cell 7.5 cm wide, 15 Hz, 0.3 cm peak to peak, friction
// 0.8 and restitution 0.7 between beads, 0.8 and 0.4 with sides and bottom, front plates
// ignored; 60 periods. The printed "1.332 g" is 1332 cm/s2, that is G = 1.358.
// Chosen: tangential restitution 0, inertia of spheres, rows that fell and settled, 20
// periods before the first counted one, 1000 steps a period (a bead moves 3 % of its
// radius in one). Scale s: s 1650 beads in a
// cell narrower by sqrt(s); below s = 1/4, 4 s 60 periods.
//
// The paper saw crystal-like order, and vortices in the upper corners that come and go;
// it does not say which way they turn. Its section 8 explains circulation by beads that
// go down along the walls and up inside: J > 0 in the left corner, J < 0 in the right.
//
// Checks: signs of J in the upper corner squares of side W/4; corners move more than the
// lower half. Twins that fail them: wall_mu=0 (nothing drags at the walls), peak=0.2 (G
// below 1: the pack never leaves the floor).
#include "problems/examples/shaken.h"
#include "problems/preparation/place.h"

#include <math.h>
#include <stdlib.h>

struct box_options {
    double diameter, width, frequency, peak, mu, e_n, e_t, wall_mu, wall_e;
    int beads, periods, discard, steps, seed;
};

static const struct dls_option options[] = {
    DLS_INT(box_options, beads, 1650, 2, 10000000, "beads at scale 1"),
    DLS_REAL(box_options, diameter, 0.15, 1e-6, 1e3, "of a bead, cm"),
    DLS_REAL(box_options, width, 7.5, 1e-6, 1e6, "of the cell at scale 1, cm"),
    DLS_REAL(box_options, frequency, 15, 1e-3, 1e6, "Hz"),
    DLS_REAL(box_options, peak, 0.3, 0, 1e3, "displacement, peak to peak, cm"),
    DLS_REAL(box_options, mu, 0.8, 0, 1e3, "friction between beads"),
    DLS_REAL(box_options, e_n, 0.7, 0, 1, "normal restitution between beads"),
    DLS_REAL(box_options, e_t, 0, 0, 1, "tangential restitution"),
    DLS_REAL(box_options, wall_mu, 0.8, 0, 1e3, "friction with sides and bottom"),
    DLS_REAL(box_options, wall_e, 0.4, 0, 1, "normal restitution there"),
    DLS_INT(box_options, periods, 60, 1, 1000000, "counted ones at scale 1"),
    DLS_INT(box_options, discard, 20, 0, 1000000, "periods before, at scale 1"),
    DLS_INT(box_options, steps, 1000, 10, 10000000, "time steps of a period"),
    DLS_INT(box_options, seed, 1, 0, 2147483647, "of the random places"),
    {0},
};

static const double gravity = 981;

static enum dls_status make_box(struct dls_scene *scene, struct dls_vessel *vessel,
                                const struct dls_asked *asked, struct dls_arena *a,
                                struct dls_error *err)
{
    const struct box_options *o = asked->options;
    int count = dls_scaled(asked, o->beads, 40);
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    double *radius = DLS_NEW(a, double, count);
    if (!radius) return DLS_ENOMEM;
    *vessel = (struct dls_vessel){
        .dim = 2,
        .width = o->width * sqrt((double)count / o->beads),
        .peak = o->peak,
        .frequency = o->frequency,
        .gravity = gravity,
        .grain = {o->mu, o->e_n, o->e_t},
        .wall = {o->wall_mu, o->wall_e, o->e_t},
    };
    dls_random_radii(count, o->diameter, o->diameter, &g, radius);
    struct dls_rigid *r = dls_vessel_fill(vessel, count, radius, true, &g, a);
    if (!r) return DLS_ENOMEM;
    enum dls_status status = dls_vessel_start(vessel, r, asked, a, err);
    if (status) return status;
    int periods = dls_scaled_time(asked, o->discard + o->periods, 2);
    *scene = (struct dls_scene){
        .h = 1 / (o->frequency * o->steps),
        .end = periods / o->frequency,
        .scheme = "moreau",
    };
    return dls_scene_rigid(scene, r, a);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    struct dls_vessel *vessel = DLS_NEW(a, struct dls_vessel, 1);
    return vessel ? make_box(scene, vessel, asked, a, err) : DLS_ENOMEM;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The height below which 95 % of the centres lie: the surface, without lone fliers.
static double surface(int count, const dls_vec3 *at, struct dls_arena *a)
{
    double *y = DLS_NEW(a, double, count);
    if (!y) return NAN;
    for (int k = 0; k < count; k++) y[k] = at[k].y;
    qsort(y, (size_t)count, sizeof *y, ascending);
    return y[(int)(0.95 * count)];
}

static void check_corners(struct dls_checks *c, const struct dls_shaking *s,
                          struct dls_arena *a)
{
    struct dls_displaced d = {s->grains, s->from, s->to};
    double W = s->vessel->width, top = surface(s->grains, s->from, a);
    double floor = -0.5 * s->vessel->peak;
    struct dls_region left = {{0, top - W / 4, 0}, {W / 4, INFINITY, 0}};
    struct dls_region right = {{W - W / 4, top - W / 4, 0}, {W, INFINITY, 0}};
    struct dls_region low = {{0, floor, 0}, {W, 0.5 * (top + floor), 0}};
    struct dls_flow l = dls_flow_in(&d, &left), r = dls_flow_in(&d, &right);
    struct dls_flow below = dls_flow_in(&d, &low);
    dls_check_least(c, "J in the upper left corner", l.J, 1e-6,
                    "down along the wall, up inside: counterclockwise");
    dls_check_most(c, "J in the upper right corner", r.J, -1e-6, "and clockwise");
    dls_check_least(c, "displacement in the corners over the lower half",
                    sqrt(0.5 * (l.square + r.square) / below.square), 1,
                    "the paper: vortices in the upper corners");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct box_options *o = asked->options;
    struct dls_scene scene;
    struct dls_vessel vessel;
    enum dls_status status = make_box(&scene, &vessel, asked, a, err);
    struct dls_shaking s = {
        .vessel = &vessel,
        .discard = dls_scaled_time(asked, o->discard, 1),
        .periods = dls_scaled_time(asked, o->periods, 1),
        .steps = o->steps,
        .arena = a,
    };
    if (!status) status = dls_shaking_run(&s, &scene, asked, err);
    if (!status) status = dls_shaken_checks(c, &s, asked, a, err);
    // A circulation of some hundredths of a bead a period needs its periods.
    if (!status && s.periods >= 20) check_corners(c, &s, a);
    return status;
}

const struct dls_example dls_example_shaken_box = {
    .name = "shaken-box",
    .brief = "beads in a shaken cell: vortices in the upper corners",
    .paper = "Moreau1994, 2, fig 1",
    .solver = "pgs-bodies",
    .tol = 1e-2,
    .max_iter = 1000,
    .may_fall_short = 0.02,
    .why_short = "collisions of the whole pack may stop early",
    .packs = true,
    .options = options,
    .options_size = sizeof(struct box_options),
    .make = make,
    .check = check,
};
