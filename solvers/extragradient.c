// SPDX-License-Identifier: Apache-2.0
// The extragradient method with a self-adapting step, on the Delassus operator.
//
//     z_bar = P_K(r - rho D F(r)),   r <- P_K(r - rho D F(z_bar)),
//     F(r) = u + (mu |u_T| + mu_r |u_R|) e_N,   u = W r + q
//
// Method [Khobotov1987; Acary2018]: one iteration of solvers/kernel/vi.c per step; rho
// follows the Lipschitz constant that the iterates see, so there is nothing to tune.
// Takes unsymmetric W, singular W and rolling resistance alike.
//
// Cost: two or three products with W per step.
// Fails: no divergence is known, but it is slow: hundreds to millions of steps to 1e-8.
// It serves as the fall-back and as the starter of faster methods.
#include "solvers/kernel/vi.h"
#include "solvers/solver.h"

struct extragradient_options {
    int scale;
};

static const struct dls_option extragradient_options[] = {
    DLS_CHOICE(extragradient_options, scale, 1, "none|block",
               "metric of a contact's rows: 1, or the inverse of its |W_aa|"),
    {0},
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct extragradient_options *o = opt;
    struct dls_vi *vi = *out = DLS_NEW(a, struct dls_vi, 1);
    return vi ? dls_vi_create(vi, form, DLS_VI_CONES, o->scale, a) : DLS_ENOMEM;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct dls_vi *vi = data;
    work->products += dls_vi_step(vi, r);
    return DLS_OK;
}

const struct dls_solver dls_solver_extragradient = {
    .name = "extragradient",
    .brief = "self-adaptive extragradient method for the Coulomb inequality",
    .use = "When other methods fail: it takes every problem, rolling rows included, "
           "and never diverges.",
    .fails = "Below 1e-4 it is slow.",
    .cite = "Khobotov1987",
    .takes = &dls_formulation_delassus,
    .options = extragradient_options,
    .options_size = sizeof(struct extragradient_options),
    .create = create,
    .step = step,
};
