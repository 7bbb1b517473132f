// SPDX-License-Identifier: Apache-2.0
// OSQP on the convex programs of the formulation `qp`.
//
//     outer step:  freeze shift or thresholds at z;   z <- answer of
//                  minimise 1/2 x.P x + c.x  subject to  l <= A x <= h
//
// Method [StellatoEtAl2020]: the operator splitting of OSQP, one factor of
//     [ P + sigma I   A^T      ]
//     [ A            -1/rho I  ]   and one solve with it per inner iteration.
//   1. Set up once. Between outer steps only c, l, h change, which needs no new factor;
//      adapted polygons change A too, which needs a numeric one.
//   2. Iterates are kept, so each program starts at the answer of the one before.
//   3. The inner tolerance follows the residual that the judge saw (`inner` times it).
// OSQP's own status is not looked at, its tests of infeasibility are made unable to fire
// and polishing is off: the answer of a step is whatever the iterates are by then, and
// the judge measures it. rho is adapted at fixed iteration counts: by default OSQP goes by
// the clock, and then two runs do not give the same answer.
//
// Cost: one sparse triangular solve per inner iteration.
// Fails: slow on ill-conditioned programs, as first-order methods are; the outer loop may
// cycle where friction is strong.
#include "solvers/solver.h"

#include "formulations/qp.h"

#include "base/clock.h"
#include "base/deadline.h"
#include "base/sparse_factor.h"

#include <assert.h>
#include <math.h>
#include <osqp/osqp.h>
#include <string.h>

static_assert(sizeof(c_float) == sizeof(double), "an OSQP in double precision");

enum {
    RHO_INTERVAL = 25, // inner iterations between adaptations of rho
    CHUNK = 500,       // inner iterations between looks at the clock
};

struct osqp_options {
    double inner, rho;
    int inner_iterations, check;
};

static const struct dls_option osqp_options[] = {
    DLS_REAL(osqp_options, inner, 0.1, 1e-6, 1,
             "inner tolerance, as a share of the residual that the judge saw"),
    DLS_INT(osqp_options, inner_iterations, 500, 25, 1e9,
            "inner iterations in a step, at most"),
    DLS_INT(osqp_options, check, 25, 1, 1e6, "inner iterations between inner tests"),
    DLS_REAL(osqp_options, rho, 0.1, 1e-6, 1e6, "first penalty of the splitting"),
    {0},
};

struct osqp {
    const struct dls_qp *form;
    struct osqp_options opt;
    struct dls_qp_frozen frozen;
    OSQPWorkspace *work;
    c_float *P_x; // values of the upper triangle of P by columns
    c_int P_count;
    c_float *A_x;            // values of A by columns
    int *to_column;          // where entry k of A by rows stands among them
    double tolerance, error; // of the inner iterations; what it was last taken from
    double own;              // residual of a relaxation
    bool moved;              // z was changed from outside
};

// --- matrices in OSQP's form ----------------------------------------------------------

// The upper triangle by columns of the symmetric P: the entries j <= i of its rows i.
static bool upper(csc *to, const struct dls_csr *P, struct dls_arena *a)
{
    int count = dls_csr_count(P), at = 0;
    *to = (csc){
        .nzmax = count,
        .m = P->rows,
        .n = P->rows,
        .p = DLS_NEW(a, c_int, P->rows + 1),
        .i = DLS_NEW(a, c_int, count),
        .x = DLS_NEW(a, c_float, count),
        .nz = -1,
    };
    if (a->failed) return false;
    for (int i = 0; i < P->rows; i++) {
        for (int k = P->p[i]; k < P->p[i + 1] && P->j[k] <= i; k++, at++) {
            to->i[at] = P->j[k];
        }
        to->p[i + 1] = at;
    }
    return true;
}

// A by columns; where[k] tells the place of entry k of its rows.
static bool columns(csc *to, const struct dls_csr *A, int *where, struct dls_arena *a)
{
    int count = dls_csr_count(A);
    *to = (csc){
        .nzmax = count,
        .m = A->rows,
        .n = A->cols,
        .p = DLS_NEW(a, c_int, A->cols + 2),
        .i = DLS_NEW(a, c_int, count),
        .x = DLS_NEW(a, c_float, count),
        .nz = -1,
    };
    if (a->failed) return false;
    for (int k = 0; k < count; k++) to->p[A->j[k] + 2]++;
    for (int j = 0; j < A->cols; j++) to->p[j + 2] += to->p[j + 1];
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            where[k] = (int)to->p[A->j[k] + 1]++;
            to->i[where[k]] = i;
        }
    return true;
}

// Carries the frozen values into OSQP's arrays; its infinity is 1e30.
static void convert(struct osqp *self)
{
    const struct dls_qp_frozen *now = &self->frozen;
    const struct dls_csr *P = self->form->P;
    int at = 0;
    for (int i = 0; i < P->rows; i++)
        for (int k = P->p[i]; k < P->p[i + 1] && P->j[k] <= i; k++)
            self->P_x[at++] = now->P[k];
    for (int k = 0; k < dls_csr_count(self->form->A); k++)
        self->A_x[self->to_column[k]] = now->A[k];
    for (int i = 0; i < self->form->y_size; i++) {
        now->l[i] = fmax(now->l[i], -OSQP_INFTY);
        now->h[i] = fmin(now->h[i], OSQP_INFTY);
    }
}

// --- set-up ---------------------------------------------------------------------------

static OSQPSettings settings_of(const struct osqp_options *o)
{
    OSQPSettings s;
    osqp_set_default_settings(&s);
    s.verbose = 0;
    s.polish = 0;
    s.rho = o->rho;
    s.adaptive_rho_interval = RHO_INTERVAL;
    s.check_termination = o->check;
    s.eps_rel = 0;
    s.eps_prim_inf = s.eps_dual_inf = 1e-30;
    return s;
}

// Operations a second of OSQP's own factorisation, which works entry by entry.
static const double QDLDL_RATE = 2e9;

// Whether OSQP's first factorisation, of [P A^T; A 0] with something on the diagonal, fits
// into the time. It is one call that cannot be interrupted, and its work is known before.
static enum dls_status predict(const struct dls_qp *f, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_sparse_factor probe = {0};
    int n = f->x_size, rows = f->y_size;
    int count = n + rows + dls_csr_count(f->P) + 2 * dls_csr_count(f->A), at = 0;
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = DLS_NEW(&scratch, double, count); // of no use: the pattern counts
    if (scratch.failed) return dls_arena_free(&scratch), DLS_ENOMEM;
    for (int r = 0; r < n + rows; r++) i[at] = j[at] = r, at++;
    for (int r = 0; r < n; r++)
        for (int k = f->P->p[r]; k < f->P->p[r + 1]; k++)
            i[at] = r, j[at++] = f->P->j[k];
    for (int r = 0; r < rows; r++)
        for (int k = f->A->p[r]; k < f->A->p[r + 1]; k++) {
            i[at] = n + r, j[at++] = f->A->j[k];
            i[at] = f->A->j[k], j[at++] = n + r;
        }
    struct dls_csr *K =
        dls_csr_from_triplets(n + rows, n + rows, at, i, j, x, &scratch);
    enum dls_status status =
        K ? dls_sparse_factor_create(&probe, K, DLS_FACTOR_POSITIVE, &scratch)
          : DLS_ENOMEM;
    if (status == DLS_OK && !dls_deadline_allows(probe.flops / QDLDL_RATE))
        status = DLS_MAX_TIME;
    if (K) dls_sparse_factor_destroy(&probe);
    dls_arena_free(&scratch);
    return status;
}

static enum dls_status create(void **out, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_qp *f = form;
    struct osqp *self = *out = DLS_NEW(a, struct osqp, 1);
    if (!self) return DLS_ENOMEM;
    self->form = f;
    self->opt = *(const struct osqp_options *)opt;
    if (!f->x_size) return DLS_OK; // no unknowns, nothing to set up
    csc P, A;
    enum dls_status status = predict(f, a);
    if (status) return status;
    struct dls_arena scratch = dls_arena_scratch(a);
    double *z = DLS_NEW(&scratch, double, dls_formulation_qp.size(f));
    double *zero = DLS_NEW(&scratch, double, f->problem->m);
    self->to_column = DLS_NEW(a, int, dls_csr_count(f->A));
    bool good = !a->failed && upper(&P, f->P, a)
                && columns(&A, f->A, self->to_column, a)
                && dls_qp_frozen_create(&self->frozen, f, a);
    if (!good) return dls_arena_free(&scratch), DLS_ENOMEM;
    self->P_x = P.x;
    self->P_count = P.p[f->x_size];
    self->A_x = A.x;
    dls_formulation_qp.start(f, zero, z);
    dls_qp_freeze(f, z, &self->frozen);
    convert(self);
    OSQPData data = {
        .n = f->x_size,
        .m = f->y_size,
        .P = &P,
        .A = &A,
        .q = self->frozen.c,
        .l = self->frozen.l,
        .u = self->frozen.h,
    };
    OSQPSettings settings = settings_of(&self->opt);
    c_int failed = osqp_setup(&self->work, &data, &settings);
    dls_arena_free(&scratch);
    if (failed == OSQP_MEM_ALLOC_ERROR) return DLS_ENOMEM;
    if (failed)
        return dls_fail(err, DLS_UNSUPPORTED, "OSQP finds the program not convex");
    return DLS_OK;
}

static void reset(void *data, const double *z)
{
    struct osqp *self = data;
    self->moved = true;
    self->tolerance = self->error = INFINITY;
    self->own = dls_formulation_qp.residual(self->form, z);
}

static void destroy(void *data) { osqp_cleanup(((struct osqp *)data)->work); }

// --- the step -------------------------------------------------------------------------

// The inner tolerance is a share of the error. It is halved where a step gained less than
// half, but not below a thousandth of the error, since the outer loop needs several steps in
// any case. The error of a relaxation is its own residual: Coulomb's does not go to zero.
static void choose_tolerance(struct osqp *self, const struct dls_work *work)
{
    double error = self->form->relaxes ? self->own : work->judged;
    double least = fmax(1e-2 * work->tol, 1e-13);
    double slack = error > 0.5 * self->error ? 0.5 * self->tolerance : self->tolerance;
    double wanted = fmin(self->opt.inner * error, fmax(slack, 1e-3 * error));
    self->tolerance = fmax(least, wanted);
    self->error = error;
}

static bool update(struct osqp *self, const double *z)
{
    const struct dls_qp *f = self->form;
    const struct dls_qp_frozen *now = &self->frozen;
    bool good = true;
    if (f->adapted) {
        c_int count = dls_csr_count(f->A);
        good &= !osqp_update_P_A(self->work, self->P_x, OSQP_NULL, self->P_count,
                                 self->A_x, OSQP_NULL, count);
    }
    good &= !osqp_update_lin_cost(self->work, now->c);
    good &= !osqp_update_bounds(self->work, now->l, now->h);
    // New values of A bring new scalings, which the kept iterates do not know.
    if (self->moved || f->adapted)
        good &= !osqp_warm_start(self->work, z, z + f->x_size);
    self->moved = false;
    return good;
}

// Runs OSQP until its test at our tolerance, or out of iterations or time; false when
// there was no time for any.
static bool solve(struct osqp *self, struct dls_work *work)
{
    const OSQPInfo *info = self->work->info;
    c_int left = self->opt.inner_iterations, done = 0;
    osqp_update_eps_abs(self->work, self->tolerance);
    while (left > done && !dls_work_expired(work)) {
        c_int chunk = left - done < CHUNK ? left - done : CHUNK;
        double time = fmax(work->deadline - dls_clock(), 1e-6);
        osqp_update_max_iter(self->work, chunk);
        // Its first run counts the set-up in.
        osqp_update_time_limit(self->work, time + info->setup_time);
        osqp_solve(self->work);
        done += info->iter;
        if (info->iter < chunk) break;
    }
    work->products += done;
    return done > 0;
}

static enum dls_status step(void *data, double *z, struct dls_work *work)
{
    struct osqp *self = data;
    const struct dls_qp *f = self->form;
    if (!f->x_size) return DLS_FINISHED;
    choose_tolerance(self, work);
    dls_qp_freeze(f, z, &self->frozen);
    convert(self);
    c_int factors = self->work->info->rho_updates;
    if (!update(self, z)) return DLS_ENUMERIC;
    if (!solve(self, work)) return DLS_OK;
    work->factorisations += self->work->info->rho_updates - factors + f->adapted;
    memcpy(z, self->work->solution->x, (size_t)f->x_size * sizeof *z);
    memcpy(z + f->x_size, self->work->solution->y, (size_t)f->y_size * sizeof *z);
    if (!f->relaxes) return DLS_OK;
    self->own = dls_formulation_qp.residual(f, z);
    return self->own <= work->tol ? DLS_FINISHED : DLS_OK;
}

const struct dls_solver dls_solver_osqp = {
    .name = "osqp",
    .brief = "OSQP on convex programs, shift or thresholds in an outer loop",
    .use = "Hyperstatic sets of moderate size.",
    .fails =
        "Thousands of contacts: its factorisations are slow. The outer loop of type "
        "Tresca may stall.",
    .cite = "StellatoEtAl2020",
    .takes = &dls_formulation_qp,
    .options = osqp_options,
    .options_size = sizeof(struct osqp_options),
    .allocates = true,
    .create = create,
    .reset = reset,
    .step = step,
    .destroy = destroy,
};
