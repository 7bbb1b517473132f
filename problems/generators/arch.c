// SPDX-License-Identifier: Apache-2.0
// A circular masonry arch of n equal voussoirs under its weight: quadrilaterals between
// radial joints, two contacts a joint at its edges, fixed abutments. R is the radius of the
// middle line, `thickness` a multiple of it, 2 `opening` the angle of embrace.
//
// A semicircle of many stones with much friction stands from a thickness of 0.1075 on; it
// needs mu > 0.3092 [CocchettiRizzi2020]. With straight edges the stones are a little
// lighter than sectors, so that the limit of a given n is found by a linear program for
// these very blocks.
#include "problems/generators/generator.h"
#include "problems/mechanics/shape_mass.h"

#include <math.h>

struct arch_options {
    int n;
    double thickness, opening, radius, density, settle;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(arch_options, n, 25, 2, 100000, "number of voussoirs"),
    DLS_REAL(arch_options, thickness, 0.15, 1e-3, 1, "thickness over the radius"),
    DLS_REAL(arch_options, opening, 90, 1, 120, "half of the angle, degrees"),
    DLS_REAL(arch_options, radius, 1, 1e-6, 1e6, "radius of the middle line"),
    DLS_REAL(arch_options, density, 2000, 1e-9, 1e9, "mass per area"),
    DLS_REAL(arch_options, settle, 0, -10, 10,
             "speed at which the right abutment moves outwards"),
    DLS_ROWS_LAW(arch_options, 0.6),
    DLS_ROWS_STEP(arch_options),
    {0},
};

// A point of the joint at angle phi from the crown, clockwise.
static dls_vec3 on_joint(double radius, double phi)
{
    return (dls_vec3){radius * sin(phi), radius * cos(phi), 0};
}

static void add_joint(struct dls_build *b, const struct arch_options *o, int k)
{
    double half = o->opening * acos(-1) / 180;
    double phi = -half + 2 * half * k / o->n, t = 0.5 * o->thickness * o->radius;
    // The normal points to the stone k; the right abutment stands behind the last one.
    bool right = k == o->n;
    for (int side = -1; side <= 1; side += 2)
        dls_build_touch(
            b, (struct dls_touch){
                   .body = right ? k - 1 : k,
                   .other = right ? -1 : k - 1,
                   .point = on_joint(o->radius + side * t, phi),
                   .n = {right ? -cos(phi) : cos(phi), right ? sin(phi) : -sin(phi), 0},
                   .surface = {right ? o->settle : 0, 0, 0},
                   .law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
               });
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct arch_options *o = opt;
    struct dls_build b;
    double half = o->opening * acos(-1) / 180, t = 0.5 * o->thickness * o->radius;
    if (!dls_build_open(&b, 2, o->n, 2 * (o->n + 1), a)) return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    for (int k = 0; k < o->n; k++) {
        double from = -half + 2 * half * k / o->n,
               to = -half + 2 * half * (k + 1) / o->n;
        dls_vec3 corners[] = {
            on_joint(o->radius - t, from),
            on_joint(o->radius - t, to),
            on_joint(o->radius + t, to),
            on_joint(o->radius + t, from),
        };
        dls_vec3 at = dls_polygon_centre(4, corners);
        struct dls_shape stone = {.corners = 4, .corner = corners};
        dls_build_body(&b, dls_body_polygon(o->density, &stone, at));
    }
    for (int k = 0; k <= o->n; k++) add_joint(&b, o, k);
    struct dls_origin origin = {"arch", options, opt,
                                "A masonry arch of radial joints under its weight."};
    return dls_build_close(&b, p, &origin, a);
}

const struct dls_generator dls_generator_arch = {
    .name = "arch",
    .brief = "a masonry arch of n voussoirs under its weight",
    .options = options,
    .options_size = sizeof(struct arch_options),
    .make = make,
};
