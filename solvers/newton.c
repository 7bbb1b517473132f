// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on the Delassus operator.
//
//     F(r, u) = 0,   u = W r + q,        F one function per contact that vanishes exactly
//                                        where Coulomb's law holds
//     (F_r + F_u (W + alpha I)) dr = -F,   r <- r + t dr
//
// Notation: F_r, F_u block-diagonal generalised Jacobians; rho the parameter of F; all of
// it in scaled variables r / s, s u with s = sqrt(rho), in which W_aa is of order 1 and
// everything below is a pure number; alpha the proximal shift, t the step length.
//
// Method [AlartCurnier1991; Acary2018, section 5]
//   1. rho_N = rho_scale / W_NN, rho_T = rho_scale / lambda_max(W_TT) for each contact.
//   2. `start` iterations of the self-adaptive extragradient method, if asked for.
//   3. Assemble and factor with the symbolic analysis of `create`; UMFPACK, or CHOLMOD
//      without friction. alpha = 0 at first.
//   4. The step length: Armijo, Goldstein-Price or 1, on the merit |F|^2 / 2.
//   5. Where the matrix is singular, and where the line search takes tiny steps, alpha =
//      level min(1, |F| / |q|) with a level that rises by 10 after failures and falls by
//      4 after full steps: Newton's step on the proximal problem W + alpha (r - r_k),
//      which has the same residual at r_k [Acary2018]. Once a matrix was found singular
//      the level stays at least `shift`: alpha is then of order |F| and the last steps
//      are still superlinear.
//   6. Where no alpha helps (a local minimum of the merit at a kink), `rescue`
//      extragradient iterations.
//
// Cost: a sparse factorisation a step, two products with W, some evaluations of F.
// Fails: on hyperstatic problems (rank of W below m) the merit has local minima, and
// then it goes from rescue to rescue at the pace of the extragradient method.
#include "solvers/local/contact_function.h"
#include "solvers/local/newton_system.h"
#include "solvers/local/vi.h"
#include "solvers/solver.h"

#include "formulations/delassus.h"

#include <math.h>

enum { ARMIJO, GOLDSTEIN_PRICE, NO_SEARCH };
enum {
    TRIES = 4,   // values of alpha in a step
    TRIALS = 10, // step lengths for each of them
};

static const double singular_rcond = 1e-12; // below it the factors are not used
static const double first_level = 1e-3, highest_level = 1e3, up = 10, down = 4;
static const double tiny_step = 0.1; // shorter steps raise the level

struct newton_options {
    int function, line_search, start, rescue;
    double rho_scale, shift;
};

static const struct dls_option newton_options[] = {
    DLS_CHOICE(newton_options, function, DLS_ALART_CURNIER,
               DLS_CONTACT_FUNCTION_CHOICES,
               "Alart-Curnier, Jean-Moreau, Fischer-Burmeister, natural map"),
    DLS_REAL(newton_options, rho_scale, 1, 1e-6, 1e6,
             "rho_N = rho_scale / W_NN, rho_T = rho_scale / lambda_max(W_TT)"),
    DLS_CHOICE(newton_options, line_search, ARMIJO, "armijo|goldstein-price|none",
               "step length along Newton's direction"),
    DLS_INT(newton_options, start, 0, 0, 1e9, "extragradient iterations first"),
    DLS_INT(newton_options, rescue, 20, 0, 1e9,
            "extragradient iterations where the line search fails, 0 = stop there"),
    DLS_REAL(newton_options, shift, 1e-2, 1e-12, 1e6,
             "of a singular W, relative to its diagonal and to the residual"),
    {0},
};

struct newton {
    const struct dls_delassus *form;
    struct newton_options opt;
    dls_contact_function *function;
    struct dls_bsr W;   // s W s
    double *s, *q, *mu; // m: sqrt(rho), s q; contacts: mu s_N / s_T
    double *x, *u;      // m: r / s, and the velocity
    double *dx, *du;    // m: Newton's direction, and W times it
    double norm_q;
    struct dls_contact_value *value; // contacts
    struct dls_newton_system system;
    struct dls_vi vi;
    int vi_left;         // extragradient iterations ahead
    double level, floor; // of alpha, and the least it may have
};

// --- creation -------------------------------------------------------------------------

static void scale_problem(struct newton *self)
{
    const struct dls_delassus *f = self->form;
    const struct dls_bsr *W = f->W;
    int d = f->d;
    double *s = self->s, sum = 0, *to = self->W.x;
    for (int a = 0; a < f->contacts; a++) {
        dls_contact_scales(d, dls_bsr_diagonal(W, a), self->opt.rho_scale, s + a * d);
        self->mu[a] = d > 1 ? f->mu[a] * s[a * d] / s[a * d + 1] : 0;
    }
    for (int a = 0; a < f->contacts; a++)
        for (int k = W->p[a]; k < W->p[a + 1]; k++)
            for (int i = 0; i < d * d; i++)
                *to++ =
                    s[a * d + i / d] * dls_bsr_block(W, k)[i] * s[W->j[k] * d + i % d];
    for (int k = 0; k < f->m; k++) {
        self->q[k] = s[k] * f->q[k];
        sum += self->q[k] * self->q[k];
    }
    self->norm_q = sqrt(sum);
}

// True when no contact has friction and W is symmetric.
static bool has_symmetric_system(const struct newton *self, struct dls_arena *a)
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
    size_t m = (size_t)f->m,
           entries = (size_t)(f->d * f->d) * (size_t)f->W->p[f->contacts];
    double *vectors = DLS_NEW(a, double, 6 * m), *mu = DLS_NEW(a, double, f->contacts);
    double *W = DLS_NEW(a, double, entries);
    struct dls_contact_value *value = DLS_NEW(a, struct dls_contact_value, f->contacts);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct newton){
        .form = f,
        .opt = *(const struct newton_options *)opt,
        .W = *f->W,
        .s = vectors,
        .q = vectors + m,
        .x = vectors + 2 * m,
        .u = vectors + 3 * m,
        .dx = vectors + 4 * m,
        .du = vectors + 5 * m,
        .mu = mu,
        .value = value,
    };
    self->W.x = W;
    self->function = dls_contact_function_of(self->opt.function);
    scale_problem(self);
    bool symmetric = has_symmetric_system(self, a);
    if (dls_vi_create(&self->vi, f, DLS_VI_CONES, true, a)) return DLS_ENOMEM;
    return dls_newton_system_create(&self->system, &self->W, symmetric, a);
}

static void destroy(void *data)
{
    struct newton *self = data;
    dls_newton_system_destroy(&self->system);
}

static void reset(void *data, const double *r)
{
    (void)r;
    struct newton *self = data;
    self->vi_left = self->opt.start;
    self->level = self->floor = 0;
}

// --- merit and line search ------------------------------------------------------------

// x, u, F and its derivatives at r; returns the merit |F|^2 / 2.
static double evaluate(struct newton *self, const double *r)
{
    int d = self->form->d;
    double sum = 0;
    for (int k = 0; k < self->form->m; k++) self->x[k] = r[k] / self->s[k];
    dls_bsr_multiply(&self->W, self->x, self->q, self->u);
    for (int a = 0; a < self->form->contacts; a++) {
        struct dls_contact_value *v = self->value + a;
        self->function(d, self->mu[a], self->x + a * d, self->u + a * d, v);
        for (int i = 0; i < d; i++) sum += v->F[i] * v->F[i];
    }
    return 0.5 * sum;
}

// The merit at x + t dx; no product is needed since du = W dx.
static double merit(const struct newton *self, double t)
{
    int d = self->form->d;
    double sum = 0, x[3], u[3];
    struct dls_contact_value v;
    for (int a = 0; a < self->form->contacts; a++) {
        for (int i = 0, k = a * d; i < d; i++, k++) {
            x[i] = self->x[k] + t * self->dx[k];
            u[i] = self->u[k] + t * self->du[k];
        }
        self->function(d, self->mu[a], x, u, &v);
        for (int i = 0; i < d; i++) sum += v.F[i] * v.F[i];
    }
    return 0.5 * sum;
}

// The longest of 1, 1/2, 1/4, ... with merit(t) <= (1 - 2c t) merit(0), c = 0.05: the
// slope of an exact Newton step is -2 merit(0). Returns t = 0 where none was found.
static double armijo(const struct newton *self, double now)
{
    double t = 1;
    for (int k = 0; k < TRIALS; k++, t *= 0.5)
        if (merit(self, t) <= (1 - 0.1 * t) * now) return t;
    return 0;
}

// t with  1 - 2 c' t <= merit(t) / merit(0) <= 1 - 2 c t,  c = 0.1, c' = 0.9, by doubling
// and bisection; the longest that met the upper bound where both cannot be met.
static double goldstein_price(const struct newton *self, double now)
{
    double t = 1, low = 0, high = INFINITY;
    for (int k = 0; k < TRIALS; k++) {
        double ratio = merit(self, t) / now;
        if (!(ratio <= 1 - 0.2 * t))
            high = t;
        else if (low = t, ratio >= 1 - 1.8 * t)
            return t;
        t = isinf(high) ? 2 * t : 0.5 * (low + high);
    }
    return low;
}

// --- steps ----------------------------------------------------------------------------

static void raise_level(struct newton *self, double least)
{
    self->level = fmin(highest_level, fmax(up * self->level, least));
}

// Factors with the present level, higher ones as long as the matrix is singular, and
// solves for dx. DLS_STALLED where no level makes it regular.
static enum dls_status direction(struct newton *self, double now, struct dls_work *work)
{
    double size = fmin(1, sqrt(2 * now) / (self->norm_q > 0 ? self->norm_q : 1));
    for (int k = 0; k < TRIES; k++) {
        double rcond;
        enum dls_status status = dls_newton_system_factor(&self->system, self->value,
                                                          self->level * size, &rcond);
        work->factorisations++;
        if (status != DLS_OK) return status;
        if (rcond > singular_rcond
            && dls_newton_system_solve(&self->system, self->value, self->dx)) {
            dls_bsr_multiply(&self->W, self->dx, NULL, self->du);
            work->products++;
            return DLS_OK;
        }
        self->floor = self->opt.shift;
        raise_level(self, self->floor);
    }
    return DLS_STALLED;
}

static double step_length(const struct newton *self, double now)
{
    switch (self->opt.line_search) {
    case ARMIJO:
        return armijo(self, now);
    case GOLDSTEIN_PRICE:
        return goldstein_price(self, now);
    default:
        return 1;
    }
}

// A Newton step with the level adapted; returns t, or 0 where no level made one.
static enum dls_status search(struct newton *self, double now, double *t,
                              struct dls_work *work)
{
    for (int k = 0; k < TRIES && !dls_work_expired(work); k++) {
        enum dls_status status = direction(self, now, work);
        if (status == DLS_STALLED) break;
        if (status != DLS_OK) return status;
        *t = step_length(self, now);
        if (*t >= 1) self->level = fmax(self->level / down, self->floor);
        if (*t < tiny_step) raise_level(self, first_level);
        if (*t > 0) return DLS_OK;
    }
    *t = 0;
    return DLS_OK;
}

// What to do where no level made a step.
static enum dls_status rescue(struct newton *self)
{
    self->vi_left = self->opt.rescue;
    self->level = self->floor;
    return self->opt.rescue ? DLS_OK : DLS_STALLED;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct newton *self = data;
    if (self->vi_left > 0) {
        self->vi_left--;
        work->products += dls_vi_step(&self->vi, r);
        return DLS_OK;
    }
    double now = evaluate(self, r), t = 0;
    work->products++;
    if (now == 0) return DLS_FINISHED;
    enum dls_status status = search(self, now, &t, work);
    if (status != DLS_OK) return status;
    if (t == 0) return dls_work_expired(work) ? DLS_OK : rescue(self);
    for (int k = 0; k < self->form->m; k++)
        r[k] = self->s[k] * (self->x[k] + t * self->dx[k]);
    return DLS_OK;
}

const struct dls_solver dls_solver_newton = {
    .name = "newton",
    .brief = "semismooth Newton with proximal shifts where W is singular",
    .cite = "AlartCurnier1991",
    .takes = &dls_formulation_delassus,
    .options = newton_options,
    .options_size = sizeof(struct newton_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .destroy = destroy,
};
