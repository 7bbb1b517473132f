// SPDX-License-Identifier: Apache-2.0
#include "solvers/kernel/members.h"

#include "solvers/linear/linear.h"

#include "formulations/delassus.h"
#include "formulations/velocities/velocities.h"

#include <math.h>
#include <stdio.h>

void dls_members_destroy(struct dls_members *m)
{
    for (int k = DLS_MEMBERS - 1; k >= 0; k--) // who borrows before who owns
        if (m->all[k].solver.borrowed) dls_nested_destroy(&m->all[k].solver);
    for (int k = 0; k < DLS_MEMBERS; k++)
        if (!m->all[k].solver.borrowed) dls_nested_destroy(&m->all[k].solver);
}

void dls_members_reset(struct dls_members *m)
{
    for (int k = 0; k < DLS_MEMBERS; k++) {
        m->all[k].turns = m->all[k].penalty = m->all[k].skip = 0;
        m->all[k].left = NAN;
        m->all[k].afresh = true;
    }
}

// The formulation that another member takes too, or NULL.
static const void *shared_form(const struct dls_members *m,
                               const struct dls_formulation *takes)
{
    for (int k = 0; k < DLS_MEMBERS; k++) {
        const struct dls_member *other = m->all + k;
        if (other->created && !other->out && other->solver.solver->takes == takes)
            return other->solver.form;
    }
    return NULL;
}

// Whether it solves another problem: what it finds is no answer.
static bool relaxes(const struct dls_nested *n)
{
    const struct dls_formulation *takes = n->solver->takes;
    return takes->relaxes && takes->relaxes(n->form);
}

enum dls_status dls_members_make(struct dls_members *m, int k)
{
    struct dls_member *member = m->all + k;
    struct dls_error err;
    const char *name = dls_policy[k].name;
    if (member->created) return DLS_OK;
    const void *form = shared_form(m, dls_solver_find(name)->takes);
    enum dls_status status = dls_nested_create(
        &member->solver, name, m->warm ? dls_policy[k].warm : dls_policy[k].cold,
        m->problem, form, m->arena, &err);
    member->created = true;
    member->out = status != DLS_OK || relaxes(&member->solver);
    return status == DLS_ENOMEM ? DLS_ENOMEM : DLS_OK;
}

enum dls_status dls_members_density(const struct dls_members *m, double *density)
{
    const struct dls_delassus *form = shared_form(m, &dls_formulation_delassus);
    int bodies;
    if (form) return dls_velocities_density(form, &bodies, density);
    *density = dls_problem_density(m->problem);
    return DLS_OK;
}

enum dls_status dls_members_factor(const struct dls_members *m, double density,
                                   double *sweeps)
{
    const struct dls_delassus *form = shared_form(m, &dls_formulation_delassus);
    struct dls_linear_cost cost;
    *sweeps = dls_rule.factor_sweeps / fmax(1, density);
    if (!form || form->m < DLS_LINEAR_LARGE) return DLS_OK;
    const struct dls_bsr *W = form->W;
    enum dls_status status = dls_linear_predict_blocks(W, &cost, m->arena);
    if (status != DLS_OK) return status;
    // In the velocities, where these are fewer, all blocks of the factors are smaller.
    double shrink = density > dls_rule.dense ? density * density * density : 1;
    double sweep = 2.0 * W->d * W->d * W->p[W->rows];
    *sweeps += dls_rule.factor_speed * cost.operations / (shrink * sweep);
    return DLS_OK;
}

size_t dls_members_tell(const struct dls_members *m, char *note, size_t room)
{
    size_t used = 0;
    note[0] = 0;
    for (int k = 0; k < DLS_MEMBERS && used < room; k++) {
        double seconds = m->all[k].seconds;
        if (k == DLS_PROX_NEWTON) seconds += m->all[DLS_PROX_NEWTON_ALONE].seconds;
        if (k != DLS_PROX_NEWTON_ALONE && m->all[k].solver.steps > 0)
            used += (size_t)snprintf(note + used, room - used, "%s%s %.3g s",
                                     used ? ", " : "", dls_policy[k].name, seconds);
    }
    return used;
}
