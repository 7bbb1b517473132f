// SPDX-License-Identifier: Apache-2.0
// The statistics of campaigns on data small enough to compute by hand.
#include <math.h>

#include "benchmarks/campaign/profile.h"
#include "tests/support/support.h"

// Logarithms and exponentials of numbers near 1 are good to a few units of round-off.
static const double tiny = 1e-14;

static struct dls_profile make(int problems, int solvers, const double *cost,
                               const double *charge, struct dls_arena *a)
{
    struct dls_profile f;
    assert_true(dls_profile_make(&f, problems, solvers, cost, charge, 1e-6, a));
    return f;
}

static void test_shares_and_means(void **state)
{
    (void)state;
    // Ratios: solver 0 has 1, 2, inf; solver 1 has 2, 1, 1.
    const double cost[] = {1, 2, 4, 2, INFINITY, 3};
    const double charge[] = {99.99, 99.99, 99.99, 99.99, 99.99, 99.99};
    struct dls_arena a = {0};
    struct dls_profile f = make(3, 2, cost, charge, &a);
    assert_int_equal(f.unsolved, 0);
    assert_int_equal(f.solved[0], 2);
    assert_int_equal(f.solved[1], 3);
    assert_int_equal(f.wins[0], 1);
    assert_int_equal(f.wins[1], 2);
    assert_close(dls_profile_share(&f, 0, 1), 1.0 / 3, tiny);
    assert_close(dls_profile_share(&f, 0, 1.99), 1.0 / 3, tiny);
    assert_close(dls_profile_share(&f, 0, 2), 2.0 / 3, tiny);
    assert_close(dls_profile_share(&f, 0, INFINITY), 2.0 / 3, tiny);
    assert_close(dls_profile_share(&f, 1, 1), 2.0 / 3, tiny);
    assert_close(dls_profile_share(&f, 1, 2), 1, tiny);
    assert_close(f.mean[0], sqrt(2), tiny);
    assert_close(f.mean[1], cbrt(2), tiny);
    assert_close(f.charged[0], cbrt(1.01 * 4.01 * 100) - 0.01, 100 * tiny);
    assert_close(f.charged[1], cbrt(2.01 * 2.01 * 3.01) - 0.01, 100 * tiny);
    dls_arena_free(&a);
}

static void test_ties_win_both(void **state)
{
    (void)state;
    const double cost[] = {3, 3, 5, 5};
    struct dls_arena a = {0};
    struct dls_profile f = make(2, 2, cost, NULL, &a);
    for (int s = 0; s < 2; s++) {
        assert_int_equal(f.wins[s], 2);
        assert_close(dls_profile_share(&f, s, 1), 1, 0);
        assert_close(f.mean[s], 1, 0);
    }
    dls_arena_free(&a);
}

// Problems that nobody solves stay in the denominator but not in the means.
static void test_unsolved_problems_count(void **state)
{
    (void)state;
    const double cost[] = {NAN, INFINITY, 1, 4, NAN, NAN, 2, INFINITY};
    const double charge[] = {80, 80, 80, 80, 80, 80, 80, 80};
    struct dls_arena a = {0};
    struct dls_profile f = make(4, 2, cost, charge, &a);
    assert_int_equal(f.unsolved, 2);
    assert_close(dls_profile_share(&f, 0, INFINITY), 0.5, 0);
    assert_close(dls_profile_share(&f, 1, INFINITY), 0.25, 0);
    assert_close(f.mean[1], 4, tiny);
    double logs = 3 * log(80.01) + log(4.01);
    assert_close(f.charged[1], exp(logs / 4) - 0.01, 1e-12); // of numbers near 40
    assert_false(isfinite(f.best[0]));
    dls_arena_free(&a);
}

static void test_a_solver_that_solves_nothing(void **state)
{
    (void)state;
    const double cost[] = {1, INFINITY, 1, INFINITY};
    struct dls_arena a = {0};
    struct dls_profile f = make(2, 2, cost, NULL, &a);
    assert_int_equal(f.solved[1], 0);
    assert_close(dls_profile_share(&f, 1, INFINITY), 0, 0);
    assert_true(isnan(f.mean[1]));
    assert_true(isnan(f.charged[1])); // no charge was given
    dls_arena_free(&a);
}

static void test_one_solver_alone(void **state)
{
    (void)state;
    const double cost[] = {7, INFINITY, 0.5};
    struct dls_arena a = {0};
    struct dls_profile f = make(3, 1, cost, NULL, &a);
    assert_close(dls_profile_share(&f, 0, 1), 2.0 / 3, tiny);
    assert_close(f.mean[0], 1, 0);
    dls_arena_free(&a);
}

static void test_no_problems(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_profile f = make(0, 2, NULL, NULL, &a);
    assert_close(dls_profile_share(&f, 0, INFINITY), 0, 0);
    assert_true(isnan(f.mean[0]) && isnan(f.charged[0]));
    dls_arena_free(&a);
}

// A cost of nothing must not make everyone else infinitely slow.
static void test_costs_have_a_floor(void **state)
{
    (void)state;
    const double cost[] = {0, 1e-6, 5e-6};
    struct dls_arena a = {0};
    struct dls_profile f = make(1, 3, cost, NULL, &a);
    assert_int_equal(f.wins[0], 1);
    assert_int_equal(f.wins[1], 1);
    assert_close(f.mean[2], 5, tiny);
    dls_arena_free(&a);
}

// One more failure never makes the mean better, however slow the success was.
static void test_failing_does_not_pay(void **state)
{
    (void)state;
    const double charge[] = {100, 100, 100, 100}; // ten times a limit of 10
    double before = NAN;
    for (int failures = 0; failures <= 4; failures++) {
        struct dls_arena a = {0};
        double cost[] = {1e-5, 0.1, 3, 10};
        for (int k = 0; k < failures; k++)
            cost[3 - k] = INFINITY; // the slow ones first
        struct dls_profile f = make(4, 1, cost, charge, &a);
        assert_true(!failures || f.charged[0] > before);
        before = f.charged[0];
        dls_arena_free(&a);
    }
    assert_close(before, 100, 1e-10); // all failed
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const double cost[] = {1, 2};
    for (int k = 1; k <= 6; k++) {
        struct dls_arena a = {.fail_at = k};
        struct dls_profile f;
        assert_false(dls_profile_make(&f, 1, 2, cost, NULL, 1e-6, &a));
        dls_arena_free(&a);
    }
}

static void test_ratio_of_pairs(void **state)
{
    (void)state;
    // Two columns of a table with two: pairs (1, 2), (8, 1), (inf, 1), (1, nan).
    const double cost[] = {1, 2, 8, 1, INFINITY, 1, 1, NAN};
    int common;
    assert_close(dls_ratio_mean(cost, cost + 1, 4, 2, 0, &common), 2, tiny);
    assert_int_equal(common, 2);
    assert_true(isnan(dls_ratio_mean(cost + 4, cost + 5, 1, 2, 0, &common)));
    assert_int_equal(common, 0);
}

static void test_median(void **state)
{
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {4, INFINITY, 1, 2},
           most[] = {INFINITY, 1, INFINITY};
    assert_close(dls_median(odd, 3), 2, 0);
    assert_close(dls_median(even, 4), 2, 0);
    assert_true(isinf(dls_median(most, 3)));
    assert_true(isnan(dls_median(odd, 0)));
}

static void test_history(void **state)
{
    (void)state;
    const double time[] = {1, 2, 4}, residual[] = {1, 0.1, 0.05};
    assert_close(dls_history_at(time, residual, 3, 0.5), 1, 0);
    assert_close(dls_history_at(time, residual, 3, 1), 1, 0);
    assert_close(dls_history_at(time, residual, 3, 2), 0.1, 0);
    assert_close(dls_history_at(time, residual, 3, 3.9), 0.1, 0);
    assert_close(dls_history_at(time, residual, 3, 9), 0.05, 0);
    assert_true(isinf(dls_history_at(time, residual, 0, 9)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_and_means),
        cmocka_unit_test(test_ties_win_both),
        cmocka_unit_test(test_unsolved_problems_count),
        cmocka_unit_test(test_a_solver_that_solves_nothing),
        cmocka_unit_test(test_one_solver_alone),
        cmocka_unit_test(test_no_problems),
        cmocka_unit_test(test_costs_have_a_floor),
        cmocka_unit_test(test_failing_does_not_pay),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_ratio_of_pairs),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
