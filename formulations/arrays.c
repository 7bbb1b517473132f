// SPDX-License-Identifier: Apache-2.0
// Arrays of a caller become a step problem. They are foreign data: shapes, row pointers
// and columns are looked at before anything is copied, the rest is dls_problem_check's.
#include "formulations/arrays.h"

#include <limits.h>
#include <math.h>

// Pointers that start at 0 and never decrease, columns within the matrix.
static enum dls_status check_rows(const struct dls_matrix *A, const char *name,
                                  struct dls_error *err)
{
    if (!A->p || (!A->j != !A->x) || (A->p[0] == 0 && A->p[A->rows] > 0 && !A->j))
        return dls_fail(err, DLS_EINVAL, "%s: neither dense nor p, j, x", name);
    if (A->p[0] != 0)
        return dls_fail(err, DLS_EINVAL, "%s: pointers start at %d", name, A->p[0]);
    for (int i = 0; i < A->rows; i++)
        if (A->p[i + 1] < A->p[i])
            return dls_fail(err, DLS_EINVAL, "%s: pointers decrease at row %d", name,
                            i);
    for (int k = 0; k < A->p[A->rows]; k++)
        if (A->j[k] < 0 || A->j[k] >= A->cols)
            return dls_fail(err, DLS_EINVAL, "%s: column %d, beyond %d", name, A->j[k],
                            A->cols);
    return DLS_OK;
}

static struct dls_csr *copy_dense(const struct dls_matrix *A, struct dls_arena *a)
{
    size_t rows = (size_t)A->rows, cols = (size_t)A->cols;
    size_t count = 0;
    for (size_t k = 0; k < rows * cols; k++) count += A->dense[k] != 0;
    if (count > INT_MAX) a->failed = true; // beyond what the pointers can count
    struct dls_csr *B = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, rows + 1), *j = DLS_NEW(a, int, count);
    double *x = DLS_NEW(a, double, count);
    if (a->failed) return NULL;
    *B = (struct dls_csr){A->rows, A->cols, p, j, x};
    for (size_t i = 0, k = 0; i < rows; i++) {
        for (size_t l = 0; l < cols; l++)
            if (A->dense[i * cols + l] != 0)
                j[k] = (int)l, x[k++] = A->dense[i * cols + l];
        p[i + 1] = (int)k;
    }
    return B;
}

enum dls_status dls_matrix_copy(struct dls_csr **out, const struct dls_matrix *A,
                                const char *name, struct dls_arena *a,
                                struct dls_error *err)
{
    if (!out || !A || !a)
        return dls_fail(err, DLS_EINVAL, "%s: no matrix, or no arena for it", name);
    if (A->rows < 0 || A->cols < 0)
        return dls_fail(err, DLS_EINVAL, "%s: %d x %d", name, A->rows, A->cols);
    enum dls_status status = A->dense ? DLS_OK : check_rows(A, name, err);
    if (status) return status;
    // The sorted copy only reads its source.
    const struct dls_csr view = {A->rows, A->cols, (int *)A->p, (int *)A->j,
                                 (double *)A->x};
    *out = A->dense ? copy_dense(A, a) : dls_csr_canonical(&view, a);
    return *out ? DLS_OK : dls_fail(err, DLS_ENOMEM, "out of memory");
}

static enum dls_status open_problem(struct dls_problem *p, struct dls_frictions c,
                                    struct dls_arena *a, struct dls_error *err)
{
    if (!p || !a) return dls_fail(err, DLS_EINVAL, "no problem to fill, or no arena");
    if (c.contacts < 0 || c.d < 1 || c.d > DLS_LARGEST_D)
        return dls_fail(err, DLS_EINVAL, "mu: %d contacts of %d rows", c.contacts, c.d);
    size_t count = (size_t)c.contacts;
    *p = (struct dls_problem){
        .contacts = c.contacts,
        .d = c.d,
        .rolling = c.mu_r,
        .m = c.contacts * c.d,
        .mu = dls_copy(a, c.mu, count, sizeof *c.mu),
        .mu_r = dls_copy(a, c.mu_r, count, sizeof *c.mu_r),
        .time = NAN,
        .step = NAN,
    };
    return a->failed ? dls_fail(err, DLS_ENOMEM, "out of memory") : DLS_OK;
}

static enum dls_status close_problem(const struct dls_problem *p,
                                     const struct dls_arena *a, struct dls_error *err)
{
    if (a->failed) return dls_fail(err, DLS_ENOMEM, "out of memory");
    return dls_problem_check(p, err);
}

enum dls_status dls_problem_from_w(struct dls_problem *p, const struct dls_matrix *W,
                                   const double *q, struct dls_frictions contacts,
                                   struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = open_problem(p, contacts, a, err);
    if (!status) status = dls_matrix_copy(&p->W, W, "W", a, err);
    if (status) return status;
    p->q = dls_copy(a, q, (size_t)p->m, sizeof *q);
    return close_problem(p, a, err);
}

enum dls_status dls_problem_from_m(struct dls_problem *p, const struct dls_matrix *M,
                                   const struct dls_matrix *H, const double *f,
                                   const double *w, struct dls_frictions contacts,
                                   struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = open_problem(p, contacts, a, err);
    if (!status) status = dls_matrix_copy(&p->M, M, "M", a, err);
    if (!status) status = dls_matrix_copy(&p->H, H, "H", a, err);
    if (status) return status;
    p->n = M->rows;
    p->f = dls_copy(a, f, (size_t)p->n, sizeof *f);
    p->w = w ? dls_copy(a, w, (size_t)p->m, sizeof *w) : DLS_NEW(a, double, p->m);
    return close_problem(p, a, err);
}
