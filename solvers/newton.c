// SPDX-License-Identifier: Apache-2.0
#include "solvers/local/contact_function.h"
#include "solvers/local/newton_system.h"
#include "solvers/local/vi.h"
#include "solvers/solver.h"

#include "formulations/delassus.h"

#include <math.h>
#include <string.h>
#include <stdlib.h>
#include <stdio.h>

struct newton_options {
    int function, line_search, start;
    double rho_scale, shift;
};

enum line_search { ARMIJO, GOLDSTEIN_PRICE, NO_SEARCH };

static const struct dls_option newton_options[] = {
    DLS_CHOICE(newton_options, function, DLS_ALART_CURNIER,
               DLS_CONTACT_FUNCTION_CHOICES,
               "Alart-Curnier, Jean-Moreau, Fischer-Burmeister or natural map"),
    DLS_REAL(newton_options, rho_scale, 1.0, 1e-6, 1e6,
             "times 1 / W_NN and 1 / lambda_max(W_TT) is rho of the function"),
    DLS_CHOICE(newton_options, line_search, ARMIJO, "armijo|goldstein-price|none",
               "step length along the Newton direction"),
    DLS_INT(newton_options, start, 0, 0, 1e6, "extragradient iterations before Newton"),
    DLS_REAL(newton_options, shift, 1e-2, 0, 1e6, "of W where the matrix is singular"),
    {0},
};

struct newton {
    const struct dls_delassus *form;
    struct newton_options opt;
    dls_contact_function *function;
    struct dls_newton_system system;
    struct dls_bsr W;                // s W s
    double *s, *q, *mu;              // scales, s q, mu s_N / s_T
    double *x, *u, *dx, *du, *trial_x, *trial_u;
    struct dls_contact_value *value; // contacts
    double norm_q;
    bool singular;
};

static void scale_problem(struct newton *self)
{
    const struct dls_delassus *f = self->form;
    int d = f->d;
    for (int a = 0; a < f->contacts; a++) {
        dls_contact_scales(d, dls_bsr_diagonal(f->W, a), self->opt.rho_scale, self->s + a * d);
        self->mu[a] = d > 1 ? f->mu[a] * self->s[a * d] / self->s[a * d + 1] : 0;
    }
    for (int a = 0; a < f->contacts; a++)
        for (int k = f->W->p[a]; k < f->W->p[a + 1]; k++)
            for (int i = 0; i < d * d; i++)
                self->W.x[(size_t)k * (size_t)(d * d) + (size_t)i] =
                    dls_bsr_block(f->W, k)[i] * self->s[a * d + i / d]
                    * self->s[f->W->j[k] * d + i % d];
    double sum = 0;
    for (int k = 0; k < f->m; k++) {
        self->q[k] = self->s[k] * f->q[k];
        sum += self->q[k] * self->q[k];
    }
    self->norm_q = sqrt(sum);
}

static bool diagonal(const struct newton *self, struct dls_arena *a)
{
    for (int c = 0; c < self->form->contacts; c++)
        if (self->mu[c] > 0) return false;
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_csr *W = dls_bsr_to_csr(&self->W, &scratch);
    double asymmetry = W ? dls_csr_asymmetry(W, &scratch) : -1;
    dls_arena_free(&scratch);
    return asymmetry >= 0 && asymmetry <= 1e-14;
}

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    if (f->problem->rolling)
        return dls_fail(err, DLS_UNSUPPORTED, "no contact function for rolling rows");
    struct newton *self = *out = DLS_NEW(a, struct newton, 1);
    size_t m = (size_t)f->m;
    double *vectors = DLS_NEW(a, double, 8 * m);
    double *W = DLS_NEW(a, double, (size_t)f->W->p[f->contacts] * (size_t)(f->d * f->d));
    double *mu = DLS_NEW(a, double, f->contacts);
    struct dls_contact_value *value = DLS_NEW(a, struct dls_contact_value, f->contacts);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct newton){
        .form = f,
        .opt = *(const struct newton_options *)opt,
        .W = *f->W,
        .mu = mu, .value = value,
        .s = vectors, .q = vectors + m, .x = vectors + 2 * m, .u = vectors + 3 * m, .dx = vectors + 4 * m,
        .du = vectors + 5 * m, .trial_x = vectors + 6 * m, .trial_u = vectors + 7 * m,
    };
    self->W.x = W;
    self->function = dls_contact_function_of(self->opt.function);
    scale_problem(self);
    bool diag = diagonal(self, a);
    if (a->failed) return DLS_ENOMEM;
    return dls_newton_system_create(&self->system, &self->W, diag, a);
}

static void destroy(void *data)
{
    struct newton *self = data;
    dls_newton_system_destroy(&self->system);
}

static double merit(const struct newton *self, const double *x, const double *u, struct dls_contact_value *value)
{
    int d = self->form->d;
    double sum = 0;
    struct dls_contact_value one;
    for (int a = 0; a < self->form->contacts; a++) {
        struct dls_contact_value *v = value ? value + a : &one;
        self->function(d, self->mu[a], x + a * d, u + a * d, v);
        for (int i = 0; i < d; i++) sum += v->F[i] * v->F[i];
    }
    return 0.5 * sum;
}

static double merit_at(const struct newton *self, double t)
{
    int d = self->form->d;
    double sum = 0, x[3], u[3];
    struct dls_contact_value v;
    for (int a = 0; a < self->form->contacts; a++) {
        for (int i = 0; i < d; i++) {
            x[i] = self->x[a * d + i] + t * self->dx[a * d + i];
            u[i] = self->u[a * d + i] + t * self->du[a * d + i];
        }
        self->function(d, self->mu[a], x, u, &v);
        for (int i = 0; i < d; i++) sum += v.F[i] * v.F[i];
    }
    return 0.5 * sum;
}

static double E(const char *n, double def) { char *s = getenv(n); return s ? atof(s) : def; }

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct newton *self = data;
    int m = self->form->m;
    for (int k = 0; k < m; k++) self->x[k] = r[k] / self->s[k];
    dls_bsr_multiply(&self->W, self->x, self->q, self->u);
    double phi = merit(self, self->x, self->u, self->value);
    double rcond, err = sqrt(2 * phi) / self->norm_q;
    double shift = self->singular ? self->opt.shift * fmin(1, err) : 0;
    double t = 1, best = INFINITY, best_t = 0;
    for (int tries = 0; tries < (int)E("TRIES", 1); tries++) {
    enum dls_status status = dls_newton_system_factor(&self->system, self->value, shift, &rcond);
    work->factorisations++;
    if (status) return status;
    if (rcond < E("RCOND",1e-12) && shift == 0) {
        self->singular = true;
        shift = self->opt.shift * fmin(1, err);
        status = dls_newton_system_factor(&self->system, self->value, shift, &rcond);
        work->factorisations++;
    }
    if (!dls_newton_system_solve(&self->system, self->value, self->dx)) { if (getenv("DBG")) printf("solve failed rcond %g\n", rcond); return DLS_STALLED; }
    dls_bsr_multiply(&self->W, self->dx, NULL, self->du);
    t = 1, best = INFINITY, best_t = 0;
    if (self->opt.line_search == NO_SEARCH) { best_t = 1; break;}
    else
        for (int k = 0; k < (int)E("HALVES", 20); k++, t *= 0.5) {
            double here = merit_at(self, t);
            if (here < best) best = here, best_t = t;
            if (here <= (1 - 2e-4 * t) * phi) break;
        }
    if (best < phi) break;
    shift = fmax(100 * shift, 1e-6);
    }
    if (getenv("DBG")) printf("  err %.3e rcond %.2e shift %.1e t %.2e merit %.3e -> %.3e\n", err, rcond, shift, best_t, phi, best);
    for (int k = 0; k < m; k++) r[k] = self->s[k] * (self->x[k] + best_t * self->dx[k]);
    return DLS_OK;
}

const struct dls_solver dls_solver_newton = {
    .name = "newton",
    .brief = "semismooth Newton",
    .cite = "AlartCurnier1991",
    .takes = &dls_formulation_delassus,
    .options = newton_options,
    .options_size = sizeof(struct newton_options),
    .allocates = true,
    .create = create,
    .step = step,
    .destroy = destroy,
};
