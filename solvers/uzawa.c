// SPDX-License-Identifier: Apache-2.0
// Uzawa's iteration on the Coulomb step problem.
//
//     u = W r + q,   r_N <- max(0, r_N - rho u_N),   r_T <- P_B(s)(r_T - rho u_T),
//
// B(s) the disk of radius s; rolling rows likewise with mu_r.
//
// Method [DalPontDimnet2008, section 4.2; Khobotov1987]
//   loop = single   s = mu r_N of this very update.
//   loop = nested   s = mu s_N is frozen; when the inner defect has fallen to `inner`
//                   times its value after the last freezing, s_N <- r_N. The inner
//                   problem is Tresca's: convex, one velocity, a convergent iteration.
//   step = fixed    rho = `rho` / lambda_max(W) for all time (Lanczos, base/lanczos.c).
//                   For frozen thresholds and symmetric W it converges for rho < 2.
//   step = adaptive predictor, ratio test and corrector of solvers/kernel/vi.c, with a
//                   factor per contact; `rho` only scales the first step.
//
// Cost: one product with W per fixed step, two or three per adaptive one.
// Fails: the fixed step never ends where rho > 2, nor at smaller rho where W has a large
// skew part. The single loop has no proof, the nested one needs a small mu to contract.
// All of them are slow.
#include "solvers/kernel/vi.h"
#include "solvers/solver.h"

#include "base/lanczos.h"

struct uzawa_options {
    int loop, step;
    double rho, inner;
};

enum { SINGLE, NESTED };
enum { FIXED, ADAPTIVE };

static const struct dls_option uzawa_options[] = {
    DLS_CHOICE(
        uzawa_options, loop, SINGLE, "single|nested",
        "friction thresholds follow r_N at once, or around an inner Tresca loop"),
    DLS_CHOICE(uzawa_options, step, ADAPTIVE, "fixed|adaptive",
               "one step length for all, or adapted by predictor and corrector"),
    DLS_REAL(uzawa_options, rho, 1.0, 1e-6, 1e6,
             "fixed step times lambda_max(W), or factor of the first adaptive step"),
    DLS_REAL(uzawa_options, inner, 0.1, 1e-12, 0.999,
             "nested: fall of the inner defect before thresholds are renewed"),
    {0},
};

struct uzawa {
    struct dls_vi vi;
    bool nested, fixed;
    double inner;
    double
        first; // nested: the defect after the last freezing; negative = not yet known
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    const struct uzawa_options *o = opt;
    struct uzawa *self = *out = DLS_NEW(a, struct uzawa, 1);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct uzawa){
        .nested = o->loop == NESTED, .fixed = o->step == FIXED, .inner = o->inner};
    enum dls_vi_set set = self->nested ? DLS_VI_CYLINDERS : DLS_VI_THRESHOLDS;
    enum dls_status status = dls_vi_create(&self->vi, f, set, !self->fixed, a);
    if (status == DLS_OK && self->fixed) {
        struct dls_ritz ritz;
        status = dls_bsr_ritz(&ritz, f->W, a);
        double largest = ritz.largest + ritz.error;
        if (status == DLS_OK && f->m && !(largest > 0))
            return dls_fail(err, DLS_UNSUPPORTED, "W has no positive eigenvalue");
        self->vi.rho = f->m ? 1 / largest : 1;
    }
    self->vi.rho *= o->rho;
    return status;
}

static void renew(struct uzawa *self, const double *r)
{
    dls_vi_freeze(&self->vi, r);
    self->first = -1;
}

static void reset(void *data, const double *r) { renew(data, r); }

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct uzawa *self = data;
    if (self->fixed) {
        dls_vi_step_fixed(&self->vi, r);
        work->products++;
    } else {
        work->products += dls_vi_step(&self->vi, r);
    }
    if (!self->nested) return DLS_OK;
    if (self->first < 0) self->first = self->vi.defect;
    if (self->vi.defect <= self->inner * self->first) renew(self, r);
    return DLS_OK;
}

const struct dls_solver dls_solver_uzawa = {
    .name = "uzawa",
    .brief = "Uzawa's iteration on the Coulomb problem, step fixed or self-adapting",
    .use = "Comparison with the literature; rolling rows.",
    .fails = "It is slow, and with a fixed step it often does not converge.",
    .cite = "DalPontDimnet2008",
    .takes = &dls_formulation_delassus,
    .options = uzawa_options,
    .options_size = sizeof(struct uzawa_options),
    .create = create,
    .reset = reset,
    .step = step,
};
