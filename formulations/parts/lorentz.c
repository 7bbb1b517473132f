// SPDX-License-Identifier: Apache-2.0
// Jordan algebra of the Lorentz cone and the scaling of Nesterov and Todd.
//
// Notation: J = diag(1, -1, -1), det x = x^T J x, e = (1, 0, 0) the unit.
//
// With x and y divided by the roots of their determinants [NesterovTodd1997;
// Vandenberghe2010, section 4.2],
//
//     gamma = sqrt((1 + x.y) / 2),   w = (x + J y) / (2 gamma),   det w = 1,
//     eta   = (det x / det y)^(1/4) of the original points,
//     T     = eta [ w_0  w_1^T                       ]       T^2  = eta^2  (2 w w^T - J)
//                 [ w_1  I + w_1 w_1^T / (1 + w_0)   ],      T^-2 = eta^-2 (2 Jw Jw^T - J)
//
// and T^-1 x = T y = lambda. T^2 has the eigenvectors (1, ±w_1/|w_1|) with eigenvalues
// eta^2 (w_0 ± |w_1|)^2, and eta^2 across. The same formulas serve d = 1, where the cone
// is the half line. A determinant is (x_0 - |x_1|) (x_0 + |x_1|), so that only the
// distance to the boundary, not its square, is subject to cancellation.
#include "formulations/parts/lorentz.h"

#include "base/contract.h"
#include "base/vector.h"

#include <math.h>

double dls_lorentz_norm(int d, const double *x)
{
    DLS_ASSERT(d >= 1 && d <= 3);
    return d == 1 ? 0 : d == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

double dls_lorentz_determinant(int d, const double *x)
{
    double norm = dls_lorentz_norm(d, x);
    return (x[0] - norm) * (x[0] + norm);
}

void dls_lorentz_product(int d, const double *x, const double *y, double *z)
{
    double z_0 = dls_dot(d, x, y), x_0 = x[0], y_0 = y[0];
    for (int i = 1; i < d; i++) z[i] = x_0 * y[i] + y_0 * x[i];
    z[0] = z_0;
}

void dls_lorentz_divide(int d, const double *x, const double *y, double *z)
{
    double z_0 =
        (x[0] * y[0] - dls_dot(d - 1, x + 1, y + 1)) / dls_lorentz_determinant(d, x);
    for (int i = 1; i < d; i++) z[i] = (y[i] - z_0 * x[i]) / x[0];
    z[0] = z_0;
}

// det(x + t dx) = a t^2 + 2 b t + c has no root before the smallest positive one.
double dls_lorentz_reach(int d, const double *x, const double *dx)
{
    double a = dls_lorentz_determinant(d, dx), c = dls_lorentz_determinant(d, x);
    double b = x[0] * dx[0] - dls_dot(d - 1, x + 1, dx + 1);
    if (d == 1) return dx[0] < 0 ? -x[0] / dx[0] : INFINITY;
    if (a >= 0 && dx[0] >= 0) return INFINITY;
    double root = sqrt(fmax(b * b - a * c, 0));
    if (b >= 0) return a < 0 ? (b + root) / -a : INFINITY;
    return c / (root - b);
}

double dls_lorentz_reach_all(int d, int m, const double *x, const double *dx)
{
    double t = INFINITY;
    for (int k = 0; k < m; k += d) t = fmin(t, dls_lorentz_reach(d, x + k, dx + k));
    return t;
}

// x and rho y have the eigenvectors of z. Eigenvalues solve x - rho y = z, x y = nu, so that
// the larger of x and rho y is (|z| + sqrt(z^2 + 4 rho nu)) / 2, and their product rho nu
// [Fukushima2002, section 4].
void dls_lorentz_pair(int d, double rho, double nu, const double *z, double *x,
                      double *y)
{
    double norm = dls_lorentz_norm(d, z), root = 2 * sqrt(rho * nu), xs[2], ys[2];
    for (int k = 0; k < 2; k++) {
        double value = k ? z[0] - norm : z[0] + norm;
        double large = 0.5 * (fabs(value) + hypot(value, root));
        double small = rho * nu / large;
        xs[k] = value > 0 ? large : small;
        ys[k] = (value > 0 ? small : large) / rho;
    }
    x[0] = 0.5 * (xs[0] + xs[1]);
    y[0] = 0.5 * (ys[0] + ys[1]);
    for (int i = 1; i < d; i++) {
        double along = norm > 0 ? 0.5 * z[i] / norm : 0;
        x[i] = along * (xs[0] - xs[1]);
        y[i] = along * (ys[0] - ys[1]);
    }
}

bool dls_scaling_make(struct dls_scaling *s, int d, const double *x, const double *y)
{
    double det_x = dls_lorentz_determinant(d, x), det_y = dls_lorentz_determinant(d, y);
    if (!(det_x > 0 && det_y > 0 && x[0] > 0 && y[0] > 0)) return false;
    double norm_x = sqrt(det_x), norm_y = sqrt(det_y);
    double gamma = sqrt(0.5 * (1 + dls_dot(d, x, y) / (norm_x * norm_y)));
    s->eta = sqrt(norm_x / norm_y);
    for (int i = 1; i < d; i++) s->w[i] = (x[i] / norm_x - y[i] / norm_y) / (2 * gamma);
    s->w[0] = sqrt(1 + dls_dot(d - 1, s->w + 1, s->w + 1)); // det w = 1 to the last bit
    dls_scaling_apply(s, d, y, s->lambda);
    return true;
}

// z = s (w_0 x_0 + sign w_1.x_1,  sign w_1 x_0 + x_1 + w_1 (w_1.x_1) / (1 + w_0))
static void transform(const struct dls_scaling *s, int d, double factor, double sign,
                      const double *x, double *z)
{
    double along = dls_dot(d - 1, s->w + 1, x + 1),
           turn = sign * x[0] + along / (1 + s->w[0]);
    z[0] = factor * (s->w[0] * x[0] + sign * along);
    for (int i = 1; i < d; i++) z[i] = factor * (x[i] + turn * s->w[i]);
}

void dls_scaling_apply(const struct dls_scaling *s, int d, const double *x, double *z)
{
    transform(s, d, s->eta, 1, x, z);
}

void dls_scaling_undo(const struct dls_scaling *s, int d, const double *x, double *z)
{
    transform(s, d, 1 / s->eta, -1, x, z);
}

void dls_scaling_frame(const struct dls_scaling *s, int d, double *Q, double *square)
{
    double norm = dls_lorentz_norm(d, s->w), largest = s->w[0] + norm;
    double c = norm > 0 ? s->w[1] / norm : 1, half = sqrt(0.5);
    double sine = norm > 0 && d == 3 ? s->w[2] / norm : 0;
    double rows[3][3] = {
        {half, half * c, half * sine}, {half, -half * c, -half * sine}, {0, -sine, c}};
    if (d == 1) rows[0][0] = 1;
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) Q[i * d + l] = rows[i][l];
    for (int i = 0; i < d; i++) square[i] = s->eta * s->eta;
    square[0] *= largest * largest; // (w_0 + |w_1|) (w_0 - |w_1|) = 1
    if (d > 1) square[1] /= largest * largest;
}
