// SPDX-License-Identifier: Apache-2.0
// A patch: neighbouring contacts that are solved alone while all others keep their
// impulses.
#ifndef DLS_SOLVERS_KERNEL_PATCH_H
#define DLS_SOLVERS_KERNEL_PATCH_H

#include "solvers/solver.h"

#include "formulations/delassus.h"

struct dls_patch {
    const struct dls_delassus *form; // borrowed
    int count;
    int *list;   // contacts, ascending: those of the patch
    int *number; // contacts: place in the list + 1, or 0 outside
};

bool dls_patch_create(struct dls_patch *, const struct dls_delassus *,
                      struct dls_arena *);

// The `most` contacts that are nearest to contact `seed` in the graph of W, or fewer.
void dls_patch_grow(struct dls_patch *, int seed, int most);

// Solves the patch with the solver of that name, from r, until its residual (in units of
// u = W r + q) is below `accuracy`; with at most `steps` iterations, and within the deadline
// of `work`, where the work of the solver is counted. r is changed only where the patch is
// `solved`.
enum dls_status dls_patch_solve(struct dls_patch *, const char *solver, double accuracy,
                                int steps, const double *u, double *r, bool *solved,
                                struct dls_work *, struct dls_arena *);

#endif
