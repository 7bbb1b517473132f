// SPDX-License-Identifier: Apache-2.0
// Small step problems with known answers, for the conformance of every solver.
#ifndef DLS_TESTS_SUPPORT_ZOO_H
#define DLS_TESTS_SUPPORT_ZOO_H

#include "formulations/problem.h"

struct zoo_animal {
    const char *name;
    // Fills the problem; r and u (allocated here, m entries) receive a known solution.
    void (*make)(struct dls_problem *, double **r, double **u, struct dls_arena *);
    bool unique; // u is unique: every solver must find this one
};

extern const struct zoo_animal zoo[]; // ended by a NULL name

// |r - P_K(r - u~)| / |q| written out anew, with dense algebra: shares no code with the
// judge. u (m entries, may be NULL) receives W r + q.
double zoo_natural(const struct dls_problem *, const double *r, double *u);

#endif
