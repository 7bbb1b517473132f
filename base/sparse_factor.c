// SPDX-License-Identifier: Apache-2.0
// CHOLMOD, UMFPACK and our fronts behind one face.
//
// CHOLMOD reads the lower triangle by columns, which are our rows of a symmetric matrix.
// Our rows are UMFPACK's columns, so that it solves with the transpose of what it is given.
#include "base/sparse_factor.h"

#include "base/deadline.h"
#include "base/fronts.h"
#include "base/lower_view.h"

#include <math.h>
#include <string.h>
#include <umfpack.h>

struct foreign {
    enum dls_factor_kind kind;
    struct dls_fronts fronts;
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E;
    void *symbolic, *numeric; // UMFPACK's
    double control[UMFPACK_CONTROL];
};

static enum dls_status analyse_cholmod(struct dls_sparse_factor *s)
{
    struct foreign *f = s->foreign;
    cholmod_sparse A = dls_lower_view(s->A->rows, s->A->p, s->A->j, s->A->x);
    cholmod_start(&f->common);
    f->common.print = 0;
    f->L = cholmod_analyze(&A, &f->common);
    if (!f->L) return DLS_ENOMEM;
    s->entries = f->common.lnz;
    s->flops = f->common.fl;
    return DLS_OK;
}

static enum dls_status analyse_umfpack(struct dls_sparse_factor *s)
{
    struct foreign *f = s->foreign;
    double info[UMFPACK_INFO];
    umfpack_di_defaults(f->control);
    int status = umfpack_di_symbolic(s->A->rows, s->A->rows, s->A->p, s->A->j, NULL,
                                     &f->symbolic, f->control, info);
    if (status == UMFPACK_ERROR_out_of_memory) return DLS_ENOMEM;
    if (status) return DLS_ENUMERIC;
    s->entries = info[UMFPACK_LNZ_ESTIMATE] + info[UMFPACK_UNZ_ESTIMATE];
    s->flops = info[UMFPACK_FLOPS_ESTIMATE];
    return DLS_OK;
}

static enum dls_status analyse_fronts(struct dls_sparse_factor *s, struct dls_arena *a)
{
    struct foreign *f = s->foreign;
    enum dls_status status = dls_fronts_create(&f->fronts, s->A, 1, a);
    s->entries = f->fronts.entries;
    s->flops = f->fronts.flops;
    return status;
}

// Less than any machine of today needs to order and count an entry: what is refused would
// not have fitted.
static const double ANALYSIS_SECONDS_AN_ENTRY = 2e-8;

enum dls_status dls_sparse_factor_create(struct dls_sparse_factor *s,
                                         const struct dls_csr *A,
                                         enum dls_factor_kind kind, struct dls_arena *a)
{
    *s = (struct dls_sparse_factor){.A = A, .foreign = DLS_NEW(a, struct foreign, 1)};
    if (a->failed) return DLS_ENOMEM;
    if (!A->rows) return DLS_OK;
    if (!dls_deadline_allows(ANALYSIS_SECONDS_AN_ENTRY * dls_csr_count(A)))
        return DLS_MAX_TIME;
    ((struct foreign *)s->foreign)->kind = kind;
    if (kind == DLS_FACTOR_POSITIVE) return analyse_cholmod(s);
    return kind == DLS_FACTOR_NEARLY ? analyse_fronts(s, a) : analyse_umfpack(s);
}

void dls_sparse_factor_share(struct dls_sparse_factor *s, int threads)
{
    ((struct foreign *)s->foreign)->fronts.threads = threads;
}

void dls_sparse_factor_destroy(struct dls_sparse_factor *s)
{
    struct foreign *f = s->foreign;
    if (!f) return;
    if (f->L) {
        cholmod_free_factor(&f->L, &f->common);
        cholmod_free_dense(&f->X, &f->common);
        cholmod_free_dense(&f->Y, &f->common);
        cholmod_free_dense(&f->E, &f->common);
        cholmod_finish(&f->common);
    }
    umfpack_di_free_symbolic(&f->symbolic);
    umfpack_di_free_numeric(&f->numeric);
    s->foreign = NULL;
}

// Operations a second that no processor of today exceeds in one thread: what is refused
// would not have fitted. UMFPACK predicts upper bounds, which say too little.
static const double CHOLMOD_RATE = 2e10;

static enum dls_status factor_cholmod(struct dls_sparse_factor *s, struct foreign *f)
{
    cholmod_sparse view = dls_lower_view(s->A->rows, s->A->p, s->A->j, s->A->x);
    cholmod_factorize(&view, f->L, &f->common);
    if (f->common.status == CHOLMOD_OUT_OF_MEMORY) return DLS_ENOMEM;
    bool positive = f->common.status >= 0 && f->L->minor == f->L->n;
    s->rcond = positive ? cholmod_rcond(f->L, &f->common) : 0;
    return positive ? DLS_OK : DLS_ENUMERIC;
}

static enum dls_status factor_umfpack(struct dls_sparse_factor *s, struct foreign *f)
{
    const struct dls_csr *A = s->A;
    double info[UMFPACK_INFO];
    umfpack_di_free_numeric(&f->numeric);
    int status = umfpack_di_numeric(A->p, A->j, A->x, f->symbolic, &f->numeric,
                                    f->control, info);
    s->rcond = status == UMFPACK_OK ? info[UMFPACK_RCOND] : 0;
    if (status == UMFPACK_ERROR_out_of_memory) return DLS_ENOMEM;
    return status == UMFPACK_OK ? DLS_OK : DLS_ENUMERIC;
}

enum dls_status dls_sparse_factor_update(struct dls_sparse_factor *s)
{
    struct foreign *f = s->foreign;
    s->rcond = 1;
    if (!s->A->rows) return DLS_OK;
    if (!dls_deadline_allows(f->L ? s->flops / CHOLMOD_RATE : 0)) return DLS_MAX_TIME;
    if (f->kind == DLS_FACTOR_POSITIVE) return factor_cholmod(s, f);
    if (f->kind == DLS_FACTOR_GENERAL) return factor_umfpack(s, f);
    bool regular = dls_fronts_factor(&f->fronts);
    s->rcond = f->fronts.rcond;
    return regular ? DLS_OK : DLS_ENUMERIC;
}

int dls_sparse_factor_sign(const struct dls_sparse_factor *s)
{
    const struct foreign *f = s->foreign;
    double mantissa = 1, exponent;
    if (!s->A->rows || f->kind == DLS_FACTOR_POSITIVE) return 1;
    if (f->kind == DLS_FACTOR_NEARLY) return f->fronts.sign;
    umfpack_di_get_determinant(&mantissa, &exponent, f->numeric, NULL);
    return mantissa < 0 ? -1 : 1;
}

static bool solve_cholmod(struct foreign *f, size_t n, const double *b, double *x)
{
    cholmod_dense B = {
        .nrow = n,
        .ncol = 1,
        .nzmax = n,
        .d = n,
        .x = (double *)b, // CHOLMOD reads it
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
    };
    if (!cholmod_solve2(CHOLMOD_A, f->L, &B, NULL, &f->X, NULL, &f->Y, &f->E,
                        &f->common))
        return false;
    memcpy(x, f->X->x, n * sizeof *x);
    return true;
}

bool dls_sparse_factor_solve(const struct dls_sparse_factor *s, const double *b,
                             double *x)
{
    struct foreign *f = s->foreign;
    const struct dls_csr *A = s->A;
    int n = A->rows;
    if (!n) return true;
    bool solved = true;
    if (f->kind == DLS_FACTOR_POSITIVE)
        solved = solve_cholmod(f, (size_t)n, b, x);
    else if (f->kind == DLS_FACTOR_NEARLY)
        dls_fronts_solve(&f->fronts, b, x);
    else
        solved = umfpack_di_solve(UMFPACK_At, A->p, A->j, A->x, x, b, f->numeric,
                                  f->control, NULL)
                 == UMFPACK_OK;
    for (int k = 0; k < n && solved; k++) solved = isfinite(x[k]);
    return solved;
}
