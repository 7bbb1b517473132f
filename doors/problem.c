// SPDX-License-Identifier: Apache-2.0
// Problems behind handles.
#include "problems/examples/example.h"
#include "problems/generators/generator.h"
#include "problems/mechanics/scheme.h"

#include "formulations/arrays.h"
#include "formulations/files/snapshot.h"
#include "formulations/judge/residual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doors/parts.h"

// --- handles -----------------------------------------------------------------------------

void *dls_handle_new(size_t size, char *error)
{
    void *handle = calloc(1, size);
    if (!handle) snprintf(error, DLS_FLAT_ERROR, "out of memory");
    return handle;
}

void dls_handle_free(void *handle)
{
    if (handle) dls_arena_free(handle);
    free(handle);
}

int dls_handle_fail(enum dls_status status, const struct dls_error *err, char *error)
{
    bool said = err && *err->text;
    if (status)
        snprintf(error, DLS_FLAT_ERROR, "%s",
                 said ? err->text : dls_status_text(status));
    return status;
}

// --- what there is -----------------------------------------------------------------------

const char *dls_flat_version(void) { return DLS_VERSION; }

const char *dls_flat_status_name(int status)
{
    return dls_status_name((enum dls_status)status);
}

const char *dls_flat_list(const char *kind, int number, const char *what)
{
    bool name = !strcmp(what, "name");
    if (!strcmp(kind, "solver")) {
        const struct dls_solver *s = dls_solvers[number];
        return !s ? NULL : name ? s->name : s->brief;
    }
    if (!strcmp(kind, "generator")) {
        const struct dls_generator *g = dls_generators[number];
        return !g ? NULL : name ? g->name : g->brief;
    }
    const struct dls_scheme *s = dls_schemes[number];
    return !s ? NULL : name ? s->name : s->brief;
}

// --- making them -------------------------------------------------------------------------

// Keeps the handle where the status is good, frees it elsewhere.
static int hand_out(struct dls_flat_problem **out, struct dls_flat_problem *p,
                    enum dls_status status, const struct dls_error *err, char *error)
{
    *out = status ? NULL : p;
    if (status) dls_handle_free(p);
    return dls_handle_fail(status, err, error);
}

int dls_flat_load(struct dls_flat_problem **out, const char *path, char *error)
{
    struct dls_error err = {""};
    struct dls_flat_problem *p = dls_handle_new(sizeof *p, error);
    if (!p) return DLS_ENOMEM;
    enum dls_status status =
        dls_snapshot_read(&p->problem, path, DLS_DAT_GUESS, &p->arena, &err);
    return hand_out(out, p, status, &err, error);
}

// "n=4 mu=0.3" into an options struct.
static enum dls_status apply(const struct dls_option *table, void *opt,
                             const char *settings, const char *owner,
                             struct dls_error *err)
{
    char name[64], value[64];
    int used = 0;
    enum dls_status status = DLS_OK;
    for (; !status && sscanf(settings, " %63[^= ]=%63s%n", name, value, &used) == 2;
         settings += used)
        status = dls_option_set(table, opt, name, value, owner, err);
    if (!status && settings[strspn(settings, " ")])
        return dls_fail(err, DLS_EINVAL, "%s: '%s' is not of the form option=value",
                        owner, settings);
    return status;
}

int dls_flat_generate(struct dls_flat_problem **out, const char *name,
                      const char *settings, char *error)
{
    struct dls_error err = {""};
    const struct dls_generator *g = dls_generator_find(name);
    *out = NULL;
    if (!g)
        return snprintf(error, DLS_FLAT_ERROR, "no generator '%s'", name), DLS_EINVAL;
    struct dls_flat_problem *p = dls_handle_new(sizeof *p, error);
    void *opt = p ? dls_alloc(&p->arena, 1, g->options_size) : NULL;
    if (!opt) return dls_handle_free(p), DLS_ENOMEM;
    dls_option_defaults(g->options, opt);
    enum dls_status status = apply(g->options, opt, settings, name, &err);
    if (!status) status = g->make(&p->problem, opt, &p->arena, &err);
    return hand_out(out, p, status, &err, error);
}

void dls_flat_free(struct dls_flat_problem *p) { dls_handle_free(p); }

int dls_flat_open(struct dls_flat_problem **out, int contacts, int d, int n, int joints,
                  int rolling, char *error)
{
    *out = NULL;
    if (contacts < 0 || d < 1 || d > 5 || n < 0 || joints < 0)
        return snprintf(error, DLS_FLAT_ERROR,
                        "%d contacts of %d rows, %d velocities, %d joints", contacts, d,
                        n, joints),
               DLS_EINVAL;
    struct dls_flat_problem *p = dls_handle_new(sizeof *p, error);
    if (!p) return DLS_ENOMEM;
    p->problem = (struct dls_problem){
        .contacts = contacts,
        .d = d,
        .rolling = rolling,
        .m = contacts * d,
        .n = n,
        .joints = joints,
        .time = NAN,
        .step = NAN,
    };
    *out = p;
    return DLS_OK;
}

// --- fields by name ----------------------------------------------------------------------

static struct dls_csr **matrix_field(struct dls_problem *p, const char *name)
{
    const struct {
        const char *name;
        struct dls_csr **at;
    } all[] = {{"M", &p->M}, {"H", &p->H}, {"G", &p->G},
               {"W", &p->W}, {"V", &p->V}, {"R", &p->R}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!strcmp(all[k].name, name)) return all[k].at;
    return NULL;
}

static double **vector_field(struct dls_problem *p, const char *name, int *count)
{
    int c = p->contacts, m = p->m, n = p->n, j = p->joints;
    const struct {
        const char *name;
        double **at;
        int count;
    } all[] = {
        {"mu", &p->mu, c},
        {"mu_r", &p->mu_r, c},
        {"f", &p->f, n},
        {"w", &p->w, m},
        {"b", &p->b, j},
        {"q", &p->q, m},
        {"s", &p->s, j},
        {"v_minus", &p->v_minus, n},
        {"u_minus", &p->u_minus, m},
        {"w_ob", &p->w_ob, m},
        {"e_n", &p->e_n, c},
        {"e_t", &p->e_t, c},
        {"hF", &p->hF, n},
        {"gap", &p->gap, c},
        {"position", &p->position, 3 * c},
        {"solution_r", &p->solution_r, m},
        {"guess_r", &p->guess_r, m},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!strcmp(all[k].name, name)) return *count = all[k].count, all[k].at;
    return NULL;
}

int dls_flat_set_matrix(struct dls_flat_problem *p, const char *name, int rows,
                        int cols, const int *pointers, const int *j, const double *x,
                        char *error)
{
    struct dls_error err = {""};
    struct dls_csr **field = matrix_field(&p->problem, name);
    if (!field)
        return snprintf(error, DLS_FLAT_ERROR, "no matrix '%s'", name), DLS_EINVAL;
    const struct dls_matrix A = {rows, cols, NULL, pointers, j, x};
    return dls_handle_fail(dls_matrix_copy(field, &A, name, &p->arena, &err), &err,
                           error);
}

int dls_flat_set_vector(struct dls_flat_problem *p, const char *name, const double *x,
                        int count, char *error)
{
    int right = 1;
    bool time = !strcmp(name, "time"), step = !strcmp(name, "step");
    double **field = time || step ? NULL : vector_field(&p->problem, name, &right);
    if (!field && !time && !step)
        return snprintf(error, DLS_FLAT_ERROR, "no vector '%s'", name), DLS_EINVAL;
    if (count != right)
        return snprintf(error, DLS_FLAT_ERROR, "%s: %d entries, should be %d", name,
                        count, right),
               DLS_EINVAL;
    if (time) p->problem.time = *x;
    if (step) p->problem.step = *x;
    if (!field) return DLS_OK;
    *field = dls_copy(&p->arena, x, (size_t)count, sizeof *x);
    return dls_handle_fail(*field ? DLS_OK : DLS_ENOMEM, NULL, error);
}

int dls_flat_close(struct dls_flat_problem *p, const char *title, char *error)
{
    struct dls_error err = {""};
    if (title) p->problem.title = dls_text(&p->arena, "%s", title);
    if (p->problem.M && !p->problem.w)
        p->problem.w = DLS_NEW(&p->arena, double, p->problem.m);
    if (p->arena.failed) return dls_handle_fail(DLS_ENOMEM, NULL, error);
    return dls_handle_fail(dls_problem_check(&p->problem, &err), &err, error);
}

int dls_flat_size(const struct dls_flat_problem *handle, const char *name)
{
    const struct dls_problem *p = &handle->problem;
    const struct {
        const char *name;
        int size;
    } all[] = {{"contacts", p->contacts},
               {"d", p->d},
               {"m", p->m},
               {"n", p->n},
               {"joints", p->joints},
               {"rolling", p->rolling}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!strcmp(all[k].name, name)) return all[k].size;
    return -1;
}

const char *dls_flat_title(const struct dls_flat_problem *p)
{
    return p->problem.title;
}

const double *dls_flat_vector(const struct dls_flat_problem *p, const char *name,
                              int *count)
{
    *count = 1;
    if (!strcmp(name, "time")) return &p->problem.time;
    if (!strcmp(name, "step")) return &p->problem.step;
    // Only read: the table of fields serves both ways.
    double **field = vector_field((struct dls_problem *)&p->problem, name, count);
    return field ? *field : NULL;
}

int dls_flat_matrix(const struct dls_flat_problem *p, const char *name, int *rows,
                    int *cols, const int **pointers, const int **j, const double **x)
{
    struct dls_csr **field = matrix_field((struct dls_problem *)&p->problem, name);
    if (!field || !*field) return false;
    *rows = (*field)->rows;
    *cols = (*field)->cols;
    *pointers = (*field)->p;
    *j = (*field)->j;
    *x = (*field)->x;
    return true;
}

int dls_flat_save(const struct dls_flat_problem *p, const char *path, const double *r,
                  char *error)
{
    struct dls_error err = {""};
    struct dls_arena arena = {0};
    struct dls_judge *judge = NULL;
    struct dls_measures measures;
    struct dls_answer answer = {.r = r};
    enum dls_status status = DLS_OK;
    if (r) status = dls_judge_create(&judge, &p->problem, &arena, &err);
    if (judge && !status) {
        dls_judge_measure(judge, r, &measures);
        answer.u = dls_judge_u(judge);
        answer.v = dls_judge_v(judge);
        answer.l = dls_judge_lambda(judge);
    }
    if (!status)
        status = dls_snapshot_write(&p->problem, path, r ? &answer : NULL, &err);
    dls_judge_destroy(judge);
    dls_arena_free(&arena);
    return dls_handle_fail(status, &err, error);
}
