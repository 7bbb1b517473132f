// SPDX-License-Identifier: Apache-2.0
// `bench --sequence`: the steps of a recorded run, each solver from its last answer.
#ifndef DLS_BENCHMARKS_PROGRAM_SEQUENCE_H
#define DLS_BENCHMARKS_PROGRAM_SEQUENCE_H

#include "benchmarks/campaign/campaign.h"

// Solves the files of the suite in their order, to the tightest tolerance; prints one
// line a solver, and writes one row a solver and step; where `cold`, every step starts
// from zero. Returns an enum dls_exit.
int dls_bench_sequence(const struct dls_campaign *, const char *csv, bool cold);

#endif
