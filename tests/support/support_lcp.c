// SPDX-License-Identifier: Apache-2.0
#include "tests/support/support_lcp.h"

#include <string.h>

extern const struct dls_solver dls_solver_lemke;

struct dls_lcp_options support_lcp_defaults(void)
{
    struct dls_lcp_options o;
    dls_option_defaults(dls_formulation_lcp.options, &o);
    return o;
}

enum dls_status support_lemke(const struct dls_problem *p,
                              const struct dls_lcp_options *o, double *r,
                              struct dls_stats *stats)
{
    struct dls_options opt = {.formulation = o};
    struct dls_settings set = dls_settings_default();
    set.tol = 0; // to the end of the pivoting
    memset(r, 0, (size_t)p->m * sizeof *r);
    return dls_solve(&dls_solver_lemke, &opt, p, &set, r, stats);
}
