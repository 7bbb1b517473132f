// SPDX-License-Identifier: Apache-2.0
#include "tests/support/long_double.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

// y += A x and y += A^T x
static void add(const struct dls_csr *A, const long double *x, long double *y)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) y[i] += A->x[k] * x[A->j[k]];
}
static void add_transposed(const struct dls_csr *A, const long double *x,
                           long double *y)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) y[A->j[k]] += A->x[k] * x[i];
}

long double long_dot(const long double *x, const long double *y, int n)
{
    long double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

long double long_norm(const long double *x, int count)
{
    return sqrtl(long_dot(x, x, count));
}

// v = M^-1 f by conjugate gradients, preconditioned by the diagonal: the bodies' blocks
// have few different eigenvalues then.
static void solve_M(const struct dls_csr *M, const long double *f, long double *v,
                    struct dls_arena *a)
{
    int n = M->rows;
    long double *rest = DLS_NEW(a, long double, 5 * n), *z = rest + n,
                *p = rest + 2 * n;
    long double *Mp = rest + 3 * n, *diagonal = rest + 4 * n, old = 1;
    assert_false(a->failed);
    memcpy(rest, f, (size_t)n * sizeof *f);
    memset(v, 0, (size_t)n * sizeof *v);
    for (int i = 0; i < n; i++)
        for (int k = M->p[i]; k < M->p[i + 1]; k++)
            if (M->j[k] == i) diagonal[i] = M->x[k];
    long double size = long_dot(f, f, n);
    for (int round = 0; round < 200 && long_dot(rest, rest, n) > 1e-40L * size;
         round++) {
        for (int i = 0; i < n; i++) z[i] = rest[i] / diagonal[i];
        long double now = long_dot(rest, z, n);
        for (int i = 0; i < n; i++) p[i] = z[i] + (round ? now / old : 0) * p[i];
        memset(Mp, 0, (size_t)n * sizeof *Mp);
        add(M, p, Mp);
        long double t = now / long_dot(p, Mp, n);
        for (int i = 0; i < n; i++) v[i] += t * p[i], rest[i] -= t * Mp[i];
        old = now;
    }
}

long double *long_velocities(const struct dls_problem *p, const long double *r,
                             struct dls_arena *a)
{
    long double *u = DLS_NEW(a, long double, p->m);
    assert_non_null(u);
    for (int k = 0; k < p->m; k++) u[k] = p->M ? p->w[k] : p->q[k];
    if (!p->M) return add(p->W, r, u), u;
    long double *f = DLS_NEW(a, long double, p->n), *v = DLS_NEW(a, long double, p->n);
    assert_false(a->failed);
    for (int k = 0; k < p->n; k++) f[k] = p->f[k];
    add_transposed(p->H, r, f);
    solve_M(p->M, f, v, a);
    add(p->H, v, u);
    return u;
}

long double long_natural(int d, long double mu, const long double *r,
                         const long double *u)
{
    long double y[3], gap[3];
    for (int i = 0; i < d; i++) y[i] = r[i] - u[i];
    y[0] -= mu * long_norm(u + 1, d - 1);
    long double t = long_norm(y + 1, d - 1);
    if (t > mu * y[0]) { // outside the cone
        bool apex = mu * t <= -y[0];
        long double n = apex ? 0 : (y[0] + mu * t) / (1 + mu * mu);
        for (int i = 1; i < d; i++) y[i] = apex ? 0 : mu * n * y[i] / t;
        y[0] = n;
    }
    for (int i = 0; i < d; i++) gap[i] = r[i] - y[i];
    return long_norm(gap, d);
}
