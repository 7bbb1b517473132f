// SPDX-License-Identifier: Apache-2.0
// Completion of a matrix of known rank whose diagonal blocks are not all known. See
// body_completion.c.
#ifndef DLS_FORMULATIONS_VELOCITIES_BODY_COMPLETION_H
#define DLS_FORMULATIONS_VELOCITIES_BODY_COMPLETION_H

#include "base/arena.h"

#include <stdbool.h>

enum { DLS_MOST_RANK = 6 };

struct dls_completion {
    int rank, rows, groups;
    const int *start; // groups + 1: first row of each diagonal block
    bool *known;      // groups: whether the diagonal block is known
    double *C;        // rows x rows by columns; all blocks off the diagonal are known
    // Work: two lists of rows, groups, and a matrix of the largest size tried.
    int *order;
    double *work;
};

// Memory for matrices of at most `rows` rows; false where it runs out.
bool dls_completion_create(struct dls_completion *, int rows, struct dls_arena *);

// Fills the unknown diagonal blocks so that C has the given rank, as far as pivots above
// `gap` (relative to the largest) allow. False where there is no such completion or the
// known blocks tell of a higher rank; C and `known` are then spoilt.
bool dls_completion_fill(struct dls_completion *, double gap);

#endif
