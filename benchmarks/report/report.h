// SPDX-License-Identifier: Apache-2.0
// What the parts of `delassus report` share.
#ifndef DLS_BENCHMARKS_REPORT_REPORT_H
#define DLS_BENCHMARKS_REPORT_REPORT_H

#include <stdio.h>

#include "benchmarks/campaign/campaign_read.h"
#include "benchmarks/campaign/profile.h"
#include "benchmarks/report/made.h"
#include "benchmarks/report/svg.h"

// Makes folder/report.html and folder/plots anew and prints where they are; `pdf` adds
// PDF figures where a converter is found. Returns an enum dls_exit.
int dls_report_make(const char *folder, bool pdf, struct dls_arena *);

// A failure is charged so many time limits: more than any success costs.
static const double dls_charge = 10;

// Profiles of one tolerance, over the problems that every solver has run.
struct dls_standing {
    int count;    // problems in the profiles
    int *problem; // their numbers
    int *taken;   // of each solver: problems that it takes
    double *cost; // count x solvers: seconds, INFINITY where not solved
    struct dls_profile time, work; // `work` = matrix-vector products
    bool *counts_products;         // of each solver
};

// Solvers are numbered by rank here, best first: order[rank] is the campaign's number.
struct dls_report {
    const struct dls_ledger *campaign;
    int *order;
    struct dls_standing *standing; // of each tolerance
    FILE *page;
    struct dls_made *made; // files
    int figures;           // written so far
    bool paper;            // only files for a paper are made
    bool *shown;           // problems whose curves are in the page
    struct dls_arena *arena;
};

// Fills standing and order. False when memory ran out.
bool dls_report_rank(struct dls_report *);

static inline const char *dls_report_name(const struct dls_report *r, int rank)
{
    return r->campaign->solver[r->order[rank]];
}

// The rest of a table's head: a column for each solver.
void dls_report_solver_heads(const struct dls_report *);
// The row of (problem, solver of that rank, tolerance), or NULL.
static inline const struct dls_result *dls_report_at(const struct dls_report *r,
                                                     int problem, int rank, int tol)
{
    return dls_ledger_at(r->campaign, problem, r->order[rank], tol);
}

// Sections of the page, in order (report_head.c, report_figures.c, report_lenses.c,
// report_tables.c, report_peers.c, report_problems.c). Figures are written to files too.
void dls_report_head(struct dls_report *);
void dls_report_legend(struct dls_report *);
void dls_report_profiles(struct dls_report *);
void dls_report_precision(struct dls_report *);
void dls_report_lenses(struct dls_report *);
void dls_report_peers(struct dls_report *);
void dls_report_classes(struct dls_report *);
void dls_report_pairs(struct dls_report *);
void dls_report_failures(struct dls_report *);
void dls_report_energy(struct dls_report *);
void dls_report_problems(struct dls_report *);
void dls_report_facts(struct dls_report *);

// What a solver said of itself at a tolerance, against the judge (report_peers.c).
struct dls_claims {
    int said; // problems on which it has a say; 0 = it never judges itself
    int claimed, missed, wrong, wrong_merit;
    double worst, worst_merit; // residuals of false claims over the tolerance, or NAN
};
struct dls_claims dls_report_claims(struct dls_report *, int rank, int tol);

// Kinds of problems: the word of one in names of files, NULL behind the last; the costs of
// its problems (problems x solvers) and their number (report_tables.c).
const char *dls_report_kind_word(int kind);
int dls_report_pick_kind(struct dls_report *, int tol, int kind, double *cost);

// PDF of the SVG figures that were made now in a folder; `told` is what to say about them,
// behind a sentence on the others.
enum { DLS_PDFS_TOLD = 96 };
void dls_report_pdfs(struct dls_made *, const char *folder, char told[DLS_PDFS_TOLD]);
// One sentence on what could not be made; returns DLS_EXIT_BAD_USE.
int dls_report_unmade(const struct dls_made *);

// Which problems' curves are in the page: the hardest ones (report_problems.c).
void dls_report_choose_curves(struct dls_report *);

// The figure of a problem's convergence, in the page too where `shown`; and its address for
// links, or NULL where there is none (report_curves.c).
void dls_report_convergence(struct dls_report *, int problem, bool shown);
const char *dls_report_curve_link(struct dls_report *, int problem);

// A figure into the page, under a title and with a link to its file, and into that file
// (report_figures.c). `plain` is the name of the file without ending.
void dls_report_plot(struct dls_report *, const char *plain, const char *title,
                     const struct dls_plot *);
void dls_report_plot_file(struct dls_report *, const char *plain,
                          const struct dls_plot *);
struct dls_curve dls_report_new_curve(struct dls_report *, int rank, int count,
                                      const double *x, const double *y);

// Ends of an axis, and whole decades around them.
struct dls_range {
    double lo, hi;
};
void dls_range_widen(struct dls_range *, double value);
struct dls_axis dls_range_decades(const char *label, struct dls_range);

// Why a run failed, from its history and its message; never empty (report_reason.c).
const char *dls_report_reason(const struct dls_result *, struct dls_arena *);

// Contact work beyond what the residual explains: energy was created. See
// report_energy.c.
bool dls_creates_energy(const struct dls_result *);

#endif
