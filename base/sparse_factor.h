// SPDX-License-Identifier: Apache-2.0
// Direct solves with matrices of one pattern and changing values, analysed once.
#ifndef DLS_BASE_SPARSE_FACTOR_H
#define DLS_BASE_SPARSE_FACTOR_H

#include "base/sparse.h"

#include <stdbool.h>

enum dls_factor_kind {
    DLS_FACTOR_POSITIVE, // symmetric positive definite: CHOLMOD
    DLS_FACTOR_NEARLY,   // nearly symmetric, unrefined: fronts.c
    DLS_FACTOR_GENERAL,  // any: UMFPACK with its own choices and iterative refinement
};

struct dls_sparse_factor {
    const struct dls_csr *A; // square; the caller changes A->x between factorisations
    double entries, flops;   // predicted for one factorisation
    double rcond;            // the library's rough estimate, of the last factorisation
    void *foreign;
};

// Keeps A and analyses its pattern, which must be symmetric unless the kind is general.
// DLS_ENOMEM or DLS_ENUMERIC where the library fails; DLS_MAX_TIME, with nothing done,
// where the deadline of the run (base/deadline.h) is nearer than the analysis takes.
enum dls_status dls_sparse_factor_create(struct dls_sparse_factor *,
                                         const struct dls_csr *A, enum dls_factor_kind,
                                         struct dls_arena *);
void dls_sparse_factor_destroy(struct dls_sparse_factor *); // once or more

// So many threads share the factorisation of a nearly symmetric matrix, one at first; the
// factors do not depend on it.
void dls_sparse_factor_share(struct dls_sparse_factor *, int threads);

// Factors the present values. DLS_MAX_TIME, with nothing done, where the deadline of the run
// has passed or, by the prediction for a symmetric matrix, would pass.
// DLS_ENUMERIC where the matrix is singular, or is said to be positive definite and is not:
// then there are no factors to solve with.
enum dls_status dls_sparse_factor_update(struct dls_sparse_factor *);

// The sign of the determinant of what was factored last.
int dls_sparse_factor_sign(const struct dls_sparse_factor *);

// x = A^-1 b; x may not be b. False where the answer is not finite.
bool dls_sparse_factor_solve(const struct dls_sparse_factor *, const double *b,
                             double *x);

#endif
