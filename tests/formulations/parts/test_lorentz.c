// SPDX-License-Identifier: Apache-2.0
// The Lorentz cone: Jordan algebra, the scaling of Nesterov and Todd, the way to the
// boundary.
#include "formulations/parts/lorentz.h"

#include "base/rng.h"

#include <math.h>

#include "tests/support/support.h"

enum { SAMPLES = 200 };

// A point inside the cone, at a relative distance 10^-decades or more from its boundary.
static void inside(struct dls_rng *g, int d, double decades, double *x)
{
    double size = exp(dls_rng_range(g, -3, 3));
    double angle = dls_rng_range(g, 0, 6.283),
           gap = pow(10, -decades * dls_rng_real(g));
    x[0] = size;
    if (d > 1) x[1] = size * (1 - gap) * (d == 2 ? (angle < 3 ? 1 : -1) : cos(angle));
    if (d > 2) x[2] = size * (1 - gap) * sin(angle);
}

static double size_of(int d, const double *x)
{
    double sum = 0;
    for (int i = 0; i < d; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

// e o x = x, x o (x \ y) = y, and det(x o x) = det(x)^2.
static void jordan_algebra(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    for (int n = 0; n < SAMPLES; n++) {
        int d = 1 + n % 3;
        double x[3], y[3], z[3], back[3], e[3] = {1, 0, 0};
        inside(&g, d, 3, x);
        for (int i = 0; i < d; i++) y[i] = dls_rng_normal(&g);
        dls_lorentz_product(d, e, x, z);
        for (int i = 0; i < d; i++) assert_close(z[i], x[i], 0);
        dls_lorentz_divide(d, x, y, z);
        dls_lorentz_product(d, x, z, back);
        // Gaps down to 1e-3 make the division lose three digits, squared in z.
        for (int i = 0; i < d; i++) assert_close(back[i], y[i], 1e-11);
        dls_lorentz_product(d, x, x, z);
        double det = dls_lorentz_determinant(d, x);
        assert_close(dls_lorentz_determinant(d, z), det * det,
                     1e-11 * x[0] * z[0] * x[0]);
    }
}

// T^-1 x = T y = lambda, T^2 y = x in the frame of its eigenvectors, which are orthonormal
// with the largest eigenvalue first, T T^-1 = 1, x.y = |lambda|^2.
static void scaling_of_two_points(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(2);
    for (int n = 0; n < SAMPLES; n++) {
        int d = 1 + n % 3;
        double x[3], y[3], z[3], back[3], Q[9], square[3], dot = 0;
        struct dls_scaling T;
        inside(&g, d, 4, x);
        inside(&g, d, 4, y);
        assert_true(dls_scaling_make(&T, d, x, y));
        // Gaps of 1e-4 leave twelve digits of the determinants; sizes are up to 20, and
        // T itself is of the order of the root of the gap.
        double tol = 1e-9 * (1 + size_of(d, T.lambda));
        dls_scaling_undo(&T, d, x, z);
        for (int i = 0; i < d; i++) assert_close(z[i], T.lambda[i], tol);
        dls_scaling_apply(&T, d, z, back);
        for (int i = 0; i < d; i++) assert_close(back[i], x[i], 1e-9 * size_of(d, x));
        dls_scaling_frame(&T, d, Q, square);
        for (int i = 0; i < d; i++) {
            double there = 0, here = 0;
            for (int l = 0; l < d; l++) there += Q[i * d + l] * y[l];
            for (int l = 0; l < d; l++) here += Q[i * d + l] * x[l];
            assert_close(square[i] * there, here, 1e-7 * size_of(d, x));
            assert_close(here / square[i], there, 1e-7 * size_of(d, y));
            assert_true(square[i] <= square[0]);
            for (int k = 0; k <= i; k++) {
                double product = 0;
                for (int l = 0; l < d; l++) product += Q[i * d + l] * Q[k * d + l];
                assert_close(product, i == k, 1e-15);
            }
            dot += x[i] * y[i];
        }
        assert_close(size_of(d, T.lambda) * size_of(d, T.lambda), dot, 1e-9 * dot);
    }
}

static void scaling_needs_inner_points(void **state)
{
    (void)state;
    struct dls_scaling T;
    const double in[] = {1, 0.5, 0}, edge[] = {1, 1, 0}, out[] = {-1, 0, 0};
    assert_true(dls_scaling_make(&T, 3, in, in));
    assert_false(dls_scaling_make(&T, 3, in, edge));
    assert_false(dls_scaling_make(&T, 3, out, in));
}

// At the reach the point is on the boundary, before it inside; rays into the cone stay.
static void reach_ends_on_the_boundary(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(3);
    int finite = 0;
    for (int n = 0; n < SAMPLES; n++) {
        int d = 1 + n % 3;
        double x[3], dx[3], z[3];
        inside(&g, d, 2, x);
        for (int i = 0; i < d; i++) dx[i] = 3 * dls_rng_normal(&g);
        double t = dls_lorentz_reach(d, x, dx);
        assert_true(t > 0);
        if (isinf(t)) {
            assert_true(dx[0] >= dls_lorentz_norm(d, dx));
            continue;
        }
        finite++;
        for (int i = 0; i < d; i++) z[i] = x[i] + t * dx[i];
        assert_close(z[0], dls_lorentz_norm(d, z), 1e-10 * (x[0] + t * size_of(d, dx)));
        for (int i = 0; i < d; i++) z[i] = x[i] + 0.999 * t * dx[i];
        assert_true(z[0] > dls_lorentz_norm(d, z));
        assert_true(isinf(dls_lorentz_reach(d, x, x)));
    }
    assert_true(finite > SAMPLES / 2);
}

// x - rho y = z and x o y = nu e, for z inside and outside of the cone, of any size.
static void pairs_on_the_path(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(7);
    for (int n = 0; n < SAMPLES; n++) {
        int d = 1 + n % 3;
        double rho = exp(dls_rng_range(&g, -5, 5)), nu = exp(dls_rng_range(&g, -9, 3));
        double z[3], x[3], y[3], product[3];
        for (int i = 0; i < d; i++) z[i] = dls_rng_range(&g, -10, 10);
        if (d > 1 && n % 5 == 0) z[1] = z[2] = 0;
        dls_lorentz_pair(d, rho, nu, z, x, y);
        assert_true(x[0] > dls_lorentz_norm(d, x) && y[0] > dls_lorentz_norm(d, y));
        dls_lorentz_product(d, x, y, product);
        double size = size_of(d, x) * size_of(d, y);
        for (int i = 0; i < d; i++) {
            assert_close(x[i] - rho * y[i], z[i],
                         1e-12 * (size_of(d, x) + rho * size_of(d, y)));
            assert_close(product[i], i ? 0 : nu, 1e-12 * size);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_on_the_path),
        cmocka_unit_test(jordan_algebra),
        cmocka_unit_test(scaling_of_two_points),
        cmocka_unit_test(scaling_needs_inner_points),
        cmocka_unit_test(reach_ends_on_the_boundary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
