// SPDX-License-Identifier: Apache-2.0
#include "solvers/linear/newton_matrix.h"

void dls_newton_matrix_add(const struct dls_newton_matrix *A, double c, const double *x,
                           double *u, double *y)
{
    int d = A->W->d;
    dls_bsr_multiply(A->W, x, NULL, u);
    for (int a = 0; a < A->W->rows; a++, x += d, u += d, y += d) {
        const struct dls_contact_value *v = A->value + a;
        for (int k = 0; k < d * d; k++)
            y[k / d] +=
                c
                * (v->F_r[k] * x[k % d] + v->F_u[k] * (u[k % d] + A->shift * x[k % d]));
    }
}
