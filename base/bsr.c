// SPDX-License-Identifier: Apache-2.0
#include "base/bsr.h"

#include "base/contract.h"
#include "base/threads.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

// Wider registers where the processor has them, chosen when the program is loaded.
#if defined(__x86_64__) && defined(__gnu_linux__)
#define CLONES __attribute__((target_clones("avx", "default")))
#else
#define CLONES
#endif

// The sizes that matter for speed are written out; the compiler keeps y in registers.
static void row1(const struct dls_bsr *A, int a, const double *r, double *y)
{
    double y0 = y[0];
    for (int k = A->p[a]; k < A->p[a + 1]; k++) y0 += A->x[k] * r[A->j[k]];
    y[0] = y0;
}

// Four lanes: three entries of a block row or of r, and the one behind them, whose lane is
// not looked at. Lane by lane arithmetic gives the same bits whether the machine does it in
// two halves or in one.
typedef double lanes __attribute__((vector_size(32)));

#define THREE(x) ((lanes){(x)[0], (x)[1], (x)[2], 0})

// Behind the last three entries of r there is nothing to read. A row that has the last
// column has it at its end, and the last block of all is among those.
CLONES static void row3(const struct dls_bsr *A, int a, const double *r, double *y)
{
    lanes y0 = {0}, y1 = {0}, y2 = {0}, x0, x1, x2, s;
    int end = A->p[a + 1], inner = end - (A->j[end - 1] == A->rows - 1);
    const double *x = A->x + 9 * (size_t)A->p[a];
    for (int k = A->p[a]; k < inner; k++, x += 9) {
        __builtin_prefetch(x + 16 * 9); // further than the processor looks by itself
        memcpy(&s, r + 3 * (size_t)A->j[k], sizeof s);
        memcpy(&x0, x, sizeof x0);
        memcpy(&x1, x + 3, sizeof x1);
        memcpy(&x2, x + 6, sizeof x2);
        y0 += x0 * s;
        y1 += x1 * s;
        y2 += x2 * s;
    }
    if (inner < end) {
        const double *last = r + 3 * (size_t)(A->rows - 1);
        s = THREE(last);
        y0 += THREE(x) * s;
        y1 += THREE(x + 3) * s;
        y2 += THREE(x + 6) * s;
    }
    y[0] += y0[0] + y0[1] + y0[2];
    y[1] += y1[0] + y1[1] + y1[2];
    y[2] += y2[0] + y2[1] + y2[2];
}

CLONES static double first3(const struct dls_bsr *A, int a, const double *r)
{
    lanes y0 = {0}, x0, s;
    int end = A->p[a + 1], inner = end - (A->j[end - 1] == A->rows - 1);
    const double *x = A->x + 9 * (size_t)A->p[a];
    for (int k = A->p[a]; k < inner; k++, x += 9) {
        __builtin_prefetch(x + 16 * 9);
        memcpy(&s, r + 3 * (size_t)A->j[k], sizeof s);
        memcpy(&x0, x, sizeof x0);
        y0 += x0 * s;
    }
    if (inner < end) {
        const double *last = r + 3 * (size_t)(A->rows - 1);
        y0 += THREE(x) * THREE(last);
    }
    return y0[0] + y0[1] + y0[2];
}

double dls_bsr_first3(const struct dls_bsr *A, int a, const double *q, const double *x)
{
    DLS_ASSERT(A->d == 3 && a >= 0 && a < A->rows && q && x);
    return q[3 * a] + first3(A, a, x);
}

static void row_any(const struct dls_bsr *A, int a, const double *r, double *y)
{
    int d = A->d;
    const double *x = A->x + (size_t)(d * d) * (size_t)A->p[a];
    for (int k = A->p[a]; k < A->p[a + 1]; k++)
        for (int i = 0; i < d; i++, x += d)
            for (int l = 0; l < d; l++) y[i] += x[l] * r[A->j[k] * d + l];
}

void dls_bsr_row(const struct dls_bsr *A, int a, const double *q, const double *x,
                 double *y)
{
    DLS_ASSERT(a >= 0 && a < A->rows && x && y);
    for (int i = 0; i < A->d; i++) y[i] = q ? q[a * A->d + i] : 0;
    switch (A->d) {
    case 1:
        row1(A, a, x, y);
        break;
    case 2:
        dls_bsr_add_row2(A, a, -1, x, y);
        break;
    case 3:
        row3(A, a, x, y);
        break;
    default:
        row_any(A, a, x, y);
    }
}

struct product {
    const struct dls_bsr *A;
    const double *x, *q;
    double *y;
};

static void multiply_rows(void *data, int from, int to)
{
    const struct product *p = data;
    for (int a = from; a < to; a++)
        dls_bsr_row(p->A, a, p->q, p->x, p->y + a * p->A->d);
}

void dls_bsr_multiply(const struct dls_bsr *A, const double *x, const double *q,
                      double *y)
{
    struct product p = {A, x, q, y};
    dls_share(A->threads, A->rows, multiply_rows, &p);
}

double dls_bsr_block_norm(const struct dls_bsr *A, int k)
{
    return dls_norm(A->d * A->d, dls_bsr_block(A, k));
}

// Lists the block columns of block row `a` of the scalar matrix, the diagonal among
// them, each once and ascending; returns how many. `mark` has an entry per block column.
static int columns_of(const struct dls_csr *A, int d, int a, int *mark, int *columns)
{
    int count = 0;
    mark[a] = a + 1;
    columns[count++] = a;
    for (int k = A->p[a * d]; k < A->p[a * d + d]; k++) {
        int b = A->j[k] / d;
        if (mark[b] == a + 1) continue;
        mark[b] = a + 1;
        columns[count++] = b;
    }
    for (int k = 1; k < count; k++) // insertion: the d scalar rows are sorted already
        for (int l = k; l > 0 && columns[l - 1] > columns[l]; l--) {
            int swap = columns[l];
            columns[l] = columns[l - 1];
            columns[l - 1] = swap;
        }
    return count;
}

struct dls_bsr *dls_bsr_from_csr(const struct dls_csr *A, int d, struct dls_arena *a)
{
    DLS_ASSERT(d > 0 && A->rows == A->cols && A->rows % d == 0);
    int rows = A->rows / d;
    struct dls_arena scratch = dls_arena_scratch(a);
    int *mark = DLS_NEW(&scratch, int, rows), *columns = DLS_NEW(&scratch, int, rows);
    struct dls_bsr *B = DLS_NEW(a, struct dls_bsr, 1);
    int *p = DLS_NEW(a, int, (size_t)rows + 1), *diag = DLS_NEW(a, int, rows);
    if (!a->failed)
        for (int r = 0; r < rows; r++)
            p[r + 1] = p[r] + columns_of(A, d, r, mark, columns);
    size_t blocks = a->failed ? 0 : (size_t)p[rows];
    int *j = DLS_NEW(a, int, blocks);
    size_t entries = (size_t)(d * d);
    double *x = DLS_NEW_TABLE(a, double, blocks, entries);
    if (a->failed) return dls_arena_free(&scratch), NULL;
    memset(mark, 0, (size_t)rows * sizeof *mark);
    for (int r = 0; r < rows; r++) {
        columns_of(A, d, r, mark, j + p[r]);
        for (int k = p[r]; k < p[r + 1]; k++) columns[j[k]] = k; // where a column went
        diag[r] = columns[r];
        for (int i = 0; i < d; i++)
            for (int k = A->p[r * d + i]; k < A->p[r * d + i + 1]; k++)
                x[(size_t)columns[A->j[k] / d] * (size_t)(d * d)
                  + (size_t)(i * d + A->j[k] % d)] = A->x[k];
    }
    dls_arena_free(&scratch);
    *B = (struct dls_bsr){.rows = rows, .d = d, .p = p, .j = j, .diag = diag, .x = x};
    return B;
}

// Block (a, b), NULL where there is none; columns ascend.
static const double *find_block(const struct dls_bsr *A, int a, int b)
{
    int end = A->p[a + 1], k = dls_sorted_from(A->j, A->p[a], end, b);
    return k < end && A->j[k] == b ? dls_bsr_block(A, k) : NULL;
}

double dls_bsr_asymmetry(const struct dls_bsr *A)
{
    int d = A->d;
    double largest = 0, difference = 0;
    for (int a = 0; a < A->rows; a++)
        for (int k = A->p[a]; k < A->p[a + 1]; k++) {
            const double *B = dls_bsr_block(A, k), *T = find_block(A, A->j[k], a);
            for (int i = 0; i < d * d; i++) {
                double across = T ? T[i % d * d + i / d] : 0;
                largest = fmax(largest, fabs(B[i]));
                difference = fmax(difference, fabs(B[i] - across));
            }
        }
    return largest > 0 ? difference / largest : 0;
}

struct dls_csr *dls_bsr_to_csr(const struct dls_bsr *A, struct dls_arena *a)
{
    int d = A->d, rows = A->rows * d, count = A->p[A->rows] * d * d;
    struct dls_csr *B = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, (size_t)rows + 1), *j = DLS_NEW(a, int, count);
    double *x = DLS_NEW(a, double, count);
    if (a->failed) return NULL;
    int to = 0;
    for (int row = 0; row < rows; row++) {
        for (int k = A->p[row / d]; k < A->p[row / d + 1]; k++)
            for (int l = 0; l < d; l++, to++) {
                j[to] = A->j[k] * d + l;
                x[to] = dls_bsr_block(A, k)[row % d * d + l];
            }
        p[row + 1] = to;
    }
    *B = (struct dls_csr){.rows = rows, .cols = rows, .p = p, .j = j, .x = x};
    return B;
}
