// SPDX-License-Identifier: Apache-2.0
// Rows g.(local components of x) of the program, with l <= ... <= h:
//
//              dual, over r                      primal, over u = H v + w
//     plain    r_N >= 0, r_T = 0                 u_N >= 0
//     cone     n_i.r_T - mu a r_N <= 0           u_N + mu p_i.u_T >= -s
//     cylinder r_N >= 0, |n_i.r_T| <= a s        u_N >= 0, t + p_i.u_T >= 0
//
// with normals n_i, apothem a and vertices p_i of the polygon. Opposite sides of the
// cylinder share a row. The pattern of a row is the union of its components', so that
// turning a polygon moves values only.
#include "formulations/parts/qp_rows.h"

#include <math.h>

int dls_qp_rows(const struct dls_qp *f, int a)
{
    int sides = f->polygon.sides;
    switch (dls_qp_kind_of(f, a)) {
    case DLS_QP_CONE:
        return sides;
    case DLS_QP_CYLINDER:
        return 1 + (f->primal ? sides : sides / 2);
    default:
        return f->primal ? 1 : f->problem->d;
    }
}

void dls_qp_row(const struct dls_qp *f, int a, int k, const double e[2], double g[3])
{
    const struct dls_polygon *P = &f->polygon;
    double mu = f->problem->mu[a];
    enum dls_qp_kind kind = dls_qp_kind_of(f, a);
    g[0] = g[1] = g[2] = 0;
    if (kind == DLS_QP_PLAIN || (kind == DLS_QP_CYLINDER && k == 0)) {
        g[k] = 1;
        return;
    }
    int side = kind == DLS_QP_CYLINDER ? k - 1 : k;
    dls_polygon_turn(e, f->primal ? P->vertex[side] : P->normal[side], g + 1);
    if (kind == DLS_QP_CYLINDER) return;
    g[0] = f->primal ? 1 : -mu * P->apothem;
    if (f->primal) g[1] *= mu, g[2] *= mu;
}

void dls_qp_bounds(const struct dls_qp *f, int a, int k, double s, const double g[3],
                   double bound[2])
{
    enum dls_qp_kind kind = dls_qp_kind_of(f, a);
    bound[0] = 0;
    bound[1] = INFINITY;
    if (f->primal) { // g.(H v + w) >= -s
        double w = 0;
        for (int i = 0; i < f->problem->d; i++)
            w += g[i] * f->problem->w[a * f->problem->d + i];
        bound[0] = -((kind == DLS_QP_CONE ? s : 0) + w) / f->velocity;
    } else if (kind == DLS_QP_CONE) {
        bound[0] = -INFINITY;
        bound[1] = 0;
    } else if (k > 0) {
        bound[1] = kind == DLS_QP_CYLINDER ? f->polygon.apothem * s / f->impulse : 0;
        bound[0] = -bound[1];
    }
}

void dls_qp_fill(const struct dls_qp *f, const double *z, double *x)
{
    const struct dls_csr *A = f->A, *local = f->local;
    int d = f->problem->d;
    for (int a = 0; a < f->problem->contacts; a++)
        for (int i = f->first[a]; i < f->first[a + 1]; i++) {
            double g[3];
            dls_qp_row(f, a, i - f->first[a], dls_qp_turn_of(f, z, a), g);
            for (int c = 0; c < d; c++)
                for (int k = local->p[a * d + c]; k < local->p[a * d + c + 1]; k++)
                    f->work[local->j[k]] += g[c] * local->x[k];
            if (f->slack[a] >= 0 && i > f->first[a]) f->work[f->slack[a]] = 1;
            for (int k = A->p[i]; k < A->p[i + 1]; k++) {
                x[k] = f->work[A->j[k]];
                f->work[A->j[k]] = 0;
            }
        }
    int joints = f->first[f->problem->contacts];
    for (int k = A->p[joints]; k < A->p[A->rows]; k++)
        x[k] = f->problem->G->x[k - A->p[joints]];
}
