// SPDX-License-Identifier: Apache-2.0
// A sparse basis in product form.
//
//     B = B_0 E_1 ... E_k,   E_j = identity with column r_j replaced by d_j = B^-1 a_j
//
// Method [DantzigOrchardHays1954; Davis2004]
//   1. B_0 = L U by UMFPACK, whose search for singletons takes the unit columns, most
//      of a basis, out for nothing.
//   2. A solve goes through L U and then through the E_j in order:
//      y_r <- y_r / d_r,  y_i <- y_i - d_i y_r.
// Cost: a solve reads the entries of L, U and all d_j once.
// Fails: a tiny pivot d_r spoils all later solves, which the owner avoids by its choice
// of pivots and by factoring afresh.
#include "solvers/linear/basis.h"

#include <string.h>
#include <umfpack.h>

// Reciprocal condition (of the diagonal of U) below which a basis counts as singular.
static const double SINGULAR = 1e-16;

enum dls_status dls_basis_create(struct dls_basis *B, int n, int entries, int most,
                                 struct dls_arena *a)
{
    size_t room = (size_t)n * (size_t)most;
    *B = (struct dls_basis){
        .n = n,
        .p = DLS_NEW(a, int, n + 1),
        .i = DLS_NEW(a, int, entries),
        .x = DLS_NEW(a, double, entries),
        .most = most,
        .eta_p = DLS_NEW(a, size_t, most + 1),
        .eta_row = DLS_NEW(a, int, most),
        .eta_i = DLS_NEW(a, int, room),
        .eta_x = DLS_NEW(a, double, room),
        .pivot = DLS_NEW(a, double, most),
        .work = DLS_NEW(a, double, 5 * (size_t)n),
        .control = DLS_NEW(a, double, UMFPACK_CONTROL),
        .iwork = DLS_NEW(a, int, n),
    };
    if (a->failed) return DLS_ENOMEM;
    umfpack_di_defaults(B->control);
    return DLS_OK;
}

void dls_basis_destroy(struct dls_basis *B)
{
    if (B->numeric) umfpack_di_free_numeric(&B->numeric);
}

enum dls_status dls_basis_factor(struct dls_basis *B)
{
    void *symbolic = NULL;
    double info[UMFPACK_INFO];
    dls_basis_destroy(B);
    B->updates = 0;
    int code =
        umfpack_di_symbolic(B->n, B->n, B->p, B->i, B->x, &symbolic, B->control, info);
    if (code == UMFPACK_OK)
        code = umfpack_di_numeric(B->p, B->i, B->x, symbolic, &B->numeric, B->control,
                                  info);
    if (symbolic) umfpack_di_free_symbolic(&symbolic);
    if (code == UMFPACK_ERROR_out_of_memory) return DLS_ENOMEM;
    return code == UMFPACK_OK && info[UMFPACK_RCOND] > SINGULAR ? DLS_OK : DLS_ENUMERIC;
}

void dls_basis_solve(struct dls_basis *B, const double *rhs, double *y, bool refined)
{
    B->control[UMFPACK_IRSTEP] = refined ? UMFPACK_DEFAULT_IRSTEP : 0;
    umfpack_di_wsolve(UMFPACK_A, B->p, B->i, B->x, y, rhs, B->numeric, B->control, NULL,
                      B->iwork, B->work);
    for (int k = 0; k < B->updates; k++) {
        double *y_r = y + B->eta_row[k];
        if (*y_r == 0) continue;
        *y_r /= B->pivot[k];
        for (size_t e = B->eta_p[k]; e < B->eta_p[k + 1]; e++)
            y[B->eta_i[e]] -= B->eta_x[e] * *y_r;
    }
}

void dls_basis_multiply(const struct dls_basis *B, const double *s, double *y)
{
    memset(y, 0, (size_t)B->n * sizeof *y);
    for (int k = 0; k < B->n; k++)
        for (int e = B->p[k]; e < B->p[k + 1]; e++) y[B->i[e]] += B->x[e] * s[k];
}

bool dls_basis_replace(struct dls_basis *B, int row, const double *d)
{
    int k = B->updates;
    if (k == B->most) return false;
    size_t at = B->eta_p[k];
    for (int i = 0; i < B->n; i++)
        if (i != row && d[i] != 0) B->eta_i[at] = i, B->eta_x[at++] = d[i];
    B->eta_row[k] = row;
    B->pivot[k] = d[row];
    B->eta_p[k + 1] = at;
    B->updates++;
    return true;
}
