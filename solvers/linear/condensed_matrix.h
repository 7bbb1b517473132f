// SPDX-License-Identifier: Apache-2.0
// The matrix of a linear system condensed to the velocities,
//
//     A = M + H^T D H,      D block diagonal, one block per contact,
//
// of one pattern and changing D. See condensed_matrix.c.
#ifndef DLS_SOLVERS_LINEAR_CONDENSED_MATRIX_H
#define DLS_SOLVERS_LINEAR_CONDENSED_MATRIX_H

#include "base/bsr.h"

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

// Operations of an assembly.
static inline double dls_condensed_work(const struct dls_condensed *s)
{
    return s->d * (double)s->start[s->contacts];
}

// A from the present D.
void dls_condensed_assemble(struct dls_condensed *);

#endif
