// SPDX-License-Identifier: Apache-2.0
// Projections on the friction cone: Moreau's decomposition characterises them, so each
// test is a theorem that only the right point satisfies.
#include "formulations/judge/cone.h"

#include "base/rng.h"

#include <math.h>

#include "tests/support/support.h"

static const struct {
    int d;
    bool rolling;
} kinds[] = {{1, false}, {2, false}, {3, false}, {3, true}, {5, true}};

static double dot(int d, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < d; i++) sum += x[i] * y[i];
    return sum;
}

// Worst violation of "z is in the dual cone K*": z_N >= mu |z_T| + mu_r |z_R|.
static double dual_excess(const struct dls_cone *K, const double *z)
{
    return dls_cone_shift(K, z) - z[0];
}

// y = p - z with p in K, z in K*, p . z = 0: the only such p is the projection of y.
static void moreau_decomposition(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    int seen[3] = {0, 0, 0};
    for (int trial = 0; trial < 20000; trial++) {
        int k = trial % 5, d = kinds[k].d;
        double mu = trial % 7 ? dls_rng_range(&g, 0, 2) : 0;
        struct dls_cone K =
            dls_cone_make(d, kinds[k].rolling, mu, dls_rng_range(&g, 0, 1));
        double y[5], p[5], z[5], size = pow(10, dls_rng_range(&g, -6, 6));
        for (int i = 0; i < d; i++) y[i] = size * dls_rng_normal(&g);
        seen[dls_cone_project(&K, y, p)]++;
        for (int i = 0; i < d; i++) z[i] = p[i] - y[i];
        // A few roundings of numbers of this size, amplified by mu <= 2.
        double eps = 1e-14 * size;
        assert_true(dls_cone_excess(&K, p) <= 10 * eps);
        assert_true(dual_excess(&K, z) <= 10 * eps);
        assert_close(dot(d, p, z), 0, 20 * eps * size);
    }
    for (int s = 0; s < 3; s++) assert_true(seen[s] > 500); // every branch was taken
}

static void idempotent_and_positively_homogeneous(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(2);
    for (int trial = 0; trial < 5000; trial++) {
        int k = trial % 5, d = kinds[k].d;
        struct dls_cone K = dls_cone_make(d, kinds[k].rolling, 0.7, 0.2);
        double y[5], p[5], pp[5], s[5];
        for (int i = 0; i < d; i++) y[i] = dls_rng_normal(&g);
        dls_cone_project(&K, y, p);
        dls_cone_project(&K, p, pp);
        for (int i = 0; i < d; i++) assert_close(pp[i], p[i], 1e-14);
        for (int i = 0; i < d; i++) s[i] = 8 * y[i];
        dls_cone_project(&K, s, s); // in place; a power of two scales exactly
        for (int i = 0; i < d; i++) assert_close(s[i], 8 * p[i], 0);
    }
}

static void states_by_hand(void **state)
{
    (void)state;
    struct dls_cone K = dls_cone_make(3, false, 0.5, 0);
    double p[3];
    assert_int_equal(dls_cone_project(&K, (const double[]){-1, 1, 0}, p), DLS_OPEN);
    assert_int_equal(dls_cone_project(&K, (const double[]){0, 0, 0}, p), DLS_OPEN);
    assert_int_equal(dls_cone_project(&K, (const double[]){2, 0.6, -0.8}, p),
                     DLS_STICK);
    // (1, 3, 4): |y_T| = 5, n = (1 + 2.5) / 1.25 = 2.8, p_T = 1.4 (0.6, 0.8)
    assert_int_equal(dls_cone_project(&K, (const double[]){1, 3, 4}, p), DLS_SLIP);
    assert_close(p[0], 2.8, 1e-15);
    assert_close(p[1], 0.84, 1e-15);
    assert_close(p[2], 1.12, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau_decomposition),
        cmocka_unit_test(idempotent_and_positively_homogeneous),
        cmocka_unit_test(states_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
