// SPDX-License-Identifier: Apache-2.0
// Rank and condition of W from its singular values s_1 >= s_2 >= ...:
//
//   rank = #{ s_k > 1e-10 s_1 },   condition = s_1 / s_rank.
//
// Method: where W is symmetric the singular values are the absolute eigenvalues (dsyev,
// about 4/3 m^3 operations), elsewhere dgesdd without vectors (8/3 m^3). The rounding of
// both is some 1e-16 m s_1, well below the threshold for the sizes that are affordable.
#include "benchmarks/spectrum.h"

#include <lapacke.h>
#include <math.h>

enum dls_status dls_spectrum_compute(struct dls_spectrum *spectrum,
                                     const struct dls_csr *W, bool symmetric,
                                     struct dls_arena *a)
{
    int m = W->rows, info;
    *spectrum = (struct dls_spectrum){0, NAN};
    if (!m) return DLS_OK;
    struct dls_arena scratch = dls_arena_scratch(a);
    double *dense = DLS_NEW(&scratch, double, (size_t)m *(size_t)m);
    double *values = DLS_NEW(&scratch, double, m);
    if (scratch.failed) {
        dls_arena_free(&scratch);
        return DLS_ENOMEM;
    }
    for (int i = 0; i < m; i++)
        for (int k = W->p[i]; k < W->p[i + 1]; k++)
            dense[(size_t)W->j[k] * (size_t)m + (size_t)i] = W->x[k];
    if (symmetric)
        info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', m, dense, m, values);
    else
        info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, m, dense, m, values, NULL, 1,
                              NULL, 1);
    double most = 0, least = INFINITY;
    for (int k = 0; k < m; k++) most = fmax(most, fabs(values[k]));
    for (int k = 0; k < m; k++) {
        if (fabs(values[k]) > 1e-10 * most)
            least = fmin(least, fabs(values[k]));
        else
            spectrum->rank_deficiency++;
    }
    if (most > 0) spectrum->condition = most / least;
    dls_arena_free(&scratch);
    return info ? DLS_ENUMERIC : DLS_OK;
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
