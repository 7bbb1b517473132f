// SPDX-License-Identifier: Apache-2.0
// Linear systems of contacts that are regular by a hair, in more digits than doubles have; see
// wide_system.c.
#ifndef DLS_SOLVERS_REFERENCE_WIDE_SYSTEM_H
#define DLS_SOLVERS_REFERENCE_WIDE_SYSTEM_H

#include "solvers/linear/condensed_matrix.h"

#include "formulations/delassus.h"

#include "base/wide_lu.h"

struct dls_wide_system {
    const struct dls_delassus *form;
    const struct dls_csr *H, *M; // W = H M^-1 H^T, nearly
    dls_wide *N, *C;             // d x d by rows for each contact: the caller's to fill
    struct dls_condensed condensed; // the pattern of M + H^T D H
    struct dls_wide_lu lu;
    dls_wide *inverse, *D; // N^-1 and N^-1 C
    dls_wide *A, *G, *v;   // entries of the pattern; H_a; n
    dls_wide *rest, *fix;  // m
};

// DLS_UNSUPPORTED where H and M are not known; DLS_ENOMEM. Keeps the form.
enum dls_status dls_wide_system_create(struct dls_wide_system *,
                                       const struct dls_delassus *, struct dls_arena *);

// Factors with the present N and C. False where that fails.
bool dls_wide_system_factor(struct dls_wide_system *);

// x with (N + C W) x = b, and Wx = W x. Returns |b - (N + C W) x| / |b|.
double dls_wide_system_solve(struct dls_wide_system *, const dls_wide *b, dls_wide *x,
                             dls_wide *Wx);

#endif
