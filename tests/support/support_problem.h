// SPDX-License-Identifier: Apache-2.0
// Random step problems for the tests of files, and their comparison bit for bit.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_PROBLEM_H
#define DLS_TESTS_SUPPORT_SUPPORT_PROBLEM_H

#include "formulations/problem.h"

#include "base/rng.h"

// A sparse matrix with about `count` random entries.
struct dls_csr *support_random_csr(struct dls_rng *, int rows, int cols, int count,
                                   struct dls_arena *);

// `count` numbers in [lo, hi).
double *support_random_vector(struct dls_rng *, int count, double lo, double hi,
                              struct dls_arena *);

// A problem of random numbers, of no mechanical meaning. d = 5 rolls.
struct dls_problem support_random_local(int contacts, int d, uint64_t seed,
                                        struct dls_arena *);
struct dls_problem support_random_global(int contacts, int d, int joints, uint64_t seed,
                                         struct dls_arena *);

// Fills everything that FCLIB has no place for.
void support_add_history(struct dls_problem *, struct dls_rng *, struct dls_arena *);

// Fails, naming the field, unless all fields are equal bit for bit.
void support_same_csr(const struct dls_csr *, const struct dls_csr *, const char *name);
void support_same_problem(const struct dls_problem *, const struct dls_problem *);

// Whether a reader or writer did what it owes to any file: success, or DLS_EINVAL or
// DLS_EIO with one line that begins with the name of the file.
bool support_behaves(enum dls_status, const struct dls_error *, const char *path);

#endif
