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
//      (solvers/local/) and keep its new impulse at once.
//   Over-relaxation omega replaces W_aa by W_aa / omega with the same fixed points: since
//   K is a cone, solve u = W_aa s + (u_a - W_aa r_a / omega) and set r_a = omega s.
//
// Cost: one pass over W and one local solve per contact; near memory bandwidth.
// Fails: slows down as cos^2(pi/2n) per sweep on a stack of n bodies and as M/(M + m) for
// heavy on light; may stall on hyperstatic sets, and diverges for omega well above 1.
#include "solvers/local/contact.h"
#include "solvers/local/sweep.h"
#include "solvers/solver.h"

#include "formulations/delassus.h"

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

struct pgs {
    const struct dls_delassus *form;
    dls_contact_solver *solve;
    struct dls_contact *contacts;
    struct dls_sweep sweep;
    double omega;
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    const struct pgs_options *o = opt;
    if (f->problem->rolling)
        return dls_fail(err, DLS_UNSUPPORTED, "no local solver for rolling rows");
    struct pgs *self = *out = DLS_NEW(a, struct pgs, 1);
    struct dls_contact *contacts = DLS_NEW(a, struct dls_contact, f->contacts);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct pgs){
        .form = f,
        .solve = dls_contact_solver_for(f->d),
        .contacts = contacts,
        .omega = o->omega,
    };
    if (!dls_sweep_create(&self->sweep, f->contacts, o->order, a)) return DLS_ENOMEM;
    for (int c = 0; c < f->contacts; c++)
        if (!dls_contact_prepare(contacts + c, f->d, dls_bsr_diagonal(f->W, c),
                                 f->mu[c]))
            return dls_fail(err, DLS_UNSUPPORTED, "W_NN <= 0 at contact %d", c);
    return DLS_OK;
}

// Solves contact a with the others as they stand; true where several answers fit. The
// callers give d as a constant, for the compiler to unroll.
static inline bool relax(const struct pgs *self, int a, double *r, int d)
{
    const struct dls_delassus *f = self->form;
    const struct dls_contact *contact = self->contacts + a;
    const double *W_aa = dls_bsr_diagonal(f->W, a);
    double b[3], *r_a = r + (size_t)a * (size_t)d, inverse = 1 / self->omega;
    int answers = 1;
    dls_bsr_row(f->W, a, f->q, r, b); // u_a = W_a: r + q_a
    for (int i = 0; i < d; i++)       // b = u_a - W_aa r_a / omega
        for (int l = 0; l < d; l++) b[i] -= W_aa[i * d + l] * r_a[l] * inverse;
    self->solve(contact, W_aa, b, r_a, contact->ambiguous ? &answers : NULL);
    for (int i = 0; i < d; i++) r_a[i] *= self->omega;
    return answers > 1;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct pgs *self = data;
    int contacts = self->form->contacts, d = self->form->d;
    const int *order = dls_sweep_next(&self->sweep, work->seed);
    work->ambiguous = 0;
    for (int k = 0; k < contacts; k++) switch (d) {
        case 1:
            work->ambiguous += relax(self, order[k], r, 1);
            break;
        case 2:
            work->ambiguous += relax(self, order[k], r, 2);
            break;
        case 3:
            work->ambiguous += relax(self, order[k], r, 3);
            break;
        }
    work->products++;
    work->local_solves += contacts;
    return DLS_OK;
}

const struct dls_solver dls_solver_pgs = {
    .name = "pgs",
    .brief = "Moreau's nonlinear Gauss-Seidel on the Delassus operator",
    .cite = "Moreau2004",
    .takes = &dls_formulation_delassus,
    .options = pgs_options,
    .options_size = sizeof(struct pgs_options),
    .create = create,
    .step = step,
};
