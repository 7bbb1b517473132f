// SPDX-License-Identifier: Apache-2.0
// The scheme of Schatzman and Paoli, contacts at the level of positions [Paoli2002].
//
//     M (q_{k+1} - 2 q_k + q_{k-1}) = h^2 F(t_k, q_k, v_k) + h H^T r
//     0 <= g((q_{k+1} + e q_{k-1}) / (1 + e)) ⟂ r_N >= 0
//
// Method: with v_{k+1} = (q_{k+1} - q_k) / h and g linearised at q_k,
//     g_{k+1} = g_k + h u_N(v_{k+1}),   g_{k-1} = g_k - h u_N(v_k),
// the constraint over h (1 + e)^-1 reads
//     u_N = H_N v_{k+1} + w_ob + (1 + e) g_k / h - e u_N(v_k) >= 0:
// a step problem like any other. Tangential rows get Coulomb's law on v_{k+1}, with
// e_t. v is the difference quotient of positions, half a step behind; the first step is
// q_1 = q_0 + h v_0 + h^2 M^-1 F_0. An impact takes two steps; positions never
// penetrate by more than the curvature of g. Order 1. Fails: as explicit as Moreau's
// scheme; contacts farther than `reach` are overlooked.
#include "problems/mechanics/scheme.h"

#include <string.h>

struct sp_options {
    double reach;
};

static const struct dls_option options[] = {
    DLS_REAL(sp_options, reach, 1e300, 0, 1e300,
             "contacts with larger gaps are skipped"),
    {0},
};

// The contact law on positions; recorded files then claim no u^- for it.
static void set_positions(struct dls_problem *p, double h)
{
    for (int k = 0; k < p->contacts; k++) {
        int i = k * p->d;
        p->w[i] =
            p->w_ob[i] + (1 + p->e_n[k]) * p->gap[k] / h - p->e_n[k] * p->u_minus[i];
    }
    p->u_minus = NULL;
}

static enum dls_status step(struct dls_sim *sim, struct dls_error *err)
{
    const struct sp_options *o = sim->options;
    const struct dls_system *system = sim->system;
    struct dls_arena *a = &sim->step_memory[0];
    double h = sim->h;
    double *q = dls_copy(a, sim->q, (size_t)system->nq, sizeof *q);
    double *hF = DLS_NEW(a, double, system->n), *gyro = DLS_NEW(a, double, system->n);
    if (a->failed) return DLS_ENOMEM;
    struct dls_step s;
    enum dls_status status = dls_step_open(&s, sim, sim->t, q, o->reach);
    if (status) return status;
    set_positions(&s.problem, h);
    dls_system_force(system, sim->t, q, sim->v, hF, gyro);
    for (int i = 0; i < system->n; i++) {
        hF[i] *= h;
        gyro[i] *= h;
    }
    dls_step_glue(&s, hF);
    memcpy(s.problem.f, hF, (size_t)system->n * sizeof *hF);
    dls_csr_add(s.M, 1, sim->v, s.problem.f); // f = M v_k + h F
    s.problem.hF = hF;
    status = dls_step_solve(&s, sim, err);
    if (status) return status;
    dls_system_move(system, h, s.v, q); // q_{k+1} = q_k + h v_{k+1}
    return dls_sim_advance(
        sim, &s,
        &(struct dls_arrival){.q = q, .v = s.v, .percussion = hF, .gyro = gyro});
}

const struct dls_scheme dls_scheme_schatzman_paoli = {
    .name = "schatzman-paoli",
    .brief = "central differences with contacts at the level of positions",
    .cite = "Paoli2002",
    .frames = true,
    .glue = true,
    .options = options,
    .options_size = sizeof(struct sp_options),
    .step = step,
};
