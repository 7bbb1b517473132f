// SPDX-License-Identifier: Apache-2.0
// `delassus list`: what is there, from the tables themselves.
#define _POSIX_C_SOURCE 200809L // glob

#include "problems/examples/example.h"
#include "problems/generators/generator.h"
#include "solvers/solver.h"

#include <glob.h>
#include <string.h>

#include "benchmarks/campaign/suite.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/output.h"

static void list_solvers(bool verbose)
{
    struct dls_colours c = dls_colours_of(stdout);
    printf("%ssolvers%s\n", c.bold, c.off);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++) {
        printf("  %s%-14s%s %s\n", c.good, (*s)->name, c.off, (*s)->brief);
        printf("  %-14s %sformulation %s, cite %s%s\n", "", c.dim, (*s)->takes->name,
               (*s)->cite, c.off);
        if (verbose) dls_help_options(stdout, (*s)->options, "      ");
    }
    for (const struct dls_missing *s = dls_missing; s->name; s++)
        printf("  %s%-14s%s %s\n  %-14s not in this build: %s\n", c.warn, s->name,
               c.off, s->brief, "", s->how);
}

// True when an earlier solver of the table takes the same formulation.
static bool seen_before(const struct dls_solver *const *s)
{
    for (const struct dls_solver *const *t = dls_solvers; t < s; t++)
        if ((*t)->takes == (*s)->takes) return true;
    return false;
}

static void list_formulations(bool verbose)
{
    struct dls_colours c = dls_colours_of(stdout);
    printf("%sformulations%s (what a solver receives)\n", c.bold, c.off);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++) {
        if (seen_before(s)) continue;
        const struct dls_formulation *f = (*s)->takes;
        printf("  %s%-14s%s %s\n  %-14s %sused by", c.good, f->name, c.off, f->brief,
               "", c.dim);
        for (const struct dls_solver *const *t = s; *t; t++)
            if ((*t)->takes == f) printf(" %s", (*t)->name);
        printf("%s\n", c.off);
        if (verbose) dls_help_options(stdout, f->options, "      ");
    }
}

static void list_problems(bool verbose)
{
    struct dls_colours c = dls_colours_of(stdout);
    printf("%sproblems%s that run in time (delassus run NAME --check)\n", c.bold,
           c.off);
    for (const struct dls_example *const *e = dls_examples; *e; e++) {
        printf("  %s%-16s%s %s\n", c.good, (*e)->name, c.off, (*e)->brief);
        printf("  %-16s %s%s%s\n", "", c.dim, (*e)->paper, c.off);
        if (verbose) dls_help_options(stdout, (*e)->options, "      ");
    }
    printf("%sproblems%s of one step (delassus generate NAME OUT)\n", c.bold, c.off);
    for (const struct dls_generator *const *g = dls_generators; *g; g++) {
        printf("  %s%-14s%s %s\n", c.good, (*g)->name, c.off, (*g)->brief);
        if (verbose) {
            dls_help_options(stdout, (*g)->options, "      ");
            continue;
        }
        printf("  %-14s %soptions", "", c.dim);
        for (const struct dls_option *o = (*g)->options; o && o->name; o++)
            printf(" %s", o->name);
        printf("%s\n", c.off);
    }
}

static void list_schemes(bool verbose)
{
    struct dls_colours c = dls_colours_of(stdout);
    printf("%sschemes%s (delassus run NAME --scheme S)\n", c.bold, c.off);
    for (const struct dls_scheme *const *s = dls_schemes; *s; s++) {
        printf("  %s%-14s%s %s\n", c.good, (*s)->name, c.off, (*s)->brief);
        printf("  %-14s %scite %s%s\n", "", c.dim, (*s)->cite, c.off);
        if (verbose) dls_help_options(stdout, (*s)->options, "      ");
    }
}

// The suites below one root; returns how many.
static int list_root(const char *root, struct dls_arena *a)
{
    glob_t found;
    const char *pattern = dls_text(a, "%s/benchmarks/suites/*.txt", root);
    if (!pattern || glob(pattern, 0, NULL, &found)) return 0;
    int count = (int)found.gl_pathc;
    for (int k = 0; k < count; k++) {
        const char *name = dls_file_stem(found.gl_pathv[k], a);
        printf("  %-14s %s\n", name ? name : "", found.gl_pathv[k]);
    }
    globfree(&found);
    return count;
}

// Of the first root that has some, as 'delassus bench' finds them.
static void list_suites(bool verbose)
{
    (void)verbose;
    struct dls_colours c = dls_colours_of(stdout);
    struct dls_arena arena = {0};
    const char *const *roots = dls_suite_roots(&arena);
    int count = 0;
    printf("%ssuites%s (delassus bench NAME)\n", c.bold, c.off);
    for (; roots && *roots && !count; roots++) count = list_root(*roots, &arena);
    if (!count) printf("  none here\n");
    dls_arena_free(&arena);
}

static const struct {
    const char *name;
    void (*print)(bool verbose);
} topics[] = {
    {"solvers", list_solvers},   {"formulations", list_formulations},
    {"problems", list_problems}, {"schemes", list_schemes},
    {"suites", list_suites},
};

enum { TOPICS = sizeof topics / sizeof *topics };

static int run(const struct dls_args *args)
{
    bool verbose = dls_args_has(args, "verbose"), found = false;
    char hint[96];
    const char *name = args->count ? args->names[0] : NULL;
    for (int k = 0; k < TOPICS; k++) {
        if (name && strcmp(topics[k].name, name)) continue;
        if (found) printf("\n");
        topics[k].print(verbose);
        found = true;
    }
    if (found) return DLS_EXIT_GOOD;
    struct dls_nearest near = dls_nearest_start(name);
    for (int k = 0; k < TOPICS; k++) dls_nearest_try(&near, topics[k].name);
    return dls_complain("nothing called '%s' to list%s; see 'delassus list --help'",
                        name, dls_nearest_hint(&near, hint));
}

static const struct dls_flag list_flags[] = {
    {"verbose", NULL, "with all options, their defaults and ranges"},
    {0},
};

const struct dls_command dls_command_list = {
    .name = "list",
    .usage = "[solvers|formulations|problems|schemes|suites] [--verbose]",
    .brief = "what there is: solvers, formulations, problems, schemes, suites",
    .flags = list_flags,
    .most = 1,
    .run = run,
};
