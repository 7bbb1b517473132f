// SPDX-License-Identifier: Apache-2.0
// Extreme eigenvalues of a symmetric operator that is known by its products alone.
#ifndef DLS_BASE_LANCZOS_H
#define DLS_BASE_LANCZOS_H

#include "base/bsr.h"

// y = A x, A symmetric.
typedef void dls_operator(void *data, const double *x, double *y);

struct dls_ritz {
    double smallest, largest; // Ritz values: inside the spectrum
    double error;             // some eigenvalue lies within this distance of `largest`
};

// At most 32 Lanczos steps from a fixed start; the same input gives the same bits. Only
// memory can fail.
enum dls_status dls_lanczos(struct dls_ritz *, int n, dls_operator *, void *data,
                            struct dls_arena *);

// The same for the symmetric part (A + A^T) / 2 of a block-sparse matrix.
enum dls_status dls_bsr_ritz(struct dls_ritz *, const struct dls_bsr *A,
                             struct dls_arena *);

#endif
