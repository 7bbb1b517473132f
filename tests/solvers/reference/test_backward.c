// SPDX-License-Identifier: Apache-2.0
// By how much data have to change for an answer to be exact, where that is known.
#include "solvers/reference/backward.h"

#include <math.h>

#include "tests/support/support.h"
#include "tests/support/support_refine.h"

// Of the impulses r, refined unless there is no time for it.
static double backward(const struct dls_problem *p, const double *r, bool refined)
{
    struct support_bench b;
    double omega;
    support_bench_open(&b, p);
    if (!refined) b.work.deadline = 0;
    support_bench_refine(&b, r);
    assert_int_equal(dls_backward_error(&omega, &b.refinement, &b.a), DLS_OK);
    support_bench_close(&b);
    return omega;
}

static void known_answers_are_exact(void **state)
{
    (void)state;
    const double W[] = {1, 0.8, 0.8, 1}, mu = 2;
    const double q[3][2] = {{0.1, 1}, {0.1, 1}, {-1.8, -1.62}};
    const double r[3][2] = {{0, 0}, {1 / 6.0, -2 / 6.0}, {1.4, 0.5}};
    for (int k = 0; k < 3; k++) { // open, slip, stick
        struct dls_arena a = {0};
        struct dls_problem p = support_local(1, 2, W, q[k], &mu, &a);
        assert_true(backward(&p, r[k], true) < 1e-30);
        dls_arena_free(&a);
    }
}

// Two equal contacts and q = (-1, -1 - 2 d): u = (d, -d) is the best for r = (1 + d) / 2 each,
// and blocks change by d / (1 + d + |q|).
static void contradictions_are_shared(void **state)
{
    (void)state;
    const double W[] = {1, 1, 1, 1}, mu[] = {0, 0}, r[] = {0.5, 0.5};
    const double apart[] = {1e-6, 1e-12, 0x1p-52};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        double d = apart[k], q[] = {-1, -1 - 2 * d};
        struct dls_problem p = support_local(2, 1, W, q, mu, &a);
        assert_close(backward(&p, r, true), d / (2 + d), 1e-3 * d);
        dls_arena_free(&a);
    }
}

// Where nothing happens sweeps leave impulses of 1e-109, and beside these any velocity is
// large. They count as none.
static void next_to_nothing_is_nothing(void **state)
{
    (void)state;
    const double W[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 4}, mu[] = {0.5, 0.5};
    const double q[] = {-1, 0, 0, 0}, r[] = {1, 0, 1e-109, 0};
    struct dls_arena a = {0};
    struct dls_problem p = support_local(2, 2, W, q, mu, &a);
    assert_true(backward(&p, r, true) < 1e-30);
    dls_arena_free(&a);
}

// W = I, q = (-1, 2), r = (1.1, -mu 1.1): u_N = 0.1 is to vanish, the slip is as it should be.
static void the_change_is_that_of_blocks(void **state)
{
    (void)state;
    const double W[] = {1, 0, 0, 1}, q[] = {-1, 2}, mu = 0.5, r[] = {1.1, -0.55};
    struct dls_arena a = {0};
    struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
    double size = sqrt(2) * hypot(1.1, 0.55) + sqrt(5);
    assert_close(backward(&p, r, false), 0.1 / size, 1e-15);
    dls_arena_free(&a);
}

// Velocities that penetrate, tangential ones of a contact that sticks, a slip aside.
static void every_violation_counts(void **state)
{
    (void)state;
    const double W[] = {1, 0, 0, 0, 3, 0, 0, 0, 1}, mu = 0.5;
    const double q[3][3] = {{-1, 0, 0}, {-1, 0.1, 0}, {-1, 3, 0.6}};
    const double r[3][3] = {{0.9, 0, 0}, {1, 0, 0}, {1, -0.5, 0}};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_local(1, 3, W, q[k], &mu, &a);
        assert_true(backward(&p, r[k], false) > 0.01);
        dls_arena_free(&a);
    }
}

static void global_problems_have_none(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("four-leg-table", "", &a);
    assert_true(isnan(backward(&p, support_solve(&p, 1e-12, &a), true)));
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_are_exact),
        cmocka_unit_test(contradictions_are_shared),
        cmocka_unit_test(next_to_nothing_is_nothing),
        cmocka_unit_test(the_change_is_that_of_blocks),
        cmocka_unit_test(every_violation_counts),
        cmocka_unit_test(global_problems_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
