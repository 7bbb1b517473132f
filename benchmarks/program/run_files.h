// SPDX-License-Identifier: Apache-2.0
// What a run writes: a CSV row per step, VTK files, snapshots of its step problems.
#ifndef DLS_BENCHMARKS_PROGRAM_RUN_FILES_H
#define DLS_BENCHMARKS_PROGRAM_RUN_FILES_H

#include "problems/examples/example.h"
#include "problems/mechanics/checkpoint.h"

#include <stdio.h>

enum { DLS_HARDEST = 100 };

struct dls_run_files {
    const char *name;  // of the example
    const char *title; // the same with all that was asked for, for provenance
    const struct dls_scene *scene;
    const char *csv_path, *vtk, *record; // NULL: not asked for
    int every;                           // steps between files (CSV: every step)
    int hardest;                         // > 0: keep only so many snapshots instead
    FILE *csv;
    int kept;
    struct dls_kept_step {
        long step, iterations;
        double residual;
    } best[DLS_HARDEST];
};

// Opens the CSV file and makes the folders. A run that is resumed cuts the CSV file to
// where the checkpoint has it and goes on behind; one that ends otherwise there is
// refused. A checkpoint without such a place starts a new file.
enum dls_status dls_run_files_open(struct dls_run_files *, const struct dls_sim *,
                                   const struct dls_checkpoint *, struct dls_error *);
// After each step.
enum dls_status dls_run_files_step(struct dls_run_files *, const struct dls_sim *,
                                   struct dls_error *);
// How far the CSV file has come, into the checkpoint.
void dls_run_files_mark(const struct dls_run_files *, struct dls_checkpoint *);
enum dls_status dls_run_files_close(struct dls_run_files *, struct dls_error *);

#endif
