// SPDX-License-Identifier: Apache-2.0
// Norms of vectors of any size against BLAS.
#include "base/rng.h"
#include "base/vector.h"

#include <cblas.h>
#include <math.h>

#include "tests/support/support.h"

enum { N = 37 };

static void norms_are_those_of_blas(void **state)
{
    (void)state;
    static const double sizes[] = {1, 1e-160, 1e-200, 1e-290, 1e200, 1e300};
    struct dls_rng g = dls_rng_seed(3);
    for (int k = 0; k < 6; k++) {
        double x[N];
        for (int i = 0; i < N; i++) x[i] = sizes[k] * dls_rng_normal(&g);
        double norm = cblas_dnrm2(N, x, 1);
        assert_true(norm > 0 && isfinite(norm));
        // Two orders of summation over 37 terms: a few ulp.
        assert_close(dls_norm(N, x) / norm, 1, 1e-15);
    }
}

static void norms_at_the_ends_of_the_range(void **state)
{
    (void)state;
    assert_true(dls_norm(0, NULL) == 0);
    assert_true(dls_norm(2, (double[]){0, 0}) == 0);
    assert_true(dls_norm(1, (double[]){-5e-324}) == 5e-324);
    assert_true(dls_norm(2, (double[]){3e-320, 4e-320}) == 5e-320);
    assert_close(dls_norm(2, (double[]){3e307, 4e307}) / 5e307, 1, 1e-15);
    assert_close(dls_norm(2, (double[]){1e-200, 1}), 1, 0);
    assert_true(isinf(dls_norm(2, (double[]){-INFINITY, 1})));
    assert_true(isnan(dls_norm(3, (double[]){1, NAN, 1})));
    assert_true(isnan(dls_norm(3, (double[]){NAN, 0, 0}))); // not forgotten on the way
    assert_true(isnan(dls_largest(3, (double[]){2, NAN, 7})));
    assert_true(isnan(dls_norm(3, (double[]){1e-200, NAN, 1e200})));
}

static void the_others_by_hand(void **state)
{
    (void)state;
    double x[] = {1, -2, 3}, y[] = {4, 5, -6};
    assert_true(dls_dot(3, x, y) == -24);
    assert_true(dls_largest(3, y) == 6);
    assert_true(dls_distance_squared(3, x, y) == 139);
    dls_axpy(3, 2, x, y);
    assert_true(y[0] == 6 && y[1] == 1 && y[2] == 0);
    dls_scale(3, -1, x, x);
    assert_true(x[0] == -1 && x[1] == 2 && x[2] == -3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms_are_those_of_blas),
        cmocka_unit_test(norms_at_the_ends_of_the_range),
        cmocka_unit_test(the_others_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
