// SPDX-License-Identifier: Apache-2.0
#include "tests/support/support_newton.h"

#include <math.h>

double support_newton_defect(const struct dls_bsr *W, const struct dls_contact_value *v,
                             double shift, const double *x, double *size)
{
    int d = W->d;
    double u[3], sum = 0, squares = 0;
    for (int a = 0; a < W->rows; a++) {
        dls_bsr_row(W, a, NULL, x, u);
        for (int i = 0; i < d; i++) {
            double rest = v[a].F[i];
            for (int j = 0; j < d; j++)
                rest += v[a].F_r[i * d + j] * x[a * d + j]
                        + v[a].F_u[i * d + j] * (u[j] + shift * x[a * d + j]);
            sum += rest * rest;
            squares += v[a].F[i] * v[a].F[i];
        }
    }
    *size = sqrt(squares);
    return sqrt(sum);
}

void support_newton_blocks(const struct dls_bsr *W, const struct dls_contact_value *v,
                           double shift, double *N, double *F, double *b)
{
    int d = W->d;
    for (int a = 0; a < W->rows; a++, v++) {
        for (int k = 0; k < d * d; k++) {
            *N++ = v->F_r[k] + shift * v->F_u[k];
            *F++ = v->F_u[k];
        }
        for (int i = 0; i < d; i++) *b++ = -v->F[i];
    }
}
