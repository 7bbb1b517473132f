// SPDX-License-Identifier: Apache-2.0
// The file results.csv of a campaign: append-only, one synced write for the rows of each
// run; opened again it keeps what is whole and holds each key once.
#ifndef DLS_BENCHMARKS_CAMPAIGN_RESULTS_H
#define DLS_BENCHMARKS_CAMPAIGN_RESULTS_H

#include "benchmarks/campaign/index.h"
#include "benchmarks/campaign/row.h"
#include "benchmarks/campaign/sheet.h"

struct dls_results {
    const char *path;
    int file, lock;
    struct dls_sheet kept; // the rows that were there
    struct dls_index index;
};

// Opens or makes FOLDER/results.csv and locks the folder against a second campaign. Cuts
// off a torn row, drops repeated keys. Fails with a sentence where another program writes
// there, where the columns are others, and where rows were made under other terms.
enum dls_status dls_results_open(struct dls_results *, const char *folder,
                                 const struct dls_terms *, struct dls_arena *,
                                 struct dls_error *);
void dls_results_close(struct dls_results *);

// True where a kept row has this key.
bool dls_results_have(const struct dls_results *, struct dls_key);

// Appends the rows in one write and waits until they are on the disk.
enum dls_status dls_results_append(struct dls_results *, const struct dls_row *rows,
                                   int count, struct dls_error *);

#endif
