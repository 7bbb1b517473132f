// SPDX-License-Identifier: Apache-2.0
// Solid fraction by clipping.
//
//   disk      sum over the sides of the rectangle of the signed area that the disk shares
//             with the triangle (centre, a, b): a triangle where the side is inside the
//             circle, a sector where it is outside. Exact.
//   polygon   cut by the four sides one after the other (Sutherland and Hodgman). Exact.
//   ball      integral of the disks over z = r sin(phi), by Gauss' rule between the
//             places where the circle of the slice meets a side or a corner of the box;
//             there the integrand bends like a power 3/2, which leaves errors of some
//             1e-6 of the ball. A ball that no side cuts is exact.
#include "problems/observe/fraction.h"

#include <stdlib.h>

struct dls_region dls_region_around(const struct dls_observed *o)
{
    struct dls_region all = {{INFINITY, INFINITY, INFINITY},
                             {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < o->grains; k++) {
        dls_vec3 x = o->grain[k].pose.at;
        double r = o->grain[k].shape->bound;
        all.lo.x = fmin(all.lo.x, x.x - r), all.hi.x = fmax(all.hi.x, x.x + r);
        all.lo.y = fmin(all.lo.y, x.y - r), all.hi.y = fmax(all.hi.y, x.y + r);
        all.lo.z = fmin(all.lo.z, x.z - r), all.hi.z = fmax(all.hi.z, x.z + r);
    }
    return all;
}

// Signed area that the disk of radius r about the origin shares with (0, a, b).
static double share(dls_vec3 a, dls_vec3 b, double r)
{
    dls_vec3 ab = dls_vec3_sub(b, a);
    double aa = dls_vec3_dot(ab, ab), half = dls_vec3_dot(a, ab);
    double root = half * half - aa * (dls_vec3_dot(a, a) - r * r);
    double t[4] = {0, 0, 0, 1}, sum = 0;
    root = root > 0 ? sqrt(root) : 0;
    t[1] = fmin(1, fmax(0, (-half - root) / aa)); // the chord, cut to the side
    t[2] = fmin(1, fmax(0, (-half + root) / aa));
    for (int k = 0; k < 3; k++) {
        dls_vec3 p = dls_vec3_add(a, dls_vec3_scale(t[k], ab));
        dls_vec3 q = dls_vec3_add(a, dls_vec3_scale(t[k + 1], ab));
        double turn = dls_vec3_cross(p, q).z;
        bool inside = k == 1 && root > 0;
        sum += inside ? 0.5 * turn : 0.5 * r * r * atan2(turn, dls_vec3_dot(p, q));
    }
    return sum;
}

static void corners_of(const struct dls_region *box, dls_vec3 corner[4])
{
    corner[0] = (dls_vec3){box->lo.x, box->lo.y, 0};
    corner[1] = (dls_vec3){box->hi.x, box->lo.y, 0};
    corner[2] = (dls_vec3){box->hi.x, box->hi.y, 0};
    corner[3] = (dls_vec3){box->lo.x, box->hi.y, 0};
}

double dls_disk_inside(dls_vec3 centre, double radius, const struct dls_region *box)
{
    dls_vec3 corner[4];
    double sum = 0;
    corners_of(box, corner);
    centre.z = 0;
    for (int k = 0; k < 4; k++) corner[k] = dls_vec3_sub(corner[k], centre);
    for (int k = 0; k < 4; k++) sum += share(corner[k], corner[(k + 1) % 4], radius);
    return sum;
}

// The part of a polygon left of the line from a to b; returns its corners.
static int cut(int corners, const dls_vec3 *x, dls_vec3 a, dls_vec3 b, dls_vec3 *to)
{
    int count = 0;
    for (int k = 0; k < corners; k++) {
        dls_vec3 p = x[k], q = x[(k + 1) % corners], along = dls_vec3_sub(b, a);
        double dp = dls_vec3_cross(along, dls_vec3_sub(p, a)).z;
        double dq = dls_vec3_cross(along, dls_vec3_sub(q, a)).z;
        if (dp >= 0) to[count++] = p;
        if ((dp >= 0) == (dq >= 0)) continue;
        to[count++] =
            dls_vec3_add(p, dls_vec3_scale(dp / (dp - dq), dls_vec3_sub(q, p)));
    }
    return count;
}

double dls_polygon_inside(int corners, const dls_vec3 *corner,
                          const struct dls_region *box)
{
    // Each cut of a convex polygon adds one corner at most.
    dls_vec3 side[4], x[2][DLS_CORNERS + 4];
    double twice = 0;
    corners_of(box, side);
    for (int k = 0; k < corners; k++) x[0][k] = corner[k];
    for (int k = 0; k < 4; k++)
        corners = cut(corners, x[k % 2], side[k], side[(k + 1) % 4], x[1 - k % 2]);
    for (int k = 0; k < corners; k++)
        twice += dls_vec3_cross(x[0][k], x[0][(k + 1) % corners]).z;
    return 0.5 * twice;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Angles phi at which the circle of radius r cos(phi) reaches a side or a corner.
static int breaks_of(dls_vec3 c, double r, const struct dls_region *box, double *phi)
{
    double dx[] = {box->lo.x - c.x, box->hi.x - c.x};
    double dy[] = {box->lo.y - c.y, box->hi.y - c.y}, reach[8];
    int count = 0, reaches = 0;
    for (int i = 0; i < 2; i++) {
        reach[reaches++] = fabs(dx[i]);
        reach[reaches++] = fabs(dy[i]);
        for (int j = 0; j < 2; j++) reach[reaches++] = hypot(dx[i], dy[j]);
    }
    double low = asin(fmax(-1, fmin(1, (box->lo.z - c.z) / r)));
    double high = asin(fmax(-1, fmin(1, (box->hi.z - c.z) / r)));
    phi[count++] = low;
    for (int k = 0; k < reaches; k++)
        for (int sign = -1; sign < 2 && reach[k] < r; sign += 2) {
            double at = sign * acos(reach[k] / r);
            if (at > low && at < high) phi[count++] = at;
        }
    phi[count++] = high;
    qsort(phi, (size_t)count, sizeof *phi, ascending);
    return count;
}

double dls_ball_inside(dls_vec3 c, double r, const struct dls_region *box)
{
    static const double x[] = {0.1488743389816312, 0.4333953941292472,
                               0.6794095682990244, 0.8650633666889845,
                               0.9739065285171717};
    static const double weight[] = {0.2955242247147529, 0.2692667193099963,
                                    0.2190863625159820, 0.1494513491505806,
                                    0.0666713443086881};
    double phi[18], sum = 0; // ends, and two for each of eight reaches
    int count = breaks_of(c, r, box, phi);
    for (int k = 0; k + 1 < count; k++)
        for (int i = 0; i < 10; i++) {
            double half = 0.5 * (phi[k + 1] - phi[k]),
                   mid = 0.5 * (phi[k + 1] + phi[k]);
            double at = mid + (i % 2 ? half : -half) * x[i / 2];
            double slice = dls_disk_inside(c, r * cos(at), box);
            sum += half * weight[i / 2] * slice * r * cos(at); // dz = r cos(phi) dphi
        }
    return sum;
}

static bool contains(const struct dls_region *box, dls_vec3 x, int dim, double margin)
{
    return x.x >= box->lo.x + margin && x.x <= box->hi.x - margin
           && x.y >= box->lo.y + margin && x.y <= box->hi.y - margin
           && (dim == 2 || (x.z >= box->lo.z + margin && x.z <= box->hi.z - margin));
}

static double clipped(const struct dls_grain *g, int dim, const struct dls_region *box)
{
    struct dls_solid solid;
    dls_vec3 room[DLS_SOLID_ROOM];
    double bound = g->shape->bound;
    if (contains(box, g->pose.at, dim, bound)) return g->volume;
    if (!contains(box, g->pose.at, dim, -bound)) return 0;
    switch (g->shape->kind) {
    case DLS_SHAPE_BALL:
        return (dim == 2 ? dls_disk_inside : dls_ball_inside)(g->pose.at, bound, box);
    case DLS_SHAPE_POLYGON:
        dls_solid_place(&solid, g->shape, &g->pose, room);
        return dls_polygon_inside(solid.corners, solid.x, box);
    default:
        return contains(box, g->pose.at, dim, 0) ? g->volume : 0;
    }
}

double dls_solid_fraction(const struct dls_observed *o, const struct dls_region *box)
{
    double sum = 0, size = (box->hi.x - box->lo.x) * (box->hi.y - box->lo.y);
    if (o->dim == 3) size *= box->hi.z - box->lo.z;
    for (int k = 0; k < o->grains; k++) sum += clipped(&o->grain[k], o->dim, box);
    return sum / size;
}
