// SPDX-License-Identifier: Apache-2.0
// The formulation `delassus`: u = W r + q with W in block-sparse rows.
#ifndef DLS_FORMULATIONS_DELASSUS_H
#define DLS_FORMULATIONS_DELASSUS_H

#include "formulations/formulation.h"

#include "base/bsr.h"

struct dls_delassus {
    const struct dls_problem *problem;
    int contacts, d, m;
    struct dls_bsr *W; // contacts x contacts blocks of d x d
    const double *q;   // m
    const double *mu;  // contacts
    // The owner of H and M behind W (velocities.h): the problem's, or else one of its own.
    struct dls_velocities *velocities;
};

extern const struct dls_formulation dls_formulation_delassus;

// W and q of a problem in either form.
enum dls_status dls_delassus_build(struct dls_delassus *, const struct dls_problem *,
                                   struct dls_arena *, struct dls_error *);

#endif
