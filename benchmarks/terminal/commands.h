// SPDX-License-Identifier: Apache-2.0
// What subcommands share: reading snapshots, names of files, the one-line complaints.
#ifndef DLS_BENCHMARKS_TERMINAL_COMMANDS_H
#define DLS_BENCHMARKS_TERMINAL_COMMANDS_H

#include "formulations/files/snapshot.h"

#include "benchmarks/terminal/cli.h"

// A row of an options table for --kind, in the order of enum dls_dat_kind.
#define DLS_KIND(S)                                                                    \
    DLS_CHOICE(S, kind, 0, "guess|lcp|fc|gfc|rfc",                                     \
               "what a .dat file holds when its text does not tell")
extern const char *const dls_kind_names[];

// The base name without ending, made visible: "Rover" of "corpus/Rover.hdf5".
const char *dls_file_stem(const char *path, struct dls_arena *);

// Makes the folder and those above it; returns 0 or an errno.
int dls_folder_make(const char *path, struct dls_arena *);

// "12 contacts in 3D with rolling"; returns `text`.
char *dls_format_contacts(const struct dls_problem *, char text[64]);

// The impulses that a run starts from, into r (m entries). False where the file has
// none of that kind; r is zero then.
#define DLS_START(type)                                                                \
    DLS_CHOICE(type, start, 0, "zero|guess|solution",                                  \
               "the first iterate; the last two from the file")
enum dls_start { DLS_START_ZERO, DLS_START_GUESS, DLS_START_SOLUTION };
extern const char *const dls_start_names[];
// What times and limits of a campaign are counted in: dls_clock_names.
enum dls_clock_kind { DLS_CLOCK_WALL, DLS_CLOCK_CPU };
extern const char *const dls_clock_names[];
bool dls_start_fill(const struct dls_problem *, enum dls_start, double *r);

// How many threads work on a problem.
#define DLS_THREADS(type)                                                              \
    DLS_INT(                                                                           \
        type, threads, 0, 0, 1024,                                                     \
        "threads that share a problem, with the same answer for any number of them; "  \
        "0 = one thread that visits contacts in the given order")

extern const struct dls_command dls_command_list, dls_command_info, dls_command_solve,
    dls_command_certify, dls_command_convert, dls_command_generate, dls_command_compare,
    dls_command_run, dls_command_bench, dls_command_equilibrium, dls_command_stress,
    dls_command_merge, dls_command_report, dls_command_help;

#endif
