// SPDX-License-Identifier: Apache-2.0
// Who touches whom, and how hard: fabric, coordination, distribution of forces; see
// structure.c.
#ifndef DLS_PROBLEMS_OBSERVE_STRUCTURE_H
#define DLS_PROBLEMS_OBSERVE_STRUCTURE_H

#include "problems/observe/stress.h"

// Contacts whose normal force is above a thousandth of the mean carry; others are idle.
double dls_carrying_threshold(const struct dls_observed *);

// Mean of n (x) n over the contacts that carry, of trace 1; zero without any.
dls_tensor dls_fabric(const struct dls_observed *);
// 2 (F_1 - F_2) in the plane, 5/2 (F_1 - F_3) in space.
double dls_fabric_anisotropy(const dls_tensor *, int dim);

struct dls_coordination {
    double all;      // (2 N_gg + N_gw) / grains
    double backbone; // the same without rattlers; NAN where nothing is left
    int rattlers;
};
// Rattlers have fewer than `least` carrying contacts (2 with friction, dim + 1 without);
// they are removed again and again. False when memory runs out.
bool dls_coordination(struct dls_coordination *, const struct dls_observed *, int least,
                      struct dls_arena *);

// Normal forces of the contacts that carry, divided by their mean, ascending; count of
// them. NULL when memory runs out.
double *dls_force_distribution(const struct dls_observed *, int *count,
                               struct dls_arena *);

#endif
