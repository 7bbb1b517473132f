// SPDX-License-Identifier: Apache-2.0
// The Lanczos process: with x_1 of unit length, for k = 1, 2, ...
//
//     y = A x_k - beta_{k-1} x_{k-1},   alpha_k = x_k . y,   y <- y - alpha_k x_k,
//     beta_k = |y|,   x_{k+1} = y / beta_k;
//
// the eigenvalues theta of the tridiagonal matrix (alpha, beta) lie between those
// of A, and the extreme ones reach the ends first [GolubVanLoan2013, chapter 10]. With s
// the last entry of theta's eigenvector, an eigenvalue of A lies within beta_k |s| of
// theta.
//
// Vectors are not made orthogonal again: that repeats extreme Ritz values, which does
// no harm here.
// Cost: one product a step.
// Fails: where x_1 is orthogonal to an eigenvector; the start is random (of a fixed
// seed), so that this does not happen by structure.
#include "base/lanczos.h"

#include "base/contract.h"
#include "base/deadline.h"
#include "base/rng.h"
#include "base/vector.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { STEPS = 32 };

static void start(int n, double *x)
{
    struct dls_rng g = dls_rng_seed(1);
    for (int i = 0; i < n; i++) x[i] = dls_rng_normal(&g);
    double s = 1 / dls_norm(n, x);
    for (int i = 0; i < n; i++) x[i] *= s;
}

// Extreme eigenvalues of the k x k tridiagonal matrix; alpha and beta are destroyed.
static void tridiagonal(struct dls_ritz *ritz, int k, double *alpha, double *beta)
{
    double S[STEPS * STEPS], work[2 * STEPS], last = beta[k - 1];
    LAPACKE_dstev_work(LAPACK_COL_MAJOR, 'V', k, alpha, beta, S, k, work);
    ritz->smallest = alpha[0];
    ritz->largest = alpha[k - 1];
    ritz->error = last * fabs(S[k * k - 1]);
}

enum dls_status dls_lanczos(struct dls_ritz *ritz, int n, dls_operator *multiply,
                            void *data, struct dls_arena *a)
{
    DLS_ASSERT(n >= 0 && multiply);
    struct dls_arena scratch = dls_arena_scratch(a);
    double *x = DLS_NEW(&scratch, double, n), *y = DLS_NEW(&scratch, double, n);
    double *before = DLS_NEW(&scratch, double, n);
    double alpha[STEPS], beta[STEPS], norm = 0;
    *ritz = (struct dls_ritz){0};
    if (scratch.failed) return dls_arena_free(&scratch), DLS_ENOMEM;
    int k = 0, steps = n < STEPS ? n : STEPS;
    if (steps) start(n, x);
    // Fewer steps make the estimate worse; behind the deadline nobody needs a better one.
    while (k < steps && (!k || dls_deadline_allows(0))) {
        multiply(data, x, y);
        for (int i = 0; k && i < n; i++) y[i] -= beta[k - 1] * before[i];
        alpha[k] = dls_dot(n, x, y);
        for (int i = 0; i < n; i++) y[i] -= alpha[k] * x[i];
        beta[k] = dls_norm(n, y);
        norm = fmax(norm, fabs(alpha[k]) + beta[k]);
        if (!(beta[k++] > 1e-14 * norm)) break; // the space is invariant
        double *free = before;
        before = x, x = y, y = free;
        for (int i = 0; i < n; i++) x[i] /= beta[k - 1];
    }
    if (k) tridiagonal(ritz, k, alpha, beta);
    dls_arena_free(&scratch);
    return DLS_OK;
}

// y = (A x + A^T x) / 2
static void multiply_symmetric(void *data, const double *x, double *y)
{
    const struct dls_bsr *A = data;
    int d = A->d;
    dls_bsr_multiply(A, x, NULL, y);
    for (int a = 0; a < A->rows; a++)
        for (int k = A->p[a]; k < A->p[a + 1]; k++)
            for (int i = 0; i < d * d; i++)
                y[A->j[k] * d + i % d] += dls_bsr_block(A, k)[i] * x[a * d + i / d];
    for (int i = 0; i < A->rows * d; i++) y[i] *= 0.5;
}

enum dls_status dls_bsr_ritz(struct dls_ritz *ritz, const struct dls_bsr *A,
                             struct dls_arena *a)
{
    struct dls_bsr view = *A;
    return dls_lanczos(ritz, A->rows * A->d, multiply_symmetric, &view, a);
}
