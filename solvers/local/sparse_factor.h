// SPDX-License-Identifier: Apache-2.0
// Direct solves with matrices of one pattern and changing values: analysed once, by
// CHOLMOD where the matrix is symmetric positive definite, by UMFPACK otherwise.
#ifndef DLS_SOLVERS_LOCAL_SPARSE_FACTOR_H
#define DLS_SOLVERS_LOCAL_SPARSE_FACTOR_H

#include "base/sparse.h"

#include <stdbool.h>

struct dls_sparse_factor {
    const struct dls_csr *A; // square; the caller changes A->x between factorisations
    double entries, flops;   // predicted for one factorisation
    void *foreign;
};

// Keeps A and analyses its pattern, which must be symmetric. DLS_ENOMEM or DLS_ENUMERIC
// where the library fails.
enum dls_status dls_sparse_factor_create(struct dls_sparse_factor *,
                                         const struct dls_csr *A, bool symmetric,
                                         struct dls_arena *);
void dls_sparse_factor_destroy(struct dls_sparse_factor *);

// Factors the present values. DLS_ENUMERIC where the matrix is singular or, as a
// symmetric one, not positive definite: then nothing may be solved.
enum dls_status dls_sparse_factor_update(struct dls_sparse_factor *);

// x = A^-1 b; x may not be b. False where the answer is not finite.
bool dls_sparse_factor_solve(struct dls_sparse_factor *, const double *b, double *x);

#endif
