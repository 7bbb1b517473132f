// SPDX-License-Identifier: Apache-2.0
// The step problem of a system at one configuration, and its solution by any solver.
//
//     M v = f + H^T r + G^T lambda,  G v + b = 0,  u = H v + w,  w = w_ob + E u^-,
//     u^- = H v^- + w_ob,  E = diag(e_n, e_t, e_t)
//
// The scheme sets f (and replaces M or w where its own discretisation asks for it). The
// start of the solver is the last step's impulse of the same contact. Velocities are
// recomputed from the impulses by the judge, never taken from the solver.
#include "problems/mechanics/scheme.h"

#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_id(const void *key, const void *entry)
{
    uint64_t a = *(const uint64_t *)key, b = ((const struct dls_warm_entry *)entry)->id;
    return (a > b) - (a < b);
}

static void start_from(struct dls_step *s, const struct dls_warm *warm)
{
    int d = s->problem.d;
    for (int k = 0; k < s->problem.contacts && warm->count; k++) {
        const struct dls_warm_entry *found =
            bsearch(&s->contact[k].id, warm->all, (size_t)warm->count,
                    sizeof *warm->all, compare_id);
        if (found) memcpy(s->r + k * d, found->r, (size_t)d * sizeof *s->r);
    }
}

static void fill_contacts(struct dls_problem *p, const struct dls_contacts *c)
{
    for (int k = 0; k < p->contacts; k++) {
        const struct dls_contact *contact = &c->all[k];
        p->mu[k] = contact->law.mu;
        p->e_n[k] = contact->law.e_n;
        p->e_t[k] = contact->law.e_t;
        if (p->rolling) p->mu_r[k] = contact->mu_r;
        p->gap[k] = contact->gap;
        p->body_pair[2 * k] = contact->body;
        p->body_pair[2 * k + 1] = contact->other;
        memcpy(p->position + 3 * k, &contact->point, sizeof contact->point);
    }
    if (p->m) memcpy(p->w_ob, c->w_ob, (size_t)p->m * sizeof *p->w_ob);
}

void dls_step_restitute(struct dls_problem *p)
{
    memcpy(p->u_minus, p->w_ob, (size_t)p->m * sizeof *p->w);
    dls_csr_add(p->H, 1, p->v_minus, p->u_minus); // u^- = H v^- + w_ob
    for (int i = 0; i < p->m; i++) {
        double e = dls_problem_restitution(p, i / p->d, i % p->d);
        p->w[i] = p->w_ob[i] + e * p->u_minus[i]; // w = w_ob + E u^-
    }
}

static enum dls_status fill_joints(struct dls_step *s, const struct dls_system *system,
                                   double t, const double *q)
{
    struct dls_problem *p = &s->problem;
    p->joints = system->joints;
    if (!p->joints) return DLS_OK;
    struct dls_arena scratch = dls_arena_scratch(s->arena);
    struct dls_entries G = {.arena = &scratch};
    s->g = DLS_NEW(s->arena, double, p->joints);
    s->lambda = DLS_NEW(s->arena, double, p->joints);
    p->b = DLS_NEW(s->arena, double, p->joints);
    if (!s->arena->failed) {
        system->joint(system, t, q, &G, s->g, p->b);
        p->G = dls_entries_close(&G, p->joints, p->n, s->arena);
    }
    dls_arena_free(&scratch);
    return s->arena->failed ? DLS_ENOMEM : DLS_OK;
}

static void fill_bodies(struct dls_problem *p, const struct dls_system *system)
{
    p->bodies = system->bodies;
    if (!p->bodies) return;
    for (int k = 0; k <= p->bodies; k++)
        p->body_start[k] = k * (system->n / system->bodies);
}

static void allocate(struct dls_step *s, const struct dls_system *system, int contacts)
{
    struct dls_arena *a = s->arena;
    size_t n = (size_t)system->n, nc = (size_t)contacts, m = nc * (size_t)system->d;
    s->problem = (struct dls_problem){
        .contacts = contacts,
        .d = system->d,
        .rolling = system->rolling,
        .m = contacts * system->d,
        .n = system->n,
        .mu = DLS_NEW(a, double, nc),
        .mu_r = system->rolling ? DLS_NEW(a, double, nc) : NULL,
        .f = DLS_NEW(a, double, n),
        .w = DLS_NEW(a, double, m),
        .v_minus = DLS_NEW(a, double, n),
        .u_minus = DLS_NEW(a, double, m),
        .w_ob = DLS_NEW(a, double, m),
        .e_n = DLS_NEW(a, double, nc),
        .e_t = DLS_NEW(a, double, nc),
        .gap = DLS_NEW(a, double, nc),
        .position = DLS_NEW(a, double, 3 * nc),
        .body_start = system->bodies ? DLS_NEW(a, int, system->bodies + 1) : NULL,
        .body_pair = DLS_NEW(a, int, 2 * nc),
    };
    s->r = DLS_NEW(a, double, m);
    s->u = DLS_NEW(a, double, m);
    s->v = DLS_NEW(a, double, n);
}

enum dls_status dls_step_open(struct dls_step *s, struct dls_sim *sim, double t,
                              const double *q, double reach)
{
    const struct dls_system *system = sim->system;
    struct dls_arena *a = &sim->step_memory[0];
    struct dls_contacts c;
    *s = (struct dls_step){.arena = a, .tol = sim->setup.settings.tol};
    if (!dls_system_contacts(system, t, q, reach, &c, a)) return DLS_ENOMEM;
    allocate(s, system, c.count);
    s->problem.H = dls_entries_close(&c.H, s->problem.m, system->n, a);
    s->M = s->problem.M = dls_system_mass(system, q, a);
    if (a->failed) return DLS_ENOMEM;
    s->contact = c.all;
    s->problem.time = t;
    s->problem.step = sim->h;
    memcpy(s->problem.v_minus, sim->v, (size_t)system->n * sizeof *sim->v);
    fill_contacts(&s->problem, &c);
    fill_bodies(&s->problem, system);
    dls_step_restitute(&s->problem);
    if (!sim->setup.cold) start_from(s, &sim->warm);
    return fill_joints(s, system, t, q);
}

enum dls_status dls_step_stiffen(struct dls_step *s, const struct dls_system *system,
                                 const struct dls_at *at, double a, double b)
{
    if (!system->tangent) return DLS_OK;
    struct dls_arena scratch = dls_arena_scratch(s->arena);
    struct dls_entries K = {.arena = &scratch}, C = K, all = K;
    system->tangent(system, at->t, at->q, at->v, &K, &C);
    for (int i = 0; i < system->n; i++)
        for (int k = s->M->p[i]; k < s->M->p[i + 1]; k++)
            dls_entries_add(&all, i, s->M->j[k], s->M->x[k]);
    for (int k = 0; k < K.count; k++) dls_entries_add(&all, K.i[k], K.j[k], a * K.x[k]);
    for (int k = 0; k < C.count; k++) dls_entries_add(&all, C.i[k], C.j[k], b * C.x[k]);
    s->problem.M = dls_entries_close(&all, system->n, system->n, s->arena);
    s->problem.v_minus = NULL;
    dls_arena_free(&scratch);
    return s->arena->failed ? DLS_ENOMEM : DLS_OK;
}

// u, v, lambda and the measures of r, by the judge.
static enum dls_status answer(struct dls_step *s, struct dls_error *err)
{
    const struct dls_problem *p = &s->problem;
    struct dls_judge *judge = NULL;
    enum dls_status status = dls_judge_create(&judge, p, s->arena, err);
    if (!status) {
        dls_judge_measure(judge, s->r, &s->measures);
        memcpy(s->v, dls_judge_v(judge), (size_t)p->n * sizeof *s->v);
        memcpy(s->u, dls_judge_u(judge), (size_t)p->m * sizeof *s->u);
        if (p->joints)
            memcpy(s->lambda, dls_judge_lambda(judge),
                   (size_t)p->joints * sizeof *s->lambda);
        s->free_norm = dls_norm(p->m, dls_judge_q(judge));
    }
    dls_judge_destroy(judge);
    return status;
}

enum dls_status dls_step_solve(struct dls_step *s, struct dls_sim *sim,
                               struct dls_error *err)
{
    const struct dls_setup *setup = &sim->setup;
    struct dls_stats stats;
    s->status = DLS_OK;
    s->residual = NAN;
    if (s->problem.contacts) {
        s->status = dls_solve(setup->solver, &setup->solver_options, &s->problem,
                              &setup->settings, s->r, &stats);
        s->iterations += stats.iterations;
        s->relaxes = stats.relaxes;
        if (stats.relaxes) s->residual = stats.own;
        // A solver of another law has finished it; the judge measures Coulomb's.
        if (s->status == DLS_FINISHED && stats.own <= s->tol) s->status = DLS_OK;
        if (s->status < 0 || s->status == DLS_UNSUPPORTED || s->status == DLS_STOPPED)
            return dls_fail(err, s->status, "%s: %s", setup->solver->name,
                            stats.message);
    }
    enum dls_status status = answer(s, err);
    if (isnan(s->residual))
        s->residual = dls_measured(&s->measures, setup->settings.measure);
    return status;
}
