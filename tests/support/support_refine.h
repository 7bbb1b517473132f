// SPDX-License-Identifier: Apache-2.0
// What the refinement of an answer needs, made and freed in one go.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_REFINE_H
#define DLS_TESTS_SUPPORT_SUPPORT_REFINE_H

#include "solvers/reference/refine.h"

#include "formulations/judge/residual.h"

struct support_bench {
    struct dls_arena a;
    struct dls_judge *judge;
    struct dls_extended extended;
    struct dls_delassus form;
    struct dls_refinement refinement;
    struct dls_work work; // a minute
};

void support_bench_open(struct support_bench *, const struct dls_problem *);
void support_bench_close(struct support_bench *);

// Refines impulses; `refinement` holds what came out.
void support_bench_refine(struct support_bench *, const double *r);

// W and q of a problem, condensed to doubles.
struct dls_problem support_condensed(const struct dls_problem *, struct dls_arena *);

#endif
