// SPDX-License-Identifier: Apache-2.0
// A number whose reason is "chosen" has no derivation: it works on the sets of
// docs/hard-problems.md, and whoever changes it should look at those.
#include "solvers/kernel/policy.h"

// Accelerated sweeps leave impulses whose statuses a few plain sweeps repair: with none or
// with 100 there are more factorisations. From a warm start it depends: masonry wants none,
// shaken grains 300. Of 0, 30, 100 and 300 only 100 keeps six runs within 1.2 of the best.
static const struct dls_setting some_sweeps = {"start", "30"};
static const struct dls_setting more_sweeps = {"start", "100"};

const struct dls_policy dls_policy[DLS_MEMBERS] = {
    // Sweeps cost next to nothing, so they are not asked to halve anything: they go on
    // while their rate promises an end.
    [DLS_ANDERSON] = {"anderson", "first", .patience = 0, .leaves = DLS_LEAVES_BEST},
    // It needs twice the sweeps of anderson, but stays in other places.
    [DLS_NNCG] = {"nncg", "first from the second cycle on", .patience = 0,
                  .leaves = DLS_LEAVES_BEST},
    // A step is a patch, and a patch disturbs its neighbours: chosen, so that several
    // neighbourhoods get their turn.
    [DLS_SCHWARZ] =
        {"schwarz",
         "in large packings, in the place of sweeps from the second cycle on",
         .patience = 20, .own = true, .leaves = DLS_LEAVES_START},
    // Longer than its proximal weight is held after a failure (30 points, three times).
    [DLS_PROX_NEWTON] = {"prox-newton",
                         "after the sweeps; shortly in hyperstatic sets, from a cold "
                         "start, before the homotopy was there",
                         .patience = 100, .leaves = DLS_LEAVES_BEST,
                         .cold = &some_sweeps, .warm = &more_sweeps},
    // A step is a set of contacts, some ten factorisations and up to hundreds: its turn is as
    // long as one of the homotopy that does not advance.
    [DLS_PROX_LOCAL] =
        {"prox-local",
         "then, in hyperstatic sets whose best residual is near the tolerance",
         .patience = 600, .limit = 200, .leaves = DLS_LEAVES_BEST},
    // Its flow has `patience` steps to come to rest in one metric. Where nu falls, it falls
    // within 155 factorisations in all but one of the sets that it solves; so 200 without
    // are the moment to look elsewhere.
    [DLS_HOMOTOPY] = {"homotopy",
                      "last of those; not in large packings, whose factors are dear",
                      .patience = 600, .limit = 200, .own = true, .alone = true,
                      .leaves = DLS_LEAVES_LAST},
    // The three that follow are for sets on which all that came before failed: the share
    // of random sets is 1 in 10 000. Each has a small part of the turn of the homotopy.
    [DLS_PROX_NEWTON_ALONE] = {"prox-newton",
                               "after the homotopy, once more from zero, then from "
                               "random impulses; not in large packings",
                               .patience = 600, .limit = 100, .own = true,
                               .alone = true, .elsewhere = true,
                               .leaves = DLS_LEAVES_BEST},
    // 64 pivots between two factorisations: together three times the unknowns of 100
    // contacts, which is what Lemke's method mostly needs.
    [DLS_LEMKE] =
        {"lemke",
         "then, in the plane and without friction, where it is exact; in sets "
         "of less than 1000 contacts",
         .patience = 600, .limit = 20, .own = true, .alone = true,
         .leaves = DLS_LEAVES_BEST},
    // Where it is quick it needs 9 to 30 factorisations.
    [DLS_IPM] = {"ipm", "last in a cycle; not in large packings", .patience = 600,
                 .limit = 30, .own = true, .alone = true, .leaves = DLS_LEAVES_BEST},
};

const struct dls_rule dls_rule = {
    .least_sweeps = 100,   // chosen: two factorisations; the rate shows by then
    .later_sweeps = 1000,  // chosen: near an answer the rate shows late
    .longest_burst = 3000, // chosen: decisions do not become rarer for ever
    .large = 1000,         // contacts: a patch, 300 of them, is a small part
    .near = 100,         // two decades from the tolerance the homotopy either lands or
    .near_patience = 15, // has no digits left: steps of one or two values of nu
    .worth = 0.9,        // a tenth less is hardly another start
    .dense = 1.6,        // chosen: above, velocities are clearly the lesser unknowns
    .hyperstatic = 3,    // the null space of W is twice its range at least
    .short_patience = 4, // points: where prox-newton succeeds it halves in one to three
    .short_factors = 20, // half of what the homotopy needs where its path has no folds
    .share = 0.5,        // what is left has to be enough for the others
    .growth = 1.5,       // two turns double it
    .eager = 0.3, // chosen: factors are small there, the homotopy's turn is cheap
    // Seen in 100 sets: 30 to 80 sweeps for m / n from 1 to 1.5, 15 to 30 for 2, 6 to 17 above
    // 3; in all of them 60 to 190 before the first; 5 to 15 factorisations in most.
    .factor_sweeps = 50,
    .set_up_sweeps = 100,
    .newton_factors = 8,
    .factor_speed = 0.45, // dense kernels in the factors against short rows of W
    .halved = 0.5,        // what patience is counted for
    .bursts = 4, // decisions at 1, 1.25, 1.56, ... times the sweeps: a quarter too many
};
