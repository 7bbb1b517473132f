// SPDX-License-Identifier: Apache-2.0
// Sparse matrices by compressed rows, columns sorted, no entry twice.
#ifndef DLS_BASE_SPARSE_H
#define DLS_BASE_SPARSE_H

#include "base/arena.h"
#include "base/sorted.h"
#include "base/status.h"

struct dls_csr {
    int rows, cols;
    int *p;    // rows + 1: where each row starts
    int *j;    // column of each entry, ascending within a row
    double *x; // its value
};

static inline int dls_csr_count(const struct dls_csr *A) { return A->p[A->rows]; }

// Gathering, sorting and summing an entry takes no machine of today less: what is refused
// for it (base/deadline.h) does not end within the deadline of the run.
#define DLS_SECONDS_A_TRIPLET 2e-8

// A from `count` triplets in any order, repeated entries summed. Indices must be in
// range. NULL when memory runs out.
struct dls_csr *dls_csr_from_triplets(int rows, int cols, int count, const int *i,
                                      const int *j, const double *x,
                                      struct dls_arena *);

// (A + A^T) / 2 of a square matrix; NULL where memory runs out.
struct dls_csr *dls_csr_symmetric_part(const struct dls_csr *A, struct dls_arena *);

// The transposed matrix; NULL when memory runs out. Rows of A may be unsorted, those of
// the result are sorted.
struct dls_csr *dls_csr_transpose(const struct dls_csr *A, struct dls_arena *);

// A with each row sorted and repeated entries summed; NULL when memory runs out.
struct dls_csr *dls_csr_canonical(const struct dls_csr *A, struct dls_arena *);

// (A x)_i
static inline double dls_csr_row_product(const struct dls_csr *A, int i,
                                         const double *x)
{
    double sum = 0;
    for (int k = A->p[i]; k < A->p[i + 1]; k++) sum += A->x[k] * x[A->j[k]];
    return sum;
}

// x . A x of a square matrix: twice an energy.
double dls_csr_square(const struct dls_csr *A, const double *x);

// y += s A x   and   y += s A^T x
void dls_csr_add(const struct dls_csr *A, double s, const double *x, double *y);
// The first for the rows from ... to - 1 alone.
void dls_csr_add_rows(const struct dls_csr *A, double s, const double *x, double *y,
                      int from, int to);
void dls_csr_add_transposed(const struct dls_csr *A, double s, const double *x,
                            double *y);

// max |A - A^T| / max |A| of a square matrix (0 where A = 0); negative when memory runs
// out.
double dls_csr_asymmetry(const struct dls_csr *A, struct dls_arena *);

#endif
