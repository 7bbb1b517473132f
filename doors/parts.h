// SPDX-License-Identifier: Apache-2.0
// What the files of this folder know of each other's handles.
#ifndef DLS_DOORS_PARTS_H
#define DLS_DOORS_PARTS_H

#include "solvers/solver.h"

#include "formulations/problem.h"

#include "base/arena.h"
#include "base/status.h"

#include "doors/flat.h"

struct dls_flat_problem {
    struct dls_arena arena;
    struct dls_problem problem;
};

struct dls_flat_solver {
    struct dls_arena arena;
    const struct dls_solver *solver;
    struct dls_options options;
    struct dls_solver made; // of functions
    struct dls_flat_functions functions;
};

// A zeroed handle of that size, which begins with its arena; NULL and the sentence where
// memory runs out. And its end.
void *dls_handle_new(size_t size, char *error);
void dls_handle_free(void *);

// Copies the sentence (or that of the status) to `error` and returns the status.
int dls_handle_fail(enum dls_status, const struct dls_error *, char *error);

#endif
