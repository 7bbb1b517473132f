// SPDX-License-Identifier: Apache-2.0
// One-contact solvers: the answer satisfies the law, for every kind of block, and agrees
// with an enumeration of all answers.
#include "solvers/contact/contact.h"

#include "formulations/judge/cone.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

static bool prepare(struct dls_local_contact *c, int d, const double *A, double mu)
{
    struct dls_cone K = dls_cone_make(d, false, mu, 0);
    return dls_contact_prepare(c, &K, A);
}

// |r - P_K(r - u~ / A_NN)| relative to |r| + |b| / A_NN.
static double miss(int d, const double *A, const double *b, double mu, const double *r)
{
    struct dls_cone K = dls_cone_make(d, false, mu, 0);
    double y[3], u[3], sum = 0, size = 0;
    for (int i = 0; i < d; i++) {
        u[i] = b[i];
        for (int j = 0; j < d; j++) u[i] += A[i * d + j] * r[j];
        size += r[i] * r[i] + b[i] * b[i] / (A[0] * A[0]);
    }
    u[0] += dls_cone_shift(&K, u);
    for (int i = 0; i < d; i++) y[i] = r[i] - u[i] / A[0];
    dls_cone_project(&K, y, y);
    for (int i = 0; i < d; i++) sum += (r[i] - y[i]) * (r[i] - y[i]);
    return sqrt(sum / size);
}

enum kind { SPD, UNSYMMETRIC, SINGULAR, NEARLY_SINGULAR, KINDS };

// A = B B^T (+ skew part) of rank d or d - 1, unless the coupling is so strong that the
// law may have several answers or none.
static void block(struct dls_rng *g, enum kind kind, int d, double mu, double *A)
{
    double coupling;
    do {
        double B[9];
        for (int i = 0; i < d * d; i++) B[i] = dls_rng_normal(g);
        double last = kind == SINGULAR ? 0 : kind == NEARLY_SINGULAR ? 1e-7 : 1;
        for (int i = 0; i < d; i++) B[i * d + d - 1] *= last;
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) {
                A[i * d + j] = 0;
                for (int k = 0; k < d; k++) A[i * d + j] += B[i * d + k] * B[j * d + k];
            }
        if (kind == UNSYMMETRIC)
            for (int i = 0; i < d; i++)
                for (int j = 0; j < i; j++) {
                    double skew = 0.3 * dls_rng_normal(g);
                    A[i * d + j] += skew;
                    A[j * d + i] -= skew;
                }
        coupling = d == 2 ? fabs(A[1]) : hypot(A[1], A[2]);
    } while (!(A[0] > 1.05 * mu * coupling));
}

static void answers_satisfy_the_law(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(4);
    int seen[3] = {0, 0, 0};
    double worst[KINDS] = {0};
    for (int trial = 0; trial < 60000; trial++) {
        int d = 2 + trial % 2;
        enum kind kind = trial / 2 % KINDS;
        double A[9], b[3], r[3] = {1, dls_rng_normal(&g), dls_rng_normal(&g)};
        double mu = trial % 11 ? dls_rng_range(&g, 0.01, 1.5) : 0;
        double size = pow(10, dls_rng_range(&g, -8, 8));
        block(&g, kind, d, mu, A);
        for (int i = 0; i < d; i++) b[i] = size * dls_rng_normal(&g);
        struct dls_local_contact c;
        assert_true(prepare(&c, d, A, mu));
        seen[dls_contact_solver_for(d, false)(&c, A, b, r, NULL)]++;
        worst[kind] = fmax(worst[kind], miss(d, A, b, mu, r));
    }
    print_message("worst miss: %.1e %.1e %.1e %.1e; open %d, stick %d, slip %d\n",
                  worst[0], worst[1], worst[2], worst[3], seen[0], seen[1], seen[2]);
    for (int s = 0; s < 3; s++) assert_true(seen[s] > 1500);
    // Conditions up to 1e4 for the random blocks; stick on a nearly singular one (1e14)
    // keeps the error of its inverse out of u: still a small residual.
    assert_true(worst[SPD] < 1e-11 && worst[UNSYMMETRIC] < 1e-11);
    assert_true(worst[SINGULAR] < 1e-11 && worst[NEARLY_SINGULAR] < 1e-9);
}

// Painlevé's rod beyond its bound: three answers; the order open, stick, slip decides.
static void painleve(void **state)
{
    (void)state;
    double c = 1 / sqrt(5), s = 2 / sqrt(5); // tan = 2, bound 4/3
    for (double mu = 1.3; mu < 1.5; mu += 0.1) {
        double A[] = {1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s};
        double A3[] = {A[0], A[1], 0, A[2], A[3], 0, 0, 0, 1};
        double b[] = {0.1, -10, 0}, r[3] = {0};
        struct dls_local_contact k;
        int answers;
        bool beyond = mu > 4.0 / 3;
        prepare(&k, 2, A, mu);
        assert_int_equal(k.ambiguous, beyond);
        assert_int_equal(dls_contact_solve2(&k, A, b, r, &answers), DLS_OPEN);
        // Beyond the bound: open, stick (r_T = -mu' r_N with mu' < mu) and slip.
        assert_int_equal(answers, beyond ? 3 : 1);
        prepare(&k, 3, A3, mu);
        assert_int_equal(dls_contact_solve3(&k, A3, b, r, &answers), DLS_OPEN);
        assert_int_equal(answers, beyond ? 3 : 1);
    }
}

// In the plane embedded in space both solvers find the same impulse.
static void plane_in_space(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(6);
    for (int trial = 0; trial < 5000; trial++) {
        double A2[9], mu = dls_rng_range(&g, 0.05, 1);
        block(&g, trial % 2 ? SPD : UNSYMMETRIC, 2, mu, A2);
        double A3[9] = {A2[0], A2[1], 0, A2[2], A2[3], 0, 0, 0, 1};
        double b[3] = {dls_rng_normal(&g), dls_rng_normal(&g), 0}, r2[2] = {0},
               r3[3] = {0};
        struct dls_local_contact k2, k3;
        prepare(&k2, 2, A2, mu);
        prepare(&k3, 3, A3, mu);
        assert_int_equal(dls_contact_solve2(&k2, A2, b, r2, NULL),
                         dls_contact_solve3(&k3, A3, b, r3, NULL));
        // Unsymmetric blocks may have two slips; the impulses agree where there is one.
        if (trial % 2) {
            assert_close(r3[0], r2[0], 1e-10 * (1 + r2[0]));
            assert_close(r3[1], r2[1], 1e-10 * (1 + r2[0]));
        }
        assert_true(miss(3, A3, b, mu, r3) < 1e-11);
    }
}

// The answer does not depend on the first guess of the direction where it is unique.
static void forgets_the_guess(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(8);
    for (int trial = 0; trial < 3000; trial++) {
        double A[9], b[3], mu = dls_rng_range(&g, 0.05, 0.6), r[3] = {0}, s[3];
        block(&g, SPD, 3, mu, A);
        for (int i = 0; i < 3; i++)
            b[i] = dls_rng_normal(&g), s[i] = dls_rng_normal(&g);
        struct dls_local_contact k;
        prepare(&k, 3, A, mu);
        dls_contact_solve3(&k, A, b, r, NULL);
        dls_contact_solve3(&k, A, b, s, NULL);
        for (int i = 0; i < 3; i++) assert_close(s[i], r[i], 1e-9 * (1 + r[0]));
    }
}

// With rolling rows: the law holds, in units of translation and of rotation alike.
static void rolling_answers_satisfy_the_law(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(12);
    int seen[3] = {0, 0, 0};
    double worst = 0;
    for (int trial = 0; trial < 6000; trial++) {
        int d = trial % 2 ? 3 : 5;
        double A[25], b[5], r[5] = {0}, u[5], y[5], off = 0, size = 0;
        struct dls_cone K = dls_cone_make(d, true, dls_rng_range(&g, 0.05, 0.6),
                                          1e-3 * dls_rng_range(&g, 0.1, 2));
        // A sphere of radius 1e-2 and the like: turning rows a thousand times larger.
        for (int i = 0; i < d; i++)
            for (int j = 0; j <= i; j++) {
                double unit = (i > K.tangents ? 30 : 1) * (j > K.tangents ? 30 : 1);
                A[i * d + j] = A[j * d + i] =
                    unit * (i == j ? 1 : 0.1 * dls_rng_normal(&g));
            }
        for (int i = 0; i < d; i++)
            b[i] = dls_rng_normal(&g) * (i > K.tangents ? 30 : 1);
        for (int i = 1; i < d && trial % 3 == 0; i++) b[i] *= 1e-3; // for stick
        struct dls_local_contact c;
        assert_true(dls_contact_prepare(&c, &K, A));
        seen[dls_contact_solver_for(d, true)(&c, A, b, r, NULL)]++;
        for (int i = 0; i < d; i++) {
            u[i] = b[i];
            for (int j = 0; j < d; j++) u[i] += A[i * d + j] * r[j];
        }
        u[0] += dls_cone_shift(&K, u);
        for (int i = 0; i < d; i++) y[i] = r[i] - 1e-3 * u[i];
        dls_cone_project(&K, y, y);
        for (int i = 0; i < d; i++) {
            off += (r[i] - y[i]) * (r[i] - y[i]) * 1e6;
            size += b[i] * b[i];
        }
        worst = fmax(worst, sqrt(off / size));
    }
    print_message("worst miss %.1e; open %d, stick %d, slip %d\n", worst, seen[0],
                  seen[1], seen[2]);
    for (int s = 0; s < 3; s++) assert_true(seen[s] > 10);
    assert_true(worst < 1e-10); // 200 contractions by a third or more reach round-off
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_satisfy_the_law),
        cmocka_unit_test(painleve),
        cmocka_unit_test(plane_in_space),
        cmocka_unit_test(forgets_the_guess),
        cmocka_unit_test(rolling_answers_satisfy_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
