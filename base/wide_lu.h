// SPDX-License-Identifier: Apache-2.0
// LU factors in more digits than a double has, of matrices of one symmetric pattern; see
// wide_lu.c.
#ifndef DLS_BASE_WIDE_LU_H
#define DLS_BASE_WIDE_LU_H

#include "base/sparse.h"

#include <stdbool.h>

// 64 bits on x86, whose processors have them; elsewhere 53 to 113. Four to ten times faster
// than a dls_quad where that is not in the processor.
typedef long double dls_wide;

struct dls_wide_lu {
    int n, entries;    // of the pattern
    int *order, *rank; // the row that is eliminated as the kth, and when row i is
    int *p, *rows;     // n + 1: columns of L without their diagonal, rows ascending
    int *place;        // of each entry of the pattern in `values`
    dls_wide *values;  // n pivots, then the columns of L, then the rows of U
    dls_wide *lower, *upper, *x; // parts of `values`; n
    double flops;                // of one factorisation
};

// Analyses a square pattern, which must be symmetric with a whole diagonal; its values take
// no part. DLS_UNSUPPORTED where the factors would not fit; DLS_ENOMEM.
enum dls_status dls_wide_lu_create(struct dls_wide_lu *, const struct dls_csr *pattern,
                                   struct dls_arena *);

// What a factorisation takes.
double dls_wide_lu_seconds(const struct dls_wide_lu *);

// Factors A, whose entries stand in the order of the pattern; false where a pivot is zero
// or not finite.
bool dls_wide_lu_factor(struct dls_wide_lu *, const dls_wide *A);

// x <- A^-1 x
void dls_wide_lu_solve(struct dls_wide_lu *, dls_wide *x);

#endif
