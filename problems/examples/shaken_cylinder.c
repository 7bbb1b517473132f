// SPDX-License-Identifier: Apache-2.0
// Spheres in a shaken cylinder: the wall pulls them down [Moreau1994, 8, fig 3].
//
// Given: 3630 spheres of 0.2 cm in a cylinder of 3.5 cm, 25 Hz, 0.2 cm peak to peak (G =
// 2.515), friction 0.8, normal restitution 0.95, tangential 0.4; 50 points a period, each
// the mean of 40 steps; displacements over 10 periods.
// Chosen: walls like beads, spheres that fell and settled, 20 periods before the first
// counted one, 20 counted. Scale s: 3630 s spheres in a cylinder narrower by the root of
// s, as deep as before (a few layers of such elastic spheres are a gas that slides along
// no wall); below s = 1/4, 4 s times the periods.
//
// The paper saw: free fall at t = 0 with hardly any force on the wall, then a wave of
// collisions; the normal force on the wall follows the pressure inside; the vertical
// force of the wall on the spheres is negative in the mean, made between 0.015 and
// 0.030 s (of 0.04) while the agitated pack slides up along the wall; spheres go down
// along the wall and up inside.
//
// Checks: momentum balance, exact; sign of the wall's mean vertical force, and in that
// window; mean floor force above the weight; correlation of normal force and pressure;
// signs of the displacements near the wall and in the inner half of the radius.
// Twin wall_mu=0: the wall exerts no vertical force at all.
#include "problems/examples/shaken.h"

#include <math.h>

struct cylinder_options {
    struct dls_shaken shaken;
    double diameter;
};

static const struct dls_option options[] = {
    DLS_REAL(cylinder_options, diameter, 0.2, 1e-6, 1e3, "of a sphere, cm"),
    DLS_SHAKEN_VESSEL(3630, 3.5, 25, 0.2),
    DLS_SHAKEN_LAW(0.8, 0.95, 0.4, 0.8, 0.95),
    DLS_SHAKEN_TIME(20, 20, 2000),
    {0},
};

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    const struct cylinder_options *o = asked->options;
    struct dls_filling spheres = {
        .low = o->diameter,
        .high = o->diameter,
        .least = 30,
        .deep = true,
    };
    return dls_shaken_make(scene, 3, &spheres, asked, a, err);
}

// Correlation of two windows over their bins.
static double correlation(const struct dls_window *a, const struct dls_window *b)
{
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0, n = a->bins;
    for (int k = 0; k < a->bins; k++) {
        double p = a->sum[k] / (double)a->count[k], q = b->sum[k] / (double)b->count[k];
        x += p / n, y += q / n, xx += p * p / n, yy += q * q / n, xy += p * q / n;
    }
    return (xy - x * y) / sqrt((xx - x * x) * (yy - y * y));
}

static void check_forces(struct dls_checks *c, const struct dls_shaken_run *run)
{
    const struct dls_shaking *s = run->s;
    double time = (double)s->counted / (s->steps * run->vessel->frequency);
    double weight = s->weight / time;
    dls_check_most(c, "mean vertical force of the wall, over the weight",
                   dls_window_mean(&s->lift, 0, 1) / weight, -1e-4,
                   "the paper: negative; zero without friction");
    dls_check_most(c, "the same between 0.015 and 0.030 s of 0.04 s",
                   dls_window_mean(&s->lift, 0.375, 0.75) / weight, -1e-4,
                   "where the paper saw it made");
    dls_check_least(c, "mean floor force less gained momentum, over weight",
                    (dls_window_mean(&s->floor, 0, 1) - s->momentum / time) / weight,
                    1 + 1e-4, "it carries the weight and what the wall pulls down");
    dls_check_least(c, "correlation of wall force and pressure over the period",
                    correlation(&s->normal, &s->pressure), 0.9,
                    "the paper: the normal force follows the pressure inside");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_shaken_run run = {0};
    enum dls_status status = dls_shaken_run(&run, c, asked, a, err);
    if (status) return status;
    check_forces(c, &run);
    dls_check_circulation(c, &run);
    return DLS_OK;
}

const struct dls_example dls_example_shaken_cylinder = {
    .name = "shaken-cylinder",
    .brief = "spheres in a shaken cylinder: the wall pulls them down",
    .paper = "Moreau1994, 8, fig 3",
    .solver = "pgs-bodies",
    .sweeps = 50,
    .main_check = true,
    .packs = true,
    .options = options,
    .options_size = sizeof(struct cylinder_options),
    .make = make,
    .check = check,
};
