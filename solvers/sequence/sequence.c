// SPDX-License-Identifier: Apache-2.0
#include "solvers/sequence/sequence.h"

#include "solvers/driver/run.h"

#include "base/clock.h"
#include "base/deadline.h"

#include <math.h>
#include <stdio.h>

void dls_sequence_open(struct dls_sequence *s, struct dls_arena *memory)
{
    *s = (struct dls_sequence){.memory = memory};
}

void dls_sequence_close(struct dls_sequence *s) { dls_sequence_next(s); }

void dls_sequence_next(struct dls_sequence *s)
{
    dls_judge_destroy(s->judge);
    dls_arena_free(&s->judge_memory);
    s->judge = NULL;
}

static struct dls_arena arena_of(const struct dls_sequence *s)
{
    return s->memory ? dls_arena_scratch(s->memory) : (struct dls_arena){0};
}

enum dls_status dls_sequence_judge(struct dls_sequence *s, const struct dls_problem *p,
                                   struct dls_error *err)
{
    if (s->judge) return DLS_OK;
    s->judge_memory = arena_of(s);
    enum dls_status status =
        s->natural ? dls_judge_create_natural(&s->judge, p, &s->judge_memory, err)
                   : dls_judge_create(&s->judge, p, &s->judge_memory, err);
    if (status == DLS_OK) return DLS_OK;
    s->judge = NULL; // it has let go of what it held
    dls_arena_free(&s->judge_memory);
    return status;
}

static void clear(struct dls_stats *stats, const struct dls_settings *set)
{
    *stats = (struct dls_stats){
        .own = NAN,
        .measures = {.natural = NAN, .merit = NAN, .momentum = NAN},
        .energy = {.free_work = NAN, .work = NAN, .normal = NAN, .tangential = NAN},
        .work = {.seed = set->seed, .tol = set->tol, .cancel = set->cancel},
    };
}

// What a caller may leave NULL by mistake; the first of them is named.
static enum dls_status refuse(const struct dls_solver *solver,
                              const struct dls_problem *problem, const double *r,
                              struct dls_error *err)
{
    const char *what = !solver    ? "no such solver"
                       : !problem ? "no problem to solve"
                       : !r       ? "no room for the impulses r"
                                  : NULL;
    return what ? dls_fail(err, DLS_EINVAL, "%s", what) : DLS_OK;
}

// The sentence of the error, or what the solver noted when it failed, or the text of the
// status.
static void say(struct dls_stats *stats, const struct dls_error *err)
{
    const char *text = dls_status_text(stats->status);
    if (*err->text || stats->status == DLS_OK)
        text = err->text;
    else if (stats->status < 0 && *stats->work.note)
        text = stats->work.note;
    snprintf(stats->message, sizeof stats->message, "%s", text);
}

enum dls_status dls_sequence_solve(struct dls_sequence *s,
                                   const struct dls_solver *solver,
                                   const struct dls_options *opt,
                                   const struct dls_problem *problem,
                                   const struct dls_settings *settings, double *r,
                                   struct dls_stats *stats)
{
    static const struct dls_options defaults;
    if (!s || !stats) return DLS_EINVAL;
    struct dls_arena memory = arena_of(s);
    struct dls_run run = {
        .solver = solver,
        .options = opt ? opt : &defaults,
        .problem = problem,
        .settings = settings ? *settings : dls_settings_default(),
        .memory = &memory,
        .r = r,
        .stats = stats,
    };
    struct dls_error err = {""};
    clear(stats, &run.settings);
    stats->status = refuse(solver, problem, r, &err);
    double outer = dls_deadline_set(INFINITY); // of a run that this one is part of
    double start = dls_clock();
    if (stats->status == DLS_OK) stats->status = dls_sequence_judge(s, problem, &err);
    stats->check_time = dls_clock() - start;
    run.judge = s->judge;
    if (stats->status == DLS_OK) dls_run_drive(&run, &err);
    dls_deadline_set(outer);
    say(stats, &err);
    dls_arena_free(&memory);
    return stats->status;
}

enum dls_status dls_solve(const struct dls_solver *solver,
                          const struct dls_options *opt,
                          const struct dls_problem *problem,
                          const struct dls_settings *settings, double *r,
                          struct dls_stats *stats)
{
    struct dls_sequence one;
    dls_sequence_open(&one, NULL);
    enum dls_status status =
        dls_sequence_solve(&one, solver, opt, problem, settings, r, stats);
    dls_sequence_close(&one);
    return status;
}
