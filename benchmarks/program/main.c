// SPDX-License-Identifier: Apache-2.0
// The `delassus` program: finds the subcommand and hands over.
#include "problems/examples/example.h"
#include "problems/generators/generator.h"
#include "problems/mechanics/scheme.h"
#include "solvers/solver.h"

#include <malloc.h>
#include <string.h>

#include "benchmarks/campaign/child.h"
#include "benchmarks/campaign/versions.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/libraries.h"
#include "benchmarks/terminal/progress.h"

const struct dls_command *const dls_commands[] = {
    &dls_command_list,    &dls_command_info,        &dls_command_solve,
    &dls_command_certify, &dls_command_convert,     &dls_command_generate,
    &dls_command_compare, &dls_command_run,         &dls_command_bench,
    &dls_command_stress,  &dls_command_equilibrium, &dls_command_merge,
    &dls_command_report,  &dls_command_help,        NULL,
};

static int unknown_topic(const char *name)
{
    char hint[96];
    struct dls_nearest near = dls_nearest_start(name);
    for (const struct dls_command *const *c = dls_commands; *c; c++)
        dls_nearest_try(&near, (*c)->name);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++) {
        dls_nearest_try(&near, (*s)->name);
        dls_nearest_try(&near, (*s)->takes->name);
    }
    for (const struct dls_scheme *const *s = dls_schemes; *s; s++)
        dls_nearest_try(&near, (*s)->name);
    for (const struct dls_example *const *e = dls_examples; *e; e++)
        dls_nearest_try(&near, (*e)->name);
    for (const struct dls_generator *const *g = dls_generators; *g; g++)
        dls_nearest_try(&near, (*g)->name);
    return dls_complain(
        "no command, solver, formulation, scheme, example or generator '%s'%s; see "
        "'delassus list'",
        name, dls_nearest_hint(&near, hint));
}

static int run_help(const struct dls_args *args)
{
    if (dls_args_has(args, "markdown"))
        dls_help_markdown(stdout);
    else if (!args->count)
        dls_help_program(stdout);
    for (int k = 0; k < args->count; k++)
        if (!dls_help_topic(stdout, args->names[k]))
            return unknown_topic(args->names[k]);
    return DLS_EXIT_GOOD;
}

static const struct dls_flag help_flags[] = {
    {"markdown", NULL, "all solvers as the page docs/solvers.md"},
    {0},
};

const struct dls_command dls_command_help = {
    .name = "help",
    .usage = "[NAME...] [--markdown]",
    .brief = "explain a command, solver, scheme, example or generator",
    .flags = help_flags,
    .most = -1,
    .run = run_help,
};

static int unknown_command(const char *name)
{
    char hint[96];
    struct dls_nearest near = dls_nearest_start(name);
    for (const struct dls_command *const *c = dls_commands; *c; c++)
        dls_nearest_try(&near, (*c)->name);
    return dls_complain("no command '%s'%s; see 'delassus --help'", name,
                        dls_nearest_hint(&near, hint));
}

// The help of a command or, as in `delassus solve --help pgs`, of what is named beside.
static int help(const struct dls_command *command, int count, char *const words[])
{
    for (int k = 0; k < count; k++)
        if (words[k][0] != '-' && dls_help_topic(stdout, words[k]))
            return DLS_EXIT_GOOD;
    dls_help_command(stdout, command);
    return DLS_EXIT_GOOD;
}

static int run_command(int count, char *const words[])
{
    const struct dls_command *command = dls_command_find(words[0]);
    if (!strcmp(words[0], dls_command_child.name)) command = &dls_command_child;
    if (!command) return unknown_command(words[0]);
    for (int k = 1; k < count && strcmp(words[k], "--"); k++)
        if (!strcmp(words[k], "--help") || !strcmp(words[k], "-h"))
            return help(command, count - 1, words + 1);
    struct dls_arena arena = {0};
    struct dls_args args;
    int code = DLS_EXIT_BAD_USE;
    if (dls_args_parse(&args, command, count - 1, words + 1, &arena))
        code = command->run(&args);
    dls_arena_free(&arena);
    return code;
}

static int run_program(int count, char *const words[])
{
    if (!count) return dls_complain("no command given; see 'delassus --help'");
    if (!strcmp(words[0], "--help") || !strcmp(words[0], "-h"))
        return dls_help_program(stdout), DLS_EXIT_GOOD;
    if (!strcmp(words[0], "--version"))
        return dls_versions_print(stdout), DLS_EXIT_GOOD;
    if (!strcmp(words[0], "--man")) return dls_help_man(stdout), DLS_EXIT_GOOD;
    return run_command(count, words);
}

int main(int argc, char *argv[])
{
    // Factors of one size follow each other: keep their memory instead of returning it to
    // the system, which costs a fifth of the time of large ones.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    dls_leave_clean_on_signal();
    if (!dls_libraries_start(argv)) return DLS_EXIT_BAD_USE;
    int code = run_program(argc - 1, argv + 1);
    if (fflush(stdout) || ferror(stdout))
        code = dls_complain("the output could not be written");
    return code;
}
