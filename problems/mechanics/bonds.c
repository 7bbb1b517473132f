// SPDX-License-Identifier: Apache-2.0
// Bonds: cohesion as a law of any contact, known to a step before it is solved.
//
// A bond joins two material points that were one when it was made. Its opening u at the
// configuration (t, q) of a step gives the damage of the step and the force R of
// cohesion.c, hence an impulse
//     glue = h sum H_b^T R_b,     f <- f + glue
// on the right side of the step problem, which stays one of Coulomb: contacts that are
// closed push, glue pulls. H_b has the rows of the bond, u' = H_b v + w_b, where w_b is
// the velocity of a driven obstacle. The bonds after the step wait in it until it has been
// solved. A glued contact slides with the friction mu (1 - beta): all of it once the glue
// is gone.
//
// Energies: the bodies gain h R . (H_b v_bar), of which h R . u' is the work of the
// glue and -h R . w_b that of the obstacle. Work of the glue, stored and lost energy add
// up to 0 within the error of the scheme.
//
// Accuracy: that of an explicit spring. Fails: h above 2 sqrt(m / C).
#include "problems/mechanics/bonds.h"

#include "problems/mechanics/scheme.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    const struct dls_bond *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

enum dls_status dls_bonds_open(struct dls_sim *sim)
{
    const struct dls_system *system = sim->system;
    if (!system->bonds) return DLS_OK;
    if (system->population) return DLS_UNSUPPORTED; // bonds go by place, not by number
    struct dls_arena scratch = dls_arena_scratch(sim->arena);
    struct dls_contacts c;
    bool found =
        dls_system_contacts(system, sim->t, sim->q, system->slack, &c, &scratch);
    sim->bonds.all = DLS_NEW(sim->arena, struct dls_bond, found ? c.count : 0);
    for (int k = 0; found && !sim->arena->failed && k < c.count; k++) {
        if (!c.all[k].law.cohesion) continue;
        struct dls_bond *bond = &sim->bonds.all[sim->bonds.count++];
        memset(bond, 0, sizeof *bond); // padding goes into checkpoints
        bond->id = c.all[k].id;
        bond->body = c.all[k].body;
        bond->other = c.all[k].other;
        bond->obstacle = c.all[k].obstacle;
        bond->beta = 1;
        bond->law = *c.all[k].law.cohesion;
        system->bonds->bind(system, sim->t, sim->q, &c.all[k], bond);
    }
    dls_arena_free(&scratch);
    if (!found || sim->arena->failed) return DLS_ENOMEM;
    if (sim->bonds.count)
        qsort(sim->bonds.all, (size_t)sim->bonds.count, sizeof *sim->bonds.all, by_id);
    return DLS_OK;
}

// Friction of what is glued in part.
static void weaken(struct dls_step *s, const struct dls_bonds *bonds)
{
    for (int k = 0; k < s->problem.contacts; k++) {
        if (!s->contact[k].law.cohesion) continue;
        struct dls_bond key = {.id = s->contact[k].id};
        const struct dls_bond *bond =
            bsearch(&key, bonds->all, (size_t)bonds->count, sizeof key, by_id);
        if (bond) s->problem.mu[k] *= 1 - s->bond[bond - bonds->all].beta;
    }
}

enum dls_status dls_bonds_pull(struct dls_step *s, const struct dls_sim *sim, double t,
                               const double *q)
{
    const struct dls_system *system = sim->system;
    const struct dls_bonds *bonds = &sim->bonds;
    if (!bonds->count) return DLS_OK;
    int d = dls_system_dim(system);
    s->glue = DLS_NEW(s->arena, double, system->n);
    s->bond = DLS_NEW(s->arena, struct dls_bond, bonds->count);
    if (s->arena->failed) return DLS_ENOMEM;
    for (int k = 0; k < bonds->count; k++) {
        const struct dls_bond *bond = &bonds->all[k];
        struct dls_stretch stretch;
        double impulse[3];
        system->bonds->stretch(system, t, q, bond, &stretch);
        double y = dls_cohesion_drive(&bond->law, d, stretch.u);
        double beta = dls_cohesion_damage(&bond->law, bond->beta, y, sim->h);
        dls_cohesion_force(&bond->law, beta, d, stretch.u, impulse);
        for (int i = 0; i < d; i++) {
            impulse[i] *= sim->h;
            s->glue_driven += impulse[i] * stretch.w[i]; // h R . w_b
        }
        system->bonds->pull(system, t, q, bond, impulse, s->glue);
        s->bond[k] = *bond;
        s->bond[k].beta = beta;
        s->bond[k].drive = y;
        s->glue_lost += dls_cohesion_lost(&bond->law, (double[]){bond->beta, beta},
                                          (double[]){bond->drive, y});
    }
    weaken(s, bonds);
    return DLS_OK;
}

void dls_bonds_advance(struct dls_sim *sim, const struct dls_step *s, double t,
                       const double *q)
{
    const struct dls_system *system = sim->system;
    struct dls_ledger *l = &sim->ledger;
    if (!s->glue) return;
    int d = dls_system_dim(system);
    l->cohesion_lost += s->glue_lost;
    l->cohesion_stored = 0;
    for (int k = 0; k < sim->bonds.count; k++) {
        struct dls_bond *bond = &sim->bonds.all[k];
        struct dls_stretch stretch;
        *bond = s->bond[k];
        system->bonds->stretch(system, t, q, bond, &stretch);
        double y = dls_cohesion_drive(&bond->law, d, stretch.u);
        l->cohesion_stored += dls_cohesion_stored(bond->beta, y);
    }
}
