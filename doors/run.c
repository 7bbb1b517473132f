// SPDX-License-Identifier: Apache-2.0
// Runs behind handles, and all that is known of their answers.
#include "solvers/reference/certify.h"

#include "formulations/judge/cone.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doors/parts.h"

enum { PER_CHECK = 4 }; // numbers of the history

struct dls_flat_result {
    struct dls_arena arena;
    struct dls_stats stats;
    int m, n, joints, contacts;
    double *r, *u, *v, *lambda, *work_of;
    int *statuses;
    struct dls_residuals refined; // NAN without a certificate
    double *history;
    int checks, room;
    const struct dls_flat_terms *terms; // during the run
    volatile sig_atomic_t stop, *cancel;
};

// --- the run -----------------------------------------------------------------------------

static struct dls_flat_result *open_result(const struct dls_problem *p, const double *r,
                                           char *error)
{
    struct dls_flat_result *result = dls_handle_new(sizeof *result, error);
    if (!result) return NULL;
    struct dls_arena *a = &result->arena;
    result->m = p->m;
    result->contacts = p->contacts;
    result->refined = (struct dls_residuals){NAN, NAN};
    result->r = dls_copy(a, r, (size_t)p->m, sizeof *r);
    result->u = DLS_NEW(a, double, p->m);
    result->work_of = DLS_NEW(a, double, p->contacts);
    result->statuses = DLS_NEW(a, int, p->contacts);
    if (!a->failed) return result;
    dls_flat_result_free(result);
    snprintf(error, DLS_FLAT_ERROR, "out of memory");
    return NULL;
}

void dls_flat_result_free(struct dls_flat_result *result)
{
    if (result) free(result->history);
    dls_handle_free(result);
}

static void keep_history(struct dls_flat_result *result, const struct dls_progress *p)
{
    if (result->checks == result->room) {
        int room = result->room ? 2 * result->room : 64;
        double *more =
            realloc(result->history, (size_t)room * PER_CHECK * sizeof *more);
        if (!more) return; // a gap in the history is no reason to end the run
        result->history = more;
        result->room = room;
    }
    double *row = result->history + PER_CHECK * result->checks++;
    row[0] = (double)p->iteration;
    row[1] = p->time;
    row[2] = p->measures->natural;
    row[3] = p->measures->merit;
}

// The flag of the caller is looked at here and by the driver; the monitor's wish is one
// more reason to stop, so both end in a flag of the run.
static void monitor(const struct dls_progress *p, void *data)
{
    struct dls_flat_result *result = data;
    const struct dls_flat_terms *t = result->terms;
    keep_history(result, p);
    if (t->monitor
        && t->monitor(t->data, p->iteration, p->time, p->measures->natural,
                      p->measures->merit))
        *result->cancel = 1;
}

static struct dls_settings settings_of(struct dls_flat_result *result,
                                       const struct dls_flat_terms *t)
{
    struct dls_settings settings = dls_settings_default();
    settings.tol = t->tol;
    settings.max_time = t->max_time;
    settings.max_iter = t->max_iter;
    settings.seed = (uint64_t)t->seed;
    settings.measure = (enum dls_measure)t->measure;
    settings.monitor = monitor;
    settings.data = result;
    result->cancel = t->cancel ? t->cancel : &result->stop;
    settings.cancel = result->cancel;
    result->terms = t;
    return settings;
}

static void find_statuses(struct dls_flat_result *result, const struct dls_problem *p)
{
    for (int c = 0; c < p->contacts; c++) {
        enum dls_contact_status status;
        struct dls_cone K =
            dls_cone_make(p->d, p->rolling, p->mu[c], p->rolling ? p->mu_r[c] : 0);
        if (p->mu_2) K.stretch = p->mu_2[c] / p->mu[c];
        dls_cone_natural(&K, result->r + c * p->d, result->u + c * p->d, 1, &status);
        result->statuses[c] = status;
    }
}

// Everything about the answer that the judge knows.
static enum dls_status examine(struct dls_flat_result *result,
                               const struct dls_problem *p, struct dls_error *err)
{
    struct dls_arena scratch = {0};
    struct dls_judge *judge = NULL;
    enum dls_status status = dls_judge_create(&judge, p, &scratch, err);
    if (!status) {
        dls_judge_measure(judge, result->r, &result->stats.measures);
        dls_energy_measure(&result->stats.energy, p, judge, result->r, result->work_of);
        memcpy(result->u, dls_judge_u(judge), (size_t)p->m * sizeof *result->u);
        result->v = dls_copy(&result->arena, dls_judge_v(judge), (size_t)p->n,
                             sizeof *result->v);
        result->lambda = dls_copy(&result->arena, dls_judge_lambda(judge),
                                  (size_t)p->joints, sizeof *result->lambda);
        result->n = result->v ? p->n : 0;
        result->joints = result->lambda ? p->joints : 0;
        find_statuses(result, p);
        if (result->arena.failed) status = DLS_ENOMEM;
    }
    dls_judge_destroy(judge);
    dls_arena_free(&scratch);
    return status;
}

static int hand_out(struct dls_flat_result **out, struct dls_flat_result *result,
                    enum dls_status status, const struct dls_error *err, char *error)
{
    result->terms = NULL;
    *out = status ? NULL : result;
    if (status) dls_flat_result_free(result);
    return dls_handle_fail(status, err, error);
}

int dls_flat_solve(struct dls_flat_result **out, const struct dls_flat_problem *problem,
                   const struct dls_flat_solver *solver,
                   const struct dls_flat_terms *terms, const double *r, char *error)
{
    struct dls_error err = {""};
    const struct dls_problem *p = &problem->problem;
    struct dls_flat_result *result = *out = open_result(p, r, error);
    if (!result) return DLS_ENOMEM;
    struct dls_settings settings = settings_of(result, terms);
    dls_solve(solver->solver, &solver->options, p, &settings, result->r,
              &result->stats);
    struct dls_stats stats = result->stats;
    enum dls_status status = examine(result, p, &err); // bad input is found here
    if (stats.status < 0) result->stats = stats;       // nothing was answered
    return hand_out(out, result, status, &err, error);
}

int dls_flat_judge(struct dls_flat_result **out, const struct dls_flat_problem *problem,
                   const double *r, char *error)
{
    struct dls_error err = {""};
    struct dls_flat_result *result = *out = open_result(&problem->problem, r, error);
    if (!result) return DLS_ENOMEM;
    result->stats.status = DLS_FINISHED;
    result->stats.own = NAN;
    return hand_out(out, result, examine(result, &problem->problem, &err), &err, error);
}

int dls_flat_certify(struct dls_flat_result **out,
                     const struct dls_flat_problem *problem,
                     const struct dls_flat_solver *solver,
                     const struct dls_flat_terms *terms, const double *r, char *error)
{
    struct dls_error err = {""};
    const struct dls_problem *p = &problem->problem;
    struct dls_certified certified = {0};
    struct dls_flat_result *result = *out = open_result(p, r, error);
    if (!result) return DLS_ENOMEM;
    struct dls_settings settings = settings_of(result, terms);
    const struct dls_certify_settings ask = {
        .solver = solver->solver,
        .options = &solver->options,
        .start = r,
        .tol = terms->tol,
        .max_time = terms->max_time,
        .cancel = settings.cancel,
        .monitor = monitor,
        .data = result,
    };
    enum dls_status status = dls_certify(&certified, p, &ask, &result->arena, &err);
    if (status >= 0 && certified.r) {
        result->stats = certified.stats;
        result->stats.status = status;
        result->refined = certified.certificate.refined;
        memcpy(result->r, certified.r, (size_t)p->m * sizeof *result->r);
        status = examine(result, p, &err);
    }
    return hand_out(out, result, status, &err, error);
}

int dls_flat_existence(const struct dls_flat_problem *p, double max_time,
                       const char **verdict, int *code, double *margin, char *error)
{
    struct dls_arena arena = {0};
    struct dls_error err = {""};
    struct dls_work work = {.deadline = dls_clock() + max_time};
    struct dls_existence found;
    enum dls_status status =
        dls_existence_check(&found, &p->problem, &work, &arena, &err);
    if (!status) {
        *verdict = dls_existence_text(found.verdict);
        *code = found.verdict;
        *margin = found.margin;
    }
    dls_arena_free(&arena);
    return dls_handle_fail(status, &err, error);
}

// --- the answer --------------------------------------------------------------------------

double dls_flat_number(const struct dls_flat_result *result, const char *name)
{
    const struct dls_stats *s = &result->stats;
    const struct dls_measures *m = &s->measures;
    const struct dls_energy *e = &s->energy;
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"natural", m->natural},
        {"merit", m->merit},
        {"bipotential", m->bipotential},
        {"penetration", m->penetration},
        {"cone_excess", m->cone_excess},
        {"signorini", m->signorini},
        {"angle", m->angle},
        {"momentum", m->momentum},
        {"iterations", (double)s->iterations},
        {"build_time", s->build_time},
        {"create_time", s->create_time},
        {"solve_time", s->solve_time},
        {"check_time", s->check_time},
        {"bytes", (double)s->bytes},
        {"products", (double)s->work.products},
        {"local_solves", (double)s->work.local_solves},
        {"factorisations", (double)s->work.factorisations},
        {"claimed", s->work.claimed > 0 ? s->work.claimed : NAN},
        {"own", s->own},
        {"work", e->work},
        {"normal", e->normal},
        {"tangential", e->tangential},
        {"free_work", e->free_work},
        {"kinetic_minus", e->kinetic_minus},
        {"kinetic_plus", e->kinetic_plus},
        {"defect", e->defect},
        {"natural_extended", result->refined.natural},
        {"merit_extended", result->refined.merit},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!strcmp(all[k].name, name)) return all[k].value;
    return NAN;
}

const char *dls_flat_text(const struct dls_flat_result *result, const char *name)
{
    const struct dls_stats *s = &result->stats;
    if (!strcmp(name, "message")) return s->message;
    if (!strcmp(name, "note")) return s->work.note;
    if (!strcmp(name, "relaxes") && s->relaxes) return s->relaxes;
    return "";
}

int dls_flat_result_status(const struct dls_flat_result *result)
{
    return result->stats.status;
}

const double *dls_flat_array(const struct dls_flat_result *result, const char *name,
                             int *count)
{
    const struct {
        const char *name;
        const double *x;
        int count;
    } all[] = {
        {"r", result->r, result->m},
        {"u", result->u, result->m},
        {"v", result->v, result->n},
        {"lambda", result->lambda, result->joints},
        {"work_of", result->work_of, result->contacts},
        {"history", result->history, PER_CHECK * result->checks},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!strcmp(all[k].name, name)) return *count = all[k].count, all[k].x;
    return *count = 0, NULL;
}

const int *dls_flat_contact_statuses(const struct dls_flat_result *result, int *count)
{
    *count = result->contacts;
    return result->statuses;
}
