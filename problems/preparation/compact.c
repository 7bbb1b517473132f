// SPDX-License-Identifier: Apache-2.0
// Compaction: four smooth walls under one pressure close in on loose disks without
// friction and without restitution until all is at rest. Without friction a packing is as
// dense as it gets; grains are rigid, so that its rest does not depend on the pressure.
//
// Scales: the pressure makes speeds of sqrt(p / rho); a step moves a disk by a fiftieth of
// the least diameter at that speed; rest is a thousandth of it.
#include "problems/preparation/compact.h"

#include <math.h>

static double mass_of(const struct dls_compaction *c, int k)
{
    return c->density * acos(-1) * c->radius[k] * c->radius[k];
}

void dls_compaction_bodies(const struct dls_compaction *c, const dls_vec3 *at,
                           struct dls_rigid *r)
{
    for (int k = 0; k < c->count; k++)
        dls_rigid_body(r, dls_body_disk(mass_of(c, k), c->radius[k], at[k]),
                       dls_shape_ball(c->radius[k]));
}

// Walls of a tenth of the mass of all disks around the box from `lo` to `hi`.
static void add_walls(struct dls_rigid *r, const struct dls_compaction *c, dls_vec3 lo,
                      dls_vec3 hi)
{
    double mass = 0, across = c->pressure * (hi.x - lo.x);
    double up = c->pressure * (hi.y - lo.y);
    for (int k = 0; k < c->count; k++) mass += 0.1 * mass_of(c, k);
    dls_rigid_wall(r, (struct dls_plane){.point = lo, .n = {0, 1, 0}}, mass, across);
    dls_rigid_wall(r, (struct dls_plane){.point = hi, .n = {0, -1, 0}}, mass, across);
    dls_rigid_wall(r, (struct dls_plane){.point = lo, .n = {1, 0, 0}}, mass, up);
    dls_rigid_wall(r, (struct dls_plane){.point = hi, .n = {-1, 0, 0}}, mass, up);
}

enum dls_status dls_compact(const struct dls_compaction *c, dls_vec3 *at,
                            const struct dls_setup *setup, struct dls_arena *a,
                            struct dls_error *err)
{
    struct dls_rigid *r = dls_rigid_new(2, c->count + 4, 4, false, a);
    if (!r) return DLS_ENOMEM;
    dls_vec3 lo = {INFINITY, INFINITY, 0}, hi = {-INFINITY, -INFINITY, 0};
    double least = INFINITY, signal = sqrt(c->pressure / c->density);
    for (int k = 0; k < c->count; k++) {
        double radius = c->radius[k];
        lo = (dls_vec3){fmin(lo.x, at[k].x - radius), fmin(lo.y, at[k].y - radius), 0};
        hi = (dls_vec3){fmax(hi.x, at[k].x + radius), fmax(hi.y, at[k].y + radius), 0};
        least = fmin(least, 2 * radius);
    }
    dls_compaction_bodies(c, at, r);
    add_walls(r, c, lo, hi);
    struct dls_settling with = {
        .scheme = "moreau",
        .solver = "pgs-bodies",
        .h = 0.02 * least / signal,
        .most = 5 * fmax(hi.x - lo.x, hi.y - lo.y) / signal,
        .tol = 1e-4,
        .speed = 1e-3 * signal,
    };
    struct dls_settled out;
    enum dls_status status = dls_settle(r, &with, setup, &out, a, err);
    for (int k = 0; k < c->count; k++) at[k] = r->body[k].at;
    return status;
}
