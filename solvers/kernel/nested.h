// SPDX-License-Identifier: Apache-2.0
// A solver inside a solver: one object for its formulation, its state and its iterate.
//
//     create -> start -> { run; lift } ... -> destroy
//
// The outer solver decides how long it goes on, by its own measures or by a judge.
#ifndef DLS_SOLVERS_KERNEL_NESTED_H
#define DLS_SOLVERS_KERNEL_NESTED_H

#include "solvers/solver.h"

struct dls_nested {
    const struct dls_solver *solver;
    void *form, *self;
    bool borrowed;  // the formulation belongs to somebody else
    double *z;      // the iterate, in the variables of the formulation
    long steps;     // taken so far
    double seconds; // of the creation and the steps
};

// What an option of a solver is set to, as texts.
struct dls_setting {
    const char *option, *value;
};

// Makes the solver of that name with its default options but for one, or NULL; all memory
// from the arena. The formulation is built from the problem or, where `form` is not NULL, borrowed: it is then
// what that solver takes. Whatever the status, destroy afterwards.
enum dls_status dls_nested_create(struct dls_nested *, const char *name,
                                  const struct dls_setting *,
                                  const struct dls_problem *, const void *form,
                                  struct dls_arena *, struct dls_error *);
void dls_nested_destroy(struct dls_nested *);

// Starts from the impulses r (m entries).
void dls_nested_start(struct dls_nested *, const double *r);

// At most so many steps, fewer where the deadline of `work` passes or the solver ends.
enum dls_status dls_nested_run(struct dls_nested *, long steps, struct dls_work *);

// Steps until the judge, which is one of the same problem, finds a natural residual of at
// most tol: then it is `solved`; `most` steps at most. The iterate comes out in r.
enum dls_status dls_nested_solve(struct dls_nested *, struct dls_judge *, double tol,
                                 long most, double *r, bool *solved, struct dls_work *);

// The impulses of the iterate.
void dls_nested_lift(const struct dls_nested *, double *r);

#endif
