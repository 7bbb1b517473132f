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
#include "solvers/local/newton_krylov.h"

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
    double *vectors = DLS_NEW(a, double, (6 + (size_t)W->d) * m);
    if (a->failed) return false;
    *s = (struct dls_newton_krylov){
        .W = W,
        .r = vectors,
        .shadow = vectors + m,
        .p = vectors + 2 * m,
        .v = vectors + 3 * m,
        .t = vectors + 4 * m,
        .y = vectors + 5 * m,
        .inverse = vectors + 6 * m,
    };
    return true;
}

bool dls_newton_krylov_set(struct dls_newton_krylov *s,
                           const struct dls_contact_value *value, double shift)
{
    int d = s->W->d;
    s->value = value;
    s->shift = shift;
    for (int a = 0; a < s->W->rows; a++) {
        const struct dls_contact_value *v = value + a;
        const double *W_aa = dls_bsr_diagonal(s->W, a);
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

// y = A x
static void multiply(const struct dls_newton_krylov *s, const double *x, double *y)
{
    int d = s->W->d;
    dls_bsr_multiply(s->W, x, NULL, y);
    for (int a = 0; a < s->W->rows; a++) {
        const struct dls_contact_value *v = s->value + a;
        const double *x_a = x + a * d;
        double u[3] = {0}, sum[3] = {0};
        for (int i = 0; i < d; i++) u[i] = y[a * d + i] + s->shift * x_a[i];
        for (int k = 0; k < d * d; k++)
            sum[k / d] += v->F_r[k] * x_a[k % d] + v->F_u[k] * u[k % d];
        memcpy(y + a * d, sum, (size_t)d * sizeof *sum);
    }
}

// y = B x with B the inverse of the diagonal blocks.
static void precondition(const struct dls_newton_krylov *s, const double *x, double *y)
{
    int d = s->W->d;
    for (int a = 0; a < s->W->rows; a++) {
        const double *B = s->inverse + a * d * d;
        double sum[3] = {0};
        for (int k = 0; k < d * d; k++) sum[k / d] += B[k] * x[a * d + k % d];
        memcpy(y + a * d, sum, (size_t)d * sizeof *sum);
    }
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
    int d = s->W->d, m = s->W->rows * d;
    double rho = 1, alpha = 1, omega = 1;
    memset(x, 0, (size_t)m * sizeof *x);
    memset(s->p, 0, (size_t)m * sizeof *x);
    memset(s->v, 0, (size_t)m * sizeof *x);
    for (int k = 0; k < m; k++) s->r[k] = s->shadow[k] = -s->value[k / d].F[k % d];
    double goal = accuracy * accuracy * dot(m, s->r, s->r), square = INFINITY;
    for (int step = 0; step < MOST_STEPS && square > goal; step++) {
        double next = dot(m, s->shadow, s->r), beta = next / rho * (alpha / omega);
        rho = next;
        for (int k = 0; k < m; k++)
            s->p[k] = s->r[k] + beta * (s->p[k] - omega * s->v[k]);
        precondition(s, s->p, s->y);
        multiply(s, s->y, s->v);
        double curvature = dot(m, s->shadow, s->v);
        if (!(fabs(curvature) > breakdown) || !(fabs(rho) > breakdown)) return false;
        alpha = rho / curvature;
        add(m, alpha, s->y, x);
        add(m, -alpha, s->v, s->r);
        precondition(s, s->r, s->y);
        multiply(s, s->y, s->t);
        double size = dot(m, s->t, s->t);
        omega = size > 0 ? dot(m, s->t, s->r) / size : 0;
        add(m, omega, s->y, x);
        add(m, -omega, s->t, s->r);
        square = dot(m, s->r, s->r);
    }
    return square <= goal;
}
