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
#include "solvers/kernel/newton_problem.h"
#include "solvers/kernel/vi.h"
#include "solvers/linear/newton_system.h"
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
               "contact function: Alart-Curnier, Jean-Moreau, Fischer-Burmeister, "
               "natural map"),
    DLS_REAL(newton_options, rho_scale, 1, 1e-6, 1e6,
             "rho_N = rho_scale / W_NN, rho_T = rho_scale / lambda_max(W_TT)"),
    DLS_CHOICE(newton_options, line_search, ARMIJO, "armijo|goldstein-price|none",
               "step length along Newton's direction"),
    DLS_INT(newton_options, start, 0, 0, 1e9,
            "extragradient iterations before Newton's"),
    DLS_INT(newton_options, rescue, 20, 0, 1e9,
            "extragradient iterations where the line search fails, 0 = stop there"),
    DLS_REAL(
        newton_options, shift, 1e-2, 1e-12, 1e6,
        "proximal shift of a singular W, relative to its diagonal and to the residual"),
    {0},
};

struct newton {
    const struct dls_delassus *form;
    struct newton_options opt;
    struct dls_newton_problem problem;
    struct dls_newton_system system;
    struct dls_vi vi;
    int vi_left;         // extragradient iterations ahead
    double level, floor; // of alpha, and the least it may have
};

// --- creation -------------------------------------------------------------------------

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    if (f->problem->rolling)
        return dls_fail(err, DLS_UNSUPPORTED, "no contact function for rolling rows");
    struct newton *self = *out = DLS_NEW(a, struct newton, 1);
    if (!self) return DLS_ENOMEM;
    self->form = f;
    self->opt = *(const struct newton_options *)opt;
    struct dls_newton_problem *p = &self->problem;
    if (dls_newton_problem_create(p, f, self->opt.function, self->opt.rho_scale, a))
        return DLS_ENOMEM;
    bool symmetric = dls_newton_problem_symmetric(p);
    if (dls_vi_create(&self->vi, f, DLS_VI_CONES, true, a)) return DLS_ENOMEM;
    return dls_newton_system_create(&self->system, &p->W, p->H, p->M, symmetric, a);
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

// t with  1 - 2 c' t <= merit(t) / merit(0) <= 1 - 2 c t,  c = 0.1, c' = 0.9, by doubling
// and bisection; the longest that met the upper bound where both cannot be met.
static double goldstein_price(const struct newton *self, double now)
{
    double t = 1, low = 0, high = INFINITY;
    for (int k = 0; k < TRIALS; k++) {
        double ratio = dls_newton_problem_merit(&self->problem, t) / now;
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
    struct dls_newton_problem *p = &self->problem;
    double size = fmin(1, sqrt(2 * now) / (p->norm_q > 0 ? p->norm_q : 1));
    for (int k = 0; k < TRIES; k++) {
        double rcond;
        enum dls_status status = dls_newton_system_factor(
            &self->system, p->value, self->level * size, &rcond, work);
        if (status != DLS_OK) return status;
        if (rcond > singular_rcond
            && dls_newton_system_solve(&self->system, p->dx, work)) {
            dls_newton_problem_direct(p);
            work->products++;
            return DLS_OK;
        }
        if (self->system.linear.out_of_memory) return DLS_ENOMEM;
        self->floor = self->opt.shift;
        raise_level(self, self->floor);
    }
    return DLS_STALLED;
}

static double step_length(const struct newton *self, double now)
{
    switch (self->opt.line_search) {
    case ARMIJO:
        return dls_newton_problem_armijo(&self->problem, now, TRIALS);
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
    dls_newton_problem_enter(&self->problem, r);
    double now = dls_newton_problem_evaluate(&self->problem), t = 0;
    work->products++;
    if (now == 0) return DLS_FINISHED;
    enum dls_status status = search(self, now, &t, work);
    if (status != DLS_OK) return status;
    if (t == 0) return dls_work_expired(work) ? DLS_OK : rescue(self);
    dls_newton_problem_leave(&self->problem, t, r);
    return DLS_OK;
}

const struct dls_solver dls_solver_newton = {
    .name = "newton",
    .brief = "semismooth Newton with proximal shifts where W is singular",
    .use = "W of full rank and tight tolerances: 1 to 10 steps.",
    .fails =
        "Where W is singular it needs shifts and rescue steps; large problems need "
        "costly factorisations.",
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
