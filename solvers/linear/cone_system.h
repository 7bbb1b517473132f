// SPDX-License-Identifier: Apache-2.0
// The linear system of an interior-point iteration,
//
//     (W + S Theta) dx = b,      S = I - e_N g^T,   Theta = (1 + alpha) T^-2 + beta I,
//
// T^-2 block diagonal and positive definite. Where De Saxcé's shift of the normal velocities
// is frozen, g = alpha = beta = 0; else g is the derivative of the shift by the tangential
// velocities. Solved in the contacts or condensed to the velocities. See cone_system.c.
#ifndef DLS_SOLVERS_LINEAR_CONE_SYSTEM_H
#define DLS_SOLVERS_LINEAR_CONE_SYSTEM_H

#include "solvers/linear/linear_system.h"

#include "formulations/parts/lorentz.h"
#include "formulations/socp.h"

struct dls_cone_shift {
    const double *g; // m, its normal entries 0
    double alpha, beta;
};

struct dls_cone_system {
    const struct dls_socp *form;
    struct dls_linear_system linear;
    double *Q, *square;  // eigenvectors and -values of T^2
    double *N, *inverse; // m * d: S Theta and its inverse, in the frames Q
    double *b, *x;       // m, in the frames
};

// Analyses the pattern, in the contacts or condensed to the velocities, whichever is
// cheaper. `shifts`: g will not be zero. DLS_UNSUPPORTED with a sentence where the factors
// would not fit into memory.
enum dls_status dls_cone_system_create(struct dls_cone_system *,
                                       const struct dls_socp *, bool shifts,
                                       struct dls_arena *, struct dls_error *);
void dls_cone_system_destroy(struct dls_cone_system *);

// Factors the matrix for the scalings T of all contacts and for g, alpha, beta (NULL unless
// the system `shifts`). DLS_ENUMERIC where that fails.
enum dls_status dls_cone_system_factor(struct dls_cone_system *,
                                       const struct dls_scaling *,
                                       const struct dls_cone_shift *,
                                       struct dls_work *);

// The sign of the determinant of what was factored.
int dls_cone_system_sign(const struct dls_cone_system *);

// dx, refined until its residual is small, and T^-2 dx where that is not NULL; false where
// the answer is not finite.
bool dls_cone_system_solve(struct dls_cone_system *, const double *b, double *dx,
                           double *theta_dx, struct dls_work *);

#endif
