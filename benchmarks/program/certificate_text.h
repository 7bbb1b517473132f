// SPDX-License-Identifier: Apache-2.0
// What a certificate says, for people: `certify` and `info` show the same lines.
#ifndef DLS_BENCHMARKS_PROGRAM_CERTIFICATE_TEXT_H
#define DLS_BENCHMARKS_PROGRAM_CERTIFICATE_TEXT_H

#include "solvers/reference/existence.h"

#include "formulations/files/certificate.h"

#include <stdio.h>

// Residuals, statuses, null space, representative of least norm. `r` are the impulses of
// the answer; the notes say why something is missing and may be NULL.
void dls_certificate_print(FILE *, const struct dls_certificate *,
                           const struct dls_problem *, const double *r,
                           const char *null_note, const char *least_note);

// Counts of open, stick and slip.
void dls_certificate_count(const struct dls_certificate *, const struct dls_problem *,
                           int counts[3]);

// One line about existence.
void dls_existence_print(FILE *, const struct dls_existence *);

#endif
