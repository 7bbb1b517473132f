// SPDX-License-Identifier: Apache-2.0
// The linear system of a semismooth Newton step,
//
//     (F_r + F_u (W + shift I)) x = -F,
//
// with F_r, F_u block diagonal (one block per contact): N = F_r + shift F_u and F = F_u of
// linear.h. A line search follows, so that two digits of x will do where more are dear.
#ifndef DLS_SOLVERS_LINEAR_NEWTON_SYSTEM_H
#define DLS_SOLVERS_LINEAR_NEWTON_SYSTEM_H

#include "solvers/contact/contact_function.h"
#include "solvers/linear/linear_system.h"

struct dls_newton_system {
    struct dls_linear_system linear;
    double *N, *F;        // blocks
    double *b;            // m
    const double *shifts; // contacts: in place of one shift for all; or NULL
};

// Takes its memory from the arena and keeps W, H and M; H and M, with W = H M^-1 H^T, may be
// NULL. `diagonal`: every F_r and F_u will be diagonal (no friction) and W is symmetric, so
// that the system can be made symmetric. DLS_ENOMEM or DLS_ENUMERIC where a library fails.
// Destroy it whatever the status.
enum dls_status dls_newton_system_create(struct dls_newton_system *,
                                         const struct dls_bsr *W,
                                         const struct dls_csr *H,
                                         const struct dls_csr *M, bool diagonal,
                                         struct dls_arena *);
void dls_newton_system_destroy(struct dls_newton_system *);

// Assembles and factors; `shift` is the only one, or the least of the shifts. `rcond` receives a rough estimate of the inverse of the condition
// number, 0 where the matrix is singular: then nothing may be solved.
enum dls_status dls_newton_system_factor(struct dls_newton_system *,
                                         const struct dls_contact_value *, double shift,
                                         double *rcond, struct dls_work *);

// The sign of det (F_r + F_u (W + shift I)) of the last factors; not for back ends without.
int dls_newton_system_sign(const struct dls_newton_system *);

// x from the last factors. False where there is no finite answer.
bool dls_newton_system_solve(struct dls_newton_system *, double *x, struct dls_work *);

#endif
