// SPDX-License-Identifier: Apache-2.0
// Siconos aborts where an assertion of its fails, prints warnings, and looks at no clock
// during a call; so may a solver from a shared object. None of that may take the rows to
// come away: such a solver runs in the process that campaigns use for every run, which is
// killed when it does not end. Its impulses and its history come back through files in
// memory that this process owns.
#define _GNU_SOURCE // memfd_create

#include "benchmarks/program/solve_apart.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "benchmarks/campaign/campaign.h"
#include "benchmarks/campaign/child.h"
#include "benchmarks/campaign/process.h"
#include "benchmarks/campaign/record.h"

// Checks are not counted in the time of a run, and reading the file is not either: half as
// long again, and a second to start.
static double limit_of(double max_time) { return 1.5 * max_time + 1; }

// A run that is asked to stop ends after the call under way, if that is short.
enum { SECONDS_TO_STOP = 1 };

static bool is_foreign(const struct dls_spec *spec)
{
    size_t length = strlen(spec->source);
    bool loaded = length > 3 && !strcmp(spec->source + length - 3, ".so");
    return loaded || dls_solver_is_peer(spec->solver);
}

// Files in memory, closed and gone with this process; -1 where they are not wanted.
struct back {
    int answer, history;
};

static char *name_of(int fd, const char *option, struct dls_arena *a)
{
    return fd < 0 ? dls_text(a, "--%s=/dev/null", option)
                  : dls_text(a, "--%s=/proc/%ld/fd/%d", option, (long)getpid(), fd);
}

static bool start(const struct dls_apart *q, struct dls_process *p, struct back back,
                  struct dls_arena *a)
{
    const struct dls_settings *set = q->settings;
    char *argv[] = {
        "delassus",
        (char *)dls_command_child.name,
        dls_text(a, "--solver=%s",
                 dls_solver_label(q->spec->source, q->spec->changed, a)),
        dls_text(a, "--tol=%.17g", set->tol),
        dls_text(a, "--max-time=%.17g", set->max_time),
        dls_text(a, "--max-iter=%ld", set->max_iter),
        dls_text(a, "--measure=%s", dls_measure_name(set->measure)),
        dls_text(a, "--seed=%ld", (long)set->seed),
        dls_text(a, "--kind=%s", dls_kind_names[q->kind]),
        dls_text(a, "--start=%s", dls_start_names[q->start]),
        name_of(back.answer, "answer", a),
        name_of(back.history, "history", a),
        "--",
        (char *)q->file,
        NULL,
    };
    if (a->failed) return errno = ENOMEM, false;
    return dls_process_start(p, argv, limit_of(set->max_time), 0);
}

static void wait_for(const struct dls_apart *q, struct dls_process *p)
{
    double begun = dls_clock(), asked = INFINITY;
    while (p->ending == DLS_RUNNING) { // which ends by its limit at the latest
        dls_process_watch(p, 1);
        dls_watch_wait(q->watch, dls_clock() - begun);
        if (*q->settings->cancel && asked == INFINITY) {
            kill(p->pid, SIGTERM);
            asked = dls_clock();
        }
        if (dls_clock() - asked > SECONDS_TO_STOP) dls_process_stop(p);
    }
}

// The rows of the child's history, of which those of `solve` have the first four columns.
static void copy_history(const struct dls_apart *q, int fd)
{
    FILE *in = fdopen(dup(fd), "r");
    char *line = NULL;
    size_t room = 0;
    bool heading = true;
    struct dls_cell cells[6];
    for (; in && getline(&line, &room, in) > 0; heading = false) {
        double x[4];
        char *at = line;
        for (int k = 0; k < 4; k++) {
            char *end;
            x[k] = strtod(at, &end);
            if (end == at) x[k] = NAN; // an empty cell: unknown
            at = end + strcspn(end, ",\n");
            at += *at == ',';
        }
        if (heading) continue;
        cells[0] = dls_cell_text("problem", q->watch->problem);
        cells[1] = dls_cell_text("solver", q->watch->solver);
        cells[2] = dls_cell_count("iteration", (long)x[0]);
        cells[3] = dls_cell_real("time", x[1]);
        cells[4] = dls_cell_real("natural", x[2]);
        cells[5] = dls_cell_real("merit", x[3]);
        dls_print_csv(q->watch->history, cells, 6);
    }
    free(line);
    if (in) fclose(in);
}

// How it ended, where it did not end as it should.
static void tell_end(const struct dls_process *p, const struct dls_settings *set,
                     bool told, struct dls_stats *stats)
{
    char sentence[DLS_ROW_MESSAGE];
    const char *bad = dls_process_misfortune(p, told, sentence);
    if (!bad || told) return;
    stats->status = set->cancel && *set->cancel ? DLS_STOPPED
                    : p->ending == DLS_KILLED   ? DLS_MAX_TIME
                                                : DLS_ECRASHED;
    snprintf(stats->message, sizeof stats->message, "%s: %.200s", bad, sentence);
}

static bool take_answer(int fd, int m, double *r)
{
    size_t bytes = (size_t)m * sizeof *r;
    double *read = malloc(bytes + 1);
    bool whole = read && pread(fd, read, bytes, 0) == (ssize_t)bytes;
    if (whole) memcpy(r, read, bytes);
    free(read);
    return whole;
}

static struct dls_stats nothing_known(void)
{
    return (struct dls_stats){
        .own = NAN,
        .measures = {.natural = NAN, .merit = NAN, .momentum = NAN},
        .energy = {.free_work = NAN, .work = NAN, .normal = NAN, .tangential = NAN},
    };
}

static bool solve_apart(const struct dls_apart *q, int m, double *r,
                        struct dls_stats *stats)
{
    struct dls_arena scratch = {0};
    struct dls_process p;
    bool answered = false;
    struct back back = {memfd_create("answer", MFD_CLOEXEC), -1};
    if (q->watch->history) back.history = memfd_create("history", MFD_CLOEXEC);
    *stats = nothing_known();
    if (back.answer < 0 || !start(q, &p, back, &scratch)) {
        stats->status = DLS_EIO;
        snprintf(stats->message, sizeof stats->message, "no child process: %s",
                 strerror(errno));
    } else {
        wait_for(q, &p);
        const struct dls_message *row = &p.rows[0];
        if (p.told[0]) *stats = row->stats;
        stats->relaxes = *row->relaxes ? dls_text(q->arena, "%s", row->relaxes) : NULL;
        tell_end(&p, q->settings, p.told[0], stats);
        answered = p.told[0] && take_answer(back.answer, m, r);
        if (back.history >= 0) copy_history(q, back.history);
    }
    if (back.answer >= 0) close(back.answer);
    if (back.history >= 0) close(back.history);
    dls_arena_free(&scratch);
    return answered;
}

bool dls_solve_guarded(const struct dls_apart *q, const struct dls_problem *p,
                       double *r, struct dls_stats *stats)
{
    if (is_foreign(q->spec)) return solve_apart(q, p->m, r, stats);
    dls_solve(q->spec->solver, &q->spec->options, p, q->settings, r, stats);
    return true;
}
