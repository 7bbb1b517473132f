// SPDX-License-Identifier: Apache-2.0
// Moreau's internal moment of a grain, and the mean stress of a set of grains.
//
//     M_i = sum over the contacts c of i  (x_c - x_i) (x) f,      sigma = sum M_i / V
//
// f is the force on i at x_c, x_i the centre. Inside the set the terms x_c (x) f of a
// pair cancel, and Newton's law  m_i a_i = sum f + F_i  with a = (v^+ - v^-) / h turns
// the sum into what is known outside:
//
//     sum M_i  =  sum over forces from outside  x_c (x) f  +  sum x_i (x) (F_i - m_i a_i)
//
// F_i: weight and loads. The identity holds for any accuracy of the solver, because the
// velocities are computed from the impulses. At rest, under gravity or not, every origin
// serves. The antisymmetric part of M_i is the rate of spin.
#include "problems/observe/stress.h"

#include <lapacke.h>

dls_tensor dls_tensor_outer(dls_vec3 a, dls_vec3 b)
{
    double p[] = {a.x, a.y, a.z}, q[] = {b.x, b.y, b.z};
    dls_tensor t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t.x[i][j] = p[i] * q[j];
    return t;
}

dls_tensor dls_tensor_add(dls_tensor a, dls_tensor b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.x[i][j] += b.x[i][j];
    return a;
}

struct dls_principal dls_tensor_principal(const dls_tensor *t, int dim)
{
    struct dls_principal p = {0};
    double s[9], value[3];
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) s[i * dim + j] = 0.5 * (t->x[i][j] + t->x[j][i]);
    LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', dim, s, dim, value); // ascending
    for (int i = 0; i < dim; i++) p.value[i] = value[dim - 1 - i];
    if (dim == 2) p.angle = atan2(s[3], s[1]) * 180 / acos(-1);
    if (p.angle > 90) p.angle -= 180;
    if (p.angle <= -90) p.angle += 180;
    return p;
}

static bool in(const struct dls_observed *o, dls_chosen *chosen, const void *data,
               int grain)
{
    return grain >= 0 && (!chosen || chosen(o, grain, data));
}

dls_tensor dls_internal_moment(const struct dls_observed *o, dls_chosen *chosen,
                               const void *data)
{
    dls_tensor sum = {{{0}}};
    for (int c = 0; c < o->forces; c++) {
        const struct dls_force *f = &o->force[c];
        for (int side = 0; side < 2; side++) {
            int grain = side ? f->other : f->grain;
            if (!in(o, chosen, data, grain)) continue;
            dls_vec3 arm = dls_vec3_sub(f->point, o->grain[grain].pose.at);
            dls_vec3 force = dls_vec3_scale(side ? -1 : 1, f->f);
            sum = dls_tensor_add(sum, dls_tensor_outer(arm, force));
        }
    }
    return sum;
}

dls_tensor dls_external_moment(const struct dls_observed *o, dls_chosen *chosen,
                               const void *data)
{
    dls_tensor sum = {{{0}}};
    for (int c = 0; c < o->forces; c++) {
        const struct dls_force *f = &o->force[c];
        bool first = in(o, chosen, data, f->grain);
        bool second = in(o, chosen, data, f->other);
        if (first == second) continue; // inside or outside as a whole
        dls_vec3 force = dls_vec3_scale(first ? 1 : -1, f->f);
        sum = dls_tensor_add(sum, dls_tensor_outer(f->point, force));
    }
    for (int k = 0; k < o->grains; k++) {
        const struct dls_grain *g = &o->grain[k];
        if (!in(o, chosen, data, k)) continue;
        dls_vec3 a = dls_vec3_scale(1 / o->h, dls_vec3_sub(g->v, g->v_minus));
        dls_vec3 load = dls_vec3_sub(g->applied, dls_vec3_scale(g->mass, a)); // F - m a
        sum = dls_tensor_add(sum, dls_tensor_outer(g->pose.at, load));
    }
    return sum;
}
