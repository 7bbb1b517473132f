// SPDX-License-Identifier: Apache-2.0
// The largest eigenvalue of symmetric 3 x 3 matrices against LAPACK's, for spectra with
// one, two or three close eigenvalues at any size. 1e-14 of the largest entry: some dozens
// of roundings, and near a double eigenvalue five times as many.
#include "base/rng.h"
#include "base/symmetric3.h"

#include <lapacke.h>
#include <math.h>

#include "tests/support/support.h"

// S = Q diag(x) Q^T for a random rotation Q.
static void random_matrix(const double *x, struct dls_rng *g, double *S)
{
    double e[4], Q[9], sum = 0;
    for (int i = 0; i < 4; i++) e[i] = dls_rng_normal(g), sum += e[i] * e[i];
    for (int i = 0; i < 4; i++) e[i] /= sqrt(sum);
    double a = e[0], b = e[1], c = e[2], d = e[3];
    const double turn[9] = {
        1 - 2 * (c * c + d * d), 2 * (b * c - a * d),     2 * (b * d + a * c),
        2 * (b * c + a * d),     1 - 2 * (b * b + d * d), 2 * (c * d - a * b),
        2 * (b * d - a * c),     2 * (c * d + a * b),     1 - 2 * (b * b + c * c)};
    for (int i = 0; i < 9; i++) Q[i] = turn[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double entry = 0;
            for (int k = 0; k < 3; k++) entry += Q[3 * i + k] * x[k] * Q[3 * j + k];
            S[3 * i + j] = S[3 * j + i] = entry;
        }
}

static void test_against_lapack(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    const double close[] = {1, 0.1, 1e-3, 1e-7, 1e-12, 0};
    for (int k = 0; k < 6000; k++) {
        double scale = pow(10, dls_rng_range(&g, -20, 20)), near = close[k / 3 % 6];
        double x[3] = {1, 1 + (k % 3 ? near : 1) * dls_rng_real(&g),
                       1 + (k % 3 == 1 ? 1 : near) * dls_rng_real(&g)};
        double S[9], copy[9], values[3], work[16];
        if (k % 3 == 2) x[0] = dls_rng_range(&g, -2, 0); // the two largest are close
        for (int i = 0; i < 3; i++) x[i] *= scale;
        random_matrix(x, &g, S);
        for (int i = 0; i < 9; i++) copy[i] = S[i];
        assert_int_equal(LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'U', 3, copy, 3,
                                            values, work, 16),
                         0);
        assert_close(dls_symmetric3_largest(S) / scale, values[2] / scale, 1e-14 * 2);
    }
}

// What is out of range is said to be.
static void test_range(void **state)
{
    (void)state;
    const double huge[9] = {1e100, 1e99, 0, 1e99, 1e100, 0, 0, 0, 1};
    const double lost[9] = {NAN, 1, 0, 1, 1, 0, 0, 0, 1};
    assert_true(isnan(dls_symmetric3_largest(huge)));
    assert_true(isnan(dls_symmetric3_largest(lost)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_lapack),
        cmocka_unit_test(test_range),
    };
    return cmocka_run_group_tests_name("symmetric3", tests, NULL, NULL);
}
