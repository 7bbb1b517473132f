// SPDX-License-Identifier: Apache-2.0
// Small dense blocks, d x d by rows.
#ifndef DLS_BASE_BLOCK_H
#define DLS_BASE_BLOCK_H

#include <stdbool.h>

// B = A^-1 by Gauss-Jordan with row pivoting, d <= 3; false where A is singular to
// round-off.
bool dls_block_invert(int d, const double *A, double *B);

// y_a = B_a x_a, or B_a^T x_a, for `count` blocks one after the other, d <= 5; y may be x.
void dls_block_apply(int d, int count, const double *B, const double *x, double *y);
void dls_block_apply_transposed(int d, int count, const double *B, const double *x,
                                double *y);

#endif
