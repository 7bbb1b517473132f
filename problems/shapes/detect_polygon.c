// SPDX-License-Identifier: Apache-2.0
// Two convex polygons in the plane (a wall is one of two corners).
//
//     gap(n) = min over corners y of the second of n . y - max over those of the first
//     gap = max over unit n
//
// Method: separating axes.
//   1. Overlapping polygons, and most that are apart, have the best n among the normals
//      of the sides: gap(n_f) = min_y n_f . (y - x_f). The first polygon is preferred
//      where both are as good within 1e-9 of the size.
//   2. The side that looks most against n is cut to the width of the reference side: two
//      points, each with its own height as gap. A point is a corner of one polygon; that
//      is its feature.
//   3. Apart, with the lowest corner beside the reference side, two corners are nearest
//      to each other: one point, n along their line.
// Cost: product of the corners. Deep overlap: n may jump between sides.
#include "problems/shapes/detect_pairs.h"

#include <math.h>

// The best side of a polygon against another, and the corner that comes lowest.
struct axis {
    double gap;
    int side, corner;
};

static double height(const struct dls_solid *a, int side, dls_vec3 x)
{
    return a->n[side].x * (x.x - a->x[side].x) + a->n[side].y * (x.y - a->x[side].y);
}

static struct axis lowest_over(const struct dls_solid *a, int side,
                               const struct dls_solid *b)
{
    struct axis low = {INFINITY, side, 0};
    for (int k = 0; k < b->corners; k++) {
        double at = height(a, side, b->x[k]);
        if (at < low.gap) low.gap = at, low.corner = k;
    }
    return low;
}

// The corner that comes lowest is below the centre by the inner radius at least: a side
// over which the centre of the other is no higher than that above the best gap so far need
// not be looked at (a tolerance covers rounding, as of rods, whose corners are in line with
// the centre). The side that was the best one last time comes first; of equally good ones
// the first counts. A gap above `enough` is enough to know.
static struct axis best_side(const struct dls_solid *a, const struct dls_solid *b,
                             double enough, double tol, unsigned char *hint)
{
    int first = *hint < a->faces ? *hint : 0;
    struct axis best = lowest_over(a, first, b);
    double least = best.gap - tol + b->inner;
    for (int f = 0; f < a->faces && !(best.gap > enough); f++) {
        if (f == first || height(a, f, b->centre) < least) continue;
        struct axis low = lowest_over(a, f, b);
        if (low.gap > best.gap || (low.gap == best.gap && f < best.side)) best = low;
        least = best.gap - tol + b->inner;
    }
    *hint = (unsigned char)best.side;
    return best;
}

static int opposite_side(const struct dls_solid *s, dls_vec3 n)
{
    int side = 0;
    double least = s->n[0].x * n.x + s->n[0].y * n.y;
    for (int f = 1; f < s->faces; f++) {
        double lean = s->n[f].x * n.x + s->n[f].y * n.y;
        if (lean < least - 1e-12) least = lean, side = f;
    }
    return side;
}

// The corner behind corner k, going round.
static int after(const struct dls_solid *s, int k)
{
    return k + 1 < s->corners ? k + 1 : 0;
}

// Cuts the incident side to the reference side and keeps both ends.
static void cut_side(const struct dls_solid *reference, int side,
                     const struct dls_solid *incident, struct dls_manifold *m)
{
    int next = after(reference, side);
    dls_vec3 a = reference->x[side], n = reference->n[side];
    dls_vec3 along = {-n.y, n.x, 0};
    double length = dls_vec3_dot(along, dls_vec3_sub(reference->x[next], a));
    int end[2] = {opposite_side(incident, n)};
    end[1] = after(incident, end[0]);
    dls_vec3 x[2] = {incident->x[end[0]], incident->x[end[1]]};
    double t[2];
    for (int i = 0; i < 2; i++) t[i] = dls_vec3_dot(along, dls_vec3_sub(x[i], a));
    if (fmax(t[0], t[1]) < -m->tol || fmin(t[0], t[1]) > length + m->tol) return;
    for (int i = 0; i < 2; i++) {
        int feature = DLS_FEATURE_SECOND | end[i];
        dls_vec3 p = x[i];
        double limit = fmin(fmax(t[i], 0), length);
        if (fabs(t[i] - limit) > m->tol) {
            double s = (limit - t[i]) / (t[!i] - t[i]);
            p = dls_vec3_add(x[i], dls_vec3_scale(s, dls_vec3_sub(x[!i], x[i])));
            feature = limit > 0 ? next : side;
        }
        dls_manifold_add(m, p, n, dls_vec3_dot(n, dls_vec3_sub(p, a)), feature);
    }
}

// The nearest points of two polygons apart: a corner of one and a side of the other.
static struct dls_meeting nearest(const struct dls_solid *a, const struct dls_solid *b)
{
    struct dls_meeting best = {.gap = INFINITY};
    for (int side = 0; side < 2; side++) {
        const struct dls_solid *p = side ? b : a, *s = side ? a : b;
        for (int k = 0; k < p->corners * s->corners; k++) {
            int corner = k / s->corners, f = k % s->corners;
            dls_vec3 line[2] = {s->x[f], s->x[after(s, f)]};
            dls_vec3 on[2] = {p->x[corner], dls_segment_nearest(line, p->x[corner])};
            double d = dls_vec3_norm(dls_vec3_sub(on[0], on[1]));
            if (d >= best.gap || d <= 0) continue;
            dls_vec3 n = dls_vec3_scale(1 / d, dls_vec3_sub(on[side], on[!side]));
            best = dls_meeting_between(on[side], on[!side], n,
                                       side ? DLS_FEATURE_SECOND | corner : corner);
            best.gap = d;
        }
    }
    return best;
}

// True if the lowest corner of the incident polygon is above the reference side.
static bool above(const struct dls_solid *reference, struct axis axis,
                  const struct dls_solid *incident)
{
    dls_vec3 a = reference->x[axis.side], x = incident->x[axis.corner];
    dls_vec3 b = reference->x[after(reference, axis.side)];
    dls_vec3 along = dls_vec3_sub(b, a);
    double t = dls_vec3_dot(along, dls_vec3_sub(x, a));
    return t >= 0 && t <= dls_vec3_dot(along, along);
}

int dls_detect_polygons(const struct dls_solid *a, const struct dls_solid *b,
                        double reach, unsigned char hint[2],
                        struct dls_meeting *meeting)
{
    double tol = 1e-9 * (a->size + b->size);
    struct axis first = best_side(a, b, reach, tol, &hint[0]);
    if (!(first.gap <= reach)) return 0;
    struct axis second = best_side(b, a, INFINITY, tol, &hint[1]);
    bool swapped = second.gap > first.gap + tol;
    struct axis axis = swapped ? second : first;
    const struct dls_solid *reference = swapped ? b : a, *incident = swapped ? a : b;
    if (!(axis.gap <= reach)) return 0;
    struct dls_manifold m = {reach, tol, swapped, 0, meeting};
    if (axis.gap > 0 && !above(reference, axis, incident)) {
        struct dls_meeting one = nearest(a, b);
        if (one.gap > axis.gap + tol) {
            dls_manifold_keep(&m, one);
            return m.count;
        }
    }
    cut_side(reference, axis.side, incident, &m);
    if (!m.count) // overlapping, but not above the side: never lose such a contact
        dls_manifold_add(&m, incident->x[axis.corner], reference->n[axis.side],
                         axis.gap, DLS_FEATURE_SECOND | axis.corner);
    return m.count;
}
