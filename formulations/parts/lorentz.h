// SPDX-License-Identifier: Apache-2.0
// The Lorentz cone L = { x_0 >= |x_1| }, x = (x_0, x_1) of d = 1, 2 or 3 entries, its
// Jordan algebra and the scaling of Nesterov and Todd. See lorentz.c for the formulas.
#ifndef DLS_FORMULATIONS_PARTS_LORENTZ_H
#define DLS_FORMULATIONS_PARTS_LORENTZ_H

#include <stdbool.h>

// T (symmetric, d x d by rows) with T^-1 x = T y = lambda: both points are seen as one.
struct dls_scaling {
    double eta;       // (det x / det y)^(1/4)
    double w[3];      // of determinant 1; T = eta times the root of 2 w w^T - J
    double lambda[3]; // the common image
};

// |x_1|, and det x = x_0^2 - |x_1|^2 without cancellation in the sum.
double dls_lorentz_norm(int d, const double *x);
double dls_lorentz_determinant(int d, const double *x);

// z = x o y = (x.y, x_0 y_1 + y_0 x_1), and z with x o z = y for x inside the cone.
void dls_lorentz_product(int d, const double *x, const double *y, double *z);
void dls_lorentz_divide(int d, const double *x, const double *y, double *z);

// The largest t with x + t dx in the cone, INFINITY where the ray stays; x inside.
double dls_lorentz_reach(int d, const double *x, const double *dx);

// The same for all cones of a vector with m entries.
double dls_lorentz_reach_all(int d, int m, const double *x, const double *dx);

// The one pair inside the cone with x - rho y = z and x o y = nu e, for rho, nu > 0.
void dls_lorentz_pair(int d, double rho, double nu, const double *z, double *x,
                      double *y);

// The scaling of two points strictly inside; false where one of them is not.
bool dls_scaling_make(struct dls_scaling *, int d, const double *x, const double *y);

// z = T x, and z = T^-1 x; z may not be x.
void dls_scaling_apply(const struct dls_scaling *, int d, const double *x, double *z);
void dls_scaling_undo(const struct dls_scaling *, int d, const double *x, double *z);

// T^2 = Q^T diag(square) Q: its eigenvectors are the rows of Q, d x d, the one of the
// largest eigenvalue first.
void dls_scaling_frame(const struct dls_scaling *, int d, double *Q, double *square);

#endif
