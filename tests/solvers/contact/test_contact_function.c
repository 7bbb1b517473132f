// SPDX-License-Identifier: Apache-2.0
// The contact functions of Newton's method: derivatives, kinks, zeros, scaling.
#include "solvers/contact/contact.h"
#include "solvers/contact/contact_function.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

enum { KINDS = 4, POINTS = 4000 };

// --- small helpers --------------------------------------------------------------------

static bool prepare(struct dls_local_contact *c, int d, const double *A, double mu)
{
    struct dls_cone K = dls_cone_make(d, false, mu, 0);
    return dls_contact_prepare(c, &K, A);
}

static void evaluate(int kind, int d, double mu, const double *x,
                     struct dls_contact_value *v)
{
    dls_contact_function_of(kind)(d, mu, x, x + 3, v); // x = (r, u), three places each
}

static double distance(const double *x, const double *y, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i] - y[i]));
    return largest;
}

static double difference(int d, const struct dls_contact_value *v,
                         const struct dls_contact_value *w)
{
    return fmax(distance(v->F_r, w->F_r, d * d), distance(v->F_u, w->F_u, d * d));
}

static void random_point(struct dls_rng *g, int d, double *x)
{
    for (int i = 0; i < 6; i++) x[i] = i % 3 < d ? dls_rng_normal(g) : 0;
}

// The branch of the projections at (r, u).
static enum dls_contact_status branch(int d, double mu, const double *x)
{
    struct dls_cone K = dls_cone_make(d, false, mu, 0);
    double y[3];
    for (int i = 0; i < d; i++) y[i] = x[i] - x[3 + i];
    y[0] -= dls_cone_shift(&K, x + 3);
    return dls_cone_project(&K, y, y);
}

// --- derivatives ----------------------------------------------------------------------

// Central differences against both Jacobians. False where the Jacobians at the two ends
// differ, which is a kink (or a strong curvature) in between.
static bool differences_agree(int kind, int d, double mu, const double *x)
{
    const double h = 1e-6;
    struct dls_contact_value v, plus, minus;
    evaluate(kind, d, mu, x, &v);
    for (int k = 0; k < 6; k++) {
        if (k % 3 >= d) continue;
        double y[6];
        memcpy(y, x, sizeof y);
        y[k] = x[k] + h;
        evaluate(kind, d, mu, y, &plus);
        y[k] = x[k] - h;
        evaluate(kind, d, mu, y, &minus);
        if (difference(d, &plus, &minus) > 1e-3) return false;
        const double *J = k < 3 ? v.F_r : v.F_u;
        // Having passed the test above, the second derivatives are below 1e-3 / 2h = 500.
        // F is homogeneous, so this is 1 / (distance to a kink) and the third ones are of
        // order 500^2: h^2 / 6 of them is 4e-8, and round-off / h is 1e-9.
        for (int i = 0; i < d; i++)
            assert_close((plus.F[i] - minus.F[i]) / (2 * h), J[i * d + k % 3], 1e-6);
    }
    return true;
}

static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    for (int kind = 0; kind < KINDS; kind++)
        for (int d = 1; d <= 3; d++) {
            int seen[3] = {0}, kinks = 0;
            for (int n = 0; n < POINTS; n++) {
                double x[6], mu = n % 10 ? dls_rng_range(&g, 0.1, 1.5) : 0;
                random_point(&g, d, x);
                if (differences_agree(kind, d, mu, x))
                    seen[branch(d, mu, x)]++;
                else
                    kinks++;
            }
            assert_true(kinks < POINTS / 50);
            assert_true(seen[DLS_OPEN] > POINTS / 20);
            assert_true(seen[DLS_STICK] > POINTS / 100);
            assert_true(d == 1 || seen[DLS_SLIP] > POINTS / 20);
        }
}

// True when F has the derivatives w at y: one-sided differences with a step of 1e-10, far
// below the distance 1e-8 of y from the kink, agree from both sides.
static bool is_smooth(int kind, int d, double mu, const double *y,
                      const struct dls_contact_value *w)
{
    struct dls_contact_value moved;
    for (int k = 0; k < 12; k++) {
        int at = k / 2;
        double z[6], h = k % 2 ? 1e-10 : -1e-10;
        if (at % 3 >= d) continue;
        memcpy(z, y, sizeof z);
        z[at] += h;
        evaluate(kind, d, mu, z, &moved);
        const double *J = at < 3 ? w->F_r : w->F_u;
        for (int i = 0; i < d; i++)
            if (!(fabs((moved.F[i] - w->F[i]) / h - J[i * d + at % 3]) < 0.02))
                return false;
    }
    return true;
}

// The smallest difference between the Jacobian at x and those at smooth points 1e-5 away,
// in directions of the plane (N, T1) of r and of u.
static double miss_of_limits(int kind, int d, double mu, const double *x)
{
    static const double parts[] = {-1, -1e-3, 0, 1e-3, 1};
    struct dls_contact_value v, w;
    double best = INFINITY, y[6];
    evaluate(kind, d, mu, x, &v);
    for (int n = 0; n < 625; n++) {
        memcpy(y, x, sizeof y);
        y[0] += 1e-5 * parts[n % 5];
        y[3] += 1e-5 * parts[n / 5 % 5];
        if (d > 1) y[1] += 1e-5 * parts[n / 25 % 5];
        if (d > 1) y[4] += 1e-5 * parts[n / 125];
        evaluate(kind, d, mu, y, &w);
        double miss = difference(d, &v, &w);
        if (miss < best && is_smooth(kind, d, mu, y, &w)) best = miss;
    }
    return best;
}

// Tangents of kinks lie on the first one. The parts 1e-3 above leave a turn of 1e-3.
static void derivatives_at_kinks_are_limits(void **state)
{
    (void)state;
    static const double mu = 0.5,
                        kinks[][6] = {
                            {0, 0, 0, 0, 0, 0}, // the apex and no velocity
                            {1, 0, 0, 1, 0, 0}, // between open and closed
                            {0, 0, 0, 1, 0, 0}, // open, no slip
                            {1, 0.5, 0, 0, 0,
                             0}, // between stick and slip, |u_T| has its kink too
                            {1, -0.5, 0, 0, 0, 0}, //
                            {1, 0.25, 0, 0, 0, 0}, // stick: the kink of |u_T| alone
                            {0, 0, 0, 0, 1, 0}, // r = 0 at a velocity on the edge of K*
                            {0, 0, 0, 0, -1, 0}, //
                            {1, 0.5, 0, 0, 2,
                             0}, // x and y on one ray of the Lorentz cone's boundary
                            {0, 0.3, 0, 0, 0, 0}, // outside the cone at r_N = 0
                            {2, 0.5, 0, 1, 0,
                             0}, // Alart-Curnier's disk touched, r_N - u_N > 0
                        };
    for (int kind = 0; kind < KINDS; kind++)
        for (int d = 1; d <= 3; d++)
            for (size_t n = 0; n < sizeof kinks / sizeof *kinks; n++) {
                double x[6] = {0};
                for (int i = 0; i < 6; i++) x[i] = i % 3 < d ? kinks[n][i] : 0;
                double miss = miss_of_limits(kind, d, mu, x);
                if (!(miss < 1e-2))
                    print_error("kind %d, d %d, kink %zu\n", kind, d, n);
                assert_close(miss, 0, 1e-2);
            }
}

// --- zeros ----------------------------------------------------------------------------

// A random block with A_NN > mu |A_NT|, symmetric positive definite, then a little
// unsymmetric.
static void random_block(struct dls_rng *g, int d, double *A)
{
    double B[9];
    for (int k = 0; k < d * d; k++) B[k] = dls_rng_normal(g);
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) {
            double sum = 3 * (i == l) + 0.05 * dls_rng_normal(g);
            for (int n = 0; n < d; n++) sum += B[i * d + n] * B[l * d + n];
            A[i * d + l] = sum;
        }
}

static double size_of(int d, const double *x)
{
    double sum = 0;
    for (int i = 0; i < d; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void answers_are_zeros_and_nothing_else(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(2);
    for (int n = 0; n < 3 * POINTS; n++) {
        int d = 1 + n % 3;
        double A[9], b[3], x[6] = {0}, mu = n % 7 ? dls_rng_range(&g, 0.05, 0.5) : 0;
        struct dls_local_contact contact;
        random_block(&g, d, A);
        for (int i = 0; i < d; i++) b[i] = dls_rng_normal(&g);
        assert_true(prepare(&contact, d, A, mu));
        dls_contact_solver_for(d, false)(&contact, A, b, x, NULL);
        double wrong =
            n % 2 ? 0.1 * dls_rng_normal(&g) : 0; // every other one is spoilt
        for (int i = 0; i < d; i++) x[i] += wrong * dls_rng_normal(&g);
        for (int i = 0; i < d; i++) {
            x[3 + i] = b[i];
            for (int l = 0; l < d; l++) x[3 + i] += A[i * d + l] * x[l];
        }
        struct dls_contact_value v;
        evaluate(DLS_NATURAL_MAP, d, mu, x, &v);
        double natural = size_of(d, v.F);
        for (int kind = 0; kind < KINDS; kind++) {
            evaluate(kind, d, mu, x, &v);
            // Local answers are exact to 1e-14 of numbers below 10. The functions bound
            // each other by factors that grow like 1 / mu <= 20.
            if (wrong == 0) assert_close(size_of(d, v.F), 0, 1e-11);
            assert_true(size_of(d, v.F) > 0.01 * natural - 1e-11);
        }
        if (fabs(wrong) > 0.01 && natural < 1e-6) // a spoilt r may not remain an answer
            fail_msg("natural %g for r off by %g", natural, wrong);
    }
}

// --- scaling --------------------------------------------------------------------------

// s W_aa s has the normal entry and the largest tangential eigenvalue equal to `factor`,
// and a scaled answer of the law is one of the scaled law.
static void scales_make_a_unit_diagonal(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(3);
    for (int n = 0; n < 600; n++) {
        int d = 1 + n % 3;
        double A[9], b[3], r[3] = {0}, x[6] = {0}, s[3], mu = 0.4;
        struct dls_local_contact contact;
        random_block(&g, d, A);
        for (int k = 0; k < d * d; k++)
            A[k] *= k == 0 ? 1e4 : k % d && k >= d ? 1 : 1e2;
        for (int i = 0; i < d; i++) b[i] = dls_rng_normal(&g);
        dls_contact_scales(d, A, 2, s);
        assert_close(s[0] * s[0] * A[0], 2, 1e-14);
        if (d == 2) assert_close(s[1] * s[1] * A[3], 2, 1e-14);
        if (d == 3) { // det(2 I - s^2 sym(A_TT)) = 0 with a larger trace than the root
            double t = s[1] * s[1], off = 0.5 * t * (A[5] + A[7]);
            assert_close((2 - t * A[4]) * (2 - t * A[8]) - off * off, 0, 1e-13);
            assert_true(t * A[4] <= 2 && t * A[8] <= 2);
        }
        assert_true(prepare(&contact, d, A, mu));
        dls_contact_solver_for(d, false)(&contact, A, b, r, NULL);
        for (int i = 0; i < d; i++) {
            double u = b[i];
            for (int l = 0; l < d; l++) u += A[i * d + l] * r[l];
            x[i] = r[i] / s[i];
            x[3 + i] = s[i] * u;
        }
        struct dls_contact_value v;
        for (int kind = 0; kind < KINDS; kind++) {
            evaluate(kind, d, d > 1 ? mu * s[0] / s[1] : 0, x, &v);
            assert_close(size_of(d, v.F), 0, 1e-10);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(derivatives_at_kinks_are_limits),
        cmocka_unit_test(answers_are_zeros_and_nothing_else),
        cmocka_unit_test(scales_make_a_unit_diagonal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
