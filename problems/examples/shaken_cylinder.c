// SPDX-License-Identifier: Apache-2.0
// Spheres in a shaken cylinder: the wall pulls them down [Moreau1994, 8, fig 3].
//
// Given: 3630 spheres of 0.2 cm in a cylinder of 3.5 cm, 25 Hz, 0.2 cm peak to peak (G =
// 2.515), friction 0.8, normal restitution 0.95, tangential 0.4; 50 points a period, each
// the mean of 40 steps; displacements over 10 periods.
// Chosen: walls like beads, spheres that fell and settled, 20 periods before the first
// counted one, 20 counted. Scale s: 3630 s spheres in a cylinder narrower by the cube
// root of s; below s = 1/4, 4 s times the periods.
//
// The paper saw: free fall at t = 0 with hardly any force on the wall, then a wave of
// collisions; the normal force on the wall follows the pressure inside; the vertical
// force of the wall on the spheres is negative in the mean, made between 0.015 and
// 0.030 s (of 0.04) while the agitated pack slides up along the wall.
//
// Checks: momentum balance, exact; sign of the wall's mean vertical force, and in that
// window; mean floor force above the weight; correlation of normal force and pressure.
// Twin wall_mu=0: the wall exerts no vertical force at all.
#include "problems/examples/shaken.h"
#include "problems/preparation/place.h"

#include <math.h>

struct cylinder_options {
    double diameter, width, frequency, peak, mu, e_n, e_t, wall_mu;
    int spheres, periods, discard, steps, seed;
};

static const struct dls_option options[] = {
    DLS_INT(cylinder_options, spheres, 3630, 2, 10000000, "spheres at scale 1"),
    DLS_REAL(cylinder_options, diameter, 0.2, 1e-6, 1e3, "of a sphere, cm"),
    DLS_REAL(cylinder_options, width, 3.5, 1e-6, 1e6, "of the cylinder at scale 1, cm"),
    DLS_REAL(cylinder_options, frequency, 25, 1e-3, 1e6, "Hz"),
    DLS_REAL(cylinder_options, peak, 0.2, 0, 1e3, "displacement, peak to peak, cm"),
    DLS_REAL(cylinder_options, mu, 0.8, 0, 1e3, "friction between spheres"),
    DLS_REAL(cylinder_options, e_n, 0.95, 0, 1, "normal restitution"),
    DLS_REAL(cylinder_options, e_t, 0.4, 0, 1, "tangential restitution"),
    DLS_REAL(cylinder_options, wall_mu, 0.8, 0, 1e3, "friction with the vessel"),
    DLS_INT(cylinder_options, periods, 20, 1, 1000000, "counted ones at scale 1"),
    DLS_INT(cylinder_options, discard, 20, 0, 1000000, "periods before, at scale 1"),
    DLS_INT(cylinder_options, steps, 2000, 10, 10000000, "time steps of a period"),
    DLS_INT(cylinder_options, seed, 1, 0, 2147483647, "of the random places"),
    {0},
};

static enum dls_status make_cylinder(struct dls_scene *scene, struct dls_vessel *vessel,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    const struct cylinder_options *o = asked->options;
    int count = dls_scaled(asked, o->spheres, 30);
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    double *radius = DLS_NEW(a, double, count);
    if (!radius) return DLS_ENOMEM;
    *vessel = (struct dls_vessel){
        .dim = 3,
        .width = o->width * cbrt((double)count / o->spheres),
        .peak = o->peak,
        .frequency = o->frequency,
        .gravity = 981,
        .grain = {o->mu, o->e_n, o->e_t},
        .wall = {o->wall_mu, o->e_n, o->wall_mu > 0 ? o->e_t : 0},
    };
    dls_random_radii(count, o->diameter, o->diameter, &g, radius);
    struct dls_rigid *r = dls_vessel_fill(vessel, count, radius, true, &g, a);
    if (!r) return DLS_ENOMEM;
    enum dls_status status = dls_vessel_start(vessel, r, asked, a, err);
    if (status) return status;
    *scene = (struct dls_scene){
        .h = 1 / (o->frequency * o->steps),
        .end = dls_scaled_time(asked, o->discard + o->periods, 2) / o->frequency,
        .scheme = "moreau",
    };
    return dls_scene_rigid(scene, r, a);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    struct dls_vessel *vessel = DLS_NEW(a, struct dls_vessel, 1);
    return vessel ? make_cylinder(scene, vessel, asked, a, err) : DLS_ENOMEM;
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

static void compare(struct dls_checks *c, const struct dls_shaking *s)
{
    double weight =
        s->weight / ((double)s->counted / (s->steps * s->vessel->frequency));
    dls_check_most(c, "mean vertical force of the wall, over the weight",
                   dls_window_mean(&s->lift, 0, 1) / weight, -1e-4,
                   "the paper: negative; zero without friction");
    dls_check_most(c, "the same between 0.015 and 0.030 s of 0.04 s",
                   dls_window_mean(&s->lift, 0.375, 0.75) / weight, -1e-4,
                   "where the paper saw it made");
    dls_check_least(c, "mean floor force over the weight",
                    dls_window_mean(&s->floor, 0, 1) / weight, 1 - 0.02,
                    "it carries the weight and what the wall pulls down; 2 % for the "
                    "momentum at the ends");
    dls_check_least(c, "correlation of wall force and pressure over the period",
                    correlation(&s->normal, &s->pressure), 0.9,
                    "the paper: the normal force follows the pressure inside");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct cylinder_options *o = asked->options;
    struct dls_scene scene;
    struct dls_vessel vessel;
    enum dls_status status = make_cylinder(&scene, &vessel, asked, a, err);
    struct dls_shaking s = {
        .vessel = &vessel,
        .discard = dls_scaled_time(asked, o->discard, 1),
        .periods = dls_scaled_time(asked, o->periods, 1),
        .steps = o->steps,
        .arena = a,
    };
    if (!status) status = dls_shaking_run(&s, &scene, asked, err);
    if (!status) status = dls_shaken_checks(c, &s, asked, a, err);
    if (!status) compare(c, &s);
    return status;
}

const struct dls_example dls_example_shaken_cylinder = {
    .name = "shaken-cylinder",
    .brief = "spheres in a shaken cylinder: the wall pulls them down",
    .paper = "Moreau1994, 8, fig 3",
    .solver = "pgs-bodies",
    .tol = 1e-2,
    .max_iter = 1000,
    .may_fall_short = 0.02,
    .why_short = "collisions of the whole pack may stop early",
    .packs = true,
    .options = options,
    .options_size = sizeof(struct cylinder_options),
    .make = make,
    .check = check,
};
