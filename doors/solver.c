// SPDX-License-Identifier: Apache-2.0
// Solvers behind handles: named ones, those from files, and those made of the caller's
// functions.
#define _POSIX_C_SOURCE 200809L // strtok_r

#include "solvers/outside/outside.h"

#include "formulations/delassus.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

#include "doors/parts.h"

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && !strcmp(text + length - tail, end);
}

static enum dls_status find(struct dls_flat_solver *s, const char *name,
                            struct dls_error *err)
{
    const char *argv[] = {name, NULL};
    if (strchr(name, '/'))
        return ends_with(name, ".so")
                   ? dls_outside_load(&s->solver, name, err)
                   : dls_outside_program(&s->solver, argv, &s->arena, err);
    s->solver = dls_solver_find(name);
    return s->solver ? DLS_OK : dls_fail(err, DLS_EINVAL, "no solver '%s'", name);
}

// One "name=value" for the solver, else for its formulation.
static enum dls_status set(struct dls_flat_solver *s, char *setting,
                           struct dls_error *err)
{
    const struct dls_formulation *takes = s->solver->takes;
    char *equals = strchr(setting, '=');
    if (!equals)
        return dls_fail(err, DLS_EINVAL, "%s: '%s' is not of the form option=value",
                        s->solver->name, setting);
    *equals = 0;
    bool of_form = !dls_option_find(s->solver->options, setting)
                   && dls_option_find(takes->options, setting);
    return dls_option_set(
        of_form ? takes->options : s->solver->options,
        (void *)(of_form ? s->options.formulation : s->options.solver), setting,
        equals + 1, s->solver->name, err);
}

int dls_flat_solver_open(struct dls_flat_solver **out, const char *text, char *error)
{
    struct dls_error err = {""};
    struct dls_flat_solver *s = dls_handle_new(sizeof *s, error);
    *out = s;
    char *words = s ? dls_text(&s->arena, "%s", text) : NULL, *rest = NULL;
    if (!words) return dls_flat_solver_free(s), *out = NULL, DLS_ENOMEM;
    char *name = strtok_r(words, ":", &rest);
    enum dls_status status = find(s, name ? name : "", &err);
    if (!status) {
        void *own = dls_alloc(&s->arena, 1, s->solver->options_size);
        void *form = dls_alloc(&s->arena, 1, s->solver->takes->options_size);
        s->options = (struct dls_options){own, form};
        if (s->arena.failed) status = DLS_ENOMEM;
        if (!status) dls_option_defaults(s->solver->options, own);
        if (!status) dls_option_defaults(s->solver->takes->options, form);
    }
    for (char *word; !status && (word = strtok_r(NULL, ":", &rest));)
        status = set(s, word, &err);
    if (status) dls_flat_solver_free(s), *out = NULL;
    return dls_handle_fail(status, &err, error);
}

void dls_flat_solver_free(struct dls_flat_solver *s) { dls_handle_free(s); }

// --- of functions ------------------------------------------------------------------------

struct made {
    const struct dls_flat_functions *functions;
    int m;
};

static enum dls_status create(void **self, const void *form, const void *opt,
                              struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    const struct dls_delassus *f = form;
    const struct dls_flat_functions *functions = *self;
    if (f->problem->rolling) return dls_fail(err, DLS_UNSUPPORTED, "rolling rows");
    struct made *made = DLS_NEW(a, struct made, 1);
    if (!made) return DLS_ENOMEM;
    *made = (struct made){functions, f->m};
    *self = made;
    if (!f->m) return DLS_OK; // the judge is content with nothing
    return (enum dls_status)functions->create(functions->data, f->contacts, f->d,
                                              f->W->p, f->W->j, f->W->x, f->q, f->mu);
}

static enum dls_status step(void *self, double *r, struct dls_work *work)
{
    struct made *made = self;
    if (!made->m) return DLS_FINISHED;
    work->products++;
    return (enum dls_status)made->functions->step(
        made->functions->data, r, made->m, work->tol, work->deadline - dls_clock(),
        work->judged);
}

// The functions may keep whatever they like between steps.
static void reset(void *self, const double *z) { (void)self, (void)z; }

static void destroy(void *self)
{
    struct made *made = self;
    if (made->functions->destroy) made->functions->destroy(made->functions->data);
}

int dls_flat_solver_made(struct dls_flat_solver **out, const char *name,
                         const struct dls_flat_functions *functions, char *error)
{
    struct dls_flat_solver *s = *out = dls_handle_new(sizeof *s, error);
    if (!s) return DLS_ENOMEM;
    s->functions = *functions;
    s->made = (struct dls_solver){
        .name = dls_text(&s->arena, "%s", name),
        .brief = "functions of the caller",
        .cite = "",
        .use = "See its own documentation.",
        .fails = "See its own documentation.",
        .takes = &dls_formulation_delassus,
        .allocates = true,
        .context = &s->functions,
        .create = create,
        .reset = reset,
        .step = step,
        .destroy = destroy,
    };
    s->solver = &s->made;
    if (s->arena.failed) return dls_flat_solver_free(s), *out = NULL, DLS_ENOMEM;
    return DLS_OK;
}
