// SPDX-License-Identifier: Apache-2.0
// Systems (W + c S) x = b by three ways: CHOLMOD, UMFPACK, conjugate gradients.
#include "solvers/contact/metric.h"
#include "solvers/linear/ridge.h"

#include "formulations/delassus.h"

#include "base/clock.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_run.h"

// |(W + c S) x - b| / |b|, written out.
static double defect(const struct dls_bsr *W, const double *S, double c,
                     const double *x, const double *b, double *work)
{
    double sum = 0, size = 0;
    dls_bsr_multiply(W, x, NULL, work);
    for (int i = 0; i < W->rows * W->d; i++) {
        double e = work[i] + c * S[i / W->d] * x[i] - b[i];
        sum += e * e, size += b[i] * b[i];
    }
    return sqrt(sum / size);
}

static struct dls_problem problem(bool symmetric, struct dls_arena *a)
{
    return symmetric ? support_generate("brick-wall-3d", "", a)
                     : support_generate("one-contact", "kind=unsymmetric", a);
}

// CHOLMOD and conjugate gradients on a singular symmetric W, UMFPACK on an unsymmetric
// one; c changes in between. Round-off times the condition number, at most 1e4 / c;
// conjugate gradients end at the tolerance they are given.
static void linear_systems(void **state)
{
    (void)state;
    static const struct {
        bool symmetric;
        enum dls_ridge_way way, chosen;
    } rows[] = {{true, DLS_RIDGE_AUTO, DLS_RIDGE_FACTOR},
                {true, DLS_RIDGE_CG, DLS_RIDGE_CG},
                {false, DLS_RIDGE_AUTO, DLS_RIDGE_FACTOR}};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = problem(rows[k].symmetric, &a);
        struct dls_delassus f;
        struct dls_ridge ridge;
        struct dls_work work = {.deadline = dls_clock() + 60};
        struct dls_rng g = dls_rng_seed(3);
        assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
        double *S = DLS_NEW(&a, double, f.contacts), *b = DLS_NEW(&a, double, f.m);
        double *x = DLS_NEW(&a, double, f.m), *y = DLS_NEW(&a, double, f.m);
        dls_metric_fill(S, f.W);
        for (int i = 0; i < f.m; i++) b[i] = dls_rng_normal(&g);
        assert_int_equal(dls_ridge_create(&ridge, f.W, S, rows[k].way, &a, NULL),
                         DLS_OK);
        assert_int_equal(ridge.way, rows[k].chosen);
        double tol = 1e-11 * sqrt(dls_metric_dual_square(S, f.W, b));
        for (double c = 1; c > 1e-3; c /= 10) {
            assert_int_equal(dls_ridge_set(&ridge, c, &work), DLS_OK);
            assert_int_equal(dls_ridge_solve(&ridge, b, tol, x, &work), DLS_OK);
            assert_true(defect(f.W, S, c, x, b, y) <= 1e-10);
        }
        dls_ridge_destroy(&ridge);
        dls_arena_free(&a);
    }
}

static void gradients_need_symmetry(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = problem(false, &a);
    struct support_run run = support_run("admm", "linear=cg", &p, NULL, &a);
    assert_int_equal(run.stats.status, DLS_UNSUPPORTED);
    assert_non_null(strstr(run.stats.message, "unsymmetric"));
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_systems),
        cmocka_unit_test(gradients_need_symmetry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
