// SPDX-License-Identifier: Apache-2.0
// The file results.csv of a campaign: append-only while it runs, one synced write for the
// rows of each run. Opened again, and at the end, it is put in order: each key once.
#ifndef DLS_BENCHMARKS_CAMPAIGN_RESULTS_H
#define DLS_BENCHMARKS_CAMPAIGN_RESULTS_H

#include "benchmarks/campaign/index.h"
#include "benchmarks/campaign/row.h"
#include "benchmarks/campaign/sheet.h"

// Under which terms rows were made, as texts: the columns of dls_terms_names.
enum { DLS_TERMS = 8 };
extern const char *const dls_terms_names[DLS_TERMS];
struct dls_terms_text {
    char value[DLS_TERMS][40];
};
struct dls_terms_text dls_terms_format(const struct dls_terms *);
struct dls_terms_text dls_terms_of_row(const struct dls_sheet *, int row);

// Fails with a sentence where a row of the sheet has other terms.
enum dls_status dls_terms_check(const struct dls_sheet *, const char *path,
                                const struct dls_terms_text *, struct dls_error *);

struct dls_results {
    const char *folder, *path;
    int file;              // -1: not open
    struct dls_sheet kept; // the rows that were there
    struct dls_index index;
    int damaged;  // lines set aside in damaged.csv by the last look
    int replaced; // rows that a later one of their key replaced, now in replaced.csv
};

// Opens or makes FOLDER/results.csv. Damaged lines move to FOLDER/damaged.csv, earlier
// rows of a key that occurs again to FOLDER/replaced.csv: nothing is dropped. Columns
// that earlier versions did not write are empty. Fails with a sentence, and leaves all as
// it was, where there are columns that this version does not know, and where rows were
// made under other terms.
enum dls_status dls_results_open(struct dls_results *, const char *folder,
                                 const struct dls_terms_text *, struct dls_arena *,
                                 struct dls_error *);
void dls_results_close(struct dls_results *);

// The kept row of this key, or -1.
int dls_results_find(const struct dls_results *, struct dls_key);

// Appends the rows in one write and waits until they are on the disk.
enum dls_status dls_results_append(struct dls_results *, const struct dls_row *rows,
                                   int count, struct dls_error *);

// Puts the file in order: what was appended replaces what had the same key.
enum dls_status dls_results_settle(struct dls_results *, const struct dls_terms_text *,
                                   struct dls_arena *, struct dls_error *);

// Writes the rows of a sheet as FOLDER/results.csv.
enum dls_status dls_results_write(const char *folder, const struct dls_sheet *,
                                  struct dls_arena *, struct dls_error *);

// The sheet with the columns of this version, in their order; false where it has others.
bool dls_results_fit(struct dls_sheet *, struct dls_arena *);

#endif
