// SPDX-License-Identifier: Apache-2.0
// Complementarity problems, solved by Lemke's method.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_LCP_H
#define DLS_TESTS_SUPPORT_SUPPORT_LCP_H

#include "solvers/solver.h"

#include "formulations/lcp.h"

struct dls_lcp_options support_lcp_defaults(void);

// From zero to the end of the pivoting.
enum dls_status support_lemke(const struct dls_problem *,
                              const struct dls_lcp_options *, double *r,
                              struct dls_stats *);

#endif
