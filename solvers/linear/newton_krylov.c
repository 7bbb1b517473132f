// SPDX-License-Identifier: Apache-2.0
// BiCGStab on Newton's system.
//
//     A x = -F,    A = F_r + F_u (W + shift I),    preconditioned by its diagonal blocks
//
// Method [VanDerVorst1992], from the right, so that the residual is that of A itself. The
// direction of a Newton step needs few digits: a hundredth of F will do, and where the
// iteration gets nowhere the caller factors after all.
//
// Cost: two products with W an iteration; their number grows as the root of the condition
// of A, that is of 1 / shift. No memory but some vectors.
// Fails: for small shifts on matrices that are nearly singular.
#include "solvers/linear/newton_krylov.h"

#include "base/block.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 150 };
static const double accuracy = 1e-2; // of the residual relative to F
static const double breakdown = 1e-30;

bool dls_newton_krylov_create(struct dls_newton_krylov *s, const struct dls_bsr *W,
                              struct dls_arena *a)
{
    size_t m = (size_t)W->rows * (size_t)W->d;
    double *vectors = DLS_NEW(a, double, (7 + (size_t)W->d) * m);
    if (a->failed) return false;
    *s = (struct dls_newton_krylov){
        .A.W = W,
        .r = vectors,
        .shadow = vectors + m,
        .p = vectors + 2 * m,
        .v = vectors + 3 * m,
        .t = vectors + 4 * m,
        .y = vectors + 5 * m,
        .u = vectors + 6 * m,
        .inverse = vectors + 7 * m,
    };
    return true;
}

bool dls_newton_krylov_set(struct dls_newton_krylov *s,
                           const struct dls_contact_value *value, double shift)
{
    int d = s->A.W->d;
    s->A.value = value;
    s->A.shift = shift;
    for (int a = 0; a < s->A.W->rows; a++) {
        const struct dls_contact_value *v = value + a;
        const double *W_aa = dls_bsr_diagonal(s->A.W, a);
        double A[9];
        for (int i = 0; i < d; i++)
            for (int l = 0; l < d; l++) {
                A[i * d + l] = v->F_r[i * d + l] + shift * v->F_u[i * d + l];
                for (int k = 0; k < d; k++)
                    A[i * d + l] += v->F_u[i * d + k] * W_aa[k * d + l];
            }
        if (!dls_block_invert(d, A, s->inverse + a * d * d)) return false;
    }
    return true;
}

// y = A B x with B the inverse of the diagonal blocks, and z = B x.
static void multiply(const struct dls_newton_krylov *s, const double *x, double *z,
                     double *y)
{
    const struct dls_bsr *W = s->A.W;
    dls_block_apply(W->d, W->rows, s->inverse, x, z);
    memset(y, 0, (size_t)(W->rows * W->d) * sizeof *y);
    dls_newton_matrix_add(&s->A, 1, z, s->u, y);
}

static double dot(int m, const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < m; k++) sum += x[k] * y[k];
    return sum;
}

// y += c x
static void add(int m, double c, const double *x, double *y)
{
    for (int k = 0; k < m; k++) y[k] += c * x[k];
}

bool dls_newton_krylov_solve(struct dls_newton_krylov *s, double *x)
{
    int d = s->A.W->d, m = s->A.W->rows * d;
    double rho = 1, alpha = 1, omega = 1;
    memset(x, 0, (size_t)m * sizeof *x);
    memset(s->p, 0, (size_t)m * sizeof *x);
    memset(s->v, 0, (size_t)m * sizeof *x);
    for (int k = 0; k < m; k++) s->r[k] = s->shadow[k] = -s->A.value[k / d].F[k % d];
    double goal = accuracy * accuracy * dot(m, s->r, s->r), square = INFINITY;
    for (int step = 0; step < MOST_STEPS && square > goal; step++) {
        double next = dot(m, s->shadow, s->r), beta = next / rho * (alpha / omega);
        rho = next;
        for (int k = 0; k < m; k++)
            s->p[k] = s->r[k] + beta * (s->p[k] - omega * s->v[k]);
        multiply(s, s->p, s->y, s->v);
        double curvature = dot(m, s->shadow, s->v);
        if (!(fabs(curvature) > breakdown) || !(fabs(rho) > breakdown)) return false;
        alpha = rho / curvature;
        add(m, alpha, s->y, x);
        add(m, -alpha, s->v, s->r);
        multiply(s, s->r, s->y, s->t);
        double size = dot(m, s->t, s->t);
        omega = size > 0 ? dot(m, s->t, s->r) / size : 0;
        add(m, omega, s->y, x);
        add(m, -omega, s->t, s->r);
        square = dot(m, s->r, s->r);
    }
    return square <= goal;
}
