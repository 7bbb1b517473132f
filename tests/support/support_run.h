// SPDX-License-Identifier: Apache-2.0
// Runs of a solver whose options are given as text, and problems in other units.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_RUN_H
#define DLS_TESTS_SUPPORT_SUPPORT_RUN_H

#include "solvers/solver.h"

struct support_run {
    struct dls_stats stats;
    double *r; // m, the answer
    double *u; // m, by formulas that share no code with the library
};

// Solves from zero with options "name=value name=value" of the solver or its formulation;
// `settings` NULL = the defaults. Memory from the arena.
struct support_run support_run(const char *solver, const char *options,
                               const struct dls_problem *, const struct dls_settings *,
                               struct dls_arena *);

// The same global problem with masses times 2^mass and velocities times 2^speed:
// impulses grow by 2^(mass + speed).
struct dls_problem support_rescale(const struct dls_problem *, int mass, int speed,
                                   struct dls_arena *);

// Fails unless `steps` iterations give the same bits in the units of three rescalings
// (even powers of two, whose roots are exact).
void support_units(const char *solver, const char *options, const struct dls_problem *,
                   long steps);

#endif
