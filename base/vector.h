// SPDX-License-Identifier: Apache-2.0
// Vectors of n doubles.
#ifndef DLS_BASE_VECTOR_H
#define DLS_BASE_VECTOR_H

#include <math.h>

// x . y
static inline double dls_dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// y <- y + c x
static inline void dls_axpy(int n, double c, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] += c * x[i];
}

// y = c x, in place allowed
static inline void dls_scale(int n, double c, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = c * x[i];
}

// The largest |x_i|; NaN where there is one.
static inline double dls_largest(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n && !isnan(largest); i++)
        if (!(fabs(x[i]) <= largest)) largest = fabs(x[i]);
    return largest;
}

// |x| where the sum of squares leaves the range of doubles, by scaling first.
static inline double dls_norm_scaled(int n, const double *x)
{
    double largest = dls_largest(n, x), sum = 0;
    if (!(largest > 0) || isinf(largest)) return largest;
    int exponent;
    frexp(largest, &exponent); // a power of two: scaling rounds nothing
    for (int i = 0; i < n; i++) {
        double scaled = ldexp(x[i], -exponent);
        sum += scaled * scaled;
    }
    return ldexp(sqrt(sum), exponent);
}

// |x|, right for entries of any size as LAPACK's dnrm2 is, where x . x is known already.
// Above 2^-900 what underflows in the sum is too small to matter.
static inline double dls_norm_of(double square, int n, const double *x)
{
    return square > 0x1p-900 && square < 0x1p1000 ? sqrt(square)
                                                  : dls_norm_scaled(n, x);
}

// |x|
static inline double dls_norm(int n, const double *x)
{
    return dls_norm_of(dls_dot(n, x, x), n, x);
}

// |x - y|^2
static inline double dls_distance_squared(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

#endif
