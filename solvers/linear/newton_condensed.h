// SPDX-License-Identifier: Apache-2.0
// The linear system of a semismooth Newton step with a shift, condensed to velocities.
// See newton_condensed.c.
#ifndef DLS_SOLVERS_LINEAR_NEWTON_CONDENSED_H
#define DLS_SOLVERS_LINEAR_NEWTON_CONDENSED_H

#include "solvers/linear/condensed.h"
#include "solvers/linear/newton_matrix.h"

#include "base/bsr.h"
#include "base/sparse_factor.h"

#include <stdbool.h>

struct dls_newton_condensed {
    struct dls_newton_matrix A;      // what was factored
    struct dls_condensed velocities; // M + H^T D H, D = K^-1 F_u
    struct dls_sparse_factor factor;
    double *inverse;         // K^-1, d x d by rows for each contact
    double norm;             // of W, the largest sum of a row's block norms
    double *f, *v;           // n: right-hand side and velocities
    double *rest, *fix, *Hv; // m: of the refinement
};

// Recovers the bodies behind W, which is kept. DLS_UNSUPPORTED where that is not possible
// or promises no gain. Symmetric: W, and every K^-1 F_u will be.
enum dls_status dls_newton_condensed_create(struct dls_newton_condensed *,
                                            const struct dls_bsr *W, bool symmetric,
                                            struct dls_arena *);
void dls_newton_condensed_destroy(struct dls_newton_condensed *);

// Assembles and factors for shift > 0; the values must outlive the solves. False where a
// contact or the whole has no regular matrix in this form.
bool dls_newton_condensed_factor(struct dls_newton_condensed *,
                                 const struct dls_contact_value *, double shift);

// x with (F_r + F_u (W + shift I)) x = -F, refined; false where it is less accurate than
// round-off explains.
bool dls_newton_condensed_solve(struct dls_newton_condensed *, double *x);

#endif
