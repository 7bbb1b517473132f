// SPDX-License-Identifier: Apache-2.0
#include "base/block.h"

#include "base/contract.h"

#include <math.h>
#include <string.h>

static const double singular = 1e-14; // pivots relative to the largest entry

bool dls_block_invert(int d, const double *A, double *B)
{
    DLS_ASSERT(d >= 1 && d <= 3 && A != B);
    double T[9], largest = 0;
    for (int k = 0; k < d * d; k++) {
        T[k] = A[k];
        B[k] = k % (d + 1) == 0;
        largest = fmax(largest, fabs(A[k]));
    }
    for (int c = 0; c < d; c++) {
        int best = c;
        for (int i = c + 1; i < d; i++)
            if (fabs(T[i * d + c]) > fabs(T[best * d + c])) best = i;
        double pivot = T[best * d + c];
        if (!(fabs(pivot) > singular * largest)) return false;
        for (int l = 0; l < d; l++) {
            double t = T[best * d + l], b = B[best * d + l];
            T[best * d + l] = T[c * d + l], B[best * d + l] = B[c * d + l];
            T[c * d + l] = t / pivot, B[c * d + l] = b / pivot;
        }
        for (int i = 0; i < d; i++) {
            double factor = T[i * d + c];
            for (int l = 0; l < d && i != c; l++) {
                T[i * d + l] -= factor * T[c * d + l];
                B[i * d + l] -= factor * B[c * d + l];
            }
        }
    }
    return true;
}

// Compiled once for each d that matters, with its loops unrolled.
static inline void apply(int d, int count, const double *B, const double *x, double *y)
{
    for (int a = 0; a < count; a++, B += d * d, x += d, y += d) {
        double z[5] = {0};
        for (int i = 0; i < d; i++)
            for (int l = 0; l < d; l++) z[i] += B[i * d + l] * x[l];
        for (int i = 0; i < d; i++) y[i] = z[i];
    }
}

static inline void apply_transposed(int d, int count, const double *B, const double *x,
                                    double *y)
{
    for (int a = 0; a < count; a++, B += d * d, x += d, y += d) {
        double z[5] = {0};
        for (int l = 0; l < d; l++)
            for (int i = 0; i < d; i++) z[i] += B[l * d + i] * x[l];
        for (int i = 0; i < d; i++) y[i] = z[i];
    }
}

void dls_block_apply(int d, int count, const double *B, const double *x, double *y)
{
    DLS_ASSERT(d >= 1 && d <= 5);
    if (d == 3)
        apply(3, count, B, x, y);
    else if (d == 2)
        apply(2, count, B, x, y);
    else
        apply(d, count, B, x, y);
}

void dls_block_apply_transposed(int d, int count, const double *B, const double *x,
                                double *y)
{
    DLS_ASSERT(d >= 1 && d <= 5);
    if (d == 3)
        apply_transposed(3, count, B, x, y);
    else if (d == 2)
        apply_transposed(2, count, B, x, y);
    else
        apply_transposed(d, count, B, x, y);
}
