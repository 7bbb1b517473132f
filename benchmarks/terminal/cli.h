// SPDX-License-Identifier: Apache-2.0
// The command line of the `delassus` program. A subcommand is a table: its flags, its
// numeric options and its help text stand in one place; parsing, `--help` and the man
// page all read it.
//
// To add a subcommand: one file with `const struct dls_command dls_command_foo`, and
// one row in main.c.
#ifndef DLS_BENCHMARKS_TERMINAL_CLI_H
#define DLS_BENCHMARKS_TERMINAL_CLI_H

#include "base/arena.h"
#include "base/option.h"

#include <stdbool.h>
#include <stdio.h>

enum dls_exit {
    DLS_EXIT_GOOD = 0,    // all converged, all checks passed
    DLS_EXIT_FAILED = 1,  // some did not
    DLS_EXIT_BAD_USE = 2, // bad usage or bad input
};

// A flag that takes a text (`value` names it in the help) or none (`value` is NULL). A
// name of one letter is given with one dash.
struct dls_flag {
    const char *name, *value, *help;
};

struct dls_given {
    const struct dls_flag *flag;
    const char *value; // NULL for a switch
};

struct dls_args {
    const struct dls_command *command;
    int count;
    const char **names; // what stands between the flags: files, ...
    int flags;
    struct dls_given *given; // in the order given
    void *options;           // the command's options struct
    struct dls_arena *arena; // lives as long as the program
};

struct dls_command {
    const char *name;                 // on the command line
    const char *usage;                // "FILE... [flags]"
    const char *brief;                // one line
    const char *details;              // further lines of help, or NULL
    const struct dls_flag *flags;     // ends with {0}; or NULL
    const struct dls_option *options; // --max-time sets the row max_time; or NULL
    size_t options_size;
    int least, most; // how many names it takes; most = -1: any number
    // Prints what follows the flags in the help (tables of solvers, ...); may be NULL.
    void (*more_help)(FILE *);
    int (*run)(const struct dls_args *); // returns an enum dls_exit
};

// All subcommands, ended by NULL (main.c).
extern const struct dls_command *const dls_commands[];
const struct dls_command *dls_command_find(const char *name);

// Parses what follows the name of a command; words[0] is the first argument. False
// after one line on stderr.
bool dls_args_parse(struct dls_args *, const struct dls_command *, int count,
                    char *const words[], struct dls_arena *);
bool dls_args_has(const struct dls_args *, const char *flag);
// The last value given to a flag, or NULL.
const char *dls_args_text(const struct dls_args *, const char *flag);
// The values given to a repeatable flag one by one; `at` starts at 0. NULL at the end.
const char *dls_args_next(const struct dls_args *, const char *flag, int *at);

// Text of an option's default value; returns `text`.
char *dls_option_default(const struct dls_option *, char text[64]);

// One line "delassus: ..." on stderr. Returns DLS_EXIT_BAD_USE.
int dls_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The candidate nearest to a misspelt word if one is near enough, else NULL. Feed the
// candidates one by one to dls_nearest_try.
struct dls_nearest {
    const char *word, *best;
    int distance;
};
struct dls_nearest dls_nearest_start(const char *word);
void dls_nearest_try(struct dls_nearest *, const char *candidate);
// " (did you mean 'pgs'?)" or "".
char *dls_nearest_hint(const struct dls_nearest *, char text[96]);

#endif
