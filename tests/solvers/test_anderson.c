// SPDX-License-Identifier: Apache-2.0
// anderson against the Gauss-Seidel method that it accelerates.
#include "solvers/contact/gauss_seidel.h"

#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_acceleration.h"
#include "tests/support/support_run.h"

// Found: 45 to 100 times fewer sweeps on stacks, 5.5 to 10 on walls. The factors asserted
// leave a margin of a third.
static const double factor[SUPPORT_SLOW_PROBLEMS] = {60, 45, 30, 3.5, 6, 100};

static void fewer_sweeps(void **state)
{
    (void)state;
    support_fewer_sweeps("anderson", factor);
}

static void hardly_more_sweeps(void **state)
{
    (void)state;
    support_hardly_more_sweeps("anderson");
}

static void snapshots(void **state)
{
    (void)state;
    support_fewer_on_snapshots("anderson");
}

static void honest_counts(void **state)
{
    (void)state;
    support_honest_sweeps("anderson");
}

static void units(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "push=2", &a);
    support_units("anderson", "", &p, 60);
    dls_arena_free(&a);
}

static void same_answers(void **state)
{
    (void)state;
    support_same_answers("anderson");
}

// Without memory anderson is pgs, bit by bit; so is the sweep called by hand.
static void plain_sweeps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "push=2", &a);
    struct dls_settings settings = dls_settings_default();
    settings.tol = 0;
    settings.max_iter = 30;
    static const char *const omegas[] = {"omega=1", "omega=0.8"};
    for (int k = 0; k < 2; k++) {
        char plain[32] = "memory=0 ";
        strcat(plain, omegas[k]);
        struct support_run one = support_run("pgs", omegas[k], &p, &settings, &a);
        struct support_run two = support_run("anderson", plain, &p, &settings, &a);
        assert_int_equal(one.stats.iterations, two.stats.iterations);
        assert_memory_equal(one.r, two.r, (size_t)p.m * sizeof *one.r);
        struct dls_delassus f;
        struct dls_gauss_seidel sweep;
        struct dls_work work = {0};
        double *r = DLS_NEW(&a, double, p.m);
        assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
        assert_int_equal(
            dls_gauss_seidel_create(&sweep, &f, k ? 0.8 : 1, DLS_SWEEP_GIVEN, &a, NULL),
            DLS_OK);
        for (long i = 0; i < one.stats.iterations; i++)
            dls_gauss_seidel_sweep(&sweep, r, &work);
        assert_memory_equal(one.r, r, (size_t)p.m * sizeof *r);
        assert_int_equal(work.local_solves, one.stats.iterations * p.contacts);
    }
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_sweeps),  cmocka_unit_test(hardly_more_sweeps),
        cmocka_unit_test(snapshots),     cmocka_unit_test(plain_sweeps),
        cmocka_unit_test(honest_counts), cmocka_unit_test(units),
        cmocka_unit_test(same_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
