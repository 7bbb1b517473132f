// SPDX-License-Identifier: Apache-2.0
// A large disk among small ones, shaken: it rises and stays [Moreau1994, 8, fig 2].
//
// Given: 500 disks, one of 0.5 cm, the others of 0.075 to 0.15 cm, uniform; 20 Hz,
// 0.25 cm peak to peak (G = 2.012); friction 0.8 and tangential restitution 0
// everywhere, normal restitution 0.9 between disks, 0.6 with the vessel; 16 and 600
// periods.
// Chosen: 2.5 cm wide (the pack is about as deep), the nut at mid-width with its
// centre 0.8 cm above the floor, held there while the others settle; equal
// densities; walls as high as disks fly; 2000 steps a period (the vessel moves 2 %
// of the least radius in one). Scale s: 500 s disks, width, nut and its height
// smaller by sqrt(s); below s = 1/4, 4 s times the periods.
//
// The paper saw: small disks go down in thin layers along the walls and up inside,
// the nut goes with its neighbours, reaches the agitated top, drifts to a corner and
// stays, for the layers are too thin to carry it down; its neighbours come down
// again. With frictionless walls nothing circulates and the nut does not rise
// (wall_mu=0).
//
// Checks, from places at whole periods: mean displacement down within 2 diameters of
// the walls, up in the inner half; rank of the nut's centre among all in the top
// third, and there for 95 % of what follows; until then the rise of the small disks
// within 3 diameters of its rim over its own; a first neighbour that was in the top
// third goes below mid-depth.
#include "problems/examples/shaken.h"

#include <math.h>

struct nut_options {
    struct dls_shaken shaken;
    double least, most, nut, height;
};

static const struct dls_option options[] = {
    DLS_REAL(nut_options, least, 0.075, 1e-6, 1e3, "least diameter of the others, cm"),
    DLS_REAL(nut_options, most, 0.15, 1e-6, 1e3, "largest diameter of the others, cm"),
    DLS_REAL(nut_options, nut, 0.5, 1e-6, 1e3, "diameter of the nut at scale 1, cm"),
    DLS_REAL(nut_options, height, 0.8, 0, 1e3, "where its centre starts, cm"),
    DLS_SHAKEN_VESSEL(500, 2.5, 20, 0.25),
    DLS_SHAKEN_LAW(0.8, 0.9, 0, 0.8, 0.6),
    DLS_SHAKEN_TIME(600, 0, 2000),
    {0},
};

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    const struct nut_options *o = asked->options;
    if (o->least > o->most)
        return dls_fail(err, DLS_EINVAL, "brazil-nut: least = %g is above most = %g",
                        o->least, o->most);
    struct dls_filling disks = {
        .low = o->least,
        .high = o->most,
        .least = 30,
        .nut = o->nut,
        .height = o->height,
    };
    return dls_shaken_make(scene, 2, &disks, asked, a, err);
}

// --- what is followed ----------------------------------------------------------------

// Numbers only: it is part of checkpoints. The nut is grain 0.
enum { NEIGHBOURS = 16 };
struct rise {
    double rim, reach;         // radius of the nut; how far the surroundings reach
    int neighbour[NEIGHBOURS]; // nearest ones at the start
    bool been_up[NEIGHBOURS], came_down[NEIGHBOURS];
    int reached;        // the first period that ends in the top third; 0: none
    int there, after;   // periods in the top third since then, of so many
    double own, around; // rise until then: of the nut, of its surroundings
    double start, end;  // rank of the nut
};

static double rim_distance(const struct rise *r, const dls_vec3 *at, int k)
{
    return dls_vec3_norm(dls_vec3_sub(at[k], at[0])) - r->rim;
}

static void find_neighbours(struct rise *r, const struct dls_displaced *d)
{
    int found = 0;
    for (int k = 1; k < d->count; k++) {
        int i = found < NEIGHBOURS ? found++ : NEIGHBOURS;
        while (i > 0
               && rim_distance(r, d->from, k)
                      < rim_distance(r, d->from, r->neighbour[i - 1])) {
            if (i < NEIGHBOURS) r->neighbour[i] = r->neighbour[i - 1];
            i--;
        }
        if (i < NEIGHBOURS) r->neighbour[i] = k;
    }
    r->start = dls_rank(d->count, d->from, 0);
}

// The rise of one period: of the nut, and the mean of the disks around it.
static void add_rise(struct rise *r, const struct dls_displaced *d)
{
    double sum = 0;
    int count = 0;
    for (int k = 1; k < d->count; k++) {
        if (rim_distance(r, d->from, k) > r->reach) continue;
        sum += d->to[k].y - d->from[k].y;
        count++;
    }
    r->own += d->to[0].y - d->from[0].y;
    r->around += count ? sum / count : 0;
}

static void follow(const struct dls_shaking *s, const struct dls_displaced *d,
                   int period, void *data)
{
    struct rise *r = data;
    (void)s;
    if (period == 1) find_neighbours(r, d);
    if (!r->reached) add_rise(r, d);
    r->end = dls_rank(d->count, d->to, 0);
    bool top = r->end >= 2.0 / 3;
    if (r->reached) r->after++, r->there += top;
    if (!r->reached && top) r->reached = period;
    for (int i = 0; i < NEIGHBOURS; i++) {
        double rank = dls_rank(d->count, d->to, r->neighbour[i]);
        if (rank >= 2.0 / 3) r->been_up[i] = true;
        if (rank < 0.5 && r->been_up[i]) r->came_down[i] = true;
    }
}

// Some hundredths of a disk a period are hundreds of periods to the top: shorter runs
// are asked for the circulation alone.
enum { RISE = 300 };

// --- checks --------------------------------------------------------------------------

// Layers along the walls are about two disks thick: a nut that a small scale made no
// wider than that is carried down like any other disk, and is not asked to stay.
static void check_nut(struct dls_checks *c, const struct rise *r, double unit,
                      int periods)
{
    int down = 0;
    for (int i = 0; i < NEIGHBOURS; i++) down += r->came_down[i];
    dls_check_most(c, "period in which the nut reaches the top third",
                   r->reached ? r->reached : NAN, periods,
                   "by rank of its centre; the paper: it rises");
    if (r->rim >= 2 * unit)
        dls_check_least(c, "share of the periods after that it stays there",
                        r->after ? (double)r->there / r->after : NAN, 0.95,
                        "the paper: it remains indefinitely");
    dls_check_near(c, "rise of the disks around over its own, until then",
                   r->around / r->own, 1, 0.5,
                   "convection carries both; where percolation lifts the nut alone: 0");
    dls_check_least(c, "first neighbours that went up, then below mid-depth", down, 1,
                    "the small ones are carried down along the walls");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct rise rise = {0};
    const struct dls_rigid *r = asked->scene->system->self;
    const struct dls_vessel *vessel = dls_shaken_vessel(asked->scene);
    rise.rim = r->shape[0].bound;
    rise.reach = 3 * vessel->unit;
    struct dls_shaken_run run = {.period = follow, .piece = {&rise, sizeof rise}};
    enum dls_status status = dls_shaken_run(&run, c, asked, a, err);
    if (status) return status;
    dls_check_circulation(c, &run);
    if (run.s->periods >= RISE) check_nut(c, &rise, vessel->unit, run.s->periods);
    return DLS_OK;
}

const struct dls_example dls_example_brazil_nut = {
    .name = "brazil-nut",
    .brief = "a large disk among small ones in a shaken vessel: it rises and stays",
    .paper = "Moreau1994, 8, fig 2",
    .solver = "pgs-bodies",
    .sweeps = 50,
    .main_check = true,
    .packs = true,
    .options = options,
    .options_size = sizeof(struct nut_options),
    .make = make,
    .check = check,
};
