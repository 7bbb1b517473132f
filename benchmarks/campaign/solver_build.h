// SPDX-License-Identifier: Apache-2.0
// What a solver was made from, as a fingerprint; see solver_build.c.
#ifndef DLS_BENCHMARKS_CAMPAIGN_SOLVER_BUILD_H
#define DLS_BENCHMARKS_CAMPAIGN_SOLVER_BUILD_H

#include "benchmarks/terminal/spec.h"

// 16 hexadecimal digits; NULL without memory.
const char *dls_solver_build(const struct dls_spec *, struct dls_arena *);

#endif
