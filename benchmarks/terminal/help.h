// SPDX-License-Identifier: Apache-2.0
// Help texts and the man page, from the tables of commands, solvers and generators.
#ifndef DLS_BENCHMARKS_TERMINAL_HELP_H
#define DLS_BENCHMARKS_TERMINAL_HELP_H

#include "benchmarks/terminal/cli.h"

// The rows of an option table: name, meaning, default and range.
void dls_help_options(FILE *, const struct dls_option *table, const char *indent);

// What an option takes, as text: a range, or the choices. Returns `text`.
char *dls_help_range(const struct dls_option *, char text[80]);

// The page docs/solvers.md: every solver of the build with its options.
void dls_help_markdown(FILE *);

// `delassus --help`, `delassus COMMAND --help`, `delassus --man` (roff).
void dls_help_program(FILE *);
void dls_help_command(FILE *, const struct dls_command *);
void dls_help_man(FILE *);

// A command, solver, formulation, scheme, example or generator by name; false where there is none.
bool dls_help_topic(FILE *, const char *name);

// The formulation of that name among those that solvers take, or NULL.
const struct dls_formulation *dls_formulation_find(const char *name);

extern const char dls_help_exit_codes[];

#endif
