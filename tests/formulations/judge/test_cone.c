// SPDX-License-Identifier: Apache-2.0
// Projections on the friction cone: Moreau's decomposition characterises them, so each
// test is a theorem that only the right point satisfies.
#include "formulations/judge/cone.h"

#include "base/quad.h"
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

// |r - P_K(r - rho u~)|^2 by the definition, in 113 bits.
static double natural_in_quad(const struct dls_cone *K, const double *r,
                              const double *u, double rho)
{
    dls_quad y[5], p[5], a[2] = {0}, mu[2] = {K->mu, K->mu_r}, shift = 0, sum = 0;
    int rows[2] = {K->tangents, K->rolls};
    for (int i = 0; i < K->d; i++) p[i] = y[i] = r[i] - (dls_quad)rho * u[i];
    for (int k = 0, at = 1; k < 2; at += rows[k++]) {
        dls_quad slip = 0;
        for (int i = at; i < at + rows[k]; i++) {
            slip += (dls_quad)u[i] * u[i];
            a[k] += y[i] * y[i];
        }
        a[k] = dls_quad_sqrt(a[k]);
        shift += mu[k] * rho * dls_quad_sqrt(slip);
    }
    p[0] = y[0] -= shift;
    // phi' grows, so n is 0 where phi'(0) >= 0, or its zero: the stationary point of that
    // piece at which it comes nearest to zero.
    dls_quad n_best = 0, least = y[0] + mu[0] * a[0] + mu[1] * a[1]; // -phi'(0)
    for (int piece = 0; piece < 4 && least > 0; piece++) {
        dls_quad n = y[0], D = 1;
        for (int k = 0; k < 2; k++)
            if (piece >> k & 1) n += mu[k] * a[k], D += mu[k] * mu[k];
        n /= D;
        dls_quad slope = n - y[0];
        for (int k = 0; k < 2; k++)
            if (a[k] > mu[k] * n) slope -= mu[k] * (a[k] - mu[k] * n);
        if (n > 0 && dls_quad_abs(slope) < least)
            least = dls_quad_abs(slope), n_best = n;
    }
    p[0] = n_best;
    for (int k = 0, at = 1; k < 2; at += rows[k++])
        for (int i = at; i < at + rows[k]; i++)
            if (a[k] > mu[k] * n_best) p[i] = y[i] * (mu[k] * n_best / a[k]);
    for (int i = 0; i < K->d; i++) sum += (r[i] - p[i]) * (r[i] - p[i]);
    return (double)dls_quad_sqrt(sum);
}

// Friction from none to 1e10, impulses and velocities of any size, r near the boundary of
// the cone and slip against it, where the plain difference r - P_K(y) cancels.
static void natural_map_keeps_its_digits(void **state)
{
    (void)state;
    static const double coefficients[] = {0, 1e-300, 1e-8, 0.5, 30, 1e10};
    struct dls_rng g = dls_rng_seed(3);
    for (int trial = 0; trial < 50000; trial++) {
        int k = trial % 5, d = kinds[k].d;
        double mu = coefficients[trial / 5 % 6], nu = coefficients[trial / 30 % 6];
        struct dls_cone K = dls_cone_make(d, kinds[k].rolling, mu, nu);
        double r[5], u[5], R = pow(10, dls_rng_range(&g, -8, 8));
        double U = pow(10, dls_rng_range(&g, -8, 8));
        for (int i = 0; i < d; i++) {
            u[i] = U * dls_rng_normal(&g);
            r[i] = R * dls_rng_normal(&g);
        }
        if (trial % 3 == 0) // slip: r_T = -mu r_N u_T / |u_T|, u_N = 0
            for (int i = 1; i <= K.tangents; i++) {
                double length = hypot(u[1], K.tangents == 2 ? u[2] : 0);
                r[0] = fabs(r[0]), u[0] = 0;
                r[i] = -mu * r[0] * u[i] / length;
            }
        enum dls_contact_status status;
        double natural = dls_cone_natural(&K, r, u, 1, &status);
        double exact = natural_in_quad(&K, r, u, 1), size = 0;
        for (int i = 0; i < d; i++) size = fmax(size, fmax(fabs(r[i]), fabs(u[i])));
        // Roundings of r and u themselves: some units of the last place of the largest.
        assert_close(natural, exact, 1e-14 * size + 1e-14 * exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau_decomposition),
        cmocka_unit_test(idempotent_and_positively_homogeneous),
        cmocka_unit_test(states_by_hand),
        cmocka_unit_test(natural_map_keeps_its_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
