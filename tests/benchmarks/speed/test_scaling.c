// SPDX-License-Identifier: Apache-2.0
// The parts of the scaling study: the fit of a power law against closed forms, and the
// sizes of the structures.
#include <math.h>

#include "benchmarks/speed/scaling.h"
#include "tests/support/support.h"

// Exact points give the law back; 1e-12 is the rounding of a few logarithms.
static void test_exact_law(void **state)
{
    (void)state;
    double x[6], y[6];
    for (int k = 0; k < 6; k++) {
        x[k] = 300 * pow(10, k / 2.0);
        y[k] = 2.5e-6 * pow(x[k], 1.25);
    }
    struct dls_power_law law = dls_power_law_fit(x, y, 6);
    assert_int_equal(law.points, 6);
    assert_close(law.exponent, 1.25, 1e-12);
    assert_close(law.factor / 2.5e-6, 1, 1e-12);
    assert_close(law.lo, x[0], 0);
    assert_close(law.hi, x[5], 0);
}

// Decades (0, 0), (1, 1), (2, 3): the regression line is 3/2 x - 1/6.
static void test_least_squares(void **state)
{
    (void)state;
    const double x[] = {1, 10, 100}, y[] = {1, 10, 1000};
    struct dls_power_law law = dls_power_law_fit(x, y, 3);
    assert_close(law.exponent, 1.5, 1e-12);
    assert_close(law.factor, pow(10, -1.0 / 6), 1e-12);
}

// What did not converge, or cannot have a logarithm, changes neither fit nor range.
static void test_points_left_out(void **state)
{
    (void)state;
    const double x[] = {1, 10, 50, 100, 0, 1e6, 1e7};
    const double y[] = {2, 20, NAN, 200, 5, INFINITY, -1};
    struct dls_power_law law = dls_power_law_fit(x, y, 7);
    assert_int_equal(law.points, 3);
    assert_close(law.exponent, 1, 1e-12);
    assert_close(law.factor, 2, 1e-12);
    assert_close(law.hi, 100, 0);
}

static void test_no_law(void **state)
{
    (void)state;
    const double x[] = {10, 10, 10}, y[] = {1, 2, 3}, none[] = {NAN, NAN, NAN};
    assert_true(isnan(dls_power_law_fit(x, y, 3).exponent)); // one size
    assert_int_equal(dls_power_law_fit(x, y, 3).points, 3);
    assert_true(isnan(dls_power_law_fit(x, y, 1).exponent));
    assert_true(isnan(dls_power_law_fit(x, none, 3).exponent));
    assert_int_equal(dls_power_law_fit(x, none, 3).points, 0);
}

// Neighbouring sizes of a family differ by a factor of 1.9 at most from 250 contacts on
// (a packing of 5 and of 6, a pyramid of 5 and of 6), hence the nearest in ratio is
// within its root; the count of packings is itself a guess.
static void test_sizes(void **state)
{
    (void)state;
    for (int family = 0; family < DLS_FAMILIES; family++)
        for (double wanted = 300; wanted < 2e4; wanted *= 2.7) {
            struct dls_arena a = {0};
            struct dls_problem p;
            assert_int_equal(dls_family_make(&p, family, wanted, &a, NULL), DLS_OK);
            double ratio = p.contacts / wanted;
            if (ratio < 1 / 1.45 || ratio > 1.45)
                fail_msg("%s: %d contacts for %g", dls_family_names[family], p.contacts,
                         wanted);
            dls_arena_free(&a);
        }
}

// Memory and contacts grow alike: making a problem is linear.
static void test_linear(void **state)
{
    (void)state;
    for (int family = 0; family < DLS_FAMILIES; family++) {
        double contacts[3], bytes[3];
        for (int k = 0; k < 3; k++) {
            struct dls_arena a = {0};
            struct dls_problem p;
            double wanted = 2000 * pow(4, k);
            assert_int_equal(dls_family_make(&p, family, wanted, &a, NULL), DLS_OK);
            contacts[k] = p.contacts;
            bytes[k] = (double)a.peak;
            dls_arena_free(&a);
        }
        // Surfaces count for less in larger structures, which costs some percent.
        assert_close(dls_power_law_fit(contacts, bytes, 3).exponent, 1, 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_law),       cmocka_unit_test(test_least_squares),
        cmocka_unit_test(test_points_left_out), cmocka_unit_test(test_no_law),
        cmocka_unit_test(test_sizes),           cmocka_unit_test(test_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
