// SPDX-License-Identifier: Apache-2.0
// Where and with what a campaign runs.
#ifndef DLS_BENCHMARKS_CAMPAIGN_ENVIRONMENT_H
#define DLS_BENCHMARKS_CAMPAIGN_ENVIRONMENT_H

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

#endif
