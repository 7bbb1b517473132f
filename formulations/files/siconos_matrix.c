// SPDX-License-Identifier: Apache-2.0
// Numbers, vectors and matrices of a Siconos text file.
//
// A matrix is its storage (0, 1, 2), rows and columns, then
//   0 dense: rows and columns again, the values column by column;
//   1 block: blocks, block rows, block columns; the ends of block rows and of block
//     columns; filled1, filled2, index1 (row pointers), index2 (block columns); for each
//     block its number and its values column by column;
//   2 sparse: origin, one line of banner, one line with the sizes, then triplets
//     `i j : x` or, for each column, `col j : locations a to b` and lines `i : x`.
//
// Sizes are believed only as far as the rest of the text could hold that many numbers.
#include "formulations/files/siconos_matrix.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void dls_dat_fail(struct dls_dat *t, const char *field, const char *what)
{
    if (!t->status) t->status = dls_fail(t->err, DLS_EINVAL, "%s: %s", field, what);
}

int dls_dat_int(struct dls_dat *t, const char *field)
{
    if (t->status) return 0;
    char *end;
    errno = 0;
    long x = strtol(t->at, &end, 10);
    if (end == t->at || errno || x > INT_MAX || x < INT_MIN || *end == '.')
        return dls_dat_fail(t, field, "a whole number is missing"), 0;
    t->at = end;
    return (int)x;
}

int dls_dat_size(struct dls_dat *t, const char *field)
{
    int size = dls_dat_int(t, field);
    if (!t->status && size < 0) dls_dat_fail(t, field, "a size is negative");
    if (!t->status && size > t->end - t->at)
        dls_dat_fail(t, field, "larger than the file");
    return t->status ? 0 : size;
}

double dls_dat_real(struct dls_dat *t, const char *field)
{
    if (t->status) return 0;
    char *end;
    double x = strtod(t->at, &end);
    if (end == t->at) return dls_dat_fail(t, field, "a number is missing"), 0;
    t->at = end;
    return x;
}

// Whether `count` numbers can still come: each takes a digit and a gap.
static bool has_room(struct dls_dat *t, const char *field, double count)
{
    if (!t->status && count > (double)(t->end - t->at) / 2 + 1)
        dls_dat_fail(t, field, "larger than the file");
    return !t->status;
}

double *dls_dat_vector(struct dls_dat *t, const char *field, int count)
{
    if (!has_room(t, field, count)) return NULL;
    double *x = DLS_NEW(t->arena, double, count);
    for (int k = 0; x && k < count; k++) x[k] = dls_dat_real(t, field);
    return x;
}

static int *read_ints(struct dls_dat *t, const char *field, int count)
{
    if (!has_room(t, field, count)) return NULL;
    int *x = DLS_NEW(t->arena, int, count);
    for (int k = 0; x && k < count; k++) x[k] = dls_dat_int(t, field);
    return x;
}

// A growing matrix: triplets.
struct triplets {
    int rows, cols, count;
    int *i, *j;
    double *x;
};

static bool make_room(struct dls_dat *t, struct triplets *A, const char *field,
                      double count)
{
    if (count > INT_MAX) dls_dat_fail(t, field, "too many entries");
    if (!has_room(t, field, count)) return false;
    A->i = DLS_NEW(t->arena, int, count);
    A->j = DLS_NEW(t->arena, int, count);
    A->x = DLS_NEW(t->arena, double, count);
    if (t->arena->failed) t->status = dls_fail(t->err, DLS_ENOMEM, "out of memory");
    return !t->status;
}

static void append(struct triplets *A, int i, int j, double x)
{
    A->i[A->count] = i;
    A->j[A->count] = j;
    A->x[A->count++] = x;
}

static void read_dense(struct dls_dat *t, struct triplets *A, const char *field)
{
    int rows = dls_dat_int(t, field), cols = dls_dat_int(t, field);
    if (rows != A->rows || cols != A->cols)
        dls_dat_fail(t, field, "its sizes disagree");
    if (!make_room(t, A, field, (double)A->rows * A->cols)) return;
    for (int j = 0; j < A->cols; j++)
        for (int i = 0; i < A->rows; i++) {
            double x = dls_dat_real(t, field);
            if (x != 0) append(A, i, j, x);
        }
}

// The ends of block rows or columns: ascending up to `total`.
static int *read_ends(struct dls_dat *t, const char *field, int count, int total)
{
    int *ends = read_ints(t, field, count), before = 0;
    for (int k = 0; ends && k < count; before = ends[k++])
        if (ends[k] < before) dls_dat_fail(t, field, "block sizes do not ascend");
    if (before != total) dls_dat_fail(t, field, "block sizes do not add up");
    return t->status ? NULL : ends;
}

// How blocks lie: row pointers (shorter where the last rows are empty) and columns.
struct blocks {
    int count, rows, cols, filled1, filled2;
    int *row_end, *col_end, *index1, *index2;
};

static void read_structure(struct dls_dat *t, struct blocks *B,
                           const struct triplets *A, const char *field)
{
    B->count = dls_dat_size(t, field);
    B->rows = dls_dat_size(t, field);
    B->cols = dls_dat_size(t, field);
    B->row_end = read_ends(t, field, B->rows, A->rows);
    B->col_end = read_ends(t, field, B->cols, A->cols);
    B->filled1 = dls_dat_size(t, field);
    B->filled2 = dls_dat_size(t, field);
    B->index1 = read_ints(t, field, B->filled1);
    B->index2 = read_ints(t, field, B->filled2);
    if (t->status || t->arena->failed) return;
    if (B->filled1 > B->rows + 1 || B->filled2 != B->count)
        dls_dat_fail(t, field, "block counts disagree");
    for (int k = 0; k < B->filled1; k++)
        if (B->index1[k] < (k ? B->index1[k - 1] : 0) || B->index1[k] > B->count)
            dls_dat_fail(t, field, "block row pointers do not ascend");
    for (int k = 0; k < B->filled2; k++)
        if (B->index2[k] < 0 || B->index2[k] >= B->cols)
            dls_dat_fail(t, field, "a block column is out of range");
}

static void read_one_block(struct dls_dat *t, struct triplets *A, const int rows[2],
                           const int cols[2], const char *field)
{
    dls_dat_int(t, field); // its number, which follows from the order
    for (int j = cols[0]; j < cols[1]; j++)
        for (int i = rows[0]; i < rows[1]; i++) append(A, i, j, dls_dat_real(t, field));
}

static void read_blocks(struct dls_dat *t, struct triplets *A, const char *field)
{
    struct blocks B = {0};
    read_structure(t, &B, A, field);
    if (t->status || t->arena->failed) return;
    for (int pass = 0; pass < 2; pass++) { // count, then read
        double count = 0;
        for (int a = 0; a + 1 < B.filled1; a++)
            for (int k = B.index1[a]; k < B.index1[a + 1]; k++) {
                int b = B.index2[k];
                int rows[2] = {a ? B.row_end[a - 1] : 0, B.row_end[a]};
                int cols[2] = {b ? B.col_end[b - 1] : 0, B.col_end[b]};
                count += (double)(rows[1] - rows[0]) * (cols[1] - cols[0]);
                if (pass) read_one_block(t, A, rows, cols, field);
            }
        if (!pass && !make_room(t, A, field, count)) return;
    }
}

static void skip_line(struct dls_dat *t)
{
    const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    t->at = end ? end + 1 : t->end;
}

// Moves behind the next occurrence of a word within the line.
static void skip_word(struct dls_dat *t, const char *field, const char *word)
{
    if (t->status) return;
    const char *found = strstr(t->at, word), *line = strchr(t->at, '\n');
    if (!found || (line && found > line)) {
        dls_dat_fail(t, field, "the head of the sparse matrix is not understood");
        return;
    }
    t->at = found + strlen(word);
}

static void read_sparse_entries(struct dls_dat *t, struct triplets *A, int count,
                                bool by_columns, const char *field)
{
    for (int k = 0, column = -1, left = 0; k < count && !t->status;) {
        if (by_columns && left == 0) {
            skip_line(t);
            skip_word(t, field, ": locations ");
            int first = dls_dat_int(t, field);
            skip_word(t, field, "to ");
            left = dls_dat_int(t, field) - first + 1;
            if (++column >= A->cols)
                dls_dat_fail(t, field, "more columns than announced");
            if (left < 0) dls_dat_fail(t, field, "locations decrease");
            continue;
        }
        int i = dls_dat_int(t, field), j = by_columns ? column : dls_dat_int(t, field);
        skip_word(t, field, ":");
        double x = dls_dat_real(t, field);
        if (i < 0 || i >= A->rows || j < 0 || j >= A->cols)
            dls_dat_fail(t, field, "an index is out of range");
        if (!t->status) append(A, i, j, x);
        k++, left--;
    }
}

static void read_sparse(struct dls_dat *t, struct triplets *A, const char *field)
{
    int origin = dls_dat_int(t, field);
    if (origin != 1 && origin != 2)
        dls_dat_fail(t, field, "origin is none of 1 (triplet), 2 (columns)");
    skip_line(t);
    skip_line(t);
    if (t->status) return;
    bool by_columns = strncmp(t->at, "triplet:", 8) != 0;
    if (!by_columns) skip_word(t, field, "triplet:");
    int rows = dls_dat_int(t, field);
    skip_word(t, field, "-by-");
    int cols = dls_dat_int(t, field);
    skip_word(t, field, "nnz:");
    int count = dls_dat_size(t, field);
    if (rows != A->rows || cols != A->cols)
        dls_dat_fail(t, field, "its sizes disagree");
    if (make_room(t, A, field, count))
        read_sparse_entries(t, A, count, by_columns, field);
}

struct dls_csr *dls_dat_matrix(struct dls_dat *t, const char *field, int rows, int cols,
                               bool turned)
{
    struct dls_arena *arena = t->arena, scratch = dls_arena_scratch(arena);
    struct triplets A = {0};
    struct dls_csr *result = NULL;
    t->arena = &scratch;
    int storage = dls_dat_int(t, field);
    A.rows = dls_dat_size(t, field);
    A.cols = dls_dat_size(t, field);
    if ((rows >= 0 && A.rows != rows) || (cols >= 0 && A.cols != cols))
        dls_dat_fail(t, field, "its sizes do not fit the problem");
    if (storage == DLS_DAT_DENSE)
        read_dense(t, &A, field);
    else if (storage == DLS_DAT_BLOCK)
        read_blocks(t, &A, field);
    else if (storage == DLS_DAT_SPARSE)
        read_sparse(t, &A, field);
    else
        dls_dat_fail(t, field, "storage is none of 0 (dense), 1 (block), 2 (sparse)");
    t->arena = arena;
    if (!t->status && !scratch.failed)
        result =
            turned
                ? dls_csr_from_triplets(A.cols, A.rows, A.count, A.j, A.i, A.x, arena)
                : dls_csr_from_triplets(A.rows, A.cols, A.count, A.i, A.j, A.x, arena);
    dls_arena_free(&scratch);
    return result;
}
