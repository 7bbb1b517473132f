// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L // isatty

#include "benchmarks/campaign/campaign.h"

#include "base/clock.h"
#include "base/sha256.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/campaign/child.h"
#include "benchmarks/campaign/folder.h"
#include "benchmarks/campaign/record.h"
#include "benchmarks/campaign/solver_build.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/progress.h"

// One process to come: a file, a solver, and the tolerances that have no row yet.
struct run {
    int problem, spec;
    bool ranks; // finds the rank of W too
    int tolerances;
    double tols[DLS_TOLERANCES];
};

enum { DATA_DIGITS = 16 }; // of a fingerprint: enough to tell files apart

// A place for one process at a time.
struct slot {
    const struct run *run; // NULL: free
    struct dls_arena arena;
    const char *history; // relative path
    char started[32];
    struct dls_load load;
};

struct work {
    struct dls_campaign *campaign;
    struct run *runs;
    int count, next, done;         // of runs
    char (*data)[DLS_SHA256_TEXT]; // fingerprints of the files
    const char **builds;           // and of the solvers
    bool *ranked;                  // problems whose rank is known or will be
    int had, other_build, other_data, lost,
        redone; // rows that were there; of those run
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

// True where `name` is a word of "pgs,newton".
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = list; p; p = strchr(p, ','), p = p ? p + 1 : NULL)
        if (!strncmp(p, name, length) && (!p[length] || p[length] == ',')) return true;
    return false;
}

static const char *kept_text(const struct work *w, int row, const char *column)
{
    const struct dls_sheet *kept = &w->campaign->results.kept;
    return dls_sheet_text(kept, row, dls_sheet_column(kept, column));
}

// Counts the row among those that were there, and tells whether it still holds.
static bool holds(struct work *w, int row, int problem, int spec)
{
    const struct dls_campaign *c = w->campaign;
    const struct dls_solver *solver = c->specs.all[spec].solver;
    w->had++;
    if (c->fresh || is_listed(c->redo, solver->name)) return w->redone++, false;
    if (dls_status_is_passing(kept_text(w, row, "status"))) return w->lost++, false;
    bool build = strcmp(kept_text(w, row, "build"), w->builds[spec]);
    bool data = strncmp(kept_text(w, row, "data"), w->data[problem], DATA_DIGITS);
    w->other_build += build;
    w->other_data += data && !build;
    return c->keep || (!build && !data);
}

static void plan_pair(struct work *w, int problem, int spec)
{
    const struct dls_campaign *c = w->campaign;
    const struct dls_spec *s = &c->specs.all[spec];
    bool begun = false;
    for (int k = 0; k < c->tolerances; k++) {
        struct dls_key key = {c->suite.names[problem], s->solver->name, s->changed,
                              c->tols[k]};
        int row = dls_results_find(&c->results, key);
        if (row >= 0 && holds(w, row, problem, spec)) continue;
        if (!begun || c->separate || s->solver->one_call)
            w->runs[w->count++] =
                (struct run){problem, spec, !w->ranked[problem], 0, {0}};
        begun = w->ranked[problem] = true;
        struct run *run = &w->runs[w->count - 1];
        run->tols[run->tolerances++] = c->tols[k];
    }
}

// The ranks that rows know already.
static void find_ranked(struct work *w)
{
    const struct dls_campaign *c = w->campaign;
    for (int row = 0; row < c->results.kept.rows; row++) {
        const char *problem = kept_text(w, row, "problem");
        int count = *kept_text(w, row, "rank_def") ? c->suite.count : 0;
        for (int p = 0; p < count; p++)
            w->ranked[p] |= !strcmp(problem, c->suite.names[p]);
    }
}

static bool plan(struct work *w)
{
    const struct dls_campaign *c = w->campaign;
    int pairs = c->suite.count * c->specs.count, pair = 0;
    w->runs = DLS_NEW(c->arena, struct run, pairs * c->tolerances);
    w->slots = DLS_NEW(c->arena, struct slot, c->jobs);
    w->processes = DLS_NEW(c->arena, struct dls_process, c->jobs);
    w->data = dls_alloc(c->arena, (size_t)c->suite.count, sizeof *w->data);
    w->ranked = DLS_NEW(c->arena, bool, c->suite.count);
    w->builds = DLS_NEW(c->arena, const char *, c->specs.count);
    for (int k = 0; k < c->specs.count && w->builds; k++)
        w->builds[k] = dls_solver_build(&c->specs.all[k], c->arena);
    if (c->arena->failed) return false;
    for (int k = 0; k < c->jobs; k++) w->processes[k].ending = DLS_ENDED;
    find_ranked(w);
    for (int problem = 0; problem < c->suite.count; problem++) {
        // A file that cannot be read has no fingerprint; its run finds out why.
        if (!dls_sha256_file(c->suite.files[problem], w->data[problem]))
            *w->data[problem] = 0;
        w->data[problem][DATA_DIGITS] = 0;
        for (int spec = 0; spec < c->specs.count; spec++)
            if (pair++ % c->shards == c->shard - 1) plan_pair(w, problem, spec);
    }
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

// "2 damaged lines of results.csv (3, 17) are set aside in damaged.csv"
static void print_damage(const struct dls_results *s)
{
    enum { MOST = 8 };
    fprintf(stderr, "delassus: %d damaged line%s of %s (", s->damaged,
            s->damaged == 1 ? "" : "s", s->path);
    for (int k = 0; k < s->kept.damages && k < MOST; k++)
        fprintf(stderr, "%s%d", k ? ", " : "number ", s->kept.damage[k].line);
    fprintf(stderr, "%s) set aside in %s/damaged.csv\n",
            s->kept.damages > MOST ? ", ..."
            : s->kept.damages      ? ""
                                   : "without a key",
            s->folder);
}

// Rows that are there already, and why some of them are run again.
static void print_kept(const struct work *w)
{
    const struct dls_campaign *c = w->campaign;
    const char *fate = c->keep ? "kept" : "run again";
    if (c->results.damaged) print_damage(&c->results);
    if (w->had) printf("%d rows are there already\n", w->had);
    if (w->redone) printf("  %d run again as asked\n", w->redone);
    if (w->lost) printf("  %d run again: lost to something outside\n", w->lost);
    if (w->other_build)
        printf("  %d %s: made by another build of their solver%s\n", w->other_build,
               fate, c->keep ? "" : " (--keep keeps such rows)");
    if (w->other_data)
        printf("  %d %s: their file was another one%s\n", w->other_data, fate,
               c->keep ? "" : " (--keep keeps such rows)");
}

// One line for a run that has ended.
static void print_run(struct work *w, const struct dls_row *rows, int count)
{
    char message[DLS_ROW_MESSAGE], time[16], tol[32];
    clear_line(w);
    printf("[%d/%d] ", w->done, w->count);
    dls_print_text(stdout, rows->problem);
    printf("  %s", rows->solver->name);
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

static char *history_name(const struct dls_campaign *c, const struct run *run,
                          struct dls_arena *a)
{
    const struct dls_spec *spec = &c->specs.all[run->spec];
    const char *label = dls_solver_label(spec->solver->name, spec->changed, a);
    char tol[32] = "";
    bool apart = c->separate || spec->solver->one_call;
    if (apart) dls_format_tolerance(run->tols[0], tol);
    const char *parts[] = {c->suite.names[run->problem], label, tol};
    const char *name = label ? dls_plain_name(parts, apart ? 3 : 2, a) : NULL;
    return name ? dls_text(a, "history/%s.csv", name) : NULL;
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
    slot->load = dls_load_now();
    char *argv[] = {
        "delassus",
        (char *)dls_command_child.name,
        dls_text(a, "--solver=%s", dls_solver_label(spec->source, spec->changed, a)),
        dls_text(a, "--tol=%s", list_tolerances(run, a)),
        dls_text(a, "--max-time=%.17g", t->max_time),
        dls_text(a, "--measure=%s", dls_measure_name(t->measure)),
        dls_text(a, "--seed=%ld", t->seed),
        dls_text(a, "--repeat=%d", c->repeat),
        dls_text(a, "--kind=%s", dls_kind_names[c->kind]),
        dls_text(a, "--start=%s", dls_start_names[t->start]),
        dls_text(a, "--threads=%d", t->threads),
        dls_text(a, "--clock=%s", dls_clock_names[t->clock]),
        dls_text(a, "--rank=%d", run->ranks),
        dls_text(a, "--history=%s/%s", c->folder, slot->history),
        "--",
        (char *)c->suite.files[run->problem],
        NULL,
    };
    if (a->failed) return dls_fail(w->err, DLS_ENOMEM, "out of memory"), false;
    // Where work is counted, a run may wait for its turn: as long as if 20 others ran.
    double limit = (1.5 * t->max_time + 5) * (t->clock == DLS_CLOCK_CPU ? 20 : 1);
    if (dls_process_start(&w->processes[place], argv, limit, 1e6 * t->max_memory))
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
    struct dls_load after = dls_load_now();
    c->unwritten += w->processes[place].rows[0].history_error != 0;
    for (int k = 0; k < run->tolerances; k++)
        rows[k] = (struct dls_row){
            .terms = &c->terms,
            .problem = c->suite.names[run->problem],
            .file = c->suite.files[run->problem],
            .solver = spec->solver,
            .options = spec->changed,
            .build = w->builds[run->spec],
            .data = w->data[run->problem],
            .history = slot->history,
            .started = slot->started,
            .before = slot->load,
            .after = after,
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
    print_kept(&w);
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
