// SPDX-License-Identifier: Apache-2.0
#include "solvers/kernel/newton_problem.h"

#include "formulations/velocities/velocities.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

static void scale(struct dls_newton_problem *p, const struct dls_delassus *f,
                  double factor)
{
    const struct dls_bsr *W = f->W;
    int d = f->d;
    double *s = p->s, *to = p->W.x;
    for (int a = 0; a < f->contacts; a++) {
        dls_contact_scales(d, dls_bsr_diagonal(W, a), factor, s + a * d);
        p->mu[a] = d > 1 ? f->mu[a] * s[a * d] / s[a * d + 1] : 0;
    }
    for (int a = 0; a < f->contacts; a++)
        for (int k = W->p[a]; k < W->p[a + 1]; k++)
            for (int i = 0; i < d * d; i++)
                *to++ =
                    s[a * d + i / d] * dls_bsr_block(W, k)[i] * s[W->j[k] * d + i % d];
    for (int k = 0; k < f->m; k++) p->q[k] = s[k] * f->q[k];
    p->norm_q = dls_norm(f->m, p->q);
}

static enum dls_status find_velocities(struct dls_newton_problem *p,
                                       const struct dls_delassus *f,
                                       struct dls_arena *a)
{
    enum dls_status status = dls_velocities_find(f);
    if (status != DLS_OK) return status == DLS_UNSUPPORTED ? DLS_OK : status;
    p->H = dls_velocities_scaled(f->velocities, p->s, a);
    p->M = f->velocities->M;
    return p->H ? DLS_OK : DLS_ENOMEM;
}

enum dls_status dls_newton_problem_create(struct dls_newton_problem *p,
                                          const struct dls_delassus *f,
                                          enum dls_contact_function_kind kind,
                                          double factor, struct dls_arena *a)
{
    size_t m = (size_t)f->m,
           entries = (size_t)(f->d * f->d) * (size_t)f->W->p[f->contacts];
    double *vectors = DLS_NEW(a, double, 7 * m);
    *p = (struct dls_newton_problem){
        .contacts = f->contacts,
        .d = f->d,
        .m = f->m,
        .function = dls_contact_function_of(kind),
        .rho = 1,
        .W = *f->W,
        .mu = DLS_NEW(a, double, f->contacts),
        .value = DLS_NEW(a, struct dls_contact_value, f->contacts),
    };
    p->W.x = DLS_RAW(a, double, entries);
    if (a->failed) return DLS_ENOMEM;
    double **part[] = {&p->s, &p->q, &p->centre, &p->x, &p->u, &p->dx, &p->du};
    for (int k = 0; k < 7; k++) *part[k] = vectors + (size_t)k * m;
    scale(p, f, factor);
    return find_velocities(p, f, a);
}

bool dls_newton_problem_symmetric(const struct dls_newton_problem *p)
{
    for (int c = 0; c < p->contacts; c++)
        if (p->mu[c] > 0) return false;
    return dls_bsr_asymmetry(&p->W) <= 1e-14;
}

void dls_newton_problem_enter(struct dls_newton_problem *p, const double *r)
{
    for (int k = 0; k < p->m; k++) p->x[k] = r[k] / p->s[k];
}

void dls_newton_problem_leave(const struct dls_newton_problem *p, double t, double *r)
{
    for (int k = 0; k < p->m; k++) r[k] = p->s[k] * (p->x[k] + t * p->dx[k]);
}

static double shift_of(const struct dls_newton_problem *p, int a)
{
    return p->shifts ? p->shifts[a] : p->shift;
}

double dls_newton_problem_rho(const struct dls_newton_problem *p, int a)
{
    return p->shifts ? fmin(p->rho, 1 / p->shifts[a]) : p->rho;
}

double dls_newton_problem_evaluate(struct dls_newton_problem *p)
{
    int d = p->d;
    double sum = 0, u[3];
    dls_bsr_multiply(&p->W, p->x, p->q, p->u);
    if (p->shift > 0 || p->shifts)
        for (int k = 0; k < p->m; k++)
            p->u[k] += shift_of(p, k / d) * (p->x[k] - p->centre[k]);
    for (int a = 0; a < p->contacts; a++) {
        struct dls_contact_value *v = p->value + a;
        double rho = dls_newton_problem_rho(p, a);
        for (int i = 0; i < d; i++) u[i] = rho * p->u[a * d + i];
        p->function(d, p->mu[a], p->x + a * d, u, v);
        for (int i = 0; i < d * d; i++) v->F_u[i] *= rho;
        for (int i = 0; i < d; i++) sum += v->F[i] * v->F[i];
    }
    return 0.5 * sum;
}

void dls_newton_problem_direct(struct dls_newton_problem *p)
{
    dls_bsr_multiply(&p->W, p->dx, NULL, p->du);
    if (p->shift > 0 || p->shifts)
        for (int k = 0; k < p->m; k++) p->du[k] += shift_of(p, k / p->d) * p->dx[k];
}

double dls_newton_problem_merit(const struct dls_newton_problem *p, double t)
{
    int d = p->d;
    double sum = 0, x[3], u[3];
    struct dls_contact_value v;
    for (int a = 0; a < p->contacts; a++) {
        double rho = dls_newton_problem_rho(p, a);
        for (int i = 0, k = a * d; i < d; i++, k++) {
            x[i] = p->x[k] + t * p->dx[k];
            u[i] = rho * (p->u[k] + t * p->du[k]);
        }
        p->function(d, p->mu[a], x, u, &v);
        for (int i = 0; i < d; i++) sum += v.F[i] * v.F[i];
    }
    return 0.5 * sum;
}

double dls_newton_problem_armijo(const struct dls_newton_problem *p, double now,
                                 int trials)
{
    double t = 1;
    for (int k = 0; k < trials; k++, t *= 0.5)
        if (dls_newton_problem_merit(p, t) <= (1 - 0.1 * t) * now) return t;
    return 0;
}
