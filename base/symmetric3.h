// SPDX-License-Identifier: Apache-2.0
// Symmetric 3 x 3 matrices, by rows; see symmetric3.c.
#ifndef DLS_BASE_SYMMETRIC3_H
#define DLS_BASE_SYMMETRIC3_H

// The largest eigenvalue, to a few roundings of the largest entry; NAN for what is not
// finite or beyond 1e-70 ... 1e70.
double dls_symmetric3_largest(const double *S);

#endif
