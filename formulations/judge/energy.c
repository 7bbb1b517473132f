// SPDX-License-Identifier: Apache-2.0
// The energy of a step [Moreau2004, eq. (48)-(50)].
//
// With w = w_ob + E u^-, E = diag(e_n, e_t, e_t), u^- = H v^- + w_ob, u^+ = u - E u^-:
//
//     u_bar = (u^- + u^+) / 2,    A = sum_a r_a . u_bar_a     (contact work; -A is lost)
//     T^+ - T^- = A + hF . v_bar - r . w_ob + lambda . G v_bar,   v_bar = (v^- + v) / 2.
//
// The second line is an identity for any r that satisfies the momentum balance: its defect
// measures round-off and wrong data, never the contact law. r . u_bar > 0 at a single
// contact is possible in a dissipative collision, so it is only counted.
//
// Where u^- is unknown, the dissipation is unknown too. What can be told then is the work
// relative to the free motion q, -(1/2 r . W r + sum r_N (mu |u_T| + mu_r |u_R|)) with
// W r = u - q: by how much the contacts changed the kinetic energy of a step without them.
#include "formulations/judge/energy.h"

#include "formulations/judge/cone.h"
#include "formulations/judge/residual.h"

#include "base/contract.h"

#include <math.h>

static double free_work(const struct dls_problem *p, const struct dls_judge *judge,
                        const double *r)
{
    const double *u = dls_judge_u(judge), *q = dls_judge_q(judge);
    double work = 0;
    for (int k = 0; k < p->m; k++) work += 0.5 * r[k] * (u[k] - q[k]);
    for (int a = 0; a < p->contacts; a++) {
        struct dls_cone K =
            dls_cone_make(p->d, p->rolling, p->mu[a], p->rolling ? p->mu_r[a] : 0);
        if (p->mu_2) K.stretch = p->mu_2[a] / p->mu[a];
        work += r[a * p->d] * dls_cone_shift(&K, u + a * p->d);
    }
    return -work;
}

// A, its normal and tangential (with rolling) parts, per contact.
static void contact_work(struct dls_energy *e, const struct dls_problem *p,
                         const double *u, const double *r, double *work_of)
{
    e->work = e->normal = e->tangential = 0;
    for (int a = 0; a < p->contacts; a++) {
        double parts[2] = {0, 0};
        for (int i = 0; i < p->d; i++) {
            int k = a * p->d + i;
            double plus = u[k] - dls_problem_restitution(p, a, i) * p->u_minus[k];
            parts[i > 0] += r[k] * 0.5 * (p->u_minus[k] + plus);
        }
        e->normal += parts[0];
        e->tangential += parts[1];
        e->positive += parts[0] + parts[1] > 0;
        if (work_of) work_of[a] = parts[0] + parts[1];
    }
    e->work = e->normal + e->tangential;
}

// (f - M v^-)_i: the external percussion where the file does not give it.
static double percussion(const struct dls_problem *p, int i)
{
    if (p->hF) return p->hF[i];
    double sum = p->f[i];
    for (int k = p->M->p[i]; k < p->M->p[i + 1]; k++)
        sum -= p->M->x[k] * p->v_minus[p->M->j[k]];
    return sum;
}

static void balance(struct dls_energy *e, const struct dls_problem *p,
                    const struct dls_judge *judge, const double *r)
{
    const double *v = dls_judge_v(judge), *lambda = dls_judge_lambda(judge);
    e->external = e->obstacles = e->joints = 0;
    for (int i = 0; i < p->n; i++)
        e->external += percussion(p, i) * 0.5 * (p->v_minus[i] + v[i]);
    for (int k = 0; p->w_ob && k < p->m; k++) e->obstacles -= r[k] * p->w_ob[k];
    for (int i = 0; i < p->joints; i++)
        for (int k = p->G->p[i]; k < p->G->p[i + 1]; k++)
            e->joints +=
                lambda[i] * p->G->x[k] * 0.5 * (p->v_minus[p->G->j[k]] + v[p->G->j[k]]);
    e->kinetic_minus = 0.5 * dls_csr_square(p->M, p->v_minus);
    e->kinetic_plus = 0.5 * dls_csr_square(p->M, v);
    e->defect = e->kinetic_plus - e->kinetic_minus
                - (e->work + e->external + e->obstacles + e->joints);
}

void dls_energy_measure(struct dls_energy *e, const struct dls_problem *p,
                        const struct dls_judge *judge, const double *r, double *work_of)
{
    DLS_ASSERT(e && p && judge && r);
    *e = (struct dls_energy){
        .free_work = free_work(p, judge, r),
        .work = NAN,
        .normal = NAN,
        .tangential = NAN,
        .kinetic_minus = NAN,
        .kinetic_plus = NAN,
        .external = NAN,
        .obstacles = NAN,
        .joints = NAN,
        .defect = NAN,
    };
    if (!p->u_minus) return;
    contact_work(e, p, dls_judge_u(judge), r, work_of);
    if (dls_problem_is_global(p) && p->v_minus) balance(e, p, judge, r);
}
