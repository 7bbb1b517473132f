// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies, and where they are; see shape.c and hull.c.
#ifndef DLS_PROBLEMS_SHAPES_SHAPE_H
#define DLS_PROBLEMS_SHAPES_SHAPE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/vec3.h"

#include <stdbool.h>

enum dls_shape_kind {
    DLS_SHAPE_BALL, // disk or sphere
    DLS_SHAPE_POLYGON,
    DLS_SHAPE_CYLINDER, // block, its axis along the third body axis
    DLS_SHAPE_HULL,     // convex polyhedron, boxes included
};

enum { DLS_CORNERS = 32, DLS_EDGES = 90, DLS_FACES = 60, DLS_SIDES = 16 };

// How corners are joined: edges by their corners and the faces on both sides, faces by
// their corners counterclockwise from outside; the edge k of a face leads from its
// corner k to the next one.
struct dls_hull {
    int corners, edges, faces;
    struct dls_edge {
        unsigned char corner[2], face[2];
    } edge[DLS_EDGES];
    struct dls_face {
        int count;
        unsigned char corner[DLS_SIDES], edge[DLS_SIDES];
    } face[DLS_FACES];
};

// Lengths are in body axes about the centre of mass.
struct dls_shape {
    enum dls_shape_kind kind;
    double radius; // ball, cylinder
    dls_vec3
        half; // half edges of a box or rectangle; end of a rod; half.z of a cylinder
    double bound; // no point is farther from the centre
    double inner; // of a polygon: none outside is nearer; 0 says nothing
    // Of polygons and polyhedra; `corner` is NULL where `half` gives them.
    int corners;
    const dls_vec3 *corner;
    const struct dls_hull *hull;
};

struct dls_shape dls_shape_ball(double radius);
// A rectangle (edges.z = 0) or a box with these edges.
struct dls_shape dls_shape_box(dls_vec3 edges);
// A rod of no thickness in the plane, from `end` to -end.
struct dls_shape dls_shape_rod(dls_vec3 end);
struct dls_shape dls_shape_cylinder(double radius, double height);

// A convex polygon, corners counterclockwise about the origin. The corners are borrowed.
// DLS_EINVAL: not 3 to DLS_SIDES of them, or not strictly convex.
enum dls_status dls_shape_polygon(struct dls_shape *, int corners,
                                  const dls_vec3 *corner, struct dls_error *);
// The convex polyhedron with these corners (borrowed) about the origin. DLS_EINVAL when
// they are flat, not all corners of it, or too many for the limits above.
enum dls_status dls_shape_hull(struct dls_shape *, int corners, const dls_vec3 *corner,
                               struct dls_arena *, struct dls_error *);

// Where a body is: its centre, and its axes in space.
struct dls_pose {
    dls_vec3 at, axis[3];
};

// A point of body axes in space, and a direction of space in body axes.
dls_vec3 dls_pose_place(const struct dls_pose *, dls_vec3);
dls_vec3 dls_pose_local(const struct dls_pose *, dls_vec3);

// A polygon or polyhedron in space.
struct dls_solid {
    const struct dls_hull *hull; // NULL: polygon
    int corners, faces;
    dls_vec3 centre;
    dls_vec3 half; // of a box: its half edges along n[1], n[3], n[5]; else 0
    dls_vec3 *x;   // corners
    dls_vec3 *n;   // outward normals of faces, or of sides x[k] x[k + 1]
    double size;   // the bound of the shape: what tolerances go by
    double inner;  // of the shape
};
// Vectors that the corners and normals of a shape take, DLS_SOLID_ROOM at most.
enum { DLS_SOLID_ROOM = DLS_CORNERS + DLS_FACES };
int dls_solid_room(const struct dls_shape *);
// Corners and normals go into `room`, which the caller keeps as long as the solid.
void dls_solid_place(struct dls_solid *, const struct dls_shape *,
                     const struct dls_pose *, dls_vec3 *room);

// A wall of no thickness in the plane: a polygon of two corners. Takes four vectors.
void dls_solid_segment(struct dls_solid *, dls_vec3 a, dls_vec3 b, dls_vec3 *room);

// The corner k of a polygon or polyhedron, in body axes.
dls_vec3 dls_shape_corner(const struct dls_shape *, int k);

// The topology of a box: corner k has the sign of bit i along axis i.
extern const struct dls_hull dls_hull_box;
// Fills the topology of a convex polyhedron; false where the corners do not make one.
bool dls_hull_make(struct dls_hull *, int corners, const dls_vec3 *corner);

#endif
