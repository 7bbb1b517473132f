// SPDX-License-Identifier: Apache-2.0
// Whether a step problem has a solution, as far as that can be told before solving it;
// see existence.c.
#ifndef DLS_SOLVERS_REFERENCE_EXISTENCE_H
#define DLS_SOLVERS_REFERENCE_EXISTENCE_H

#include "solvers/solver.h"

enum dls_existence_verdict {
    DLS_EXISTENCE_UNKNOWN,        // out of time, or the check does not apply: see `why`
    DLS_EXISTENCE_GIVEN,          // a solution exists
    DLS_EXISTENCE_NOT_GUARANTEED, // the condition fails: there may be one or none
    DLS_EXISTENCE_NONE,           // there is no solution, and a certificate shows it
};

struct dls_existence {
    enum dls_existence_verdict verdict;
    double
        margin; // best relative margin of H v + w inside K* that was found and verified
    double defect;       // of the certificate: |H_N^T y| / | |H_N|^T y |, NAN without
    double deficit;      // of the certificate: -w_N.y / |w_N|.y
    double *certificate; // contacts, y >= 0, largest entry 1; NULL without
    char why[96];        // a clause about UNKNOWN
};

// Looks for v until the deadline or the flag of `work`. Memory from the arena. Negative
// statuses only for want of memory or a bad problem (M singular).
enum dls_status dls_existence_check(struct dls_existence *, const struct dls_problem *,
                                    struct dls_work *, struct dls_arena *,
                                    struct dls_error *);

// "a solution exists", ...
const char *dls_existence_text(enum dls_existence_verdict);

#endif
