// SPDX-License-Identifier: Apache-2.0
// A diagonal matrix above W, made without W; see contact_bound.c.
#ifndef DLS_FORMULATIONS_PARTS_CONTACT_BOUND_H
#define DLS_FORMULATIONS_PARTS_CONTACT_BOUND_H

#include "formulations/parts/inertia.h"

// D (one entry a contact) with W <= diag(D): x.W x <= sum_a D_a |x_a|^2 for all x. D is 0
// at a contact that moves no body. M must be of bodies (inertia->bodies > 0 or n = 0) with
// symmetric blocks. Joints make W smaller, so that the bound still holds. False when memory
// runs out.
bool dls_contact_bound(const struct dls_problem *, const struct dls_inertia *,
                       double *D, struct dls_arena *);

#endif
