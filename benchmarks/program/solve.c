// SPDX-License-Identifier: Apache-2.0
// `delassus solve`: every solver asked for on every file, one result each as soon as it
// is there. A bad file costs its own rows only; an interrupted run keeps its answer.
#define _POSIX_C_SOURCE 200809L // isatty

#include "solvers/reference/existence.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/program/solve_apart.h"
#include "benchmarks/program/table.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/help.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/reading.h"

struct solve_options {
    double tol, max_time;
    int max_iter, measure, start, seed, threads, kind;
};

static const struct dls_option solve_table[] = {
    DLS_REAL(solve_options, tol, 1e-8, 0, INFINITY, "residual to reach"),
    DLS_REAL(solve_options, max_time, 60, 0, INFINITY,
             "seconds for each run, checks not counted"),
    DLS_INT(solve_options, max_iter, 0, 0, 2147483647, "iterations, 0 = no limit"),
    DLS_CHOICE(solve_options, measure, 0, DLS_MEASURE_CHOICES,
               "what the tolerance applies to"),
    DLS_START(solve_options),
    DLS_INT(solve_options, seed, 0, 0, 2147483647,
            "seed of the random numbers that solvers draw"),
    DLS_THREADS(solve_options),
    DLS_KIND(solve_options),
    {0},
};

static const struct dls_flag solve_flags[] = {
    {"solver", "LIST", "such as pgs:omega=1.2,newton,./mine.so or all (default pgs)"},
    {"set", "S.OPTION=X", "an option of solver S; may be repeated"},
    {"json", NULL, "one JSON object per line"},
    {"csv", NULL, "the same fields as CSV, one header line"},
    {"save", "DIR", "write DIR/NAME.SOLVER.hdf5, the snapshot with the answer"},
    {"history", "FILE", "CSV of the residuals over iterations and time"},
    {0},
};

// The whole of one `delassus solve`.
struct session {
    const struct dls_args *args;
    struct solve_options *options;
    struct dls_specs specs;
    struct dls_settings settings;
    const char **names; // base names of the files
    const char *save;   // folder, or NULL
    bool json, csv;
    FILE *data; // where JSON and CSV go
    struct dls_watch watch;
    struct dls_table table;
    int *solved, *ran;     // of each solver
    int rows, ran_rows;    // results, and those of solvers that took the problem
    int problems, untaken; // read, and those that no solver took
    bool failed, bad_input;
    bool looked; // for existence, of the problem at work
    enum dls_existence_verdict existence;
};

static void print_record(struct session *s, const struct dls_record *record)
{
    struct dls_cell cells[DLS_RECORD_CELLS];
    dls_watch_clear(&s->watch);
    if (!s->json && !s->csv) {
        dls_table_row(&s->table, record);
        return;
    }
    int count = dls_record_cells(record, cells);
    if (s->csv && !s->rows) dls_print_csv_names(s->data, cells, count);
    if (s->csv)
        dls_print_csv(s->data, cells, count);
    else
        dls_print_json(s->data, cells, count);
}

// Writes the snapshot with the answer r and the u, v that the judge finds for it.
static enum dls_status save_answer(const struct session *s,
                                   const struct dls_record *rec, const double *r,
                                   struct dls_error *err)
{
    struct dls_arena arena = {0};
    struct dls_judge *judge = NULL;
    struct dls_measures measures;
    char *path = dls_text(&arena, "%s/%s.%s.hdf5", s->save, rec->name, rec->spec->file);
    enum dls_status status = path ? DLS_OK : DLS_ENOMEM;
    if (!status) status = dls_judge_create(&judge, rec->problem, &arena, err);
    if (!status) {
        dls_judge_measure(judge, r, &measures);
        struct dls_answer answer = {
            .r = r,
            .u = dls_judge_u(judge),
            .v = dls_judge_v(judge),
            .l = dls_judge_lambda(judge),
        };
        status = dls_snapshot_write(rec->problem, path, &answer, err);
    }
    dls_judge_destroy(judge);
    dls_arena_free(&arena);
    return status;
}

static bool all_finite(const double *x, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

// Counts the result. With several solvers one that does not take the problem is no
// failure of the others.
static void count_result(struct session *s, const struct dls_record *rec)
{
    enum dls_status status = rec->stats->status;
    int k = (int)(rec->spec - s->specs.all);
    s->rows++;
    if (status != DLS_UNSUPPORTED) s->ran[k]++, s->ran_rows++;
    if (status == DLS_OK)
        s->solved[k]++;
    else if (status != DLS_UNSUPPORTED || s->specs.count == 1)
        s->failed = true;
}

// Where no solver is to blame: adds to the message of a run that did not converge what is
// known about existence. The check is made once a problem and takes at most a tenth of
// the time of a run.
static void look_for_existence(struct session *s, const struct dls_problem *p,
                               struct dls_stats *stats)
{
    struct dls_arena arena = {0};
    struct dls_work work = {
        .deadline = dls_clock() + 0.1 * s->options->max_time,
        .cancel = &dls_cancelled,
    };
    struct dls_existence found;
    bool short_of = stats->status > 0 && stats->status != DLS_UNSUPPORTED;
    if (!short_of || dls_cancelled) return;
    if (!s->looked && !dls_existence_check(&found, p, &work, &arena, NULL))
        s->existence = found.verdict;
    s->looked = true;
    dls_arena_free(&arena);
    if (s->existence == DLS_EXISTENCE_NONE
        || s->existence == DLS_EXISTENCE_NOT_GUARANTEED)
        snprintf(stats->message, sizeof stats->message, "%s (%s)",
                 dls_existence_text(s->existence), dls_status_text(stats->status));
}

// One solver on one problem. False when the problem itself is bad (M singular, ...).
static bool run_one(struct session *s, struct dls_record *rec, double *r)
{
    struct dls_stats stats;
    struct dls_error err = {""};
    struct dls_arena texts = {0};
    const struct dls_problem *p = rec->problem;
    const struct solve_options *o = s->options;
    dls_start_fill(p, (enum dls_start)o->start, r);
    s->watch.problem = rec->name;
    s->watch.solver = rec->spec->label;
    s->watch.run++;
    const struct dls_apart q = {rec->file,    o->kind,   o->start, rec->spec,
                                &s->settings, &s->watch, &texts};
    bool answered = dls_solve_guarded(&q, p, r, &stats);
    rec->stats = &stats;
    if (stats.status == DLS_EINVAL) {
        dls_watch_clear(&s->watch);
        dls_complain("%s: %s", rec->file, stats.message);
        s->bad_input = true;
        dls_arena_free(&texts);
        return false;
    }
    look_for_existence(s, p, &stats);
    print_record(s, rec);
    count_result(s, rec);
    dls_arena_free(&texts);
    answered &= stats.status >= 0 && stats.status != DLS_UNSUPPORTED;
    if (s->save && answered && all_finite(r, p->m) && save_answer(s, rec, r, &err)) {
        dls_complain("%s", err.text[0] ? err.text : "out of memory");
        s->bad_input = true;
    }
    return true;
}

static void solve_problem(struct session *s, int index, const struct dls_problem *p,
                          double *r)
{
    const char *file = s->args->names[index];
    struct dls_record rec = {file, s->names[index], p, NULL, &s->settings, NULL};
    bool good = true;
    int ran = s->ran_rows;
    s->looked = false;
    s->existence = DLS_EXISTENCE_UNKNOWN;
    if (!dls_start_fill(p, (enum dls_start)s->options->start, r))
        dls_complain("%s: no such answer in the file, the start is zero", file);
    for (int k = 0; k < s->specs.count && good && !dls_cancelled; k++) {
        rec.spec = &s->specs.all[k];
        good = run_one(s, &rec, r);
    }
    s->problems += good;
    if (good && !dls_cancelled && s->ran_rows == ran) s->untaken++;
}

static void solve_file(struct session *s, int index)
{
    struct dls_arena arena = {0};
    struct dls_error err = {""};
    struct dls_problem problem;
    const char *file = s->args->names[index];
    enum dls_dat_kind kind = (enum dls_dat_kind)s->options->kind;
    enum dls_status status = dls_read_snapshot(&problem, file, kind, &arena, &err);
    if (!status) problem.threads = s->options->threads;
    double *r = status ? NULL : DLS_NEW(&arena, double, problem.m);
    if (r)
        solve_problem(s, index, &problem, r);
    else if (status)
        dls_complain("%s", err.text);
    else
        dls_complain("%s: out of memory", file);
    s->bad_input |= !r;
    s->watch.run = (index + 1) * s->specs.count;
    dls_arena_free(&arena);
}

static void print_summary(const struct session *s)
{
    FILE *out = stdout;
    dls_table_legend(&s->table, &s->settings);
    fprintf(out, "%d problem%s, %d solver%s:", s->problems, s->problems == 1 ? "" : "s",
            s->specs.count, s->specs.count == 1 ? "" : "s");
    for (int k = 0; k < s->specs.count; k++) {
        fprintf(out, "%s %s solved %d", k ? "," : "", s->specs.all[k].label,
                s->solved[k]);
        if (s->ran[k] < s->problems && !dls_cancelled)
            fprintf(out, " of the %d it takes", s->ran[k]);
    }
    fputc('\n', out);
    if (s->untaken) fprintf(out, "%d of them no solver took\n", s->untaken);
    if (s->problems < s->args->count && !dls_cancelled)
        fprintf(out, "%d file%s could not be used\n", s->args->count - s->problems,
                s->args->count - s->problems == 1 ? "" : "s");
}

// The names under which answers are saved must differ, or one would overwrite another.
static bool check_names(const struct session *s)
{
    for (int i = 0; s->save && i < s->args->count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(s->names[i], s->names[j])) {
                dls_complain("--save: %s and %s have the same name '%s'",
                             s->args->names[j], s->args->names[i], s->names[i]);
                return false;
            }
    for (int i = 0; s->save && i < s->specs.count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(s->specs.all[i].file, s->specs.all[j].file)) {
                dls_complain("--save: solvers '%s' and '%s' have the same file name",
                             s->specs.all[j].label, s->specs.all[i].label);
                return false;
            }
    return true;
}

// JSON and CSV keep standard output for themselves: what libraries print there (LAPACK on
// data that it dislikes, peers) goes to standard error.
static bool open_data(struct session *s)
{
    if (!s->json && !s->csv) return true;
    int data = dup(STDOUT_FILENO);
    fflush(stdout);
    s->data = data < 0 ? NULL : fdopen(data, "w");
    if (s->data && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return true;
    return dls_complain("standard output: %s", strerror(errno)), false;
}

// False, after a sentence, where something that was written did not arrive.
static bool close_outputs(struct session *s)
{
    FILE *history = s->watch.history;
    bool lost = history && ferror(history);
    if (history && (fclose(history) || lost))
        return dls_complain("--history: it could not be written: %s", strerror(errno)),
               false;
    lost = s->data && ferror(s->data);
    if (s->data && (fclose(s->data) || lost))
        return dls_complain("the output could not be written"), false;
    return true;
}

static bool open_outputs(struct session *s)
{
    const char *history = dls_args_text(s->args, "history");
    int error = s->save ? dls_folder_make(s->save, s->args->arena) : 0;
    if (error) return dls_complain("--save: %s: %s", s->save, strerror(error)), false;
    if (history && !(s->watch.history = fopen(history, "w")))
        return dls_complain("--history: %s: %s", history, strerror(errno)), false;
    if (s->watch.history) dls_watch_header(s->watch.history);
    return open_data(s);
}

static bool parse_solvers(struct session *s)
{
    const struct dls_args *args = s->args;
    const char *list = dls_args_text(args, "solver"), *set;
    struct dls_error err = {"out of memory"};
    enum dls_status status =
        dls_specs_parse(&s->specs, list ? list : "pgs", args->arena, &err);
    for (int at = 0; !status && (set = dls_args_next(args, "set", &at));)
        status = dls_specs_set(&s->specs, set, &err);
    if (!status) status = dls_specs_finish(&s->specs, args->arena);
    if (status) dls_complain("%s", err.text);
    return !status;
}

static bool prepare(struct session *s)
{
    const struct dls_args *args = s->args;
    const struct solve_options *o = s->options;
    s->json = dls_args_has(args, "json");
    s->csv = dls_args_has(args, "csv");
    s->save = dls_args_text(args, "save");
    if (s->json && s->csv)
        return dls_complain("--json and --csv exclude each other"), false;
    if (!parse_solvers(s)) return false;
    s->settings = dls_settings_default();
    s->settings.tol = o->tol;
    s->settings.max_time = o->max_time;
    s->settings.max_iter = o->max_iter;
    s->settings.measure = (enum dls_measure)o->measure;
    s->settings.seed = (uint64_t)o->seed;
    s->settings.cancel = &dls_cancelled;
    s->settings.monitor = dls_watch_monitor;
    s->settings.data = &s->watch;
    s->names = DLS_NEW(args->arena, const char *, args->count);
    s->solved = DLS_NEW(args->arena, int, s->specs.count);
    s->ran = DLS_NEW(args->arena, int, s->specs.count);
    for (int k = 0; s->names && k < args->count; k++)
        s->names[k] = dls_file_stem(args->names[k], args->arena);
    if (args->arena->failed) return dls_complain("out of memory"), false;
    s->table = dls_table_start(stdout, &s->specs);
    s->watch.terminal = isatty(STDERR_FILENO);
    s->watch.runs = args->count * s->specs.count;
    return check_names(s) && open_outputs(s);
}

static int run(const struct dls_args *args)
{
    struct session s = {.args = args, .options = args->options};
    if (!prepare(&s)) return DLS_EXIT_BAD_USE;
    dls_cancel_on_signal();
    for (int k = 0; k < args->count && !dls_cancelled; k++) solve_file(&s, k);
    dls_watch_clear(&s.watch);
    if (!s.json && !s.csv) print_summary(&s);
    if (dls_cancelled)
        dls_complain("interrupted after %d of %d runs", s.rows, s.watch.runs);
    if (!close_outputs(&s)) s.bad_input = true;
    if (s.bad_input) return DLS_EXIT_BAD_USE;
    return s.failed || s.specs.missing || dls_cancelled ? DLS_EXIT_FAILED
                                                        : DLS_EXIT_GOOD;
}

static void more_help(FILE *out)
{
    fputs("\nSolvers ('delassus help NAME' shows the options of one)\n", out);
    for (const struct dls_solver *const *s = dls_solvers; *s; s++)
        fprintf(out, "  %-22s %s\n", (*s)->name, (*s)->brief);
    fprintf(out, "\n%s\n", dls_help_exit_codes);
}

const struct dls_command dls_command_solve = {
    .name = "solve",
    .usage = "FILE... [--solver LIST] [--tol X] [--max-time X] [--json | --csv] [...]",
    .brief = "run solvers on snapshots and judge their answers",
    .details =
        "Files are .hdf5 (FCLIB) or .dat (Siconos text). Every answer is judged by "
        "the\n"
        "same residual, computed from the original problem. Exit 0 when all converged, "
        "1\n"
        "when some did not, 2 when a file could not be used (the others are solved). "
        "A\n"
        "solver that does not take a problem counts as a failure only when it is the\n"
        "only one asked for. Ctrl-C stops the run under way and keeps its answer. "
        "Where "
        "a\n"
        "run does not converge and the problem need not have a solution, the row says "
        "so.",
    .flags = solve_flags,
    .options = solve_table,
    .options_size = sizeof(struct solve_options),
    .least = 1,
    .most = -1,
    .more_help = more_help,
    .run = run,
};
