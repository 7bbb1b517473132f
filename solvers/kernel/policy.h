// SPDX-License-Identifier: Apache-2.0
// The policy of auto: who has a turn, when, for how long, and what it leaves behind. The
// numbers and their reasons stand in policy.c, how they are used in solvers/auto.c.
#ifndef DLS_SOLVERS_KERNEL_POLICY_H
#define DLS_SOLVERS_KERNEL_POLICY_H

#include "solvers/kernel/nested.h"

#include <stdbool.h>

// The members, in the order of their turns.
enum {
    DLS_NNCG,
    DLS_PGS,
    DLS_SCHWARZ,
    DLS_PROX_NEWTON,
    DLS_HOMOTOPY,
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
    const char *enters; // when, for people
    int patience; // steps within which the residual has to be halved; 0 = by promise
    bool own;     // its own residual, since that starts above the best of the others
    bool goes_on; // from where its last turn ended, whatever the others found since
    enum dls_leaves leaves;
    const struct dls_setting *warm; // what differs in runs that start warm, or NULL
};
extern const struct dls_policy dls_policy[DLS_MEMBERS];

// The numbers by which turns begin and end.
struct dls_rule {
    int quiet_sweeps;   // before the first decision
    int least_sweeps;   // of the first turn
    int later_sweeps;   // of every later one
    int longest_burst;  // sweeps between two decisions
    int large;          // contacts of a problem that is solved by patches
    double near;        // tolerances: where the homotopy is near the end, and
    int near_patience;  // its patience there
    double worth;       // of the residual: a turn that leaves more was in vain
    double dense;       // m / n above which bodies have many contacts
    double hyperstatic; // m / n above which the homotopy goes before prox-newton
    double share;       // of the time that sweeps may take unless they promise an end
    double growth;      // of patience and sweeps with every cycle
    double eager;       // of the patience with prox-newton where m / n is large
    double factor_rows; // rows of W from which a factorisation is dear
};
extern const struct dls_rule dls_rule;

#endif
