// SPDX-License-Identifier: Apache-2.0
// The linear systems (W + c S) x = b, positive definite for c > 0 wherever W is positive
// semidefinite, singular or not.
//
// 1. A sparse factor, one analysis for all c: CHOLMOD where W is symmetric to 1e-14, else
//    UMFPACK [Davis2004].
// 2. Where the analysis predicts more than MOST_WORK operations or MOST_FILL entries of the
//    factor, conjugate gradients [GolubVanLoan2013, chapter 11] with S as preconditioner:
//    their number grows as the root of the condition of S^-1 W + c, at most
//    (|S^-1 W| + c) / c.
//
// Cost: a factorisation per c, then two triangular solves; or products with W.
#include "solvers/linear/ridge.h"

#include "solvers/contact/metric.h"

#include <math.h>

// A factorisation of seconds, a factor of a gigabyte.
#define MOST_WORK 3e10
#define MOST_FILL 1.25e8

enum { CG_STEPS = 1000 };

// --- conjugate gradients --------------------------------------------------------------

// y = (W + c S) x
static void multiply(const struct dls_ridge *g, const double *x, double *y)
{
    int d = g->W->d;
    dls_bsr_multiply(g->W, x, NULL, y);
    for (int i = 0; i < g->W->rows * d; i++) y[i] += g->c * g->S[i / d] * x[i];
}

static void conjugate_gradients(struct dls_ridge *g, const double *b, double tol,
                                double *x, struct dls_work *work)
{
    int d = g->W->d, m = g->W->rows * d;
    double *r = g->residual, *p = g->p, *A_p = g->A_p;
    multiply(g, x, A_p);
    work->products++;
    for (int i = 0; i < m; i++) {
        r[i] = b[i] - A_p[i];
        p[i] = r[i] / g->S[i / d];
    }
    double square = dls_metric_dual_square(g->S, g->W, r);
    for (int k = 0; k < CG_STEPS && sqrt(square) > tol; k++) {
        double curvature = 0, before = square;
        if (dls_work_expired(work)) break;
        multiply(g, p, A_p);
        work->products++;
        for (int i = 0; i < m; i++) curvature += p[i] * A_p[i];
        if (!(curvature > 0)) break;
        double alpha = square / curvature;
        for (int i = 0; i < m; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * A_p[i];
        }
        square = dls_metric_dual_square(g->S, g->W, r);
        for (int i = 0; i < m; i++) p[i] = r[i] / g->S[i / d] + square / before * p[i];
    }
}

// --- interface ------------------------------------------------------------------------

// A = W by rows, with the places of its diagonal.
static bool copy_matrix(struct dls_ridge *g, struct dls_arena *a)
{
    int m = g->W->rows * g->W->d;
    g->A = dls_bsr_to_csr(g->W, a);
    g->diagonal = DLS_NEW(a, int, m);
    g->W_ii = DLS_NEW(a, double, m);
    if (a->failed) return false;
    for (int i = 0; i < m; i++)
        for (int k = g->A->p[i]; k < g->A->p[i + 1]; k++)
            if (g->A->j[k] == i) g->diagonal[i] = k, g->W_ii[i] = g->A->x[k];
    return true;
}

enum dls_status dls_ridge_create(struct dls_ridge *g, const struct dls_bsr *W,
                                 const double *S, enum dls_ridge_way way,
                                 struct dls_arena *a, struct dls_error *err)
{
    int m = W->rows * W->d;
    *g = (struct dls_ridge){
        .W = W,
        .S = S,
        .way = m ? way : DLS_RIDGE_CG,
        .residual = DLS_NEW(a, double, m),
        .p = DLS_NEW(a, double, m),
        .A_p = DLS_NEW(a, double, m),
    };
    if (a->failed || !copy_matrix(g, a)) return DLS_ENOMEM;
    bool symmetric = dls_bsr_asymmetry(W) <= 1e-14;
    enum dls_status status = DLS_OK;
    if (g->way != DLS_RIDGE_CG)
        status = dls_sparse_factor_create(
            &g->factor, g->A, symmetric ? DLS_FACTOR_POSITIVE : DLS_FACTOR_NEARLY, a);
    bool fits = g->factor.flops <= MOST_WORK && g->factor.entries <= MOST_FILL;
    if (g->way == DLS_RIDGE_AUTO) g->way = fits ? DLS_RIDGE_FACTOR : DLS_RIDGE_CG;
    if (status == DLS_OK && g->way == DLS_RIDGE_CG && !symmetric)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "W is unsymmetric, and too large to be factored");
    return status;
}

void dls_ridge_destroy(struct dls_ridge *g) { dls_sparse_factor_destroy(&g->factor); }

enum dls_status dls_ridge_set(struct dls_ridge *g, double c, struct dls_work *work)
{
    g->c = c;
    if (g->way == DLS_RIDGE_CG) return DLS_OK;
    for (int i = 0; i < g->A->rows; i++)
        g->A->x[g->diagonal[i]] = g->W_ii[i] + c * g->S[i / g->W->d];
    work->factorisations++;
    return dls_sparse_factor_update(&g->factor);
}

enum dls_status dls_ridge_solve(struct dls_ridge *g, const double *b, double tol,
                                double *x, struct dls_work *work)
{
    bool solved = true;
    if (g->way == DLS_RIDGE_CG)
        conjugate_gradients(g, b, tol, x, work);
    else
        solved = dls_sparse_factor_solve(&g->factor, b, x);
    for (int i = 0; i < g->W->rows * g->W->d && solved; i++) solved = isfinite(x[i]);
    return solved ? DLS_OK : DLS_ENUMERIC;
}
