// SPDX-License-Identifier: Apache-2.0
// Pieces of a page that stands alone: style and script are inside, nothing is fetched.
#ifndef DLS_BENCHMARKS_REPORT_HTML_H
#define DLS_BENCHMARKS_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

// benchmarks/assets/report.{css,js} and paper/references.bib, made into C by
// scripts/embed.sh.
extern const char dls_asset_report_css[], dls_asset_report_js[];
extern const char dls_asset_references_bib[];

// Everything up to <main>; `solvers` is how many can be switched off.
void dls_html_open(FILE *, const char *title, int solvers);
void dls_html_close(FILE *);

// A section with a heading that can be linked to; closed by "</section>".
void dls_html_section(FILE *, const char *id, const char *heading);

// A table that can be sorted and, with `filter`, searched; closed by dls_html_table_end.
void dls_html_table(FILE *, const char *class_name, bool filter);
void dls_html_table_end(FILE *);

// "10<sup>-8</sup>" for powers of ten, else the number.
void dls_html_tol(FILE *, double tol);

// Cells of a table, with the number they sort by; unknown numbers show "–" and sort last.
enum dls_unit { DLS_UNIT_NONE, DLS_UNIT_SECONDS, DLS_UNIT_BYTES, DLS_UNIT_COUNT };
void dls_html_cell(FILE *, double value, enum dls_unit);
void dls_html_cell_text(FILE *, const char *text);
// "x 1.3"
void dls_html_cell_ratio(FILE *, double ratio);

// A status as a word with a sign and a colour; `solved` decides between good and bad.
void dls_html_status(FILE *, const char *status, bool solved);

#endif
