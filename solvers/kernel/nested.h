// SPDX-License-Identifier: Apache-2.0
// A solver inside a solver: one object for its formulation, its state and its iterate.
//
//     create -> start -> { run; lift } ... -> destroy
//
// The outer solver decides how long the inner one runs, by measures of its own or by a judge.
#ifndef DLS_SOLVERS_KERNEL_NESTED_H
#define DLS_SOLVERS_KERNEL_NESTED_H

#include "solvers/solver.h"

struct dls_nested {
    const struct dls_solver *solver;
    void *form, *self;
    bool borrowed; // the formulation belongs to somebody else
    double *z;     // the iterate, in the variables of the formulation
    long steps;    // taken so far
};

// What an option of a solver is set to, as texts.
struct dls_setting {
    const char *option, *value;
};

// Makes the solver of that name; all memory from the arena. Its options are the defaults but
// for one setting, which may be NULL. Its formulation is `form`, which is borrowed, or, where
// that is NULL, built from the problem. Destroy it whatever the status.
enum dls_status dls_nested_create(struct dls_nested *, const char *name,
                                  const struct dls_setting *,
                                  const struct dls_problem *, const void *form,
                                  struct dls_arena *, struct dls_error *);
void dls_nested_destroy(struct dls_nested *);

// Starts from the impulses r (m entries).
void dls_nested_start(struct dls_nested *, const double *r);

// At most so many steps, fewer where the deadline of `work` passes or the solver ends.
enum dls_status dls_nested_run(struct dls_nested *, long steps, struct dls_work *);

// Steps until a judge of the same problem finds a natural residual of at most tol, which
// makes it `solved`, or until `most` steps are taken. The iterate comes out in r.
enum dls_status dls_nested_solve(struct dls_nested *, struct dls_judge *, double tol,
                                 long most, double *r, bool *solved, struct dls_work *);

// The impulses of the iterate.
void dls_nested_lift(const struct dls_nested *, double *r);

#endif
