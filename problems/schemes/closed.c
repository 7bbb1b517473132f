// SPDX-License-Identifier: Apache-2.0
// Accelerations while several frictionless contacts are closed [Moreau2004, 5.3].
//
//     M a = F + sum_i lambda_i H_i^T + G^T lambda_G,     G a + (G v + b)' = 0
//     0 <= lambda_i  ⟂  u_i' = H_i a + (H_i v + w_i)' >= 0        i = closed contacts
//
// the primes at fixed v. This is Gauss's principle: of all a that enter no contact the one
// with the least deviation from M^-1 F. Without the lambda: W lambda + c, W = H M^-1 H^T.
//
// Method:
//   1. rows are differenced along the motion, forwards and to second order:
//      f' = (-3 f(t) + 4 f(t + e) - f(t + 2 e)) / 2 e;
//   2. active set [LawsonHanson1974]: the contact that is entered fastest becomes active,
//      W lambda = -c is solved on the active ones, and where a force would become negative
//      one goes as far as the first that vanishes, which leaves. The deviation falls with
//      every set, so none comes twice; W of active contacts is regular even where contacts
//      are redundant.
// Cost: three step problems without a solution, k solves with M, k^3 per set.
#include "problems/schemes/closed.h"

#include "formulations/parts/inertia.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

bool dls_closed_has(const struct dls_closed *c, uint64_t id)
{
    for (int k = 0; k < c->count; k++)
        if (c->id[k] == id) return true;
    return false;
}

bool dls_closed_add(struct dls_closed *c, uint64_t id)
{
    if (c->count == c->room) {
        int room = c->room ? 2 * c->room : 8;
        uint64_t *ids = DLS_NEW(c->arena, uint64_t, room);
        c->lambda = DLS_NEW(c->arena, double, room);
        c->opens = DLS_NEW(c->arena, double, room);
        if (c->arena->failed) return false;
        if (c->count) memcpy(ids, c->id, (size_t)c->count * sizeof *ids);
        c->id = ids;
        c->room = room;
    }
    c->id[c->count++] = id;
    return true;
}

void dls_closed_drop(struct dls_closed *c, int at)
{
    c->count--;
    c->id[at] = c->id[c->count];
    c->lambda[at] = c->lambda[c->count];
    c->opens[at] = c->opens[c->count];
}

// --- Gauss's principle ---------------------------------------------------------------

// 0 <= lambda ⟂ W lambda + c >= 0, W symmetric, k x k.
struct gauss {
    int k;
    const double *W, *c;
    double *lambda, *y; // y = W lambda + c
    double *trial;      // forces that hold the active contacts
    double *A;          // W of the active ones
    int *active;
    int count; // active ones
};

static void residual(struct gauss *g)
{
    for (int i = 0; i < g->k; i++) {
        g->y[i] = g->c[i];
        for (int j = 0; j < g->k; j++) g->y[i] += g->W[i * g->k + j] * g->lambda[j];
    }
}

// W lambda = -c on the active contacts; false where W is singular there.
static bool hold_active(struct gauss *g)
{
    int n = g->count;
    for (int i = 0; i < n; i++) {
        g->trial[i] = -g->c[g->active[i]];
        for (int j = 0; j < n; j++)
            g->A[i * n + j] = g->W[g->active[i] * g->k + g->active[j]];
    }
    return !LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', n, 1, g->A, n, g->trial, 1);
}

// From lambda towards the trial, as far as all forces push; the one that vanishes first
// leaves. True where the trial was reached.
static bool approach(struct gauss *g)
{
    double share = 1;
    int first = -1, kept = 0;
    for (int i = 0; i < g->count; i++) {
        double from = g->lambda[g->active[i]];
        if (g->trial[i] > 0 || from / (from - g->trial[i]) > share) continue;
        share = from > 0 ? from / (from - g->trial[i]) : 0;
        first = i;
    }
    for (int i = 0; i < g->count; i++) {
        int at = g->active[i];
        double to = g->lambda[at] + share * (g->trial[i] - g->lambda[at]);
        bool pushes = i != first && to > 0;
        g->lambda[at] = pushes ? to : 0;
        if (pushes) g->active[kept++] = at;
    }
    g->count = kept;
    return first < 0;
}

static bool find_forces(struct gauss *g, double tolerance)
{
    for (int sets = 0; sets < 20 * g->k + 20; sets++) { // mostly k
        int worst = -1;
        residual(g);
        for (int i = 0; i < g->k; i++)
            if (g->lambda[i] == 0 && g->y[i] < -tolerance
                && (worst < 0 || g->y[i] < g->y[worst]))
                worst = i;
        if (worst < 0) return true;
        g->active[g->count++] = worst;
        do {
            if (!hold_active(g)) return false;
        } while (!approach(g) && g->count);
        if (g->lambda[worst] == 0) return true; // it was rounding
    }
    return false;
}

// --- the motion ----------------------------------------------------------------------

// Where it is asked, and what it is made of.
struct work {
    struct dls_closed *closed;
    struct dls_sim *sim;
    struct dls_motion_at *at;
    struct dls_step step;
    double *rate;  // of joints, then of closed contacts
    double *M_inv; // M^-1 H_i^T of each closed contact, n entries
};

// The row of a closed contact in a step problem; -1 where it is not there.
static int row_of(const struct dls_step *s, uint64_t id)
{
    for (int k = 0; k < s->problem.contacts; k++)
        if (s->contact[k].id == id) return k * s->problem.d;
    return -1;
}

// rate += weight (G v + b, H_i v + w_i) at a step problem.
static void add_rates(struct work *w, const struct dls_step *s, double weight)
{
    const struct dls_problem *p = &s->problem;
    double *rate = w->rate;
    for (int i = 0; i < p->joints; i++)
        *rate++ += weight * (p->b[i] + dls_csr_row_product(p->G, i, w->at->v));
    for (int k = 0; k < w->closed->count; k++, rate++) {
        int row = row_of(s, w->closed->id[k]);
        if (row >= 0)
            *rate += weight * (p->w_ob[row] + dls_csr_row_product(p->H, row, w->at->v));
    }
}

// Contacts are looked for at all only where some are closed.
static double reach(const struct work *w)
{
    return w->closed->count ? 1e300 : -INFINITY;
}

static enum dls_status find_rates(struct work *w)
{
    const struct dls_system *system = w->sim->system;
    // Rows change on the scale of many steps: truncation and rounding are both small.
    double eps = 1e-3 * w->sim->h;
    add_rates(w, &w->step, -1.5 / eps);
    for (int k = 1; k <= 2; k++) {
        struct dls_step ahead;
        double *q = dls_copy(w->step.arena, w->at->q, (size_t)system->nq, sizeof *q);
        if (!q) return DLS_ENOMEM;
        dls_system_move(system, k * eps, w->at->v, q);
        enum dls_status status =
            dls_step_open(&ahead, w->sim, w->at->t + k * eps, q, reach(w));
        if (status) return status;
        add_rates(w, &ahead, k == 1 ? 2 / eps : -0.5 / eps);
    }
    return DLS_OK;
}

// M^-1 H_i^T and W = H M^-1 H^T.
static void fill_W(struct work *w, const struct dls_inertia *inertia, double *W)
{
    const struct dls_csr *H = w->step.problem.H;
    int n = w->step.problem.n, k = w->closed->count;
    for (int i = 0; i < k; i++) {
        int row = row_of(&w->step, w->closed->id[i]);
        double *column = w->M_inv + i * n;
        for (int e = H->p[row]; e < H->p[row + 1]; e++) column[H->j[e]] = H->x[e];
        dls_inertia_solve(inertia, column, NULL, column, w->step.lambda);
        for (int j = 0; j <= i; j++) {
            int other = row_of(&w->step, w->closed->id[j]);
            W[i * k + j] = W[j * k + i] = dls_csr_row_product(H, other, column);
        }
    }
}

// Adds the forces of closed contacts to the free acceleration in at->a.
static enum dls_status hold(struct work *w, const struct dls_inertia *inertia,
                            struct dls_error *err)
{
    struct dls_arena *arena = w->step.arena;
    struct dls_closed *closed = w->closed;
    int n = w->step.problem.n, k = closed->count, joints = w->step.problem.joints;
    double *W = DLS_NEW_TABLE(arena, double, k, k), *c = DLS_NEW(arena, double, k);
    struct gauss g = {
        .k = k,
        .W = W,
        .c = c,
        .lambda = DLS_NEW(arena, double, k),
        .y = DLS_NEW(arena, double, k),
        .trial = DLS_NEW(arena, double, k + 1),
        .A = DLS_NEW(arena, double, (k + 1) * (k + 1)),
        .active = DLS_NEW(arena, int, k + 1),
    };
    w->M_inv = DLS_NEW_TABLE(arena, double, n, k);
    if (arena->failed) return DLS_ENOMEM;
    double scale = 0;
    fill_W(w, inertia, W);
    for (int i = 0; i < k; i++) {
        int row = row_of(&w->step, closed->id[i]);
        c[i] =
            w->rate[joints + i] + dls_csr_row_product(w->step.problem.H, row, w->at->a);
        scale = fmax(scale, fabs(c[i]));
    }
    // Below the rounding of differenced rows nothing is entered.
    if (!find_forces(&g, 1e-12 * scale))
        return dls_fail(err, DLS_ENUMERIC,
                        "event: no forces of closed contacts, t = %g", w->at->t);
    residual(&g);
    for (int i = 0; i < k; i++) {
        closed->lambda[i] = g.lambda[i];
        closed->opens[i] = g.lambda[i] > 0 || g.y[i] < 1e-9 * scale ? 0 : g.y[i];
        for (int j = 0; j < n; j++) w->at->a[j] += g.lambda[i] * w->M_inv[i * n + j];
    }
    return DLS_OK;
}

// v . (M a - F - sum lambda_i H_i^T): what the joints do per unit of time.
static double joint_power(const struct work *w, const double *F)
{
    const struct dls_step *s = &w->step;
    const double *v = w->at->v;
    double power = 0;
    if (!s->problem.joints) return 0;
    for (int i = 0; i < s->problem.n; i++)
        power += v[i] * (dls_csr_row_product(s->M, i, w->at->a) - F[i]);
    for (int k = 0; k < w->closed->count; k++)
        power -= w->closed->lambda[k]
                 * dls_csr_row_product(s->problem.H, row_of(s, w->closed->id[k]), v);
    return power;
}

static enum dls_status accelerate(struct work *w, struct dls_error *err)
{
    const struct dls_system *system = w->sim->system;
    struct dls_motion_at *at = w->at;
    struct dls_inertia *inertia = NULL;
    enum dls_status status = dls_step_open(&w->step, w->sim, at->t, at->q, reach(w));
    if (status) return status;
    struct dls_arena *arena = w->step.arena;
    int joints = system->joints;
    double *F = DLS_NEW(arena, double, system->n);
    double *gyro = DLS_NEW(arena, double, system->n);
    double *free_rate = DLS_NEW(arena, double, joints);
    w->rate = DLS_NEW(arena, double, joints + w->closed->count);
    if (arena->failed) return DLS_ENOMEM;
    for (int k = w->closed->count - 1; k >= 0; k--) // far apart: not closed any more
        if (row_of(&w->step, w->closed->id[k]) < 0) dls_closed_drop(w->closed, k);
    status = find_rates(w);
    if (!status) status = dls_inertia_create(&inertia, &w->step.problem, arena, err);
    if (!status) {
        dls_system_force(system, at->t, at->q, at->v, F, gyro);
        for (int i = 0; i < joints; i++) free_rate[i] = -w->rate[i];
        dls_inertia_solve(inertia, F, free_rate, at->a, w->step.lambda);
        if (w->closed->count) status = hold(w, inertia, err);
    }
    if (!status) at->power = joint_power(w, F);
    dls_inertia_destroy(inertia);
    return status;
}

enum dls_status dls_closed_accelerate(struct dls_closed *closed, struct dls_sim *sim,
                                      struct dls_motion_at *at, struct dls_error *err)
{
    struct dls_arena before = sim->step_memory[0];
    sim->step_memory[0] = dls_arena_scratch(sim->pool); // freed again below
    struct work w = {.closed = closed, .sim = sim, .at = at};
    enum dls_status status = accelerate(&w, err);
    dls_arena_free(&sim->step_memory[0]);
    sim->step_memory[0] = before;
    return status;
}
