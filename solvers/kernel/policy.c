// SPDX-License-Identifier: Apache-2.0
// A number whose reason is "chosen" has no derivation: it works on the sets of
// docs/hard-problems.md, and whoever changes it should look at those.
#include "solvers/kernel/policy.h"

// From a warm start few statuses are wrong, and nncg has swept before prox-newton enters:
// more sweeps cost as much as its Newton steps. From zero they save factorisations.
static const struct dls_setting without_sweeps = {"sweeps", "0"};

const struct dls_policy dls_policy[DLS_MEMBERS] = {
    // Sweeps cost next to nothing, so they are not asked to halve anything: they go on
    // while their rate promises an end.
    [DLS_NNCG] = {"nncg", "first in every cycle", .patience = 0,
                  .leaves = DLS_LEAVES_BEST},
    [DLS_PGS] = {"pgs", "in the place of nncg where nncg does not take the problem",
                 .patience = 0, .leaves = DLS_LEAVES_BEST},
    // A step is a patch, and a patch disturbs its neighbours: chosen, so that several
    // neighbourhoods get their turn.
    [DLS_SCHWARZ] =
        {"schwarz",
         "in large packings, in the place of sweeps from the second cycle on",
         .patience = 20, .own = true, .leaves = DLS_LEAVES_START},
    // Longer than its proximal weight is held after a failure (30 points, three times).
    [DLS_PROX_NEWTON] = {"prox-newton",
                         "after the sweeps; in hyperstatic sets, from a cold start, "
                         "after the homotopy",
                         .patience = 100, .leaves = DLS_LEAVES_BEST,
                         .warm = &without_sweeps},
    // The steps that its flow is given to come to rest in one metric.
    [DLS_HOMOTOPY] = {"homotopy",
                      "last in a cycle; not in large packings, whose factors are dear",
                      .patience = 600, .own = true, .goes_on = true,
                      .leaves = DLS_LEAVES_LAST},
};

const struct dls_rule dls_rule = {
    .quiet_sweeps =
        100, // a decision costs a judge, which is about a sweep: a hundredth
    .least_sweeps = 300,   // as many as prox-newton begins with
    .later_sweeps = 1000,  // chosen: near an answer the rate shows late
    .longest_burst = 3000, // chosen: decisions do not become rarer for ever
    .large = 1000,         // contacts: a patch, 300 of them, is a small part
    .near = 100,         // two decades from the tolerance the homotopy either lands or
    .near_patience = 40, // has no digits left: steps of one or two values of nu
    .worth = 0.9,        // less than a tenth does not pay for a factorisation
    .dense = 1.6,        // chosen: above, velocities are clearly the lesser unknowns
    .hyperstatic = 3,    // the null space of W is twice its range at least
    .share = 0.5,        // what is left has to be enough for the others
    .growth = 1.5,       // two cycles double it
    .eager = 0.3, // chosen: factors are small there, the homotopy's turn is cheap
    .factor_rows = 2000, // chosen: from there on patience falls with the rows
    .halved = 0.5,       // what patience is counted for
    .bursts = 4, // decisions at 1, 1.25, 1.56, ... times the sweeps: a quarter too many
};
