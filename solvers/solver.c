// SPDX-License-Identifier: Apache-2.0
// The driver: builds the formulation, creates the solver, alternates check and step, and
// gives the verdict.
//
// A check lifts z to the impulses r and asks the judge, with the solve clock stopped; a run
// that asks for DLS_CHECK_LAST has one check. The
// answer of a run is the best iterate that the judge saw; where the formulation is of
// another law than the file's, the best by its own residual. A run ends as
//
//     converged   the measured residual is at most tol (of another law: the own one too,
//                 or the solver is done); with DLS_CORRECTION, a step changed r so little;
//     diverged    the residual is not finite, or 1e8 times that of the start and above 1e4
//                 (a method may leave a good start for one of its own);
//     stalled     r repeated bit for bit, over 3 checks where the solver keeps no state
//                 beside it and over 100 where it does; or the best residual gained less
//                 than 1 % in the last half of the steps, 100 000 at least. Either is
//                 counted anew whenever the solver says that it advanced;
//     max_iter, max_time, stopped, or whatever final status `step` returned.
#include "solvers/solver.h"

#include "formulations/parts/ellipse.h"
#include "formulations/parts/frames.h"
#include "formulations/velocities/velocities.h"

#include "base/clock.h"
#include "base/deadline.h"
#include "base/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A method without state does the same for ever once it has repeated itself; 3 and not 1,
// since methods that draw an order at random may come back to an iterate by chance. One
// with state may be changing it (a damping, a proximal weight) between two iterates that
// are alike: 100 checks are more than any of those takes from one end of its range to the
// other.
enum { REPEATS = 3, REPEATS_WITH_STATE = 100 };

// Slow is not stalled: there are sets that need 250 000 sweeps, with plateaus. So many
// steps without a gain are cheap on small sets, and large ones are out of time before.
enum { LEAST_STEPS_IN_VAIN = 100000 };

struct run {
    const struct dls_solver *solver;
    const struct dls_problem *problem;
    const struct dls_problem *round; // what the solver gets: the same, with round cones
    struct dls_settings settings;
    struct dls_stats *stats;
    struct dls_judge *judge;
    void *form, *self;
    double *z, *best_z;     // the iterate, and the best one judged
    double *r, *previous_r; // lifted at this check and at the one before
    int z_size, repeats;
    long iteration, checks;
    bool measured;      // the last check was of the best iterate
    double spent;       // in build, create and step
    double idle;        // left out of it
    double first, best; // residual at the start, and the best one
    double residual;    // at the last check
    double gain_from;   // the last residual that was a gain of 1 %, and
    long gain_at;       // the iteration it came with
    long advances;      // seen
    bool advanced;      // since the check before
};

struct dls_settings dls_settings_default(void)
{
    return (struct dls_settings){.tol = 1e-8, .measure = DLS_NATURAL, .max_time = 60};
}

double dls_measured(const struct dls_measures *m, enum dls_measure measure)
{
    switch (measure) {
    case DLS_NATURAL:
        return m->natural;
    case DLS_MERIT:
        return m->merit;
    case DLS_CORRECTION:
        return m->correction;
    case DLS_BOTH:
        break;
    }
    return isnan(m->natural) ? m->natural
                             : fmax(m->natural, m->merit); // NAN merit: none
}

bool dls_work_expired(const struct dls_work *work)
{
    return (work->cancel && *work->cancel) || dls_clock() > work->deadline;
}

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
static void tell_deadline(const struct run *run)
{
    dls_deadline_set(dls_clock() + run->settings.max_time - run->spent);
}

static enum dls_status build(struct run *run, const struct dls_options *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct dls_formulation *takes = run->solver->takes;
    double start = dls_clock();
    if (run->problem->mu_2 && takes->own_law)
        return dls_fail(err, DLS_UNSUPPORTED,
                        "its law has no form for elliptic friction cones");
    const void *form_opt =
        options_or_defaults(opt->formulation, takes->options, takes->options_size, a);
    if (a->failed) return DLS_ENOMEM;
    tell_deadline(run);
    enum dls_status status = takes->build(&run->form, run->round, form_opt, a, err);
    run->stats->build_time = dls_clock() - start;
    run->spent += run->stats->build_time;
    return status;
}

// Seconds that the solver spent on no work since this was last asked.
static double idle(struct run *run)
{
    if (!run->self || !run->solver->idle) return 0;
    double before = run->idle;
    run->idle = run->solver->idle(run->self);
    return run->idle - before;
}

static enum dls_status create(struct run *run, const struct dls_options *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    const struct dls_solver *solver = run->solver;
    double start = dls_clock();
    const void *own =
        options_or_defaults(opt->solver, solver->options, solver->options_size, a);
    run->z_size = solver->takes->size(run->form);
    run->z = DLS_NEW(a, double, run->z_size);
    run->best_z = DLS_RAW(a, double, run->z_size);
    run->previous_r = DLS_RAW(a, double, run->problem->m);
    if (a->failed) return DLS_ENOMEM;
    void *self = (void *)solver->context; // create replaces it
    tell_deadline(run);
    enum dls_status status = solver->create(&self, run->form, own, a, err);
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

// Counts checks at which r had not changed by a bit since the one before.
static bool repeats(struct run *run)
{
    size_t bytes = (size_t)run->problem->m * sizeof *run->r;
    bool same = run->checks > 1 && !memcmp(run->r, run->previous_r, bytes);
    run->repeats = same && !run->advanced ? run->repeats + 1 : 0;
    memcpy(run->previous_r, run->r, bytes);
    return run->repeats >= (run->solver->reset ? REPEATS_WITH_STATE : REPEATS);
}

// Whether the last half of the steps, and enough of them, were in vain.
static bool in_vain(const struct run *run)
{
    long since = run->iteration - run->gain_at;
    return since >= LEAST_STEPS_IN_VAIN && 2 * since >= run->iteration;
}

// Whether the formulation is of another law than the file's.
static bool other_law(const struct run *run)
{
    const struct dls_formulation *takes = run->solver->takes;
    return takes->residual && takes->relaxes && takes->relaxes(run->form);
}

// What the iterates of a run are compared by: the measured residual, or the own one of a
// formulation that solves another law, whose answer need not come near the file's.
static double progress(const struct run *run, double measured)
{
    return other_law(run) ? run->solver->takes->residual(run->form, run->z) : measured;
}

static void keep(struct run *run, const struct dls_measures *m, double own)
{
    run->best = own;
    run->stats->measures = *m;
    run->stats->iterations = run->iteration;
    memcpy(run->best_z, run->z, (size_t)run->z_size * sizeof *run->z);
}

// max_a |r_a - r_a of the check before| over the largest |r_a| of both: the largest
// |P_corr - P_esti| of a sweep [Moreau2004, 6.2]; infinite before the first step.
static double correction(const struct run *run)
{
    int d = run->problem->d;
    double change[5], most = 0, largest = 0;
    if (run->checks == 0) return INFINITY;
    for (int a = 0; a < run->problem->contacts; a++) {
        const double *r = run->r + a * d, *before = run->previous_r + a * d;
        for (int i = 0; i < d; i++) change[i] = r[i] - before[i];
        double moved = dls_norm(d, change);
        if (isnan(moved)) return NAN;
        most = fmax(most, moved);
        largest = fmax(largest, fmax(dls_norm(d, r), dls_norm(d, before)));
    }
    return most > 0 ? most / largest : 0;
}

// Lifts and judges the iterate, tells the monitor, keeps the best; true where it solves
// the problem.
static bool judge(struct run *run, bool ended)
{
    const struct dls_settings *set = &run->settings;
    double start = dls_clock();
    struct dls_measures m;
    run->solver->takes->lift(run->form, run->z, run->r);
    dls_ellipse_stretch(run->problem, run->r);
    dls_judge_measure(run->judge, run->r, &m);
    m.correction = correction(run);
    double residual = run->residual = dls_measured(&m, set->measure);
    // A solver adapts to the distance from the law, whatever the run is stopped by.
    run->stats->work.judged = set->measure == DLS_CORRECTION ? m.natural : residual;
    double own = progress(run, residual);
    double solves = ended || own <= residual || isnan(residual) ? residual : own;
    bool solved = solves <= set->tol, start_of_run = !run->checks++;
    if (start_of_run) run->first = residual;
    run->measured = start_of_run || solved || own < run->best;
    if (run->measured) keep(run, &m, own);
    if (start_of_run || own < 0.99 * run->gain_from)
        run->gain_from = own, run->gain_at = run->iteration;
    run->advanced = run->stats->work.advances > run->advances;
    run->advances = run->stats->work.advances;
    if (run->advanced) run->gain_at = run->iteration;
    if (run->solver->tell)
        run->solver->tell(run->self, run->stats->work.note,
                          sizeof run->stats->work.note);
    if (set->monitor)
        set->monitor(&(struct dls_progress){run->iteration, run->spent, solves, &m,
                                            run->r, run->judge, run->stats},
                     set->data);
    run->stats->check_time += dls_clock() - start;
    return solved;
}

// Moreau's test is infinite before the first step.
static bool diverges(const struct run *run)
{
    double residual = run->residual;
    bool begins = run->settings.measure == DLS_CORRECTION && run->checks == 1;
    return !begins && (!isfinite(residual) || residual > 1e8 * fmax(run->first, 1e-4));
}

// Judges the iterate. True when the run is over; the verdict is in stats->status then.
static bool check(struct run *run, enum dls_status ended)
{
    struct dls_stats *stats = run->stats;
    const struct dls_settings *set = &run->settings;
    bool solved = judge(run, ended > 0), repeated = repeats(run);
    if (solved)
        stats->status = DLS_OK;
    else if (ended < 0)
        stats->status = ended;
    else if (diverges(run))
        stats->status = DLS_DIVERGED;
    else if (ended > 0)
        stats->status = ended;
    else if (set->cancel && *set->cancel)
        stats->status = DLS_STOPPED;
    else if (run->spent >= set->max_time)
        stats->status = DLS_MAX_TIME;
    else if (set->max_iter && run->iteration >= set->max_iter)
        stats->status = DLS_MAX_ITER;
    else if (repeated || in_vain(run))
        stats->status = DLS_STALLED;
    else
        return false;
    return true;
}

// Steps until the next check: one at first, later 2 % of those done. Where a number was
// asked for and the law is another, the solver itself tells the end, and looks in between
// find stalls alone: they come at 1, 2, 4, ... times that number.
static long steps_ahead(const struct run *run)
{
    const struct dls_settings *set = &run->settings;
    long steps = set->check_every ? set->check_every : 1 + run->iteration / 50;
    if (set->measure == DLS_CORRECTION) steps = 1; // the change of one step
    if (set->check_every == DLS_CHECK_LAST) return set->max_iter - run->iteration;
    if (set->check_every && steps < run->iteration && other_law(run))
        steps = run->iteration;
    if (set->max_iter && steps > set->max_iter - run->iteration)
        steps = set->max_iter - run->iteration;
    return steps;
}

static void iterate(struct run *run)
{
    struct dls_work *work = &run->stats->work;
    enum dls_status ended = DLS_OK;
    bool blind = run->settings.check_every == DLS_CHECK_LAST;
    while (blind || !check(run, ended)) {
        blind = false;
        double start = dls_clock();
        work->deadline = start + run->settings.max_time - run->spent;
        dls_deadline_set(work->deadline);
        for (long k = steps_ahead(run); k > 0 && ended == DLS_OK; k--) {
            ended = run->solver->step(run->self, run->z, work);
            run->iteration++;
            if (dls_work_expired(work)) break;
        }
        double seconds = dls_clock() - start - idle(run);
        run->stats->solve_time += seconds;
        run->spent += seconds;
    }
}

// Measures the answer that is returned: the best iterate.
static void finish(struct run *run)
{
    struct dls_stats *stats = run->stats;
    const struct dls_formulation *takes = run->solver->takes;
    if (!run->measured) {
        takes->lift(run->form, run->best_z, run->r);
        dls_ellipse_stretch(run->problem, run->r);
        dls_judge_measure(run->judge, run->r, &stats->measures);
    }
    if (!run->settings.booked)
        dls_energy_measure(&stats->energy, run->problem, run->judge, run->r, NULL);
    if (takes->residual) stats->own = takes->residual(run->form, run->best_z);
    if (takes->relaxes) stats->relaxes = takes->relaxes(run->form);
}

// The run ends before its first step: the time is over, or what comes next was predicted
// not to fit into it. The start is the answer in the first case.
static void end_early(struct run *run, struct dls_error *err)
{
    struct dls_stats *stats = run->stats;
    double seconds = dls_deadline_refused();
    if (seconds > 0) {
        stats->status = dls_fail(err, DLS_UNSUPPORTED,
                                 "its set-up would take %.1g s or more", seconds);
        return;
    }
    dls_judge_measure(run->judge, run->r, &stats->measures);
    dls_energy_measure(&stats->energy, run->problem, run->judge, run->r, NULL);
    double residual = dls_measured(&stats->measures, run->settings.measure);
    if (residual <= run->settings.tol && !run->solver->takes->relaxes)
        stats->status = DLS_OK;
}

static void clear_stats(struct dls_stats *stats, const struct dls_settings *set)
{
    *stats = (struct dls_stats){
        .own = NAN,
        .measures = {.natural = NAN, .merit = NAN, .momentum = NAN},
        .energy = {.free_work = NAN, .work = NAN, .normal = NAN, .tangential = NAN},
        .work = {.seed = set->seed, .tol = set->tol, .cancel = set->cancel},
    };
}

enum dls_status dls_solve(const struct dls_solver *solver,
                          const struct dls_options *opt,
                          const struct dls_problem *problem,
                          const struct dls_settings *settings, double *r,
                          struct dls_stats *stats)
{
    struct run run = {
        .solver = solver,
        .problem = problem,
        .settings = settings ? *settings : dls_settings_default(),
        .stats = stats,
        .r = r,
    };
    static const struct dls_options defaults;
    struct dls_arena own = {0}, *memory = run.settings.memory;
    struct dls_arena judge_memory = dls_arena_scratch(memory ? memory : &own);
    struct dls_arena run_memory = dls_arena_scratch(memory ? memory : &own);
    struct dls_error err = {""};
    clear_stats(stats, &run.settings);
    if (!solver) {
        snprintf(stats->message, sizeof stats->message, "no such solver");
        return stats->status = DLS_EINVAL;
    }

    struct dls_problem whole = *problem; // with what the parts of a run share
    run.problem = &whole;
    if (problem->frames && !problem->H && !solver->takes->frames)
        dls_problem_rows(&whole, &run_memory);
    if (!problem->velocities) whole.velocities = dls_velocities_new(&run_memory);
    struct dls_problem round;
    dls_ellipse_round(&round, &whole, &run_memory);
    run.round = problem->mu_2 ? &round : &whole;
    if (problem->mu_2) round.velocities = dls_velocities_new(&run_memory);
    double start = dls_clock();
    double outer = dls_deadline_set(INFINITY); // of a run that this one is part of
    run.judge = run.settings.judge;
    if (!run.judge)
        stats->status = dls_judge_create(&run.judge, run.problem, &judge_memory, &err);
    if (run_memory.failed) stats->status = DLS_ENOMEM;
    stats->check_time = dls_clock() - start;
    if (stats->status == DLS_OK)
        stats->status = build(&run, opt ? opt : &defaults, &run_memory, &err);
    bool late = run.spent > run.settings.max_time && run.settings.max_time > 0;
    if (stats->status == DLS_OK && late) stats->status = DLS_MAX_TIME;
    if (stats->status == DLS_OK)
        stats->status = create(&run, opt ? opt : &defaults, &run_memory, &err);
    bool begun = stats->status == DLS_OK;
    if (begun) iterate(&run);
    if (!begun && stats->status == DLS_MAX_TIME) end_early(&run, &err);
    dls_deadline_set(outer);
    if (begun && stats->status >= 0) finish(&run);
    stats->bytes = run_memory.peak;
    snprintf(stats->message, sizeof stats->message, "%s",
             *err.text || !stats->status              ? err.text
             : stats->status < 0 && *stats->work.note ? stats->work.note
                                                      : dls_status_text(stats->status));

    if (run.self && solver->destroy) solver->destroy(run.self);
    if (run.form && solver->takes->destroy) solver->takes->destroy(run.form);
    if (run.judge != run.settings.judge) dls_judge_destroy(run.judge);
    dls_arena_free(&run_memory);
    dls_arena_free(&judge_memory);
    return stats->status;
}
