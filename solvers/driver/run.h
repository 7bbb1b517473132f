// SPDX-License-Identifier: Apache-2.0
// One run: a solver on a problem, from the start to the verdict. run.c drives it, check.c
// measures its iterates, verdict.c says when and how it ends. Callers use dls_solve, or a
// sequence of problems (solvers/sequence).
#ifndef DLS_SOLVERS_DRIVER_RUN_H
#define DLS_SOLVERS_DRIVER_RUN_H

#include "solvers/solver.h"

struct dls_run {
    // What the caller fills. Nothing of it is NULL.
    const struct dls_solver *solver;
    const struct dls_options *options;
    const struct dls_problem *problem;
    struct dls_settings settings;
    struct dls_judge *judge; // of this problem; knows the answer when the run has ended
    struct dls_arena *memory; // of the run; the caller frees it
    double *r;                // the start in, the impulses of the answer out
    struct dls_stats *stats;  // cleared

    // The rest belongs to the driver and starts as zeros.
    struct dls_problem whole; // the problem, with what the parts of a run share
    struct dls_problem round; // what the solver gets: the same, with round cones
    void *form, *self;        // formulation and solver
    int z_size;
    double *z, *best_z; // the iterate, and the best one judged
    double *previous_r; // r at the check before
    long iteration;     // steps taken
    long checks;        // made
    double spent;       // seconds in build, create and step
    double idle;        // seconds of them that the solver spent on no work
    bool measured;      // the last check was of the best iterate
    double first, best; // the residual at the start, and the best one
    double residual;    // the one at the last check
    double gain_from;   // the last residual that was a gain of 1 %, and
    long gain_at;       // the iteration it came with
    long advances;      // of the solver, at the last check
    bool advanced;      // since the check before
    int repeats;        // checks in a row that found the same r
};

// Runs the solver; the verdict and the rest of the statistics are in run->stats. Where
// the run fails, the error has the sentence, or "" where the status says it all.
void dls_run_drive(struct dls_run *, struct dls_error *);

// Lifts the iterate to r, has it judged, and keeps it where it is the best so far. `done`:
// the solver will take no further step. True where the iterate solves the problem.
bool dls_run_check(struct dls_run *, bool done);

// Whether the formulation has another law than the problem, which its own residual
// measures.
bool dls_run_other_law(const struct dls_run *);

// Whether the run is over after a check; run->stats->status is the verdict then. `solved`
// is what the check said, `ended` what the last step returned.
bool dls_run_over(struct dls_run *, bool solved, enum dls_status ended);

#endif
