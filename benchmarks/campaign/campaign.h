// SPDX-License-Identifier: Apache-2.0
// A campaign: every solver on every file of a suite at every tolerance, each (file,
// solver) in a process of its own, rows appended as runs end.
#ifndef DLS_BENCHMARKS_CAMPAIGN_CAMPAIGN_H
#define DLS_BENCHMARKS_CAMPAIGN_CAMPAIGN_H

#include "benchmarks/campaign/results.h"
#include "benchmarks/campaign/suite.h"
#include "benchmarks/terminal/spec.h"

struct dls_campaign {
    const char *folder, *whole; // of its rows; of the campaign that it is a shard of
    char started[32];
    const char *const *suite_words; // as asked
    int suite_count;
    struct dls_suite suite;
    struct dls_specs specs;
    int tolerances;
    double tols[DLS_TOLERANCES]; // descending
    bool separate;               // each tolerance in a run of its own
    int repeat, jobs, kind;
    int shard, shards; // runs only every shards-th pair; 1 of 1 = all
    bool keep;         // rows of other builds and of files that were changed since
    bool fresh;        // run all again
    const char *redo;  // "pgs,newton": run these again; or NULL
    int unwritten;     // histories, after the run
    struct dls_terms terms;
    struct dls_results results;
    struct dls_arena *arena;
};

// Runs what has no row yet, or one that is stale: made by another build of the solver, on
// other data under the same name, or lost to something outside. DLS_STOPPED when interrupted: the runs under way then have
// no rows, and the same campaign goes on from there.
enum dls_status dls_campaign_run(struct dls_campaign *, struct dls_error *);

// "pgs:omega=1.2:order=shuffled": the solver with the options that are not at their
// defaults.
const char *dls_solver_label(const char *solver, const char *options,
                             struct dls_arena *);

#endif
