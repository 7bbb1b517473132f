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

// Whether the condition of A, |A|^2 |X|^2 being its square, leaves enough digits. False for
// NaN too. Squares that leave the range of numbers are taken again with scaling.
static inline bool conditioned(int d, const double *A, const double *X, double square)
{
    if (square < 1e12 && square >= 1) return true;
    return dls_norm(d * d, A) * dls_norm(d * d, X) < 1e6;
}

// X = A^-1 by cofactors for a symmetric A of 3 x 3; X is so too, to the last bit. False
// where that would cost too many digits.
static inline bool invert_symmetric(const double *A, double *X)
{
    double a = A[0], b = A[1], c = A[2], e = A[4], f = A[5], g = A[8];
    double aa = e * g - f * f, ab = f * c - g * b, ac = b * f - c * e;
    double bb = g * a - c * c, bc = c * b - a * f, cc = a * e - b * b;
    double det = a * aa + b * ab + c * ac;
    X[0] = aa /= det;
    X[1] = X[3] = ab /= det;
    X[2] = X[6] = ac /= det;
    X[4] = bb /= det;
    X[5] = X[7] = bc /= det;
    X[8] = cc /= det;
    return conditioned(
        3, A, X,
        (a * a + e * e + g * g + 2 * (b * b + c * c + f * f))
            * (aa * aa + bb * bb + cc * cc + 2 * (ab * ab + ac * ac + bc * bc)));
}

// The same for any A of up to 3 x 3.
static inline bool invert_any(int d, const double *A, double *X)
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
    for (int i = 0; i < d * d; i++) X[i] /= det;
    return conditioned(d, A, X, dls_dot(d * d, A, A) * dls_dot(d * d, X, X));
}

// A constant gives contacts of the plane a code without loops.
static bool invert(int d, const double *A, double *X)
{
    if (d == 3 && A[1] == A[3] && A[2] == A[6] && A[5] == A[7])
        return invert_symmetric(A, X);
    return d == 2 ? invert_any(2, A, X) : invert_any(d, A, X);
}

// A_NN <= mu |A_NT|
static bool leans(int d, double mu, const double *A)
{
    if (d == 2) return A[0] <= mu * fabs(A[1]);
    double sum = fabs(A[1]) + fabs(A[2]); // |A_NT| is not above this
    return A[0] <= mu * sum && A[0] <= mu * dls_norm(2, A + 1);
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
    c->singular = !invert(d, A, c->inverse) && pseudo_inverse(d, A, c->inverse);
    c->ambiguous = d > 1 ? leans(d, c->mu, A) : A[0] <= 0;
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
