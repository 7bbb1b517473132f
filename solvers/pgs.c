// SPDX-License-Identifier: Apache-2.0
// Moreau's nonlinear Gauss-Seidel on the Delassus operator.
//
//     for each contact a:  u_a = sum_b W_ab r_b + q_a,
//                          r_a <- answer of the one-contact problem
//                                 u = W_aa r + b,   b = u_a - W_aa r_a
//
// Method [Moreau2004, section 6.2; JourdanAlartJean1998]
//   1. Visit the contacts in order (given, back and forth, or shuffled).
//   2. With the impulses of all other contacts as they stand, solve contact a exactly
//      and keep its new impulse at once (solvers/contact/gauss_seidel.c, with omega).
//
// Cost: one pass over W and one local solve per contact; near memory bandwidth.
// Fails: slows down as cos^2(pi/2n) per sweep on a stack of n bodies and as M/(M + m) for
// heavy on light; may stall on hyperstatic sets, and diverges for omega well above 1.
#include "solvers/contact/gauss_seidel.h"

struct pgs_options {
    double omega;
    int order;
};

static const struct dls_option pgs_options[] = {
    DLS_REAL(pgs_options, omega, 1.0, 1e-3, 2.0, "over-relaxation"),
    DLS_CHOICE(pgs_options, order, DLS_SWEEP_GIVEN, DLS_SWEEP_CHOICES,
               "order of the contacts in a sweep"),
    {0},
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct pgs_options *o = opt;
    struct dls_gauss_seidel *self = *out = DLS_NEW(a, struct dls_gauss_seidel, 1);
    if (a->failed) return DLS_ENOMEM;
    return dls_gauss_seidel_create(self, form, o->omega, o->order, a, err);
}

static enum dls_status step(void *self, double *r, struct dls_work *work)
{
    dls_gauss_seidel_sweep(self, r, work);
    return DLS_OK;
}

const struct dls_solver dls_solver_pgs = {
    .name = "pgs",
    .brief = "Moreau's nonlinear Gauss-Seidel on the Delassus operator",
    .use = "The first method to try: the fastest to 1e-4 on almost every problem.",
    .fails =
        "It is slow on tall stacks (a sweep multiplies the error by cos(pi/2n)^2 in "
        "a stack of n) and on large mass ratios. On hyperstatic sets it may stall, "
        "or circle an answer that repels it: then try omega=0.8 or order=shuffled.",
    .cite = "Moreau2004",
    .takes = &dls_formulation_delassus,
    .options = pgs_options,
    .options_size = sizeof(struct pgs_options),
    .create = create,
    .step = step,
};
