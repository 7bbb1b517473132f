// SPDX-License-Identifier: Apache-2.0
// Generated problems for tests, with the formulas of the step written out again from
// the problem's arrays alone; M is taken as diagonal.
#ifndef DLS_TESTS_SUPPORT_GENERATED_H
#define DLS_TESTS_SUPPORT_GENERATED_H

#include "problems/generators/generator.h"

// The options of the problem made last.
extern char generated_options[1024];
void generated_defaults(const struct dls_generator *);

// Makes a problem; `settings` is "n=3 mu=0.5" or "".
struct dls_problem generated(const char *name, const char *settings,
                             struct dls_arena *);

// Row i of A times x, plus c.
double generated_row(const struct dls_csr *A, int i, const double *x, double c);

// M^-1 (f + H^T r), and u of the impulses r, in both forms.
double *generated_v(const struct dls_problem *, const double *r, struct dls_arena *);
double *generated_u(const struct dls_problem *, const double *r, struct dls_arena *);

// Entry (i, k) of H M^-1 H^T.
double generated_W(const struct dls_problem *, int i, int k);

#endif
