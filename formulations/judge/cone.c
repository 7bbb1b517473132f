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

#include "base/contract.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

struct dls_cone dls_cone_make(int d, bool rolling, double mu, double mu_r)
{
    DLS_ASSERT(rolling ? d == 3 || d == 5 : d >= 1 && d <= 3);
    DLS_ASSERT(mu >= 0 && (!rolling || mu_r >= 0));
    int tangents = rolling ? (d - 1) / 2 : d - 1;
    return (struct dls_cone){
        .d = d,
        .tangents = tangents,
        .rolls = d - 1 - tangents,
        .mu = mu,
        .mu_r = rolling ? mu_r : 0,
        .stretch = 1,
    };
}

static double norm(const double *x, int n)
{
    return n == 1 ? fabs(x[0]) : dls_norm(n, x);
}

// Shortens y to length `radius` where it is longer.
static void clip(const double *y, int n, double length, double radius, double *p)
{
    double s = length > radius ? radius / length : 1;
    for (int i = 0; i < n; i++) p[i] = s * y[i];
}

// On an ellipse with half axes m_1 = mu and m_2 = s mu per unit of n = p_N the conditions of
// the nearest point give p_i = y_i m_i^2 n / ((1 + m_i^2) n - y_N), and n is the root of
//
//     F(n) = sum_i (m_i y_i / ((1 + m_i^2) n - y_N))^2 - 1,
//
// convex and decreasing where n > max(0, y_N). Newton's method started where one term of
// the sum is 1 already, F >= 0, climbs to it.
static enum dls_contact_status project_ellipse(const struct dls_cone *K,
                                               const double *y, double *p)
{
    const double m[2] = {K->mu, K->stretch * K->mu}, y_N = y[0];
    const double t[2] = {y[1], y[2]};
    if (y_N <= 0 && hypot(m[0] * t[0], m[1] * t[1]) <= -y_N)
        return memset(p, 0, 3 * sizeof *p), DLS_OPEN;
    if (hypot(t[0] / m[0], t[1] / m[1]) <= y_N)
        return memmove(p, y, 3 * sizeof *p), DLS_STICK;
    double n = fmax(0, y_N), before = -1;
    for (int i = 0; i < 2; i++)
        n = fmax(n, (m[i] * fabs(t[i]) + y_N) / (1 + m[i] * m[i]));
    for (int k = 0; k < 60 && n > before; k++) { // a dozen; rounding ends the climb
        double F = -1, slope = 0;
        for (int i = 0; i < 2; i++) {
            double below = (1 + m[i] * m[i]) * n - y_N, term = m[i] * t[i] / below;
            if (t[i] == 0) continue;
            F += term * term;
            slope -= 2 * term * term * (1 + m[i] * m[i]) / below;
        }
        before = n;
        if (F > 0 && slope < 0) n -= F / slope;
    }
    p[0] = n;
    for (int i = 0; i < 2; i++)
        p[1 + i] =
            t[i] == 0 ? 0 : t[i] * m[i] * m[i] * n / ((1 + m[i] * m[i]) * n - y_N);
    return DLS_SLIP;
}

enum dls_contact_status dls_cone_project(const struct dls_cone *K, const double *y,
                                         double *p)
{
    DLS_ASSERT(K->d == 1 + K->tangents + K->rolls && y && p);
    if (K->stretch != 1) return project_ellipse(K, y, p);
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
    if (K->stretch != 1) return K->mu * hypot(u[1], K->stretch * u[2]);
    return K->mu * norm(u + 1, K->tangents)
           + K->mu_r * norm(u + 1 + K->tangents, K->rolls);
}

// The natural map C = r - P_K(r - rho u~), row by row, in terms that do not cancel.
//
// For the parts k = T, R put y_k = r_k - rho u_k, a_k = |y_k|, s_k = rho |u_k| and
//
//     N = r_N - rho u_N,     d_k = a_k - s_k = r_k.(r_k - 2 rho u_k) / (a_k + s_k),
//
// so that y_N = N - mu_T s_T - mu_R s_R. With A the set of the clipped parts and
// D = 1 + sum_A mu_k^2, the minimum of phi and the map there are
//
//     n   = (N + sum_A mu_k d_k - sum_not_A mu_k s_k) / D
//     C_N = (sum_A mu_k^2 r_N + rho u_N - sum_A mu_k d_k + sum_not_A mu_k s_k) / D
//     C_k = rho u_k + e_k y_k / a_k,   e_k = a_k - mu_k n   in A,      rho u_k elsewhere.
//
// A large mu meets differences d_k only, never mu a_k minus mu s_k; and a large r does not
// swallow rho u. All coefficients are divided by the largest, w = (1, mu_T, mu_R) / max:
// their squares neither overflow nor vanish together.
struct natural {
    double N, u_N, r_N;      // u_N is rho u_N
    double a[2], s[2], d[2]; // of T and R
    double w_N, w[2];
};

static inline struct natural natural_of(const struct dls_cone *K, const int rows[2],
                                        const double *r, const double *u, double rho)
{
    double largest = fmax(1, fmax(K->mu, K->mu_r));
    struct natural t = {
        .N = r[0] - rho * u[0],
        .u_N = rho * u[0],
        .r_N = r[0],
        .w_N = 1 / largest,
        .w = {K->mu / largest, K->mu_r / largest},
    };
    for (int k = 0, at = 1; k < 2; at += rows[k++]) {
        double y[2] = {0};
        for (int i = 0; i < rows[k]; i++) y[i] = r[at + i] - rho * u[at + i];
        t.a[k] = norm(y, rows[k]);
        t.s[k] = rho * norm(u + at, rows[k]);
        double sum = t.a[k] + t.s[k]; // divides first: products might underflow
        for (int i = 0; i < rows[k] && sum > 0; i++)
            t.d[k] += r[at + i] * ((y[i] - rho * u[at + i]) / sum);
    }
    return t;
}

// w_k d_k where part k is clipped, else -w_k s_k: its share of n D / w_N.
static inline double share(const struct natural *t, int k, bool clipped)
{
    return t->w[k] * (clipped ? t->d[k] : -t->s[k]);
}

// phi'(0) >= 0: the projection is the apex.
static inline bool opens(const struct natural *t)
{
    return t->w_N * t->N + share(t, 0, true) + share(t, 1, true) <= 0;
}

// (a_k - mu_k n) D, the same whether k is in A or not: positive where part k lies outside
// its disk.
static inline double outside(const struct natural *t, int k, const bool A[2])
{
    int j = 1 - k;
    double w_k = t->w[k], w_j = A[j] ? t->w[j] : 0;
    return t->a[k] * (t->w_N * t->w_N + w_j * w_j) + w_k * w_k * t->s[k]
           - w_k * (t->w_N * t->N + share(t, j, A[j]));
}

// The pieces of phi in the order in which they are tried; the last one is what remains.
static inline void clipped_parts(const struct natural *t, int rolls, bool A[2])
{
    A[1] = false;
    A[0] = outside(t, 0, A) > 0; // whatever A[0] was
    if (!rolls) return;
    for (int piece = 0; piece < 4; piece++) {
        A[0] = piece & 1;
        A[1] = piece >> 1;
        if ((outside(t, 0, A) > 0) == A[0] && (outside(t, 1, A) > 0) == A[1]) return;
    }
}

static inline double natural_map(const struct dls_cone *K, const int rows[2],
                                 const double *r, const double *u, double rho,
                                 enum dls_contact_status *status)
{
    struct natural t = natural_of(K, rows, r, u, rho);
    bool A[2];
    double C[DLS_LARGEST_D];
    if (opens(&t)) {
        *status = DLS_OPEN;
        return dls_norm(1 + rows[0] + rows[1], r);
    }
    clipped_parts(&t, rows[1], A);
    *status = A[0] || A[1] ? DLS_SLIP : DLS_STICK;
    double square = (A[0] ? t.w[0] * t.w[0] : 0) + (A[1] ? t.w[1] * t.w[1] : 0);
    double D = t.w_N * t.w_N + square;
    C[0] = (square * t.r_N
            + t.w_N * (t.w_N * t.u_N - share(&t, 0, A[0]) - share(&t, 1, A[1])))
           / D;
    for (int k = 0, at = 1; k < 2; at += rows[k++]) {
        double e = A[k] && t.a[k] > 0 ? outside(&t, k, A) / D / t.a[k] : 0;
        for (int i = at; i < at + rows[k]; i++)
            C[i] = rho * u[i] + e * (r[i] - rho * u[i]);
    }
    return dls_norm(1 + rows[0] + rows[1], C);
}

// The judge spends most of its time here: constants in the first call give contacts of
// space a code without loops.
static double natural_ellipse(const struct dls_cone *K, const double *r,
                              const double *u, double rho,
                              enum dls_contact_status *status)
{
    double y[3], C[3];
    for (int i = 0; i < 3; i++) y[i] = r[i] - rho * u[i];
    y[0] -= rho * dls_cone_shift(K, u);
    *status = project_ellipse(K, y, C);
    for (int i = 0; i < 3; i++) C[i] = r[i] - C[i];
    return dls_norm(3, C);
}

double dls_cone_natural(const struct dls_cone *K, const double *r, const double *u,
                        double rho, enum dls_contact_status *status)
{
    DLS_ASSERT(r && u && rho > 0 && status);
    if (K->stretch != 1) return natural_ellipse(K, r, u, rho, status);
    if (K->tangents == 2 && !K->rolls)
        return natural_map(K, (const int[2]){2, 0}, r, u, rho, status);
    return natural_map(K, (const int[2]){K->tangents, K->rolls}, r, u, rho, status);
}

bool dls_cone_slides(const struct dls_cone *K, const double *r, const double *u,
                     double rho)
{
    struct natural t = natural_of(K, (const int[2]){K->tangents, K->rolls}, r, u, rho);
    bool A[2];
    if (opens(&t)) return false;
    clipped_parts(&t, K->rolls, A);
    return A[0];
}

double dls_cone_excess(const struct dls_cone *K, const double *r)
{
    double worst = -r[0];
    if (K->stretch != 1)
        return fmax(worst, hypot(r[1], r[2] / K->stretch) - K->mu * r[0]);
    if (K->tangents) worst = fmax(worst, norm(r + 1, K->tangents) - K->mu * r[0]);
    if (K->rolls)
        worst = fmax(worst, norm(r + 1 + K->tangents, K->rolls) - K->mu_r * r[0]);
    return worst;
}
