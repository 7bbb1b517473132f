// SPDX-License-Identifier: Apache-2.0
// Whether the motion of a solution is the only one; see motion.c.
#ifndef DLS_SOLVERS_REFERENCE_MOTION_H
#define DLS_SOLVERS_REFERENCE_MOTION_H

#include "solvers/reference/refine.h"

enum dls_motion_verdict {
    DLS_MOTION_UNKNOWN,  // no proof was found
    DLS_MOTION_ISOLATED, // answers near this one have the same velocities
    DLS_MOTION_UNIQUE,   // all answers have the same velocities
};

struct dls_motion {
    enum dls_motion_verdict verdict;
    char why[96]; // a clause: the proof, or what stands against one
};

// "unique", "isolated" or "not known".
const char *dls_motion_text(enum dls_motion_verdict);

// Of the refined answer; `known` tells whether its velocities are those of a solution to
// the accuracy of statuses. Nothing is begun that would not end before the deadline of
// `work`. Only memory can fail.
enum dls_status dls_motion_judge(struct dls_motion *, const struct dls_refinement *,
                                 bool known, const struct dls_work *,
                                 struct dls_arena *);

#endif
