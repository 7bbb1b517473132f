// SPDX-License-Identifier: Apache-2.0
// Where and with what a campaign runs.
#ifndef DLS_BENCHMARKS_CAMPAIGN_ENVIRONMENT_H
#define DLS_BENCHMARKS_CAMPAIGN_ENVIRONMENT_H

#include <stddef.h>

struct dls_environment {
    char machine[128];   // host, system
    char cpu[128];       // model and number of cores
    char libraries[512]; // "HDF5 1.10.8; GSL 2.7.1; ..."
};

void dls_environment_find(struct dls_environment *);

// "2026-01-31T12:00:00Z", now; returns `text`.
char *dls_time_stamp(char text[32]);

// Of the build; made by scripts/build_info.sh. The commit ends with `+` where the sources
// were changed since; the optional libraries are "; OSQP 0.6.2; Siconos 4.4.0" or "".
extern const char dls_build_commit[], dls_build_compiler[], dls_build_optional[];

// What a solver was built from, by scripts/build_ids.sh; the last row, without a name,
// is for solvers that are not in the table.
struct dls_build_id {
    const char *solver, *id;
};
extern const struct dls_build_id dls_build_ids[];
const char *dls_build_of(const char *solver);

// How busy the machine is, to tell which times to trust. NAN where it is not known.
struct dls_load {
    double average;      // of the last minute: processes that run or wait
    double stolen, time; // by other guests, and all, of the processors so far, in ticks
    double mhz;          // of the first processor
};
struct dls_load dls_load_now(void);

#endif
