// SPDX-License-Identifier: Apache-2.0
// `delassus stress`: solvers on thousands of random contact problems. What is not solved
// is told at once, shrunk to few contacts and saved as a snapshot.
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/stress/random_set.h"
#include "benchmarks/stress/shrink.h"
#include "benchmarks/terminal/commands.h"
#include "benchmarks/terminal/output.h"
#include "benchmarks/terminal/progress.h"
#include "benchmarks/terminal/spec.h"

struct stress_options {
    int first, seeds, contacts;
    double tol, max_time, shrink;
};

static const struct dls_option stress_table[] = {
    DLS_INT(stress_options, first, 1, 0, 2147483647, "the first seed"),
    DLS_INT(stress_options, seeds, 1000, 1, 2147483647, "how many of them"),
    DLS_INT(stress_options, contacts, 80, 2, 1000000, "contacts at most"),
    DLS_REAL(stress_options, tol, 1e-8, 0, 1, "natural residual to reach"),
    DLS_REAL(stress_options, max_time, 5, 0, 1e9, "seconds for each"),
    DLS_REAL(stress_options, shrink, 60, 0, 1e9,
             "seconds in which to shrink a failure; 0 = saved as it is"),
    {0},
};

struct score {
    long solved, of;
    double seconds, worst;
    long worst_seed;
};

struct stress {
    const struct stress_options *o;
    const struct dls_spec *spec; // at work
    const char *folder;          // for failures, or NULL
};

// --- one problem ----------------------------------------------------------------------

static struct dls_stats solve(const struct stress *s, const struct dls_problem *p)
{
    struct dls_settings settings = dls_settings_default();
    struct dls_arena a = {0};
    struct dls_stats stats = {.status = DLS_ENOMEM};
    double *r = DLS_NEW(&a, double, p->m);
    settings.tol = s->o->tol;
    settings.max_time = s->o->max_time;
    settings.cancel = &dls_cancelled;
    if (r) dls_solve(s->spec->solver, &s->spec->options, p, &settings, r, &stats);
    dls_arena_free(&a);
    return stats;
}

static bool unsolved(const struct dls_problem *p, void *data)
{
    enum dls_status status = solve(data, p).status;
    return status != DLS_OK && status != DLS_UNSUPPORTED && !dls_cancelled;
}

// Shrinks and saves a failure, and tells where it is.
static int save(struct stress *s, const struct dls_problem *p, long seed,
                struct dls_arena *a)
{
    struct dls_problem small = *p;
    struct dls_error err = {"out of memory"};
    char *path = dls_text(a, "%s/%s-%ld.hdf5", s->folder, s->spec->file, seed);
    enum dls_status status = path ? DLS_OK : DLS_ENOMEM;
    if (!status && s->o->shrink > 0)
        status = dls_shrink(&small, p, unsolved, s, s->o->shrink, a);
    if (!status) {
        small.title = dls_text(a, "seed %ld, on which %s fails; %d of %d contacts",
                               seed, s->spec->label, small.contacts, p->contacts);
        status = dls_snapshot_write(&small, path, NULL, &err);
    }
    if (status) return dls_complain("%s", err.text);
    dls_say("  %s: %d of %d contacts\n", path, small.contacts, p->contacts);
    fflush(stdout);
    return DLS_EXIT_GOOD;
}

// The verdict, and the options that make the problem again.
static void tell(const struct stress *s, const struct dls_problem *p,
                 const struct dls_stats *stats)
{
    const char *options = strstr(p->provenance, "random-bodies");
    char natural[16];
    printf("%s %s at %s, %s\n", s->spec->label, dls_status_name(stats->status),
           dls_format_real(stats->measures.natural, natural), options ? options : "");
    fflush(stdout);
}

// --- all of them ----------------------------------------------------------------------

static int run_seed(struct stress *s, long seed, struct score *score)
{
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_error err;
    int code = DLS_EXIT_GOOD;
    if (dls_random_set(&p, seed, s->o->contacts, &a, &err))
        code = dls_complain("%s", err.text);
    if (!code) {
        double start = dls_clock();
        struct dls_stats stats = solve(s, &p);
        double seconds = dls_clock() - start;
        bool counts = !dls_cancelled && stats.status != DLS_UNSUPPORTED;
        score->of += counts;
        score->solved += counts && stats.status == DLS_OK;
        score->seconds += seconds;
        if (seconds > score->worst) score->worst = seconds, score->worst_seed = seed;
        if (counts && stats.status != DLS_OK) {
            tell(s, &p, &stats);
            if (s->folder) code = save(s, &p, seed, &a);
        }
    }
    dls_arena_free(&a);
    return code;
}

static int print_scores(const struct dls_specs *specs, const struct score *scores)
{
    char mean[16], worst[16];
    int code = DLS_EXIT_GOOD;
    printf("%-24s %8s %8s %10s %10s  %s\n", "solver", "solved", "of", "mean", "longest",
           "its seed");
    for (int k = 0; k < specs->count; k++) {
        const struct score *s = scores + k;
        printf("%-24s %8ld %8ld %10s %10s  %ld\n", specs->all[k].label, s->solved,
               s->of, dls_format_time(s->of ? s->seconds / (double)s->of : NAN, mean),
               dls_format_time(s->worst, worst), s->worst_seed);
        if (s->solved < s->of) code = DLS_EXIT_FAILED;
    }
    return code;
}

static int run(const struct dls_args *args)
{
    struct stress s = {.o = args->options, .folder = dls_args_text(args, "o")};
    const char *names = dls_args_text(args, "solver");
    struct dls_specs specs;
    struct dls_error err;
    if (dls_specs_parse(&specs, names ? names : "auto", args->arena, &err)
        || dls_specs_finish(&specs, args->arena))
        return dls_complain("%s", err.text);
    struct score *scores = DLS_NEW(args->arena, struct score, specs.count);
    if (!scores) return dls_complain("out of memory");
    int no = s.folder ? dls_folder_make(s.folder, args->arena) : 0;
    if (no) return dls_complain("%s: %s", s.folder, strerror(no));
    dls_cancel_on_signal();
    for (long seed = s.o->first; seed < (long)s.o->first + s.o->seeds; seed++)
        for (int k = 0; k < specs.count && !dls_cancelled; k++) {
            s.spec = specs.all + k;
            int code = run_seed(&s, seed, scores + k);
            if (code) return code;
        }
    return print_scores(&specs, scores);
}

static const struct dls_flag stress_flags[] = {
    {"solver", "LIST", "solvers with options, as in 'delassus solve' (auto)"},
    {"o", "DIR", "save failures there as SOLVER-SEED.hdf5, shrunk to few contacts"},
    {0},
};

const struct dls_command dls_command_stress = {
    .name = "stress",
    .usage = "[--solver LIST] [--seeds N] [--first SEED] [-o DIR]",
    .brief = "look for random problems on which solvers fail",
    .details =
        "A seed decides the options of the generator 'random-bodies', degenerate ones\n"
        "among them; 'delassus generate' makes the same problem from the line that is\n"
        "printed. Problems that a solver does not take are not counted.",
    .flags = stress_flags,
    .options = stress_table,
    .options_size = sizeof(struct stress_options),
    .run = run,
};
