// SPDX-License-Identifier: Apache-2.0
// `delassus bench`: what is asked, the folder of the campaign, and what it came to.
// RESULTS.md describes the files.
#define _POSIX_C_SOURCE 200809L // setenv

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/campaign/campaign.h"
#include "benchmarks/campaign/child.h"
#include "benchmarks/campaign/record.h"
#include "benchmarks/campaign/summary.h"
#include "benchmarks/report/report.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/progress.h"

struct bench_options {
    double max_time, max_memory;
    int repeat, jobs, measure, seed, kind;
};

static const struct dls_option bench_table[] = {
    DLS_REAL(bench_options, max_time, 10, 0, INFINITY,
             "seconds for each run, checks not counted"),
    DLS_REAL(bench_options, max_memory, 4096, 0, INFINITY,
             "MB that a run may hold, 0 = no limit"),
    DLS_INT(bench_options, repeat, 3, 1, 1000,
            "times each solved run; fewer where all would exceed max-time"),
    DLS_INT(bench_options, jobs, 1, 1, 64, "runs at the same time"),
    DLS_CHOICE(bench_options, measure, 0, "natural|merit|both",
               "what the tolerances apply to"),
    DLS_INT(bench_options, seed, 0, 0, 2147483647, "of whatever is random"),
    DLS_KIND(bench_options),
    {0},
};

static const struct dls_flag bench_flags[] = {
    {"solver", "LIST", "such as pgs:omega=1.2,lemke (default all)"},
    {"set", "S.OPTION=X", "an option of solver S; may be repeated"},
    {"tol", "LIST", "tolerances (default 1e-4,1e-8)"},
    {"separate", NULL, "each tolerance in a run of its own"},
    {"o", "DIR", "folder of the campaign (default campaign)"},
    {0},
};

static bool parse_solvers(struct dls_campaign *c, const struct dls_args *args)
{
    const char *list = dls_args_text(args, "solver"), *set;
    struct dls_specs *specs = &c->specs;
    struct dls_error err = {"out of memory"};
    enum dls_status status =
        dls_specs_parse(specs, list ? list : "all", args->arena, &err);
    for (int at = 0; !status && (set = dls_args_next(args, "set", &at));)
        status = dls_specs_set(specs, set, &err);
    if (!status) status = dls_specs_finish(specs, args->arena);
    for (int i = 0; !status && i < specs->count; i++)
        for (int j = 0; j < i && !status; j++)
            if (specs->all[i].solver == specs->all[j].solver
                && !strcmp(specs->all[i].changed, specs->all[j].changed))
                status =
                    dls_fail(&err, DLS_EINVAL, "solvers '%s' and '%s' are the same",
                             specs->all[j].label, specs->all[i].label);
    if (status) dls_complain("%s", err.text);
    return !status;
}

static bool prepare(struct dls_campaign *c, const struct dls_args *args)
{
    static const char *const standard[] = {"bundled"};
    const struct bench_options *o = args->options;
    const char *tols = dls_args_text(args, "tol"), *folder = dls_args_text(args, "o");
    struct dls_error err = {"out of memory"};
    *c = (struct dls_campaign){
        .folder = folder ? folder : "campaign",
        .separate = dls_args_has(args, "separate"),
        .repeat = o->repeat,
        .jobs = o->jobs,
        .kind = o->kind,
        .arena = args->arena,
        .terms = {.measure = (enum dls_measure)o->measure,
                  .max_time = o->max_time,
                  .max_memory = o->max_memory,
                  .seed = o->seed},
    };
    dls_environment_find(&c->terms.environment);
    if (!dls_tolerances_parse(tols ? tols : "1e-4,1e-8", c->tols, &c->tolerances))
        return dls_complain("--tol takes up to %d different positive numbers such as "
                            "1e-4,1e-8, not '%s'",
                            DLS_TOLERANCES, tols),
               false;
    if (!parse_solvers(c, args)) return false;
    if (dls_suite_collect(&c->suite, args->count ? args->names : standard,
                          args->count ? args->count : 1, args->arena, &err))
        return dls_complain("%s", err.text), false;
    return true;
}

// --- campaign.json ---------------------------------------------------------------------

static const char *join(const char *const *words, int count, const char *between,
                        struct dls_arena *a)
{
    const char *text = "";
    for (int k = 0; k < count && text; k++)
        text = dls_text(a, "%s%s%s", text, k ? between : "", words[k]);
    return text;
}

static const char *list_solvers(const struct dls_campaign *c)
{
    const char **labels = DLS_NEW(c->arena, const char *, c->specs.count);
    for (int k = 0; labels && k < c->specs.count; k++)
        labels[k] = dls_solver_label(c->specs.all[k].solver->name,
                                     c->specs.all[k].changed, c->arena);
    return c->arena->failed ? NULL : join(labels, c->specs.count, ",", c->arena);
}

static const char *list_tolerances(const struct dls_campaign *c)
{
    const char *text = "";
    char tol[32];
    for (int k = 0; k < c->tolerances && text; k++)
        text = dls_text(c->arena, "%s%s%s", text, k ? "," : "",
                        dls_format_tolerance(c->tols[k], tol));
    return text;
}

// Written beside and moved into place, so that it is whole at any moment.
static bool write_description(const struct dls_campaign *c, const struct dls_args *args,
                              const char *started, const char *ended)
{
    const struct dls_terms *t = &c->terms;
    const struct dls_cell cells[] = {
        dls_cell_text("suite", args->count
                                   ? join(args->names, args->count, " ", c->arena)
                                   : "bundled"),
        dls_cell_count("files", c->suite.count),
        dls_cell_text("solvers", list_solvers(c)),
        dls_cell_text("tolerances", list_tolerances(c)),
        dls_cell_text("measure", dls_measure_name(t->measure)),
        dls_cell_truth("separate", c->separate),
        dls_cell_real("max_time", t->max_time),
        dls_cell_real("max_memory", t->max_memory),
        dls_cell_count("repeat", c->repeat),
        dls_cell_count("jobs", c->jobs),
        dls_cell_count("seed", t->seed),
        dls_cell_count("residual_version", DLS_RESIDUAL_VERSION),
        dls_cell_text("version", DLS_VERSION),
        dls_cell_text("commit", dls_build_commit),
        dls_cell_text("compiler", dls_build_compiler),
        dls_cell_text("libraries", t->environment.libraries),
        dls_cell_text("machine", t->environment.machine),
        dls_cell_text("cpu", t->environment.cpu),
        dls_cell_text("started", started),
        dls_cell_text("ended", ended),
    };
    const char *path = dls_text(c->arena, "%s/campaign.json", c->folder);
    const char *beside = dls_text(c->arena, "%s/campaign.json.new", c->folder);
    if (c->arena->failed) return dls_complain("out of memory"), false;
    FILE *out = fopen(beside, "we");
    if (out) dls_print_json(out, cells, sizeof cells / sizeof *cells);
    bool good = out && !ferror(out);
    if (out) good = !fclose(out) && good;
    if (good && !rename(beside, path)) return true;
    return dls_complain("%s: %s", path, strerror(errno)), false;
}

// --- the command -----------------------------------------------------------------------

static bool open_folder(struct dls_campaign *c)
{
    struct dls_error err = {"out of memory"};
    const char *history = dls_text(c->arena, "%s/history", c->folder);
    int error = history ? dls_folder_make(history, c->arena) : ENOMEM;
    if (error) return dls_complain("%s: %s", c->folder, strerror(error)), false;
    if (dls_results_open(&c->results, c->folder, &c->terms, c->arena, &err))
        return dls_complain("%s", err.text), false;
    return true;
}

// The verdict on the whole file, kept rows and new ones.
static int conclude(const struct dls_campaign *c)
{
    struct dls_sheet sheet;
    struct dls_error err = {"out of memory"};
    if (dls_sheet_read(&sheet, c->results.path, c->arena, &err)
        || dls_summary_print(stdout, &sheet, c->arena))
        return dls_complain("%s", err.text);
    printf("\n%d rows in %s\n", sheet.rows, c->results.path);
    int code = dls_report_make(c->folder, false, c->arena);
    if (code) return code;
    int unusable = dls_summary_unusable(&sheet);
    if (unusable)
        return dls_complain("%d rows of files that could not be used; see their column "
                            "'message'",
                            unusable);
    return dls_summary_failed(&sheet) || c->specs.missing ? DLS_EXIT_FAILED
                                                          : DLS_EXIT_GOOD;
}

static int run_campaign(struct dls_campaign *c, const struct dls_args *args)
{
    char started[32], ended[32];
    struct dls_error err = {"out of memory"};
    dls_time_stamp(started);
    if (!write_description(c, args, started, NULL)) return DLS_EXIT_BAD_USE;
    dls_cancel_on_signal();
    enum dls_status status = dls_campaign_run(c, &err);
    if (status) dls_complain("%s", err.text);
    if (status) return status > 0 ? DLS_EXIT_FAILED : DLS_EXIT_BAD_USE;
    if (!write_description(c, args, started, dls_time_stamp(ended)))
        return DLS_EXIT_BAD_USE;
    return conclude(c);
}

static int run(const struct dls_args *args)
{
    struct dls_campaign c;
    if (!prepare(&c, args)) return DLS_EXIT_BAD_USE;
    // Runs share the machine: no library of theirs may take a second core.
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    int code = open_folder(&c) ? run_campaign(&c, args) : DLS_EXIT_BAD_USE;
    dls_results_close(&c.results);
    return code;
}

static void more_help(FILE *out) { fprintf(out, "\n%s\n", dls_help_exit_codes); }

const struct dls_command dls_command_bench = {
    .name = "bench",
    .usage = "[SUITE...] [--solver LIST] [--tol LIST] [--jobs N] [-o DIR] [...]",
    .brief = "a campaign: every solver on every file at every tolerance",
    .details =
        "SUITE is a suite of 'delassus list suites', a .txt file of one file, folder "
        "or\n"
        "glob a line (# begins a comment), a folder, or a snapshot; default bundled.\n"
        "Each (file, solver) runs in a process of its own with limits of time and\n"
        "memory: a crash, a hang or too much memory costs its own rows only. One run "
        "at\n"
        "the tightest tolerance gives the rows of the looser ones. Rows are appended "
        "to\n"
        "DIR/results.csv as runs end; the same command goes on where it was stopped "
        "or\n"
        "killed, and more solvers, files or tolerances may be added later. Exit 0 "
        "when\n"
        "all rows converged (a solver that does not take a problem does not count), 1\n"
        "when some did not, 2 when a file could not be used.",
    .flags = bench_flags,
    .options = bench_table,
    .options_size = sizeof(struct bench_options),
    .most = -1,
    .more_help = more_help,
    .run = run,
};
