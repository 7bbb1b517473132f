// SPDX-License-Identifier: Apache-2.0
// A campaign: every solver on every file of a suite at every tolerance, each (file,
// solver) in a process of its own, rows appended as runs end.
#ifndef DLS_BENCHMARKS_CAMPAIGN_CAMPAIGN_H
#define DLS_BENCHMARKS_CAMPAIGN_CAMPAIGN_H

#include "benchmarks/campaign/results.h"
#include "benchmarks/campaign/suite.h"
#include "benchmarks/terminal/spec.h"

struct dls_campaign {
    const char *folder;
    struct dls_suite suite;
    struct dls_specs specs;
    int tolerances;
    double tols[DLS_TOLERANCES]; // descending
    bool separate;               // each tolerance in a run of its own
    int repeat, jobs, kind;
    struct dls_terms terms;
    struct dls_results results;
    struct dls_arena *arena;
};

// Runs what has no row yet. DLS_STOPPED when interrupted: the runs under way then have
// no rows, and the same campaign goes on from there.
enum dls_status dls_campaign_run(struct dls_campaign *, struct dls_error *);

// "pgs:omega=1.2:order=shuffled": the solver with the options that are not at their
// defaults.
const char *dls_solver_label(const char *solver, const char *options,
                             struct dls_arena *);

#endif
