// SPDX-License-Identifier: Apache-2.0
// A campaign directory in memory (RESULTS.md tells what stands in its files).
#ifndef DLS_BENCHMARKS_CAMPAIGN_CAMPAIGN_READ_H
#define DLS_BENCHMARKS_CAMPAIGN_CAMPAIGN_READ_H

#include "base/arena.h"
#include "base/status.h"

#include "benchmarks/campaign/json.h"

// One problem. What is unknown is NAN.
struct dls_case {
    const char *name, *file;
    double contacts, d, n, bodies, density, rank_def, mu_min, mu_max;
};

// The history of a run: the least residual so far against time, thinned to where it
// improved; and every check as it was judged.
struct dls_track {
    int count;
    double *time, *residual;
    int checks;
    struct dls_check *check;
};
struct dls_check {
    double time, iteration, products, residual; // NAN where unknown
};

// One row of results.csv. What is unknown is NAN.
struct dls_result {
    const char *status, *message, *note, *relaxes;
    bool solved; // converged, and the judge's residual is below the tolerance
    double tol, max_time, residual; // `residual` is the one that `tol` applies to
    double iterations, run_iterations, natural, merit, own;
    int claimed; // by the peer itself: 1 yes, 0 no, -1 it has no say
    // The judge's, of the answer that it claimed: the one that `tol` applies to, and merit.
    double claim_residual, claim_merit;
    bool loaded; // the machine had more to do than it has cores, or was shared
    const char *build;
    double open, stick, slip;
    double dissipation, free_work;
    double time, time_median, time_most, products, local_solves, factorisations,
        peak_memory;
    struct dls_track track;
};

struct dls_ledger {
    const char *folder, *name;
    int problems, solvers, tols;
    struct dls_case *problem; // sorted by name
    const char **solver;      // "pgs" or "pgs omega=1.2", sorted
    bool *peer;               // which are other people's
    const char **cite;        // keys of paper/references.bib, "" where there is none
    double *tol;              // from loose to tight
    // problems x solvers x tols; NULL where there is no row (yet).
    const struct dls_result **result;
    int rows;               // rows used
    bool dropped;           // damaged rows were left out
    const char *measure;    // what the tolerances apply to
    double max_time;        // the largest time limit
    struct dls_facts asked; // campaign.json, or nothing
    struct dls_facts made;  // of the rows: machine, cpu, commit, compiler, ...; a name
                            // with several values occurs several times
    int *made_rows;         // how many rows have each of them
};

// Reads DIR/results.csv and what it names. Unknown columns are ignored and missing ones
// unknown; problem, solver, tol, status must be there. DLS_EIO, DLS_EINVAL with a
// sentence; a missing history or campaign.json is no error.
enum dls_status dls_ledger_read(struct dls_ledger *, const char *folder,
                                struct dls_arena *, struct dls_error *);

static inline const struct dls_result *dls_ledger_at(const struct dls_ledger *c,
                                                     int problem, int solver, int tol)
{
    return c->result[((size_t)problem * (size_t)c->solvers + (size_t)solver)
                         * (size_t)c->tols
                     + (size_t)tol];
}

// True when every solver has a row for this problem and tolerance.
bool dls_ledger_complete(const struct dls_ledger *, int problem, int tol);

// The best answer that anyone found at the tightest tolerance with contact statuses, or
// NULL: what the problem looks like.
const struct dls_result *dls_ledger_portrait(const struct dls_ledger *, int problem);

// The relaxation that a solver solves, or NULL.
const char *dls_ledger_relaxes(const struct dls_ledger *, int solver);

#endif
