// SPDX-License-Identifier: Apache-2.0
// The linear system of an interior-point iteration,
//
//     (W + T^-2) dx = b,      T^-2 block diagonal, positive definite,
//
// solved in the contacts or condensed to the velocities. See cone_system.c.
#ifndef DLS_SOLVERS_LOCAL_CONE_SYSTEM_H
#define DLS_SOLVERS_LOCAL_CONE_SYSTEM_H

#include "solvers/local/condensed.h"

#include "formulations/lorentz.h"
#include "formulations/socp.h"

#include "base/sparse_factor.h"

struct dls_cone_system {
    const struct dls_socp *form;
    bool cheaper;   // the condensed form is
    bool condensed; // what is factored now
    struct dls_condensed velocities;
    const struct dls_scaling *scaling;                   // factored last
    double *rest, *fix;                                  // m, of iterative refinement
    double *v, *f;                                       // n, of the condensed solve
    struct dls_sparse_factor in_contacts, in_velocities; // the second may be empty
};

// Analyses both forms where there are M and H, and prefers the one of fewer
// operations. DLS_UNSUPPORTED with a sentence where the factors would not fit.
enum dls_status dls_cone_system_create(struct dls_cone_system *,
                                       const struct dls_socp *, struct dls_arena *,
                                       struct dls_error *);
void dls_cone_system_destroy(struct dls_cone_system *);

// Factors for the scalings of all contacts, which must outlive the solves; DLS_ENUMERIC
// where that fails.
enum dls_status dls_cone_system_factor(struct dls_cone_system *,
                                       const struct dls_scaling *);

// dx, refined until its residual is small; false where the answer is not finite.
bool dls_cone_system_solve(struct dls_cone_system *, const double *b, double *dx);

#endif
