// SPDX-License-Identifier: Apache-2.0
// Stroboscopic displacements D_i = x_i(t + nT) - x_i(t), sorted by where grains start
// [Moreau1994, 2 and 8].
//
//     J = sum (x_i - x_c) x D_i / sum |x_i - x_c|^2
//
// is the angle of the rotation that fits D best: sin(a) for a rotation by a, 0 for a
// translation; positive counterclockwise.
#include "problems/observe/field.h"

#include <stdlib.h>

void dls_centres(const struct dls_sim *sim, dls_vec3 *to)
{
    for (int k = 0; k < sim->system->bodies; k++)
        to[k] = sim->system->place(sim->system, sim->q, k);
}

void dls_meridian_plane(int count, const dls_vec3 *from, dls_vec3 *to)
{
    for (int k = 0; k < count; k++)
        to[k] = (dls_vec3){hypot(from[k].x, from[k].y), from[k].z, 0};
}

double dls_rank(int count, const dls_vec3 *at, int k)
{
    int lower = 0;
    for (int i = 0; i < count; i++) lower += at[i].y < at[k].y;
    return (double)lower / (count - 1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double dls_surface(int count, const dls_vec3 *at, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    double *y = DLS_NEW(&scratch, double, count), surface = NAN;
    int known = 0;
    for (int k = 0; y && k < count; k++)
        if (!isnan(at[k].y)) y[known++] = at[k].y;
    if (y) qsort(y, (size_t)known, sizeof *y, ascending);
    if (known) surface = y[(int)(0.95 * known)];
    dls_arena_free(&scratch);
    return surface;
}

static bool inside(const struct dls_region *box, dls_vec3 x)
{
    return x.x >= box->lo.x && x.x < box->hi.x && x.y >= box->lo.y && x.y < box->hi.y;
}

struct dls_flow dls_flow_in(const struct dls_displaced *d, const struct dls_region *box)
{
    struct dls_flow flow = {.mean = {NAN, NAN, NAN}, .square = NAN, .J = NAN};
    dls_vec3 place = {0}, mean = {0};
    double square = 0, turn = 0, arms = 0;
    for (int k = 0; k < d->count; k++) {
        if (!inside(box, d->from[k])) continue;
        flow.count++;
        place = dls_vec3_add(place, d->from[k]);
        mean = dls_vec3_add(mean, dls_vec3_sub(d->to[k], d->from[k]));
    }
    if (!flow.count) return flow;
    place = dls_vec3_scale(1.0 / flow.count, place);
    for (int k = 0; k < d->count; k++) {
        if (!inside(box, d->from[k])) continue;
        dls_vec3 D = dls_vec3_sub(d->to[k], d->from[k]);
        dls_vec3 arm = dls_vec3_sub(d->from[k], place);
        square += dls_vec3_dot(D, D) / flow.count;
        turn += dls_vec3_cross(arm, D).z;
        arms += dls_vec3_dot(arm, arm);
    }
    flow.mean = dls_vec3_scale(1.0 / flow.count, mean);
    flow.square = square;
    flow.J = turn / arms;
    return flow;
}

// Mean of a displacement in one or two upright strips, by the grains of both.
static double rise_in(const struct dls_displaced *d, double a, double b, double c,
                      double e)
{
    struct dls_region strip[] = {{{a, -INFINITY, 0}, {b, INFINITY, 0}},
                                 {{c, -INFINITY, 0}, {e, INFINITY, 0}}};
    struct dls_flow one = dls_flow_in(d, &strip[0]), two = dls_flow_in(d, &strip[1]);
    double sum = (one.count ? one.count * one.mean.y : 0)
                 + (two.count ? two.count * two.mean.y : 0);
    return sum / (one.count + two.count); // NAN for 0 / 0
}

struct dls_circulation dls_circulation(const struct dls_displaced *d,
                                       const struct dls_basin *b)
{
    double W = b->right - b->left, side = b->axis ? W / 2 : W / 4;
    double low = b->surface - side, middle = 0.5 * (b->bottom + b->surface);
    double middle_x = b->left + W / 2;
    double first = b->axis ? b->left : b->left + W / 4;
    double last = b->axis ? b->left + W / 2 : b->right - W / 4;
    struct dls_region left = {{b->left, low, 0}, {b->left + side, INFINITY, 0}};
    struct dls_region right = {{b->right - side, low, 0}, {b->right, INFINITY, 0}};
    struct dls_region below = {{b->left, -INFINITY, 0}, {b->right, middle, 0}};
    double near = b->axis ? b->left : b->left + b->layer; // end of the left layer
    struct dls_circulation c = {
        .right = dls_flow_in(d, &right),
        .low = dls_flow_in(d, &below),
        .wall = rise_in(d, b->left, near, b->right - b->layer, b->right),
        .core = rise_in(d, first, last, last, last),
        .all = rise_in(d, b->left, middle_x, middle_x, b->right),
    };
    if (!b->axis) c.left = dls_flow_in(d, &left);
    return c;
}

void dls_flow_grid(const struct dls_displaced *d, const struct dls_grid *g,
                   dls_vec3 *field)
{
    double dx = (g->region.hi.x - g->region.lo.x) / g->across;
    double dy = (g->region.hi.y - g->region.lo.y) / g->up;
    for (int k = 0; k < g->across * g->up; k++) {
        dls_vec3 lo = {g->region.lo.x + k % g->across * dx,
                       g->region.lo.y + k / g->across * dy, 0};
        struct dls_region cell = {lo, {lo.x + dx, lo.y + dy, 0}};
        struct dls_flow flow = dls_flow_in(d, &cell);
        field[k] = flow.count >= 3 ? flow.mean : (dls_vec3){NAN, NAN, NAN};
    }
}
