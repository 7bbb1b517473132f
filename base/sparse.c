// SPDX-License-Identifier: Apache-2.0
#include "base/sparse.h"

#include "base/contract.h"

#include <math.h>

static struct dls_csr *csr_new(int rows, int cols, int count, struct dls_arena *a)
{
    struct dls_csr *A = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, (size_t)rows + 1);
    int *j = DLS_NEW(a, int, count);
    double *x = DLS_NEW(a, double, count);
    if (a->failed) return NULL;
    *A = (struct dls_csr){.rows = rows, .cols = cols, .p = p, .j = j, .x = x};
    return A;
}

// Turns counts kept in p[1 ... n] into starts.
static void cumulate(int *p, int n)
{
    for (int k = 0; k < n; k++) p[k + 1] += p[k];
}

// After filling through p[row]++ each start has moved to its row's end: move back.
static void shift_back(int *p, int n)
{
    for (int k = n; k > 0; k--) p[k] = p[k - 1];
    p[0] = 0;
}

struct dls_csr *dls_csr_transpose(const struct dls_csr *A, struct dls_arena *a)
{
    struct dls_csr *B = csr_new(A->cols, A->rows, dls_csr_count(A), a);
    if (!B) return NULL;
    for (int k = 0; k < dls_csr_count(A); k++) B->p[A->j[k] + 1]++;
    cumulate(B->p, B->rows);
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            int to = B->p[A->j[k]]++;
            B->j[to] = i;
            B->x[to] = A->x[k];
        }
    shift_back(B->p, B->rows);
    return B;
}

// Sums neighbours of equal column in the sorted rows of A, in place.
static void sum_repeated(struct dls_csr *A)
{
    int to = 0;
    for (int i = 0, from = 0; i < A->rows; i++) {
        int start = to, end = A->p[i + 1];
        for (; from < end; from++)
            if (to > start && A->j[to - 1] == A->j[from]) {
                A->x[to - 1] += A->x[from];
            } else {
                A->j[to] = A->j[from];
                A->x[to++] = A->x[from];
            }
        A->p[i + 1] = to;
    }
}

struct dls_csr *dls_csr_canonical(const struct dls_csr *A, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_csr *T = dls_csr_transpose(A, &scratch);
    struct dls_csr *B = T ? dls_csr_transpose(T, a) : NULL;
    dls_arena_free(&scratch);
    if (B) sum_repeated(B);
    return B;
}

struct dls_csr *dls_csr_from_triplets(int rows, int cols, int count, const int *i,
                                      const int *j, const double *x,
                                      struct dls_arena *a)
{
    for (int k = 0; k < count; k++)
        DLS_ASSERT(i[k] >= 0 && i[k] < rows && j[k] >= 0 && j[k] < cols);
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_csr *A = csr_new(rows, cols, count, &scratch), *B = NULL;
    if (A) {
        for (int k = 0; k < count; k++) A->p[i[k] + 1]++;
        cumulate(A->p, rows);
        for (int k = 0; k < count; k++) {
            int to = A->p[i[k]]++;
            A->j[to] = j[k];
            A->x[to] = x[k];
        }
        shift_back(A->p, rows);
        B = dls_csr_canonical(A, a);
    }
    dls_arena_free(&scratch);
    return B;
}

struct dls_csr *dls_csr_symmetric_part(const struct dls_csr *A, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t count = 2 * (size_t)dls_csr_count(A), to = 0;
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = DLS_NEW(&scratch, double, count);
    struct dls_csr *S = NULL;
    if (!scratch.failed) {
        for (int row = 0; row < A->rows; row++)
            for (int k = A->p[row]; k < A->p[row + 1]; k++) {
                i[to] = row, j[to] = A->j[k], x[to++] = 0.5 * A->x[k];
                i[to] = A->j[k], j[to] = row, x[to++] = 0.5 * A->x[k];
            }
        S = dls_csr_from_triplets(A->rows, A->rows, (int)count, i, j, x, a);
    }
    dls_arena_free(&scratch);
    return S;
}

void dls_csr_add(const struct dls_csr *A, double s, const double *x, double *y)
{
    DLS_ASSERT(A && (!A->rows || (x && y)));
    dls_csr_add_rows(A, s, x, y, 0, A->rows);
}

void dls_csr_add_rows(const struct dls_csr *A, double s, const double *x, double *y,
                      int from, int to)
{
    DLS_ASSERT(from >= 0 && to <= A->rows);
    for (int i = from; i < to; i++) y[i] += s * dls_csr_row_product(A, i, x);
}

double dls_csr_square(const struct dls_csr *A, const double *x)
{
    double sum = 0;
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) sum += x[i] * A->x[k] * x[A->j[k]];
    return sum;
}

void dls_csr_add_transposed(const struct dls_csr *A, double s, const double *x,
                            double *y)
{
    DLS_ASSERT(A && (!A->rows || (x && y)));
    for (int i = 0; i < A->rows; i++) {
        double sx = s * x[i];
        for (int k = A->p[i]; k < A->p[i + 1]; k++) y[A->j[k]] += A->x[k] * sx;
    }
}

double dls_csr_asymmetry(const struct dls_csr *A, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_csr *T = dls_csr_transpose(A, &scratch);
    double largest = 0, difference = 0;
    for (int i = 0; T && i < A->rows; i++) {
        int k = A->p[i], l = T->p[i], kend = A->p[i + 1], lend = T->p[i + 1];
        while (k < kend || l < lend) { // merge row i of A and of A^T
            int ja = k < kend ? A->j[k] : A->cols, jt = l < lend ? T->j[l] : A->cols;
            double xa = ja <= jt ? A->x[k++] : 0, xt = jt <= ja ? T->x[l++] : 0;
            largest = fmax(largest, fabs(xa));
            difference = fmax(difference, fabs(xa - xt));
        }
    }
    dls_arena_free(&scratch);
    if (!T) return -1;
    return largest > 0 ? difference / largest : 0;
}
