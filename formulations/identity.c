// SPDX-License-Identifier: Apache-2.0
#include "formulations/identity.h"

#include <string.h>

// The form is only read.
static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    (void)opt, (void)err;
    struct dls_problem *copy = *form = DLS_NEW(a, struct dls_problem, 1);
    if (!copy) return DLS_ENOMEM;
    *copy = *p;
    return DLS_OK;
}

static int size(const void *form) { return ((const struct dls_problem *)form)->m; }

static void copy(const void *form, const double *from, double *to)
{
    memcpy(to, from, (size_t)size(form) * sizeof *to);
}

const struct dls_formulation dls_formulation_problem = {
    .name = "problem",
    .brief = "the step problem as it is, for solvers that run others",
    .build = build,
    .size = size,
    .start = copy,
    .lift = copy,
};
