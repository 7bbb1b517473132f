// SPDX-License-Identifier: Apache-2.0
// The policy of auto: who has a turn, when, for how long, and what it leaves behind. The
// numbers and their reasons stand in policy.c, how they are used in solvers/auto.c.
#ifndef DLS_SOLVERS_KERNEL_POLICY_H
#define DLS_SOLVERS_KERNEL_POLICY_H

#include "solvers/kernel/nested.h"

#include <stdbool.h>

// The members, in the order of their turns.
enum {
    DLS_ANDERSON,
    DLS_NNCG,
    DLS_SCHWARZ,
    DLS_PROX_NEWTON,
    DLS_PROX_LOCAL,
    DLS_HOMOTOPY,
    DLS_PROX_NEWTON_ALONE,
    DLS_LEMKE,
    DLS_IPM,
    DLS_MEMBERS,
};

// Where a member that has had its turn leaves the others.
enum dls_leaves {
    DLS_LEAVES_BEST, // at its best iterate, where that is the best of all so far
    DLS_LEAVES_START, // the same, but what counts as best starts anew with its first step
    DLS_LEAVES_LAST, // at its last iterate, better or worse
};

struct dls_policy {
    const char *name;
    const char *enters; // when it has its turn, in words
    int patience; // steps within which a residual has to be halved; 0: its turn lasts while
                  // its rate promises an end (sweeps)
    int limit; // factorisations of its first turn, after which it is interrupted; where it
               // goes alone, since it advanced in a measure of its own; 0: no limit
    bool own; // the residual to halve is its own, which starts above the best of all
    bool
        alone; // it starts from zero and goes on where its last turn ended, whatever the
               // others found
    bool
        elsewhere; // after a turn that was not interrupted it starts again, from random
                   // impulses
    enum dls_leaves leaves;
    // What differs from its defaults in runs that start from zero and in warm ones, or NULL.
    const struct dls_setting *cold, *warm;
};
extern const struct dls_policy dls_policy[DLS_MEMBERS];

// The numbers by which turns begin and end.
struct dls_rule {
    int least_sweeps;  // of a turn in the first cycle, before which nothing is decided
    int later_sweeps;  // of a turn in every later one
    int longest_burst; // sweeps between two decisions
    int large;   // contacts of a problem that is solved by patches, and that has too
                 // many pivots
    double near; // times the tolerance: below, the homotopy is near its end, and
    int near_patience; // has this patience
    double worth; // a best residual above this share of the last one is no better start
    double dense; // m / n above which bodies have many contacts
    double hyperstatic; // m / n above which the homotopy goes before prox-newton
    double share;  // of the time: sweeps that had it must promise an end in the rest
    double growth; // factor of patience, limit and sweeps from one turn to the next
    double eager;  // factor of the patience with prox-newton where m / n is large
    int short_patience; // that with prox-newton where the homotopy is still to come, and
    int short_factors;  // factorisations of such a turn at most
    double
        factor_sweeps; // what a factorisation of a small set with m = n costs, in sweeps,
    double set_up_sweeps;  // what comes before the first one,
    double newton_factors; // and how many there are where Newton's method is quick
    double factor_speed;   // time of its operations over that of a sweep's
    double halved;         // share of a residual that counts as progress
    int bursts;            // a burst is the sweeps so far over this number
};
extern const struct dls_rule dls_rule;

#endif
