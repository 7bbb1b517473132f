// SPDX-License-Identifier: Apache-2.0
// The rows of A that a contact has in the formulation `qp`.
#ifndef DLS_FORMULATIONS_PARTS_QP_ROWS_H
#define DLS_FORMULATIONS_PARTS_QP_ROWS_H

#include "formulations/qp.h"

// How a contact enters the program.
enum dls_qp_kind { DLS_QP_PLAIN, DLS_QP_CONE, DLS_QP_CYLINDER };

static inline enum dls_qp_kind dls_qp_kind_of(const struct dls_qp *f, int a)
{
    if (f->problem->d == 1 || f->problem->mu[a] == 0) return DLS_QP_PLAIN;
    if (f->outer == DLS_QP_FRICTIONLESS) return DLS_QP_PLAIN;
    return f->outer == DLS_QP_TRESCA ? DLS_QP_CYLINDER : DLS_QP_CONE;
}

// The unit vector that turns the polygon of contact a.
static inline const double *dls_qp_turn_of(const struct dls_qp *f, const double *z,
                                           int a)
{
    return f->adapted ? z + f->x_size + f->y_size + 2 * a : f->turn;
}

// How many rows contact a has.
int dls_qp_rows(const struct dls_qp *, int a);

// Row k of contact a as a combination g of its local components, polygon turned by e.
void dls_qp_row(const struct dls_qp *, int a, int k, const double e[2], double g[3]);

// Bounds of that row in nondimensional units; s is the frozen shift or threshold.
void dls_qp_bounds(const struct dls_qp *, int a, int k, double s, const double g[3],
                   double bound[2]);

// Values of A for the polygons turned as in z; f->work is zero before and after.
void dls_qp_fill(const struct dls_qp *, const double *z, double *x);

#endif
