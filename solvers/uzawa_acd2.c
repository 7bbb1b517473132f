// SPDX-License-Identifier: Apache-2.0
// Uzawa's iteration on the A-CD2 law (formulations/acd2.c).
//
//     (2M + H^T K H) Y = 2 M v^- + hF - H^T K w_ob + H^T (lambda, s),
//     u_bar  =  H Y + w_ob,
//     lambda <- max(0, lambda - rho (u_bar_N - u_N^- / 2)),
//     s      <- projection of s - rho u_bar_T on the disk of radius G
//
// Method [DalPontDimnet2008, section 4.2; friction kept as a multiplier, so that one
// factorisation serves all iterations]
//   loop = nested  G is frozen; when the defect has fallen to `inner` times its value
//                  after the last freezing, G <- mu max(0, r_N), r = (lambda, s) - K u_bar.
//   loop = single  G = mu max(0, r_N) in every iteration.
//   loop = paths   the paper's: (I) all contacts stick, G infinite; (II) those with
//                  |s| > mu r_N lose that constraint for good and get G = mu r_N; again,
//                  with the others looked at each time. Contacts that cannot all stick
//                  together (more rows than velocities) would never end (I): PATIENCE
//                  iterations do.
//   The step is rho = `rho` / lambda_max(B), B = H (2M + H^T K H)^-1 H^T (Lanczos); for
//   frozen G it converges for `rho` < 2.
// It ends `finished` when the own residual is below the tolerance: the judge measures
// the file's law, which is another one as soon as there are potentials. With
// restitution (0, 1) and no potentials it is the same, and the judge decides.
//
// Cost: one solve with the factor and two products with H per step.
// Fails: nested and paths by cycling where mu is above the bound of uniqueness.c; slow
// where B is badly conditioned.
#include "solvers/solver.h"

#include "formulations/acd2.h"
#include "formulations/delassus.h"
#include "formulations/parts/uniqueness.h"

#include "base/lanczos.h"
#include "base/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct uzawa_acd2_options {
    int loop;
    double rho, inner;
};

enum { NESTED, SINGLE, PATHS };
enum { PATIENCE = 1000 };
// Rows up to which the bound of uniqueness is told: it takes W and dense eigenvalues,
// m^3, which in a step of a run would cost more than the iterations.
enum { BOUND_M = 90 };

static const struct dls_option uzawa_acd2_options[] = {
    DLS_CHOICE(uzawa_acd2_options, loop, SINGLE, "nested|single|paths",
               "thresholds outside, in every iteration, or stick first, then slip"),
    DLS_REAL(uzawa_acd2_options, rho, 1.0, 1e-6, 1.99, "step times lambda_max(B)"),
    DLS_REAL(uzawa_acd2_options, inner, 0.1, 1e-12, 0.999,
             "fall of the inner defect before thresholds are renewed"),
    {0},
};

struct uzawa_acd2 {
    const struct dls_acd2 *form;
    int loop;
    double rho, inner;
    int waited;          // iterations since the last freezing
    double first;        // defect after the last freezing; negative = not yet known
    double bound;        // of uniqueness; NAN = not available
    double *u_bar, *own; // m, contacts: thresholds that the law asks for now
    double *G;           // contacts: thresholds in use
};

// y = H A^-1 H^T x with A = 2M + H^T K H
static void multiply(void *data, const double *x, double *y)
{
    const struct dls_acd2 *f = data;
    memset(f->y, 0, (size_t)f->problem->n * sizeof *f->y);
    dls_csr_add_transposed(f->problem->H, 1, x, f->y);
    dls_inertia_solve(f->system, f->y, NULL, f->Y, NULL);
    memset(y, 0, (size_t)f->problem->m * sizeof *y);
    dls_csr_add(f->problem->H, 1, f->Y, y);
}

// The bound of uniqueness.c from a W made for it.
static enum dls_status find_bound(struct uzawa_acd2 *self, struct dls_arena *a,
                                  struct dls_error *err)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_delassus W;
    enum dls_status status = dls_delassus_build(&W, self->form->problem, &scratch, err);
    if (status == DLS_OK) self->bound = dls_uniqueness_bound(&W, &scratch);
    dls_arena_free(&scratch);
    return a->failed ? DLS_ENOMEM : status;
}

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_acd2 *f = form;
    const struct dls_problem *p = f->problem;
    const struct uzawa_acd2_options *o = opt;
    struct uzawa_acd2 *self = *out = DLS_NEW(a, struct uzawa_acd2, 1);
    double *u_bar = DLS_NEW(a, double, p->m);
    double *G = DLS_NEW(a, double, p->contacts), *own = DLS_NEW(a, double, p->contacts);
    if (a->failed) return DLS_ENOMEM;
    *self = (struct uzawa_acd2){
        .form = f,
        .loop = o->loop,
        .inner = o->inner,
        .first = -1,
        .u_bar = u_bar,
        .own = own,
        .G = G,
    };
    struct dls_acd2 view = *f;
    struct dls_ritz ritz;
    enum dls_status status = dls_lanczos(&ritz, p->m, multiply, &view, a);
    self->bound = NAN;
    if (status == DLS_OK && p->m <= BOUND_M) status = find_bound(self, a, err);
    double largest = ritz.largest + ritz.error;
    if (status == DLS_OK && p->m && !(largest > 0))
        return dls_fail(err, DLS_UNSUPPORTED, "no contact moves any body: H = 0");
    self->rho = p->m ? o->rho / largest : 1;
    return status;
}

// New thresholds from those that the law asks for; on the paths, contacts that stick
// keep no threshold at all.
static void freeze(struct uzawa_acd2 *self, const double *z)
{
    int d = self->form->problem->d;
    for (int a = 0; a < self->form->problem->contacts; a++) {
        bool sticks = self->loop == PATHS && isinf(self->G[a])
                      && dls_norm(d - 1, z + a * d + 1) <= self->own[a];
        if (!sticks) self->G[a] = self->own[a];
    }
    self->first = -1;
    self->waited = 0;
}

static void reset(void *data, const double *z)
{
    struct uzawa_acd2 *self = data;
    dls_acd2_mean(self->form, z, self->u_bar);
    dls_acd2_thresholds(self->form, z, self->u_bar, self->own);
    freeze(self, z);
    bool stick = self->loop == PATHS && self->form->law.friction == DLS_ACD2_COULOMB;
    for (int a = 0; stick && a < self->form->problem->contacts; a++)
        self->G[a] = INFINITY;
}

static void tell(const struct uzawa_acd2 *self, const double *z, double own,
                 struct dls_work *work)
{
    struct dls_acd2_verdict v = dls_acd2_judge(self->form, z, self->u_bar);
    char unique[32] = "bound not available", pulls[20] = "";
    if (self->bound >= 0)
        snprintf(unique, sizeof unique, "bound %.3g: %s", self->bound,
                 self->bound < 1 ? "unique" : "above 1");
    if (v.pulls) snprintf(pulls, sizeof pulls, "; %d pull", v.pulls);
    // u_bar carries the error of z: ten times the own residual counts as zero.
    snprintf(work->note, sizeof work->note, "%s; Clausius-Duhem %s%s", unique,
             v.worst <= fmax(10 * own, 1e-12) ? "holds" : "violated", pulls);
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct uzawa_acd2 *self = data;
    const struct dls_acd2 *f = self->form;
    dls_acd2_mean(f, z, self->u_bar);
    work->products++;
    dls_acd2_thresholds(f, z, self->u_bar, self->own);
    double own = dls_acd2_defect(f, z, self->u_bar, self->own);
    tell(self, z, own, work);
    if (f->label && own <= fmax(work->tol, 1e-15)) return DLS_FINISHED;
    double defect = dls_acd2_defect(f, z, self->u_bar, self->G);
    if (self->first < 0) self->first = defect;
    bool impatient = self->loop == PATHS && ++self->waited > PATIENCE;
    if (self->loop == SINGLE || defect <= self->inner * self->first || impatient)
        freeze(self, z);
    dls_acd2_update(f, self->rho, self->u_bar, self->G, z);
    return DLS_OK;
}

const struct dls_solver dls_solver_uzawa_acd2 = {
    .name = "uzawa-acd2",
    .brief = "Uzawa's iteration on the A-CD2 law of collisions, one factorisation",
    .use = "The A-CD2 law itself, which never creates energy.",
    .fails = "Files without the velocity before the step cannot be solved.",
    .cite = "DalPontDimnet2008",
    .takes = &dls_formulation_acd2,
    .options = uzawa_acd2_options,
    .options_size = sizeof(struct uzawa_acd2_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
};
