// SPDX-License-Identifier: Apache-2.0
// What a campaign came to, from its results.csv.
#ifndef DLS_BENCHMARKS_CAMPAIGN_SUMMARY_H
#define DLS_BENCHMARKS_CAMPAIGN_SUMMARY_H

#include <stdio.h>

#include "benchmarks/campaign/sheet.h"

// Prints for each solver and tolerance how many problems it solved of those it takes, and
// what else happened.
enum dls_status dls_summary_print(FILE *, const struct dls_sheet *, struct dls_arena *);

// Rows that did not converge, apart from those of solvers that do not take the problem;
// and rows of files that could not be used.
int dls_summary_failed(const struct dls_sheet *);
int dls_summary_unusable(const struct dls_sheet *);

#endif
