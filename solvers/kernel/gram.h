// SPDX-License-Identifier: Apache-2.0
// Least squares with few columns, by the products of the columns with each other.
#ifndef DLS_SOLVERS_KERNEL_GRAM_H
#define DLS_SOLVERS_KERNEL_GRAM_H

enum { DLS_GRAM_MOST = 50 }; // columns

// x . y of long vectors, in eight sums that processors add up side by side.
double dls_gram_dot(int n, const double *x, const double *y);

// gamma = argmin |f - F gamma|, where G = F^T F (k x k, rows `stride` apart) and b = F^T f. A
// column that adds less than `least` of the longest one is left out: its gamma is 0.
void dls_gram_solve(int k, const double *G, int stride, const double *b, double least,
                    double *gamma);

#endif
