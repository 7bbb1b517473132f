// SPDX-License-Identifier: Apache-2.0
// By how much the data would have to change for an answer to be exact; see backward.c.
#ifndef DLS_SOLVERS_REFERENCE_BACKWARD_H
#define DLS_SOLVERS_REFERENCE_BACKWARD_H

#include "solvers/reference/refine.h"

// What rounding to doubles may change in a block of the data, relative to its norm: 2^-53.
#define DLS_UNIT_ROUND_OFF 0x1p-53

// The largest change of a block, relative to its norm, where the answer of the refinement is
// to solve the problem exactly. NAN for global problems and rolling cones. Leaves the velocities
// in `extended` those of an answer nearby: measure anew.
enum dls_status dls_backward_error(double *, const struct dls_refinement *,
                                   struct dls_arena *);

#endif
