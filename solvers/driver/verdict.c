// SPDX-License-Identifier: Apache-2.0
// How a run ends. After each check the first of these that holds is the verdict:
//
//     converged   the measured residual is at most tol. Where the formulation has another
//                 law than the problem, its own residual is at most tol too, or the
//                 solver is done. With DLS_CORRECTION: the last step changed r by at most
//                 tol of it;
//     failed      the step returned an error;
//     diverged    the residual is not finite, or it is 1e8 times that of the start and
//                 above 1e4;
//     finished    or another status that the step returned;
//     stopped     by the caller;
//     max_time    the seconds of the run are spent;
//     max_iter    its steps are taken;
//     stalled     r was the same, bit for bit, at 3 checks in a row where the solver keeps
//                 no state beside it, at 100 where it does; or the best residual gained
//                 less than 1 % in the last half of the steps, and these were 100 000 at
//                 least. Both counts start again whenever the solver says that it
//                 advanced (`advances` of its work).
#include "solvers/driver/run.h"

#include <math.h>
#include <string.h>

// A method without state does the same for ever once it has repeated itself; 3 and not 1,
// since a method that draws an order at random may come back to an iterate by chance. A
// method with state may be changing it (a damping, a proximal weight) between two iterates
// that are alike: 100 checks are more than any of ours takes from one end of the range of
// its state to the other.
enum { REPEATS = 3, REPEATS_WITH_STATE = 100 };

// Slow is not stalled: some problems need 250 000 sweeps, with plateaus. So many steps
// without a gain are cheap on small problems, and on large ones the time is up before.
enum { LEAST_STEPS_IN_VAIN = 100000 };

// A method may leave a good start for one of its own, whose residual may be anything of
// order 1: a warm start of 1e-11 must not make that a divergence.
#define GROWTH      1e8
#define LEAST_FIRST 1e-4

static bool diverges(const struct dls_run *run)
{
    double residual = run->residual;
    // DLS_CORRECTION is infinite before the first step.
    bool begins = run->settings.measure == DLS_CORRECTION && run->checks == 1;
    return !begins
           && (!isfinite(residual)
               || residual > GROWTH * fmax(run->first, LEAST_FIRST));
}

// Counts the checks at which r had not changed by a bit since the one before.
static bool repeats(struct dls_run *run)
{
    size_t bytes = (size_t)run->problem->m * sizeof *run->r;
    bool same = run->checks > 1 && !memcmp(run->r, run->previous_r, bytes);
    run->repeats = same && !run->advanced ? run->repeats + 1 : 0;
    memcpy(run->previous_r, run->r, bytes);
    return run->repeats >= (run->solver->reset ? REPEATS_WITH_STATE : REPEATS);
}

// Whether the last half of the steps, and enough of them, were in vain.
static bool in_vain(const struct dls_run *run)
{
    long since = run->iteration - run->gain_at;
    return since >= LEAST_STEPS_IN_VAIN && 2 * since >= run->iteration;
}

bool dls_run_over(struct dls_run *run, bool solved, enum dls_status ended)
{
    struct dls_stats *stats = run->stats;
    const struct dls_settings *set = &run->settings;
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
    else if (repeats(run) || in_vain(run))
        stats->status = DLS_STALLED;
    else
        return false;
    return true;
}
