// SPDX-License-Identifier: Apache-2.0
// Moreau's nonlinear Gauss-Seidel on the velocities of the bodies, W never formed.
//
//     for each contact a:  u_a = H_a v + w_a,
//                          r_a' <- answer of  u = W_aa r + (u_a - W_aa r_a),     (38)
//                          v <- v + M^-1 H_a^T (r_a' - r_a)                      (37)
//
// Method [Moreau2004, eq. (36)-(38)]
//   1. The estimate (v, r) satisfies M v = f + H^T r, eq. (36).
//   2. Alter the impulse of one contact alone so that its law holds, eq. (38), and carry
//      the change to the velocities of its bodies, eq. (37).
//   3. Every `refresh` sweeps v is computed from r anew, against the drift of round-off.
//   Over-relaxation as in pgs.c. The iterates are those of pgs but for round-off.
//   Contacts that come as frames have a sweep of their own (contact/frame_sweep.c).
//
// Cost: linear in contacts, however many contacts a body has; memory likewise.
// Fails: as pgs does; and it needs M block diagonal by bodies, without joints.
#include "solvers/contact/contact.h"
#include "solvers/contact/frame_sweep.h"
#include "solvers/contact/sweep.h"
#include "solvers/solver.h"

#include "formulations/bodies.h"

#include <string.h>

struct pgs_bodies_options {
    double omega;
    int order, refresh;
};

static const struct dls_option pgs_bodies_options[] = {
    DLS_REAL(pgs_bodies_options, omega, 1.0, 1e-3, 2.0, "over-relaxation"),
    DLS_CHOICE(pgs_bodies_options, order, DLS_SWEEP_GIVEN, DLS_SWEEP_CHOICES,
               "order of the contacts in a sweep"),
    DLS_INT(pgs_bodies_options, refresh, 50, 1, 1e9,
            "sweeps between computations of the velocity from the impulses"),
    {0},
};

struct pgs_bodies {
    const struct dls_bodies *form;
    struct dls_frame_sweep frames; // takes the place of all below where form->frames
    bool staged;                   // several threads may share a sweep
    struct dls_stages stages;      // then
    dls_contact_solver *solve;
    struct dls_local_contact *contacts;
    struct dls_sweep sweep;
    double omega;
    int refresh;
    double *W;      // d x d diagonal blocks
    double *v_free; // M^-1 f
    double *v;
};

// v_b += X_e^T x for the body of entry e, X = M^-1 H^T.
static void add_impulse(const struct dls_bodies *f, int e, const double *x, double *v)
{
    int k = dls_bodies_size(f, f->body[e]);
    const double *X = f->X + f->at[e];
    double *v_b = v + f->inertia->start[f->body[e]];
    for (int i = 0; i < f->problem->d; i++, X += k)
        for (int s = 0; s < k; s++) v_b[s] += X[s] * x[i];
}

// u_a = w_a + sum_b H_ab v_b
static void local_velocity(const struct dls_bodies *f, int a, const double *v,
                           double *u)
{
    const struct dls_problem *p = f->problem;
    for (int i = 0; i < p->d; i++) u[i] = p->w[a * p->d + i];
    for (int e = f->p[a]; e < f->p[a + 1]; e++) {
        int k = dls_bodies_size(f, f->body[e]);
        const double *H = f->H + f->at[e], *v_b = v + f->inertia->start[f->body[e]];
        for (int i = 0; i < p->d; i++, H += k)
            for (int s = 0; s < k; s++) u[i] += H[s] * v_b[s];
    }
}

// v = M^-1 (f + H^T r)
static void refresh(struct pgs_bodies *self, const double *r)
{
    const struct dls_bodies *f = self->form;
    memcpy(self->v, self->v_free, (size_t)f->problem->n * sizeof *self->v);
    for (int a = 0; a < f->problem->contacts; a++)
        for (int e = f->p[a]; e < f->p[a + 1]; e++)
            add_impulse(f, e, r + a * f->problem->d, self->v);
}

// W_aa = sum_b H_ab M_b^-1 H_ab^T
static void diagonal(const struct dls_bodies *f, int a, double *W)
{
    int d = f->problem->d;
    for (int e = f->p[a]; e < f->p[a + 1]; e++) {
        int k = dls_bodies_size(f, f->body[e]);
        const double *H = f->H + f->at[e], *X = f->X + f->at[e];
        for (int i = 0; i < d; i++)
            for (int l = 0; l < d; l++)
                for (int s = 0; s < k; s++) W[i * d + l] += H[i * k + s] * X[l * k + s];
    }
}

// The data of a sweep over blocks of H.
static enum dls_status prepare(struct pgs_bodies *self, struct dls_arena *a,
                               struct dls_error *err)
{
    const struct dls_bodies *f = self->form;
    const struct dls_problem *p = f->problem;
    self->solve = dls_contact_solver_for(p->d, p->rolling);
    self->contacts = DLS_NEW(a, struct dls_local_contact, p->contacts);
    self->W = DLS_NEW(a, double, p->m * p->d);
    self->v_free = DLS_NEW(a, double, p->n);
    self->v = DLS_NEW(a, double, p->n);
    if (a->failed) return DLS_ENOMEM;
    dls_inertia_solve(f->inertia, p->f, NULL, self->v_free, NULL);
    for (int c = 0; c < p->contacts; c++) {
        double *W_aa = self->W + c * p->d * p->d;
        diagonal(f, c, W_aa);
        struct dls_cone K =
            dls_cone_make(p->d, p->rolling, p->mu[c], p->rolling ? p->mu_r[c] : 0);
        if (!dls_contact_prepare(self->contacts + c, &K, W_aa))
            return dls_fail(err, DLS_UNSUPPORTED, "W_NN <= 0 at contact %d", c);
    }
    return DLS_OK;
}

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_bodies *f = form;
    const struct pgs_bodies_options *o = opt;
    struct pgs_bodies *self = *out = DLS_NEW(a, struct pgs_bodies, 1);
    if (!self) return DLS_ENOMEM;
    *self = (struct pgs_bodies){.form = f, .omega = o->omega, .refresh = o->refresh};
    if (!dls_sweep_create(&self->sweep, f->problem->contacts, o->order, a))
        return DLS_ENOMEM;
    self->staged = o->order == DLS_SWEEP_GIVEN && dls_stages_wanted(f->problem);
    if (f->frames)
        return dls_frame_sweep_create(&self->frames, f, o->omega, self->staged, a, err);
    if (self->staged && !dls_stages_of_bodies(&self->stages, f, a)) return DLS_ENOMEM;
    return prepare(self, a, err);
}

static void reset(void *data, const double *z)
{
    struct pgs_bodies *self = data;
    if (self->form->frames)
        dls_frame_sweep_reset(&self->frames, z);
    else
        refresh(self, z);
}

// Solves contact a and carries the change to its bodies; true where several answers fit.
static bool relax(struct pgs_bodies *self, int a, double *r_a)
{
    const struct dls_bodies *f = self->form;
    const struct dls_local_contact *contact = self->contacts + a;
    int d = f->problem->d, answers = 1;
    const double *W_aa = self->W + a * d * d;
    double b[5], change[5], inverse = 1 / self->omega;
    local_velocity(f, a, self->v, b);
    for (int i = 0; i < d; i++) {
        change[i] = -r_a[i];
        for (int l = 0; l < d; l++) b[i] -= W_aa[i * d + l] * r_a[l] * inverse;
    }
    self->solve(contact, W_aa, b, r_a, contact->ambiguous ? &answers : NULL);
    for (int i = 0; i < d; i++) {
        r_a[i] *= self->omega;
        change[i] += r_a[i];
    }
    for (int e = f->p[a]; e < f->p[a + 1]; e++)
        add_impulse(f, e, change, self->v); // (37)
    return answers > 1;
}

struct visit {
    struct pgs_bodies *self;
    double *z;
};

static long relax_all(void *data, int from, int to)
{
    const struct visit *v = data;
    struct pgs_bodies *self = v->self;
    const int *order = self->staged ? self->stages.order : self->sweep.order;
    long ambiguous = 0;
    for (int i = from; i < to; i++)
        ambiguous += relax(self, order[i], v->z + order[i] * self->form->problem->d);
    return ambiguous;
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct pgs_bodies *self = data;
    const struct dls_problem *p = self->form->problem;
    const int *order = dls_sweep_next(&self->sweep, work->seed);
    bool given = self->sweep.kind == DLS_SWEEP_GIVEN;
    struct visit all = {self, z};
    if (self->form->frames)
        work->ambiguous = dls_frame_sweep_run(&self->frames, given ? NULL : order, z);
    else if (self->staged)
        work->ambiguous = dls_stages_run(&self->stages, p->threads, relax_all, &all);
    else
        work->ambiguous = relax_all(&all, 0, p->contacts);
    if (self->sweep.sweeps % self->refresh == 0) reset(self, z);
    work->products++;
    work->local_solves += p->contacts;
    return DLS_OK;
}

const struct dls_solver dls_solver_pgs_bodies = {
    .name = "pgs-bodies",
    .brief = "Moreau's nonlinear Gauss-Seidel on body velocities, matrix-free",
    .use = "Very large problems, and bodies with thousands of contacts: W is never "
           "formed.",
    .fails = "Where pgs fails. It needs a file that gives M and H, without joints.",
    .cite = "Moreau2004",
    .takes = &dls_formulation_bodies,
    .options = pgs_bodies_options,
    .options_size = sizeof(struct pgs_bodies_options),
    .create = create,
    .reset = reset,
    .step = step,
};
