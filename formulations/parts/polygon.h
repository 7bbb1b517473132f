// SPDX-License-Identifier: Apache-2.0
// Polygons in place of the friction disk, and the polyhedral cones over them.
#ifndef DLS_FORMULATIONS_PARTS_POLYGON_H
#define DLS_FORMULATIONS_PARTS_POLYGON_H

enum { DLS_POLYGON_SIDES = 64 }; // at most

// A regular polygon { t : n_i . t <= apothem } around the origin, n_0 = (1, 0). In 2D the
// segment [-1, 1], with the directions 1 and -1 (second components zero). A unit vector
// e turns it so that n_0 = e.
struct dls_polygon {
    int sides; // 0 where there is no tangent
    double apothem;
    double normal[DLS_POLYGON_SIDES][2];
    double vertex[DLS_POLYGON_SIDES][2]; // vertex i lies between normals i and i + 1
};

// Of 1 or 2 tangents; in 2D `sides` and `apothem` are 2 and 1 whatever is asked.
struct dls_polygon dls_polygon_make(int tangents, int sides, double apothem);

// t = e turned by the angle of x, both as complex numbers.
static inline void dls_polygon_turn(const double e[2], const double x[2], double t[2])
{
    t[0] = e[0] * x[0] - e[1] * x[1];
    t[1] = e[1] * x[0] + e[0] * x[1];
}

// max over the turned polygon of t . x
double dls_polygon_support(const struct dls_polygon *, const double e[2],
                           const double x[2]);

// Writes y = a x_i + b x_(i+1) with a, b >= 0 in the turned directions x, all normals or
// all vertices; returns i.
int dls_polygon_split(const struct dls_polygon *, const double e[2],
                      const double x[][2], const double y[2], double ab[2]);

// p = projection of y = (N, T1, T2) on { p_T in mu p_N times the turned polygon }.
void dls_polygon_project(const struct dls_polygon *, const double e[2], double mu,
                         const double y[3], double p[3]);

#endif
