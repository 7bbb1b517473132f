// SPDX-License-Identifier: Apache-2.0
// Shapes in body axes, and polygons and polyhedra placed in space.
//
// Boxes and rectangles keep their half edges only; the corners of other polygons and
// polyhedra are shared between all bodies of that shape. A solid is a polygon or
// polyhedron at a pose: corners x, outward unit normals n of its sides or faces. Placing
// one costs a rotation per corner and a cross product per face; a box, whose corners
// are sums of three vectors, 14 sums.
#include "problems/shapes/shape.h"

#include <math.h>

struct dls_shape dls_shape_ball(double radius)
{
    return (struct dls_shape){DLS_SHAPE_BALL, .radius = radius, .bound = radius};
}

struct dls_shape dls_shape_box(dls_vec3 edges)
{
    dls_vec3 half = dls_vec3_scale(0.5, edges);
    return (struct dls_shape){
        .kind = edges.z > 0 ? DLS_SHAPE_HULL : DLS_SHAPE_POLYGON,
        .half = half,
        .bound = dls_vec3_norm(half),
        .inner = edges.z > 0 ? 0 : fmin(half.x, half.y),
        .corners = edges.z > 0 ? 8 : 4,
        .hull = edges.z > 0 ? &dls_hull_box : NULL,
    };
}

struct dls_shape dls_shape_rod(dls_vec3 end)
{
    return (struct dls_shape){
        .kind = DLS_SHAPE_POLYGON,
        .half = end,
        .bound = dls_vec3_norm(end),
        .corners = 2,
    };
}

struct dls_shape dls_shape_cylinder(double radius, double height)
{
    return (struct dls_shape){
        .kind = DLS_SHAPE_CYLINDER,
        .radius = radius,
        .half.z = 0.5 * height,
        .bound = hypot(radius, 0.5 * height),
    };
}

static double farthest(int corners, const dls_vec3 *corner)
{
    double most = 0;
    for (int k = 0; k < corners; k++) most = fmax(most, dls_vec3_norm(corner[k]));
    return most;
}

// The distance from the origin to the nearest side of a polygon around it.
static double inner_radius(int corners, const dls_vec3 *corner)
{
    double least = INFINITY;
    for (int k = 0; k < corners; k++) {
        dls_vec3 a = corner[k], b = corner[(k + 1) % corners];
        double area = dls_vec3_cross(a, b).z;
        least = fmin(least, area / dls_vec3_norm(dls_vec3_sub(b, a)));
    }
    return least;
}

enum dls_status dls_shape_polygon(struct dls_shape *s, int corners,
                                  const dls_vec3 *corner, struct dls_error *err)
{
    if (corners < 3 || corners > DLS_SIDES)
        return dls_fail(err, DLS_EINVAL, "a polygon has 3 to %d corners, not %d",
                        DLS_SIDES, corners);
    double turned = 0;
    for (int k = 0; k < corners; k++) {
        dls_vec3 a = corner[k], b = corner[(k + 1) % corners];
        dls_vec3 before = dls_vec3_sub(b, a);
        dls_vec3 after = dls_vec3_sub(corner[(k + 2) % corners], b);
        double turn = dls_vec3_cross(before, after).z;
        if (!(turn > 0 && dls_vec3_cross(a, b).z > 0))
            return dls_fail(err, DLS_EINVAL,
                            "corner %d of the polygon is not convex about the origin",
                            (k + 1) % corners);
        turned += atan2(turn, dls_vec3_dot(before, after));
    }
    if (turned > 7) // a pentagram turns twice
        return dls_fail(err, DLS_EINVAL, "the polygon crosses itself");
    *s = (struct dls_shape){
        .kind = DLS_SHAPE_POLYGON,
        .bound = farthest(corners, corner),
        .inner = inner_radius(corners, corner),
        .corners = corners,
        .corner = corner,
    };
    return DLS_OK;
}

enum dls_status dls_shape_hull(struct dls_shape *s, int corners, const dls_vec3 *corner,
                               struct dls_arena *a, struct dls_error *err)
{
    struct dls_hull *hull = DLS_NEW(a, struct dls_hull, 1);
    if (a->failed) return DLS_ENOMEM;
    if (!dls_hull_make(hull, corners, corner))
        return dls_fail(err, DLS_EINVAL,
                        "the %d points are not the corners of a convex polyhedron",
                        corners);
    *s = (struct dls_shape){
        .kind = DLS_SHAPE_HULL,
        .bound = farthest(corners, corner),
        .corners = corners,
        .corner = corner,
        .hull = hull,
    };
    return DLS_OK;
}

dls_vec3 dls_pose_place(const struct dls_pose *p, dls_vec3 x)
{
    dls_vec3 y = dls_vec3_add(p->at, dls_vec3_scale(x.x, p->axis[0]));
    y = dls_vec3_add(y, dls_vec3_scale(x.y, p->axis[1]));
    return dls_vec3_add(y, dls_vec3_scale(x.z, p->axis[2]));
}

dls_vec3 dls_pose_local(const struct dls_pose *p, dls_vec3 a)
{
    return (dls_vec3){
        dls_vec3_dot(a, p->axis[0]),
        dls_vec3_dot(a, p->axis[1]),
        dls_vec3_dot(a, p->axis[2]),
    };
}

dls_vec3 dls_shape_corner(const struct dls_shape *s, int k)
{
    if (s->corner) return s->corner[k];
    if (s->corners == 2) return dls_vec3_scale(k ? -1 : 1, s->half);
    int right = s->hull ? k & 1 : k == 1 || k == 2; // a rectangle goes round
    int up = s->hull ? k & 2 : k >= 2;
    return (dls_vec3){
        right ? s->half.x : -s->half.x,
        up ? s->half.y : -s->half.y,
        k & 4 ? s->half.z : -s->half.z,
    };
}

static bool is_box(const struct dls_shape *s) { return s->hull && !s->corner; }

// Corner k has the sign of bit i along axis i, and faces look along the axes.
static void place_box(struct dls_solid *solid, const struct dls_pose *pose)
{
    const double half[3] = {solid->half.x, solid->half.y, solid->half.z};
    solid->x[0] = pose->at;
    for (int i = 0, known = 1; i < 3; i++, known *= 2) {
        dls_vec3 up = dls_vec3_scale(half[i], pose->axis[i]);
        for (int k = 0; k < known; k++) {
            solid->x[known + k] = dls_vec3_add(solid->x[k], up);
            solid->x[k] = dls_vec3_sub(solid->x[k], up);
        }
        solid->n[2 * i] = dls_vec3_scale(-1, pose->axis[i]);
        solid->n[2 * i + 1] = pose->axis[i];
    }
}

// All in the plane z = 0, where two axes are enough.
static void place_polygon(struct dls_solid *solid, const struct dls_shape *s,
                          const struct dls_pose *pose)
{
    dls_vec3 right = pose->axis[0], up = pose->axis[1];
    for (int k = 0; k < s->corners; k++) {
        dls_vec3 c = s->corner ? s->corner[k] : dls_shape_corner(s, k);
        solid->x[k] = (dls_vec3){
            pose->at.x + c.x * right.x + c.y * up.x,
            pose->at.y + c.x * right.y + c.y * up.y,
            0,
        };
    }
    for (int f = 0, last = s->corners - 1; f <= last; f++) {
        dls_vec3 a = solid->x[f], b = solid->x[f == last ? 0 : f + 1];
        double x = b.y - a.y, y = a.x - b.x, by = 1 / sqrt(x * x + y * y);
        solid->n[f] = (dls_vec3){by * x, by * y, 0};
    }
}

static void place_hull(struct dls_solid *solid, const struct dls_shape *s,
                       const struct dls_pose *pose)
{
    for (int k = 0; k < s->corners; k++)
        solid->x[k] = dls_pose_place(pose, dls_shape_corner(s, k));
    for (int f = 0; f < solid->faces; f++) {
        const unsigned char *c = s->hull->face[f].corner;
        dls_vec3 n = dls_vec3_cross(dls_vec3_sub(solid->x[c[1]], solid->x[c[0]]),
                                    dls_vec3_sub(solid->x[c[2]], solid->x[c[0]]));
        solid->n[f] = dls_vec3_scale(1 / dls_vec3_norm(n), n);
    }
}

static int faces_of(const struct dls_shape *s)
{
    return s->hull ? s->hull->faces : s->corners;
}

int dls_solid_room(const struct dls_shape *s) { return s->corners + faces_of(s); }

void dls_solid_place(struct dls_solid *solid, const struct dls_shape *s,
                     const struct dls_pose *pose, dls_vec3 *room)
{
    *solid = (struct dls_solid){
        .hull = s->hull,
        .corners = s->corners,
        .faces = faces_of(s),
        .centre = pose->at,
        .half = is_box(s) ? s->half : (dls_vec3){0, 0, 0},
        .x = room,
        .n = room + s->corners,
        .size = s->bound,
        .inner = s->inner,
    };
    if (is_box(s))
        place_box(solid, pose);
    else if (s->hull)
        place_hull(solid, s, pose);
    else
        place_polygon(solid, s, pose);
}

void dls_solid_segment(struct dls_solid *solid, dls_vec3 a, dls_vec3 b, dls_vec3 *room)
{
    dls_vec3 along = dls_vec3_sub(b, a);
    double length = dls_vec3_norm(along);
    dls_vec3 n = {along.y / length, -along.x / length, 0};
    *solid = (struct dls_solid){
        .corners = 2,
        .faces = 2,
        .centre = dls_vec3_scale(0.5, dls_vec3_add(a, b)),
        .x = room,
        .n = room + 2,
        .size = 0.5 * length,
    };
    solid->x[0] = a, solid->x[1] = b;
    solid->n[0] = n, solid->n[1] = dls_vec3_scale(-1, n);
}
