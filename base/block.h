// SPDX-License-Identifier: Apache-2.0
// Small dense blocks, d x d by rows with d <= 3.
#ifndef DLS_BASE_BLOCK_H
#define DLS_BASE_BLOCK_H

#include <stdbool.h>

// B = A^-1 by Gauss-Jordan with row pivoting; false where A is singular to round-off.
bool dls_block_invert(int d, const double *A, double *B);

#endif
