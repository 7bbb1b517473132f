// SPDX-License-Identifier: Apache-2.0
// A diagonal matrix above W, made without W; see contact_bound.c.
#ifndef DLS_FORMULATIONS_PARTS_CONTACT_BOUND_H
#define DLS_FORMULATIONS_PARTS_CONTACT_BOUND_H

#include "formulations/parts/inertia.h"

// D (one entry a contact) with W <= diag(D): x.W x <= sum_a D_a |x_a|^2 for all x. M must
// be of bodies (inertia->bodies > 0 or n = 0), its blocks symmetric; joints only lower W.
// 0 at a contact that moves nobody. False when memory runs out.
bool dls_contact_bound(const struct dls_problem *, const struct dls_inertia *,
                       double *D, struct dls_arena *);

#endif
