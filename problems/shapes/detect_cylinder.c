// SPDX-License-Identifier: Apache-2.0
// A cylinder block against a plane, a polyhedron or another cylinder block.
//
// A cap is taken as the octagon of eight points of the rim that turn with the body,
// beside the exact point of the rim that comes lowest. The octagon carries a block that
// stands flat; as soon as it tilts, the lowest point of the rim is there, so that rocking
// and rolling on the rim see the true radius.
//
// Method for two bodies:
//   1. The normal is the best of: caps, faces, side against edge (axis x edge), side
//      against side, corner against side, and, for what only curves can do (rim on rim,
//      rim on edge), libccd's (ccd.c). Exact ones win within 1e-9 of the size.
//   2. Cap or face: the facet of the other that looks against it is clipped
//      (detect_clip.c); for a block on its side that is the line along it.
//   3. Otherwise a point, or the two ends of the common part of two parallel lines.
// Cost: edges + faces supports, some tens of microseconds where libccd is asked.
#include "problems/shapes/ccd.h"
#include "problems/shapes/detect_pairs.h"

#include <math.h>

enum { CAP = 8, FLAT = -1 };

static dls_vec3 rim_point(const struct dls_placed *c, int cap, double cosine,
                          double sine)
{
    double R = c->shape->radius, z = c->shape->half.z;
    return dls_pose_place(&c->pose, (dls_vec3){R * cosine, R * sine, cap ? z : -z});
}

// The point of a rim lowest along n; false where all are as low.
static bool lowest_of_rim(const struct dls_placed *c, int cap, dls_vec3 n, dls_vec3 *x)
{
    dls_vec3 d = dls_pose_local(&c->pose, n);
    double across = hypot(d.x, d.y);
    if (across < 1e-9) return false;
    *x = rim_point(c, cap, -d.x / across, -d.y / across);
    return true;
}

// The octagon of a cap, counterclockwise from outside.
static void cap_facet(const struct dls_placed *c, int cap, struct dls_facet *facet)
{
    facet->count = CAP;
    facet->n = dls_vec3_scale(cap ? 1 : -1, c->pose.axis[2]);
    for (int k = 0; k < CAP; k++) {
        int corner = cap ? k : CAP - 1 - k;
        double angle = 2 * acos(-1) * corner / CAP;
        facet->x[k] = rim_point(c, cap, cos(angle), sin(angle));
        facet->corner[k] = cap * CAP + corner;
        facet->edge[k] = cap * CAP + (cap ? k : (2 * CAP - 2 - k) % CAP);
    }
}

// The line along the side that comes lowest along n.
static void side_facet(const struct dls_placed *c, dls_vec3 n, struct dls_facet *facet)
{
    facet->count = 2;
    facet->n = n;
    for (int cap = 0; cap < 2; cap++) {
        lowest_of_rim(c, cap, n, &facet->x[cap]);
        facet->corner[cap] = 2 * CAP + cap;
        facet->edge[cap] = 2 * CAP;
    }
}

int dls_detect_cylinder_plane(const struct dls_placed *c, dls_vec3 origin, dls_vec3 n,
                              double reach, struct dls_meeting *meeting)
{
    struct dls_manifold m = {reach, 1e-9 * c->shape->bound, .meeting = meeting};
    double along = dls_vec3_dot(n, c->pose.axis[2]);
    int count = 0, feature[CAP + 2];
    dls_vec3 x[CAP + 2];
    if (fabs(along) > 0.7) {
        struct dls_facet facet;
        cap_facet(c, along < 0, &facet);
        for (int k = 0; k < CAP; k++)
            x[count] = facet.x[k], feature[count++] = facet.corner[k];
    }
    for (int cap = 0; cap < 2; cap++)
        if (lowest_of_rim(c, cap, n, &x[count]))
            feature[count++] = DLS_FEATURE_RIM | cap << 1;
    m.swapped = true;
    for (int k = 0; k < count; k++) {
        double height = dls_vec3_dot(n, dls_vec3_sub(x[k], origin));
        dls_manifold_add(&m, x[k], n, height, dls_feature_swap(feature[k]));
    }
    for (int k = 0; k < m.count; k++) { // the point on the body
        double half = 0.5 * m.meeting[k].gap;
        m.meeting[k].point = dls_vec3_add(m.meeting[k].point, dls_vec3_scale(half, n));
    }
    return m.count;
}

// --- the normal -----------------------------------------------------------------------

// The best normal so far; `face` is FLAT unless a face or cap of `owner` (0, 1) has it.
struct axis {
    double gap, tol;
    dls_vec3 n; // from the second towards the first
    int owner, face;
};

struct two {
    const struct dls_placed *body[2];
    struct dls_solid solid; // of the second, if it is a polyhedron
    bool hull;
};

static void try_axis(const struct two *two, struct axis *best, dls_vec3 n, int owner,
                     int face)
{
    double length = dls_vec3_norm(n);
    if (length < 1e-6) return; // parallel: no such axis
    n = dls_vec3_scale(1 / length, n);
    double gap = dls_support_gap(two->body[0], two->body[1], n);
    if (gap > best->gap + best->tol)
        *best = (struct axis){gap, best->tol, n, owner, face};
}

// Sides: across the axis of the first and a line, and from a point to the axis.
static void try_side(const struct two *two, struct axis *best, dls_vec3 along,
                     dls_vec3 point)
{
    const struct dls_pose *pose = &two->body[0]->pose;
    double length = dls_vec3_norm(along);
    dls_vec3 axis = pose->axis[2], arm = dls_vec3_sub(pose->at, point);
    dls_vec3 n = dls_vec3_cross(axis, dls_vec3_scale(1 / length, along));
    if (dls_vec3_dot(n, arm) < 0) n = dls_vec3_scale(-1, n);
    try_axis(two, best, n, 0, FLAT);
    n = dls_vec3_sub(arm, dls_vec3_scale(dls_vec3_dot(arm, axis), axis));
    length = dls_vec3_norm(n);
    if (length > best->tol) try_axis(two, best, dls_vec3_scale(1 / length, n), 0, FLAT);
}

static void try_ridge(const struct two *two, struct axis *best, dls_vec3 edge,
                      dls_vec3 n)
{
    dls_support_ridge(two->body[0], two->body[1], edge, &n);
    try_axis(two, best, n, 0, FLAT);
}

// The best normals near n: where the bodies curve, and across the straight lines that
// may take part, edges of a polyhedron and sides of a cylinder.
static void try_near(const struct two *two, struct axis *best, dls_vec3 n)
{
    const struct dls_solid *s = &two->solid;
    for (int k = 0; k < 2 - two->hull; k++) {
        dls_vec3 axis = two->body[k]->pose.axis[2];
        if (fabs(dls_vec3_dot(axis, n)) < 0.3) try_ridge(two, best, axis, n);
    }
    double highest = dls_vec3_dot(n, dls_support(two->body[1], n)) - 0.1 * s->size;
    for (int e = 0; two->hull && e < s->hull->edges; e++) {
        dls_vec3 a = s->x[s->hull->edge[e].corner[0]];
        dls_vec3 b = s->x[s->hull->edge[e].corner[1]];
        if (fmin(dls_vec3_dot(n, a), dls_vec3_dot(n, b)) >= highest)
            try_ridge(two, best, dls_vec3_sub(b, a), n);
    }
    dls_support_climb(two->body[0], two->body[1], &n);
    try_axis(two, best, n, 0, FLAT);
}

// From n uphill until nothing near is better; replaces `best` where that is.
static void ascend(const struct two *two, struct axis *best, dls_vec3 n)
{
    struct axis now = {.gap = -INFINITY, .tol = 1e-3 * best->tol}, before;
    try_axis(two, &now, n, 0, FLAT);
    int round = 0;
    do {
        before = now;
        try_near(two, &now, before.n);
    } while (now.gap > before.gap && ++round < 10);
    if (now.gap > best->gap + best->tol) now.tol = best->tol, *best = now;
}

static struct axis best_axis(const struct two *two, double reach)
{
    double size = two->body[0]->shape->bound + two->body[1]->shape->bound;
    struct axis best = {.gap = -INFINITY, .tol = 1e-9 * size};
    for (int owner = 0; owner < 2 - two->hull; owner++)
        for (int cap = 0; cap < 2; cap++) {
            double sign = (cap ? 1 : -1) * (owner ? 1 : -1);
            dls_vec3 axis = two->body[owner]->pose.axis[2];
            try_axis(two, &best, dls_vec3_scale(sign, axis), owner, cap);
        }
    const struct dls_solid *s = &two->solid;
    for (int f = 0; two->hull && f < s->faces; f++) try_axis(two, &best, s->n[f], 1, f);
    for (int e = 0; two->hull && e < s->hull->edges; e++) {
        dls_vec3 a = s->x[s->hull->edge[e].corner[0]];
        dls_vec3 b = s->x[s->hull->edge[e].corner[1]];
        try_side(two, &best, dls_vec3_sub(b, a), a);
        try_side(two, &best, dls_vec3_sub(b, a), b);
    }
    const struct dls_pose *other = &two->body[1]->pose;
    if (!two->hull) try_side(two, &best, other->axis[2], other->at);
    if (!(best.gap <= reach)) return best;
    dls_vec3 n;
    ascend(two, &best, best.n);
    if (dls_ccd_normal(two->body[0], two->body[1], best.gap, reach, &n))
        ascend(two, &best, n);
    return best;
}

// --- the points -----------------------------------------------------------------------

static void facet_of(const struct two *two, int owner, int face, struct dls_facet *f)
{
    if (owner && two->hull)
        dls_solid_facet(&two->solid, face, f);
    else
        cap_facet(two->body[owner], face, f);
}

// The facet of a body that looks against n.
static void facet_against(const struct two *two, int owner, dls_vec3 n,
                          struct dls_facet *facet)
{
    if (owner && two->hull) {
        int face = 0;
        for (int f = 1; f < two->solid.faces; f++) {
            double lean = dls_vec3_dot(two->solid.n[f], n);
            if (lean < dls_vec3_dot(two->solid.n[face], n) - 1e-12) face = f;
        }
        dls_solid_facet(&two->solid, face, facet);
        return;
    }
    double along = dls_vec3_dot(n, two->body[owner]->pose.axis[2]);
    if (fabs(along) > 0.7)
        cap_facet(two->body[owner], along < 0, facet);
    else
        side_facet(two->body[owner], n, facet);
}

static bool above(const struct two *two, const struct axis *axis, dls_vec3 x)
{
    if (axis->owner && two->hull) return dls_solid_above(&two->solid, axis->face, x);
    const struct dls_placed *c = two->body[axis->owner];
    dls_vec3 d = dls_pose_local(&c->pose, dls_vec3_sub(x, c->pose.at));
    return hypot(d.x, d.y) <= c->shape->radius + axis->tol;
}

static void clip(const struct two *two, const struct axis *axis, struct dls_manifold *m)
{
    struct dls_facet reference, incident;
    facet_of(two, axis->owner, axis->face, &reference);
    facet_against(two, !axis->owner, reference.n, &incident);
    dls_facet_clip(&reference, &incident, m);
    const struct dls_placed *other = two->body[!axis->owner];
    bool curved = axis->owner || !two->hull;
    for (int cap = 0; curved && cap < 2; cap++) {
        dls_vec3 x;
        if (!lowest_of_rim(other, cap, reference.n, &x) || !above(two, axis, x))
            continue;
        double height = dls_vec3_dot(reference.n, dls_vec3_sub(x, reference.x[0]));
        dls_manifold_add(m, x, reference.n, height, DLS_FEATURE_RIM | cap << 1 | 1);
    }
}

// What a body touches with along -n or n: one point, or a line that n crosses at a right
// angle within NEARLY.
#define NEARLY 1e-3
struct line {
    dls_vec3 x[2];
    int points;
};

static struct line line_of(const struct two *two, int owner, dls_vec3 n)
{
    struct line line = {.points = 1};
    line.x[0] = line.x[1] = dls_support(two->body[owner], dls_vec3_scale(-1, n));
    if (!owner || !two->hull) {
        const struct dls_placed *c = two->body[owner];
        if (fabs(dls_vec3_dot(n, c->pose.axis[2])) > NEARLY) return line;
        line.points = 2;
        for (int cap = 0; cap < 2; cap++) lowest_of_rim(c, cap, n, &line.x[cap]);
        return line;
    }
    double lowest = NEARLY * two->solid.size; // above the first, the second lowest
    for (int k = 0; k < two->solid.corners; k++) {
        dls_vec3 across = dls_vec3_sub(two->solid.x[k], line.x[0]);
        double height = dls_vec3_dot(n, across);
        if (height > lowest || dls_vec3_dot(across, across) <= 0) continue;
        lowest = height;
        line.x[1] = two->solid.x[k];
        line.points = 2;
    }
    return line;
}

// Both ends of the common part of two parallel lines, with their heights along n.
static void overlap(const struct line *a, const struct line *b, const struct axis *axis,
                    struct dls_manifold *m)
{
    dls_vec3 u = dls_vec3_sub(a->x[1], a->x[0]), v = dls_vec3_sub(b->x[1], b->x[0]);
    double length = dls_vec3_norm(u), t[2];
    u = dls_vec3_scale(1 / length, u);
    for (int i = 0; i < 2; i++) t[i] = dls_vec3_dot(u, dls_vec3_sub(b->x[i], a->x[0]));
    double end[2] = {fmax(fmin(t[0], t[1]), 0), fmin(fmax(t[0], t[1]), length)};
    for (int i = 0; i < 2; i++) {
        double s = (end[i] - t[0]) / (t[1] - t[0]);
        dls_vec3 x = dls_vec3_add(a->x[0], dls_vec3_scale(end[i], u));
        dls_vec3 y = dls_vec3_add(b->x[0], dls_vec3_scale(s, v));
        double height = dls_vec3_dot(axis->n, dls_vec3_sub(x, y));
        dls_manifold_add(m, x, axis->n, height, DLS_FEATURE_RIM | i << 1 | 8);
    }
}

static void touch(const struct two *two, const struct axis *axis,
                  struct dls_manifold *m)
{
    dls_vec3 n = axis->n, up = dls_vec3_scale(axis->gap, n), x, y;
    struct line a = line_of(two, 0, n), b = line_of(two, 1, dls_vec3_scale(-1, n));
    m->swapped = true; // heights are those of the first above the second
    x = a.points == 1 ? a.x[0] : dls_vec3_add(b.x[0], up);
    if (a.points == 1 && b.points == 1)
        x = dls_vec3_scale(0.5, dls_vec3_add(x, dls_vec3_add(b.x[0], up)));
    if (a.points == 2 && b.points == 2) {
        dls_vec3 u = dls_vec3_sub(a.x[1], a.x[0]), v = dls_vec3_sub(b.x[1], b.x[0]);
        double sine = dls_vec3_norm(dls_vec3_cross(u, v));
        if (sine <= NEARLY * dls_vec3_norm(u) * dls_vec3_norm(v)) {
            overlap(&a, &b, axis, m);
            if (m->count) return;
        }
        dls_segments_distance(a.x, b.x, &x, &y);
    }
    dls_manifold_add(m, x, n, axis->gap, DLS_FEATURE_RIM | 16);
}

int dls_detect_cylinder(const struct dls_placed *c, const struct dls_placed *other,
                        double reach, struct dls_meeting *meeting)
{
    struct two two = {{c, other}, .hull = other->shape->kind == DLS_SHAPE_HULL};
    dls_vec3 room[DLS_SOLID_ROOM];
    if (two.hull) dls_solid_place(&two.solid, other->shape, &other->pose, room);
    struct axis axis = best_axis(&two, reach);
    if (!(axis.gap <= reach)) return 0;
    struct dls_manifold m = {reach, axis.tol, axis.owner, 0, meeting};
    if (axis.face != FLAT) clip(&two, &axis, &m);
    if (!m.count) touch(&two, &axis, &m);
    return m.count;
}
