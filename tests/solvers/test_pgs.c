// SPDX-License-Identifier: Apache-2.0
// That it is Gauss-Seidel: its rates are known to the last digit on stacks and on heavy
// over light; that the two forms are one method; that options do what they say.
#include "solvers/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

enum { MOST = 4000 };

struct history {
    int count;
    double natural[MOST];
};

static void record(const struct dls_progress *progress, void *data)
{
    struct history *h = data;
    if (h->count < MOST) h->natural[h->count++] = progress->measures->natural;
}

// Options from text for a solver, all from the arena.
static struct dls_options options(const struct dls_solver *s, const char *text,
                                  struct dls_arena *a)
{
    void *opt = DLS_NEW(a, char, s->options_size);
    char name[32], value[32];
    int used;
    dls_option_defaults(s->options, opt);
    for (; sscanf(text, " %31[^=]=%31s%n", name, value, &used) == 2; text += used)
        assert_int_equal(dls_option_set(s->options, opt, name, value, s->name, NULL),
                         DLS_OK);
    return (struct dls_options){.solver = opt};
}

static void solve(const char *solver, const char *text, const struct dls_problem *p,
                  struct dls_settings settings, double *r, struct dls_stats *stats)
{
    struct dls_arena a = {0};
    const struct dls_solver *s = dls_solver_find(solver);
    struct dls_options opt = options(s, text, &a);
    dls_solve(s, &opt, p, &settings, r, stats);
    dls_arena_free(&a);
}

// Error factor per sweep, from the last sweeps above 1e-9, where one mode is left and
// round-off (1e-16) is below the fourth digit.
static double factor(const char *solver, const char *generator, const char *opt,
                     int window)
{
    struct dls_arena a = {0};
    struct history *h = calloc(1, sizeof *h);
    struct dls_problem p = support_generate(generator, opt, &a);
    double *r = DLS_NEW(&a, double, p.m);
    struct dls_stats stats;
    struct dls_settings settings = dls_settings_default();
    settings.tol = 1e-9;
    settings.check_every = 1;
    settings.monitor = record;
    settings.data = h;
    solve(solver, "", &p, settings, r, &stats);
    assert_int_equal(stats.status, DLS_OK);
    assert_true(h->count > 2 * window && h->count < MOST);
    int last = h->count - 1;
    double result = pow(h->natural[last] / h->natural[last - window], 1.0 / window);
    free(h);
    dls_arena_free(&a);
    return result;
}

static const char *const both[] = {"pgs", "pgs-bodies"};

// T20: cos^2(pi / 2n) on a stack of n.
static void rate_on_stacks(void **state)
{
    (void)state;
    static const int sizes[] = {3, 5, 10, 20};
    for (int k = 0; k < 8; k++) {
        int n = sizes[k / 2];
        char opt[32];
        snprintf(opt, sizeof opt, "n=%d mu=0", n);
        double c = cos(acos(-1) / (2 * n)), expected = c * c;
        double found = factor(both[k % 2], "stack", opt, 4);
        print_message("%s, stack of %d: 1 - factor %.6f, expected %.6f\n", both[k % 2],
                      n, 1 - found, 1 - expected);
        assert_close(1 - found, 1 - expected, 5e-4 * (1 - expected)); // three digits
    }
}

// T21: M / (M + m) for heavy on light.
static void rate_on_mass_ratios(void **state)
{
    (void)state;
    static const double ratios[] = {10, 100};
    for (int k = 0; k < 4; k++) {
        double ratio = ratios[k / 2], expected = ratio / (ratio + 1);
        char opt[32];
        snprintf(opt, sizeof opt, "ratio=%g mu=0", ratio);
        double found = factor(both[k % 2], "heavy-on-light", opt, 20);
        print_message("%s, ratio %g: 1 - factor %.6f, expected %.6f\n", both[k % 2],
                      ratio, 1 - found, 1 - expected);
        assert_close(1 - found, 1 - expected, 5e-4 * (1 - expected));
    }
}

// The optimal omega of T20 needs far fewer sweeps than omega = 1: n instead of n^2.
static void over_relaxation(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("stack", "n=20 mu=0", &a);
    double *r = DLS_NEW(&a, double, p.m), best = 2 / (1 + sin(acos(-1) / 40));
    struct dls_stats plain, over;
    char opt[32];
    solve("pgs", "", &p, dls_settings_default(), r, &plain);
    memset(r, 0, (size_t)p.m * sizeof *r);
    snprintf(opt, sizeof opt, "omega=%.15g", best);
    solve("pgs", opt, &p, dls_settings_default(), r, &over);
    assert_int_equal(over.status, DLS_OK);
    print_message("sweeps: %ld, with omega %.4f %ld\n", plain.iterations, best,
                  over.iterations);
    // Theory: rate (omega - 1)^k (1 + k c) against cos^2: about 2000 against 190.
    assert_true(8 * over.iterations < plain.iterations);
    dls_arena_free(&a);
}

// Moreau's two forms of the method make the same iterates but for round-off.
static void one_method_in_two_forms(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "push=2", &a);
    double *r = DLS_NEW(&a, double, p.m), *s = DLS_NEW(&a, double, p.m);
    struct dls_stats one, two;
    struct dls_settings settings = dls_settings_default();
    settings.max_iter = 30;
    settings.tol = 0;
    for (int k = 0; k < 3; k++) {
        static const char *const orders[] = {"order=given", "order=symmetric",
                                             "order=shuffled omega=0.9"};
        memset(r, 0, (size_t)p.m * sizeof *r);
        memset(s, 0, (size_t)p.m * sizeof *s);
        solve("pgs", orders[k], &p, settings, r, &one);
        solve("pgs-bodies", orders[k], &p, settings, s, &two);
        double size = 0, off = 0;
        for (int i = 0; i < p.m; i++) {
            size = fmax(size, fabs(r[i]));
            off = fmax(off, fabs(r[i] - s[i]));
        }
        assert_true(one.iterations == two.iterations && off <= 1e-9 * size);
    }
    dls_arena_free(&a);
}

// The seed decides the shuffles; another seed, another path to the same tolerance.
static void seeds(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("manufactured", "contacts=60", &a);
    size_t bytes = (size_t)p.m * sizeof(double);
    double *r[3];
    struct dls_stats stats;
    for (int k = 0; k < 3; k++) {
        struct dls_settings settings = dls_settings_default();
        settings.seed = k == 2 ? 9 : 4;
        settings.tol = 1e-4;
        r[k] = DLS_NEW(&a, double, p.m);
        solve("pgs", "order=shuffled", &p, settings, r[k], &stats);
        assert_int_equal(stats.status, DLS_OK);
    }
    assert_memory_equal(r[0], r[1], bytes);
    assert_memory_not_equal(r[0], r[2], bytes);
    dls_arena_free(&a);
}

// Refreshing v every sweep or hardly ever changes round-off only.
static void refresh(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("stack", "n=10 mu=0", &a);
    struct dls_stats often, seldom;
    double *r = DLS_NEW(&a, double, p.m);
    solve("pgs-bodies", "refresh=1", &p, dls_settings_default(), r, &often);
    memset(r, 0, (size_t)p.m * sizeof *r);
    solve("pgs-bodies", "refresh=1000000", &p, dls_settings_default(), r, &seldom);
    assert_int_equal(often.status, DLS_OK);
    assert_int_equal(seldom.status, DLS_OK);
    assert_true(labs(often.iterations - seldom.iterations)
                <= often.iterations / 50 + 1);
    dls_arena_free(&a);
}

// Painlevé's rod: the ambiguous contact is counted.
static void ambiguity_is_counted(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate(
        "rod", "angle=63.43494882292201 mu=1.6 u_n=0.05 u_t=1 e_n=0 gravity=1", &a);
    struct dls_stats stats;
    double *r = DLS_NEW(&a, double, p.m);
    r[0] = 1; // not an answer, so that there is a sweep to count in
    solve("pgs", "", &p, dls_settings_default(), r, &stats);
    assert_int_equal(stats.status, DLS_OK);
    assert_int_equal(stats.work.ambiguous, 1);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_on_stacks),
        cmocka_unit_test(rate_on_mass_ratios),
        cmocka_unit_test(over_relaxation),
        cmocka_unit_test(one_method_in_two_forms),
        cmocka_unit_test(seeds),
        cmocka_unit_test(refresh),
        cmocka_unit_test(ambiguity_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
