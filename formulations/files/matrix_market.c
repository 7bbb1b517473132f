// SPDX-License-Identifier: Apache-2.0
// MatrixMarket files of a step problem for other tools [Boisvert1997]: NAME.mtx becomes
// NAME-W.mtx, NAME-q.mtx, NAME-mu.mtx or NAME-M.mtx, NAME-H.mtx, NAME-f.mtx, NAME-w.mtx,
// NAME-mu.mtx, and whatever else the problem has (mu_r, G and b, V, R and s).
// Matrices are in coordinate form with indices from 1, vectors in array form. H and G are
// as in problem.h: m x n and joints x n. 17 significant digits keep every bit. Each file
// is renamed into place when it is complete.
#include "formulations/files/file_error.h"
#include "formulations/files/formats.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// One file to write: a matrix, or a vector with its length.
struct item {
    const char *name;
    const struct dls_csr *A;
    const double *x;
    int count;
};

static void put_matrix(FILE *out, const struct dls_csr *A)
{
    fprintf(out, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", A->rows,
            A->cols, dls_csr_count(A));
    for (int row = 0; row < A->rows; row++)
        for (int k = A->p[row]; k < A->p[row + 1]; k++)
            fprintf(out, "%d %d %.17g\n", row + 1, A->j[k] + 1, A->x[k]);
}

static void put_vector(FILE *out, const double *x, int count)
{
    fprintf(out, "%%%%MatrixMarket matrix array real general\n%d 1\n", count);
    for (int k = 0; k < count; k++) fprintf(out, "%.17g\n", x[k]);
}

static enum dls_status write_item(const struct item *item, const char *path,
                                  struct dls_error *err)
{
    struct dls_arena scratch = {0};
    int stem = (int)(strlen(path) - strlen(".mtx"));
    char *name = dls_text(&scratch, "%.*s-%s.mtx", stem, path, item->name);
    struct dls_file to;
    bool good = name && dls_file_begin(&to, name);
    if (good) {
        if (item->A)
            put_matrix(to.out, item->A);
        else
            put_vector(to.out, item->x, item->count);
        good = dls_file_end(&to, true);
    }
    enum dls_status status = DLS_OK;
    if (scratch.failed)
        status = dls_fail(err, DLS_ENOMEM, "%s: out of memory", item->name);
    else if (!good)
        status = dls_fail(err, DLS_EIO, "%s: cannot be written: %s", item->name,
                          strerror(errno));
    dls_arena_free(&scratch);
    return status;
}

enum dls_status dls_mtx_write(const struct dls_problem *p, const char *path,
                              struct dls_error *err)
{
    const struct item items[] = {
        {"M", p->M, NULL, 0},
        {"H", p->H, NULL, 0},
        {"f", NULL, p->f, p->n},
        {"w", NULL, p->w, p->m},
        {"G", p->G, NULL, 0},
        {"b", NULL, p->b, p->joints},
        {"W", p->W, NULL, 0},
        {"q", NULL, p->q, p->m},
        {"V", p->V, NULL, 0},
        {"R", p->R, NULL, 0},
        {"s", NULL, p->s, p->joints},
        {"mu", NULL, p->mu, p->contacts},
        {"mu_r", NULL, p->mu_r, p->contacts},
    };
    size_t length = strlen(path);
    enum dls_status status = DLS_OK;
    if (length < 5 || strcmp(path + length - 4, ".mtx") != 0)
        status = dls_fail(err, DLS_EINVAL, "the name does not end in .mtx");
    if (!status) status = dls_problem_check(p, err);
    for (size_t k = 0; !status && k < sizeof items / sizeof *items; k++)
        if (items[k].A || items[k].x) status = write_item(&items[k], path, err);
    return status ? dls_error_name_file(err, status, path) : DLS_OK;
}
