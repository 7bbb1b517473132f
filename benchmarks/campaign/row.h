// SPDX-License-Identifier: Apache-2.0
// One row of results.csv; RESULTS.md tells what its columns mean.
#ifndef DLS_BENCHMARKS_CAMPAIGN_ROW_H
#define DLS_BENCHMARKS_CAMPAIGN_ROW_H

#include "benchmarks/campaign/environment.h"
#include "benchmarks/campaign/process.h"
#include "benchmarks/terminal/output.h"

// What was asked, the same for all rows of a campaign.
struct dls_terms {
    enum dls_measure measure;
    double max_time, max_memory; // seconds, MB (0 = no limit)
    long seed;
    int start, threads; // enum dls_start; 0 threads = one, not spoken of
    int clock;          // enum dls_clock_kind
    struct dls_environment environment;
};

struct dls_row {
    const struct dls_terms *terms;
    const char *problem, *file;
    const struct dls_solver *solver;
    const char *options, *build; // what is not at its default; dls_solver_build
    const char *data;            // fingerprint of the file
    const char *history;         // relative path
    const char *started;         // time stamp
    struct dls_load before, after;
    double tol;
    const struct dls_process *process; // ended
    int tol_number;                    // of tol in that process
};

enum { DLS_ROW_CELLS = 88 };

// How the row ended, as the column `status` says it; `message` receives the sentence.
const char *dls_row_status(const struct dls_row *, char message[DLS_ROW_MESSAGE]);

// True for a status that says nothing of the solver: the run was lost to something
// outside, and the next campaign tries again.
bool dls_status_is_passing(const char *status);

// Keeps the texts that cells point to.
struct dls_row_texts {
    char message[DLS_ROW_MESSAGE];
    struct dls_message told;
};

// Fills the cells of a row, the same number and names for every row; a NULL row gives
// the names.
int dls_row_cells(const struct dls_row *, struct dls_cell cells[DLS_ROW_CELLS],
                  struct dls_row_texts *);

#endif
