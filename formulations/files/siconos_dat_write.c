// SPDX-License-Identifier: Apache-2.0
// Writing the text files of Siconos; siconos_dat.c describes them. A plain LCP (d = 1)
// gives an LCP, a local problem an FC (with rolling an RFC), a global one a GFC. Matrices
// with more than half of their entries go out dense, the others as triplets; 17
// significant digits keep every bit. Joints have no place in these files.
#include "formulations/files/file_error.h"
#include "formulations/files/formats.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_vector(FILE *out, const double *x, int count)
{
    for (int k = 0; k < count; k++) fprintf(out, "%.17g ", x[k]);
    fputc('\n', out);
}

// The columns given as the rows of A: the file holds A^T.
static void put_dense(FILE *out, const struct dls_csr *A)
{
    fprintf(out, "0\n%d\n%d\n%d\t%d\n", A->cols, A->rows, A->cols, A->rows);
    for (int row = 0; row < A->rows; row++) {
        for (int j = 0, k = A->p[row]; j < A->cols; j++) {
            bool here = k < A->p[row + 1] && A->j[k] == j;
            fprintf(out, "%.17g ", here ? A->x[k++] : 0.0);
        }
        fputc('\n', out);
    }
}

static void put_triplets(FILE *out, const struct dls_csr *A)
{
    int count = dls_csr_count(A);
    fprintf(out, "2\n%d\n%d\n1\n", A->cols, A->rows);
    fprintf(out, "CSparse layout, written by Delassus " DLS_VERSION "\n");
    fprintf(out, "triplet: %d-by-%d, nzmax: %d nnz: %d\n", A->cols, A->rows, count,
            count);
    for (int row = 0; row < A->rows; row++)
        for (int k = A->p[row]; k < A->p[row + 1]; k++)
            fprintf(out, "    %d %d : %.17g\n", A->j[k], row, A->x[k]);
}

static void put_columns(FILE *out, const struct dls_csr *A)
{
    if (2.0 * dls_csr_count(A) > (double)A->rows * A->cols)
        put_dense(out, A);
    else
        put_triplets(out, A);
}

static void put_problem(FILE *out, const struct dls_problem *p,
                        const struct dls_csr *columns)
{
    if (p->d == 1)
        fprintf(out, "%d\n", p->m);
    else
        fprintf(out, "%d\n%d\n", p->d, p->contacts);
    put_columns(out, columns);
    if (dls_problem_is_global(p)) {
        put_columns(out, p->H);
        put_vector(out, p->f, p->n);
        put_vector(out, p->w, p->m);
    } else {
        put_vector(out, p->q, p->m);
    }
    if (p->d > 1) put_vector(out, p->mu, p->contacts);
    if (p->rolling) put_vector(out, p->mu_r, p->contacts);
}

static enum dls_status write_file(const struct dls_problem *p, const char *path,
                                  struct dls_error *err)
{
    if (p->joints)
        return dls_fail(err, DLS_EINVAL, "%s: a .dat file has no place for joints",
                        dls_problem_is_global(p) ? "G" : "V");
    if (p->d == 1 && dls_problem_is_global(p))
        return dls_fail(err, DLS_EINVAL, "M: a .dat file holds only local LCPs");
    struct dls_arena scratch = {0};
    struct dls_csr *columns =
        dls_csr_transpose(dls_problem_is_global(p) ? p->M : p->W, &scratch);
    struct dls_file to;
    enum dls_status status = DLS_OK;
    if (!columns) {
        status = dls_fail(err, DLS_ENOMEM, "out of memory");
    } else if (!dls_file_begin(&to, path)) {
        status = dls_fail(err, DLS_EIO, "cannot be created: %s", strerror(errno));
    } else {
        put_problem(to.out, p, columns);
        if (!dls_file_end(&to, true))
            status = dls_fail(err, DLS_EIO, "cannot be written: %s", strerror(errno));
    }
    dls_arena_free(&scratch);
    return status;
}

enum dls_status dls_dat_write(const struct dls_problem *p, const char *path,
                              struct dls_error *err)
{
    enum dls_status status = dls_problem_check(p, err);
    if (!status && p->mu_2)
        status = dls_fail(err, DLS_UNSUPPORTED,
                          "mu_2: the text format has no place for elliptic cones");
    if (!status) status = write_file(p, path, err);
    return status ? dls_error_name_file(err, status, path) : DLS_OK;
}
