// SPDX-License-Identifier: Apache-2.0
// The theta-scheme of Moreau and Jean [Jean1999; AcaryBrogliato2008].
//
//     M (v_{k+1} - v_k) = h F(t_theta, q_theta, v_theta) + H^T r + G^T lambda
//     x_theta = theta x_{k+1} + (1 - theta) x_k,    q_{k+1} = q_k + h v_theta
//     contacts: those with gap <= 0 at the predicted position q_k + gamma h v_k, where
//     M, H and G are taken too
//
// Notation: theta, gamma = options of these names.
// Method: F depends on v_{k+1}, so Newton's method with the matrix
//     M^ = M + h theta C + h^2 theta^2 K,   K = -dF/dq, C = -dF/dv:
//     1. R = M (v - v_k) - h F(v);
//     2. M^ v' = M^ v - R + H^T r + G^T lambda with the contact law, by the solver;
//     3. until the defect |M (v' - v_k) - h F(v') - H^T r - G^T lambda| is rounding.
// One pass where F is linear, one where the system gives no tangents: F is then taken
// at v_k. Systems with gyroscopic terms take those explicitly. Order 1; theta = 1/2 is
// energy-preserving for linear F between impacts, larger theta damps. Fails: Newton's
// method may not converge for strongly nonlinear F and large h.
#include "problems/mechanics/scheme.h"

#include <math.h>
#include <string.h>

struct theta_options {
    double theta, gamma;
};

static const struct dls_option options[] = {
    DLS_REAL(theta_options, theta, 0.5, 0, 1, "implicitness of forces and positions"),
    DLS_REAL(theta_options, gamma, 0.5, 0, 1,
             "steps ahead at which gaps are looked at"),
    {0},
};

enum { NEWTON = 30 };

struct newton {
    struct dls_sim *sim;
    struct dls_step step;
    double theta, h;
    double *v_theta, *q_theta; // where F is taken
    double *hF, *gyro;
};

// h F at theta for the velocity v at the end of the step.
static void forces(struct newton *w, const double *v)
{
    const struct dls_sim *sim = w->sim;
    const struct dls_system *system = sim->system;
    double theta = system->tangent ? w->theta : 0;
    for (int i = 0; i < system->n; i++)
        w->v_theta[i] = theta * v[i] + (1 - theta) * sim->v[i];
    memcpy(w->q_theta, sim->q, (size_t)system->nq * sizeof *sim->q);
    dls_system_move(system, w->theta * w->h, w->v_theta, w->q_theta);
    double t = sim->t + w->theta * w->h;
    dls_system_force(system, t, w->q_theta, w->v_theta, w->hF, w->gyro);
    for (int i = 0; i < system->n; i++) w->gyro[i] *= w->h, w->hF[i] *= w->h;
    dls_step_glue(&w->step, w->hF);
}

// f = M^ v + h F - M (v - v_k)
static void right_side(struct newton *w, const double *v)
{
    double *f = w->step.problem.f;
    memcpy(f, w->hF, (size_t)w->sim->system->n * sizeof *f);
    dls_csr_add(w->step.problem.M, 1, v, f);
    dls_csr_add(w->step.M, -1, v, f);
    dls_csr_add(w->step.M, 1, w->sim->v, f);
}

// |M (v - v_k) - h F - H^T r - G^T lambda| relative to |M v_k| + |h F| + |M v|.
static double defect(const struct newton *w, double *work)
{
    const struct dls_step *s = &w->step;
    int n = s->problem.n;
    double sum = 0, scale = 0;
    memset(work, 0, (size_t)n * sizeof *work);
    dls_csr_add(s->M, 1, s->v, work);
    for (int i = 0; i < n; i++) scale += work[i] * work[i] + w->hF[i] * w->hF[i];
    dls_csr_add(s->M, -1, w->sim->v, work);
    dls_problem_add_transposed(&s->problem, -1, s->r, work);
    if (s->problem.joints) dls_csr_add_transposed(s->problem.G, -1, s->lambda, work);
    for (int i = 0; i < n; i++) sum += (work[i] - w->hF[i]) * (work[i] - w->hF[i]);
    return scale > 0 ? sqrt(sum / scale) : 0;
}

// Newton's iterations; the answer is in w->step.
static enum dls_status solve(struct newton *w, double *work, struct dls_error *err)
{
    const struct dls_system *system = w->sim->system;
    struct dls_step *s = &w->step;
    memcpy(s->v, w->sim->v, (size_t)system->n * sizeof *s->v);
    forces(w, s->v);
    double before = INFINITY;
    for (int k = 0; k < NEWTON; k++) {
        double h = w->theta * w->h;
        struct dls_at at = {w->sim->t + h, w->q_theta, w->v_theta};
        enum dls_status status = dls_step_stiffen(s, system, &at, h * h, h);
        if (status) return status;
        right_side(w, s->v);
        status = dls_step_solve(s, w->sim, err);
        if (status || !system->tangent) return status;
        forces(w, s->v);
        // Some roundings of the forces, or no more progress near them; large forces that
        // cancel leave up to 1e-7 of what remains.
        double now = defect(w, work);
        if (now < 1e-13 || (now < 1e-7 && now > 0.5 * before)) return DLS_OK;
        before = now;
    }
    return dls_fail(err, DLS_ENUMERIC, "theta: the forces did not converge at t = %g",
                    w->sim->t);
}

static enum dls_status step(struct dls_sim *sim, struct dls_error *err)
{
    const struct theta_options *o = sim->options;
    const struct dls_system *system = sim->system;
    struct dls_arena *a = &sim->step_memory[0];
    int n = system->n;
    struct newton w = {
        .sim = sim,
        .theta = o->theta,
        .h = sim->h,
        .v_theta = DLS_NEW(a, double, n),
        .q_theta = DLS_NEW(a, double, system->nq),
        .hF = DLS_NEW(a, double, n),
        .gyro = DLS_NEW(a, double, n),
    };
    double *q = dls_copy(a, sim->q, (size_t)system->nq, sizeof *q);
    double *work = DLS_NEW(a, double, n);
    if (a->failed) return DLS_ENOMEM;
    dls_system_move(system, o->gamma * sim->h, sim->v, q); // predicted
    enum dls_status status =
        dls_step_open(&w.step, sim, sim->t + o->gamma * sim->h, q, system->slack);
    if (!status) status = solve(&w, work, err);
    if (status) return status;
    if (!system->tangent) w.step.problem.hF = w.hF;
    for (int i = 0; i < n; i++)
        w.v_theta[i] = o->theta * w.step.v[i] + (1 - o->theta) * sim->v[i];
    memcpy(q, sim->q, (size_t)system->nq * sizeof *q);
    dls_system_move(system, sim->h, w.v_theta, q); // q_{k+1} = q_k + h v_theta
    return dls_sim_advance(
        sim, &w.step,
        &(struct dls_arrival){
            .q = q, .v = w.step.v, .percussion = w.hF, .gyro = w.gyro});
}

const struct dls_scheme dls_scheme_theta = {
    .name = "theta",
    .brief =
        "theta-scheme of Moreau and Jean, forces implicit where tangents are given",
    .cite = "Jean1999",
    .frames = true,
    .glue = true,
    .options = options,
    .options_size = sizeof(struct theta_options),
    .step = step,
};
