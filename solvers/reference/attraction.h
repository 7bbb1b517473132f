// SPDX-License-Identifier: Apache-2.0
// Whether Gauss-Seidel sweeps approach an answer or leave it, and how fast; see
// attraction.c.
#ifndef DLS_SOLVERS_REFERENCE_ATTRACTION_H
#define DLS_SOLVERS_REFERENCE_ATTRACTION_H

#include "solvers/reference/refine.h"

struct dls_attraction {
    double rate;  // of the error from sweep to sweep in the end; NAN where not found
    bool settled; // the rate no longer changes; otherwise it is the last seen
    int sweeps;   // made for it
};

// At the refined answer, until the deadline or the flag of `work`. Only memory can fail.
enum dls_status dls_attraction_measure(struct dls_attraction *,
                                       const struct dls_refinement *, struct dls_work *,
                                       struct dls_arena *);

#endif
