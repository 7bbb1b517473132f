// SPDX-License-Identifier: Apache-2.0
// Quantiles of a spread against those of the sorted values.
#include "problems/mechanics/spread.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/support.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Residuals over 14 decades: each quantile is known within a part of its octave, 1/32,
// from below; two halves joined count like the whole.
static void test_quantiles_of_residuals(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    struct dls_rng g = dls_rng_seed(3);
    struct dls_spread *s = calloc(3, sizeof *s);
    double x[COUNT];
    for (int k = 0; k < COUNT; k++) {
        x[k] = pow(10, -14 * dls_rng_real(&g));
        dls_spread_add(&s[0], x[k]);
        dls_spread_add(&s[1 + k % 2], x[k]);
    }
    dls_spread_join(&s[1], &s[2]);
    qsort(x, COUNT, sizeof *x, ascending);
    for (int k = 1; k <= 10; k++) {
        double exact = x[k * COUNT / 10 - 1], found = dls_spread_quantile(s, 0.1 * k);
        assert_true(found <= exact && found >= exact / (1 + 1.0 / 32));
        assert_true(found == dls_spread_quantile(&s[1], 0.1 * k));
    }
    assert_true(s->most == x[COUNT - 1]);
    free(s);
}

static void test_small_integers_are_exact(void **state)
{
    (void)state;
    struct dls_spread *s = calloc(1, sizeof *s);
    assert_true(isnan(dls_spread_quantile(s, 0.5)));
    for (int k = 1; k <= 63; k++) dls_spread_add(s, k);
    assert_true(dls_spread_quantile(s, 0.5) == 32);
    assert_true(dls_spread_quantile(s, 1) == 63);
    dls_spread_add(s, NAN);
    assert_true(isinf(s->most));
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles_of_residuals),
        cmocka_unit_test(test_small_integers_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
