// SPDX-License-Identifier: Apache-2.0
// What a run writes: a CSV row per step, VTK files, snapshots of its step problems.
#ifndef DLS_BENCHMARKS_PROGRAM_RUN_FILES_H
#define DLS_BENCHMARKS_PROGRAM_RUN_FILES_H

#include "problems/examples/example.h"

#include <stdio.h>

enum { DLS_HARDEST = 100 };

struct dls_run_files {
    const char *name; // of the example
    const struct dls_scene *scene;
    const char *csv_path, *vtk, *record; // NULL: not asked for
    int every;                           // steps between files (CSV: every step)
    int hardest;                         // > 0: keep only so many snapshots instead
    FILE *csv;
    int kept;
    struct {
        long step, iterations;
    } best[DLS_HARDEST];
    struct dls_arena *arena;
};

// Opens the CSV file and makes the folders. A run that is resumed cuts the CSV file to
// `csv_bytes` and goes on behind; pass 0 to start a new one.
enum dls_status dls_run_files_open(struct dls_run_files *, long csv_bytes,
                                   struct dls_error *);
// After each step.
enum dls_status dls_run_files_step(struct dls_run_files *, const struct dls_sim *,
                                   struct dls_error *);
// Bytes of complete rows in the CSV file; 0 without one.
long dls_run_files_position(const struct dls_run_files *);
enum dls_status dls_run_files_close(struct dls_run_files *, struct dls_error *);

#endif
