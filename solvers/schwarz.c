// SPDX-License-Identifier: Apache-2.0
// Nonlinear Schwarz: the worst patch is solved alone, exactly, then the whole relaxes.
//
//     P = the contacts around the one with the largest residual
//     r_P <- answer of the problem of P with all other impulses as they stand
//     r   <- Gauss-Seidel sweeps of all contacts
//
// Method [DryjaHackbusch1997], with one patch at a time, chosen by the residual.
//   1. Coulomb's law is not monotone. When the impulses around a few contacts of a large
//      packing change, the solution that these contacts were near may vanish. The residual
//      is still small there, and every method makes small steps, but the next solution of
//      these contacts is far away. On the patch alone it is found at small cost, by
//      proximal Newton with hundreds of small factorisations.
//   2. The new impulses disturb the neighbours. The residual is far larger than before, and
//      falls in the sweeps that follow, which carry the change through the packing.
//   3. A patch that is not solved in `steps` is left as it is, and the next one is made
//      around a contact outside of it.
//
// Cost: a solve of `contacts` contacts and `sweeps` passes over W.
// Fails: as Gauss-Seidel does where errors span the whole structure. Where impulses are not
// unique, the impulses around a patch determine its own and little is gained. It is made to
// work in turn with a method for the whole problem, as in auto.
#include "solvers/contact/gauss_seidel.h"
#include "solvers/kernel/patch.h"

#include <math.h>
#include <string.h>

struct schwarz_options {
    int contacts, steps, sweeps;
};

static const struct dls_option schwarz_options[] = {
    DLS_INT(schwarz_options, contacts, 300, 1, 1e9, "contacts in a patch"),
    DLS_INT(schwarz_options, steps, 300, 1, 1e9,
            "proximal points for a patch, at most"),
    DLS_INT(schwarz_options, sweeps, 600, 0, 1e9, "Gauss-Seidel sweeps after a patch"),
    {0},
};

static const double share = 0.01; // of the tolerance that a patch may leave

struct schwarz {
    const struct dls_delassus *form;
    struct schwarz_options opt;
    struct dls_gauss_seidel gauss_seidel;
    struct dls_patch patch;
    struct dls_arena *arena;
    bool *avoid; // contacts: in a patch that was not solved
    double *u;   // m
    double norm_q;
};

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    if (f->problem->rolling)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "patches are solved without rolling rows");
    struct schwarz *self = *out = DLS_NEW(a, struct schwarz, 1);
    bool *avoid = DLS_NEW(a, bool, f->contacts);
    double *u = DLS_NEW(a, double, f->m), square = 0;
    if (a->failed) return DLS_ENOMEM;
    for (int k = 0; k < f->m; k++) square += f->q[k] * f->q[k];
    self->form = f;
    self->opt = *(const struct schwarz_options *)opt;
    self->arena = a;
    self->avoid = avoid;
    self->u = u;
    self->norm_q = sqrt(square);
    if (!dls_patch_create(&self->patch, f, a)) return DLS_ENOMEM;
    return dls_gauss_seidel_create(&self->gauss_seidel, f, 1, DLS_SWEEP_GIVEN, a, err);
}

static void forget(struct schwarz *self)
{
    memset(self->avoid, 0, (size_t)self->form->contacts * sizeof *self->avoid);
}

static void reset(void *data, const double *r)
{
    (void)r;
    forget(data);
}

// |r - P_K(r - u~ / l)| of one contact, l the mean of the diagonal of W_aa. l = 1 stands in
// where that mean is not positive, which it always is where W comes from bodies.
static double residual(const struct schwarz *self, int a, const double *r)
{
    const struct dls_delassus *f = self->form;
    int d = f->d;
    const double *W_aa = dls_bsr_diagonal(f->W, a);
    struct dls_cone K = dls_cone_make(d, false, f->mu[a], 0);
    enum dls_contact_status status;
    double l = 0;
    for (int i = 0; i < d; i++) l += W_aa[i * (d + 1)] / d;
    if (!(l > 0) || !isfinite(1 / l)) l = 1;
    return dls_cone_natural(&K, r + a * d, self->u + a * d, 1 / l, &status);
}

// The contact with the largest residual, not among those to avoid; -1 where all are.
static int worst(const struct schwarz *self, const double *r)
{
    int seed = -1;
    double most = -1;
    for (int a = 0; a < self->form->contacts; a++) {
        double e = self->avoid[a] ? -1 : residual(self, a, r);
        if (e > most) most = e, seed = a;
    }
    return seed;
}

// Solves the patch around the worst contact.
static enum dls_status solve_patch(struct schwarz *self, double *r,
                                   struct dls_work *work)
{
    const struct dls_delassus *f = self->form;
    bool solved;
    dls_bsr_multiply(f->W, r, f->q, self->u);
    work->products++;
    int seed = worst(self, r);
    if (seed < 0) return forget(self), DLS_OK;
    dls_patch_grow(&self->patch, seed, self->opt.contacts);
    enum dls_status status =
        dls_patch_solve(&self->patch, "prox-newton", share * work->tol * self->norm_q,
                        self->opt.steps, self->u, r, &solved, work, self->arena);
    if (solved) forget(self);
    for (int c = 0; c < self->patch.count && !solved; c++)
        self->avoid[self->patch.list[c]] = true;
    return status;
}

static enum dls_status step(void *data, double *r, struct dls_work *work)
{
    struct schwarz *self = data;
    if (!self->form->m) return DLS_FINISHED;
    enum dls_status status = solve_patch(self, r, work);
    if (status != DLS_OK) return status;
    for (int k = 0; k < self->opt.sweeps && !dls_work_expired(work); k++)
        dls_gauss_seidel_sweep(&self->gauss_seidel, r, work);
    return DLS_OK;
}

const struct dls_solver dls_solver_schwarz = {
    .name = "schwarz",
    .brief = "nonlinear Schwarz: the worst patch solved alone, sweeps between",
    .use = "Packings on which every other method lingers at 1e-6.",
    .fails = "It is slow alone where errors span the whole structure, and gains little "
             "on hyperstatic walls.",
    .cite = "DryjaHackbusch1997",
    .takes = &dls_formulation_delassus,
    .options = schwarz_options,
    .options_size = sizeof(struct schwarz_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
};
