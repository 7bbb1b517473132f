// SPDX-License-Identifier: Apache-2.0
#include "tests/support/support_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

// Sets one option where it belongs.
static void set(const struct dls_solver *s, const struct dls_options *opt,
                const char *name, const char *value)
{
    struct dls_error err = {""};
    bool own = dls_option_find(s->options, name);
    enum dls_status status = dls_option_set(
        own ? s->options : s->takes->options,
        (void *)(own ? opt->solver : opt->formulation), name, value, s->name, &err);
    if (status != DLS_OK) fail_msg("%s", err.text);
}

struct support_run support_run(const char *solver, const char *options,
                               const struct dls_problem *p,
                               const struct dls_settings *settings, struct dls_arena *a)
{
    const struct dls_solver *s = dls_solver_find(solver);
    assert_non_null(s);
    struct dls_options opt = {DLS_NEW(a, char, s->options_size + 1),
                              DLS_NEW(a, char, s->takes->options_size + 1)};
    struct support_run run = {.r = DLS_NEW(a, double, p->m)};
    char name[32], value[32];
    int used;
    assert_false(a->failed);
    dls_option_defaults(s->options, (void *)opt.solver);
    dls_option_defaults(s->takes->options, (void *)opt.formulation);
    for (; sscanf(options, " %31[^=]=%31s%n", name, value, &used) == 2; options += used)
        set(s, &opt, name, value);
    dls_solve(s, &opt, p, settings, run.r, &run.stats);
    run.u = generated_u(p, run.r, a);
    return run;
}

static double *times(const double *x, int count, int power, struct dls_arena *a)
{
    double *y = dls_copy(a, x, (size_t)count, sizeof *x);
    for (int i = 0; i < count; i++) y[i] = ldexp(y[i], power);
    return y;
}

struct dls_problem support_rescale(const struct dls_problem *p, int mass, int speed,
                                   struct dls_arena *a)
{
    struct dls_problem other = *p;
    assert_true(dls_problem_is_global(p) && !p->joints);
    other.M = dls_copy(a, p->M, 1, sizeof *p->M);
    other.M->x = times(p->M->x, dls_csr_count(p->M), mass, a);
    other.f = times(p->f, p->n, mass + speed, a);
    other.w = times(p->w, p->m, speed, a);
    other.v_minus = other.u_minus = other.w_ob = other.hF = NULL;
    assert_false(a->failed);
    return other;
}

void support_units(const char *solver, const char *options, const struct dls_problem *p,
                   long steps)
{
    static const int units[][2] = {{20, 0}, {0, -12}, {-30, 8}};
    struct dls_arena a = {0};
    struct dls_settings settings = dls_settings_default();
    settings.tol = 0;
    settings.max_iter = steps;
    struct support_run one = support_run(solver, options, p, &settings, &a);
    assert_int_equal(one.stats.status, DLS_MAX_ITER);
    for (int k = 0; k < 3; k++) {
        int mass = units[k][0], speed = units[k][1];
        struct dls_problem q = support_rescale(p, mass, speed, &a);
        // The judge keeps the best iterate by a measure that depends on units; `merit`
        // does not.
        settings.measure = DLS_MERIT;
        one = support_run(solver, options, p, &settings, &a);
        struct support_run two = support_run(solver, options, &q, &settings, &a);
        assert_true(one.stats.iterations == two.stats.iterations);
        for (int i = 0; i < p->m; i++)
            if (two.r[i] != ldexp(one.r[i], mass + speed))
                fail_msg("%s: r[%d] = %.17g in other units is %.17g", solver, i,
                         one.r[i], ldexp(two.r[i], -mass - speed));
    }
    dls_arena_free(&a);
}
