// SPDX-License-Identifier: Apache-2.0
// Beads between two plates, shaken: vortices in the upper corners [Moreau1994, 2, fig 1].
//
// Given: 1650 beads of 0.15 cm, cell 7.5 cm wide, 15 Hz, 0.3 cm peak to peak, friction
// 0.8 and restitution 0.7 between beads, 0.8 and 0.4 with sides and bottom, front plates
// ignored; 60 periods. The printed "1.332 g" is 1332 cm/s2, that is G = 1.358.
// Chosen: tangential restitution 0, inertia of spheres, rows that fell and settled, 20
// periods before the first counted one, 2000 steps a period (the vessel moves 1 % of a
// bead's radius in one). Scale s: s 1650 beads in a cell narrower by sqrt(s); below
// s = 1/4, 4 s 60 periods.
//
// The paper saw crystal-like order, and vortices in the upper corners that come and go;
// it does not say which way they turn. Its section 8 explains circulation by beads that
// go down along the walls and up inside: J > 0 in the left corner, J < 0 in the right.
//
// Checks: signs of J in the upper corner squares of side W/4, which smooth walls may have
// by chance; corners move more than the lower half; beads go down near the walls and up
// inside, by more than smooth walls leave. Twins: wall_mu=0 (nothing drags at the walls),
// peak=0.2 (G below 1: the pack never leaves the floor).
#include "problems/examples/shaken.h"

#include <math.h>

struct box_options {
    struct dls_shaken shaken;
    double diameter;
};

static const struct dls_option options[] = {
    DLS_REAL(box_options, diameter, 0.15, 1e-6, 1e3, "of a bead, cm"),
    DLS_SHAKEN_VESSEL(1650, 7.5, 15, 0.3),
    DLS_SHAKEN_LAW(0.8, 0.7, 0, 0.8, 0.4),
    DLS_SHAKEN_TIME(60, 20, 2000),
    {0},
};

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    const struct box_options *o = asked->options;
    struct dls_filling beads = {
        .low = o->diameter,
        .high = o->diameter,
        .spheres = true,
        .least = 40,
    };
    return dls_shaken_make(scene, 2, &beads, asked, a, err);
}

static void check_corners(struct dls_checks *c, const struct dls_shaken_run *run,
                          struct dls_arena *a)
{
    struct dls_displaced d = {run->s->grains, run->from, run->last};
    struct dls_basin basin = {
        .right = run->vessel->width,
        .layer = 2 * run->vessel->unit,
        .bottom = -0.5 * run->vessel->peak,
        .surface = dls_surface(d.count, d.from, a),
    };
    struct dls_circulation flow = dls_circulation(&d, &basin);
    double corners = 0.5 * (flow.left.square + flow.right.square);
    dls_check_least(c, "J in the upper left corner", flow.left.J, 1e-6,
                    "down along the wall, up inside: counterclockwise");
    dls_check_most(c, "J in the upper right corner", flow.right.J, -1e-6,
                   "and clockwise");
    dls_check_least(c, "displacement in the corners over the lower half",
                    sqrt(corners / flow.low.square), 1,
                    "the paper: vortices in the upper corners");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_shaken_run run = {0};
    enum dls_status status = dls_shaken_run(&run, c, asked, a, err);
    // A circulation of some hundredths of a bead a period needs its periods.
    if (status || run.s->periods < 20) return status;
    check_corners(c, &run, a);
    dls_check_circulation(c, &run);
    return DLS_OK;
}

const struct dls_example dls_example_shaken_box = {
    .name = "shaken-box",
    .brief = "beads in a shaken cell: vortices in the upper corners",
    .paper = "Moreau1994, 2, fig 1",
    .solver = "pgs-bodies",
    .sweeps = 50,
    .main_check = true,
    .packs = true,
    .options = options,
    .options_size = sizeof(struct box_options),
    .make = make,
    .check = check,
};
