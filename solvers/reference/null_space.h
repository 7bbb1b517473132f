// SPDX-License-Identifier: Apache-2.0
// The impulses that share the velocities of a solution: the dimension of their set, and the
// one of least norm. See null_space.c and least_norm.c.
#ifndef DLS_SOLVERS_REFERENCE_NULL_SPACE_H
#define DLS_SOLVERS_REFERENCE_NULL_SPACE_H

#include "solvers/reference/refine.h"

struct dls_null_space {
    int unknowns;  // impulses that the statuses of the contacts leave free
    int dimension; // of the part of them that changes no velocity; -1 where not computed
    double kept,
        dropped; // smallest pivot that counts and largest that does not, relative
                 // to the largest: the wider apart, the surer the dimension
};

// The directions in which the impulse of contact a may change while its velocity stays:
// columns of B (d rows), as many as are returned. None where it is open, r_a itself where it
// slips, all where it sticks.
int dls_null_space_directions(const struct dls_refinement *, int a, double *B);

// Dense: above 6000 unknowns nothing is computed. Only memory can fail.
enum dls_status dls_null_space_measure(struct dls_null_space *,
                                       const struct dls_refinement *,
                                       struct dls_arena *);

struct dls_least_norm {
    double *r;    // m, or NULL where there is none: see `why`
    double off;   // |W (r - r*)| / |W r*|
    char why[96]; // a clause where r is NULL
};

// The impulses of least Euclidean norm among those with the velocities of the refinement;
// sought until the deadline or the flag of `work`.
enum dls_status dls_least_norm_find(struct dls_least_norm *,
                                    const struct dls_refinement *, struct dls_work *,
                                    struct dls_arena *, struct dls_error *);

#endif
