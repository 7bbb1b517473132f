// SPDX-License-Identifier: Apache-2.0
// The linear system of a semismooth Newton step,
//
//     (F_r + F_u (W + shift I)) x = -F,
//
// with F_r, F_u block diagonal (one block per contact) and W block-sparse: the pattern is
// that of W, less the open contacts, and is analysed when that changes; or, where that is
// cheaper and shift > 0, that of the bodies behind W. See newton_system.c.
#ifndef DLS_SOLVERS_LINEAR_NEWTON_SYSTEM_H
#define DLS_SOLVERS_LINEAR_NEWTON_SYSTEM_H

#include "solvers/contact/contact_function.h"

#include "base/bsr.h"

#include <stdbool.h>

struct dls_newton_system {
    const struct dls_bsr *W;
    int m;
    int *p, *j;            // the matrix by compressed rows, columns ascending
    double *x;             // its values
    double *rhs;           // m
    double *known, *scale; // m each, work of the solves
    void *foreign;         // handles of UMFPACK or CHOLMOD
};

// Takes its memory from the arena. Diagonal: every F_r and F_u
// will be diagonal (no friction) and W is symmetric, so that a symmetric system serves.
// W is kept. DLS_ENOMEM or DLS_ENUMERIC where the library fails.
enum dls_status dls_newton_system_create(struct dls_newton_system *,
                                         const struct dls_bsr *W, bool diagonal,
                                         struct dls_arena *);
void dls_newton_system_destroy(struct dls_newton_system *);

// Assembles and factors. `rcond` receives the library's rough estimate of the inverse of
// the condition number, 0 where the matrix is singular: then nothing may be solved.
enum dls_status dls_newton_system_factor(struct dls_newton_system *,
                                         const struct dls_contact_value *, double shift,
                                         double *rcond);

// x from the last factors; `value` is what they were made of. False where the answer is
// not finite.
bool dls_newton_system_solve(struct dls_newton_system *,
                             const struct dls_contact_value *, double *x);

#endif
