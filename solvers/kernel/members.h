// SPDX-License-Identifier: Apache-2.0
// The members of auto: the solvers of the policy's table, on one problem. A member is made
// when it is first needed, and members that take the same formulation share it.
#ifndef DLS_SOLVERS_KERNEL_MEMBERS_H
#define DLS_SOLVERS_KERNEL_MEMBERS_H

#include "solvers/kernel/nested.h"
#include "solvers/kernel/policy.h"

struct dls_members {
    const struct dls_problem *problem;
    struct dls_arena *arena; // of the run
    bool warm;               // it started from impulses that were given
    struct dls_member {
        struct dls_nested solver;
        double seconds; // that it has worked
        bool created;
        bool out;    // it does not take this problem, or has nothing left to do
        double left; // the best residual when its last turn ended; NAN before that, and
                     // where another start was left behind since
        int turns;   // it has had
        int penalty,
            skip;    // in large packings: turns it passes after one in vain, and those
                     // left of them
        bool afresh; // where it goes alone: its next turn begins anew
    } all[DLS_MEMBERS];
};

void dls_members_destroy(struct dls_members *);

// Forgets all turns.
void dls_members_reset(struct dls_members *);

// Makes a member that is not there yet; it is out where it does not take the problem.
// DLS_ENOMEM, else DLS_OK.
enum dls_status dls_members_make(struct dls_members *, int k);

// m / n of the problem, NAN where it is not known; DLS_ENOMEM.
enum dls_status dls_members_density(const struct dls_members *, double *density);

// About what a factorisation for Newton's method costs, in sweeps over this problem, whose
// m / n is `density`. DLS_ENOMEM or DLS_ENUMERIC where a library fails.
enum dls_status dls_members_factor(const struct dls_members *, double density,
                                   double *sweeps);

// The members that have worked, with their seconds.
size_t dls_members_tell(const struct dls_members *, char *note, size_t room);

#endif
