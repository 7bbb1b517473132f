// SPDX-License-Identifier: Apache-2.0
// Results for people: one row per (file, solver), grouped by file, each printed as soon
// as it is there; below them a legend of what occurred, and a summary.
#ifndef DLS_BENCHMARKS_PROGRAM_TABLE_H
#define DLS_BENCHMARKS_PROGRAM_TABLE_H

#include "benchmarks/campaign/record.h"

struct dls_table {
    FILE *out;
    struct dls_colours colour;
    int width;           // of the solver column
    bool own;            // some solver has a residual of its own
    bool begun;          // the heading is printed
    const char *file;    // of the group under way
    unsigned statuses;   // which ones occurred, one bit each (see status_bit)
    bool doubtful, free; // which footnotes are needed
};

struct dls_table dls_table_start(FILE *out, const struct dls_specs *);
void dls_table_row(struct dls_table *, const struct dls_record *);
// What the columns, marks and statuses mean.
void dls_table_legend(const struct dls_table *, const struct dls_settings *);

#endif
