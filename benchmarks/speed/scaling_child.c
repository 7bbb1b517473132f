// SPDX-License-Identifier: Apache-2.0
// One solve of the scaling study. The row is sent at every check that improved on the
// last, so that a step that never returns leaves what was reached before it.
#define _POSIX_C_SOURCE 200809L // write

#include "solvers/sequence/sequence.h"

#include "base/clock.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/campaign/message.h"
#include "benchmarks/speed/scaling.h"

void openblas_set_num_threads(int); // cblas.h and GSL's headers do not get along

struct child {
    struct dls_message row;
    struct dls_arena memory; // of judge and solve
    double best;
};

static void post(struct dls_message *m, enum dls_message_kind kind)
{
    m->kind = kind;
    m->stats.relaxes = NULL; // a pointer means nothing to the parent
    if (write(DLS_MESSAGE_FD, m, sizeof *m) != (ssize_t)sizeof *m) _exit(2);
}

static double total_time(const struct dls_stats *s)
{
    return s->build_time + s->create_time + s->solve_time;
}

static void monitor(const struct dls_progress *p, void *data)
{
    struct child *c = data;
    if (!(p->measures->natural < c->best)) return;
    c->best = p->measures->natural;
    c->row.stats = *p->stats;
    c->row.stats.status = DLS_MAX_TIME; // unless a later row says otherwise
    c->row.stats.measures = *p->measures;
    c->row.stats.bytes = c->memory.peak;
    c->row.time = p->time;
    post(&c->row, DLS_MESSAGE_ROW);
}

static void gather(struct dls_problem_facts *facts, const struct dls_problem *p,
                   double seconds)
{
    *facts = (struct dls_problem_facts){
        .contacts = p->contacts,
        .d = p->d,
        .m = p->m,
        .n = p->n,
        .rank_def = NAN,
        .seconds = seconds,
    };
}

static int solve(struct child *c, const struct dls_solver *solver,
                 const struct dls_problem *p, struct dls_settings settings, double *r)
{
    c->best = INFINITY;
    settings.monitor = monitor;
    settings.data = c;
    struct dls_sequence one;
    dls_sequence_open(&one, &c->memory);
    post(&c->row, DLS_MESSAGE_RUN);
    dls_sequence_solve(&one, solver, NULL, p, &settings, r, &c->row.stats);
    dls_sequence_close(&one);
    c->row.time = total_time(&c->row.stats);
    post(&c->row, DLS_MESSAGE_ROW);
    return 0;
}

int dls_scaling_child(int count, char *const words[])
{
    static struct child c;
    if (count != 5) return 0;
    enum dls_family family = DLS_WALL;
    while (family < DLS_FAMILIES && strcmp(dls_family_names[family], words[0]))
        family++;
    const struct dls_solver *solver = dls_solver_find(words[2]);
    if (family == DLS_FAMILIES || !solver) return 2;
    struct dls_settings settings = dls_settings_default();
    settings.tol = atof(words[3]);
    settings.max_time = atof(words[4]);
    dls_clock_count_work();
    openblas_set_num_threads(1); // as the program does, and so are these (main.c)
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);

    struct dls_arena a = {0};
    struct dls_problem p;
    double start = dls_clock();
    struct dls_error err = {"out of memory"};
    enum dls_status status = dls_family_make(&p, family, atof(words[1]), &a, &err);
    double *r = status ? NULL : DLS_NEW(&a, double, p.m);
    int code = 2;
    if (r) {
        gather(&c.row.facts, &p, dls_clock() - start);
        code = solve(&c, solver, &p, settings, r);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    dls_arena_free(&a);
    return code;
}
