// SPDX-License-Identifier: Apache-2.0
// The direction n in which the gap of two convex bodies is largest,
//
//     gap(n) = min n . x over the first - max n . y over the second,  gap = max gap(n),
//
// for bodies given by their support points x(n), y(n).
//
// Method:
//   1. libccd's expanding polytopes [Bergen2001]. They only know bodies that overlap, so
//      both are grown, by as little as makes them overlap: the more, the less exact.
//      (Its portal refinement is faster, but on curved bodies ends with the direction
//      of the line of centres.) Lengths are scaled by the size of the bodies, since
//      libccd's tolerances are absolute.
//   2. Newton's method on the unit sphere. The gradient of gap(n) is x(n) - y(n); its
//      Jacobian is taken by differences, steps are halved until the gap grows. Exact to
//      round-off where both bodies curve (rim against rim).
//   3. Where a straight edge takes part, gap(n) has a ridge across it: golden section
//      along that great circle, exact to round-off in the gap and 1e-8 in n.
// Cost: a few hundred support points. Fails (false): libccd finds no overlap.
#include "problems/shapes/ccd.h"

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

static bool expand(struct grown body[2], dls_vec3 *n)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = centre;
    ccd.max_iterations = 200;
    ccd_real_t depth;
    ccd_vec3_t dir, at;
    // libccd moves its second body out along dir: ours is the other way round.
    if (ccdGJKPenetration(&body[1], &body[0], &ccd, &depth, &dir, &at)) return false;
    dls_vec3 to = {ccdVec3X(&dir), ccdVec3Y(&dir), ccdVec3Z(&dir)};
    double length = dls_vec3_norm(to);
    if (!(length > 0)) return false;
    *n = dls_vec3_scale(1 / length, to);
    return true;
}

static dls_vec3 unit(dls_vec3 a) { return dls_vec3_scale(1 / dls_vec3_norm(a), a); }

// Derivatives of the gap by y at n(y) = unit(n + y_1 t_1 + y_2 t_2).
static void gradient(const struct dls_placed *a, const struct dls_placed *b,
                     const dls_vec3 frame[3], const double y[2], double g[2])
{
    dls_vec3 raw =
        dls_vec3_add(dls_vec3_scale(y[0], frame[1]), dls_vec3_scale(y[1], frame[2]));
    raw = dls_vec3_add(raw, frame[0]);
    dls_vec3 n = unit(raw);
    dls_vec3 d = dls_vec3_sub(dls_support(a, dls_vec3_scale(-1, n)), dls_support(b, n));
    dls_vec3 across = dls_vec3_sub(d, dls_vec3_scale(dls_vec3_dot(d, n), n));
    for (int i = 0; i < 2; i++)
        g[i] = dls_vec3_dot(across, frame[1 + i]) / dls_vec3_norm(raw);
}

// One step of Newton's method; false where the gap cannot be made larger.
static bool climb(const struct dls_placed *a, const struct dls_placed *b, dls_vec3 *n)
{
    double x = fabs(n->x), eps = 1e-6, g[2], gx[2], gy[2];
    dls_vec3 axis = {x < 0.6, x >= 0.6, 0}, frame[3] = {*n};
    frame[1] = unit(dls_vec3_cross(axis, *n));
    frame[2] = dls_vec3_cross(*n, frame[1]);
    gradient(a, b, frame, (double[]){0, 0}, g);
    gradient(a, b, frame, (double[]){eps, 0}, gx);
    gradient(a, b, frame, (double[]){0, eps}, gy);
    double A = (gx[0] - g[0]) / eps, B = (gy[0] - g[0]) / eps;
    double C = (gx[1] - g[1]) / eps, D = (gy[1] - g[1]) / eps, det = A * D - B * C;
    double step[2] = {g[0], g[1]}; // uphill where the Jacobian is of no use
    if (A < 0 && det > 0) {
        step[0] = (B * g[1] - D * g[0]) / det;
        step[1] = (C * g[0] - A * g[1]) / det;
    }
    double now = dls_support_gap(a, b, *n), length = hypot(step[0], step[1]);
    double scale = length > 0.1 ? 0.1 / length : 1;
    for (int half = 0; half < 12; half++, scale *= 0.5) {
        dls_vec3 to = dls_vec3_add(dls_vec3_scale(scale * step[0], frame[1]),
                                   dls_vec3_scale(scale * step[1], frame[2]));
        to = unit(dls_vec3_add(*n, to));
        if (!(dls_support_gap(a, b, to) > now)) continue;
        *n = to;
        return true;
    }
    return false;
}

void dls_support_climb(const struct dls_placed *a, const struct dls_placed *b,
                       dls_vec3 *n)
{
    for (int round = 0; round < 30 && climb(a, b, n); round++) continue;
}

bool dls_ccd_normal(const struct dls_placed *a, const struct dls_placed *b,
                    double least, double reach, dls_vec3 *n)
{
    double size = a->shape->bound + b->shape->bound;
    double base = fmax(least, 0), grow = 1e-2 * size;
    for (bool last = false; !last; grow *= 4) {
        last = base + 2 * grow > reach;
        double margin = (0.5 * base + grow) / size;
        struct grown body[2] = {
            {*a, a->pose.at, 1 / size, margin},
            {*b, a->pose.at, 1 / size, margin},
        };
        if (!expand(body, n)) continue;
        dls_support_climb(a, b, n);
        return true;
    }
    return false;
}

void dls_support_ridge(const struct dls_placed *a, const struct dls_placed *b,
                       dls_vec3 edge, dls_vec3 *n)
{
    dls_vec3 e = unit(edge);
    dls_vec3 p = dls_vec3_sub(*n, dls_vec3_scale(dls_vec3_dot(*n, e), e));
    if (dls_vec3_norm(p) < 0.1) return;
    p = unit(p);
    dls_vec3 q = dls_vec3_cross(e, p);
    double lo = -0.2, hi = 0.2, golden = 0.6180339887498949, at[2], gap[2];
    for (int round = 0; round < 45; round++) {
        for (int i = 0; i < 2; i++) {
            at[i] = i ? lo + golden * (hi - lo) : hi - golden * (hi - lo);
            gap[i] = dls_support_gap(a, b,
                                     dls_vec3_add(dls_vec3_scale(cos(at[i]), p),
                                                  dls_vec3_scale(sin(at[i]), q)));
        }
        if (gap[0] < gap[1])
            lo = at[0];
        else
            hi = at[1];
    }
    double angle = 0.5 * (lo + hi);
    *n = dls_vec3_add(dls_vec3_scale(cos(angle), p), dls_vec3_scale(sin(angle), q));
}
