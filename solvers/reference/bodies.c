// SPDX-License-Identifier: Apache-2.0
// Does W belong to bodies: is W = V Z V^T, the symmetric part of Z being positive definite?
//
// It is where M is known, given or recovered, and its symmetric part is positive definite, for
// then Z = M^-1; or else where the symmetric part of W has no negative eigenvalue, and its
// null space is that of W. Large W must be symmetric or regular for that (a sparse factor
// tells).
#include "solvers/reference/bodies.h"

#include "solvers/reference/eigen.h"

#include "formulations/velocities/velocities.h"

#include "base/sparse_factor.h"

#include <cblas.h>
#include <math.h>

enum { LARGEST_DENSE = 1000 };    // rows: a second of eigenvalues
static const double even = 1e-12; // asymmetry that is round-off, relative

// A symmetric W needs no more than eigenvalues above round-off. Otherwise its skew part K
// has to vanish where the symmetric part does. The null vectors are known to noise / least,
// `least` being the smallest eigenvalue that is not zero.
static bool null_spaces_agree(const double *vectors, const double *lambda,
                              const double *K, int m, struct dls_arena *a)
{
    double noise = dls_eigen_noise(m, lambda[m - 1]), size = 0;
    double *image = DLS_NEW(a, double, m);
    int zeros = 0;
    if (a->failed) return false;
    while (zeros < m && lambda[zeros] < 10 * noise) zeros++;
    if (zeros == m || lambda[zeros] < 1e4 * noise) return false;
    for (size_t k = 0; k < (size_t)m * (size_t)m; k++) size += K[k] * K[k];
    double allowed = 10 * noise * (1 + sqrt(size) / lambda[zeros]);
    for (int j = 0; j < zeros; j++) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, m, m, 1, K, m,
                    vectors + (size_t)j * (size_t)m, 1, 0, image, 1);
        if (cblas_dnrm2(m, image, 1) > allowed) return false;
    }
    return true;
}

// By eigenvalues, W small, contacts scaled.
static bool dense_bodies(const struct dls_refinement *s, struct dls_arena *a)
{
    const struct dls_bsr *W = s->form->W;
    const double *l = s->extended->l;
    int d = W->d, m = W->rows * d;
    double *S = DLS_NEW(a, double, (size_t)m *(size_t)m);
    double *K = DLS_NEW(a, double, (size_t)m *(size_t)m);
    double *lambda = DLS_NEW(a, double, m);
    if (a->failed || !m) return !a->failed;
    for (int row = 0; row < W->rows; row++)
        for (int n = W->p[row]; n < W->p[row + 1]; n++)
            for (int i = 0; i < d * d; i++) {
                size_t r = (size_t)(row * d + i / d), c = (size_t)(W->j[n] * d + i % d);
                double half = 0.5 * dls_bsr_block(W, n)[i] / sqrt(l[row] * l[W->j[n]]);
                S[c * (size_t)m + r] += half, S[r * (size_t)m + c] += half;
                K[c * (size_t)m + r] += half, K[r * (size_t)m + c] -= half;
            }
    if (!dls_eigen(S, m, lambda, a)) return false;
    if (lambda[0] < -10 * dls_eigen_noise(m, lambda[m - 1])) return false;
    return dls_bsr_asymmetry(W) <= even || null_spaces_agree(S, lambda, K, m, a);
}

// Whether A + shift I is positive definite; A is symmetric, all of it stored.
static bool positive(struct dls_csr *A, double shift, struct dls_arena *a)
{
    struct dls_sparse_factor factor = {0};
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++)
            if (A->j[k] == i) A->x[k] += shift;
    bool good = !dls_sparse_factor_create(&factor, A, DLS_FACTOR_POSITIVE, a)
                && !dls_sparse_factor_update(&factor);
    dls_sparse_factor_destroy(&factor);
    return good;
}

// By Cholesky's factor, W large: a symmetric one plus round-off, another one less what would
// make its rank unclear. The rows' sums bound the largest eigenvalue.
static bool sparse_bodies(const struct dls_refinement *s, struct dls_arena *a)
{
    const struct dls_bsr *W = s->form->W;
    struct dls_csr *A = dls_bsr_to_csr(W, a);
    double top = 0;
    if (!A) return false;
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++)
            A->x[k] /= sqrt(s->extended->l[i / W->d] * s->extended->l[A->j[k] / W->d]);
    struct dls_csr *S = dls_csr_symmetric_part(A, a);
    if (!S) return false;
    for (int i = 0; i < S->rows; i++) {
        double sum = 0;
        for (int k = S->p[i]; k < S->p[i + 1]; k++) sum += fabs(S->x[k]);
        top = fmax(top, sum);
    }
    double noise = dls_eigen_noise(S->rows, top);
    return positive(S, dls_bsr_asymmetry(W) <= even ? 10 * noise : -1e4 * noise, a);
}

// By the velocities behind W.
static bool positive_mass(const struct dls_csr *M, struct dls_arena *a)
{
    struct dls_csr *S = M->rows ? dls_csr_symmetric_part(M, a) : NULL;
    return M->rows == 0 || (S && positive(S, 0, a));
}

bool dls_bodies_behind(const struct dls_refinement *s, struct dls_arena *a)
{
    const struct dls_delassus *f = s->form;
    if (!dls_velocities_find(f) && positive_mass(f->velocities->M, a)) return true;
    return f->m <= LARGEST_DENSE ? dense_bodies(s, a) : sparse_bodies(s, a);
}
