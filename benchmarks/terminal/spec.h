// SPDX-License-Identifier: Apache-2.0
// Which solvers to run, as text: `pgs:omega=1.2:order=shuffled,newton` or `all`, and
// `--set pgs.omega=1.2` for options given apart. A name with a slash is a file: a shared
// object (.so), a Python class (.py), or a program; see terminal/outsider.h.
#ifndef DLS_BENCHMARKS_TERMINAL_SPEC_H
#define DLS_BENCHMARKS_TERMINAL_SPEC_H

#include "solvers/solver.h"

struct dls_spec {
    const struct dls_solver *solver;
    const char *source; // its name, or the file that it came from
    struct dls_options options;
    const char *label; // as asked for: "pgs:omega=1.2"
    const char *file;  // the same, fit for a file name: "pgs_omega=1.2"
    const char
        *changed; // every option that is not at its default: "omega=1.2 order=..."
};

struct dls_specs {
    int count;
    struct dls_spec *all;
    int missing; // how many were asked for and are not in this build:
    const struct dls_missing **left_out;
};

// Parses a list of solvers; memory from the arena. The sentence names the nearest name
// of a misspelt one. A solver asked for twice with the same words is an error. One that
// is missing from the build is named on stderr and counted, and the others run; where
// none is left that is an error.
enum dls_status dls_specs_parse(struct dls_specs *, const char *text,
                                struct dls_arena *, struct dls_error *);

// Applies `owner.option=value`, owner being a solver or a formulation of the list.
enum dls_status dls_specs_set(struct dls_specs *, const char *setting,
                              struct dls_error *);

// Fills in `changed`, after all settings.
enum dls_status dls_specs_finish(struct dls_specs *, struct dls_arena *);

// True for a solver of others that is compared with: its brief begins with "peer:".
bool dls_solver_is_peer(const struct dls_solver *);

// Sets one option from "name=value" in a table.
enum dls_status dls_setting_apply(const struct dls_option *table, void *opt,
                                  const char *setting, const char *owner,
                                  struct dls_error *);

#endif
