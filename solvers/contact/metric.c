// SPDX-License-Identifier: Apache-2.0
#include "solvers/contact/metric.h"

#include <math.h>

double dls_metric_fill(double *S, const struct dls_bsr *W)
{
    double largest = 0;
    for (int a = 0; a < W->rows; a++) {
        S[a] = dls_bsr_block_norm(W, W->diag[a]);
        largest = fmax(largest, S[a]);
    }
    if (!(largest > 0)) largest = 1;
    for (int a = 0; a < W->rows; a++)
        if (!(S[a] > 0)) S[a] = largest;
    return largest;
}

static double block_square(const double *x, int d)
{
    double sum = 0;
    for (int i = 0; i < d; i++) sum += x[i] * x[i];
    return sum;
}

double dls_metric_dual_square(const double *S, const struct dls_bsr *W, const double *x)
{
    double sum = 0;
    for (int a = 0; a < W->rows; a++) sum += block_square(x + a * W->d, W->d) / S[a];
    return sum;
}
