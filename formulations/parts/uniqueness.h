// SPDX-License-Identifier: Apache-2.0
// A bound under which the velocity of the Coulomb problem is unique; see uniqueness.c.
#ifndef DLS_FORMULATIONS_PARTS_UNIQUENESS_H
#define DLS_FORMULATIONS_PARTS_UNIQUENESS_H

#include "formulations/delassus.h"

// mu_max sqrt(lambda_max((W^-1)_NN) lambda_max(W_TT)): below 1 the answer is unique.
// NAN where it is not available: W unsymmetric, not of full rank, of more than 450
// rows, or with rolling rows. Lack of memory shows in the arena.
double dls_uniqueness_bound(const struct dls_delassus *, struct dls_arena *);

#endif
