// SPDX-License-Identifier: Apache-2.0
// One run of a campaign, in a process of its own: `delassus bench-child FILE ...`, called
// by `delassus bench`, and by `delassus solve` for solvers of others, which also wants the
// impulses (--answer) and may ask it to stop.
//
// The run asks for the tightest tolerance. When the judge first finds the residual below
// a looser one, that moment is its row: a run with the looser tolerance would have ended
// there with the same answer. Rows are sent when they are known, so that a later crash
// does not take them away. The repeats ask for the tightest tolerance that was reached,
// and only their times are used.
#define _POSIX_C_SOURCE 200809L // write

#include "benchmarks/campaign/child.h"

#include "solvers/sequence/sequence.h"

#include "formulations/delassus.h"
#include "formulations/files/snapshot.h"
#include "formulations/velocities/velocities.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/campaign/message.h"
#include "benchmarks/campaign/spectrum.h"
#include "benchmarks/campaign/tolerances.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/libraries.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/spec.h"

enum { RANK_SIZE = 2000 }; // above this m, the rank costs more than it tells
enum { MOST_REPEATS = 1000 };

struct child_options {
    double max_time;
    int measure, seed, kind, repeat, start, rank, threads, max_iter, clock;
};

static const struct dls_option child_table[] = {
    DLS_REAL(child_options, max_time, 10, 0, INFINITY, "seconds"),
    DLS_CHOICE(child_options, measure, 0, DLS_MEASURE_CHOICES, "of the tolerance"),
    DLS_INT(child_options, seed, 0, 0, 2147483647,
            "seed of the random numbers that solvers draw"),
    DLS_INT(child_options, repeat, 1, 1, MOST_REPEATS, "runs"),
    DLS_INT(child_options, rank, 0, 0, 1, "find the rank of W too, after the run"),
    DLS_INT(child_options, max_iter, 0, 0, 2147483647, "iterations, 0 = no limit"),
    DLS_THREADS(child_options),
    DLS_CHOICE(child_options, clock, 0, "wall|cpu", "the clock of times and limits"),
    DLS_START(child_options),
    DLS_KIND(child_options),
    {0},
};

struct child {
    const struct child_options *options;
    struct dls_settings settings;
    struct dls_sequence repeats; // of the one problem: memory is every run's own
    struct dls_problem problem;
    struct dls_problem_facts facts;
    int count;                   // of tolerances
    double tols[DLS_TOLERANCES]; // descending
    int reached;                 // how many of them, in the run under way
    struct dls_message rows[DLS_TOLERANCES];
    double times[DLS_TOLERANCES][MOST_REPEATS];
    bool first;  // of the repeats: its answers count, the others are only timed
    long last;   // iteration that was judged
    int claimed; // how many tolerances a peer says it reached
    const char *history_path; // or NULL
    FILE *history;
    int history_error; // errno of the first write that failed
};

// --- messages --------------------------------------------------------------------------

static void post(const struct child *c, struct dls_message *m)
{
    m->facts = c->facts;
    if (write(DLS_MESSAGE_FD, m, sizeof *m) != (ssize_t)sizeof *m)
        _exit(DLS_EXIT_BAD_USE); // nobody listens any more
}

static void post_kind(const struct child *c, enum dls_message_kind kind)
{
    struct dls_message message = {.kind = kind};
    post(c, &message);
}

static void post_row(struct child *c, int tol)
{
    c->rows[tol].kind = DLS_MESSAGE_ROW;
    c->rows[tol].tol = tol;
    c->rows[tol].history_error = c->history_error;
    post(c, &c->rows[tol]);
}

// The same end for every tolerance, of a run that never began.
static void post_failure(struct child *c, enum dls_status status, const char *text)
{
    struct dls_stats stats = {.status = status, .own = NAN};
    stats.measures.natural = stats.measures.merit = NAN;
    snprintf(stats.message, sizeof stats.message, "%s", text);
    for (int k = 0; k < c->count; k++) {
        c->rows[k].stats = stats;
        post_row(c, k);
    }
}

// --- the problem -----------------------------------------------------------------------

static double rank_deficiency(const struct dls_problem *p)
{
    struct dls_arena arena = {0};
    struct dls_delassus form;
    struct dls_spectrum spectrum;
    struct dls_csr *W = NULL;
    double lack = NAN;
    if (p->m && p->m <= RANK_SIZE && !dls_delassus_build(&form, p, &arena, NULL))
        W = dls_bsr_to_csr(form.W, &arena);
    if (W && !dls_spectrum_compute(&spectrum, W, &arena))
        lack = spectrum.rank_deficiency;
    dls_arena_free(&arena);
    return lack;
}

// m/n, and the bodies that the pattern of W tells where the file has no velocities.
static void look_for_bodies(struct dls_problem_facts *f, const struct dls_problem *p)
{
    struct dls_arena arena = {0};
    struct dls_delassus form;
    int seen = 0;
    f->density = dls_problem_density(p); // no need of W
    if (!p->n && !dls_delassus_build(&form, p, &arena, NULL))
        dls_velocities_density(&form, &seen, &f->density);
    if (seen) f->bodies = seen;
    dls_arena_free(&arena);
}

static struct dls_problem_facts gather(const struct dls_problem *p)
{
    struct dls_problem_facts f = {
        .contacts = p->contacts,
        .d = p->d,
        .m = p->m,
        .n = p->n,
        .joints = p->joints,
        .rolling = p->rolling,
        .mu_min = NAN,
        .mu_max = NAN,
        .bodies = p->bodies,
        .rank_def = NAN,
    };
    look_for_bodies(&f, p);
    for (int k = 0; k < p->contacts; k++) {
        f.mu_min = fmin(f.mu_min, p->mu[k]);
        f.mu_max = fmax(f.mu_max, p->mu[k]);
    }
    return f;
}

// --- the runs --------------------------------------------------------------------------

// Where a peer says for the first time that it is below a tolerance.
static void hear_claim(struct child *c, const struct dls_progress *p)
{
    double error = p->stats->work.claimed;
    if (!c->first || !(error > 0)) return;
    for (int k = 0; k < c->count; k++) c->rows[k].says = true;
    for (; c->claimed < c->count && error <= c->tols[c->claimed]; c->claimed++) {
        c->rows[c->claimed].claims = true;
        c->rows[c->claimed].claim_natural = p->measures->natural;
        c->rows[c->claimed].claim_merit = p->measures->merit;
    }
}

static void write_history(struct child *c, const struct dls_progress *p)
{
    FILE *out = c->history;
    const struct dls_work *work = &p->stats->work;
    const struct dls_cell cells[] = {
        dls_cell_count("iteration", p->iteration),
        dls_cell_real("time", p->time),
        dls_cell_real("natural", p->measures->natural),
        dls_cell_real("merit", p->measures->merit),
        dls_cell_count("products", work->products),
        dls_cell_count("local_solves", work->local_solves),
        dls_cell_count("factorisations", work->factorisations),
    };
    if (!p->iteration) dls_print_csv_names(out, cells, sizeof cells / sizeof *cells);
    dls_print_csv(out, cells, sizeof cells / sizeof *cells);
    if (ferror(out) && !c->history_error) c->history_error = errno ? errno : EIO;
}

// A history that is not whole would be taken for a short run: it goes.
static void close_history(struct child *c)
{
    if (!c->history) return;
    if (fclose(c->history) && !c->history_error) c->history_error = errno;
    c->history = NULL;
    if (c->history_error) unlink(c->history_path);
}

static double total_time(const struct dls_stats *s)
{
    return s->build_time + s->create_time + s->solve_time;
}

// Keeps the moment at which a tolerance was reached.
static void reach(struct child *c, const struct dls_progress *p, int tol)
{
    struct dls_message *row = &c->rows[tol];
    if (c->first) {
        row->stats = *p->stats;
        row->stats.status = DLS_OK;
        row->stats.iterations = p->iteration;
        row->stats.measures = *p->measures;
        dls_energy_measure(&row->stats.energy, &c->problem, p->judge, p->r, NULL);
    }
    if (!row->repeats || p->time < row->time) {
        row->time = p->time;
        row->stats.build_time = p->stats->build_time;
        row->stats.create_time = p->stats->create_time;
        row->stats.solve_time = p->stats->solve_time;
        row->stats.check_time = p->stats->check_time;
    }
    c->times[tol][row->repeats++] = p->time;
    row->median = row->time;
    row->most = fmax(row->most, p->time);
    if (c->first) row->run_iterations = p->iteration;
    if (c->first) post_row(c, tol);
}

static void monitor(const struct dls_progress *p, void *data)
{
    struct child *c = data;
    if (c->first && c->history) write_history(c, p);
    hear_claim(c, p);
    if (c->first) c->last = p->iteration;
    for (; c->reached < c->count && p->solves <= c->tols[c->reached]; c->reached++)
        reach(c, p, c->reached);
}

static void run_once(struct child *c, const struct dls_spec *spec, double *r,
                     struct dls_stats *stats)
{
    dls_start_fill(&c->problem, (enum dls_start)c->options->start, r);
    c->reached = 0;
    post_kind(c, DLS_MESSAGE_RUN);
    dls_sequence_solve(&c->repeats, spec->solver, &spec->options, &c->problem,
                       &c->settings, r, stats);
}

// What only the end of the first run knows: the verdict on the tolerances that were not
// reached, the relaxation, and the own residual of the last answer.
static void conclude(struct child *c, const struct dls_stats *stats)
{
    for (int k = 0; k < c->count; k++) {
        struct dls_message *row = &c->rows[k];
        if (k >= c->reached) {
            row->stats = *stats;
            row->repeats = 1;
            row->time = row->median = row->most = total_time(stats);
        } else if (k == c->count - 1) {
            row->stats.own = stats->own;
        }
        row->run_iterations = c->last;
        row->stats.bytes = stats->bytes;
        memcpy(row->stats.work.note, stats->work.note, sizeof stats->work.note);
        snprintf(row->relaxes, sizeof row->relaxes, "%s",
                 stats->relaxes ? stats->relaxes : "");
        row->stats.relaxes = NULL;
        post_row(c, k);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, ascending);
    return 0.5 * (times[(count - 1) / 2] + times[count / 2]);
}

// Times the run again, as long as all runs together stay within the time limit.
static void repeat(struct child *c, const struct dls_spec *spec, double *r,
                   double spent)
{
    struct dls_stats stats;
    int done = c->reached;
    c->first = false;
    c->count = done;
    c->settings.tol = c->tols[done - 1];
    for (int k = 1; k < c->options->repeat && spent < c->settings.max_time; k++) {
        run_once(c, spec, r, &stats);
        spent += total_time(&stats) + stats.check_time;
    }
    for (int k = 0; k < done; k++) {
        c->rows[k].median = median(c->times[k], c->rows[k].repeats);
        post_row(c, k);
    }
}

static void solve(struct child *c, const struct dls_spec *spec, double *r)
{
    struct dls_stats stats;
    c->first = true;
    dls_sequence_open(&c->repeats, NULL);
    run_once(c, spec, r, &stats);
    close_history(c);
    conclude(c, &stats);
    if (c->reached && c->options->repeat > 1)
        repeat(c, spec, r, total_time(&stats) + stats.check_time);
    dls_sequence_close(&c->repeats);
    if (!c->options->rank) return;
    c->facts.rank_def = rank_deficiency(&c->problem);
    post_kind(c, DLS_MESSAGE_FACTS);
}

// --- the command -----------------------------------------------------------------------

static bool prepare(struct child *c, struct dls_specs *specs,
                    const struct dls_args *args)
{
    const struct child_options *o = args->options;
    const char *tols = dls_args_text(args, "tol");
    const char *list = dls_args_text(args, "solver");
    struct dls_error err = {"out of memory"};
    c->options = o;
    if (o->clock == DLS_CLOCK_CPU) dls_clock_count_work();
    if (!list || !tols || !dls_tolerances_parse(tols, c->tols, &c->count))
        return dls_complain("bench-child serves 'delassus bench' alone"), false;
    if (dls_specs_parse(specs, list, args->arena, &err))
        return dls_complain("%s", err.text), false;
    if (o->threads > 1) dls_libraries_threads(o->threads);
    c->settings = dls_settings_default();
    c->settings.tol = c->tols[c->count - 1];
    c->settings.max_time = o->max_time;
    c->settings.measure = (enum dls_measure)o->measure;
    c->settings.seed = (uint64_t)o->seed;
    c->settings.max_iter = o->max_iter;
    if (dls_args_text(args, "answer")) {
        c->settings.cancel = &dls_cancelled;
        dls_cancel_on_signal();
    }
    c->settings.monitor = monitor;
    c->settings.data = c;
    c->history_path = dls_args_text(args, "history");
    if (c->history_path) c->history = fopen(c->history_path, "w");
    if (c->history_path && !c->history) c->history_error = errno;
    return true;
}

static bool write_answer(const char *path, const double *r, int m)
{
    FILE *out = fopen(path, "wb");
    bool good = out && fwrite(r, sizeof *r, (size_t)m, out) == (size_t)m;
    if (out) good = !fclose(out) && good;
    return good;
}

static int run(const struct dls_args *args)
{
    struct dls_specs specs;
    struct dls_error err = {"out of memory"};
    struct child *c = DLS_NEW(args->arena, struct child, 1);
    if (!c || !prepare(c, &specs, args)) return DLS_EXIT_BAD_USE;
    enum dls_dat_kind kind = (enum dls_dat_kind)c->options->kind;
    enum dls_status status =
        dls_snapshot_read(&c->problem, args->names[0], kind, args->arena, &err);
    double *r = status ? NULL : DLS_NEW(args->arena, double, c->problem.m);
    if (!r) {
        post_failure(c, status ? status : DLS_ENOMEM, err.text);
        return DLS_EXIT_GOOD;
    }
    c->problem.threads = c->options->threads;
    c->facts = gather(&c->problem);
    post_kind(c, DLS_MESSAGE_FACTS);
    solve(c, specs.all, r);
    const char *answer = dls_args_text(args, "answer");
    return !answer || write_answer(answer, r, c->problem.m) ? DLS_EXIT_GOOD
                                                            : DLS_EXIT_BAD_USE;
}

static const struct dls_flag child_flags[] = {
    {"solver", "NAME", "the solver"},
    {"tol", "LIST", "tolerances"},
    {"history", "FILE", "where the history goes"},
    {"answer", "FILE", "where the impulses go, as they are in memory"},
    {0},
};

const struct dls_command dls_command_child = {
    .name = "bench-child",
    .usage = "FILE",
    .brief = "one run of a campaign",
    .flags = child_flags,
    .options = child_table,
    .options_size = sizeof(struct child_options),
    .least = 1,
    .most = 1,
    .run = run,
};
