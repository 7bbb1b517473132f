// SPDX-License-Identifier: Apache-2.0
// The energy ledger of a run [Moreau2004, eq. (48)-(50)].
//
// A step takes v^- to v^+ by  M (v^+ - v^-) = h F + H^T r + G^T lambda.  Multiplied by
// v_bar = (v^- + v^+) / 2 this is, with u_bar = H v_bar + w_ob,
//
//     T^+ - T^- = r.u_bar  - r.w_ob  + lambda.(G v_bar) + h F.v_bar
//                 contacts  obstacles  joints             external + gyroscopic
//
// and of glued contacts, whose impulses are part of h F, the work of bonds.c.
//
// whatever the scheme and the contact law: what is left over measures how well the
// momentum balance was solved. Where M depends on q, T changes between two steps at the
// same v; that is the item `inertia`.
//
// A step is flagged when A = r.u_bar is positive by more than the error left in (r, u):
// the residual rho = residual |q| bounds the error of both (that of u^- was up to tol
// |q| a step before), hence the allowance 10 rho (|r| + |u_bar|), and 1e-12 |r| |u_bar|
// for rounding.
#include "problems/mechanics/ledger.h"

#include "problems/mechanics/scheme.h"

#include "base/contract.h"

#include <math.h>

double dls_kinetic_energy(const struct dls_csr *M, const double *v)
{
    return 0.5 * dls_csr_square(M, v);
}

void dls_ledger_start(struct dls_ledger *l, double kinetic, double potential)
{
    *l = (struct dls_ledger){
        .kinetic_start = kinetic,
        .potential_start = potential,
        .kinetic = kinetic,
        .potential = potential,
    };
}

// The items of one step.
struct items {
    double normal, tangential, obstacles, joints, external, gyroscopic, cohesion;
    double r2, u2; // |r|^2, |u_bar|^2
};

// H v_bar. Where v^+ is what the step problem was solved for, H v^- = u^- - w_ob and
// H v^+ = u - w are known.
static void mean_velocities(const struct dls_step *s, const struct dls_passage *p)
{
    const struct dls_problem *problem = &s->problem;
    for (int i = 0; i < problem->n; i++)
        s->v_bar[i] = 0.5 * (p->v_minus[i] + p->v_plus[i]);
    if (p->solved)
        for (int i = 0; i < problem->m; i++)
            s->u_bar[i] = 0.5
                          * ((problem->u_minus[i] - problem->w_ob[i])
                             + (s->u[i] - problem->w[i]));
    else
        dls_problem_map(problem, s->v_bar, NULL, s->u_bar);
}

static struct items measure(const struct dls_step *s, const struct dls_passage *p)
{
    const struct dls_problem *problem = &s->problem;
    struct items it = {0};
    mean_velocities(s, p);
    for (int k = 0, i = 0; k < problem->contacts; k++)
        for (int row = 0; row < problem->d; row++, i++) {
            double w = problem->w_ob[i], u_bar = s->u_bar[i] + w;
            double work = s->r[i] * u_bar;
            if (row == 0)
                it.normal += work;
            else
                it.tangential += work;
            it.obstacles -= s->r[i] * w;
            it.r2 += s->r[i] * s->r[i];
            it.u2 += u_bar * u_bar;
        }
    for (int i = 0; i < problem->joints; i++)
        it.joints += s->lambda[i] * dls_csr_row_product(problem->G, i, s->v_bar);
    for (int i = 0; i < problem->n; i++) {
        it.gyroscopic += p->gyro[i] * s->v_bar[i];
        it.external += (p->percussion[i] - p->gyro[i]) * s->v_bar[i];
    }
    for (int i = 0; s->glue && i < problem->n; i++)
        it.cohesion += s->glue[i] * s->v_bar[i];
    it.external -= it.cohesion;
    it.cohesion += s->glue_driven;
    it.obstacles -= s->glue_driven;
    it.joints += p->joint_work;
    it.external -= p->joint_work;
    return it;
}

static void flag(struct dls_ledger *l, const struct dls_step *s,
                 const struct dls_passage *p, const struct items *it)
{
    double work = it->normal + it->tangential, r = sqrt(it->r2), u = sqrt(it->u2);
    double rho = fmax(s->residual, s->tol) * s->free_norm;
    double allowed = 10 * rho * (r + u) + 1e-12 * r * u;
    if (!(work > allowed)) return;
    l->flagged++;
    if (work <= l->worst_work) return;
    l->worst_work = work;
    l->worst_time = p->t;
}

void dls_ledger_book(struct dls_ledger *l, const struct dls_step *s,
                     const struct dls_passage *p)
{
    DLS_ASSERT(s->M && p->v_minus && p->v_plus && p->percussion && p->gyro);
    struct items it = measure(s, p);
    double before = dls_kinetic_energy(s->M, p->v_minus);
    double after = dls_kinetic_energy(s->M, p->v_plus);
    double sum = it.normal + it.tangential + it.obstacles + it.joints + it.external
                 + it.gyroscopic + it.cohesion;
    double defect = after - before - sum;
    double scale = fmax(fmax(before, after), fabs(it.external));
    scale = fmax(scale, fmax(fabs(it.normal), fabs(it.tangential)));
    scale = fmax(scale, fmax(fabs(it.obstacles), fabs(it.joints)));
    scale = fmax(scale, fabs(it.cohesion));
    l->inertia += before - l->kinetic;
    l->kinetic = after;
    l->potential = p->potential;
    l->normal += it.normal;
    l->tangential += it.tangential;
    l->obstacles += it.obstacles;
    l->joints += it.joints;
    l->external += it.external;
    l->gyroscopic += it.gyroscopic;
    l->cohesion += it.cohesion;
    l->defect += defect;
    if (scale > 0) l->worst_defect = fmax(l->worst_defect, fabs(defect) / scale);
    l->steps++;
    if (s->problem.contacts) flag(l, s, p, &it);
}
