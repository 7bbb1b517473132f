// SPDX-License-Identifier: Apache-2.0
// Assembly and factorisation of  F_r + F_u (W + shift I).
//
// 1. In general the matrix is unsymmetric: UMFPACK [Davis2004]. Block row a of the
//    matrix is F_u,a times block row a of W; since W stores whole blocks by rows, the
//    place of an entry in the compressed rows follows from the number of its block and
//    assembling is one pass over W. Our rows are UMFPACK's columns, so that it solves with
//    the transpose of what it is given.
// 2. Without friction F_r and F_u are diagonal and W is symmetric. With D = F_u^(1/2) and
//    x = D y the system is
//
//        (F_r + D (W + shift I) D) y = -D^-1 F,
//
//    symmetric, positive definite where F_r + W is: CHOLMOD. Rows with F_u = 0 have the
//    known answer x = -F / F_r, which goes to the right-hand side; the row and the column
//    become those of the identity.
//
// Cost: a pass over W, and a sparse factorisation with the analysis of `create`.
#include "solvers/local/newton_system.h"

#include <cholmod.h>
#include <math.h>
#include <string.h>
#include <umfpack.h>

// A row whose F_u is below this times F_r counts as F_u = 0.
#define NEGLIGIBLE 1e-14

enum { LARGE = 5000 }; // rows from which several orderings are worth trying

struct foreign {
    bool diagonal;
    void *symbolic, *numeric; // UMFPACK's
    double control[UMFPACK_CONTROL];
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E;
};

// --- creation -------------------------------------------------------------------------

// Where the d entries of block k start in scalar row i of block row a.
static size_t place(const struct dls_bsr *W, int a, int k, int i)
{
    size_t d = (size_t)W->d, blocks = (size_t)(W->p[a + 1] - W->p[a]);
    return (size_t)W->p[a] * d * d + (size_t)i * blocks * d + (size_t)(k - W->p[a]) * d;
}

static void fill_pattern(struct dls_newton_system *s)
{
    const struct dls_bsr *W = s->W;
    for (int a = 0; a < W->rows; a++)
        for (int i = 0; i < W->d; i++) {
            int *j = s->j + place(W, a, W->p[a], i);
            for (int k = W->p[a]; k < W->p[a + 1]; k++)
                for (int l = 0; l < W->d; l++) *j++ = W->j[k] * W->d + l;
            s->p[a * W->d + i + 1] = (int)(j - s->j);
        }
}

// CHOLMOD's view of the lower triangle by columns: our rows of a symmetric matrix.
static cholmod_sparse lower_view(const struct dls_newton_system *s)
{
    return (cholmod_sparse){
        .nrow = (size_t)s->m,
        .ncol = (size_t)s->m,
        .nzmax = (size_t)s->p[s->m],
        .p = s->p,
        .i = s->j,
        .x = s->x,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

static enum dls_status analyse(struct dls_newton_system *s)
{
    struct foreign *f = s->foreign;
    if (f->diagonal) {
        cholmod_start(&f->common);
        f->common.print = 0;
        cholmod_sparse A = lower_view(s);
        f->L = cholmod_analyze(&A, &f->common);
        return f->L ? DLS_OK : DLS_ENOMEM;
    }
    umfpack_di_defaults(f->control);
    // The pattern is symmetric; pivots on the diagonal where possible save two thirds of
    // the fill.
    f->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    if (s->m >= LARGE) f->control[UMFPACK_ORDERING] = UMFPACK_ORDERING_BEST;
    if (!s->m) return DLS_OK;
    int info = umfpack_di_symbolic(s->m, s->m, s->p, s->j, NULL, &f->symbolic,
                                   f->control, NULL);
    if (info == UMFPACK_ERROR_out_of_memory) return DLS_ENOMEM;
    return info ? DLS_ENUMERIC : DLS_OK;
}

enum dls_status dls_newton_system_create(struct dls_newton_system *s,
                                         const struct dls_bsr *W, bool diagonal,
                                         struct dls_arena *a)
{
    int m = W->rows * W->d;
    size_t count = (size_t)W->p[W->rows] * (size_t)(W->d * W->d);
    struct foreign *f = DLS_NEW(a, struct foreign, 1);
    *s = (struct dls_newton_system){
        .W = W,
        .m = m,
        .p = DLS_NEW(a, int, (size_t)m + 1),
        .j = DLS_NEW(a, int, count),
        .x = DLS_NEW(a, double, count),
        .rhs = DLS_NEW(a, double, m),
        .known = DLS_NEW(a, double, m),
        .scale = DLS_NEW(a, double, m),
    };
    if (a->failed) return DLS_ENOMEM;
    f->diagonal = diagonal;
    s->foreign = f;
    fill_pattern(s);
    return analyse(s);
}

void dls_newton_system_destroy(struct dls_newton_system *s)
{
    struct foreign *f = s->foreign;
    if (!f) return;
    umfpack_di_free_symbolic(&f->symbolic);
    umfpack_di_free_numeric(&f->numeric);
    if (f->diagonal) {
        cholmod_free_factor(&f->L, &f->common);
        cholmod_free_dense(&f->X, &f->common);
        cholmod_free_dense(&f->Y, &f->common);
        cholmod_free_dense(&f->E, &f->common);
        cholmod_finish(&f->common);
    }
    s->foreign = NULL;
}

// --- unsymmetric ----------------------------------------------------------------------

// Block row a of the matrix: F_u,a W_ab, and on the diagonal F_r,a + shift F_u,a more.
static void assemble_row(struct dls_newton_system *s, int a,
                         const struct dls_contact_value *v, double shift)
{
    const struct dls_bsr *W = s->W;
    int d = W->d;
    for (int i = 0; i < d; i++) {
        const double *F_u = v->F_u + i * d;
        double *to = s->x + place(W, a, W->p[a], i);
        const double *block = dls_bsr_block(W, W->p[a]);
        for (int k = W->p[a]; k < W->p[a + 1]; k++, block += d * d)
            for (int l = 0; l < d; l++) {
                double sum = 0;
                for (int n = 0; n < d; n++) sum += F_u[n] * block[n * d + l];
                *to++ = sum;
            }
        to = s->x + place(W, a, W->diag[a], i);
        for (int l = 0; l < d; l++) to[l] += v->F_r[i * d + l] + shift * F_u[l];
    }
}

static enum dls_status factor_umfpack(struct dls_newton_system *s,
                                      const struct dls_contact_value *v, double shift,
                                      double *rcond)
{
    struct foreign *f = s->foreign;
    double info[UMFPACK_INFO];
    for (int a = 0; a < s->W->rows; a++) assemble_row(s, a, v + a, shift);
    umfpack_di_free_numeric(&f->numeric);
    int status = umfpack_di_numeric(s->p, s->j, s->x, f->symbolic, &f->numeric,
                                    f->control, info);
    *rcond = status == UMFPACK_OK ? info[UMFPACK_RCOND] : 0;
    if (status == UMFPACK_OK || status == UMFPACK_WARNING_singular_matrix)
        return DLS_OK;
    return status == UMFPACK_ERROR_out_of_memory ? DLS_ENOMEM : DLS_ENUMERIC;
}

// --- symmetric ------------------------------------------------------------------------

// scale = F_u^(1/2), or 0 for a row whose answer is known.
static void fill_scales(struct dls_newton_system *s, const struct dls_contact_value *v)
{
    int d = s->W->d;
    for (int k = 0; k < s->m; k++) {
        int i = k % d * (d + 1);
        double F_r = v[k / d].F_r[i], F_u = v[k / d].F_u[i];
        s->scale[k] = F_u > NEGLIGIBLE * F_r ? sqrt(F_u) : 0;
    }
}

static enum dls_status factor_cholmod(struct dls_newton_system *s,
                                      const struct dls_contact_value *v, double shift,
                                      double *rcond)
{
    struct foreign *f = s->foreign;
    const struct dls_bsr *W = s->W;
    int d = W->d;
    fill_scales(s, v);
    for (int a = 0; a < W->rows; a++)
        for (int i = 0; i < d; i++) {
            double scale = s->scale[a * d + i], *to = s->x + place(W, a, W->p[a], i);
            for (int k = W->p[a]; k < W->p[a + 1]; k++)
                for (int l = 0; l < d; l++)
                    *to++ = scale * s->scale[W->j[k] * d + l]
                            * dls_bsr_block(W, k)[i * d + l];
            s->x[place(W, a, W->diag[a], i) + (size_t)i] +=
                scale > 0 ? v[a].F_r[i * (d + 1)] + shift * scale * scale : 1;
        }
    cholmod_sparse A = lower_view(s);
    cholmod_factorize(&A, f->L, &f->common);
    if (f->common.status == CHOLMOD_OUT_OF_MEMORY) return DLS_ENOMEM;
    *rcond = f->L->minor == f->L->n ? cholmod_rcond(f->L, &f->common) : 0;
    return DLS_OK;
}

// The right-hand side -D^-1 F - D W x_known, with x_known in `known`.
static void symmetric_rhs(struct dls_newton_system *s,
                          const struct dls_contact_value *v)
{
    int d = s->W->d;
    for (int k = 0; k < s->m; k++)
        s->known[k] =
            s->scale[k] > 0 ? 0 : -v[k / d].F[k % d] / v[k / d].F_r[k % d * (d + 1)];
    dls_bsr_multiply(s->W, s->known, NULL, s->rhs);
    for (int k = 0; k < s->m; k++)
        s->rhs[k] = s->scale[k] > 0
                        ? -v[k / d].F[k % d] / s->scale[k] - s->scale[k] * s->rhs[k]
                        : 0;
}

static bool solve_cholmod(struct dls_newton_system *s,
                          const struct dls_contact_value *v, double *x)
{
    struct foreign *f = s->foreign;
    cholmod_dense B = {
        .nrow = (size_t)s->m,
        .ncol = 1,
        .nzmax = (size_t)s->m,
        .d = (size_t)s->m,
        .x = s->rhs,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
    };
    symmetric_rhs(s, v);
    if (!cholmod_solve2(CHOLMOD_A, f->L, &B, NULL, &f->X, NULL, &f->Y, &f->E,
                        &f->common))
        return false;
    const double *y = f->X->x;
    for (int k = 0; k < s->m; k++) x[k] = s->known[k] + s->scale[k] * y[k];
    return true;
}

// --- interface ------------------------------------------------------------------------

enum dls_status dls_newton_system_factor(struct dls_newton_system *s,
                                         const struct dls_contact_value *v,
                                         double shift, double *rcond)
{
    struct foreign *f = s->foreign;
    *rcond = 1;
    if (!s->m) return DLS_OK;
    enum dls_status status = f->diagonal ? factor_cholmod(s, v, shift, rcond)
                                         : factor_umfpack(s, v, shift, rcond);
    if (isnan(*rcond)) *rcond = 0;
    return status;
}

bool dls_newton_system_solve(struct dls_newton_system *s,
                             const struct dls_contact_value *v, double *x)
{
    struct foreign *f = s->foreign;
    bool solved = true;
    if (!s->m) return true;
    if (f->diagonal) {
        solved = solve_cholmod(s, v, x);
    } else {
        for (int k = 0; k < s->m; k++) s->rhs[k] = -v[k / s->W->d].F[k % s->W->d];
        solved = umfpack_di_solve(UMFPACK_At, s->p, s->j, s->x, x, s->rhs, f->numeric,
                                  f->control, NULL)
                 == UMFPACK_OK;
    }
    for (int k = 0; k < s->m && solved; k++) solved = isfinite(x[k]);
    return solved;
}
