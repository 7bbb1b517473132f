// SPDX-License-Identifier: Apache-2.0
// Equilibrium in one step: can contact forces that the law allows hold given loads? See
// equilibrium.c.
#ifndef DLS_SOLVERS_REFERENCE_EQUILIBRIUM_H
#define DLS_SOLVERS_REFERENCE_EQUILIBRIUM_H

#include "solvers/solver.h"

enum dls_equilibrium_verdict {
    DLS_EQUILIBRIUM_UNDECIDED, // at the limit to within the accuracy, or out of time
    DLS_EQUILIBRIUM_HOLDS,     // `r` holds the loads
    DLS_EQUILIBRIUM_FALLS,     // `v` is a mechanism: no forces can
};

struct dls_equilibrium {
    enum dls_equilibrium_verdict verdict;
    double *r;     // m: impulses, the shortest where they hold the loads
    double rest;   // the velocity that r leaves, over the one without contacts
    double *v, *u; // n and m: the velocities that r leaves; v is NULL in local problems
    double margin; // of the mechanism: least u_N - mu |u_T| over the largest |u|
    double product; // of the mechanism: |r.u| over |r| |u|
    char why[96];   // a clause about UNDECIDED
};

// The loads are the percussion hF of the step, and bodies and obstacles are at rest.
// Memory from the arena; negative statuses for want of memory or a bad problem,
// DLS_UNSUPPORTED with a sentence for rolling cones.
enum dls_status dls_equilibrium_check(struct dls_equilibrium *,
                                      const struct dls_problem *, struct dls_work *,
                                      struct dls_arena *, struct dls_error *);

// What is to be made as large as possible.
struct dls_extreme_of {
    int contact;        // its normal impulse; or -1:
    const double *live; // the factor of this percussion (n) beside the loads
    bool smallest;      // as small as possible instead
    bool coulomb;       // with mechanisms that do not dilate, see equilibrium.c
};

struct dls_extreme {
    bool found;    // the two certificates agree
    bool infinite; // it may be as large as one likes: `r` is a direction then
    double safe;   // what the forces `r` show
    double bound;  // what the mechanism `v` shows: nothing beyond can be held
    double rest;   // of the forces, as above
    double margin; // of the mechanism, as above
    double scale;  // the largest normal impulse of r
    double *r;     // m
    double *v, *u; // n and m
    int rounds;    // of the outer iteration
};

// Needs loads that can be held at some value. Global problems only (DLS_UNSUPPORTED).
enum dls_status dls_equilibrium_extreme(struct dls_extreme *,
                                        const struct dls_problem *,
                                        const struct dls_extreme_of *,
                                        struct dls_work *, struct dls_arena *,
                                        struct dls_error *);

#endif
