// SPDX-License-Identifier: Apache-2.0
// A check: the iterate z is lifted to impulses r, the judge measures them, the monitor is
// told, and z is kept where it is the best so far. All this happens with the clock of the
// solver stopped.
//
// Iterates are compared by the measured residual. A formulation with another law than the
// problem is the exception: its answer need not come near the problem's law, so its own
// residual says which iterate is the best.
#include "solvers/driver/run.h"

#include "formulations/parts/ellipse.h"

#include "base/clock.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

#define GAIN 0.99 // a residual below this share of the last gain is one

bool dls_run_other_law(const struct dls_run *run)
{
    const struct dls_formulation *takes = run->solver->takes;
    return takes->residual && takes->relaxes && takes->relaxes(run->form);
}

// max_a |r_a - r_a of the check before| over the largest |r_a| of both: the largest
// |P_corr - P_esti| of a sweep [Moreau2004, 6.2]; infinite before the first step.
static double correction(const struct dls_run *run)
{
    int d = run->problem->d;
    double change[DLS_LARGEST_D], most = 0, largest = 0;
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

static void keep(struct dls_run *run, const struct dls_measures *m, double own)
{
    run->best = own;
    run->stats->measures = *m;
    run->stats->iterations = run->iteration;
    memcpy(run->best_z, run->z, (size_t)run->z_size * sizeof *run->z);
}

// Notes when the run last gained: in the residual, or by the solver's word.
static void note_gains(struct dls_run *run, double own)
{
    long advances = run->stats->work.advances;
    bool gained = run->checks == 1 || own < GAIN * run->gain_from;
    run->advanced = advances > run->advances;
    run->advances = advances;
    if (gained) run->gain_from = own;
    if (gained || run->advanced) run->gain_at = run->iteration;
}

// Tells the user what the solver has to say, and the monitor where the run stands.
static void tell(struct dls_run *run, const struct dls_measures *m, double solves)
{
    const struct dls_settings *set = &run->settings;
    struct dls_work *work = &run->stats->work;
    if (run->solver->tell) run->solver->tell(run->self, work->note, sizeof work->note);
    if (set->monitor)
        set->monitor(&(struct dls_progress){run->iteration, run->spent, solves, m,
                                            run->r, run->judge, run->stats},
                     set->data);
}

bool dls_run_check(struct dls_run *run, bool done)
{
    const struct dls_settings *set = &run->settings;
    double start = dls_clock();
    struct dls_measures m;
    run->solver->takes->lift(run->form, run->z, run->r);
    dls_ellipse_stretch(run->problem, run->r);
    dls_judge_measure(run->judge, run->r, &m);
    if (set->measure == DLS_CORRECTION) m.correction = correction(run);
    double residual = run->residual = dls_measured(&m, set->measure);
    double own = dls_run_other_law(run)
                     ? run->solver->takes->residual(run->form, run->z)
                     : residual;
    double solves = done || own <= residual || isnan(residual) ? residual : own;
    // A solver adapts to the distance from the law, whatever the run is stopped by.
    run->stats->work.judged = set->measure == DLS_CORRECTION ? m.natural : residual;
    bool solved = solves <= set->tol, first = !run->checks++;
    if (first) run->first = residual;
    run->measured = first || solved || own < run->best;
    if (run->measured) keep(run, &m, own);
    note_gains(run, own);
    tell(run, &m, solves);
    run->stats->check_time += dls_clock() - start;
    return solved;
}
