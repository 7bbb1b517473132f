// SPDX-License-Identifier: Apache-2.0
// prox-newton: the proximal problem and its slopes, singular W, sets on which sweeps stall,
// the sweeps between, and the answers of Gauss-Seidel.
#include "solvers/kernel/newton_problem.h"
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_run.h"

static void expect_solved(const struct dls_problem *p, double tol,
                          struct dls_stats *stats, struct dls_arena *a)
{
    struct dls_settings settings = dls_settings_default();
    double *r = DLS_NEW(a, double, p->m);
    settings.tol = tol;
    dls_solve(dls_solver_find("prox-newton"), NULL, p, &settings, r, stats);
    if (stats->status != DLS_OK)
        fail_msg("%s, natural %g", dls_status_name(stats->status),
                 stats->measures.natural);
}

// F_r dx + F_u du is how F changes along dx, rho included.
static void expect_slope(struct dls_newton_problem *n, struct dls_arena *a)
{
    const double h = 1e-7;
    int d = n->d;
    struct dls_contact_value *v = DLS_NEW(a, struct dls_contact_value, n->contacts);
    memcpy(v, n->value, (size_t)n->contacts * sizeof *v);
    for (int k = 0; k < n->m; k++) n->x[k] += h * n->dx[k];
    dls_newton_problem_evaluate(n);
    for (int k = 0; k < n->m; k++) {
        const struct dls_contact_value *at = v + k / d;
        double slope = 0;
        for (int i = 0; i < d; i++)
            slope += at->F_r[k % d * d + i] * n->dx[k / d * d + i]
                     + at->F_u[k % d * d + i] * n->du[k / d * d + i];
        assert_close((n->value[k / d].F[k % d] - at->F[k % d]) / h, slope, 1e-3);
        n->x[k] -= h * n->dx[k];
    }
}

// The merit along a direction is that of the moved point, shift and centre included, the
// shift changes u by shift (x - centre) alone, and rho multiplies u in F.
static void proximal_problem(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(6);
    struct dls_delassus D;
    struct dls_newton_problem n;
    struct dls_problem p = support_generate("manufactured", "contacts=12 d=3", &a);
    assert_int_equal(dls_delassus_build(&D, &p, &a, NULL), DLS_OK);
    assert_int_equal(dls_newton_problem_create(&n, &D, DLS_ALART_CURNIER, 10, &a),
                     DLS_OK);
    double *r = DLS_NEW(&a, double, p.m), *plain = DLS_NEW(&a, double, p.m);
    for (int k = 0; k < p.m; k++) {
        r[k] = dls_rng_normal(&g);
        n.centre[k] = dls_rng_normal(&g);
        n.dx[k] = dls_rng_normal(&g);
    }
    dls_newton_problem_enter(&n, r);
    dls_newton_problem_evaluate(&n);
    memcpy(plain, n.u, (size_t)p.m * sizeof *plain);
    n.shift = 0.7;
    n.rho = 3;
    dls_newton_problem_evaluate(&n);
    for (int k = 0; k < p.m; k++) // round-off of numbers of order 10
        assert_close(n.u[k], plain[k] + 0.7 * (n.x[k] - n.centre[k]), 1e-13);
    dls_newton_problem_direct(&n);
    double along = dls_newton_problem_merit(&n, 0.3);
    dls_newton_problem_leave(&n, 0.3, r);
    dls_newton_problem_enter(&n, r);
    assert_close(dls_newton_problem_evaluate(&n), along, 1e-12 * along);
    expect_slope(&n, &a);
    dls_arena_free(&a);
}

// A table on four legs, a wall: m is larger than n, W singular.
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
        struct dls_stats stats;
        struct dls_problem p = support_generate(problems[k][0], problems[k][1], &a);
        expect_solved(&p, 1e-10, &stats, &a);
        dls_arena_free(&a);
    }
}

// Gauss-Seidel alone stalls here at 8e-5.
static void where_sweeps_stall(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_stats stats;
    const char *path = support_corpus("fc3d/OneObject-i100000-316.hdf5");
    if (!path) {
        print_message("the corpus is not here\n");
        skip();
    }
    assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, NULL), DLS_OK);
    expect_solved(&p, 1e-8, &stats, &a);
    assert_true(stats.work.factorisations > 0);
    dls_arena_free(&a);
}

// The first step is that many sweeps of pgs, bit by bit, and counts as such.
static void starts_with_sweeps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_settings settings = dls_settings_default();
    struct dls_problem p = support_generate("brick-wall-3d", "push=2", &a);
    settings.tol = 0;
    settings.max_iter = settings.check_every = 40;
    struct support_run sweeps = support_run("pgs", "", &p, &settings, &a);
    settings.max_iter = settings.check_every = 1;
    struct support_run first =
        support_run("prox-newton", "start=40", &p, &settings, &a);
    assert_int_equal(first.stats.work.local_solves, sweeps.stats.work.local_solves);
    assert_int_equal(first.stats.work.factorisations, 0);
    assert_memory_equal(first.r, sweeps.r, (size_t)p.m * sizeof *p.mu);
    dls_arena_free(&a);
}

// The same u as Gauss-Seidel where it is unique: full rank, little friction. The
// difference is the tolerance times the condition, below 1000.
static void agrees_with_gauss_seidel(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_settings settings = dls_settings_default();
    struct dls_problem p = support_generate("manufactured", "contacts=30 d=3", &a);
    settings.tol = 1e-10;
    struct support_run one = support_run("prox-newton", "start=0", &p, &settings, &a);
    struct support_run two = support_run("pgs", "", &p, &settings, &a);
    assert_int_equal(one.stats.status, DLS_OK);
    assert_int_equal(one.stats.work.local_solves, 0);
    for (int k = 0; k < p.m; k++) assert_close(one.u[k], two.u[k], 1e-7);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proximal_problem),
        cmocka_unit_test(singular_matrices),
        cmocka_unit_test(where_sweeps_stall),
        cmocka_unit_test(starts_with_sweeps),
        cmocka_unit_test(agrees_with_gauss_seidel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
