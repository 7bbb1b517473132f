// SPDX-License-Identifier: Apache-2.0
// prox-local: shifts of single contacts and their slopes, the sign of the determinant, a path
// from one end to the other, hyperstatic sets.
#include "solvers/kernel/prox_path.h"
#include "solvers/solver.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_run.h"

// A Newton problem with random shifts of its own, all of order 1, and a random x.
static struct dls_newton_problem make(const char *name, const char *settings,
                                      double **shifts, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(8);
    struct dls_delassus *D = DLS_NEW(a, struct dls_delassus, 1);
    struct dls_problem *p = DLS_NEW(a, struct dls_problem, 1);
    struct dls_newton_problem n;
    *p = support_generate(name, settings, a);
    assert_int_equal(dls_delassus_build(D, p, a, NULL), DLS_OK);
    assert_int_equal(dls_newton_problem_create(&n, D, DLS_ALART_CURNIER, 1, a), DLS_OK);
    *shifts = DLS_NEW(a, double, n.contacts);
    for (int c = 0; c < n.contacts; c++) (*shifts)[c] = exp(dls_rng_normal(&g));
    for (int k = 0; k < n.m; k++) {
        n.x[k] = dls_rng_normal(&g);
        n.centre[k] = dls_rng_normal(&g);
        n.dx[k] = dls_rng_normal(&g);
    }
    n.rho = 1;
    n.shifts = *shifts;
    return n;
}

// A shift changes u of its contact alone, by shift (x - centre); rho is 1 / shift at most; the
// derivatives are those of F.
static void own_shifts(void **state)
{
    (void)state;
    const double h = 1e-7;
    struct dls_arena a = {0};
    double *shifts;
    struct dls_newton_problem n = make("manufactured", "contacts=12 d=3", &shifts, &a);
    double *plain = DLS_NEW(&a, double, n.m);
    struct dls_contact_value *v = DLS_NEW(&a, struct dls_contact_value, n.contacts);
    n.shifts = NULL;
    dls_newton_problem_evaluate(&n);
    memcpy(plain, n.u, (size_t)n.m * sizeof *plain);
    n.shifts = shifts;
    dls_newton_problem_evaluate(&n);
    for (int k = 0; k < n.m; k++) // round-off of numbers of order 10
        assert_close(n.u[k], plain[k] + shifts[k / 3] * (n.x[k] - n.centre[k]), 1e-13);
    for (int c = 0; c < n.contacts; c++)
        assert_close(dls_newton_problem_rho(&n, c), fmin(1, 1 / shifts[c]), 1e-15);
    dls_newton_problem_direct(&n);
    memcpy(v, n.value, (size_t)n.contacts * sizeof *v);
    for (int k = 0; k < n.m; k++) n.x[k] += h * n.dx[k];
    dls_newton_problem_evaluate(&n);
    for (int k = 0; k < n.m; k++) {
        double slope = 0;
        for (int i = 0; i < 3; i++)
            slope += v[k / 3].F_r[k % 3 * 3 + i] * n.dx[k / 3 * 3 + i]
                     + v[k / 3].F_u[k % 3 * 3 + i] * n.du[k / 3 * 3 + i];
        // h times a second derivative of order 1 to 1e4
        assert_close((n.value[k / 3].F[k % 3] - v[k / 3].F[k % 3]) / h, slope, 1e-3);
    }
    dls_arena_free(&a);
}

// The sign of the determinant of the m columns that Newton's matrix makes of the unit
// vectors, by elimination with row exchanges.
static int sign_of(struct dls_newton_problem *n, struct dls_arena *a)
{
    int m = n->m, d = n->d, sign = 1;
    double *A = DLS_NEW(a, double, (size_t)m *(size_t)m);
    for (int l = 0; l < m; l++) {
        memset(n->dx, 0, (size_t)m * sizeof *n->dx);
        n->dx[l] = 1;
        dls_newton_problem_direct(n);
        for (int k = 0; k < m; k++)
            for (int i = 0; i < d; i++)
                A[k * m + l] +=
                    n->value[k / d].F_r[k % d * d + i] * n->dx[k / d * d + i]
                    + n->value[k / d].F_u[k % d * d + i] * n->du[k / d * d + i];
    }
    for (int l = 0; l < m; l++) {
        int top = l;
        for (int k = l; k < m; k++)
            if (fabs(A[k * m + l]) > fabs(A[top * m + l])) top = k;
        for (int j = 0; j < m && top != l; j++) {
            double t = A[l * m + j];
            A[l * m + j] = A[top * m + j];
            A[top * m + j] = t;
        }
        if ((top != l) != (A[l * m + l] < 0)) sign = -sign;
        for (int k = l + 1; k < m; k++)
            for (int j = m - 1; j >= l; j--)
                A[k * m + j] -= A[k * m + l] / A[l * m + l] * A[l * m + j];
    }
    return sign;
}

// Both signs come up, in the contacts and in the velocities.
static void signs(void **state)
{
    (void)state;
    static const char *const problems[][2] = {
        {"manufactured", "contacts=12 d=3"},
        {"manufactured", "contacts=12 d=2"},
        {"brick-wall-3d", "courses=2 bricks=2"},
    };
    int seen[2] = {0};
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        struct dls_arena a = {0};
        struct dls_rng g = dls_rng_seed(9);
        struct dls_newton_system system;
        struct dls_work work = {.deadline = INFINITY};
        double *shifts, rcond;
        struct dls_newton_problem n = make(problems[k][0], problems[k][1], &shifts, &a);
        assert_int_equal(dls_newton_system_create(&system, &n.W, n.H, n.M, false, &a),
                         DLS_OK);
        system.shifts = shifts;
        for (int c = 0; c < n.contacts; c++) shifts[c] *= 1e-3, n.mu[c] *= 10; // wedges
        for (int trial = 0; trial < 20; trial++) {
            n.rho = 10;
            for (int l = 0; l < n.m; l++)
                n.x[l] = dls_rng_normal(&g) + (l % n.d ? 0 : 0.5);
            dls_newton_problem_evaluate(&n);
            assert_int_equal(
                dls_newton_system_factor(&system, n.value, 1e-4, &rcond, &work),
                DLS_OK);
            int sign = sign_of(&n, &a);
            assert_int_equal(dls_newton_system_sign(&system), sign);
            seen[sign > 0]++;
        }
        dls_newton_system_destroy(&system);
        dls_arena_free(&a);
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
}

// From shifts of 1 to 1e-6 with all contacts of a wall on the path: it ends at a point of
// that problem, and by way of events, not by Newton's method.
static void path(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_newton_system system;
    struct dls_prox_path path;
    struct dls_work work = {.deadline = INFINITY};
    double *shifts, sum = 0;
    struct dls_newton_problem n =
        make("brick-wall-3d", "courses=3 bricks=3 push=2", &shifts, &a);
    assert_int_equal(dls_newton_system_create(&system, &n.W, n.H, n.M, false, &a),
                     DLS_OK);
    system.shifts = shifts;
    assert_int_equal(dls_prox_path_create(&path, &n, &system, shifts, &a), DLS_OK);
    for (int k = 0; k < n.m; k++) n.x[k] = n.centre[k] = 0;
    for (int c = 0; c < n.contacts; c++) shifts[c] = path.in[c] = 1;
    assert_true(dls_prox_path_point(&n, &system, 50, &work));
    assert_true(dls_prox_path_follow(&path, 1e-6, 1000, &work));
    for (int c = 0; c < n.contacts; c++) assert_true(shifts[c] <= 1.03e-6); // 1 + near
    dls_newton_problem_evaluate(&n);
    for (int c = 0; c < n.contacts; c++)
        for (int i = 0; i < 3; i++) sum += n.value[c].F[i] * n.value[c].F[i];
    assert_true(sqrt(sum) <= 1e-4 * dls_prox_path_force(&n)); // `tight`
    dls_newton_system_destroy(&system);
    dls_arena_free(&a);
}

// m is larger than n, W singular; sets of five contacts follow their paths early.
static void singular_matrices(void **state)
{
    (void)state;
    static const char *const problems[][2] = {
        {"four-leg-table", "push=1"},
        {"brick-wall-3d", "courses=4 bricks=4"},
        {"manufactured", "contacts=40 d=2 rank=deficient"},
    };
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(problems[k][0], problems[k][1], &a);
        struct support_run run =
            support_run("prox-local", "small=5 newton=3", &p, NULL, &a);
        if (run.stats.status != DLS_OK)
            fail_msg("%s, natural %g", dls_status_name(run.stats.status),
                     run.stats.measures.natural);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_shifts),
        cmocka_unit_test(signs),
        cmocka_unit_test(path),
        cmocka_unit_test(singular_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
