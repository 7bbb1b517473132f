// SPDX-License-Identifier: Apache-2.0
// A conical pile of spheres and the pressure under it [Moreau2004, 10, figs 3-7].
//
// Given: about 14000 spheres, diameters uniform in 0.25 to 0.5 cm, laid down one by one
// in contact with those that are there, 200 a second, centre within 0.8 cm of the axis;
// ground: random pavement of the same sizes; friction 0.4, restitution 0, 981 cm/s2;
// step 2e-4 s, 72 s.
// Chosen: laid down at rest, uniformly over the disk of the source, lowered vertically to
// first contact; pavement of radius 14 cm. Scale s: 14000 s spheres, the pavement and
// the annuli smaller by the cube root.
//
// The paper saw: height 5.5 cm, mass per volume 0.615, some 33000 contacts; a central
// minimum of the ground pressure, below the hydrostatic one; reciprocity of force
// densities on pairs of strips; on cylinders the force follows the layers, on cones
// parallel to the surface it is vertical.
//
// Twin: the same number rained over the base disk (width=11): no dip.
#include "problems/examples/pile.h"
#include "problems/observe/cut.h"
#include "problems/observe/ground.h"
#include "problems/observe/structure.h"

#include <math.h>

struct cone_options {
    int grains, seed;
    double least, most, mu, gravity, rate, width, reach, annulus, rest, step;
};

static const struct dls_option options[] = {
    DLS_INT(cone_options, grains, 14000, 10, 10000000, "spheres at scale 1"),
    DLS_REAL(cone_options, least, 0.25, 1e-6, 1e6, "least diameter, cm"),
    DLS_REAL(cone_options, most, 0.5, 1e-6, 1e6, "largest diameter, cm"),
    DLS_REAL(cone_options, mu, 0.4, 0, 1e3, "friction"),
    DLS_REAL(cone_options, gravity, 981, 1e-9, 1e9, "cm/s2"),
    DLS_REAL(cone_options, rate, 200, 1e-6, 1e9, "spheres a second"),
    DLS_REAL(cone_options, width, 0.8, 1e-9, 1e6,
             "radius of the source, cm; 11 = the base at scale 1: rained"),
    DLS_REAL(cone_options, reach, 14, 1e-9, 1e6,
             "radius of the pavement at scale 1, cm"),
    DLS_REAL(cone_options, annulus, 1.1, 1e-9, 1e6,
             "width of the annuli at scale 1, cm"),
    DLS_REAL(cone_options, rest, 2, 0, 1e6, "time after the last sphere, s"),
    DLS_REAL(cone_options, step, 2e-4, 1e-12, 1, "time step, s"),
    DLS_INT(cone_options, seed, 1, 0, 2147483647, "of sizes and places"),
    {0},
};

enum {
    ANNULI = 16,
    FULL = 2000, // spheres from which on strips hold enough contacts to be looked at
};
static const double middle = 0.8; // cm: the height is the mean over this radius

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    const struct cone_options *o = asked->options;
    double size = cbrt(asked->scale);
    struct dls_pile *p = DLS_NEW(a, struct dls_pile, 1);
    if (!p) return DLS_ENOMEM;
    *p = (struct dls_pile){
        .dim = 3,
        .grains = dls_scaled(asked, o->grains, 10),
        .seed = o->seed,
        .least = o->least,
        .most = o->most,
        .mu = o->mu,
        .gravity = o->gravity,
        .reach = o->reach * size + o->most,
        .layer = (int)fmax(1, 3.2 * o->rate), // the paper's fossil layer: 3.2 s
        // A grain that lost its support falls at 5 cm/s when the next one comes.
        .deposit = {.rate = o->rate, .width = o->width, .lowered = true, .speed = 2},
        .middle = middle,
        .rest = o->rest,
        .h = o->step,
    };
    return dls_pile_make(p, scene, asked, a, err);
}

// --- ground pressure -----------------------------------------------------------------

// Of a box in the middle of the pile, from a tenth of the height to two fifths of it.
static double fraction_of(const struct dls_pile_seen *s)
{
    double H = s->heap.height, half = 0.25 * s->heap.base;
    struct dls_region box = {{-half, -half, 0.1 * H}, {half, half, 0.4 * H}};
    return dls_solid_fraction(&s->o, &box);
}

static void check_pressure(struct dls_checks *c, const struct dls_pile *p,
                           const struct dls_pile_seen *s, double width)
{
    struct dls_bins bins = {.width = width, .count = ANNULI};
    double pressure[ANNULI], most = 0, sum;
    double fraction = fraction_of(s);
    double hydrostatic = fraction * p->density * p->gravity * s->heap.height;
    sum = dls_ground_annuli(&s->o, ANNULI, width, pressure);
    for (int k = 0; k < ANNULI; k++) {
        sum += pressure[k] * dls_bin_area(&bins, 3, k);
        most = fmax(most, pressure[k]);
    }
    dls_check_near(c, "sum of pressure times area over the weight", sum / s->weight, 1,
                   1e-3, "at rest; a thousandth of g is left to motion");
    if (p->grains >= FULL)
        dls_check_most(c, "pressure of the inner annulus over the largest",
                       pressure[0] / most, 0.9,
                       "the paper: a local minimum; the inner annulus has some 20 "
                       "contacts, hence 25 % of scatter");
    dls_check_most(c, "pressure of the inner annulus over the hydrostatic one",
                   pressure[0] / hydrostatic, 1, "the paper: below it");
    if (p->grains < FULL) return; // all of it is surface
    dls_check_near(c, "solid fraction", fraction, 0.6, 0.04,
                   "random packings of spheres with friction; the paper: 0.615");
}

// --- strips --------------------------------------------------------------------------

// A strip of length L through (r, z), at an angle from the vertical: 0 is a cylinder.
static struct dls_strip strip_at(double r, double z, double L, double angle)
{
    double dr = 0.5 * L * sin(angle), dz = 0.5 * L * cos(angle);
    return (struct dls_strip){.from = {r - dr, z - dz}, .to = {r + dr, z + dz}};
}

// Pairs of strips through places inside the pile: a cylinder with a cone that leans
// inward or a plane.
static void check_reciprocity(struct dls_checks *c, const struct dls_pile_seen *s,
                              double d)
{
    static const double share[] = {0.25, 0.35, 0.45, 0.55, 0.65}; // of the base
    double H = s->heap.height, pi = acos(-1);
    int pairs = 0, good = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++) {
            double r = share[i] * s->heap.base, top = H * (1 - share[i]);
            double z = (j & 1 ? 0.5 : 0.3) * top, L = fmin(4 * d, 0.5 * top);
            struct dls_strip strip[2] = {strip_at(r, z, L, 0),
                                         strip_at(r, z, L, j & 2 ? pi / 4 : pi / 2)};
            struct dls_density T[2];
            double error;
            for (int k = 0; k < 2; k++) T[k] = dls_strip_density(&s->o, &strip[k]);
            double defect = dls_reciprocity(strip, T, &error);
            pairs++;
            good += fabs(defect) < 2 * error;
        }
    dls_check_least(c, "reciprocity within two standard errors, share of 20 pairs",
                    (double)good / pairs, 0.8,
                    "95 % where the stress is symmetric and errors are normal");
}

// Mean over places of the angle between the force on a cylinder and the layer there; and
// between the vertical and the force on a cone parallel to the surface.
static void check_directions(struct dls_checks *c, const struct dls_pile *p,
                             const struct dls_pile_seen *s, double d)
{
    double H = s->heap.height, pi = acos(-1), degrees = 180 / pi;
    double slope = s->heap.angle / degrees, layers = 0, upright = 0;
    int count = 0, cones = 0;
    for (int i = 0; i < 6; i++) {
        double share = 0.25 + 0.08 * i, r = share * s->heap.base, top = H * (1 - share);
        struct dls_layer_at at = {r, 0.4 * top, d, 4 * d, p->layer};
        struct dls_strip wall = strip_at(r, at.z, fmin(6 * d, 0.7 * top), 0);
        struct dls_strip cone = strip_at(r, 0.55 * top, 6 * d, pi / 2 + slope);
        struct dls_density T = dls_strip_density(&s->o, &wall);
        struct dls_density U = dls_strip_density(&s->o, &cone);
        double error, layer = dls_layer_angle(&s->o, &at, &error);
        if (isfinite(layer)) {
            layers += fabs(atan(T.z / T.r) * degrees - layer);
            count++;
        }
        if (share < 0.4) continue; // the bank begins there
        upright += atan(U.r / U.z) * degrees;
        cones++;
    }
    dls_check_most(c, "force on cylinders and layers, mean angle between, degrees",
                   layers / count, 10, "the paper: the same direction");
    dls_check_near(c, "force on cones parallel to the surface, degrees from vertical",
                   upright / cones, 0, 10, "the paper: vertical");
}

static void compare(struct dls_checks *c, const struct dls_pile *p,
                    const struct dls_pile_seen *s, double width, struct dls_arena *a)
{
    struct dls_coordination z;
    double d = 0.5 * (p->least + p->most);
    check_pressure(c, p, s, width);
    if (p->grains < FULL) return;
    if (dls_coordination(&z, &s->o, 2, a))
        dls_check_near(c, "contacts a sphere, without rattlers", z.backbone, 5.25, 0.75,
                       "4 is the least with friction, 6 the most without");
    dls_check_near(c, "slope, degrees", s->heap.angle, 26, 4, "the paper's pile: 26");
    check_reciprocity(c, s, d);
    check_directions(c, p, s, d);
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct cone_options *o = asked->options;
    const struct dls_pile *pile;
    struct dls_pile_seen seen;
    enum dls_status status = dls_pile_check(&pile, &seen, c, asked, a, err);
    if (status) return status;
    double width = fmax(o->annulus * cbrt(asked->scale), o->least + o->most);
    compare(c, pile, &seen, width, a); // two mean diameters at least
    return DLS_OK;
}

const struct dls_example dls_example_conical_pile = {
    .name = "conical-pile",
    .brief = "spheres laid down into a cone: pressure under it, layers, strips",
    .paper = "Moreau2004, 10, figs 3-7",
    .solver = "pgs-bodies",
    .sweeps = 30, // a tolerance of 1e-3 is hardly ever met before, from 1000 spheres on
    .main_check = true,
    .packs = true,
    .options = options,
    .options_size = sizeof(struct cone_options),
    .make = make,
    .check = check,
};
