// SPDX-License-Identifier: Apache-2.0
// LU factors of matrices of one symmetric pattern and changing values, front by front; see
// fronts.c.
#ifndef DLS_BASE_FRONTS_H
#define DLS_BASE_FRONTS_H

#include "base/sparse.h"

#include <stdbool.h>

struct dls_front;

struct dls_fronts {
    const struct dls_csr *A; // square; the caller changes A->x between factorisations
    int threads;      // that share a factorisation; the factors are always the same
    int count, parts; // fronts; subtrees that threads take, and what is above them
    struct dls_front *front; // in an order in which children come before their parents
    int *first;              // parts + 1: the first of `members` of a part, and
    int *members;            // count: the fronts, part after part, those above all last
    int *order;              // n: the row of A that is eliminated as the kth
    int *rows, *above;       // of the fronts one after the other: rows; places of those
                             // that are left, in the front of the parent
    int *entry;              // entries of A, front after front,
    size_t *place;           // and where these go in `values`
    double *values;          // factors, front after front
    double *updates;         // what fronts leave to their parents
    double *scale, *scaled; // n: S, where S A S has a diagonal near 1; entries of S A S
    double *x, *y;          // n: work of the solves
    int *pivot;             // n: rows that were exchanged, front by front
    double entries, flops;  // of one factorisation
    double rcond;           // least pivot over largest
    int sign;               // of the determinant
};

// Keeps A and analyses its pattern, which must be symmetric with a whole diagonal. DLS_ENOMEM.
enum dls_status dls_fronts_create(struct dls_fronts *, const struct dls_csr *A,
                                  int threads, struct dls_arena *);

// Factors the present values; false where they are singular.
bool dls_fronts_factor(struct dls_fronts *);

// x = A^-1 b; x may be b.
void dls_fronts_solve(struct dls_fronts *, const double *b, double *x);

#endif
