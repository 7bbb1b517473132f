// SPDX-License-Identifier: Apache-2.0
// Rows of a results.csv by their key (problem, solver, options, tol).
#ifndef DLS_BENCHMARKS_CAMPAIGN_INDEX_H
#define DLS_BENCHMARKS_CAMPAIGN_INDEX_H

#include "benchmarks/campaign/sheet.h"

struct dls_key {
    const char *problem, *solver, *options;
    double tol;
};

struct dls_index {
    const struct dls_sheet *sheet; // borrowed
    int columns[4];                // problem, solver, options, tol
    int *order;                    // rows sorted by key, equal ones as in the file
};

// Fails where memory is short, or where the sheet lacks a column of the key.
enum dls_status dls_index_make(struct dls_index *, const struct dls_sheet *,
                               struct dls_arena *);

struct dls_key dls_index_key(const struct dls_index *, int row);
bool dls_key_equal(struct dls_key, struct dls_key);

// A row with this key, or -1.
int dls_index_find(const struct dls_index *, struct dls_key);

#endif
