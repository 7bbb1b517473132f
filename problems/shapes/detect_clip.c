// SPDX-License-Identifier: Apache-2.0
// The touching points of two facets that face each other.
//
// Method [SutherlandHodgman1974]: the incident facet is cut by the planes that stand on
// the edges of the reference facet. What is left has corners of three sorts, and the
// feature tells which: a corner of the incident facet, a corner of the reference facet
// (where two of the planes meet), a crossing of two edges. So a point keeps its identity
// when reference and incident change roles, as they do between parallel faces.
// The gap is the height above the reference, exact in its rate for incident corners.
// Points closer than `tol` to each other count once. Cost: product of the corners.
#include "problems/shapes/detect_pairs.h"

#include <math.h>

void dls_manifold_keep(struct dls_manifold *m, struct dls_meeting meeting)
{
    if (!(meeting.gap <= m->reach)) return;
    if (m->count < DLS_MEETINGS) {
        m->meeting[m->count++] = meeting;
        return;
    }
    int highest = 0;
    for (int k = 1; k < m->count; k++)
        if (m->meeting[k].gap > m->meeting[highest].gap) highest = k;
    if (meeting.gap < m->meeting[highest].gap) m->meeting[highest] = meeting;
}

void dls_manifold_add(struct dls_manifold *m, dls_vec3 x, dls_vec3 n, double height,
                      int feature)
{
    if (!(height <= m->reach)) return;
    dls_vec3 below = dls_vec3_sub(x, dls_vec3_scale(height, n));
    struct dls_meeting meeting =
        m->swapped ? dls_meeting_between(x, below, n, dls_feature_swap(feature))
                   : dls_meeting_between(below, x, dls_vec3_scale(-1, n), feature);
    meeting.gap = height;
    for (int k = 0; k < m->count; k++) {
        dls_vec3 across = dls_vec3_sub(m->meeting[k].point, meeting.point);
        if (dls_vec3_dot(across, across) <= m->tol * m->tol) return;
    }
    dls_manifold_keep(m, meeting);
}

bool dls_solid_above(const struct dls_solid *s, int f, dls_vec3 x)
{
    const struct dls_face *face = &s->hull->face[f];
    for (int k = 0; k < face->count; k++) {
        dls_vec3 a = s->x[face->corner[k]];
        dls_vec3 b = s->x[face->corner[(k + 1) % face->count]];
        dls_vec3 out = dls_vec3_cross(dls_vec3_sub(b, a), s->n[f]);
        if (dls_vec3_dot(out, dls_vec3_sub(x, a)) > 0) return false;
    }
    return true;
}

void dls_solid_facet(const struct dls_solid *s, int f, struct dls_facet *facet)
{
    const struct dls_face *face = &s->hull->face[f];
    facet->count = face->count;
    facet->n = s->n[f];
    for (int k = 0; k < face->count; k++) {
        facet->x[k] = s->x[face->corner[k]];
        facet->corner[k] = face->corner[k];
        facet->edge[k] = face->edge[k];
    }
}

enum { PATCH = 2 * DLS_SIDES, ON_REFERENCE = 1 << 10 };

// What is left of the incident facet; `leaving` is the edge from a corner to the next,
// or ON_REFERENCE + k where it lies above the edge k of the reference.
struct patch {
    int count;
    struct point {
        dls_vec3 x;
        int feature, leaving;
    } at[PATCH];
};

// What lies where an edge of the patch meets the plane k of the reference.
static int crossing(const struct dls_facet *reference, int edge, int k)
{
    if (edge < ON_REFERENCE) return dls_feature_crossing(reference->edge[k], edge);
    bool closing = edge == ON_REFERENCE && k == reference->count - 1;
    return reference->corner[closing ? 0 : k];
}

static void push(struct patch *p, struct point point)
{
    if (p->count < PATCH) p->at[p->count++] = point;
}

// Cuts a patch by the plane k; false where nothing lies outside, and `to` is not filled.
static bool cut(struct patch *to, const struct patch *from,
                const struct dls_facet *reference, int k, double tol)
{
    dls_vec3 a = reference->x[k], b = reference->x[(k + 1) % reference->count];
    dls_vec3 out = dls_vec3_cross(dls_vec3_sub(b, a), reference->n);
    double length = dls_vec3_norm(out);
    double height[PATCH + 1]; // above the plane less the tolerance
    bool outside = false;
    for (int i = 0; i < from->count; i++) {
        height[i] = dls_vec3_dot(out, dls_vec3_sub(from->at[i].x, a)) - tol * length;
        outside |= !(height[i] <= 0);
    }
    if (!outside) return false;
    height[from->count] = height[0];
    to->count = 0;
    for (int i = 0; i < from->count; i++) {
        const struct point *p = &from->at[i];
        const struct point *q = &from->at[i + 1 < from->count ? i + 1 : 0];
        double before = height[i], after = height[i + 1];
        if (before <= 0) push(to, *p);
        if ((before <= 0) == (after <= 0)) continue;
        dls_vec3 along = dls_vec3_sub(q->x, p->x);
        double s = (before + tol * length) / (before - after);
        push(to, (struct point){
                     dls_vec3_add(p->x, dls_vec3_scale(fmin(fmax(s, 0), 1), along)),
                     crossing(reference, p->leaving, k),
                     before <= 0 ? ON_REFERENCE + k : p->leaving,
                 });
    }
    return true;
}

void dls_facet_clip(const struct dls_facet *reference, const struct dls_facet *incident,
                    struct dls_manifold *m)
{
    struct patch patch[2];
    patch[0].count = incident->count;
    for (int k = 0; k < incident->count; k++)
        patch[0].at[k] = (struct point){
            incident->x[k],
            DLS_FEATURE_SECOND | incident->corner[k],
            incident->edge[k],
        };
    int now = 0;
    for (int k = 0; k < reference->count; k++)
        if (cut(&patch[!now], &patch[now], reference, k, m->tol)) now = !now;
    for (int k = 0; k < patch[now].count; k++) {
        dls_vec3 x = patch[now].at[k].x;
        double height = dls_vec3_dot(reference->n, dls_vec3_sub(x, reference->x[0]));
        dls_manifold_add(m, x, reference->n, height, patch[now].at[k].feature);
    }
}

static double clamp(double x) { return fmin(fmax(x, 0), 1); }

dls_vec3 dls_segment_nearest(const dls_vec3 ends[2], dls_vec3 x)
{
    dls_vec3 along = dls_vec3_sub(ends[1], ends[0]);
    double s = dls_vec3_dot(dls_vec3_sub(x, ends[0]), along);
    s = clamp(s / dls_vec3_dot(along, along));
    return dls_vec3_add(ends[0], dls_vec3_scale(s, along));
}

// Minimises |a(s) - b(t)| over the unit square: the free optimum in s, then t for it,
// then s again where t was clamped.
double dls_segments_distance(const dls_vec3 a[2], const dls_vec3 b[2], dls_vec3 *on_a,
                             dls_vec3 *on_b)
{
    dls_vec3 u = dls_vec3_sub(a[1], a[0]), v = dls_vec3_sub(b[1], b[0]);
    dls_vec3 w = dls_vec3_sub(a[0], b[0]);
    double uu = dls_vec3_dot(u, u), uv = dls_vec3_dot(u, v), vv = dls_vec3_dot(v, v);
    double uw = dls_vec3_dot(u, w), vw = dls_vec3_dot(v, w), det = uu * vv - uv * uv;
    double s = det > 1e-14 * uu * vv ? clamp((uv * vw - uw * vv) / det) : 0;
    double t = clamp((uv * s + vw) / vv);
    s = clamp((uv * t - uw) / uu);
    *on_a = dls_vec3_add(a[0], dls_vec3_scale(s, u));
    *on_b = dls_vec3_add(b[0], dls_vec3_scale(t, v));
    return dls_vec3_norm(dls_vec3_sub(*on_a, *on_b));
}
