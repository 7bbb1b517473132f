// SPDX-License-Identifier: Apache-2.0
// The driver: builds the formulation, creates the solver, then alternates check and step
// until the verdict is given.
//
//     build -> create -> { check -> step ... step } ... -> finish
//
// The first check is of the start. Later ones come after one step at first and rarer as
// the run grows longer; a run that asks for DLS_CHECK_LAST has one check, the last. The
// answer is the best iterate that the judge saw.
#include "solvers/driver/run.h"

#include "formulations/parts/ellipse.h"
#include "formulations/parts/frames.h"
#include "formulations/velocities/velocities.h"

#include "base/clock.h"
#include "base/deadline.h"

#include <math.h>

enum { CHECKS_PER_STEPS = 50 }; // a check after 2 % of the steps done costs 2 % at most

// Options given, or the defaults of the table from the arena.
static const void *options_or_defaults(const void *given,
                                       const struct dls_option *table, size_t size,
                                       struct dls_arena *a)
{
    if (given) return given;
    void *opt = DLS_NEW(a, char, size);
    if (opt) dls_option_defaults(table, opt);
    return opt;
}

// Work that cannot be interrupted asks for this (base/deadline.h).
static double tell_deadline(const struct dls_run *run, double now)
{
    double deadline = now + run->settings.max_time - run->spent;
    dls_deadline_set(deadline);
    return deadline;
}

// What the parts of a run share: rows of H where the formulation does not read frames, the
// owner of the velocities behind W, the problem with round cones.
static enum dls_status prepare(struct dls_run *run)
{
    const struct dls_problem *p = run->problem;
    run->whole = *p;
    if (p->frames && !p->H && !run->solver->takes->frames)
        dls_problem_rows(&run->whole, run->memory);
    if (!p->velocities) run->whole.velocities = dls_velocities_new(run->memory);
    dls_ellipse_round(&run->round, &run->whole, run->memory);
    if (p->mu_2) run->round.velocities = dls_velocities_new(run->memory);
    if (!p->mu_2) run->stats->work.judge = run->judge;
    return run->memory->failed ? DLS_ENOMEM : DLS_OK;
}

static enum dls_status build(struct dls_run *run, struct dls_error *err)
{
    const struct dls_formulation *takes = run->solver->takes;
    double start = dls_clock();
    if (run->problem->mu_2 && takes->own_law)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "its law has no form for elliptic friction cones");
    const void *opt = options_or_defaults(run->options->formulation, takes->options,
                                          takes->options_size, run->memory);
    if (run->memory->failed) return DLS_ENOMEM;
    tell_deadline(run, start);
    enum dls_status status =
        takes->build(&run->form, &run->round, opt, run->memory, err);
    run->stats->build_time = dls_clock() - start;
    run->spent += run->stats->build_time;
    return status;
}

// Seconds that the solver spent on no work since this was last asked.
static double idle(struct dls_run *run)
{
    if (!run->self || !run->solver->idle) return 0;
    double before = run->idle;
    run->idle = run->solver->idle(run->self);
    return run->idle - before;
}

static enum dls_status create(struct dls_run *run, struct dls_error *err)
{
    const struct dls_solver *solver = run->solver;
    struct dls_arena *a = run->memory;
    double start = dls_clock();
    const void *opt = options_or_defaults(run->options->solver, solver->options,
                                          solver->options_size, a);
    run->z_size = solver->takes->size(run->form);
    run->z = DLS_NEW(a, double, run->z_size);
    run->best_z = DLS_RAW(a, double, run->z_size);
    run->previous_r = DLS_RAW(a, double, run->problem->m);
    if (a->failed) return DLS_ENOMEM;
    void *self = (void *)solver->context; // create replaces it
    tell_deadline(run, start);
    enum dls_status status = solver->create(&self, run->form, opt, a, err);
    if (self != solver->context) run->self = self;
    if (status == DLS_OK) {
        dls_ellipse_shrink(run->problem, run->r);
        solver->takes->start(run->form, run->r, run->z);
        dls_ellipse_stretch(run->problem, run->r);
        if (solver->reset) solver->reset(run->self, run->z);
    }
    run->stats->create_time = dls_clock() - start - idle(run);
    run->spent += run->stats->create_time;
    return status;
}

// Steps until the next check. Where a number was asked for and the law is another, the
// solver itself tells the end, and checks in between find stalls alone: they come at 1, 2,
// 4, ... times that number.
static long steps_ahead(const struct dls_run *run)
{
    const struct dls_settings *set = &run->settings;
    long left = set->max_iter - run->iteration;
    if (set->check_every == DLS_CHECK_LAST) return left;
    long steps =
        set->check_every ? set->check_every : 1 + run->iteration / CHECKS_PER_STEPS;
    if (set->measure == DLS_CORRECTION) steps = 1; // it is the change of one step
    if (set->check_every && steps < run->iteration && dls_run_other_law(run))
        steps = run->iteration;
    return set->max_iter && steps > left ? left : steps;
}

static enum dls_status advance(struct dls_run *run)
{
    struct dls_work *work = &run->stats->work;
    enum dls_status ended = DLS_OK;
    double start = work->now = dls_clock();
    work->spent = run->spent;
    work->deadline = tell_deadline(run, start);
    bool over = false;
    for (long k = steps_ahead(run); k > 0 && ended == DLS_OK && !over; k--) {
        ended = run->solver->step(run->self, run->z, work);
        run->iteration++;
        work->now = dls_clock();
        work->spent = run->spent + work->now - start;
        over = work->check || work->now > work->deadline || dls_work_cancelled(work);
        work->check = false;
    }
    double seconds = work->now - start - idle(run);
    run->stats->solve_time += seconds;
    run->spent += seconds;
    return ended;
}

static void iterate(struct dls_run *run)
{
    enum dls_status ended = DLS_OK;
    if (run->settings.check_every == DLS_CHECK_LAST) ended = advance(run);
    while (!dls_run_over(run, dls_run_check(run, ended > 0), ended))
        ended = advance(run);
}

// Measures the answer that is returned: the best iterate.
static void finish(struct dls_run *run)
{
    struct dls_stats *stats = run->stats;
    const struct dls_formulation *takes = run->solver->takes;
    if (!run->measured) {
        takes->lift(run->form, run->best_z, run->r);
        dls_ellipse_stretch(run->problem, run->r);
        dls_judge_measure(run->judge, run->r, &stats->measures);
    }
    if (!run->settings.booked)
        dls_energy_measure(&stats->energy, &run->whole, run->judge, run->r, NULL);
    if (takes->residual) stats->own = takes->residual(run->form, run->best_z);
    if (takes->relaxes) stats->relaxes = takes->relaxes(run->form);
}

// The run ends before its first step: the time is over, or what comes next was predicted
// not to fit into it. The start is the answer in the first case.
static void end_early(struct dls_run *run, struct dls_error *err)
{
    struct dls_stats *stats = run->stats;
    double seconds = dls_deadline_refused();
    if (seconds > 0) {
        stats->status =
            dls_fail(err, DLS_UNSUPPORTED,
                     "its set-up would take another %.1g s or more", seconds);
        return;
    }
    dls_judge_measure(run->judge, run->r, &stats->measures);
    dls_energy_measure(&stats->energy, &run->whole, run->judge, run->r, NULL);
    double residual = dls_measured(&stats->measures, run->settings.measure);
    if (residual <= run->settings.tol && !run->solver->takes->relaxes)
        stats->status = DLS_OK;
}

void dls_run_drive(struct dls_run *run, struct dls_error *err)
{
    struct dls_stats *stats = run->stats;
    const struct dls_solver *solver = run->solver;
    double limit = run->settings.max_time;
    stats->status = prepare(run);
    if (stats->status == DLS_OK) stats->status = build(run, err);
    bool late = run->spent > limit && limit > 0;
    if (stats->status == DLS_OK && late) stats->status = DLS_MAX_TIME;
    if (stats->status == DLS_OK) stats->status = create(run, err);
    bool begun = stats->status == DLS_OK;
    if (begun) iterate(run);
    if (!begun && stats->status == DLS_MAX_TIME) end_early(run, err);
    if (begun && stats->status >= 0) finish(run);
    stats->bytes = run->memory->peak;
    stats->work.judge = NULL; // it may not outlive the run
    if (run->self && solver->destroy) solver->destroy(run->self);
    if (run->form && solver->takes->destroy) solver->takes->destroy(run->form);
}
