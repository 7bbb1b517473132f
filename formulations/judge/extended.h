// SPDX-License-Identifier: Apache-2.0
// The measures of the judge in extended precision: velocities and residuals of impulses
// that are known to more digits than a double has. See extended.c.
#ifndef DLS_FORMULATIONS_JUDGE_EXTENDED_H
#define DLS_FORMULATIONS_JUDGE_EXTENDED_H

#include "formulations/judge/residual.h"
#include "formulations/parts/inertia.h"

#include "base/quad.h"

struct dls_extended {
    const struct dls_problem *problem;
    const double *l;             // contacts: the judge's eigenvalues
    struct dls_inertia *inertia; // of a global problem
    dls_quad *u, *v, *lambda;    // of the impulses measured last
    dls_quad *rest;              // n + joints
    double *rhs, *fix;           // n + joints each
    dls_quad norm_q, energy_q;   // |q|, and in units of energy
    bool has_merit;              // as the judge
    double natural, merit;       // measured last; merit NAN where the judge has none
    double defect;               // of M v = f + H^T r + G^T lambda, relative
};

// `judge` lends its eigenvalues and must outlive this. Errors are those of the factor
// of M.
enum dls_status dls_extended_create(struct dls_extended *, const struct dls_problem *,
                                    const struct dls_judge *, struct dls_arena *,
                                    struct dls_error *);
void dls_extended_destroy(struct dls_extended *);

// u, v, lambda and the measures of the impulses r.
void dls_extended_measure(struct dls_extended *, const dls_quad *r);

#endif
