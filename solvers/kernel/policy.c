// SPDX-License-Identifier: Apache-2.0
#include "solvers/kernel/policy.h"

const struct dls_policy dls_policy[DLS_MEMBERS] = {
    // Sweeps cost next to nothing, so they are not asked to halve anything: they go on
    // while their rate promises an end.
    [DLS_NNCG] = {"nncg", "first in every cycle", .patience = 0,
                  .leaves = DLS_LEAVES_BEST},
    [DLS_PGS] = {"pgs", "in the place of nncg where that does not take the problem",
                 .patience = 0, .leaves = DLS_LEAVES_BEST},
    // 20 patches of 300 contacts cover what holds back a packing of some thousand.
    [DLS_SCHWARZ] =
        {"schwarz",
         "in large packings, in the place of sweeps from the second cycle on",
         .patience = 20, .own = true, .leaves = DLS_LEAVES_START},
    // Its plateaus, on which the proximal weight is found, last some 50 points.
    [DLS_PROX_NEWTON] = {"prox-newton",
                         "after the sweeps; in hyperstatic sets after the homotopy",
                         .patience = 100, .leaves = DLS_LEAVES_BEST},
    // 600 steps are what its flow is given to come to rest in one metric.
    [DLS_HOMOTOPY] = {"homotopy",
                      "last in a cycle; not in large packings, whose factors are dear",
                      .patience = 600, .own = true, .goes_on = true,
                      .leaves = DLS_LEAVES_LAST},
};

const struct dls_rule dls_rule = {
    .quiet_sweeps = 100,   // half of the sets are solved by then, a judge costs a sweep
    .least_sweeps = 300,   // statuses settle in them; the rate means nothing before
    .later_sweeps = 1000,  // the start is good then, and the rate settles late
    .longest_burst = 3000, // ends within some seconds on 1e4 contacts
    .large = 1000,         // contacts: a patch of 300 is a small part
    .near = 100,           // within two decades of the tolerance the homotopy
    .near_patience = 40,   // lands in some 20 steps or has no digits left
    .worth = 0.9,          // less than a tenth is not worth a factorisation
    .dense = 1.6,          // velocities are clearly the lesser unknowns
    .hyperstatic = 3,    // prox-newton creeps along a null space larger than the range
    .share = 0.5,        // what is left has to be enough for the others
    .growth = 1.5,       // two cycles double it
    .eager = 0.3,        // the homotopy then needs few and small factorisations
    .factor_rows = 2000, // a factor of these costs the sweeps between two decisions
};
