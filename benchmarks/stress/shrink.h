// SPDX-License-Identifier: Apache-2.0
// The fewest contacts on which a solver still fails. See shrink.c.
#ifndef DLS_BENCHMARKS_STRESS_SHRINK_H
#define DLS_BENCHMARKS_STRESS_SHRINK_H

#include "formulations/problem.h"

// Whether what is looked for is still there.
typedef bool dls_failure(const struct dls_problem *, void *data);

// Removes contacts of a global problem as long as `fails` stays true, for so many seconds
// at most. `small` may be the problem itself; its memory is from the arena.
enum dls_status dls_shrink(struct dls_problem *small, const struct dls_problem *,
                           dls_failure *fails, void *data, double seconds,
                           struct dls_arena *);

#endif
