// SPDX-License-Identifier: Apache-2.0
// Whether W is that of bodies; see bodies.c.
#ifndef DLS_SOLVERS_REFERENCE_BODIES_H
#define DLS_SOLVERS_REFERENCE_BODIES_H

#include "solvers/reference/refine.h"

// Whether W = V Z V^T is shown, the symmetric part of Z being positive definite. False also
// where memory ran out, which the arena then tells.
bool dls_bodies_behind(const struct dls_refinement *, struct dls_arena *);

#endif
