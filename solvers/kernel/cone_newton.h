// SPDX-License-Identifier: Apache-2.0
// The right-hand side of Newton's step on  x o y = nu e  between Lorentz cones, in the
// scaling of Nesterov and Todd, T^-1 x = T y = lambda:
//
//     T^-1 dx + T dy = c,    lambda o c = nu e - lambda o lambda - (T^-1 dx) o (T dy)
//
// where the last term is Mehrotra's correction by the predictor dx, dy, or 0 without one
// [Mehrotra1992; Vandenberghe2010, section 5]. Three methods make this step: the interior
// point, the convex programs of certificates, and the central path of Coulomb's law.
#ifndef DLS_SOLVERS_KERNEL_CONE_NEWTON_H
#define DLS_SOLVERS_KERNEL_CONE_NEWTON_H

#include "formulations/parts/lorentz.h"

#include <stddef.h>

// v = T^-1 c of one contact with d <= 3 rows; dx, dy is the predictor of that contact, or
// NULL.
static inline void dls_cone_newton(const struct dls_scaling *T, int d, double nu,
                                   const double *dx, const double *dy, double *v)
{
    double want[3], u[3], w[3];
    dls_lorentz_product(d, T->lambda, T->lambda, want);
    want[0] -= nu;
    if (dx) {
        dls_scaling_undo(T, d, dx, u);
        dls_scaling_apply(T, d, dy, w);
        dls_lorentz_product(d, u, w, u);
        for (int i = 0; i < d; i++) want[i] += u[i];
    }
    dls_lorentz_divide(d, T->lambda, want, u); // -c
    for (int i = 0; i < d; i++) u[i] = -u[i];
    dls_scaling_undo(T, d, u, v);
}

// The same for the derivative by log nu, where lambda o c = nu e.
static inline void dls_cone_centre(const struct dls_scaling *T, int d, double nu,
                                   double *v)
{
    double want[3] = {nu}, u[3];
    dls_lorentz_divide(d, T->lambda, want, u);
    dls_scaling_undo(T, d, u, v);
}

#endif
