// SPDX-License-Identifier: Apache-2.0
// The nonsmooth generalised-alpha scheme with position correction (GGL)
// [Bruls2014; AcarySlides, (40)-(42)].
//
// Smooth motion is integrated to second order, impacts to first:
//
//     (1 - alpha_m) a' + alpha_m a = (1 - alpha_f) w' + alpha_f w       w = smooth v'
//     q' = q + h v + h^2 (1/2 - beta) a + h^2 beta a' + U               (position jump)
//     v' = v + h (1 - gamma) a + h gamma a' + W                         (velocity jump)
//     M w' = F(t', q', v') + G^T lambda,   G v~' + b = 0                 (v~' = v' - W)
//     D U = H_N^T nu + G^T ...,  0 <= gap(q') ⟂ nu >= 0,  g(q') = 0
//     M W = H^T Lambda + G^T ...,  contact law on H v' + w where gap(q') <= 0
//
// Dashes mark the end of the step. D = M + c h gamma C, c = (1 - alpha_f) / (1 - alpha_m),
// is M where nothing damps (C = 0): the metric of [Bruls2014]. With damping, M U would
// make the problem of the correction unsymmetric; D keeps it symmetric. Kinds of coefficients: `alpha` from the spectral
// radius rho, (42); `newmark` alpha_m = alpha_f = 0; `hht` alpha_m = 0, alpha_f given.
// gamma, beta = 0 stand for 1/2 + alpha_f - alpha_m and (gamma + 1/2)^2 / 4.
//
// Method, one pass:
//   1. Newton's method for w' with U = 0, matrix M^ = D + c h^2 beta K, gives the
//      position q*;
//   2. q' = q* + delta, M^ delta = H_N^T nu + G^T ...; once w' has followed, D times
//      its change is -K delta, delta = U + c h^2 beta times that change, and so
//      M^ delta = D U; gaps linearised again until they hold;
//   3. M w' = F(q', v') + G^T lambda, hence a' and v~';
//   4. M W = H^T Lambda with the contact law, by the solver.
// Passes repeat while v' changes F (forces that depend on velocity).
// Cost: a factorisation of M^ per Newton step, two step problems.
// Fails: strong damping with a large h, where the passes do not settle.
#include "problems/mechanics/scheme.h"

#include "formulations/parts/inertia.h"

#include <math.h>
#include <string.h>

struct alpha_options {
    int kind;
    double rho, alpha_f, gamma, beta, reach;
};

enum { KIND_ALPHA, KIND_NEWMARK, KIND_HHT };

static const struct dls_option options[] = {
    DLS_CHOICE(alpha_options, kind, KIND_ALPHA, "alpha|newmark|hht", "coefficients"),
    DLS_REAL(alpha_options, rho, 0.8, 0, 1, "spectral radius at infinity, of alpha"),
    DLS_REAL(alpha_options, alpha_f, 0.1, 0, 0.333333333333, "of hht"),
    DLS_REAL(alpha_options, gamma, 0, 0, 1, "0 = 1/2 + alpha_f - alpha_m"),
    DLS_REAL(alpha_options, beta, 0, 0, 1, "0 = (gamma + 1/2)^2 / 4"),
    DLS_REAL(alpha_options, reach, 1e300, 0, 1e300,
             "contacts with larger gaps are skipped"),
    {0},
};

enum { NEWTON = 30, PASSES = 50 };

struct alpha {
    struct dls_sim *sim;
    struct dls_arena *arena;
    double alpha_m, alpha_f, gamma, beta, reach, h, t;
    int n, nq;
    const double *a, *w;      // at the start of the step
    double *a_new, *w_new;    // at its end
    double *q, *q_star;       // position with and without the correction
    double *v_smooth, *W, *v; // v~', W, v'
    double *delta, *F, *gyro, *rhs, *shift;
    double *lambda;
};

// --- coefficients and memory ---------------------------------------------------------

static void set_coefficients(struct alpha *s, const struct alpha_options *o)
{
    if (o->kind == KIND_ALPHA) {
        s->alpha_m = (2 * o->rho - 1) / (o->rho + 1);
        s->alpha_f = o->rho / (o->rho + 1);
    } else if (o->kind == KIND_HHT) {
        s->alpha_f = o->alpha_f;
    }
    double best = 0.5 + s->alpha_f - s->alpha_m;
    s->gamma = o->kind != KIND_ALPHA && o->gamma > 0 ? o->gamma : best;
    best = 0.25 * (s->gamma + 0.5) * (s->gamma + 0.5);
    s->beta = o->kind != KIND_ALPHA && o->beta > 0 ? o->beta : best;
    s->reach = o->reach;
}

// a and w of the last step, and the parts of M a and M w that the joints' forces make.
static int memory(const struct dls_system *system) { return 4 * system->n; }

// a_0 = w_0 = M^-1 (F + G^T lambda) with the joints' velocities kept.
static enum dls_status start(struct dls_sim *sim, struct dls_error *err)
{
    const struct dls_system *system = sim->system;
    struct dls_arena *a = &sim->step_memory[0];
    double *F = DLS_NEW(a, double, system->n), *gyro = DLS_NEW(a, double, system->n);
    struct dls_step s;
    struct dls_inertia *inertia = NULL;
    enum dls_status status = dls_step_open(&s, sim, 0, sim->q, -INFINITY);
    if (status || a->failed) return DLS_ENOMEM;
    dls_system_force(system, 0, sim->q, sim->v, F, gyro);
    status = dls_inertia_create(&inertia, &s.problem, a, err);
    if (!status) dls_inertia_solve(inertia, F, NULL, sim->memory, s.lambda);
    dls_inertia_destroy(inertia);
    memcpy(sim->memory + system->n, sim->memory, (size_t)system->n * sizeof *F);
    for (int k = 2; k < 4 && !status && system->joints; k++)
        dls_csr_add_transposed(s.problem.G, 1, s.lambda, sim->memory + k * system->n);
    return status;
}

static enum dls_status prepare(struct alpha *s, struct dls_sim *sim)
{
    const struct dls_system *system = sim->system;
    struct dls_arena *a = &sim->step_memory[0];
    int n = system->n;
    *s = (struct alpha){
        .sim = sim,
        .arena = a,
        .h = sim->h,
        .t = sim->t + sim->h,
        .n = n,
        .nq = system->nq,
        .a = sim->memory,
        .w = sim->memory + n,
        .a_new = DLS_NEW(a, double, n),
        .w_new = dls_copy(a, sim->memory + n, (size_t)n, sizeof(double)),
        .q = DLS_NEW(a, double, system->nq),
        .q_star = DLS_NEW(a, double, system->nq),
        .v_smooth = DLS_NEW(a, double, n),
        .W = DLS_NEW(a, double, n),
        .v = DLS_NEW(a, double, n),
        .delta = DLS_NEW(a, double, n),
        .F = DLS_NEW(a, double, n),
        .gyro = DLS_NEW(a, double, n),
        .rhs = DLS_NEW(a, double, n),
        .shift = DLS_NEW(a, double, n),
        .lambda = DLS_NEW(a, double, system->joints),
    };
    set_coefficients(s, sim->options);
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

// --- the smooth part -----------------------------------------------------------------

// a', v~', v' and q* of the smooth acceleration w'.
static void integrate(struct alpha *s)
{
    double h = s->h;
    for (int i = 0; i < s->n; i++) {
        double a = ((1 - s->alpha_f) * s->w_new[i] + s->alpha_f * s->w[i]
                    - s->alpha_m * s->a[i])
                   / (1 - s->alpha_m);
        s->a_new[i] = a;
        s->v_smooth[i] = s->sim->v[i] + h * (1 - s->gamma) * s->a[i] + h * s->gamma * a;
        s->v[i] = s->v_smooth[i] + s->W[i];
        s->shift[i] =
            h * s->sim->v[i] + h * h * ((0.5 - s->beta) * s->a[i] + s->beta * a);
    }
    memcpy(s->q_star, s->sim->q, (size_t)s->nq * sizeof *s->q);
    dls_system_move(s->sim->system, 1, s->shift, s->q_star);
}

// The step problem at q with M^ = M + c (h gamma C + h^2 beta K).
static enum dls_status open_stiff(struct alpha *s, struct dls_step *step,
                                  const double *q, double reach)
{
    enum dls_status status = dls_step_open(step, s->sim, s->t, q, reach);
    double c = (1 - s->alpha_f) / (1 - s->alpha_m);
    struct dls_at at = {s->t, q, s->v};
    if (status) return status;
    return dls_step_stiffen(step, s->sim->system, &at, c * s->h * s->h * s->beta,
                            c * s->h * s->gamma);
}

// One Newton step for w' at the position q; *change is what it adds to the velocity,
// relative.
static enum dls_status correct(struct alpha *s, const double *q, bool stiff,
                               double *change, struct dls_error *err)
{
    struct dls_step step;
    struct dls_inertia *inertia = NULL;
    double c = (1 - s->alpha_f) / (1 - s->alpha_m), norm = 0, sum = 0;
    enum dls_status status = stiff ? open_stiff(s, &step, q, -INFINITY)
                                   : dls_step_open(&step, s->sim, s->t, q, -INFINITY);
    if (status) return status;
    double *g = DLS_NEW(s->arena, double, step.problem.joints);
    if (s->arena->failed) return DLS_ENOMEM;
    dls_system_force(s->sim->system, s->t, q, s->v, s->F, s->gyro);
    memcpy(s->rhs, s->F, (size_t)s->n * sizeof *s->rhs);
    dls_csr_add(step.M, -1, s->w_new, s->rhs); // F - M w'
    for (int i = 0; i < step.problem.joints; i++) g[i] = step.problem.b[i];
    if (step.problem.joints) dls_csr_add(step.problem.G, 1, s->v_smooth, g);
    for (int i = 0; i < step.problem.joints; i++) g[i] /= -s->h * s->gamma * c;
    status = dls_inertia_create(&inertia, &step.problem, s->arena, err);
    if (!status) dls_inertia_solve(inertia, s->rhs, g, s->shift, s->lambda);
    dls_inertia_destroy(inertia);
    for (int i = 0; i < s->n && !status; i++) {
        s->w_new[i] += s->shift[i];
        sum += s->h * s->h * s->shift[i] * s->shift[i];
        norm += s->h * s->h * s->w_new[i] * s->w_new[i] + s->v[i] * s->v[i];
    }
    *change = norm > 0 ? sqrt(sum / norm) : 0;
    return status;
}

// Newton's method; `moving`: the position follows w', else it is held at q.
static enum dls_status accelerate(struct alpha *s, bool moving, struct dls_error *err)
{
    double change = 0, before = INFINITY;
    for (int k = 0; k < NEWTON; k++) {
        enum dls_status status =
            correct(s, moving ? s->q_star : s->q, moving, &change, err);
        if (status) return status;
        integrate(s);
        // Rounding, or no more progress near it.
        if (change < 1e-14 || (change < 1e-9 && change >= before)) return DLS_OK;
        before = change;
    }
    return dls_fail(err, DLS_ENUMERIC,
                    "alpha: Newton's method does not converge, t = %g", s->t);
}

// --- position correction -------------------------------------------------------------

// Keeps the normal rows of a step problem; w holds what the gaps leave to do.
static enum dls_status normals_only(struct alpha *s, struct dls_step *step)
{
    struct dls_problem *p = &step->problem;
    const struct dls_csr *H = p->H;
    struct dls_entries rows = {.arena = s->arena};
    int d = p->d;
    for (int k = 0; k < p->contacts; k++) {
        p->w[k] = p->gap[k];
        p->mu[k] = 0;
        step->r[k] = 0;
        for (int i = H->p[k * d]; i < H->p[k * d + 1]; i++) {
            p->w[k] -= H->x[i] * s->delta[H->j[i]];
            dls_entries_add(&rows, k, H->j[i], H->x[i]);
        }
    }
    p->d = 1;
    p->m = p->contacts;
    p->rolling = false;
    p->u_minus = p->w_ob = p->e_n = p->e_t = p->mu_2 = NULL;
    p->H = dls_entries_close(&rows, p->m, p->n, s->arena);
    for (int i = 0; i < p->joints; i++) p->b[i] = step->g[i];
    if (p->joints) dls_csr_add(p->G, -1, s->delta, p->b);
    return s->arena->failed ? DLS_ENOMEM : DLS_OK;
}

// How far gaps and joints are from what they should be.
static double violation(const struct dls_step *step)
{
    double worst = 0;
    for (int k = 0; k < step->problem.contacts; k++)
        worst = fmax(worst, -step->contact[k].gap);
    for (int i = 0; i < step->problem.joints; i++)
        worst = fmax(worst, fabs(step->g[i]));
    return worst;
}

// q' = q* + delta with gap(q') >= 0 and g(q') = 0, to rounding of the positions.
static enum dls_status correct_position(struct alpha *s, struct dls_error *err)
{
    memset(s->delta, 0, (size_t)s->n * sizeof *s->delta);
    memcpy(s->q, s->q_star, (size_t)s->nq * sizeof *s->q);
    // Below `rounding` a gap may stay: that of the positions, or what the tolerance of the
    // solver leaves, which is relative to all gaps together, those of far contacts too.
    double before = INFINITY, rounding = 1e-12;
    for (int k = 0; k < NEWTON; k++) {
        struct dls_step step;
        enum dls_status status = open_stiff(s, &step, s->q, s->reach);
        if (status) return status;
        double now = violation(&step);
        if (now < 1e-15 || (now < rounding && now >= before)) return DLS_OK;
        before = now;
        status = normals_only(s, &step);
        if (!status) status = dls_step_solve(&step, s->sim, err);
        if (status) return status;
        rounding = fmax(rounding, 2 * step.tol * step.free_norm);
        memcpy(s->delta, step.v, (size_t)s->n * sizeof *s->delta);
        memcpy(s->q, s->q_star, (size_t)s->nq * sizeof *s->q);
        dls_system_move(s->sim->system, 1, s->delta, s->q);
    }
    return dls_fail(err, DLS_ENUMERIC, "alpha: the position correction fails at t = %g",
                    s->t);
}

// --- velocity jump -------------------------------------------------------------------

// Work of the smooth joint forces G^T lambda over the step. Their percussion follows from
// them as v~' - v does from w', and their memory is moved on.
static double joint_work(struct alpha *s, const struct dls_step *last)
{
    double *mean = s->sim->memory + 2 * s->n, *force = mean + s->n, work = 0;
    memset(s->rhs, 0, (size_t)s->n * sizeof *s->rhs);
    if (last->problem.joints)
        dls_csr_add_transposed(last->problem.G, 1, s->lambda, s->rhs);
    for (int i = 0; i < s->n; i++) {
        double now = ((1 - s->alpha_f) * s->rhs[i] + s->alpha_f * force[i]
                      - s->alpha_m * mean[i])
                     / (1 - s->alpha_m);
        double percussion = s->h * ((1 - s->gamma) * mean[i] + s->gamma * now);
        work += percussion * 0.5 * (s->sim->v[i] + s->v[i]);
        mean[i] = now;
        force[i] = s->rhs[i];
    }
    return work;
}

// M v' = M v~' + H^T Lambda + G^T ..., contacts that touch at q'.
static enum dls_status jump(struct alpha *s, struct dls_step *step, double *change,
                            struct dls_error *err)
{
    double speed = 0, sum = 0, norm = 0;
    for (int i = 0; i < s->n; i++) speed = fmax(speed, fabs(s->v_smooth[i]));
    // What one step at 1e-9 of the speed would close counts as closed.
    enum dls_status status =
        dls_step_open(step, s->sim, s->t, s->q, 1e-9 * s->h * speed + 1e-14);
    if (status) return status;
    dls_csr_add(step->M, 1, s->v_smooth, step->problem.f);
    status = dls_step_solve(step, s->sim, err);
    for (int i = 0; i < s->n && !status; i++) {
        double W = step->v[i] - s->v_smooth[i];
        sum += (W - s->W[i]) * (W - s->W[i]);
        norm += step->v[i] * step->v[i];
        s->W[i] = W;
        s->v[i] = step->v[i];
    }
    *change = norm > 0 ? sqrt(sum / norm) : 0;
    return status;
}

static enum dls_status step(struct dls_sim *sim, struct dls_error *err)
{
    struct alpha s;
    struct dls_step last;
    enum dls_status status = prepare(&s, sim);
    double change = INFINITY;
    if (status) return status;
    integrate(&s);
    for (int k = 0; k < PASSES && !status && change > 1e-13; k++) {
        status = accelerate(&s, true, err);
        if (!status) status = correct_position(&s, err);
        if (!status) status = accelerate(&s, false, err);
        if (!status) status = jump(&s, &last, &change, err);
        if (!status && !last.problem.contacts && !last.problem.joints) break;
    }
    if (status) return status;
    if (!(change <= 1e-10) && last.problem.m)
        return dls_fail(err, DLS_ENUMERIC, "alpha: the passes do not settle at t = %g",
                        s.t);
    double work = joint_work(&s, &last);
    // The smooth percussion, joints included: M (v~' - v).
    memset(s.rhs, 0, (size_t)s.n * sizeof *s.rhs);
    dls_csr_add(last.M, 1, s.v_smooth, s.rhs);
    dls_csr_add(last.M, -1, sim->v, s.rhs);
    memcpy(sim->memory, s.a_new, (size_t)s.n * sizeof *s.a_new);
    memcpy(sim->memory + s.n, s.w_new, (size_t)s.n * sizeof *s.w_new);
    return dls_sim_advance(
        sim, &last,
        &(struct dls_arrival){
            .q = s.q, .v = s.v, .percussion = s.rhs, .joint_work = work});
}

const struct dls_scheme dls_scheme_alpha = {
    .name = "alpha",
    .brief = "nonsmooth generalised-alpha, Newmark and HHT, with position correction",
    .cite = "Bruls2014",
    .options = options,
    .options_size = sizeof(struct alpha_options),
    .memory = memory,
    .start = start,
    .step = step,
};
