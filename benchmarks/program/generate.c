// SPDX-License-Identifier: Apache-2.0
// `delassus generate`: one snapshot from a generator and its options.
#include "problems/generators/generator.h"

#include <string.h>

#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/spec.h"

static int unknown_generator(const char *name)
{
    char hint[96];
    struct dls_nearest near = dls_nearest_start(name);
    for (const struct dls_generator *const *g = dls_generators; *g; g++)
        dls_nearest_try(&near, (*g)->name);
    return dls_complain("no generator '%s'%s; see 'delassus list problems'", name,
                        dls_nearest_hint(&near, hint));
}

// Accepts both `--set n=5` and `--set stack.n=5`.
static const char *without_owner(const char *setting, const char *owner)
{
    size_t length = strlen(owner);
    bool owned = !strncmp(setting, owner, length) && setting[length] == '.';
    return owned ? setting + length + 1 : setting;
}

static int run(const struct dls_args *args)
{
    const char *name = args->names[0], *out = args->names[1], *set;
    const struct dls_generator *g = dls_generator_find(name);
    if (!g) return unknown_generator(name);
    void *options = dls_alloc(args->arena, 1, g->options_size);
    struct dls_error err = {"out of memory"};
    struct dls_problem problem = {0};
    if (!options) return dls_complain("%s", err.text);
    dls_option_defaults(g->options, options);
    enum dls_status status = DLS_OK;
    for (int at = 0; !status && (set = dls_args_next(args, "set", &at));)
        status = dls_setting_apply(g->options, options, without_owner(set, name), name,
                                   &err);
    if (!status) status = g->make(&problem, options, args->arena, &err);
    if (!status) status = dls_snapshot_write(&problem, out, NULL, &err);
    if (status) return dls_complain("%s", err.text);
    char sizes[64];
    dls_say("%s: %s", out, dls_format_contacts(&problem, sizes));
    if (dls_problem_is_global(&problem)) printf(", %d velocities", problem.n);
    putchar('\n');
    return DLS_EXIT_GOOD;
}

static void more_help(FILE *out)
{
    fputs("\nGenerators and their options\n", out);
    for (const struct dls_generator *const *g = dls_generators; *g; g++) {
        fprintf(out, "\n  %s: %s\n", (*g)->name, (*g)->brief);
        dls_help_options(out, (*g)->options, "    ");
    }
}

static const struct dls_flag generate_flags[] = {
    {"set", "OPTION=X", "an option of the generator; may be repeated"},
    {0},
};

const struct dls_command dls_command_generate = {
    .name = "generate",
    .usage = "NAME OUT [--set OPTION=X ...]",
    .brief = "make a snapshot from a bundled generator",
    .details =
        "The ending of OUT decides the format, as in 'delassus convert'. The same\n"
        "options give the same bytes.",
    .flags = generate_flags,
    .least = 2,
    .most = 2,
    .more_help = more_help,
    .run = run,
};
