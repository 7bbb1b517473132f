// SPDX-License-Identifier: Apache-2.0
// Measures of heaps for `--observe`, about the vertical through the origin.
//
//   ground=K   p_k in K annuli (in the plane: pairs of strips left and right), each three
//              mean diameters wide, and the force beyond them
//   slice=P    the part between two vertical cuts (in space: inside a cylinder) at P
//              percent of the distance of the outermost grain that touches the ground:
//              its weight, what the ground gives it, what the rest gives it
#include "problems/observe/ground.h"

#include "problems/observe/cut.h"
#include "problems/observe/pressure.h"

static double up(const struct dls_observed *o, dls_vec3 x)
{
    return o->dim == 2 ? x.y : x.z;
}
static double off(const struct dls_observed *o, dls_vec3 x)
{
    return o->dim == 2 ? fabs(x.x) : hypot(x.x, x.y);
}

double dls_ground_annulus(const struct dls_observed *o)
{
    double d = 0;
    for (int k = 0; k < o->grains; k++) d += 2 * o->grain[k].shape->bound / o->grains;
    return 3 * d;
}

double dls_ground_annuli(const struct dls_observed *o, int count, double width,
                         double *p)
{
    double beyond = 0;
    struct dls_bins bins = {.width = width, .count = count};
    for (int k = 0; k < count; k++) p[k] = 0;
    for (int c = 0; c < o->forces; c++) {
        const struct dls_force *f = &o->force[c];
        double k = floor(off(o, f->point) / width);
        if (f->obstacle < 0) continue;
        if (k < count) // a strip of the plane has two sides
            p[(int)k] += up(o, f->f) / dls_bin_area(&bins, o->dim, (int)k)
                         / (o->dim == 2 ? 2 : 1);
        else
            beyond += up(o, f->f);
    }
    return beyond;
}

static dls_vec3 resultant(const struct dls_observed *o, double half)
{
    struct dls_cut ring = {.radius = half};
    struct dls_cut right = {.point = {half, 0, 0}, .n = {1, 0, 0}};
    struct dls_cut left = {.point = {-half, 0, 0}, .n = {-1, 0, 0}};
    if (o->dim == 3) return dls_cut_resultant(o, &ring, NULL, NULL).force;
    return dls_vec3_add(dls_cut_resultant(o, &left, NULL, NULL).force,
                        dls_cut_resultant(o, &right, NULL, NULL).force);
}

struct dls_slice dls_slice_of(const struct dls_observed *o, double half)
{
    struct dls_slice s = {.lift = up(o, resultant(o, half))};
    for (int k = 0; k < o->grains; k++) {
        const struct dls_grain *g = &o->grain[k];
        if (off(o, g->pose.at) > half) continue;
        s.weight -= up(o, g->applied);
        s.momentum += g->mass * (up(o, g->v) - up(o, g->v_minus)) / o->h;
    }
    for (int c = 0; c < o->forces; c++) {
        const struct dls_force *f = &o->force[c];
        if (f->obstacle >= 0 && off(o, o->grain[f->grain].pose.at) <= half)
            s.reaction += up(o, f->f);
    }
    return s;
}

double dls_ground_reach(const struct dls_observed *o)
{
    double reach = 0;
    for (int c = 0; c < o->forces; c++)
        if (o->force[c].obstacle >= 0)
            reach = fmax(reach, off(o, o->grain[o->force[c].grain].pose.at));
    return reach;
}
