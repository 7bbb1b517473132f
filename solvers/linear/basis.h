// SPDX-License-Identifier: Apache-2.0
// A sparse basis B that changes one column at a time; see basis.c.
#ifndef DLS_SOLVERS_LINEAR_BASIS_H
#define DLS_SOLVERS_LINEAR_BASIS_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

struct dls_basis {
    int n;
    int *p, *i; // the columns of B_0, filled by the owner before it factors
    double *x;
    int updates, most;      // columns replaced since, and how many there may be
    size_t *eta_p;          // most + 1: where the entries of each d start
    int *eta_row, *eta_i;   // most, n * most: where d pivots, its entries off the pivot
    double *eta_x, *pivot;  // their values, and d at the pivot
    double *work, *control; // UMFPACK's
    int *iwork;
    void *numeric;
};

// Room for n columns with at most `entries` entries in all, and `most` replaced columns
// between two factorisations. `basis` must be destroyed even when this fails.
enum dls_status dls_basis_create(struct dls_basis *, int n, int entries, int most,
                                 struct dls_arena *);
void dls_basis_destroy(struct dls_basis *);

// Factors the columns p, i, x and forgets the updates. DLS_ENUMERIC where B is singular
// to working precision, DLS_ENOMEM where the library found no memory.
enum dls_status dls_basis_factor(struct dls_basis *);

// B y = rhs; rhs and y are different arrays. `refined` runs iterative refinement, for a
// basis that was factored just now.
void dls_basis_solve(struct dls_basis *, const double *rhs, double *y, bool refined);

// y = B s, for a basis that was factored just now.
void dls_basis_multiply(const struct dls_basis *, const double *s, double *y);

// Replaces column `row` by a column a, given d = B^-1 a with d[row] != 0. False where there
// is no room for another update: then nothing was changed, and the owner factors B anew.
bool dls_basis_replace(struct dls_basis *, int row, const double *d);

#endif
