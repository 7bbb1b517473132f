// SPDX-License-Identifier: Apache-2.0
// The matrix of a Newton step as a product, A = F_r + F_u (W + shift I).
#ifndef DLS_SOLVERS_LINEAR_NEWTON_MATRIX_H
#define DLS_SOLVERS_LINEAR_NEWTON_MATRIX_H

#include "solvers/contact/contact_function.h"

#include "base/bsr.h"

struct dls_newton_matrix {
    const struct dls_bsr *W;
    const struct dls_contact_value *value; // one a contact
    double shift;
};

// y += c A x; u (m entries) is overwritten with W x.
void dls_newton_matrix_add(const struct dls_newton_matrix *, double c, const double *x,
                           double *u, double *y);

#endif
