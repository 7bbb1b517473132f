// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of a dense symmetric matrix, and what round-off may do to them.
#ifndef DLS_SOLVERS_REFERENCE_EIGEN_H
#define DLS_SOLVERS_REFERENCE_EIGEN_H

#include "base/arena.h"

#include <float.h>
#include <lapacke.h>
#include <stdbool.h>

// Eigenvalues of the symmetric A, k x k, ascending; A receives the vectors, columns.
static inline bool dls_eigen(double *A, int k, double *lambda, struct dls_arena *a)
{
    int room = 1 + 6 * k + 2 * k * k, whole = 3 + 5 * k;
    double *work = DLS_NEW(a, double, room);
    int *iwork = DLS_NEW(a, int, whole);
    return !a->failed && k
           && !LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', k, A, k, lambda, work,
                                   room, iwork, whole);
}

// What round-off may do to the eigenvalues of a matrix of size k whose largest is `top`.
static inline double dls_eigen_noise(int k, double top)
{
    return k * DBL_EPSILON * top;
}

#endif
