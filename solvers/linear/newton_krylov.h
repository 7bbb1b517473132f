// SPDX-License-Identifier: Apache-2.0
// Newton's system (F_r + F_u (W + shift I)) x = -F by an iteration, where factors would
// cost too much. See newton_krylov.c.
#ifndef DLS_SOLVERS_LINEAR_NEWTON_KRYLOV_H
#define DLS_SOLVERS_LINEAR_NEWTON_KRYLOV_H

#include "solvers/linear/newton_matrix.h"

#include <stdbool.h>

struct dls_newton_krylov {
    struct dls_newton_matrix A;
    double *inverse;                        // m * d: of the diagonal blocks of A
    double *r, *shadow, *p, *v, *t, *y, *u; // m
};

// Takes its memory from the arena and keeps W; false where memory runs out.
bool dls_newton_krylov_create(struct dls_newton_krylov *, const struct dls_bsr *W,
                              struct dls_arena *);

// Takes the contacts, which must outlive the solve; false where a diagonal block is
// singular.
bool dls_newton_krylov_set(struct dls_newton_krylov *, const struct dls_contact_value *,
                           double shift);

// x with a residual a hundred times smaller than F; false where that was not reached.
bool dls_newton_krylov_solve(struct dls_newton_krylov *, double *x);

#endif
