// SPDX-License-Identifier: Apache-2.0
// One result: a problem, a solver, and how it went. The fields of result files.
#ifndef DLS_BENCHMARKS_CAMPAIGN_RECORD_H
#define DLS_BENCHMARKS_CAMPAIGN_RECORD_H

#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/spec.h"

struct dls_record {
    const char *file, *name; // as given, and its base name without ending
    const struct dls_problem *problem;
    const struct dls_spec *spec;
    const struct dls_settings *settings;
    const struct dls_stats *stats;
};

enum { DLS_RECORD_CELLS = 49 };

// Fills the cells of a record and returns their number, the same for every record.
int dls_record_cells(const struct dls_record *,
                     struct dls_cell cells[DLS_RECORD_CELLS]);

// Those cells that any result file shows of an answer and of the effort it took.
void dls_record_answer(struct dls_cells *, const struct dls_stats *);
void dls_record_effort(struct dls_cells *, const struct dls_stats *);

// "natural", "merit" or "both".
const char *dls_measure_name(enum dls_measure);

// True when one measure is below the tolerance and the other above 100 times it.
bool dls_record_is_doubtful(const struct dls_record *);

#endif
