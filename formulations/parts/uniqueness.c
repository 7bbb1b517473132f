// SPDX-License-Identifier: Apache-2.0
// When is the answer of the Coulomb problem unique?
//
// Take two thresholds s, s' of Tresca's friction, with answers r, r' and u, u'. The
// normal law is monotone and the friction law nearly so: with D the differences,
//
//     Dr_N . Du_N <= 0,   Dr_T . Du_T <= |Ds| |Du_T|,   Du = W Dr,  hence
//     E = Dr . W Dr <= |Ds| |Du_T| <= |Ds| sqrt(lambda_max(W_TT) E),
//     |Dr_N| <= sqrt(lambda_max((W^-1)_NN) E).
//
// So the map s -> mu r_N(s), whose fixed points are Coulomb's answers, contracts where
//
//     mu_max sqrt(lambda_max((W^-1)_NN) lambda_max(W_TT)) < 1.
//
// Friction on the mean velocity (W / 2 in place of W) and monotone potentials leave the
// product as it is. Cost: a dense Cholesky inverse and two symmetric eigenvalue
// problems, O(m^3), hence the limit on m.
#include "formulations/parts/uniqueness.h"

#include <lapacke.h>
#include <math.h>

enum { LARGEST_M = 450 };
// Below this reciprocal condition number W counts as singular: its inverse would have
// no digit that the bound could use.
static const double singular = 1e-12;

static void fill(const struct dls_bsr *A, double *W)
{
    int d = A->d, m = A->rows * d;
    for (int a = 0; a < A->rows; a++)
        for (int k = A->p[a]; k < A->p[a + 1]; k++)
            for (int i = 0; i < d * d; i++)
                W[(a * d + i / d) * m + A->j[k] * d + i % d] = dls_bsr_block(A, k)[i];
}

static bool symmetric(const double *W, int m)
{
    double largest = 0, skew = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            largest = fmax(largest, fabs(W[i * m + j]));
            skew = fmax(skew, fabs(W[i * m + j] - W[j * m + i]));
        }
    return skew <= 1e-12 * largest;
}

// Largest eigenvalue of the symmetric matrix of the normal (or tangential) rows of A.
static double largest_part(const double *A, int m, int d, bool normal, double *work)
{
    int size = 0;
    double *part = work, *lambda = work + m * m, *room = lambda + m;
    for (int i = 0; i < m; i++) size += (i % d == 0) == normal;
    for (int i = 0, to = 0; i < m; i++)
        for (int j = 0; (i % d == 0) == normal && j < m; j++)
            if ((j % d == 0) == normal) part[to++] = A[i * m + j];
    if (!size) return 0;
    int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'L', size, part, size, lambda,
                                  room, 3 * m);
    return info ? NAN : lambda[size - 1];
}

// W <- W^-1, full; false where W is not positive definite to working accuracy.
static bool invert(double *W, int m, double *work, int *whole)
{
    double norm = 0, rcond = 0;
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < m; i++) sum += fabs(W[j * m + i]);
        norm = fmax(norm, sum);
    }
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, W, m)) return false;
    LAPACKE_dpocon_work(LAPACK_COL_MAJOR, 'L', m, W, m, norm, &rcond, work, whole);
    if (!(rcond > singular)) return false;
    if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', m, W, m)) return false;
    for (int j = 0; j < m; j++)
        for (int i = j + 1; i < m; i++) W[i * m + j] = W[j * m + i];
    return true;
}

double dls_uniqueness_bound(const struct dls_delassus *f, struct dls_arena *a)
{
    int m = f->m;
    double mu = 0, bound = NAN;
    for (int c = 0; c < f->contacts; c++) mu = fmax(mu, f->mu[c]);
    if (mu == 0) return 0;
    if (m > LARGEST_M || f->problem->rolling) return NAN;
    struct dls_arena scratch = dls_arena_scratch(a);
    double *W = DLS_NEW_TABLE(&scratch, double, m, m);
    double *work = DLS_NEW(&scratch, double, 4 * m + m * m);
    int *whole = DLS_NEW(&scratch, int, m);
    if (!scratch.failed) {
        fill(f->W, W);
        double tangential = largest_part(W, m, f->d, false, work);
        if (symmetric(W, m) && invert(W, m, work, whole))
            bound = mu * sqrt(largest_part(W, m, f->d, true, work) * tangential);
    }
    dls_arena_free(&scratch);
    return bound;
}
