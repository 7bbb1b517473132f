// SPDX-License-Identifier: Apache-2.0
// Square block-sparse matrices: rows of d x d blocks, each block stored by rows.
#ifndef DLS_BASE_BSR_H
#define DLS_BASE_BSR_H

#include "base/sparse.h"

struct dls_bsr {
    int rows;    // block rows
    int d;       // block size
    int *p;      // rows + 1: where each block row starts
    int *j;      // block column of each block, ascending
    int *diag;   // position of each diagonal block (always present)
    double *x;   // d * d values per block
    int threads; // that share a product; its entries do not depend on them
};

static inline const double *dls_bsr_block(const struct dls_bsr *A, int k)
{
    return A->x + (size_t)k * (size_t)(A->d * A->d);
}
static inline const double *dls_bsr_diagonal(const struct dls_bsr *A, int row)
{
    return dls_bsr_block(A, A->diag[row]);
}

// Frobenius norm of block k.
double dls_bsr_block_norm(const struct dls_bsr *A, int k);

// y_a = q_a + sum_b A_ab x_b for the one block row a; y has d entries.
void dls_bsr_row(const struct dls_bsr *A, int a, const double *q, const double *x,
                 double *y);

// The first entry of y_a = q_a + sum_b A_ab x_b for blocks of three rows, to the last bit;
// a third of the work.
double dls_bsr_first3(const struct dls_bsr *A, int a, const double *q, const double *x);

// y += A_a: x for blocks of two rows, without the block of the column `but` (-1: with all):
// short enough that a call would count.
static inline void dls_bsr_add_row2(const struct dls_bsr *A, int a, int but,
                                    const double *x, double *y)
{
    double y0 = y[0], y1 = y[1];
    const double *block = A->x + 4 * (size_t)A->p[a];
    for (int k = A->p[a]; k < A->p[a + 1]; k++, block += 4) {
        if (A->j[k] == but) continue;
        const double *s = x + 2 * (size_t)A->j[k];
        y0 += block[0] * s[0] + block[1] * s[1];
        y1 += block[2] * s[0] + block[3] * s[1];
    }
    y[0] = y0;
    y[1] = y1;
}

// y = A x + q (q may be NULL).
void dls_bsr_multiply(const struct dls_bsr *A, const double *x, const double *q,
                      double *y);

// The blocks of a square scalar matrix whose size is a multiple of d; absent diagonal
// blocks are stored as zero. NULL when memory runs out.
struct dls_bsr *dls_bsr_from_csr(const struct dls_csr *A, int d, struct dls_arena *);

// max |A - A^T| / max |A|, as dls_csr_asymmetry has it, without a copy.
double dls_bsr_asymmetry(const struct dls_bsr *A);

// The scalar matrix with all entries of the blocks; NULL when memory runs out.
struct dls_csr *dls_bsr_to_csr(const struct dls_bsr *A, struct dls_arena *);

#endif
