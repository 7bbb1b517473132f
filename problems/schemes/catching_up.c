// SPDX-License-Identifier: Apache-2.0
// Moreau's catching-up algorithm for motions of first order [Moreau2004, 2.3-2.4].
//
//     M q' = F(t, q) + H^T r,   0 <= gap(t, q) ⟂ r >= 0      (sweeping process: F = 0)
//     q_{k+1} = projection of q_k + h M^-1 F_k on { gap(t_{k+1}, .) >= 0 }, metric M
//
// "Force" means velocity here, M is the metric, and v = (q_{k+1} - q_k) / h comes out.
// Method: the projection as a sequence of step problems with gaps linearised at the
// last iterate q^:
//     M v = F_k + H(q^)^T r,   u_N = H(q^) v + (gap(q^) - H(q^) (q^ - q_k)) / h >= 0,
// until the position repeats to rounding. One pass for polyhedra.
// The ledger of such a run closes, but its kinetic energy is a mere |v|^2 / 2.
// Order 1. Fails: curvature of the obstacle times h |v| above 1, where iterates cycle.
#include "problems/mechanics/scheme.h"

#include <math.h>
#include <string.h>

struct cu_options {
    double reach;
};

static const struct dls_option options[] = {
    DLS_REAL(cu_options, reach, 1e300, 0, 1e300,
             "contacts with larger gaps are skipped"),
    {0},
};

enum { PASSES = 100 };

// w_N = (gap - H_N x) / h with x = h v of the last pass.
static void set_gaps(struct dls_problem *p, const double *v, double h)
{
    for (int k = 0; k < p->contacts; k++) {
        int i = k * p->d;
        p->w[i] = p->gap[k] / h;
        for (int e = p->H->p[i]; e < p->H->p[i + 1]; e++)
            p->w[i] -= p->H->x[e] * v[p->H->j[e]];
    }
    p->u_minus = NULL;
}

static double distance(const double *x, const double *y, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

// Passes until the velocity settles; s holds the last one, v its velocity.
static enum dls_status settle(struct dls_sim *sim, struct dls_step *s, const double *F,
                              double *q, double *v, struct dls_error *err)
{
    const struct cu_options *o = sim->options;
    const struct dls_system *system = sim->system;
    double before = INFINITY, size = 0;
    for (int k = 0; k < PASSES; k++) {
        enum dls_status status = dls_step_open(s, sim, sim->t + sim->h, q, o->reach);
        if (status) return status;
        set_gaps(&s->problem, v, sim->h);
        memcpy(s->problem.f, F, (size_t)system->n * sizeof *F);
        status = dls_step_solve(s, sim, err);
        if (status) return status;
        double change = sim->h * distance(s->v, v, system->n);
        memcpy(v, s->v, (size_t)system->n * sizeof *v);
        memcpy(q, sim->q, (size_t)system->nq * sizeof *q);
        dls_system_move(system, sim->h, v, q);
        for (int i = 0; i < system->nq; i++) size = fmax(size, fabs(q[i]));
        // Rounding, or no more progress near it.
        if (change <= 1e-16 * size || (change <= 1e-10 * size && change >= before))
            return DLS_OK;
        before = change;
    }
    return dls_fail(err, DLS_ENUMERIC, "catching-up: the projection fails at t = %g",
                    sim->t);
}

static enum dls_status step(struct dls_sim *sim, struct dls_error *err)
{
    const struct dls_system *system = sim->system;
    struct dls_arena *a = &sim->step_memory[0];
    int n = system->n;
    double *q = dls_copy(a, sim->q, (size_t)system->nq, sizeof *q);
    double *F = DLS_NEW(a, double, n), *v = DLS_NEW(a, double, n);
    double *percussion = DLS_NEW(a, double, n);
    if (a->failed) return DLS_ENOMEM;
    struct dls_step s;
    system->force(system, sim->t, q, sim->v, F);
    enum dls_status status = settle(sim, &s, F, q, v, err);
    if (status) return status;
    // What closes the balance of a system without inertia.
    dls_csr_add(s.M, 1, v, percussion);
    dls_csr_add(s.M, -1, sim->v, percussion);
    dls_csr_add_transposed(s.problem.H, -1, s.r, percussion);
    if (s.problem.joints) dls_csr_add_transposed(s.problem.G, -1, s.lambda, percussion);
    return dls_sim_advance(
        sim, &s, &(struct dls_arrival){.q = q, .v = v, .percussion = percussion});
}

const struct dls_scheme dls_scheme_catching_up = {
    .name = "catching-up",
    .brief = "Moreau's catching-up algorithm, for motions of first order",
    .cite = "Moreau2004",
    .options = options,
    .options_size = sizeof(struct cu_options),
    .step = step,
};
