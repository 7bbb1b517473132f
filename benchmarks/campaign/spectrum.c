// SPDX-License-Identifier: Apache-2.0
// Rank and condition of W from the eigenvalues e_1 >= e_2 >= ... of (W + W^T) / 2:
//
//   rank = #{ e_k > 1e-10 e_1 },   condition = e_1 / e_rank.
//
// W = H M^-1 H^T is positive semidefinite, so that these are its singular values. Files
// written by other programs stray from that: W may be slightly unsymmetric (then it is
// the quadratic form r.W r that is measured) or have negative eigenvalues of 1e-8 e_1,
// too large for rounding here; they count as deficient and are counted apart.
//
// Method: dsyev without vectors, 4/3 m^3 operations. Its rounding of about 1e-16 m e_1
// is well below the threshold for the sizes that are affordable.
#include "benchmarks/campaign/spectrum.h"

#include <lapacke.h>
#include <math.h>

// Ascending eigenvalues; false where the iteration does not end.
static bool symmetric_eigenvalues(const struct dls_csr *W, double *dense,
                                  double *values)
{
    size_t m = (size_t)W->rows;
    for (int i = 0; i < W->rows; i++)
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            size_t row = (size_t)i, col = (size_t)W->j[k];
            dense[col * m + row] += W->x[k] / 2;
            dense[row * m + col] += W->x[k] / 2;
        }
    return !LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', W->rows, dense, W->rows, values);
}

enum dls_status dls_spectrum_compute(struct dls_spectrum *spectrum,
                                     const struct dls_csr *W, struct dls_arena *a)
{
    int m = W->rows;
    *spectrum = (struct dls_spectrum){0, 0, NAN};
    if (!m) return DLS_OK;
    struct dls_arena scratch = dls_arena_scratch(a);
    double *dense = DLS_NEW(&scratch, double, (size_t)m *(size_t)m);
    double *values = DLS_NEW(&scratch, double, m);
    enum dls_status status = scratch.failed ? DLS_ENOMEM : DLS_OK;
    if (!status && !symmetric_eigenvalues(W, dense, values)) status = DLS_ENUMERIC;
    if (!status) {
        double most = values[m - 1], zero = 1e-10 * fmax(most, 0);
        int k = 0;
        for (; k < m && values[k] <= zero; k++) spectrum->negative += values[k] < -zero;
        spectrum->rank_deficiency = k;
        if (k < m) spectrum->condition = most / values[k];
    }
    dls_arena_free(&scratch);
    return status;
}

void dls_spectrum_scales(const struct dls_bsr *W, double *least, double *most)
{
    enum { WIDEST = 5 }; // rows of a rolling contact
    *least = *most = NAN;
    for (int a = 0; a < W->rows; a++) {
        double block[WIDEST * WIDEST], values[WIDEST];
        const double *x = dls_bsr_diagonal(W, a);
        for (int i = 0; i < W->d; i++)
            for (int j = 0; j < W->d; j++)
                block[i * W->d + j] = (x[i * W->d + j] + x[j * W->d + i]) / 2;
        if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'L', W->d, block, W->d, values))
            continue;
        *least = fmin(*least, values[W->d - 1]); // fmin(NAN, x) = x
        *most = fmax(*most, values[W->d - 1]);
    }
}
