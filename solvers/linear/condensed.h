// SPDX-License-Identifier: Apache-2.0
// The matrix of a linear system condensed to the velocities,
//
//     A = M + H^T D H,      D block diagonal, one block per contact,
//
// of one pattern and changing D. See condensed.c.
#ifndef DLS_SOLVERS_LINEAR_CONDENSED_H
#define DLS_SOLVERS_LINEAR_CONDENSED_H

#include "base/bsr.h"

#include <stdbool.h>

struct dls_condensed {
    const struct dls_csr *H, *M; // m x n, n x n
    int contacts, d;
    struct dls_csr *A;
    double *D;      // d x d by rows for each contact: the caller's to fill
    int *M_place;   // where each entry of M goes in A
    int *column;    // of each entry of H: its number among the columns of its contact
    int *count;     // columns of each contact
    size_t *start;  // first of each contact's places
    int *place;     // of the pairs of a contact's columns
    double *G, *DG; // d x (most columns of a contact)
};

// Keeps H and M and finds the pattern. DLS_ENOMEM where memory runs out.
enum dls_status dls_condensed_create(struct dls_condensed *, const struct dls_csr *H,
                                     const struct dls_csr *M, int d,
                                     struct dls_arena *);

// Whether A is cheaper to assemble and factor than a matrix with the pattern of W, whose
// blocks count as entries of d^3 operations each. DLS_ENOMEM where memory runs out.
enum dls_status dls_condensed_compare(const struct dls_condensed *,
                                      const struct dls_bsr *W, bool *cheaper,
                                      struct dls_arena *);

// A from the present D.
void dls_condensed_assemble(struct dls_condensed *);

#endif
