// SPDX-License-Identifier: Apache-2.0
// Preparation of one-contact problems. The inverse of A comes from cofactors where the
// condition of A is below 1e6, the usual case. Otherwise it is the pseudo-inverse by
// singular values, without those below 1e-13 of the largest.
#include "solvers/contact/contact.h"

#include "base/contract.h"
#include "base/vector.h"

#include <lapacke.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// X = pseudo-inverse of A (d x d by rows); true when A is singular.
static bool pseudo_inverse(int d, const double *A, double *X)
{
    double copy[9], U[9], Vt[9], s[3], work[64];
    memcpy(copy, A, (size_t)(d * d) * sizeof *A);
    // LAPACK reads our rows as columns: it decomposes A^T = U S V^T, so A^+ = U S^+ V^T.
    int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', d, d, copy, d, s, U, d,
                                   Vt, d, work, 64);
    bool singular = info != 0;
    memset(X, 0, (size_t)(d * d) * sizeof *X);
    for (int k = 0; k < d && !info; k++) {
        if (s[k] <= 1e-13 * s[0]) {
            singular = true;
            continue;
        }
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++)
                X[i * d + j] += U[k * d + i] * Vt[j * d + k] / s[k];
    }
    return singular;
}

// X = A^-1 by cofactors; false where that would cost too many digits.
static inline bool invert_by_cofactors(int d, const double *A, double *X)
{
    double det = A[0];
    X[0] = 1;
    if (d == 2) {
        const double adjugate[] = {A[3], -A[1], -A[2], A[0]};
        memcpy(X, adjugate, sizeof adjugate);
        det = A[0] * A[3] - A[1] * A[2];
    }
    if (d == 3) {
        for (int i = 0; i < 3; i++) // cyclic indices carry the signs
            for (int j = 0; j < 3; j++) {
                int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, e = (i + 2) % 3;
                X[3 * i + j] =
                    A[3 * a + c] * A[3 * b + e] - A[3 * a + e] * A[3 * b + c];
            }
        det = A[0] * X[0] + A[1] * X[3] + A[2] * X[6];
    }
    bool symmetric = d == 3 && A[1] == A[3] && A[2] == A[6] && A[5] == A[7];
    for (int i = 0; i < d * d && !symmetric; i++) X[i] /= det;
    for (int i = 0; i < 3 && symmetric; i++) // X is so too, to the last bit
        for (int j = i; j < 3; j++) {
            double x = X[3 * i + j] / det;
            X[3 * i + j] = X[3 * j + i] = x;
        }
    double square = dls_dot(d * d, A, A) * dls_dot(d * d, X, X); // of the condition
    if (square < 1e12 && square >= 1) return true;
    return dls_norm(d * d, A) * dls_norm(d * d, X) < 1e6; // false for NaN too
}

// Constants give contacts of space and of the plane a code without loops.
static bool invert(int d, const double *A, double *X)
{
    return d == 3   ? invert_by_cofactors(3, A, X)
           : d == 2 ? invert_by_cofactors(2, A, X)
                    : invert_by_cofactors(d, A, X);
}

bool dls_contact_prepare(struct dls_local_contact *c, const struct dls_cone *K,
                         const double *A)
{
    DLS_ASSERT(K->mu >= 0 && A);
    int d = K->d;
    c->mu = K->mu;
    if (K->rolls) {
        dls_contact_prepare_rolling(c, K, A);
        return A[0] > 0;
    }
    double coupling = d == 2 ? fabs(A[1]) : d == 3 ? dls_norm(2, A + 1) : 0;
    c->singular = !invert(d, A, c->inverse) && pseudo_inverse(d, A, c->inverse);
    c->ambiguous = A[0] <= c->mu * coupling;
    return A[0] > 0;
}

enum dls_contact_status dls_contact_solve1(const struct dls_local_contact *c,
                                           const double *A, const double *b, double *r,
                                           int *answers)
{
    (void)c;
    if (answers) *answers = 1;
    r[0] = b[0] < 0 ? -b[0] / A[0] : 0;
    return b[0] < 0 ? DLS_STICK : DLS_OPEN;
}

static enum dls_contact_status rolling3(const struct dls_local_contact *c,
                                        const double *A, const double *b, double *r,
                                        int *answers)
{
    if (answers) *answers = 1;
    return dls_contact_solve_rolling(c, 3, A, b, r);
}

static enum dls_contact_status rolling5(const struct dls_local_contact *c,
                                        const double *A, const double *b, double *r,
                                        int *answers)
{
    if (answers) *answers = 1;
    return dls_contact_solve_rolling(c, 5, A, b, r);
}

dls_contact_solver *dls_contact_solver_for(int d, bool rolling)
{
    switch (d) {
    case 1:
        return dls_contact_solve1;
    case 2:
        return dls_contact_solve2;
    case 3:
        return rolling ? rolling3 : dls_contact_solve3;
    case 5:
        return rolling5;
    }
    return NULL;
}
