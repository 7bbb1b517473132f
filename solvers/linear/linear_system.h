// SPDX-License-Identifier: Apache-2.0
// One linear system  (N + F W) x = b  of contacts after the other, by whichever back end
// is cheapest; see linear_system.c.
#ifndef DLS_SOLVERS_LINEAR_LINEAR_SYSTEM_H
#define DLS_SOLVERS_LINEAR_LINEAR_SYSTEM_H

#include "solvers/linear/linear.h"

// What the owner wants of an answer; lengths of the rest b - A x are relative to b.
struct dls_linear_wish {
    int refinements;   // at most
    double small_rest; // below it an answer is not refined
    double
        large_rest; // above it an answer in the velocities is not used, unless the rest
    double round_off; // is below this times |W| |x|
    bool rough;       // two digits will do
};

struct dls_linear_system {
    struct dls_linear_form form;
    struct dls_linear_wish wish;
    struct dls_linear_values values; // as factored
    // A back end and its state, NULL where it is not used.
    struct dls_linear_user {
        const struct dls_linear *by;
        void *self;
    } contacts, velocities, iteration, *now; // *now solves the present system
    double
        ratio; // operations of all contacts in the velocities over those in the contacts
    bool out_of_memory; // a solve failed because a library or the arena had no memory
    double too_small;   // the largest shift with which the iteration failed
    double norm;        // of W, the largest sum of a row's block norms
    double *rest, *fix; // m
    double *work;       // 2 m
};

// Makes the back ends that may be used and asks for their cost; W, H and M of the form are
// kept. Destroy whatever the status: DLS_UNSUPPORTED with a sentence where the factors
// would not fit, DLS_ENOMEM or DLS_ENUMERIC where a library fails.
enum dls_status dls_linear_system_create(struct dls_linear_system *,
                                         const struct dls_linear_form *,
                                         const struct dls_linear_wish *,
                                         struct dls_arena *, struct dls_error *);
void dls_linear_system_destroy(struct dls_linear_system *);

// Makes ready for solves with these values, which must outlive them. `rcond` as in
// linear.h.
enum dls_status dls_linear_system_factor(struct dls_linear_system *,
                                         const struct dls_linear_values *,
                                         double *rcond, struct dls_work *);

// x = A^-1 b. Where the answer of one back end is not good enough, another one takes over
// until the next factorisation. False where none has a good answer.
bool dls_linear_system_solve(struct dls_linear_system *, const double *b, double *x,
                             struct dls_work *);

// The sign of the determinant of A.
int dls_linear_system_sign(const struct dls_linear_system *);

#endif
