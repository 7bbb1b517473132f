// SPDX-License-Identifier: Apache-2.0
// The linear systems of the Newton methods, for the tests of what solves them.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_NEWTON_H
#define DLS_TESTS_SUPPORT_SUPPORT_NEWTON_H

#include "solvers/contact/contact_function.h"

#include "base/bsr.h"

// |(F_r + F_u (W + shift I)) x + F|, row by row; `size` receives |F|.
double support_newton_defect(const struct dls_bsr *W, const struct dls_contact_value *,
                             double shift, const double *x, double *size);

// N = F_r + shift F_u and F = F_u by blocks, b = -F.
void support_newton_blocks(const struct dls_bsr *W, const struct dls_contact_value *,
                           double shift, double *N, double *F, double *b);

#endif
