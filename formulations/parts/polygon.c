// SPDX-License-Identifier: Apache-2.0
// Projection on the cone over a regular polygon.
//
//     K = { (n, t) : n_i . t <= m n for all i },   m = mu apothem
//
// The cone is unchanged by reflection at the axis of side i and at the lines through the
// vertices, so the projection p of y stays in the sector of the side whose normal is
// nearest to y_T. There, with a = n_i . y_T and b its part along the side:
//
//     1. a <= m y_N: y is in the cone;
//     2. the foot on the side's plane, n = (y_N + m a) / (1 + m^2), if |b| is within it;
//     3. else the foot on the ray through the nearer vertex, or the apex.
#include "formulations/parts/polygon.h"

#include <math.h>

struct dls_polygon dls_polygon_make(int tangents, int sides, double apothem)
{
    struct dls_polygon P = {.sides = tangents == 2 ? sides : 2 * tangents};
    P.apothem = tangents == 2 ? apothem : 1;
    double pi = acos(-1);
    for (int i = 0; i < P.sides; i++) {
        double angle = 2 * pi * i / P.sides, half = pi / P.sides;
        double reach = tangents == 2 ? apothem / cos(half) : 1;
        if (tangents == 1) half = 0;
        P.normal[i][0] = cos(angle);
        P.normal[i][1] = tangents == 2 ? sin(angle) : 0;
        P.vertex[i][0] = reach * cos(angle + half);
        P.vertex[i][1] = tangents == 2 ? reach * sin(angle + half) : 0;
    }
    return P;
}

static double dot(const double x[2], const double y[2])
{
    return x[0] * y[0] + x[1] * y[1];
}

// The direction with the largest product with y, y already turned back by e.
static int nearest(int sides, const double x[][2], const double y[2])
{
    int best = 0;
    for (int i = 1; i < sides; i++)
        if (dot(x[i], y) > dot(x[best], y)) best = i;
    return best;
}

// y turned back by e
static void turn_back(const double e[2], const double y[2], double t[2])
{
    dls_polygon_turn((const double[2]){e[0], -e[1]}, y, t);
}

double dls_polygon_support(const struct dls_polygon *P, const double e[2],
                           const double x[2])
{
    if (!P->sides) return 0;
    double t[2];
    turn_back(e, x, t);
    return dot(P->vertex[nearest(P->sides, P->vertex, t)], t);
}

int dls_polygon_split(const struct dls_polygon *P, const double e[2],
                      const double x[][2], const double y[2], double ab[2])
{
    double t[2];
    turn_back(e, y, t);
    int i = nearest(P->sides, x, t);
    if (P->sides == 2) {
        ab[0] = dot(x[i], t);
        ab[1] = 0;
        return i;
    }
    double cross = x[i][0] * t[1] - x[i][1] * t[0];
    if (cross < 0) i = (i + P->sides - 1) % P->sides; // y lies before its nearest
    const double *one = x[i], *two = x[(i + 1) % P->sides];
    double det = one[0] * two[1] - one[1] * two[0];
    ab[0] = fmax(0, (t[0] * two[1] - t[1] * two[0]) / det);
    ab[1] = fmax(0, (one[0] * t[1] - one[1] * t[0]) / det);
    return i;
}

void dls_polygon_project(const struct dls_polygon *P, const double e[2], double mu,
                         const double y[3], double p[3])
{
    double t[2], m = mu * P->apothem;
    turn_back(e, y + 1, t);
    const double *n = P->normal[nearest(P->sides, P->normal, t)];
    double a = dot(n, t), b = n[0] * t[1] - n[1] * t[0], N = y[0];
    if (a > m * N) {
        double half = P->sides == 2 ? 0 : tan(acos(-1) / P->sides); // b / a at a vertex
        double foot = (N + m * a) / (1 + m * m);
        if (foot <= 0 || fabs(b) > m * foot * half) {
            double side = copysign(m * half, b); // ray (1, m, side)
            foot = fmax(0, (N + m * a + side * b) / (1 + m * m + side * side));
            b = side * foot;
        }
        N = foot;
        a = m * foot;
    }
    double local[2] = {a * n[0] - b * n[1], a * n[1] + b * n[0]};
    p[0] = N;
    dls_polygon_turn(e, local, p + 1);
}
