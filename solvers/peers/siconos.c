// SPDX-License-Identifier: Apache-2.0
// Siconos [Acary2019] as a peer. Its drivers run until their own error estimate is below
// their own tolerance and cannot be interrupted, so a step is one call with a limited
// number of iterations, started from the last answer:
//
//     iterations = max(first, growth * iterations done so far)
//
// A call costs Siconos a set-up (norms, workspaces, for Newton the sparse copy of W), so
// the chunks grow; in turn the judge sees an answer only at their ends, and a loose
// tolerance may be found reached late by the factor 1 + growth. A chunk is cut short only
// where it would pass the deadline, by the mean time of an iteration so far.
//
// Methods with inner state (ADMM's multipliers, conjugate directions) would start it anew
// at each chunk. They get one call at the tolerance of the run, and where the judge is not
// content another from the start of the run at a tenth of that tolerance. How many
// iterations the time allows is found by a trial of a few, which is not counted.
#include "solvers/peers/siconos.h"

#include "base/clock.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dls_siconos {
    SparseBlockStructuredMatrix blocks;
    FrictionContactProblem problem;
    int number; // of the solver
    const struct dls_delassus *form;
    double *start;   // of the run
    double *u;       // zero at first as in Siconos' own tests, later what it left there
    double tighter;  // Siconos' tolerance over ours
    double seconds;  // in calls
    long iterations; // in calls
    double trial;    // seconds of the trial
};

// W in Siconos' block storage: values of a block by columns, sizes cumulated.
static void fill_blocks(SparseBlockStructuredMatrix *blocks, const struct dls_bsr *W,
                        double *x)
{
    int d = W->d;
    size_t dd = (size_t)(d * d);
    for (int a = 0; a < W->rows; a++) {
        blocks->blocksize0[a] = blocks->blocksize1[a] = (unsigned)((a + 1) * d);
        blocks->index1_data[a + 1] = (size_t)W->p[a + 1];
    }
    for (int k = 0; k < W->p[W->rows]; k++) {
        const double *from = dls_bsr_block(W, k);
        double *to = blocks->block[k] = x + (size_t)k * dd;
        blocks->index2_data[k] = (size_t)W->j[k];
        for (int i = 0; i < d; i++)
            for (int l = 0; l < d; l++) to[l * d + i] = from[i * d + l];
    }
}

static enum dls_status build(struct dls_siconos *s, const struct dls_delassus *f,
                             struct dls_arena *a)
{
    size_t rows = (size_t)f->contacts, count = (size_t)f->W->p[f->contacts];
    double *x = DLS_NEW(a, double, count *(size_t)(f->d * f->d));
    s->blocks = (SparseBlockStructuredMatrix){
        .nbblocks = (unsigned)count,
        .block = DLS_NEW(a, double *, count),
        .blocknumber0 = (unsigned)rows,
        .blocknumber1 = (unsigned)rows,
        .blocksize0 = DLS_NEW(a, unsigned, rows),
        .blocksize1 = DLS_NEW(a, unsigned, rows),
        .filled1 = rows + 1,
        .filled2 = count,
        .index1_data = DLS_NEW(a, size_t, rows + 1),
        .index2_data = DLS_NEW(a, size_t, count),
    };
    if (a->failed) return DLS_ENOMEM;
    fill_blocks(&s->blocks, f->W, x);
    s->problem = (FrictionContactProblem){
        .dimension = f->d,
        .numberOfContacts = f->contacts,
        .M = NM_create_from_data(NM_SPARSE_BLOCK, f->m, f->m, &s->blocks),
        .q = (double *)f->q, // Siconos reads them only
        .mu = (double *)f->mu,
    };
    return s->problem.M ? DLS_OK : DLS_ENOMEM;
}

enum dls_status dls_siconos_create(void **self, const void *form, int plane, int space,
                                   struct dls_arena *a, struct dls_error *err)
{
    const struct dls_delassus *f = form;
    int number = f->d == 2 ? plane : f->d == 3 ? space : 0;
    if (!number)
        return dls_fail(err, DLS_UNSUPPORTED, "Siconos has no such solver for d = %d",
                        f->d);
    struct dls_siconos *s = *self = DLS_NEW(a, struct dls_siconos, 1);
    if (!s) return DLS_ENOMEM;
    numerics_set_verbose(0);
    s->form = f;
    s->number = number;
    s->u = DLS_NEW(a, double, f->m);
    s->start = DLS_NEW(a, double, f->m);
    if (a->failed) return DLS_ENOMEM;
    return f->contacts ? build(s, f, a) : DLS_OK;
}

void dls_siconos_destroy(void *self)
{
    struct dls_siconos *s = self;
    if (!s) return;
    free(s->blocks.diagonal_blocks); // Siconos' own; the rest is the arena's
    if (s->problem.M) {
        s->problem.M->matrix1 = NULL;
        NM_free(s->problem.M);
    }
}

void dls_siconos_reset(void *self, const double *z)
{
    struct dls_siconos *s = self;
    memcpy(s->start, z, (size_t)s->form->m * sizeof *z);
    s->tighter = 1;
    s->seconds = 0;
    s->iterations = 0;
    memset(s->u, 0, (size_t)s->form->m * sizeof *s->u);
}

struct dls_siconos_run dls_siconos_call(struct dls_siconos *s, double tol,
                                        int iterations, double *r)
{
    const struct dls_delassus *f = s->form;
    SolverOptions *o = solver_options_create(s->number); // a run changes them
    o->dparam[SICONOS_DPARAM_TOL] = fmax(tol, 1e-300);
    o->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    // Without a tolerance NSGS keeps to its cheap error estimate: the full one would
    // shrink the tolerance to nothing.
    if (tol == 0
        && (s->number == SICONOS_FRICTION_3D_NSGS
            || s->number == SICONOS_FRICTION_2D_NSGS))
        o->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
            SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    double start = dls_clock();
    int info = (f->d == 2 ? fc2d_driver : fc3d_driver)(&s->problem, r, s->u, o);
    s->seconds += dls_clock() - start;
    struct dls_siconos_run run = {o->iparam[SICONOS_IPARAM_ITER_DONE], info == 0,
                                  o->dparam[SICONOS_DPARAM_RESIDU]};
    s->iterations += run.iterations;
    solver_options_delete(o);
    free(o);
    return run;
}

static int next_chunk(const struct dls_siconos *s, struct dls_siconos_pace pace,
                      const struct dls_work *work)
{
    double chunk = fmax(pace.first, pace.growth * (double)s->iterations);
    if (s->iterations)
        chunk = fmin(chunk, (work->deadline - dls_clock())
                                / (s->seconds / (double)s->iterations));
    return (int)fmin(fmax(chunk, 1), 1e9);
}

enum dls_status dls_siconos_step(struct dls_siconos *s, struct dls_siconos_pace pace,
                                 double *r, struct dls_work *work)
{
    if (!s->form->contacts) return DLS_FINISHED;
    struct dls_siconos_run run =
        dls_siconos_call(s, work->tol * s->tighter, next_chunk(s, pace, work), r);
    work->products +=
        run.iterations; // no claim: its error after a chunk is an estimate
    work->local_solves += (long)run.iterations * s->form->contacts;
    if (!run.satisfied) return DLS_OK;
    s->tighter *= 0.1;
    return s->tighter < 1e-6 ? DLS_FINISHED : DLS_OK;
}

double dls_siconos_idle(const void *self)
{
    return ((const struct dls_siconos *)self)->trial;
}

static void restart(struct dls_siconos *s, double *r)
{
    memcpy(r, s->start, (size_t)s->form->m * sizeof *r);
    memset(s->u, 0, (size_t)s->form->m * sizeof *s->u);
}

enum { FEW = 20 }; // iterations of the trial

// The seconds of an iteration, set-up included, from a few.
static void try_out(struct dls_siconos *s, double *r)
{
    double begun = dls_clock();
    dls_siconos_call(s, 0, FEW, r);
    s->trial = dls_clock() - begun;
    restart(s, r);
}

// Its own verdict. The error of a call that ran out of iterations may be a cheap estimate
// that nobody has confirmed: no claim.
static void tell(struct dls_work *work, const struct dls_siconos_run *run)
{
    work->claimed =
        run->satisfied ? fmin(fmax(run->error, 1e-300), work->tol) : INFINITY;
}

enum dls_status dls_siconos_step_whole(struct dls_siconos *s, double *r,
                                       struct dls_work *work)
{
    if (!s->form->contacts) return DLS_FINISHED;
    if (!s->iterations)
        try_out(s, r);
    else
        restart(s, r);
    double left = work->deadline + s->trial - dls_clock();
    // A tolerance of zero is never met: the trial over again is all it gets.
    double room = work->tol == 0 ? FEW : left / (s->seconds / (double)s->iterations);
    struct dls_siconos_run run =
        dls_siconos_call(s, work->tol * s->tighter, (int)fmin(fmax(room, 1), 1e9), r);
    work->products += run.iterations;
    tell(work, &run);
    if (!run.satisfied) { // set-up made iterations look slow: is there time for more of them?
        double more =
            (work->deadline - dls_clock()) / (s->seconds / (double)s->iterations);
        return work->tol > 0 && more > run.iterations ? DLS_OK : DLS_FINISHED;
    }
    s->tighter *= 0.1;
    return s->tighter < 1e-6 ? DLS_FINISHED : DLS_OK;
}
