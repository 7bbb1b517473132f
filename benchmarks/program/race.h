// SPDX-License-Identifier: Apache-2.0
// Several solvers on the step problems of one sequence; see race.c.
#ifndef DLS_BENCHMARKS_PROGRAM_RACE_H
#define DLS_BENCHMARKS_PROGRAM_RACE_H

#include "problems/mechanics/scheme.h"

#include <stdio.h>

#include "benchmarks/terminal/spec.h"

// What one solver did so far.
struct dls_racer {
    long steps, solved, iterations, flagged;
    double time, normal, tangential; // seconds; contact work, summed
    struct dls_spread naturals;
    struct dls_warm last, next; // its answers of the step before and of this one
    // Of the last step, for curves.
    double natural, seconds;
};

struct dls_race {
    const struct dls_specs *specs; // the first one leads
    struct dls_settings settings;
    bool own;  // each starts from its own last answer instead of the leader's
    bool cold; // all start from zero
    const char *csv_path; // or NULL
    FILE *csv;
    struct dls_sequence sequence;       // of the step problems
    struct dls_racer *racer;            // one for each solver
    struct dls_arena *arena, memory[2]; // of this step's answers and of those before
};

enum dls_status dls_race_open(struct dls_race *, struct dls_error *);
// A step problem, one judge for all solvers; `step` is for the file.
enum dls_status dls_race_step(struct dls_race *, const struct dls_problem *,
                              struct dls_names, long step, struct dls_error *);
void dls_race_summary(const struct dls_race *, FILE *);
// Whether every solver solved every step.
bool dls_race_solved(const struct dls_race *);
enum dls_status dls_race_close(struct dls_race *, struct dls_error *);

#endif
