// SPDX-License-Identifier: Apache-2.0
// From a problem to a certified solution: solve, refine in extended precision, find out
// what can be said about the answer. See certify.c.
#ifndef DLS_SOLVERS_REFERENCE_CERTIFY_H
#define DLS_SOLVERS_REFERENCE_CERTIFY_H

#include "solvers/reference/existence.h"
#include "solvers/solver.h"

#include "formulations/files/certificate.h"

struct dls_certify_settings {
    const struct dls_solver *solver;
    const struct dls_options *options; // of the solver; NULL = defaults
    const double *start;               // m: the first iterate; NULL = zero
    double tol;                        // for both measures, in extended precision
    double max_time;                   // seconds in all, the rank decision not counted
    const volatile sig_atomic_t *cancel;                      // may be NULL
    void (*monitor)(const struct dls_progress *, void *data); // of the solver; or NULL
    void *data;
};

struct dls_certified {
    struct dls_stats stats; // of the run that found the answer
    const char *second;     // the solver of that run where it is another one, or NULL
    double *r, *u, *v, *l;  // the answer rounded to doubles; v, l NULL where none
    struct dls_certificate certificate; // provenance is the caller's to fill
    struct dls_existence existence;
    int steps; // of the refinement
    double solve_time, refine_time;
    char refine_note[96]; // why nothing was refined, or ""
    char motion_why[96];  // what certificate.motion_why points to
    char null_note[96];   // why there is no null space, or ""
    char least_note[96];  // why there is no representative of least norm, or ""
};

// DLS_OK where the certificate reaches the tolerance, DLS_FINISHED where it falls short,
// DLS_STOPPED where the flag was raised: the answer is there in all three. Other positive
// statuses are those of a solver that does not take the problem. Memory from the arena.
enum dls_status dls_certify(struct dls_certified *, const struct dls_problem *,
                            const struct dls_certify_settings *, struct dls_arena *,
                            struct dls_error *);

#endif
