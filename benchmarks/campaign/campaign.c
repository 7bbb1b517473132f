// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L // isatty

#include "benchmarks/campaign/campaign.h"

#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/campaign/child.h"
#include "benchmarks/campaign/record.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/progress.h"

// One process to come: a file, a solver, and the tolerances that have no row yet.
struct run {
    int problem, spec;
    int tolerances;
    double tols[DLS_TOLERANCES];
};

// A place for one process at a time.
struct slot {
    const struct run *run; // NULL: free
    struct dls_arena arena;
    const char *history; // relative path
    char started[32];
};

struct work {
    struct dls_campaign *campaign;
    struct run *runs;
    int count, next, done; // of runs
    struct slot *slots;
    struct dls_process *processes; // one a slot
    double begun;                  // dls_clock()
    bool terminal;
    double shown; // when the progress line was last written; 0 = not there
    struct dls_error *err;
};

const char *dls_solver_label(const char *solver, const char *options,
                             struct dls_arena *a)
{
    char *text = dls_text(a, "%s%s%s", solver, *options ? ":" : "", options);
    for (char *p = text; p && *p; p++)
        if (*p == ' ') *p = ':';
    return text;
}

// --- the plan --------------------------------------------------------------------------

static void plan_pair(struct work *w, int problem, int spec)
{
    const struct dls_campaign *c = w->campaign;
    const struct dls_spec *s = &c->specs.all[spec];
    bool begun = false;
    for (int k = 0; k < c->tolerances; k++) {
        struct dls_key key = {c->suite.names[problem], s->solver->name, s->changed,
                              c->tols[k]};
        if (dls_results_have(&c->results, key)) continue;
        if (!begun || c->separate)
            w->runs[w->count++] = (struct run){.problem = problem, .spec = spec};
        begun = true;
        struct run *run = &w->runs[w->count - 1];
        run->tols[run->tolerances++] = c->tols[k];
    }
}

static bool plan(struct work *w)
{
    const struct dls_campaign *c = w->campaign;
    int pairs = c->suite.count * c->specs.count;
    w->runs = DLS_NEW(c->arena, struct run, pairs * (c->separate ? c->tolerances : 1));
    w->slots = DLS_NEW(c->arena, struct slot, c->jobs);
    w->processes = DLS_NEW(c->arena, struct dls_process, c->jobs);
    if (c->arena->failed) return false;
    for (int k = 0; k < c->jobs; k++) w->processes[k].ending = DLS_ENDED;
    for (int problem = 0; problem < c->suite.count; problem++)
        for (int spec = 0; spec < c->specs.count; spec++) plan_pair(w, problem, spec);
    return true;
}

// --- what is seen ----------------------------------------------------------------------

static void clear_line(struct work *w)
{
    if (w->terminal && w->shown > 0) fputs("\r\033[K", stderr);
    w->shown = 0;
}

static char *format_duration(double seconds, char text[32])
{
    long s = lround(seconds);
    if (s < 60)
        snprintf(text, 32, "%ld s", s);
    else if (s < 3600)
        snprintf(text, 32, "%ld min %02ld s", s / 60, s % 60);
    else
        snprintf(text, 32, "%ld h %02ld min", s / 3600, s / 60 % 60);
    return text;
}

// "[12/340] eta 3 min 20 s  Rover1039 newton", rewritten on the terminal.
static void show_progress(struct work *w)
{
    double now = dls_clock();
    char eta[32] = "?";
    if (!w->terminal || now - w->shown < 0.1) return; // seconds between rewrites
    if (w->done)
        format_duration((now - w->begun) / w->done * (w->count - w->done), eta);
    fprintf(stderr, "\r\033[K[%d/%d] eta %s", w->done, w->count, eta);
    for (int k = 0, room = 2; k < w->campaign->jobs && room; k++) {
        const struct run *run = w->slots[k].run;
        if (!run) continue;
        fprintf(stderr, "  %.24s %.16s", w->campaign->suite.names[run->problem],
                w->campaign->specs.all[run->spec].label);
        room--;
    }
    fflush(stderr);
    w->shown = now;
}

// Rows that are there already, and a warning where another build made them.
static void print_kept(const struct dls_sheet *kept)
{
    int column = dls_sheet_column(kept, "commit"), others = 0;
    if (!kept->rows) return;
    for (int row = 0; row < kept->rows; row++)
        others += strcmp(dls_sheet_text(kept, row, column), dls_build_commit) != 0;
    printf("%d rows are there already", kept->rows);
    if (others) printf(", %d of them made by another build", others);
    putchar('\n');
}

// One line for a run that has ended.
static void print_run(struct work *w, const struct dls_row *rows, int count)
{
    char message[DLS_ROW_MESSAGE], time[16], tol[32];
    clear_line(w);
    printf("[%d/%d] %s  %s", w->done, w->count, rows->problem, rows->solver);
    if (*rows->options) printf(" %s", rows->options);
    for (int k = 0; k < count; k++) {
        const char *status = dls_row_status(&rows[k], message);
        const struct dls_message *told = &rows[k].process->rows[rows[k].tol_number];
        printf("  %s: %s", dls_format_tolerance(rows[k].tol, tol), status);
        if (told->repeats && isfinite(told->stats.measures.natural))
            printf(" %s", dls_format_time(told->time, time));
    }
    putchar('\n');
    fflush(stdout);
}

// --- runs ------------------------------------------------------------------------------

// "Rover1039.pgs_omega=1.2": fit for a file name.
static char *history_name(const struct dls_campaign *c, const struct run *run,
                          struct dls_arena *a)
{
    const struct dls_spec *spec = &c->specs.all[run->spec];
    const char *label = dls_solver_label(spec->solver->name, spec->changed, a);
    char tol[32] = "";
    if (c->separate) dls_format_tolerance(run->tols[0], tol);
    char *name = dls_text(a, "history/%s.%s%s%s.csv", c->suite.names[run->problem],
                          label ? label : "", *tol ? "." : "", tol);
    for (char *p = name ? name + strlen("history/") : NULL; p && *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("._=+-@", *p)) *p = '_';
    return name;
}

static const char *list_tolerances(const struct run *run, struct dls_arena *a)
{
    const char *text = "";
    for (int k = 0; k < run->tolerances && text; k++)
        text = dls_text(a, "%s%s%.17g", text, k ? "," : "", run->tols[k]);
    return text;
}

static bool start(struct work *w, int place, const struct run *run)
{
    struct dls_campaign *c = w->campaign;
    struct slot *slot = &w->slots[place];
    const struct dls_spec *spec = &c->specs.all[run->spec];
    *slot = (struct slot){.run = run};
    struct dls_arena *a = &slot->arena;
    const struct dls_terms *t = &c->terms;
    slot->history = history_name(c, run, a);
    dls_time_stamp(slot->started);
    char *argv[] = {
        "delassus",
        (char *)dls_command_child.name,
        dls_text(a, "--solver=%s",
                 dls_solver_label(spec->solver->name, spec->changed, a)),
        dls_text(a, "--tol=%s", list_tolerances(run, a)),
        dls_text(a, "--max-time=%.17g", t->max_time),
        dls_text(a, "--measure=%s", dls_measure_name(t->measure)),
        dls_text(a, "--seed=%ld", t->seed),
        dls_text(a, "--repeat=%d", c->repeat),
        dls_text(a, "--kind=%s", dls_kind_names[c->kind]),
        dls_text(a, "--history=%s/%s", c->folder, slot->history),
        "--",
        (char *)c->suite.files[run->problem],
        NULL,
    };
    if (a->failed) return dls_fail(w->err, DLS_ENOMEM, "out of memory"), false;
    if (dls_process_start(&w->processes[place], argv, 1.5 * t->max_time + 5,
                          1e6 * t->max_memory))
        return true;
    return dls_fail(w->err, DLS_EIO, "no child process: %s", strerror(errno)), false;
}

// Writes the rows of a process that has ended, and frees its place.
static enum dls_status finish(struct work *w, int place)
{
    struct dls_campaign *c = w->campaign;
    struct slot *slot = &w->slots[place];
    const struct run *run = slot->run;
    const struct dls_spec *spec = &c->specs.all[run->spec];
    struct dls_row rows[DLS_TOLERANCES];
    for (int k = 0; k < run->tolerances; k++)
        rows[k] = (struct dls_row){
            .terms = &c->terms,
            .problem = c->suite.names[run->problem],
            .file = c->suite.files[run->problem],
            .solver = spec->solver->name,
            .options = spec->changed,
            .history = slot->history,
            .started = slot->started,
            .tol = run->tols[k],
            .process = &w->processes[place],
            .tol_number = k,
        };
    enum dls_status status =
        dls_results_append(&c->results, rows, run->tolerances, w->err);
    w->done++;
    print_run(w, rows, run->tolerances);
    slot->run = NULL;
    dls_arena_free(&slot->arena);
    return status;
}

static bool any_running(const struct work *w)
{
    for (int k = 0; k < w->campaign->jobs; k++)
        if (w->slots[k].run) return true;
    return false;
}

// Starts what has a place, waits a little, and takes in what has ended.
static enum dls_status turn(struct work *w)
{
    enum dls_status status = DLS_OK;
    int jobs = w->campaign->jobs;
    for (int k = 0; k < jobs && w->next < w->count; k++)
        if (!w->slots[k].run && !start(w, k, &w->runs[w->next++])) return DLS_EIO;
    show_progress(w);
    dls_process_watch(w->processes, jobs);
    for (int k = 0; k < jobs && !status; k++)
        if (w->slots[k].run && w->processes[k].ending != DLS_RUNNING)
            status = finish(w, k);
    return status;
}

enum dls_status dls_campaign_run(struct dls_campaign *c, struct dls_error *err)
{
    struct work w = {.campaign = c, .terminal = isatty(STDERR_FILENO), .err = err};
    enum dls_status status = DLS_OK;
    if (!plan(&w)) return dls_fail(err, DLS_ENOMEM, "out of memory");
    print_kept(&c->results.kept);
    w.begun = dls_clock();
    while (!status && !dls_cancelled && (w.next < w.count || any_running(&w)))
        status = turn(&w);
    clear_line(&w);
    for (int k = 0; k < c->jobs; k++) {
        if (w.slots[k].run) dls_process_stop(&w.processes[k]);
        dls_arena_free(&w.slots[k].arena);
    }
    if (!status && w.done < w.count) status = DLS_STOPPED;
    if (status == DLS_STOPPED)
        dls_fail(err, status,
                 "interrupted after %d of %d runs; the same command goes on", w.done,
                 w.count);
    return status;
}
