// SPDX-License-Identifier: Apache-2.0
// The direction n in which the gap of two convex bodies is largest,
//
//     gap(n) = min n . x over the first - max n . y over the second,  gap = max gap(n),
//
// by Minkowski portal refinement [Snethen2008] as in libccd.
//
// Portal refinement only knows bodies that overlap, and finds the nearest way out only
// as far as the overlap is small. So:
//   1. Grow both by a margin that makes bodies overlap whose gap is below reach.
//   2. With the n found, shift the second by gap(n) n: the bodies just touch. Grow by
//      less, find n again; each time the error shrinks by the ratio of the margin to the
//      radius of curvature. Stop when gap(n) grows no more.
// Lengths are scaled by the size of the bodies, since libccd's tolerances are absolute.
// Cost: a few hundred support points. Fails (false): libccd finds no portal.
#include "problems/ccd.h"

#include <ccd/ccd.h>
#include <math.h>

dls_vec3 dls_support(const struct dls_placed *b, dls_vec3 a)
{
    const struct dls_shape *s = b->shape;
    const struct dls_pose *pose = &b->pose;
    if (s->kind == DLS_SHAPE_BALL)
        return dls_vec3_add(pose->at, dls_vec3_scale(s->radius / dls_vec3_norm(a), a));
    dls_vec3 d = dls_pose_local(pose, a);
    if (s->kind == DLS_SHAPE_CYLINDER) {
        double across = hypot(d.x, d.y), R = across > 0 ? s->radius / across : 0;
        return dls_pose_place(
            pose, (dls_vec3){R * d.x, R * d.y, d.z < 0 ? -s->half.z : s->half.z});
    }
    int best = 0;
    double most = -INFINITY;
    for (int k = 0; k < s->corners; k++) {
        double along = dls_vec3_dot(d, dls_shape_corner(s, k));
        if (along > most) most = along, best = k;
    }
    return dls_pose_place(pose, dls_shape_corner(s, best));
}

double dls_support_gap(const struct dls_placed *a, const struct dls_placed *b,
                       dls_vec3 n)
{
    dls_vec3 low = dls_support(a, dls_vec3_scale(-1, n)), high = dls_support(b, n);
    return dls_vec3_dot(n, dls_vec3_sub(low, high));
}

// A body as libccd sees it: scaled, about a common origin, and grown.
struct grown {
    struct dls_placed body;
    dls_vec3 origin;
    double scale, margin;
};

static void support(const void *object, const ccd_vec3_t *dir, ccd_vec3_t *to)
{
    const struct grown *g = object;
    dls_vec3 a = {ccdVec3X(dir), ccdVec3Y(dir), ccdVec3Z(dir)};
    dls_vec3 x = dls_vec3_sub(dls_support(&g->body, a), g->origin);
    double length = dls_vec3_norm(a);
    x = dls_vec3_scale(g->scale, x);
    if (length > 0) x = dls_vec3_add(x, dls_vec3_scale(g->margin / length, a));
    ccdVec3Set(to, x.x, x.y, x.z);
}

static void centre(const void *object, ccd_vec3_t *to)
{
    const struct grown *g = object;
    dls_vec3 x = dls_vec3_scale(g->scale, dls_vec3_sub(g->body.pose.at, g->origin));
    ccdVec3Set(to, x.x, x.y, x.z);
}

static bool portal(struct grown body[2], dls_vec3 *n)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = centre;
    ccd.max_iterations = 200;
    ccd.mpr_tolerance = 1e-12;
    ccd_real_t depth;
    ccd_vec3_t dir, at;
    // libccd moves its second body out along dir: ours is the other way round.
    if (ccdMPRPenetration(&body[1], &body[0], &ccd, &depth, &dir, &at)) return false;
    dls_vec3 to = {ccdVec3X(&dir), ccdVec3Y(&dir), ccdVec3Z(&dir)};
    double length = dls_vec3_norm(to);
    if (!(length > 0)) return false;
    *n = dls_vec3_scale(1 / length, to);
    return true;
}

bool dls_ccd_normal(const struct dls_placed *a, const struct dls_placed *b,
                    double reach, dls_vec3 *n)
{
    double size = a->shape->bound + b->shape->bound, best = -INFINITY;
    double margin = 0.5 * fmax(reach, 0) / size + 1e-2;
    struct grown body[2] = {
        {*a, a->pose.at, 1 / size, margin},
        {*b, a->pose.at, 1 / size, margin},
    };
    for (int round = 0; round < 8; round++) {
        dls_vec3 found;
        if (!portal(body, &found)) break;
        double gap = dls_support_gap(a, b, found);
        if (!(gap > best)) break;
        best = gap;
        *n = found;
        body[0].margin = body[1].margin = ldexp(1e-3, -3 * round);
        body[1].body.pose.at = dls_vec3_add(b->pose.at, dls_vec3_scale(gap, found));
    }
    return best > -INFINITY && best <= reach;
}
