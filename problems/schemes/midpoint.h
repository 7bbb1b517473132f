// SPDX-License-Identifier: Apache-2.0
// The step that the schemes of Moreau and of A-CD2 share; see midpoint.c.
#ifndef DLS_PROBLEMS_SCHEMES_MIDPOINT_H
#define DLS_PROBLEMS_SCHEMES_MIDPOINT_H

#include "problems/mechanics/scheme.h"

// One step; `restitution` replaces the (e_n, e_t) of all contacts unless it is NULL.
enum dls_status dls_midpoint_step(struct dls_sim *, const double *restitution,
                                  struct dls_error *);

#endif
