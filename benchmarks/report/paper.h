// SPDX-License-Identifier: Apache-2.0
// The export for papers; see paper.c.
#ifndef DLS_BENCHMARKS_REPORT_PAPER_H
#define DLS_BENCHMARKS_REPORT_PAPER_H

#include "benchmarks/report/report.h"

// Fills the folder `out` from the campaign in `folder`; returns an enum dls_exit.
int dls_paper_make(const char *folder, const char *out, struct dls_arena *);

// A figure: its numbers as CSV, as pgfplots, and drawn in black and white.
void dls_paper_plot(struct dls_report *, const char *name, const struct dls_plot *);

// The tables of standings, of all problems and of each class (paper_tables.c).
void dls_paper_tables(struct dls_report *);

// Text with what LaTeX would take for commands escaped.
void dls_tex_text(FILE *, const char *);

#endif
