// SPDX-License-Identifier: Apache-2.0
// Projection on the friction cone, rolling rows included.
//
// With n = p_N, a = |y_T|, b = |y_R| the projection minimises over n >= 0
//
//     phi(n) = (n - y_N)^2 + max(0, a - mu n)^2 + max(0, b - mu_r n)^2,
//
// because for fixed n the tangential and rolling parts are projected on disks of radius
// mu n and mu_r n. phi is convex and piecewise quadratic: its minimum is the one of the
// four pieces whose stationary point lies in the piece, or n = 0 where phi'(0) >= 0.
#include "formulations/judge/cone.h"

#include <math.h>
#include <string.h>

struct dls_cone dls_cone_make(int d, bool rolling, double mu, double mu_r)
{
    int tangents = rolling ? (d - 1) / 2 : d - 1;
    return (struct dls_cone){
        .d = d,
        .tangents = tangents,
        .rolls = d - 1 - tangents,
        .mu = mu,
        .mu_r = rolling ? mu_r : 0,
    };
}

static double norm(const double *x, int n)
{
    if (n == 0) return 0;
    return n == 1 ? fabs(x[0]) : sqrt(x[0] * x[0] + x[1] * x[1]);
}

// Shortens y to length `radius` where it is longer.
static void clip(const double *y, int n, double length, double radius, double *p)
{
    double s = length > radius ? radius / length : 1;
    for (int i = 0; i < n; i++) p[i] = s * y[i];
}

enum dls_contact_status dls_cone_project(const struct dls_cone *K, const double *y,
                                         double *p)
{
    const double *y_R = y + 1 + K->tangents;
    double a = norm(y + 1, K->tangents), b = norm(y_R, K->rolls);
    double mu = K->mu, nu = K->mu_r, y_N = y[0];
    if (y_N + mu * a + nu * b <= 0) { // phi'(0) >= 0: y is in the polar cone
        memset(p, 0, (size_t)K->d * sizeof *p);
        return DLS_OPEN;
    }
    if (a <= mu * y_N && b <= nu * y_N) { // y is in the cone
        memmove(p, y, (size_t)K->d * sizeof *p);
        return DLS_STICK;
    }
    double n_T = (y_N + mu * a) / (1 + mu * mu);                  // T clipped
    double n_R = (y_N + nu * b) / (1 + nu * nu);                  // R clipped
    double n = (y_N + mu * a + nu * b) / (1 + mu * mu + nu * nu); // both
    if (a > mu * n_T && b <= nu * n_T) n = n_T;
    if (b > nu * n_R && a <= mu * n_R) n = n_R;
    clip(y + 1, K->tangents, a, mu * n, p + 1);
    clip(y_R, K->rolls, b, nu * n, p + 1 + K->tangents);
    p[0] = n;
    return DLS_SLIP;
}

double dls_cone_shift(const struct dls_cone *K, const double *u)
{
    return K->mu * norm(u + 1, K->tangents)
           + K->mu_r * norm(u + 1 + K->tangents, K->rolls);
}

// C = r - P_K(y), y = r - rho u~, is written as rho u~ + (y - P_K(y)) unless that is open:
// impulses so large that rho u~ is lost in y would otherwise pass for a solution.
double dls_cone_natural(const struct dls_cone *K, const double *r, const double *u,
                        double rho, enum dls_contact_status *status)
{
    double y[DLS_LARGEST_D], p[DLS_LARGEST_D], sum = 0,
                                               shift = rho * dls_cone_shift(K, u);
    for (int i = 0; i < K->d; i++) y[i] = r[i] - rho * u[i];
    y[0] -= shift;
    *status = dls_cone_project(K, y, p);
    for (int i = 0; i < K->d; i++) {
        double step = rho * u[i] + (i ? 0 : shift);
        double C = *status == DLS_OPEN ? r[i] : step + (y[i] - p[i]);
        sum += C * C;
    }
    return sum;
}

double dls_cone_excess(const struct dls_cone *K, const double *r)
{
    double worst = -r[0];
    if (K->tangents) worst = fmax(worst, norm(r + 1, K->tangents) - K->mu * r[0]);
    if (K->rolls)
        worst = fmax(worst, norm(r + 1 + K->tangents, K->rolls) - K->mu_r * r[0]);
    return worst;
}
