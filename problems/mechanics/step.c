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

#include "formulations/parts/inertia.h"

#include "base/clock.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

// Elliptic friction cones, where some contact has one.
static void fill_ellipses(struct dls_problem *p, const struct dls_contacts *c,
                          struct dls_arena *a)
{
    for (int k = 0; k < p->contacts; k++) {
        if (!(c->all[k].mu_2 > 0)) continue;
        if (!p->mu_2) p->mu_2 = dls_copy(a, p->mu, (size_t)p->contacts, sizeof *p->mu);
        if (!p->mu_2) return;
        p->mu_2[k] = c->all[k].mu_2;
    }
}

struct filling {
    struct dls_problem *problem;
    uint64_t *id;
    const struct dls_contacts *contacts;
};

static void fill_some(void *data, int from, int to)
{
    const struct filling *all = data;
    struct dls_problem *p = all->problem;
    for (int k = from; k < to; k++) {
        const struct dls_contact *contact = &all->contacts->all[k];
        all->id[k] = contact->id;
        p->mu[k] = contact->law.mu;
        p->e_n[k] = contact->law.e_n;
        p->e_t[k] = contact->law.e_t;
        if (p->rolling) p->mu_r[k] = contact->mu_r;
        p->gap[k] = contact->gap;
        p->body_pair[2 * k] = contact->body;
        p->body_pair[2 * k + 1] = contact->other;
        memcpy(p->position + 3 * k, &contact->point, sizeof contact->point);
    }
}

static void fill_contacts(struct dls_step *s, const struct dls_contacts *c)
{
    struct filling all = {&s->problem, s->id, c};
    dls_share(c->threads, c->count, fill_some, &all);
}

void dls_step_restitute(struct dls_problem *p)
{
    dls_problem_map(p, p->v_minus, p->w_ob, p->u_minus); // u^- = H v^- + w_ob
    for (int k = 0, i = 0; k < p->contacts; k++)
        for (int row = 0; row < p->d; row++, i++) {
            double e = dls_problem_restitution(p, k, row);
            p->w[i] = p->w_ob[i] + e * p->u_minus[i]; // w = w_ob + E u^-
        }
}

// Friction and restitution that depend on u^- [Moreau1994, 6].
static void apply_impact(struct dls_step *s, const struct dls_system *system)
{
    struct dls_problem *p = &s->problem;
    if (!system->impact) return;
    for (int k = 0; k < p->contacts; k++) {
        struct dls_law law = s->contact[k].law;
        system->impact(system, &s->contact[k], p->u_minus + k * p->d, &law);
        p->mu[k] = law.mu;
        p->e_n[k] = law.e_n;
        p->e_t[k] = law.e_t;
    }
    dls_step_restitute(p);
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
    if (!p->bodies) return;
    for (int k = 0; k <= p->bodies; k++)
        p->body_start[k] = k * (system->n / system->bodies);
}

static void allocate(struct dls_step *s, const struct dls_system *system,
                     const struct dls_contacts *c)
{
    struct dls_arena *a = s->arena;
    size_t n = (size_t)system->n, nc = (size_t)c->count, m = nc * (size_t)system->d;
    s->problem = (struct dls_problem){
        .contacts = c->count,
        .d = system->d,
        .rolling = system->rolling,
        .m = c->count * system->d,
        .n = system->n,
        .bodies = system->bodies,
        .mu = DLS_RAW(a, double, nc),
        .mu_r = system->rolling ? DLS_RAW(a, double, nc) : NULL,
        .f = DLS_NEW(a, double, n),
        .w = DLS_RAW(a, double, m),
        .v_minus = DLS_RAW(a, double, n),
        .u_minus = DLS_RAW(a, double, m),
        .w_ob = c->w_ob,
        .e_n = DLS_RAW(a, double, nc),
        .e_t = DLS_RAW(a, double, nc),
        .gap = DLS_RAW(a, double, nc),
        .position = DLS_RAW(a, double, 3 * nc),
        .body_start = system->bodies ? DLS_RAW(a, int, system->bodies + 1) : NULL,
        .body_pair = DLS_RAW(a, int, 2 * nc),
    };
    s->id = DLS_RAW(a, uint64_t, nc);
    s->r = DLS_NEW(a, double, m);
    s->u = DLS_RAW(a, double, m);
    s->v = DLS_RAW(a, double, n);
    s->u_bar = DLS_RAW(a, double, m);
    s->v_bar = DLS_RAW(a, double, n);
}

// H as frames where the system gives them, and in rows where somebody reads those.
static bool fill_rows(struct dls_step *s, const struct dls_contacts *c,
                      const struct dls_sim *sim)
{
    struct dls_problem *p = &s->problem;
    const struct dls_setup *setup = &sim->setup;
    if (c->frame) {
        struct dls_frames *f = DLS_NEW(s->arena, struct dls_frames, 1);
        struct dls_twist *work = DLS_RAW(s->arena, struct dls_twist, p->bodies);
        if (s->arena->failed) return false;
        *f = dls_contacts_frames(c, sim->system);
        f->work = work;
        p->frames = f;
        if (setup->scheme->frames && setup->solver->takes->frames && sim->inertia
            && sim->inertia->diagonal)
            return dls_frames_weigh(f, sim->inertia->diagonal, sim->setup.threads,
                                    s->arena);
    }
    p->H = dls_contacts_rows(c, sim->system, s->arena);
    return p->H;
}

enum dls_status dls_step_open(struct dls_step *s, struct dls_sim *sim, double t,
                              const double *q, double reach)
{
    const struct dls_system *system = sim->system;
    struct dls_arena *a = &sim->step_memory[0];
    struct dls_contacts c;
    *s = (struct dls_step){.arena = a, .tol = sim->setup.settings.tol};
    double start = dls_clock();
    c = dls_contacts_open(system, reach, a);
    c.threads = sim->setup.threads;
    if (!dls_contacts_find(&c, system, t, q)) return DLS_ENOMEM;
    double detected = dls_clock();
    sim->spent[DLS_DETECTION] += detected - start;
    allocate(s, system, &c);
    if (a->failed || !fill_rows(s, &c, sim)) return DLS_ENOMEM;
    s->M = s->problem.M = sim->M ? sim->M : dls_system_mass(system, q, a);
    s->problem.inertia = sim->inertia;
    if (a->failed) return DLS_ENOMEM;
    s->contact = c.all;
    s->problem.time = t;
    s->problem.threads = sim->setup.threads;
    s->problem.step = sim->h;
    memcpy(s->problem.v_minus, sim->v, (size_t)system->n * sizeof *sim->v);
    fill_contacts(s, &c);
    fill_ellipses(&s->problem, &c, a);
    fill_bodies(&s->problem, system);
    dls_step_restitute(&s->problem);
    apply_impact(s, system);
    enum dls_status status = dls_bonds_pull(s, sim, t, q);
    if (status) return status;
    if (!sim->setup.cold && c.count)
        dls_warm_start(&sim->warm, dls_step_names(s), c.count, s->r);
    status = fill_joints(s, system, t, q);
    sim->spent[DLS_PREPARATION] += dls_clock() - detected;
    return status;
}

enum dls_status dls_step_stiffen(struct dls_step *s, const struct dls_system *system,
                                 const struct dls_at *at, double a, double b)
{
    if (!system->tangent) return DLS_OK;
    if (!dls_problem_rows(&s->problem, s->arena)) return DLS_ENOMEM;
    s->problem.frames = NULL; // they are for a diagonal M
    s->problem.inertia = NULL;
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

void dls_step_glue(const struct dls_step *s, double *percussion)
{
    for (int i = 0; s->glue && i < s->problem.n; i++) percussion[i] += s->glue[i];
}

// u, v and lambda of the impulses that the judge measured last.
static void answer(struct dls_step *s, const struct dls_judge *judge)
{
    const struct dls_problem *p = &s->problem;
    memcpy(s->v, dls_judge_v(judge), (size_t)p->n * sizeof *s->v);
    memcpy(s->u, dls_judge_u(judge), (size_t)p->m * sizeof *s->u);
    if (p->joints)
        memcpy(s->lambda, dls_judge_lambda(judge),
               (size_t)p->joints * sizeof *s->lambda);
    s->free_norm = dls_judge_q_norm(judge);
}

// The solver's part; the measures are those of its answer.
static enum dls_status solve(struct dls_step *s, struct dls_sim *sim,
                             struct dls_error *err)
{
    const struct dls_setup *setup = &sim->setup;
    struct dls_settings settings = setup->settings;
    struct dls_stats stats;
    settings.booked = true; // by the ledger
    s->status =
        dls_sequence_solve(&sim->sequence, setup->solver, &setup->solver_options,
                           &s->problem, &settings, s->r, &stats);
    sim->spent[DLS_PREPARATION] += stats.build_time + stats.create_time;
    sim->spent[DLS_SOLUTION] += stats.solve_time;
    s->iterations += stats.iterations;
    s->relaxes = stats.relaxes;
    s->measures = stats.measures;
    if (stats.relaxes) s->residual = stats.own;
    // A solver of another law has finished it; the judge measures Coulomb's.
    if (s->status == DLS_FINISHED && stats.own <= s->tol) s->status = DLS_OK;
    if (s->status < 0 || s->status == DLS_UNSUPPORTED || s->status == DLS_STOPPED)
        return dls_fail(err, s->status, "%s: %s", setup->solver->name, stats.message);
    return DLS_OK;
}

enum dls_status dls_step_solve(struct dls_step *s, struct dls_sim *sim,
                               struct dls_error *err)
{
    s->status = DLS_OK;
    s->residual = NAN;
    double start = dls_clock(), solving = sim->spent[DLS_PREPARATION];
    solving += sim->spent[DLS_SOLUTION];
    dls_sequence_next(&sim->sequence);
    enum dls_status status = dls_sequence_judge(&sim->sequence, &s->problem, err);
    if (!status && s->problem.contacts)
        status = solve(s, sim, err);
    else if (!status)
        dls_judge_measure(sim->sequence.judge, s->r, &s->measures);
    if (!status) answer(s, sim->sequence.judge);
    if (isnan(s->residual))
        s->residual = dls_measured(&s->measures, sim->setup.settings.measure);
    dls_sequence_next(&sim->sequence); // the problem does not outlive the step
    solving = sim->spent[DLS_PREPARATION] + sim->spent[DLS_SOLUTION] - solving;
    sim->spent[DLS_JUDGEMENT] += dls_clock() - start - solving; // all the rest
    return status;
}
