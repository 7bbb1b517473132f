// SPDX-License-Identifier: Apache-2.0
// The formulas of residual.c in numbers of 113 bits.
//
//     natural = |r - P_K(r - u~)| / |q|,      u~ = u + (mu |u_T| + mu_r |u_R|) e_N,
//     merit   = sqrt( sum_a l_a |r_a - P_K(r_a - u~_a / l_a)|^2 / sum_a |q_a|^2 / l_a )
//
// The data are doubles and count as exact. A local problem needs one product, u = W r + q.
// In a global one  M v - G^T lambda = f + H^T r,  G v = -b  is solved by iterative
// refinement: the residual in extended precision, the correction by the factor in doubles.
// Each round gains about 16 digits less those of the condition of M; it ends when the
// residual does not halve any more. The eigenvalues l_a are the judge's doubles: they are
// weights and part of the definition.
//
// Cost: some fifty times that of a measure of the judge.
#include "formulations/judge/extended.h"

#include "formulations/judge/cone.h"

#include <string.h>

enum { ROUNDS = 12 };

// y += s A x, y += s A^T x
static void add(const struct dls_csr *A, int s, const dls_quad *x, dls_quad *y)
{
    for (int i = 0; i < A->rows; i++) {
        dls_quad sum = 0;
        for (int k = A->p[i]; k < A->p[i + 1]; k++) sum += A->x[k] * x[A->j[k]];
        y[i] += s * sum;
    }
}

static void add_transposed(const struct dls_csr *A, const dls_quad *x, dls_quad *y)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) y[A->j[k]] += A->x[k] * x[i];
}

// rest <- (f + H^T r + G^T lambda - M v, -b - G v); returns its largest entry.
static double find_rest(struct dls_extended *e, const dls_quad *r)
{
    const struct dls_problem *p = e->problem;
    dls_quad *rest = e->rest, largest = 0;
    for (int i = 0; i < p->n; i++) rest[i] = p->f[i];
    for (int i = 0; i < p->joints; i++) rest[p->n + i] = -p->b[i];
    if (r) add_transposed(p->H, r, rest);
    add(p->M, -1, e->v, rest);
    if (p->joints) {
        add_transposed(p->G, e->lambda, rest);
        add(p->G, -1, e->v, rest + p->n);
    }
    for (int i = 0; i < p->n + p->joints; i++)
        if (dls_quad_abs(rest[i]) > largest) largest = dls_quad_abs(rest[i]);
    return (double)largest;
}

static void solve_inertia(struct dls_extended *e, const dls_quad *r)
{
    const struct dls_problem *p = e->problem;
    size_t n = (size_t)p->n, joints = (size_t)p->joints;
    memset(e->v, 0, n * sizeof *e->v);
    memset(e->lambda, 0, joints * sizeof *e->lambda);
    double size = find_rest(e, r), before = INFINITY, rest = size;
    for (int k = 0; k < ROUNDS && rest > 0 && rest < 0.5 * before; k++) {
        for (size_t i = 0; i < n + joints; i++) e->rhs[i] = (double)e->rest[i];
        dls_inertia_solve(e->inertia, e->rhs, e->rhs + n, e->fix,
                          joints ? e->fix + n : NULL);
        for (size_t i = 0; i < n; i++) e->v[i] += e->fix[i];
        for (size_t i = 0; i < joints; i++) e->lambda[i] += e->fix[n + i];
        before = rest;
        rest = find_rest(e, r);
    }
    e->defect = size > 0 ? rest / size : 0;
}

// u of the impulses r; NULL stands for zero.
static void find_velocities(struct dls_extended *e, const dls_quad *r)
{
    const struct dls_problem *p = e->problem;
    const double *constant = e->inertia ? p->w : p->q;
    for (int k = 0; k < p->m; k++) e->u[k] = constant[k];
    if (e->inertia) {
        solve_inertia(e, r);
        add(p->H, 1, e->v, e->u);
    } else if (r) {
        add(p->W, 1, r, e->u);
    }
}

// --- the natural map ------------------------------------------------------------------

static void clip(dls_quad *y, int count, dls_quad length, dls_quad radius)
{
    if (length > radius)
        for (int i = 0; i < count; i++) y[i] *= radius / length;
}

// y <- P_K(y): the minimum over n of the convex function of cone.c.
static void project(const struct dls_cone *K, dls_quad *y)
{
    dls_quad *y_R = y + 1 + K->tangents, mu = K->mu, nu = K->mu_r;
    dls_quad a = dls_quad_norm(y + 1, K->tangents), b = dls_quad_norm(y_R, K->rolls),
             n = y[0];
    if (n + mu * a + nu * b <= 0) {
        for (int i = 0; i < K->d; i++) y[i] = 0;
        return;
    }
    if (a > mu * n || b > nu * n) {
        dls_quad n_T = (y[0] + mu * a) / (1 + mu * mu);
        dls_quad n_R = (y[0] + nu * b) / (1 + nu * nu);
        n = (y[0] + mu * a + nu * b) / (1 + mu * mu + nu * nu);
        if (a > mu * n_T && b <= nu * n_T) n = n_T;
        if (b > nu * n_R && a <= mu * n_R) n = n_R;
    }
    clip(y + 1, K->tangents, a, mu * n);
    clip(y_R, K->rolls, b, nu * n);
    y[0] = n;
}

// |r - P_K(r - rho u~)|^2
static dls_quad natural_map(const struct dls_cone *K, const dls_quad *r,
                            const dls_quad *u, dls_quad rho)
{
    dls_quad y[DLS_LARGEST_D], sum = 0;
    for (int i = 0; i < K->d; i++) y[i] = r[i] - rho * u[i];
    y[0] -= rho
            * (K->mu * dls_quad_norm(u + 1, K->tangents)
               + K->mu_r * dls_quad_norm(u + 1 + K->tangents, K->rolls));
    project(K, y);
    for (int i = 0; i < K->d; i++) sum += (r[i] - y[i]) * (r[i] - y[i]);
    return sum;
}

// Brings row i of a contact to the units of its tangential rows.
static dls_quad row_scale(const struct dls_problem *p, int contact, int i)
{
    if (!p->rolling || i <= (p->d - 1) / 2) return 1;
    double mu = p->mu[contact], mu_r = p->mu_r[contact];
    return mu > 0 && mu_r > 0 ? (dls_quad)mu_r / mu : 1;
}

// Adds a contact to the squares of both measures.
static void add_contact(const struct dls_extended *e, int a, const dls_quad *r,
                        dls_quad *natural, dls_quad *energy)
{
    const struct dls_problem *p = e->problem;
    const dls_quad *u = e->u + a * p->d;
    double mu_r = p->rolling ? p->mu_r[a] : 0;
    struct dls_cone K = dls_cone_make(p->d, p->rolling, p->mu[a], mu_r), scaled = K;
    dls_quad x[DLS_LARGEST_D], w[DLS_LARGEST_D];
    for (int i = 0; i < p->d; i++) {
        dls_quad s = row_scale(p, a, i);
        x[i] = r[i] / s;
        w[i] = u[i] * s;
        if (s != 1) scaled.mu_r = K.mu;
    }
    *natural += natural_map(&K, r, u, 1);
    *energy += e->l[a] * natural_map(&scaled, x, w, 1 / (dls_quad)e->l[a]);
}

// --- interface ------------------------------------------------------------------------

enum dls_status dls_extended_create(struct dls_extended *e, const struct dls_problem *p,
                                    const struct dls_judge *judge, struct dls_arena *a,
                                    struct dls_error *err)
{
    bool has_merit;
    size_t size = (size_t)p->n + (size_t)p->joints;
    *e = (struct dls_extended){
        .problem = p,
        .l = dls_judge_scales(judge, &has_merit),
        .u = DLS_NEW(a, dls_quad, p->m),
        .v = DLS_NEW(a, dls_quad, p->n),
        .lambda = DLS_NEW(a, dls_quad, p->joints),
        .rest = DLS_NEW(a, dls_quad, size),
        .rhs = DLS_NEW(a, double, size),
        .fix = DLS_NEW(a, double, size),
        .natural = NAN,
        .merit = NAN,
    };
    if (a->failed) return DLS_ENOMEM;
    e->has_merit = has_merit;
    if (dls_problem_is_global(p)) {
        enum dls_status status = dls_inertia_create(&e->inertia, p, a, err);
        if (status) return status;
    }
    find_velocities(e, NULL);
    for (int k = 0; k < p->m; k++) {
        dls_quad scaled = row_scale(p, k / p->d, k % p->d) * e->u[k];
        e->norm_q += e->u[k] * e->u[k];
        e->energy_q += scaled * scaled / e->l[k / p->d];
    }
    e->norm_q = dls_quad_sqrt(e->norm_q);
    e->energy_q = dls_quad_sqrt(e->energy_q);
    return DLS_OK;
}

void dls_extended_destroy(struct dls_extended *e) { dls_inertia_destroy(e->inertia); }

void dls_extended_measure(struct dls_extended *e, const dls_quad *r)
{
    const struct dls_problem *p = e->problem;
    dls_quad natural = 0, energy = 0;
    find_velocities(e, r);
    for (int a = 0; a < p->contacts; a++)
        add_contact(e, a, r + a * p->d, &natural, &energy);
    dls_quad q = e->norm_q > 1e-300 ? e->norm_q : 1;
    dls_quad energy_q = e->energy_q > 1e-300 ? e->energy_q : 1;
    e->natural = (double)(dls_quad_sqrt(natural) / q);
    e->merit = e->has_merit ? (double)(dls_quad_sqrt(energy) / energy_q) : NAN;
}
