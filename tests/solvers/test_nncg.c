// SPDX-License-Identifier: Apache-2.0
// nncg against the Gauss-Seidel method that it accelerates.
#include "formulations/files/snapshot.h"

#include "tests/support/support.h"
#include "tests/support/support_acceleration.h"
#include "tests/support/support_run.h"

// Conjugate directions need the root of the number of sweeps; found: 3 to 12 times fewer
// on stacks, 3.3 on walls. The factors asserted leave a margin of a third.
static const double factor[SUPPORT_SLOW_PROBLEMS] = {4, 7, 2, 2, 2, 6};

static void fewer_sweeps(void **state)
{
    (void)state;
    support_fewer_sweeps("nncg", factor);
}

static void hardly_more_sweeps(void **state)
{
    (void)state;
    support_hardly_more_sweeps("nncg");
}

static void snapshots(void **state)
{
    (void)state;
    support_fewer_on_snapshots("nncg");
}

static void honest_counts(void **state)
{
    (void)state;
    support_honest_sweeps("nncg");
}

static void units(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "push=2", &a);
    support_units("nncg", "", &p, 60);
    dls_arena_free(&a);
}

static void same_answers(void **state)
{
    (void)state;
    support_same_answers("nncg");
}

// Random sets on which the sweep behind the shortest one is long again, so that a method
// that returned to it every time stood still, at 1e-3 and 1e-4. Both are for Gauss-Seidel;
// returns become rare, and four times its sweeps are enough.
static void at_worst_gauss_seidel_with_detours(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "contacts=48 d=3 density=2.77 decades=0.74 geometry=parallel friction=equal "
        "mu=1.23 recede=1 seed=124",
        "contacts=13 d=2 density=2.97 decades=3.37 geometry=parallel friction=mixed "
        "mu=0.27 seed=382",
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate("random-bodies", sets[k], &a);
        struct support_run plain = support_run("pgs", "", &p, NULL, &a);
        struct support_run fast = support_run("nncg", "", &p, NULL, &a);
        print_message("set %zu: pgs %ld, nncg %ld\n", k, plain.stats.iterations,
                      fast.stats.iterations);
        assert_int_equal(plain.stats.status, DLS_OK);
        assert_int_equal(fast.stats.status, DLS_OK);
        assert_true(fast.stats.iterations <= 4 * plain.stats.iterations);
        dls_arena_free(&a);
    }
}

// Sets that are not for Gauss-Seidel either: it moves on all the same. Repeated iterates
// would be seen at the checks, which are at every sweep.
static void never_stands_still(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "contacts=40 d=3 density=4.98 decades=1.68 geometry=parallel friction=equal "
        "mu=0.87 seed=44",
        "contacts=75 d=3 density=4.27 decades=1.34 geometry=repeated friction=equal "
        "mu=1.17 seed=61",
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        struct dls_arena a = {0};
        struct dls_settings settings = dls_settings_default();
        struct dls_problem p = support_generate("random-bodies", sets[k], &a);
        settings.max_iter = 1000;
        settings.check_every = 1;
        struct support_run run = support_run("nncg", "", &p, &settings, &a);
        assert_int_equal(run.stats.status, DLS_MAX_ITER);
        dls_arena_free(&a);
    }
}

// Nine contacts that four plain sweeps solve: directions would make sixteen of them.
static void quick_sweeps_are_left_alone(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_settings settings = dls_settings_default();
    const char *path =
        support_corpus("fc3d/LMGC_GlobalFrictionContactProblem00046-cond.hdf5");
    if (!path) skip();
    assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, NULL), DLS_OK);
    struct support_run plain = support_run("pgs", "", &p, &settings, &a);
    struct support_run run = support_run("nncg", "", &p, &settings, &a);
    assert_int_equal(run.stats.status, DLS_OK);
    assert_int_equal(run.stats.iterations, plain.stats.iterations);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_sweeps),
        cmocka_unit_test(hardly_more_sweeps),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(at_worst_gauss_seidel_with_detours),
        cmocka_unit_test(never_stands_still),
        cmocka_unit_test(quick_sweeps_are_left_alone),
        cmocka_unit_test(honest_counts),
        cmocka_unit_test(units),
        cmocka_unit_test(same_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
