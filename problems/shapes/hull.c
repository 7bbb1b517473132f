// SPDX-License-Identifier: Apache-2.0
// The faces and edges of a convex polyhedron from its corners.
//
// Method: every three corners whose plane has all others on one side (within 1e-9 of the
// size) span a face; its corners are all that lie on that plane. Faces are told apart by
// their set of corners, a word of bits, and go round by angle. Two faces that share two
// corners share an edge. Cost: corners^4, once per shape.
// Fails: flat point sets, points inside, more corners, edges or faces than the limits.
#include "problems/shapes/shape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

const struct dls_hull dls_hull_box = {
    .corners = 8,
    .edges = 12,
    .faces = 6,
    .edge =
        {
            {{0, 1}, {2, 4}},
            {{2, 3}, {3, 4}},
            {{4, 5}, {2, 5}},
            {{6, 7}, {3, 5}},
            {{0, 2}, {0, 4}},
            {{1, 3}, {1, 4}},
            {{4, 6}, {0, 5}},
            {{5, 7}, {1, 5}},
            {{0, 4}, {0, 2}},
            {{1, 5}, {1, 2}},
            {{2, 6}, {0, 3}},
            {{3, 7}, {1, 3}},
        },
    .face =
        {
            {4, {0, 4, 6, 2}, {8, 6, 10, 4}}, // -x, +x, -y, +y, -z, +z
            {4, {1, 3, 7, 5}, {5, 11, 7, 9}},
            {4, {0, 1, 5, 4}, {0, 9, 2, 8}},
            {4, {2, 6, 7, 3}, {10, 3, 11, 1}},
            {4, {0, 2, 3, 1}, {4, 1, 5, 0}},
            {4, {4, 5, 7, 6}, {2, 7, 3, 6}},
        },
};

// The corners on the plane through three of them if all others are below it (then the
// outward normal is set), or 0.
static uint32_t plane_of(int corners, const dls_vec3 *x, const int pick[3], double tol,
                         dls_vec3 *n)
{
    dls_vec3 a = x[pick[0]];
    *n = dls_vec3_cross(dls_vec3_sub(x[pick[1]], a), dls_vec3_sub(x[pick[2]], a));
    double area = dls_vec3_norm(*n);
    if (area <= tol * tol) return 0;
    *n = dls_vec3_scale(1 / area, *n);
    double highest = 0, lowest = 0;
    uint32_t on = 0;
    for (int k = 0; k < corners; k++) {
        double height = dls_vec3_dot(*n, dls_vec3_sub(x[k], a));
        highest = fmax(highest, height);
        lowest = fmin(lowest, height);
        if (fabs(height) <= tol) on |= UINT32_C(1) << k;
    }
    if (highest > tol && lowest < -tol) return 0;
    if (highest <= tol && lowest >= -tol) return 0; // all in one plane
    if (highest > tol) *n = dls_vec3_scale(-1, *n);
    return on;
}

struct turned {
    double angle;
    int corner;
};

static int compare_turned(const void *a, const void *b)
{
    double x = ((const struct turned *)a)->angle, y = ((const struct turned *)b)->angle;
    return (x > y) - (x < y);
}

// Corners of a face counterclockwise about its outward normal; false for too many.
static bool order_face(struct dls_face *face, uint32_t on, const dls_vec3 *x,
                       dls_vec3 n)
{
    struct turned turned[DLS_CORNERS];
    int count = 0;
    dls_vec3 middle = {0}, first = {0};
    for (int k = 0; k < DLS_CORNERS; k++)
        if (on >> k & 1) middle = dls_vec3_add(middle, x[k]), count++;
    if (count > DLS_SIDES) return false;
    middle = dls_vec3_scale(1.0 / count, middle);
    count = 0;
    for (int k = 0; k < DLS_CORNERS; k++) {
        if (!(on >> k & 1)) continue;
        dls_vec3 arm = dls_vec3_sub(x[k], middle);
        if (!count) first = arm;
        double sine = dls_vec3_dot(n, dls_vec3_cross(first, arm));
        double angle = count ? atan2(sine, dls_vec3_dot(first, arm)) : 0;
        turned[count++] = (struct turned){angle < 0 ? angle + 2 * acos(-1) : angle, k};
    }
    qsort(turned, (size_t)count, sizeof *turned, compare_turned);
    face->count = count;
    for (int k = 0; k < count; k++) face->corner[k] = (unsigned char)turned[k].corner;
    return true;
}

// The side of a face from corner a to b or back takes an edge.
static void name_edge(struct dls_face *face, int a, int b, int edge)
{
    for (int k = 0; k < face->count; k++) {
        int from = face->corner[k], to = face->corner[(k + 1) % face->count];
        if ((from == a && to == b) || (from == b && to == a))
            face->edge[k] = (unsigned char)edge;
    }
}

// An edge wherever two neighbouring corners of a face are shared by a later face.
static bool join_faces(struct dls_hull *hull, const uint32_t *on)
{
    for (int f = 0; f < hull->faces; f++)
        for (int k = 0; k < hull->face[f].count; k++) {
            int a = hull->face[f].corner[k];
            int b = hull->face[f].corner[(k + 1) % hull->face[f].count];
            uint32_t both = UINT32_C(1) << a | UINT32_C(1) << b;
            for (int g = f + 1; g < hull->faces; g++) {
                if ((on[g] & both) != both) continue;
                if (hull->edges == DLS_EDGES) return false;
                name_edge(&hull->face[f], a, b, hull->edges);
                name_edge(&hull->face[g], a, b, hull->edges);
                hull->edge[hull->edges++] = (struct dls_edge){
                    {(unsigned char)a, (unsigned char)b},
                    {(unsigned char)f, (unsigned char)g},
                };
            }
        }
    return hull->corners - hull->edges + hull->faces == 2; // Euler
}

// Adds the face of three corners, unless there is none or it is known; false for too
// many.
static bool add_face(struct dls_hull *hull, uint32_t *on, const dls_vec3 *x,
                     const int pick[3], double tol)
{
    dls_vec3 n;
    uint32_t set = plane_of(hull->corners, x, pick, tol, &n);
    for (int f = 0; f < hull->faces; f++)
        if (on[f] == set) return true;
    if (!set) return true;
    if (hull->faces == DLS_FACES) return false;
    on[hull->faces] = set;
    return order_face(&hull->face[hull->faces++], set, x, n);
}

bool dls_hull_make(struct dls_hull *hull, int corners, const dls_vec3 *x)
{
    if (corners < 4 || corners > DLS_CORNERS) return false;
    *hull = (struct dls_hull){.corners = corners};
    uint32_t on[DLS_FACES], used = 0;
    double size = 0;
    for (int k = 0; k < corners; k++)
        size = fmax(size, dls_vec3_norm(dls_vec3_sub(x[k], x[0])));
    int p[3];
    for (p[0] = 0; p[0] < corners; p[0]++)
        for (p[1] = p[0] + 1; p[1] < corners; p[1]++)
            for (p[2] = p[1] + 1; p[2] < corners; p[2]++)
                if (!add_face(hull, on, x, p, 1e-9 * size)) return false;
    for (int f = 0; f < hull->faces; f++) used |= on[f];
    if (used != (uint32_t)((UINT64_C(1) << corners) - 1)) return false;
    return hull->faces >= 4 && join_faces(hull, on);
}
