// SPDX-License-Identifier: Apache-2.0
#include "solvers/sequence/sequence.h"

#include "base/clock.h"

void dls_sequence_open(struct dls_sequence *s, struct dls_arena *pool)
{
    *s = (struct dls_sequence){.pool = pool};
}

void dls_sequence_close(struct dls_sequence *s) { dls_sequence_next(s); }

void dls_sequence_next(struct dls_sequence *s)
{
    dls_judge_destroy(s->judge);
    dls_arena_free(&s->judge_memory);
    s->judge = NULL;
}

enum dls_status dls_sequence_judge(struct dls_sequence *s, const struct dls_problem *p,
                                   struct dls_error *err)
{
    if (s->judge) return DLS_OK;
    s->judge_memory = s->pool ? dls_arena_scratch(s->pool) : (struct dls_arena){0};
    enum dls_status status = dls_judge_create(&s->judge, p, &s->judge_memory, err);
    if (status == DLS_OK) return DLS_OK;
    s->judge = NULL; // it has let go of what it held
    dls_arena_free(&s->judge_memory);
    return status;
}

enum dls_status dls_sequence_solve(struct dls_sequence *s,
                                   const struct dls_solver *solver,
                                   const struct dls_options *opt,
                                   const struct dls_problem *problem,
                                   const struct dls_settings *settings, double *r,
                                   struct dls_stats *stats)
{
    struct dls_settings here = settings ? *settings : dls_settings_default();
    struct dls_error err;
    double start = dls_clock();
    dls_sequence_judge(s, problem, &err); // the driver says why where there is none
    double seconds = dls_clock() - start;
    here.judge = s->judge;
    here.memory = s->pool;
    dls_solve(solver, opt, problem, &here, r, stats);
    stats->check_time += seconds;
    return stats->status;
}
