// SPDX-License-Identifier: Apache-2.0
// Stroboscopic displacements D_i = x_i(t + nT) - x_i(t), sorted by where grains start
// [Moreau1994, 2 and 8].
//
//     J = sum (x_i - x_c) x D_i / sum |x_i - x_c|^2
//
// is the angle of the rotation that fits D best: sin(a) for a rotation by a, 0 for a
// translation; positive counterclockwise.
#include "problems/observe/field.h"

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
