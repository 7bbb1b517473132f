// SPDX-License-Identifier: Apache-2.0
// From an answer that is nearly one to the nearest one, where impulses are far from unique.
// See nearest.c.
#ifndef DLS_SOLVERS_REFERENCE_NEAREST_H
#define DLS_SOLVERS_REFERENCE_NEAREST_H

#include "solvers/reference/refine.h"

// Whether this comes before Newton's method on frozen statuses, for its cost.
bool dls_nearest_is_cheaper(const struct dls_delassus *);

// Goes on from the impulses of the refinement until both residuals are at most `tol`, no way
// is left or `work` ends; never to worse ones. Local problems with round cones, whose H and
// M are known; DLS_UNSUPPORTED for others. DLS_MAX_TIME where a single step would not end by the
// deadline: nothing was done. Memory is given back.
enum dls_status dls_nearest_find(struct dls_refinement *, double tol, struct dls_work *,
                                 struct dls_arena *);

#endif
