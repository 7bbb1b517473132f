// SPDX-License-Identifier: Apache-2.0
// What `delassus run` was asked for, shared by its files.
#ifndef DLS_BENCHMARKS_PROGRAM_RUN_JOB_H
#define DLS_BENCHMARKS_PROGRAM_RUN_JOB_H

#include "problems/examples/example.h"

#include "benchmarks/film/film.h"
#include "benchmarks/program/race.h"
#include "benchmarks/program/run_files.h"
#include "benchmarks/program/run_observe.h"
#include "benchmarks/terminal/cli.h"

struct dls_run_options {
    double scale, step, end, tol, max_time, spoil, at;
    int threads;
    int measure, max_iter, start, frames, every, hardest;
};

struct dls_run_job {
    const struct dls_args *args;
    const struct dls_run_options *options;
    const struct dls_example *example;
    struct dls_asked asked;
    struct dls_scene scene;
    const char *title; // of checkpoints
    const char *checkpoint;
    struct dls_run_files files;
    struct dls_run_observe observe;
    struct dls_watched watched; // by the check whose main run this is, by measures
    struct dls_specs *race;     // NULL: no race
    struct dls_race lanes;
    double *naturals;      // of each solver in the last step, for the page
    struct dls_film *film; // NULL: no page is asked for
    bool pictured;         // the SVG picture is written
    double saved;          // dls_clock() of the last checkpoint
    bool counted;          // sweeps are counted, no tolerance is asked for
    bool terminal;
    double shown; // dls_clock() when the line on the terminal was last written
};

// The main run of the example with its files, and the table of its checks; both return
// an enum dls_exit.
int dls_run_scene(struct dls_run_job *);
int dls_run_checks(struct dls_run_job *);
// The files of the job beside the main run that a check makes itself.
struct dls_beside dls_run_beside(struct dls_run_job *);

// Every solver of a race on its own trajectory; returns an enum dls_exit.
int dls_run_apart(struct dls_run_job *);

// The run with its step and with half of it side by side; returns an enum dls_exit.
int dls_run_halve(struct dls_run_job *);

// The energies of a run, its residuals and iterations.
void dls_run_summary(const struct dls_run_job *, const struct dls_sim *);

// Whether so many of the steps may end short of the tolerance in this run.
bool dls_run_may_fall_short(const struct dls_run_job *, long unconverged, long steps);

#endif
