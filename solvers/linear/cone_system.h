// SPDX-License-Identifier: Apache-2.0
// The linear system of an interior-point iteration,
//
//     (W + S Theta) dx = b,      S = I - e_N g^T,   Theta = (1 + alpha) T^-2 + beta I,
//
// T^-2 block diagonal, positive definite; g = alpha = beta = 0 where the shift of the normal
// velocities is frozen, else g is its derivative by the tangential ones. Solved in the
// contacts or condensed to the velocities. See cone_system.c.
#ifndef DLS_SOLVERS_LINEAR_CONE_SYSTEM_H
#define DLS_SOLVERS_LINEAR_CONE_SYSTEM_H

#include "solvers/linear/condensed.h"

#include "formulations/parts/lorentz.h"
#include "formulations/socp.h"

#include "base/sparse_factor.h"

struct dls_cone_shift {
    const double *g; // m, its normal entries 0
    double alpha, beta;
};

struct dls_cone_system {
    const struct dls_socp *form;
    bool shifts;    // g is not zero
    bool cheaper;   // the condensed form is
    bool condensed; // what is factored now
    struct dls_condensed velocities;
    double *Q, *square;                                  // eigenvectors, -values of T^2
    double *inverse;                                     // m: those of Theta^-1
    double *unit, *slope;                                // m: Q e_N and Q g
    double *b, *x, *rest, *fix, *work;                   // m, of the refined solve
    double *v, *f;                                       // n, of the condensed solve
    struct dls_sparse_factor in_contacts, in_velocities; // the second may be empty
};

// Analyses both forms where there are M and H, and prefers the one of fewer
// operations. DLS_UNSUPPORTED with a sentence where the factors would not fit.
enum dls_status dls_cone_system_create(struct dls_cone_system *,
                                       const struct dls_socp *, bool shifts,
                                       struct dls_arena *, struct dls_error *);
void dls_cone_system_destroy(struct dls_cone_system *);

// Factors for the scalings of all contacts and a shift, which is NULL unless the system
// shifts; DLS_ENUMERIC where that fails.
enum dls_status dls_cone_system_factor(struct dls_cone_system *,
                                       const struct dls_scaling *,
                                       const struct dls_cone_shift *);

// The sign of the determinant of what was factored.
int dls_cone_system_sign(const struct dls_cone_system *);

// dx, refined until its residual is small, and T^-2 dx where that is not NULL; false where
// the answer is not finite.
bool dls_cone_system_solve(struct dls_cone_system *, const double *b, double *dx,
                           double *theta_dx);

#endif
