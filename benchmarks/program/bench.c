// SPDX-License-Identifier: Apache-2.0
// `delassus bench`: what is asked, the folder of the campaign, and what it came to.
// RESULTS.md describes the files.
#define _POSIX_C_SOURCE 200809L // setenv

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/campaign/campaign.h"
#include "benchmarks/campaign/description.h"
#include "benchmarks/campaign/folder.h"
#include "benchmarks/campaign/summary.h"
#include "benchmarks/campaign/tolerances.h"
#include "benchmarks/program/sequence.h"
#include "benchmarks/report/report.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/progress.h"

struct bench_options {
    double max_time, max_memory;
    int repeat, jobs, measure, seed, threads, clock, start, kind;
};

static const struct dls_option bench_table[] = {
    DLS_REAL(bench_options, max_time, 10, 0, INFINITY,
             "seconds for each run, checks not counted"),
    DLS_REAL(bench_options, max_memory, 4096, 0, INFINITY,
             "MB that a run may hold, 0 = no limit"),
    DLS_INT(bench_options, repeat, 3, 1, 1000,
            "runs of each pair that is solved; fewer where all would exceed max-time"),
    DLS_INT(bench_options, jobs, 1, 1, 64, "runs at the same time"),
    DLS_CHOICE(bench_options, measure, 0, DLS_MEASURE_CHOICES,
               "what the tolerances apply to"),
    DLS_INT(bench_options, seed, 0, 0, 2147483647,
            "seed of the random numbers that solvers draw"),
    DLS_THREADS(bench_options),
    DLS_CHOICE(bench_options, clock, 0, "wall|cpu",
               "the clock of times and limits: time as it passes, or time that "
               "processors worked (for one thread, on a machine that others use too)"),
    DLS_CHOICE(bench_options, start, 0, "zero|guess",
               "the first iterate: cold, or warm from the file"),
    DLS_KIND(bench_options),
    {0},
};

static const struct dls_flag bench_flags[] = {
    {"solver", "LIST", "such as pgs:omega=1.2,lemke,./mine.py (default all)"},
    {"set", "S.OPTION=X", "an option of solver S; may be repeated"},
    {"tol", "LIST", "tolerances (default 1e-4,1e-8)"},
    {"separate", NULL, "each tolerance in a run of its own"},
    {"sequence", "CSV",
     "no campaign: the files are steps of one run, each solver starts from its last "
     "answer; rows go to CSV"},
    {"cold", NULL, "with --sequence: each step starts from zero instead"},
    {"o", "DIR", "folder of the campaign (default campaign)"},
    {"keep", NULL, "keep rows of other builds and of files that were changed since"},
    {"redo", "LIST", "run the rows of these solvers again"},
    {"fresh", NULL, "run all rows again"},
    {"shard", "K/N", "run the K-th of N parts, into DIR/shard-K-of-N"},
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

// Names that --redo gives must be solvers of this campaign.
static bool check_redo(const struct dls_campaign *c)
{
    for (const char *p = c->redo; p; p = strchr(p, ','), p = p ? p + 1 : NULL) {
        size_t length = strcspn(p, ",");
        bool known = false;
        for (int k = 0; k < c->specs.count; k++) {
            const char *name = c->specs.all[k].solver->name;
            known |= strlen(name) == length && !strncmp(name, p, length);
        }
        if (!known)
            return dls_complain("--redo: '%.*s' is not among the solvers to run",
                                (int)length, p),
                   false;
    }
    return true;
}

// "2/8": the folder of a shard is one of its own in that of the campaign.
static bool parse_shard(struct dls_campaign *c, const char *text)
{
    char rest;
    if (!text) return true;
    bool good = sscanf(text, "%d/%d%c", &c->shard, &c->shards, &rest) == 2
                && c->shard >= 1 && c->shard <= c->shards;
    if (!good)
        return dls_complain("--shard takes K/N with 1 <= K <= N, such as 2/8, not '%s'",
                            text),
               false;
    c->folder = dls_text(c->arena, "%s/shard-%d-of-%d", c->whole, c->shard, c->shards);
    return c->folder != NULL;
}

static struct dls_campaign defaults(const struct dls_args *args)
{
    const struct bench_options *o = args->options;
    const char *folder = dls_args_text(args, "o");
    if (!folder) folder = "campaign";
    return (struct dls_campaign){
        .folder = folder,
        .whole = folder,
        .suite_words = args->names,
        .suite_count = args->count,
        .separate = dls_args_has(args, "separate"),
        .repeat = o->repeat,
        .jobs = o->jobs,
        .kind = o->kind,
        .shard = 1,
        .shards = 1,
        .keep = dls_args_has(args, "keep"),
        .fresh = dls_args_has(args, "fresh"),
        .redo = dls_args_text(args, "redo"),
        .arena = args->arena,
        .terms = {.measure = (enum dls_measure)o->measure,
                  .max_time = o->max_time,
                  .max_memory = o->max_memory,
                  .seed = o->seed,
                  .start = o->start,
                  .threads = o->threads,
                  .clock = o->clock},
    };
}

static bool prepare(struct dls_campaign *c, const struct dls_args *args)
{
    static const char *const standard[] = {"bundled"};
    const char *tols = dls_args_text(args, "tol");
    struct dls_error err = {"out of memory"};
    *c = defaults(args);
    if (!c->suite_count) c->suite_words = standard, c->suite_count = 1;
    dls_environment_find(&c->terms.environment);
    if (!dls_tolerances_parse(tols ? tols : "1e-4,1e-8", c->tols, &c->tolerances))
        return dls_complain("--tol takes up to %d different positive numbers such as "
                            "1e-4,1e-8, not '%s'",
                            DLS_TOLERANCES, tols),
               false;
    if (!parse_solvers(c, args) || !check_redo(c)) return false;
    if (!parse_shard(c, dls_args_text(args, "shard"))) return false;
    if (dls_suite_collect(&c->suite, c->suite_words, c->suite_count, args->arena, &err))
        return dls_complain("%s", err.text), false;
    return true;
}

// --- the command -----------------------------------------------------------------------

// Makes sure of the folder before anything is written. A folder that becomes a campaign
// says so first; one that is a campaign is described anew once its rows are found to fit.
static enum dls_status open_folder(struct dls_campaign *c, struct dls_folder *folder,
                                   struct dls_error *err)
{
    bool sharded = c->shards > 1;
    struct dls_terms_text terms = dls_terms_format(&c->terms);
    const char *history = dls_text(c->arena, "%s/history", c->folder);
    if (!history) return dls_fail(err, DLS_ENOMEM, "out of memory");
    enum dls_status status = DLS_OK;
    if (sharded) status = dls_folder_check(c->whole, c->arena, err);
    if (!status) status = dls_folder_claim(folder, c->folder, c->arena, err);
    if (status) return status;
    bool known = dls_folder_is_campaign(c->folder, c->arena);
    if (!known) status = dls_description_write(c, c->folder, NULL, err);
    if (!status)
        status = dls_results_open(&c->results, c->folder, &terms, c->arena, err);
    if (!status && known) status = dls_description_write(c, c->folder, NULL, err);
    if (!status && sharded) status = dls_description_write(c, c->whole, NULL, err);
    int error = status ? 0 : dls_folder_make(history, c->arena);
    if (error) status = dls_fail(err, DLS_EIO, "%s: %s", history, strerror(error));
    if (status) dls_folder_release(folder, true);
    return status;
}

// The verdict on the whole file, kept rows and new ones.
static int conclude(const struct dls_campaign *c)
{
    struct dls_sheet sheet;
    struct dls_error err = {"out of memory"};
    if (dls_sheet_read(&sheet, c->results.path, c->arena, &err)
        || dls_summary_print(stdout, &sheet, c->arena))
        return dls_complain("%s", err.text);
    dls_say("\n%d rows in %s\n", sheet.rows, c->results.path);
    if (c->results.replaced)
        dls_say("%d rows that were run again are now in %s/replaced.csv\n",
                c->results.replaced, c->folder);
    int code = dls_report_make(c->folder, true, c->arena);
    if (code) return code;
    int unusable = dls_summary_unusable(&sheet);
    if (c->unwritten)
        return dls_complain("%d histories could not be written; see the column "
                            "'message'",
                            c->unwritten);
    if (unusable)
        return dls_complain("%d rows of files that could not be used; see their column "
                            "'message'",
                            unusable);
    return dls_summary_failed(&sheet) || c->specs.missing ? DLS_EXIT_FAILED
                                                          : DLS_EXIT_GOOD;
}

static int run_campaign(struct dls_campaign *c)
{
    char ended[32];
    struct dls_terms_text terms = dls_terms_format(&c->terms);
    struct dls_error err = {"out of memory"};
    dls_cancel_on_signal();
    enum dls_status status = dls_campaign_run(c, &err);
    if (!status) status = dls_results_settle(&c->results, &terms, c->arena, &err);
    if (!status)
        status = dls_description_write(c, c->folder, dls_time_stamp(ended), &err);
    if (status) dls_complain("%s", err.text);
    if (status) return status > 0 ? DLS_EXIT_FAILED : DLS_EXIT_BAD_USE;
    return conclude(c);
}

static int run(const struct dls_args *args)
{
    struct dls_campaign c;
    struct dls_folder folder;
    struct dls_error err = {"out of memory"};
    if (!prepare(&c, args)) return DLS_EXIT_BAD_USE;
    // Runs share the machine: no library of theirs may take more cores than it is given.
    const char *threads =
        dls_text(c.arena, "%d", c.terms.threads > 1 ? c.terms.threads : 1);
    if (!threads) return dls_complain("out of memory");
    setenv("OMP_NUM_THREADS", threads, 1);
    setenv("OPENBLAS_NUM_THREADS", threads, 1);
    setenv("DELASSUS_CLOCK", dls_clock_names[c.terms.clock], 1); // for solvers outside
    const char *sequence = dls_args_text(args, "sequence");
    if (sequence) dls_cancel_on_signal();
    bool cold = dls_args_has(args, "cold");
    if (cold && !sequence) return dls_complain("--cold goes with --sequence");
    if (sequence) return dls_bench_sequence(&c, sequence, cold);
    dls_time_stamp(c.started);
    if (open_folder(&c, &folder, &err)) return dls_complain("%s", err.text);
    int code = run_campaign(&c);
    dls_results_close(&c.results);
    dls_folder_release(&folder, false);
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
        "killed, and more solvers, files or tolerances may be added later. Rows made "
        "by\n"
        "another build of their solver, on a file that was changed since, or lost to\n"
        "something outside are run again. DIR must be new, empty or a campaign. Exit 0 "
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
