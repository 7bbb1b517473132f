// SPDX-License-Identifier: Apache-2.0
// The law of friction in long doubles, by formulas that share no code with the library.
#ifndef DLS_TESTS_SUPPORT_LONG_DOUBLE_H
#define DLS_TESTS_SUPPORT_LONG_DOUBLE_H

#include "formulations/problem.h"

long double long_dot(const long double *x, const long double *y, int n);
long double long_norm(const long double *x, int count);

// u = W r + q, or H M^-1 (f + H^T r) + w; M must be positive definite, no joints.
long double *long_velocities(const struct dls_problem *, const long double *r,
                             struct dls_arena *);

// |r - P_K(r - u~)| of one contact in d = 1, 2 or 3; the projection as in a textbook.
long double long_natural(int d, long double mu, const long double *r,
                         const long double *u);

#endif
