// SPDX-License-Identifier: Apache-2.0
// Force transmission in a sand pile of disks [MoreauJean1996, 6, fig 2].
//
// Given: 3000 circular grains of dispersed sizes, added one after the other at 25 cm/s
// with slight lateral dispersion, then left to rest; two vertical cuts.
// Chosen, as in the conical pile: diameters uniform in 0.25 to 0.5 cm, friction 0.4,
// restitution 0, paved ground, 981 cm/s2; 100 grains a second within 0.8 cm of the axis,
// released 1 cm above the top of the pile; step 1e-4 s; cuts at a quarter of the
// half-base. Scale s: 3000 s grains.
//
// The paper saw that the rest of the pile carries part of the weight between the cuts,
// also while it is built, and that this is too weak for a visible minimum of the
// pressure on the ground.
//
// A cut has the contacts of pairs of grains with centres on both sides of it. Pavement
// belongs to no side. With R_L and R_R the forces of the rest on the slice
//
//     S = R_L,y + R_R,y,    ground reaction on the slice = weight of the slice - S
//
// averaged over cuts moved by up to half a mean diameter. A cut passes on the forces
// that everything beyond it does not balance:  R_y = sum beyond (reaction - weight - m a).
//
// Twin: the same grains between smooth vertical walls, rained over the whole width
// (level=1). They make a level bed, and S vanishes within its scatter.
#include "problems/examples/pile.h"
#include "problems/observe/ground.h"

#include <math.h>

struct sandpile_options {
    int grains, seed, level;
    double least, most, mu, gravity, rate, width, speed, above, rest, step;
};

static const struct dls_option options[] = {
    DLS_INT(sandpile_options, grains, 3000, 10, 10000000, "grains at scale 1"),
    DLS_REAL(sandpile_options, least, 0.25, 1e-6, 1e6, "least diameter, cm"),
    DLS_REAL(sandpile_options, most, 0.5, 1e-6, 1e6, "largest diameter, cm"),
    DLS_REAL(sandpile_options, mu, 0.4, 0, 1e3, "friction"),
    DLS_REAL(sandpile_options, gravity, 981, 1e-9, 1e9, "cm/s2"),
    DLS_REAL(sandpile_options, rate, 100, 1e-6, 1e9, "grains a second"),
    DLS_REAL(sandpile_options, width, 0.8, 1e-9, 1e6, "half-width of the source, cm"),
    DLS_REAL(sandpile_options, speed, 25, 0, 1e6, "at which grains come, cm/s"),
    DLS_REAL(sandpile_options, above, 1, 0, 1e6, "released above the top, cm"),
    DLS_REAL(sandpile_options, rest, 1.5, 0, 1e6, "time after the last grain, s"),
    DLS_REAL(sandpile_options, step, 1e-4, 1e-12, 1, "time step, s"),
    DLS_INT(sandpile_options, level, 0, 0, 1,
            "1 = rained over the whole width between smooth walls: a level bed"),
    DLS_INT(sandpile_options, seed, 1, 0, 2147483647, "of sizes and places"),
    {0},
};

// Half-width that a pile of so many grains is expected to have: a triangle of slope 20
// degrees and solid fraction 0.82.
static double expected_base(const struct sandpile_options *o, int grains)
{
    double area = acos(-1) / 12
                  * (o->most * o->most + o->most * o->least
                     + o->least * o->least); // mean of pi d^2 / 4
    return sqrt(grains * area / 0.82 / tan(20 * acos(-1) / 180));
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    const struct sandpile_options *o = asked->options;
    int grains = dls_scaled(asked, o->grains, 10);
    double base = expected_base(o, grains);
    struct dls_pile *p = DLS_NEW(a, struct dls_pile, 1);
    if (!p) return DLS_ENOMEM;
    *p = (struct dls_pile){
        .dim = 2,
        .grains = grains,
        .seed = o->seed,
        .least = o->least,
        .most = o->most,
        .mu = o->mu,
        .gravity = o->gravity,
        .reach = o->level ? base + o->most : 1.6 * base + 8 * o->most,
        .walls = o->level ? base : 0,
        .layer = grains / 10 + 1,
        .deposit = {.rate = o->rate,
                    .width = o->level ? base - 0.5 * o->most : o->width,
                    .speed = o->speed,
                    .above = o->above},
        .middle = o->width,
        .rest = o->rest,
        .h = o->step,
    };
    return dls_pile_make(p, scene, asked, a, err);
}

// --- cuts ----------------------------------------------------------------------------

// Means of S over the weight of the slice for cuts within half a mean diameter of
// `half`; `worst` defect of the balance of a slice, over its weight.
static double mean_lift(const struct dls_pile *p, const struct dls_observed *o,
                        double half, double *worst)
{
    enum { CUTS = 9 };
    double d = 0.5 * (p->least + p->most), sum = 0;
    for (int k = 0; k < CUTS; k++) {
        struct dls_slice s = dls_slice_of(o, half + d * ((double)k / (CUTS - 1) - 0.5));
        double defect = s.lift + s.reaction - s.weight - s.momentum;
        *worst = fmax(*worst, fabs(defect) / s.weight);
        sum += s.lift / s.weight / CUTS;
    }
    return sum;
}

static void compare(struct dls_checks *c, const struct dls_pile *p,
                    const struct dls_pile_seen *seen)
{
    enum { CUTS = 7 };
    double base = p->walls > 0 ? p->walls : seen->heap.base, worst = 0, mean = 0;
    double lift = mean_lift(p, &seen->o, 0.25 * base, &worst);
    for (int k = 0; k < CUTS; k++)
        mean += mean_lift(p, &seen->o, (0.1 + 0.05 * k) * base, &worst) / CUTS;
    dls_check_least(c, "weight of the slice that the rest carries, cuts at a quarter",
                    lift, 0, "the paper: the rest carries part of it");
    dls_check_least(c, "the same, mean over cuts at 10 to 40 % of the half-base", mean,
                    0.06, "a level bed of 150 grains scatters by 0.03; so twice that");
    dls_check_most(c, "balance of slices: S + reaction - weight - m a, over weight",
                   worst, 1e-9, "exact: velocities follow from impulses");
    if (p->grains < 500) return; // no slope to speak of
    dls_check_near(c, "slope, degrees", seen->heap.angle, 20, 6,
                   "poured disks with friction 0.4 stand at 14 to 26 degrees");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct dls_pile *pile;
    struct dls_pile_seen seen;
    enum dls_status status = dls_pile_check(&pile, &seen, c, asked, a, err);
    if (status) return status;
    compare(c, pile, &seen);
    return DLS_OK;
}

const struct dls_example dls_example_sandpile_2d = {
    .name = "sandpile-2d",
    .brief = "disks poured into a pile: it carries part of the weight of its middle",
    .paper = "MoreauJean1996, 6, fig 2",
    .solver = "pgs-bodies",
    .sweeps = 100, // from 1000 disks on they leave 2e-3, and few steps meet 1e-3 before
    .main_check = true,
    .packs = true,
    .options = options,
    .options_size = sizeof(struct sandpile_options),
    .make = make,
    .check = check,
};
