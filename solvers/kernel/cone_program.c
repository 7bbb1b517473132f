// SPDX-License-Identifier: Apache-2.0
// Mehrotra's predictor and corrector with the scaling of Nesterov and Todd on
//
//     y = W x + q - tau e,    L ∋ x ⟂ y ∈ L,                                      (1)
//
// e = e_N of every contact. Without a margin tau = 0: these are the conditions of
// min 1/2 x.Wx + q.x over L. With a margin tau is an unknown beside
//
//     sum_a x_N + pi = contacts,      0 <= pi ⟂ 1 - tau >= 0,                     (2)
//
// and (1), (2) are those of  max contacts tau - 1/2 |v|^2,  H v + q - tau e in L,
// tau <= 1, for any W = H H^T: the largest margin of H v + q inside the cones, |v| being
// charged a little where W was divided by a small number beforehand.
//
// Notation: T^-1 x = T y = lambda, T the scaling; o Jordan's product; nu the mean of x.y;
// rho = W x + q - tau e - y; sigma the centring.
//
// Method [Mehrotra1992; Vandenberghe2010, section 5]
//   1. A = W + T^-2 is factored; h = A^-1 e serves the column of tau.
//   2. Predictor: sigma = 0. For right-hand sides c of lambda o (...) and c_pi,
//        dx = A^-1 (-rho - T^-1 (lambda \ c)) + dtau h,   dy = W dx + rho - dtau e,
//        e.dx + dpi = contacts - e.x - pi,    (1 - tau) dpi - pi dtau = -c_pi.
//   3. Corrector with the second-order terms and sigma = (1 - t)^3, t the step that the
//      predictor could make; then 0.99 of the way to the boundary, 1 at most. Where
//      that is short the pair is too far off centre, and a step towards it (sigma = 1) is
//      made instead.
//
// Cost: a factorisation and three solves an iteration, 10 to 30 iterations.
// Fails: where W is indefinite.
#include "solvers/kernel/cone_program.h"

#include "solvers/kernel/cone_newton.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

static const double to_boundary = 0.99;
static const double crawl = 0.1; // shorter steps are replaced by centring ones
static const double finest = 1e-14, finest_nu = 1e-20, shortest = 1e-6; // nothing below

enum dls_status dls_cone_program_create(struct dls_cone_program *s,
                                        const struct dls_socp *form, const double *q,
                                        bool margin, struct dls_arena *a,
                                        struct dls_error *err)
{
    size_t m = (size_t)form->m;
    double *vectors = DLS_NEW(a, double, 7 * m);
    *s = (struct dls_cone_program){
        .form = form,
        .q = q,
        .margin = margin,
        .longest = 1,
        .scaling = DLS_NEW(a, struct dls_scaling, form->contacts),
    };
    if (a->failed) return DLS_ENOMEM;
    double **to[] = {&s->x, &s->y, &s->dx, &s->dy, &s->rho, &s->rhs, &s->unit};
    for (size_t k = 0; k < 7; k++) *to[k] = vectors + k * m;
    return dls_cone_system_create(&s->system, form, false, a, err);
}

void dls_cone_program_destroy(struct dls_cone_program *s)
{
    dls_cone_system_destroy(&s->system);
}

void dls_cone_program_start(struct dls_cone_program *s)
{
    int d = s->form->d;
    double largest = 1;
    memset(s->x, 0, (size_t)s->form->m * sizeof *s->x);
    memset(s->y, 0, (size_t)s->form->m * sizeof *s->y);
    for (int k = 0; k < s->form->m; k++) largest = fmax(largest, fabs(s->q[k]));
    for (int a = 0; a < s->form->contacts; a++) {
        s->x[a * d] = s->margin ? 0.5 : largest;
        s->y[a * d] = largest;
    }
    s->tau = s->margin ? -largest : 0;
    s->pi = s->margin ? 0.5 * s->form->contacts : 0;
}

bool dls_cone_program_look(struct dls_cone_program *s)
{
    const struct dls_socp *f = s->form;
    double sum = 0, square = 0;
    bool inside = true;
    dls_bsr_multiply(&f->W, s->x, s->q, s->rho);
    for (int k = 0; k < f->m; k++) {
        s->rho[k] -= s->y[k] + (k % f->d ? 0 : s->tau);
        square += s->rho[k] * s->rho[k];
        sum += s->x[k] * s->y[k];
    }
    s->nu = (sum + s->pi * (1 - s->tau)) / (f->contacts + s->margin);
    s->off = sqrt(square / f->m);
    for (int a = 0; a < f->contacts && inside; a++)
        inside =
            dls_scaling_make(s->scaling + a, f->d, s->x + a * f->d, s->y + a * f->d);
    return inside;
}

// sum_a z_N
static double normals(const struct dls_cone_program *s, const double *z)
{
    double sum = 0;
    for (int a = 0; a < s->form->contacts; a++) sum += z[a * s->form->d];
    return sum;
}

// dtau and dpi from dx without them, which becomes dx; `second` keeps dpi dtau.
static void direct_margin(struct dls_cone_program *s, double sigma, bool second)
{
    double slack = 1 - s->tau, c = s->pi * slack - sigma * s->nu;
    if (second) c -= s->dpi * s->dtau;
    double lack = s->form->contacts - normals(s, s->x) - s->pi;
    s->dtau =
        (lack + c / slack - normals(s, s->dx)) / (normals(s, s->unit) + s->pi / slack);
    s->dpi = (s->pi * s->dtau - c) / slack;
    dls_axpy(s->form->m, s->dtau, s->unit, s->dx);
}

// dx, dy, dtau, dpi; `second` keeps the second-order terms of the present ones.
static bool direct(struct dls_cone_program *s, double sigma, bool second,
                   struct dls_work *work)
{
    const struct dls_socp *f = s->form;
    int d = f->d;
    for (int k = 0; k < f->m; k += d)
        dls_cone_newton(s->scaling + k / d, d, sigma * s->nu, second ? s->dx + k : NULL,
                        s->dy + k, s->rhs + k);
    dls_axpy(f->m, -1, s->rho, s->rhs);
    if (!dls_cone_system_solve(&s->system, s->rhs, s->dx, NULL, work)) return false;
    if (s->margin) direct_margin(s, sigma, second);
    dls_bsr_multiply(&f->W, s->dx, s->rho, s->dy);
    work->products++;
    for (int a = 0; a < f->contacts; a++) s->dy[a * d] -= s->dtau;
    return true;
}

// The largest t with everything still inside.
static double reach(const struct dls_cone_program *s)
{
    int d = s->form->d, m = s->form->m;
    double t = fmin(dls_lorentz_reach_all(d, m, s->x, s->dx),
                    dls_lorentz_reach_all(d, m, s->y, s->dy));
    if (s->margin && s->dpi < 0) t = fmin(t, -s->pi / s->dpi);
    if (s->margin && s->dtau > 0) t = fmin(t, (1 - s->tau) / s->dtau);
    return t;
}

// A^-1 e_N
static bool find_unit(struct dls_cone_program *s, struct dls_work *work)
{
    memset(s->rhs, 0, (size_t)s->form->m * sizeof *s->rhs);
    for (int a = 0; a < s->form->contacts; a++) s->rhs[a * s->form->d] = 1;
    return dls_cone_system_solve(&s->system, s->rhs, s->unit, NULL, work);
}

// Predictor and corrector; false where the algebra failed.
static bool find_step(struct dls_cone_program *s, double *length, struct dls_work *work)
{
    if (!direct(s, 0, false, work)) return false;
    double rest = 1 - fmin(1, reach(s));
    if (!direct(s, rest * rest * rest, true, work)) return false;
    *length = fmin(s->longest, to_boundary * reach(s));
    if (*length >= crawl) return true;
    if (!direct(s, 1, false, work)) return false;
    *length = fmin(s->longest, to_boundary * reach(s));
    return true;
}

enum dls_status dls_cone_program_iterate(struct dls_cone_program *s, double *t,
                                         struct dls_work *work)
{
    const struct dls_socp *f = s->form;
    *t = 0;
    enum dls_status status = dls_cone_system_factor(&s->system, s->scaling, NULL, work);
    if (status) return status == DLS_ENUMERIC ? DLS_OK : status;
    s->dtau = s->dpi = 0;
    double length;
    if ((s->margin && !find_unit(s, work)) || !find_step(s, &length, work))
        return s->system.linear.out_of_memory ? DLS_ENOMEM : DLS_OK;
    dls_axpy(f->m, length, s->dx, s->x);
    dls_axpy(f->m, length, s->dy, s->y);
    s->tau += length * s->dtau;
    s->pi += length * s->dpi;
    *t = length;
    return DLS_OK;
}

enum dls_status dls_cone_program_step(struct dls_cone_program *s, struct dls_work *work)
{
    double t;
    if (!s->form->m || !dls_cone_program_look(s)) return DLS_FINISHED;
    if (s->nu < finest_nu && s->off < finest) return DLS_FINISHED;
    enum dls_status status = dls_cone_program_iterate(s, &t, work);
    return status == DLS_OK && t < shortest ? DLS_FINISHED : status;
}
