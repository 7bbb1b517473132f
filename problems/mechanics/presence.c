// SPDX-License-Identifier: Apache-2.0
// A run whose bodies come and go.
//
// M is diagonal. It and its factor are made once, with a row for every body that may be
// there; a step sees the first n rows of both. A body that comes has its rows written, as
// have those that move up or down a place.
//
// Energies: bodies that come bring their kinetic and potential energy, those that go take
// it. Both are booked as what they brought, net:
//
//     T = T_start + T_brought + works,     V = V_start + V_brought - work of its forces
#include "problems/mechanics/presence.h"

#include "formulations/parts/inertia.h"

#include <limits.h>
#include <string.h>

static struct dls_csr *unit_matrix(int n, struct dls_arena *a)
{
    struct dls_csr *M = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, n + 1), *j = DLS_NEW(a, int, n);
    double *x = DLS_NEW(a, double, n);
    if (a->failed) return NULL;
    for (int k = 0; k < n; k++) p[k] = j[k] = k, x[k] = 1;
    p[n] = n;
    *M = (struct dls_csr){n, n, p, j, x};
    return M;
}

enum dls_status dls_presence_open(struct dls_sim *sim)
{
    const struct dls_system *system = sim->system;
    int room = system->population->room, dof = system->population->velocities;
    if (sim->memory_size) return DLS_UNSUPPORTED;
    struct dls_problem p = {
        .d = system->d,
        .rolling = system->rolling,
        .n = room * dof,
        .M = unit_matrix(room * dof, sim->arena),
        .bodies = room,
        .body_start = DLS_NEW(sim->arena, int, room + 1),
    };
    if (sim->arena->failed) return DLS_ENOMEM;
    for (int k = 0; k <= room; k++) p.body_start[k] = k * dof;
    sim->M = p.M;
    enum dls_status status = dls_inertia_create(&sim->inertia, &p, sim->arena, NULL);
    if (!status) dls_presence_follow(sim, 0);
    return status;
}

void dls_presence_follow(struct dls_sim *sim, int first)
{
    const struct dls_system *s = sim->system;
    int dof = s->population->velocities;
    for (int k = first; k < s->bodies; k++) {
        double *m = sim->M->x + k * dof;
        s->population->mass(s, k, m);
        memcpy(sim->inertia->diagonal + k * dof, m, (size_t)dof * sizeof *m);
    }
    sim->M->rows = sim->M->cols = sim->inertia->n = s->n;
    sim->inertia->bodies = s->bodies;
}

void dls_presence_change(struct dls_sim *sim)
{
    const struct dls_system *s = sim->system;
    struct dls_ledger *l = &sim->ledger;
    struct dls_present p = {sim->t, sim->steps, sim->q, sim->v, INT_MAX};
    double kinetic = l->kinetic, potential = l->potential;
    s->population->change(s, &p);
    if (p.changed == INT_MAX) return;
    dls_presence_follow(sim, p.changed);
    l->kinetic = dls_kinetic_energy(sim->M, sim->v);
    l->potential = dls_system_potential(s, sim->t, sim->q);
    l->kinetic_brought += l->kinetic - kinetic;
    l->potential_brought += l->potential - potential;
}

void dls_presence_idle(struct dls_sim *sim)
{
    sim->steps++;
    sim->t = sim->start + (double)sim->steps * sim->h;
    sim->warm = (struct dls_warm){0};
    dls_presence_forget(sim);
}

void dls_presence_forget(struct dls_sim *sim)
{
    sim->last = (struct dls_step){.problem = {.d = sim->system->d, .step = sim->h}};
}
