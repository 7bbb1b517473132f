// SPDX-License-Identifier: Apache-2.0
// The Lorentz cone: Jordan algebra, the scaling of Nesterov and Todd, the way to the
// boundary; and the formulation: scales, lifts, and that Coulomb's law is what it says.
#include "formulations/parts/lorentz.h"
#include "formulations/socp.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

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

// --- the formulation ------------------------------------------------------------------

enum { CONTACTS = 4, D = 3, M = CONTACTS * D };

// Contacts in the states open, stick, slip, and one without friction; W is dense.
static struct dls_problem four_contacts(double *r, double *u, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(4);
    const double states[CONTACTS][2][D] = {
        {{0, 0, 0}, {2, 0.3, -0.4}},
        {{1.5, 0.2, 0.1}, {0, 0, 0}},
        {{2, 0.6, 0.8}, {0, -0.3, -0.4}}, // mu = 0.5
        {{0.7, 0, 0}, {0, 1, 2}},         // mu = 0
    };
    double B[M * M], W[M * M], q[M], mu[CONTACTS] = {0.5, 0.5, 0.5, 0};
    for (int k = 0; k < M * M; k++) B[k] = dls_rng_normal(&g);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            W[i * M + j] = 0;
            for (int k = 0; k < M; k++) W[i * M + j] += B[i * M + k] * B[j * M + k];
        }
    for (int i = 0; i < M; i++) {
        r[i] = states[i / D][0][i % D];
        u[i] = states[i / D][1][i % D];
    }
    for (int i = 0; i < M; i++) {
        q[i] = u[i];
        for (int j = 0; j < M; j++) q[i] -= W[i * M + j] * r[j];
    }
    return support_local(CONTACTS, D, W, q, mu, a);
}

static struct dls_socp *build(const struct dls_problem *p, struct dls_arena *a)
{
    void *form;
    assert_int_equal(dls_formulation_socp.build(&form, p, NULL, a, NULL), DLS_OK);
    return form;
}

// Diagonal blocks of mean one, q of root mean square one.
static void scales(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double r[M], u[M], sum = 0;
    struct dls_problem p = four_contacts(r, u, &a);
    struct dls_socp *f = build(&p, &a);
    for (int c = 0; c < CONTACTS; c++) {
        double trace = 0;
        for (int i = 0; i < D; i++) trace += dls_bsr_diagonal(&f->W, c)[i * (D + 1)];
        assert_close(trace, p.mu[c] > 0 ? D : 1, 1e-14); // sums of three, round-off
    }
    for (int k = 0; k < M; k++) sum += f->q[k] * f->q[k];
    assert_close(sum, M, 1e-13);
    assert_true(f->symmetric);
    assert_null(f->H);
    dls_arena_free(&a);
}

// Of a known answer: x and y = W x + q + s e_N lie in their cones and are orthogonal.
static void the_law_between_cones(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double r[M], u[M], x[M], y[M], s[CONTACTS], back[M];
    struct dls_problem p = four_contacts(r, u, &a);
    struct dls_socp *f = build(&p, &a);
    dls_formulation_socp.start(f, r, x);
    dls_formulation_socp.lift(f, x, back);
    for (int k = 0; k < M; k++) assert_close(back[k], r[k], 1e-14);
    dls_bsr_multiply(&f->W, x, f->q, y);
    dls_socp_shift(f, y, s);
    for (int c = 0; c < CONTACTS; c++) {
        double *x_c = x + c * D, *y_c = y + c * D, dot = 0;
        y_c[0] += s[c];
        for (int i = 0; i < D; i++) dot += x_c[i] * y_c[i];
        // Round-off of q = u - W r with entries of W near 30, scaled to one.
        assert_close(dot, 0, 1e-12);
        assert_true(x_c[0] - dls_lorentz_norm(D, x_c) > -1e-12);
        assert_true(y_c[0] - dls_lorentz_norm(D, y_c) > -1e-12);
        if (p.mu[c] == 0) assert_close(fabs(x_c[1]) + fabs(y_c[2]), 0, 0);
    }
    dls_arena_free(&a);
}

static void unsymmetric_is_seen(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double r[M], u[M];
    struct dls_problem p = four_contacts(r, u, &a);
    p.W->x[1] += 1e-6;
    assert_false(build(&p, &a)->symmetric);
    dls_arena_free(&a);
}

static void rolling_is_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double r[M], u[M];
    struct dls_problem p = four_contacts(r, u, &a);
    struct dls_error err = {""};
    void *form;
    p.rolling = true;
    assert_int_equal(dls_formulation_socp.build(&form, &p, NULL, &a, &err),
                     DLS_UNSUPPORTED);
    assert_non_null(strstr(err.text, "rolling"));
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jordan_algebra),
        cmocka_unit_test(scaling_of_two_points),
        cmocka_unit_test(scaling_needs_inner_points),
        cmocka_unit_test(reach_ends_on_the_boundary),
        cmocka_unit_test(scales),
        cmocka_unit_test(the_law_between_cones),
        cmocka_unit_test(unsymmetric_is_seen),
        cmocka_unit_test(rolling_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
