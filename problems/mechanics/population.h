// SPDX-License-Identifier: Apache-2.0
// Rigid bodies that come and go during a run; see population.c.
//
//   ... dls_rigid_body(r, ...) for every body that may ever be there ...
//   dls_rigid_populate(r, 0, rule, &config, &state, sizeof state);
//   dls_sim_open, dls_sim_step: the rule is asked before every step
#ifndef DLS_PROBLEMS_MECHANICS_POPULATION_H
#define DLS_PROBLEMS_MECHANICS_POPULATION_H

#include "problems/mechanics/rigid.h"

// Who comes and who goes before a step: calls dls_rigid_enter and dls_rigid_leave.
// What it changes in `state` is part of a checkpoint and must hold no pointers.
typedef void dls_population_rule(struct dls_rigid *, struct dls_present *,
                                 const void *data, void *state);

// All bodies made so far may come and go; the first `start` of them are there when a run
// is opened, the others wait. They keep their numbers. Tags must be set before; springs,
// joints and carried obstacles do not go with it. False when memory runs out.
bool dls_rigid_populate(struct dls_rigid *, int start, dls_population_rule *,
                        const void *data, void *state, size_t state_size);

// Those who are there when a run is opened, by number and ascending, instead of the first
// ones. False when memory runs out.
bool dls_rigid_there(struct dls_rigid *, int count, const int *number);

// For rules: the body of that number comes to a place with a velocity and no spin; or
// goes. Both do nothing where it is there, or not there, already.
void dls_rigid_enter(struct dls_rigid *, struct dls_present *, int number, dls_vec3 at,
                     dls_vec3 v);
void dls_rigid_leave(struct dls_rigid *, struct dls_present *, int number);

// Where the body of that number is among those that are there, or -1.
int dls_rigid_find(const struct dls_rigid *, int number);

#endif
