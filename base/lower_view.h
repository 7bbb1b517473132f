// SPDX-License-Identifier: Apache-2.0
// A symmetric matrix as CHOLMOD sees it: its lower triangle by columns, which are our rows.
#ifndef DLS_BASE_LOWER_VIEW_H
#define DLS_BASE_LOWER_VIEW_H

#include <cholmod.h>

// Rows start at p and have the ascending columns j; x are the values, NULL for the pattern
// alone. Nothing is copied.
static inline cholmod_sparse dls_lower_view(int rows, int *p, int *j, double *x)
{
    return (cholmod_sparse){
        .nrow = (size_t)rows,
        .ncol = (size_t)rows,
        .nzmax = (size_t)p[rows],
        .p = p,
        .i = j,
        .x = x,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = x ? CHOLMOD_REAL : CHOLMOD_PATTERN,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

#endif
