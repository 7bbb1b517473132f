// SPDX-License-Identifier: Apache-2.0
// The linear systems (W + c S) x = b, positive definite for c > 0 wherever W is positive
// semidefinite, singular or not.
//
// 1. W symmetric to 1e-14: CHOLMOD, one analysis for all c. Otherwise UMFPACK [Davis2004];
//    our rows are its columns, so that it solves with the transpose of what it is given.
// 2. Where the analysis predicts more than MOST_WORK operations or MOST_FILL entries of the
//    factor, conjugate gradients [GolubVanLoan2013, chapter 11] with S as preconditioner:
//    their number grows as the root of the condition of S^-1 W + c, at most
//    (|S^-1 W| + c) / c.
//
// Cost: a factorisation per c, then two triangular solves; or products with W.
#include "solvers/local/ridge.h"

#include "solvers/local/metric.h"

#include <cholmod.h>
#include <math.h>
#include <string.h>
#include <umfpack.h>

// A factorisation of seconds, a factor of a gigabyte.
#define MOST_WORK 3e10
#define MOST_FILL 1.25e8

enum { CG_STEPS = 1000 };

struct foreign {
    bool symmetric;
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E;
    void *symbolic, *numeric; // UMFPACK's
    double control[UMFPACK_CONTROL];
};

// --- the factor -----------------------------------------------------------------------

// CHOLMOD's view of the lower triangle by columns: our rows of a symmetric matrix.
static cholmod_sparse lower_view(const struct dls_csr *A)
{
    return (cholmod_sparse){
        .nrow = (size_t)A->rows,
        .ncol = (size_t)A->rows,
        .nzmax = (size_t)dls_csr_count(A),
        .p = A->p,
        .i = A->j,
        .x = A->x,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

// Analyses the pattern; `fits` tells whether the factor is affordable.
static enum dls_status analyse(struct dls_ridge *g, bool *fits)
{
    struct foreign *f = g->foreign;
    if (f->symmetric) {
        cholmod_sparse A = lower_view(g->A);
        f->L = cholmod_analyze(&A, &f->common);
        *fits = f->common.fl <= MOST_WORK && f->common.lnz <= MOST_FILL;
        return f->L ? DLS_OK : DLS_ENOMEM;
    }
    double info[UMFPACK_INFO];
    umfpack_di_defaults(f->control);
    f->control[UMFPACK_IRSTEP] = 0; // the iteration around corrects itself
    int status = umfpack_di_symbolic(g->A->rows, g->A->rows, g->A->p, g->A->j, NULL,
                                     &f->symbolic, f->control, info);
    *fits = info[UMFPACK_FLOPS_ESTIMATE] <= MOST_WORK
            && info[UMFPACK_LNZ_ESTIMATE] + info[UMFPACK_UNZ_ESTIMATE] <= MOST_FILL;
    if (status == UMFPACK_ERROR_out_of_memory) return DLS_ENOMEM;
    return status ? DLS_ENUMERIC : DLS_OK;
}

static enum dls_status factor_cholmod(struct dls_ridge *g)
{
    struct foreign *f = g->foreign;
    cholmod_sparse A = lower_view(g->A);
    cholmod_factorize(&A, f->L, &f->common);
    if (f->common.status == CHOLMOD_OUT_OF_MEMORY) return DLS_ENOMEM;
    return f->L->minor == f->L->n ? DLS_OK : DLS_ENUMERIC;
}

static enum dls_status factor_umfpack(struct dls_ridge *g)
{
    struct foreign *f = g->foreign;
    umfpack_di_free_numeric(&f->numeric);
    int status = umfpack_di_numeric(g->A->p, g->A->j, g->A->x, f->symbolic, &f->numeric,
                                    f->control, NULL);
    if (status == UMFPACK_ERROR_out_of_memory) return DLS_ENOMEM;
    return status ? DLS_ENUMERIC : DLS_OK;
}

static bool solve_cholmod(struct dls_ridge *g, const double *b, double *x)
{
    struct foreign *f = g->foreign;
    size_t m = (size_t)g->A->rows;
    memcpy(g->residual, b, m * sizeof *b); // CHOLMOD's view is not const
    cholmod_dense B = {
        .nrow = m,
        .ncol = 1,
        .nzmax = m,
        .d = m,
        .x = g->residual,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
    };
    if (!cholmod_solve2(CHOLMOD_A, f->L, &B, NULL, &f->X, NULL, &f->Y, &f->E,
                        &f->common))
        return false;
    memcpy(x, f->X->x, m * sizeof *x);
    return true;
}

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
    bool fits = false;
    enum dls_status status = DLS_OK;
    struct foreign *f = DLS_NEW(a, struct foreign, 1);
    *g = (struct dls_ridge){
        .W = W,
        .S = S,
        .way = m ? way : DLS_RIDGE_CG,
        .residual = DLS_NEW(a, double, m),
        .p = DLS_NEW(a, double, m),
        .A_p = DLS_NEW(a, double, m),
    };
    if (a->failed || !copy_matrix(g, a)) return DLS_ENOMEM;
    double asymmetry = dls_csr_asymmetry(g->A, a);
    if (asymmetry < 0) return DLS_ENOMEM;
    f->symmetric = asymmetry <= 1e-14;
    g->foreign = f;
    cholmod_start(&f->common);
    f->common.print = 0;
    if (g->way != DLS_RIDGE_CG) status = analyse(g, &fits);
    if (g->way == DLS_RIDGE_AUTO) g->way = fits ? DLS_RIDGE_FACTOR : DLS_RIDGE_CG;
    if (status == DLS_OK && g->way == DLS_RIDGE_CG && !f->symmetric)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "W is unsymmetric, and too large to be factored");
    return status;
}

void dls_ridge_destroy(struct dls_ridge *g)
{
    struct foreign *f = g->foreign;
    if (!f) return;
    umfpack_di_free_symbolic(&f->symbolic);
    umfpack_di_free_numeric(&f->numeric);
    cholmod_free_factor(&f->L, &f->common);
    cholmod_free_dense(&f->X, &f->common);
    cholmod_free_dense(&f->Y, &f->common);
    cholmod_free_dense(&f->E, &f->common);
    cholmod_finish(&f->common);
    g->foreign = NULL;
}

enum dls_status dls_ridge_set(struct dls_ridge *g, double c, struct dls_work *work)
{
    const struct foreign *f = g->foreign;
    g->c = c;
    if (g->way == DLS_RIDGE_CG) return DLS_OK;
    for (int i = 0; i < g->A->rows; i++)
        g->A->x[g->diagonal[i]] = g->W_ii[i] + c * g->S[i / g->W->d];
    work->factorisations++;
    return f->symmetric ? factor_cholmod(g) : factor_umfpack(g);
}

enum dls_status dls_ridge_solve(struct dls_ridge *g, const double *b, double tol,
                                double *x, struct dls_work *work)
{
    const struct foreign *f = g->foreign;
    bool solved = true;
    if (g->way == DLS_RIDGE_CG)
        conjugate_gradients(g, b, tol, x, work);
    else if (f->symmetric)
        solved = solve_cholmod(g, b, x);
    else
        solved = umfpack_di_solve(UMFPACK_At, g->A->p, g->A->j, g->A->x, x, b,
                                  f->numeric, f->control, NULL)
                 == UMFPACK_OK;
    for (int i = 0; i < g->W->rows * g->W->d && solved; i++) solved = isfinite(x[i]);
    return solved ? DLS_OK : DLS_ENUMERIC;
}
