// SPDX-License-Identifier: Apache-2.0
// Grains that are added one by one during a run: poured from a point, rained over a width,
// or laid down where they first touch; see deposit.c.
#ifndef DLS_PROBLEMS_PREPARATION_DEPOSIT_H
#define DLS_PROBLEMS_PREPARATION_DEPOSIT_H

#include "problems/mechanics/population.h"

#include "base/rng.h"

struct dls_deposit {
    double rate;   // grains a second
    double width;  // centres come within this distance of the vertical axis
    bool lowered;  // laid down at rest in first contact; else dropped
    double speed;  // downward, of grains that are dropped; none is laid on a grain that
                   // falls at half of it, and
    double above;  // how far over the top of the heap their lowest point starts
    int first;     // the first one to come; others follow in order of their numbers
    double bottom; // grains whose centres fall below it leave
};

// What changes during a run. The seed is that of the places.
struct dls_deposit_state {
    struct dls_rng rng;
    int next;
    long refused; // draws of a place that was taken
};

// A dls_population_rule for balls: data = a struct dls_deposit, state = its state.
void dls_deposit_rule(struct dls_rigid *, struct dls_present *, const void *data,
                      void *state);

// Behind the last dls_rigid_body, before dls_sim_open: grains before `first` are there.
// False when memory runs out.
bool dls_deposit_begin(struct dls_rigid *, const struct dls_deposit *,
                       struct dls_deposit_state *, int seed);

#endif
