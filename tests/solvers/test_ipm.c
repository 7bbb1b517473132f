// SPDX-License-Identifier: Apache-2.0
// Interior point: exactness on convex problems of any rank, and agreement with Gauss-Seidel
// where u is unique.
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

static double *solve(const char *solver, const struct dls_problem *p, double tol,
                     struct dls_stats *stats, struct dls_arena *a)
{
    struct dls_settings settings = dls_settings_default();
    double *r = DLS_NEW(a, double, p->m);
    settings.tol = tol;
    dls_solve(dls_solver_find(solver), NULL, p, &settings, r, stats);
    if (stats->status != DLS_OK)
        fail_msg("%s: %s, natural %g", solver, dls_status_name(stats->status),
                 stats->measures.natural);
    return r;
}

// Largest difference of u between the solver's answer and that of pgs.
static double differs(const struct dls_problem *p, double tol, struct dls_stats *stats,
                      struct dls_arena *a)
{
    struct dls_measures m;
    struct dls_judge *judge;
    double *r = solve("ipm", p, tol, stats, a), most = 0;
    assert_int_equal(dls_judge_create(&judge, p, a, NULL), DLS_OK);
    dls_judge_measure(judge, r, &m);
    double *u = dls_copy(a, dls_judge_u(judge), (size_t)p->m, sizeof *u);
    dls_judge_measure(judge, support_solve(p, tol, a), &m);
    for (int k = 0; k < p->m; k++)
        most = fmax(most, fabs(u[k] - dls_judge_u(judge)[k]));
    dls_judge_destroy(judge);
    return most;
}

// Without friction the problem is convex and u unique: one round, to 1e-11, whatever the
// rank. Speeds are of order one.
static void frictionless_is_exact(void **state)
{
    (void)state;
    static const char *const problems[][2] = {
        {"stack", "n=30 mu=0"},
        {"four-leg-table", "mu=0"},
        {"brick-wall-3d", "courses=3 bricks=3 mu=0"},
        {"sphere-packing", "across=3 layers=3 mu=0"},
    };
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        struct dls_arena a = {0};
        struct dls_stats stats;
        struct dls_problem p = support_generate(problems[k][0], problems[k][1], &a);
        double *r = solve("ipm", &p, 1e-11, &stats, &a);
        print_message("%s: %ld iterations, natural %.1e\n", problems[k][0],
                      stats.iterations, stats.measures.natural);
        assert_true(stats.iterations <= 40); // 8 to 30 in practice
        assert_non_null(r);
        dls_arena_free(&a);
    }
}

// With friction and full rank; u differs by the residual times the condition of W, here
// below 100.
static void agrees_with_gauss_seidel(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    struct dls_problem p = support_generate("manufactured", "contacts=30 d=3", &a);
    assert_close(differs(&p, 1e-10, &stats, &a), 0, 1e-7);
    p = support_generate("manufactured", "contacts=30 d=2", &a);
    assert_close(differs(&p, 1e-10, &stats, &a), 0, 1e-7);
    p = support_generate("stack", "n=20 mu=0.5 push=0.3", &a);
    assert_close(differs(&p, 1e-10, &stats, &a), 0, 1e-7);
    dls_arena_free(&a);
}

// Rank-deficient W (half the rows and more), sliding, and unsymmetric W.
static void hyperstatic_snapshots(void **state)
{
    (void)state;
    static const char *const files[] = {
        "fc3d/BoxesStack1-i100000-32.hdf5",
        "fc3d/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
        "fc3d/Rover1041.hdf5",
        "fc2d/FC2D_SliderCrankLagrangian00000.hdf5",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *path = support_corpus(files[k]);
        if (!path) {
            print_message("the corpus is not here\n");
            skip();
        }
        struct dls_arena a = {0};
        struct dls_problem p;
        struct dls_stats stats;
        assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, NULL), DLS_OK);
        solve("ipm", &p, 1e-8, &stats, &a);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frictionless_is_exact),
        cmocka_unit_test(agrees_with_gauss_seidel),
        cmocka_unit_test(hyperstatic_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
