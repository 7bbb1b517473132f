// SPDX-License-Identifier: Apache-2.0
// Two convex polyhedra in space.
//
//     gap(n) = min over corners y of the second of n . y - max over those of the first
//     gap = max over unit n
//
// Method: separating axes, exact to round-off apart and overlapping (a library for
// convex bodies gives overlaps only, to a tolerance; the tests use one as a witness).
//   1. Face normals of both: gap(n_f) = min_y n_f . (y - x_f).
//   2. Cross products of two edges, one of each, that make a face of the Minkowski
//      difference: the arcs that the edges span between their face normals on the unit
//      sphere must cross [Gregorius2013].
//   3. Faces are preferred: an edge axis must be better by 1e-9 of the size and, for
//      bodies that touch, lean by more than 2 degrees from the best face normal.
//      Otherwise the manifold of the faces has the crossing among its points, with a gap
//      off by the cosine, and a stack of blocks keeps its four points.
//   4. Face axis: the face that looks most against n is clipped (detect_clip.c).
//      Edge axis: the nearest points of the two edges.
//   5. Apart, with the lowest corner not above the face (or the ends of the edges
//      nearest), corners or edges are nearest to each other: one point, found among
//      all edges and faces.
// Of two boxes, only the axes that detect_box.c leaves are looked at.
// Cost: faces x corners + edges^2. Deep overlap: n may jump between faces.
#include "problems/shapes/detect_pairs.h"

#include <math.h>

struct axis {
    double gap;
    int face, corner; // of a face axis: the other's lowest corner
    int edge[2];      // of an edge axis
    dls_vec3 n;       // from the second towards the first
};

static struct axis best_face(const struct dls_solid *a, const struct dls_solid *b,
                             uint64_t among)
{
    struct axis best = {.gap = -INFINITY};
    for (int f = 0; f < a->faces; f++) {
        if (!(among >> f & 1)) continue;
        dls_vec3 on = a->x[a->hull->face[f].corner[0]];
        double lowest = INFINITY;
        int corner = 0;
        for (int k = 0; k < b->corners; k++) {
            double height = dls_vec3_dot(a->n[f], dls_vec3_sub(b->x[k], on));
            if (height < lowest) lowest = height, corner = k;
        }
        if (lowest > best.gap)
            best = (struct axis){.gap = lowest, .face = f, .corner = corner};
    }
    best.n = a->n[best.face];
    return best;
}

// True if the arcs from a to b and from c to d on the unit sphere cross.
static bool arcs_cross(dls_vec3 a, dls_vec3 b, dls_vec3 c, dls_vec3 d)
{
    dls_vec3 ba = dls_vec3_cross(b, a), dc = dls_vec3_cross(d, c);
    double cba = dls_vec3_dot(c, ba), dba = dls_vec3_dot(d, ba);
    double adc = dls_vec3_dot(a, dc), bdc = dls_vec3_dot(b, dc);
    return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

static void edge_ends(const struct dls_solid *s, int e, dls_vec3 end[2])
{
    for (int i = 0; i < 2; i++) end[i] = s->x[s->hull->edge[e].corner[i]];
}

static void try_edges(const struct dls_solid *a, int i, const struct dls_solid *b,
                      int j, struct axis *best)
{
    const unsigned char *f = a->hull->edge[i].face, *g = b->hull->edge[j].face;
    dls_vec3 c = dls_vec3_scale(-1, b->n[g[0]]), d = dls_vec3_scale(-1, b->n[g[1]]);
    if (!arcs_cross(a->n[f[0]], a->n[f[1]], c, d)) return;
    dls_vec3 p[2], q[2];
    edge_ends(a, i, p);
    edge_ends(b, j, q);
    dls_vec3 u = dls_vec3_sub(p[1], p[0]), v = dls_vec3_sub(q[1], q[0]);
    dls_vec3 n = dls_vec3_cross(u, v);
    double length = dls_vec3_norm(n);
    if (length <= 1e-9 * dls_vec3_norm(u) * dls_vec3_norm(v)) return;
    double inward = dls_vec3_dot(n, dls_vec3_sub(a->centre, p[0]));
    n = dls_vec3_scale((inward < 0 ? -1 : 1) / length, n);
    double gap = dls_vec3_dot(n, dls_vec3_sub(p[0], q[0]));
    bool first = i < best->edge[0] || (i == best->edge[0] && j < best->edge[1]);
    if (gap > best->gap || (gap == best->gap && first))
        *best = (struct axis){.gap = gap, .edge = {i, j}, .n = n};
}

static struct axis best_edges(const struct dls_solid *a, const struct dls_solid *b,
                              const struct dls_axes *near)
{
    struct axis best = {.gap = -INFINITY};
    for (int k = 0; near && k < near->pairs; k++)
        try_edges(a, near->edges[k][0], b, near->edges[k][1], &best);
    for (int i = 0; !near && i < a->hull->edges; i++)
        for (int j = 0; j < b->hull->edges; j++) try_edges(a, i, b, j, &best);
    return best;
}

// --- apart ----------------------------------------------------------------------------

// A feature that lasts: the corner, where an edge is nearest at one of its ends.
static int edges_feature(const struct dls_solid *a, int i, dls_vec3 on_a,
                         const struct dls_solid *b, int j, dls_vec3 on_b)
{
    for (int side = 0; side < 2; side++) {
        const struct dls_edge *edge = side ? &b->hull->edge[j] : &a->hull->edge[i];
        dls_vec3 on = side ? on_b : on_a;
        for (int k = 0; k < 2; k++) {
            dls_vec3 end = (side ? b : a)->x[edge->corner[k]];
            if (dls_vec3_norm(dls_vec3_sub(on, end)) > 0) continue;
            return (side ? DLS_FEATURE_SECOND : 0) | edge->corner[k];
        }
    }
    return dls_feature_crossing(i, j);
}

static struct dls_meeting nearest_edges(const struct dls_solid *a,
                                        const struct dls_solid *b)
{
    struct dls_meeting best = {.gap = INFINITY};
    for (int k = 0; k < a->hull->edges * b->hull->edges; k++) {
        int i = k / b->hull->edges, j = k % b->hull->edges;
        dls_vec3 p[2], q[2], on_a, on_b;
        edge_ends(a, i, p);
        edge_ends(b, j, q);
        double d = dls_segments_distance(p, q, &on_a, &on_b);
        if (d >= best.gap || d <= 0) continue;
        dls_vec3 n = dls_vec3_scale(1 / d, dls_vec3_sub(on_a, on_b));
        best =
            dls_meeting_between(on_a, on_b, n, edges_feature(a, i, on_a, b, j, on_b));
        best.gap = d;
    }
    return best;
}

// --- manifolds ------------------------------------------------------------------------

static void clip_faces(const struct dls_solid *reference, const struct axis *axis,
                       const struct dls_solid *incident, struct dls_manifold *m)
{
    dls_vec3 n = reference->n[axis->face];
    int face = 0;
    double least = dls_vec3_dot(incident->n[0], n);
    for (int f = 1; f < incident->faces; f++) {
        double lean = dls_vec3_dot(incident->n[f], n);
        if (lean < least - 1e-12) least = lean, face = f;
    }
    struct dls_facet top, bottom;
    dls_solid_facet(reference, axis->face, &top);
    dls_solid_facet(incident, face, &bottom);
    dls_facet_clip(&top, &bottom, m);
    if (!m->count) // overlapping, but not above the face: never lose such a contact
        dls_manifold_add(m, incident->x[axis->corner], n, axis->gap,
                         DLS_FEATURE_SECOND | axis->corner);
}

// One point between two edges; the point is right where their lines come nearest.
static void cross_edges(const struct dls_solid *a, const struct dls_solid *b,
                        const struct axis *axis, struct dls_manifold *m)
{
    dls_vec3 p[2], q[2], on_a, on_b;
    edge_ends(a, axis->edge[0], p);
    edge_ends(b, axis->edge[1], q);
    dls_segments_distance(p, q, &on_a, &on_b);
    struct dls_meeting one = dls_meeting_between(
        on_a, on_b, axis->n, dls_feature_crossing(axis->edge[0], axis->edge[1]));
    one.gap = axis->gap;
    dls_manifold_keep(m, one);
}

int dls_detect_hulls(const struct dls_solid *a, const struct dls_solid *b, double reach,
                     unsigned char hint[2], struct dls_meeting *meeting)
{
    double tol = 1e-9 * (a->size + b->size);
    const double two_degrees = 0.99939082701909576; // its cosine
    bool boxes = a->half.x > 0 && b->half.x > 0;
    struct dls_axes near; // its list of edges is not cleared
    near.face[0] = near.face[1] = UINT64_MAX;
    if (boxes && !dls_boxes_near(a, b, reach, hint, &near)) return 0;
    struct axis first = best_face(a, b, near.face[0]);
    if (!(first.gap <= reach)) return 0;
    struct axis second = best_face(b, a, near.face[1]);
    if (!(second.gap <= reach)) return 0;
    bool swapped = second.gap > first.gap + tol;
    struct axis face = swapped ? second : first;
    struct axis edges = best_edges(a, b, boxes ? &near : NULL);
    if (edges.gap > reach || !isfinite(face.gap)) return 0; // or a lost position
    const struct dls_solid *reference = swapped ? b : a, *incident = swapped ? a : b;
    struct dls_manifold m = {reach, tol, swapped, 0, meeting};
    double best = fmax(face.gap, edges.gap);
    bool exact =
        best <= 0
        || (face.gap >= edges.gap - tol
            && dls_solid_above(reference, face.face, incident->x[face.corner]));
    if (!exact) {
        struct dls_meeting one = nearest_edges(a, b);
        if (one.gap > best + tol) {
            dls_manifold_keep(&m, one);
            return m.count;
        }
    }
    bool leans = fabs(dls_vec3_dot(edges.n, face.n)) < two_degrees;
    bool touching = best < 1e-3 * (a->size + b->size);
    if (edges.gap > face.gap + tol && (leans || !touching))
        cross_edges(a, b, &edges, &m);
    else
        clip_faces(reference, &face, incident, &m);
    return m.count;
}
