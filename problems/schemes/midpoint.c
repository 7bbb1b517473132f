// SPDX-License-Identifier: Apache-2.0
// Velocities that jump in the middle of a step and are constant elsewhere.
//
//     1. t_m = t_i + h/2,  q_m = q_i + h/2 v_i
//     2. M(q_m) (v_f - v_i) = h F(t_m, q_m, v_i) + H(q_m)^T r + G(q_m)^T lambda,
//        contacts: those with gap(t_m, q_m) <= 0 (system->slack)
//     3. q_f = q_m + h/2 v_f
#include "problems/schemes/midpoint.h"

#include <string.h>

// w = w_ob + E u^- for one E at all contacts.
static void set_restitution(struct dls_problem *p, const double *restitution)
{
    for (int k = 0; k < p->contacts; k++) {
        p->e_n[k] = restitution[0];
        p->e_t[k] = restitution[1];
    }
    dls_step_restitute(p);
}

enum dls_status dls_midpoint_step(struct dls_sim *sim, const double *restitution,
                                  struct dls_error *err)
{
    const struct dls_system *system = sim->system;
    struct dls_arena *a = &sim->step_memory[0];
    double h = sim->h, t_m = sim->t + 0.5 * h;
    double *q = dls_copy(a, sim->q, (size_t)system->nq, sizeof *q);
    double *hF = DLS_RAW(a, double, system->n), *gyro = DLS_RAW(a, double, system->n);
    if (a->failed) return DLS_ENOMEM;
    dls_system_move(system, 0.5 * h, sim->v, q); // q_m
    dls_system_force(system, t_m, q, sim->v, hF, gyro);
    struct dls_step s;
    enum dls_status status = dls_step_open(&s, sim, t_m, q, system->slack);
    if (status) return status;
    if (restitution) set_restitution(&s.problem, restitution);
    for (int i = 0; i < system->n; i++) {
        hF[i] *= h;
        gyro[i] *= h;
    }
    dls_step_glue(&s, hF);
    memcpy(s.problem.f, hF, (size_t)system->n * sizeof *hF);
    dls_csr_add(s.M, 1, sim->v, s.problem.f); // f = M v_i + h F
    s.problem.hF = hF;
    status = dls_step_solve(&s, sim, err);
    if (status) return status;
    dls_system_move(system, 0.5 * h, s.v, q); // q_f
    return dls_sim_advance(
        sim, &s,
        &(struct dls_arrival){
            .q = q, .v = s.v, .solved = true, .percussion = hF, .gyro = gyro});
}
