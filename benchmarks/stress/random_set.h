// SPDX-License-Identifier: Apache-2.0
// A random contact problem from a seed. See random_set.c for what is drawn.
#ifndef DLS_BENCHMARKS_STRESS_RANDOM_SET_H
#define DLS_BENCHMARKS_STRESS_RANDOM_SET_H

#include "formulations/problem.h"

#include <stdint.h>

// The problem of that seed with 2 to `most` contacts; its provenance tells the options.
enum dls_status dls_random_set(struct dls_problem *, long seed, int most,
                               struct dls_arena *, struct dls_error *);

#endif
