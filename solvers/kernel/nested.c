// SPDX-License-Identifier: Apache-2.0
// The work of the driver (solvers/driver) for a solver inside another one, without the
// judge, the clock and the verdict of a run.
#include "solvers/kernel/nested.h"

#include "base/clock.h"

#include <math.h>

// Seconds, and share of the time left, in which the clock is not read.
static const double longest_unwatched = 1e-3, share_unwatched = 0.25;

// Local solves of 30 ns or more: the clock of the processor takes 600 ns.
static const long solves_unwatched = 200;

static void *defaults(const struct dls_option *table, size_t size, struct dls_arena *a)
{
    void *opt = DLS_NEW(a, char, size);
    if (opt) dls_option_defaults(table, opt);
    return opt;
}

static enum dls_status create(struct dls_nested *n, const struct dls_setting *set,
                              const struct dls_problem *p, struct dls_arena *a,
                              struct dls_error *err)
{
    const struct dls_solver *s = n->solver;
    if (!n->borrowed) {
        void *opt = defaults(s->takes->options, s->takes->options_size, a);
        if (!opt) return DLS_ENOMEM;
        enum dls_status status = s->takes->build(&n->form, p, opt, a, err);
        if (status != DLS_OK) return status;
    }
    void *opt = defaults(s->options, s->options_size, a);
    n->z = DLS_NEW(a, double, s->takes->size(n->form));
    if (a->failed) return DLS_ENOMEM;
    enum dls_status status = DLS_OK;
    if (set)
        status = dls_option_set(s->options, opt, set->option, set->value, s->name, err);
    return status ? status : s->create(&n->self, n->form, opt, a, err);
}

enum dls_status dls_nested_create(struct dls_nested *n, const char *name,
                                  const struct dls_setting *set,
                                  const struct dls_problem *p, const void *form,
                                  struct dls_arena *a, struct dls_error *err)
{
    *n = (struct dls_nested){
        .solver = dls_solver_find(name),
        .form = (void *)form, // never written to through here
        .borrowed = form != NULL,
    };
    return create(n, set, p, a, err);
}

void dls_nested_destroy(struct dls_nested *n)
{
    const struct dls_solver *s = n->solver;
    if (n->self && s->destroy) s->destroy(n->self);
    if (n->form && !n->borrowed && s->takes->destroy) s->takes->destroy(n->form);
}

void dls_nested_start(struct dls_nested *n, const double *r)
{
    n->solver->takes->start(n->form, r, n->z);
    if (n->solver->reset) n->solver->reset(n->self, n->z);
}

// Whether the work since the clock was last read, at so many local solves, is shorter than
// reading it. Work that is no local solve is not.
static bool is_short(long solves, const struct dls_work *work)
{
    long since = work->local_solves - solves;
    return since > 0 && since < solves_unwatched;
}

// Steps until the clock has to be read again, where `done` of them took till now. They began
// when the outer step did, or later: then the clock is read too often.
static long steps_unwatched(long done, const struct dls_work *work)
{
    double now = dls_clock(), one = (now - work->now) / (double)done;
    double rest = fmin(longest_unwatched, share_unwatched * (work->deadline - now));
    return rest > 0 ? 1 + (long)fmin(rest / one, done) : 0;
}

enum dls_status dls_nested_run(struct dls_nested *n, long steps, struct dls_work *work)
{
    enum dls_status status = DLS_OK;
    long next = 1, solves = work->local_solves; // when and where the clock is read
    for (long k = 1; k <= steps && status == DLS_OK; k++) {
        status = n->solver->step(n->self, n->z, work);
        n->steps++;
        if (dls_work_cancelled(work)) break;
        if (k < next || k == steps || is_short(solves, work)) continue;
        long ahead = steps_unwatched(k, work);
        if (!ahead) break;
        next = k + ahead;
        solves = work->local_solves;
    }
    return status;
}

void dls_nested_lift(const struct dls_nested *n, double *r)
{
    n->solver->takes->lift(n->form, n->z, r);
}

enum dls_status dls_nested_solve(struct dls_nested *n, struct dls_judge *judge,
                                 double tol, long most, double *r, bool *solved,
                                 struct dls_work *work)
{
    long first = n->steps, done = 0;
    for (;;) {
        dls_nested_lift(n, r);
        double residual = dls_judge_natural(judge, r);
        *solved = residual <= tol;
        if (*solved || !isfinite(residual) || done >= most || dls_work_expired(work))
            return DLS_OK;
        long ahead = 1 + done / 50; // as rare as the driver's checks
        enum dls_status status =
            dls_nested_run(n, ahead < most - done ? ahead : most - done, work);
        if (status < 0) return status;
        if (status != DLS_OK) most = 0; // it has nothing left to do
        done = n->steps - first;
    }
}
