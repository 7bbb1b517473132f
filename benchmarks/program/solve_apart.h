// SPDX-License-Identifier: Apache-2.0
// One solver on one problem, those of others in a process of their own.
#ifndef DLS_BENCHMARKS_PROGRAM_SOLVE_APART_H
#define DLS_BENCHMARKS_PROGRAM_SOLVE_APART_H

#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/spec.h"

struct dls_apart {
    const char *file;
    int kind, start; // enum dls_dat_kind, enum dls_start
    const struct dls_spec *spec;
    const struct dls_settings *settings;
    struct dls_watch *watch;
    struct dls_arena *arena; // of texts in the stats
};

// As dls_solve, with the same stats; a solver of others, which may abort, print, or be deaf
// to its deadline, runs in a process of its own. r is the start in and the answer out, if
// there is one: false where the process ended before.
bool dls_solve_guarded(const struct dls_apart *, const struct dls_problem *, double *r,
                       struct dls_stats *);

#endif
