// SPDX-License-Identifier: Apache-2.0
// `run --observe`: measures of a run, one CSV row every so many steps.
#ifndef DLS_BENCHMARKS_PROGRAM_RUN_OBSERVE_H
#define DLS_BENCHMARKS_PROGRAM_RUN_OBSERVE_H

#include "problems/mechanics/checkpoint.h"
#include "problems/observe/observer.h"

#include <stdio.h>

struct dls_run_observe {
    const char *path;
    int every; // steps between rows
    struct dls_observing with;
    FILE *file;               // NULL: nothing is asked for
    const char *centres_path; // of all bodies in every such step
    FILE *centres;            // or NULL
    bool named;               // the line of names is written
    struct dls_arena *arena;
};

// What is asked for, ready for the first step; what it keeps between steps is added to
// what a checkpoint watches.
enum dls_status dls_run_observe_prepare(struct dls_run_observe *, const char *measures,
                                        const struct dls_sim *, struct dls_watched *,
                                        struct dls_error *);
// The files. A run that goes on from `sim->t > 0` keeps the rows up to that time and
// writes behind.
enum dls_status dls_run_observe_open(struct dls_run_observe *, const struct dls_sim *,
                                     struct dls_error *);
enum dls_status dls_run_observe_step(struct dls_run_observe *, const struct dls_sim *,
                                     struct dls_error *);
enum dls_status dls_run_observe_close(struct dls_run_observe *, struct dls_error *);

#endif
