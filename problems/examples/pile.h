// SPDX-License-Identifier: Apache-2.0
// A pile that grows grain by grain on paved ground: what the two piles share. See pile.c.
#ifndef DLS_PROBLEMS_EXAMPLES_PILE_H
#define DLS_PROBLEMS_EXAMPLES_PILE_H

#include "problems/examples/packed.h"
#include "problems/observe/heap.h"
#include "problems/observe/pressure.h"
#include "problems/preparation/deposit.h"
#include "problems/preparation/place.h"

// Lengths in cm, times in s. Motions do not depend on the density: a grain of the mean
// size has mass 1 here, which keeps impulses and velocities of one size.
struct dls_pile {
    // In
    int dim, grains, seed;
    double least, most; // diameters, uniform between them
    double mu, gravity;
    double reach; // half-width or radius of the pavement
    double walls; // smooth vertical walls at x = -walls and walls; 0: none
    int layer;    // grains of one layer: they have the same tag
    struct dls_deposit deposit;
    double middle;  // the height is that of the surface so near to the axis
    double rest, h; // time after the last grain, time step
    // Out
    struct dls_rigid *rigid;
    struct dls_deposit_state state;
    double density, end;
    int ground; // obstacles 0 to ground - 1 are the pavement
    int there;  // grains at the start: from a state
};

// Pavement, grains and the rule by which they come, or where the state asked for has
// them; a scene of it.
enum dls_status dls_pile_make(struct dls_pile *, struct dls_scene *,
                              const struct dls_asked *, struct dls_arena *,
                              struct dls_error *);

// What is seen at the end of a run.
struct dls_pile_seen {
    struct dls_observed o;
    struct dls_ledger ledger;
    double speed;    // of the fastest grain
    double weight;   // of all grains
    double reaction; // of the ground, upward
    double momentum; // upward: m a, summed; reaction = weight + momentum
    double deepest;  // worst penetration of the run, in mean diameters
    int left;        // grains that left
    struct dls_heap heap;
};
// Runs the pile of the scene asked for, makes the checks that every pile passes (at rest,
// balance of forces and of energy) and hands out both.
enum dls_status dls_pile_check(const struct dls_pile **, struct dls_pile_seen *,
                               struct dls_checks *, const struct dls_asked *,
                               struct dls_arena *, struct dls_error *);

#endif
