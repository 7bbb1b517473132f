// SPDX-License-Identifier: Apache-2.0
// OSQP through the driver: answers against Gauss-Seidel and against each other, the
// conditions of optimality recomputed, relaxations, repeatability, warm starts.
#include "solvers/solver.h"

#include "formulations/files/formats.h"
#include "formulations/qp.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/zoo.h"

static const struct dls_solver *osqp;

static void need_osqp(void)
{
    osqp = dls_solver_find("osqp");
    if (osqp) return;
    print_message("OSQP was not found when this was built\n");
    skip();
}

struct run {
    struct dls_arena a;
    struct dls_problem p;
    double *r, *u;
    struct dls_stats stats;
};

static void start(struct run *run, const char *name)
{
    double *r, *u;
    const struct zoo_animal *z = zoo;
    while (strcmp(z->name, name)) z++;
    *run = (struct run){0};
    z->make(&run->p, &r, &u, &run->a);
    run->r = DLS_NEW(&run->a, double, run->p.m);
    run->u = DLS_NEW(&run->a, double, run->p.m);
    assert_false(run->a.failed);
}

static enum dls_status solve(struct run *run, const struct dls_solver *s,
                             const struct dls_qp_options *o)
{
    struct dls_settings settings = dls_settings_default();
    struct dls_options opt = {.formulation = o};
    settings.max_time = 20;
    enum dls_status status =
        dls_solve(s, &opt, &run->p, &settings, run->r, &run->stats);
    zoo_natural(&run->p, run->r, run->u);
    return status;
}

static struct dls_qp_options options(int form, int outer, int cone)
{
    struct dls_qp_options o;
    dls_option_defaults(dls_formulation_qp.options, &o);
    o.form = form;
    o.outer = outer;
    o.cone = cone;
    return o;
}

static void assert_same_u(const struct run *one, const struct run *two, double tol)
{
    double miss = 0, size = 0;
    for (int i = 0; i < one->p.m; i++) {
        miss += (one->u[i] - two->u[i]) * (one->u[i] - two->u[i]);
        size += one->u[i] * one->u[i];
    }
    if (!(sqrt(miss) <= tol * (1 + sqrt(size))))
        fail_msg("u differs by %g", sqrt(miss));
}

// u is unique on these problems and both runs are at 1e-8: 1e-6 leaves the condition.
static void agrees_with_gauss_seidel(void **state)
{
    (void)state;
    need_osqp();
    static const char *const problems[] = {"frictionless-3d", "lcp",      "mixed-2d",
                                           "one-2d",          "mixed-3d", "bodies-3d",
                                           "four-legs",       NULL};
    for (int k = 0; problems[k]; k++)
        for (int outer = DLS_QP_TRESCA; outer <= DLS_QP_DESAXCE; outer++) {
            struct run one, two;
            struct dls_qp_options o = options(0, outer, DLS_QP_ADAPTED);
            start(&one, problems[k]);
            start(&two, problems[k]);
            assert_int_equal(solve(&one, osqp, &o), DLS_OK);
            assert_int_equal(solve(&two, dls_solver_find("pgs"), NULL), DLS_OK);
            assert_same_u(&one, &two, 1e-6);
            assert_null(one.stats.relaxes);
            assert_close(one.stats.own, one.stats.measures.natural, 1e-13);
            dls_arena_free(&one.a);
            dls_arena_free(&two.a);
        }
}

static void primal_and_dual_agree(void **state)
{
    (void)state;
    need_osqp();
    static const char *const problems[] = {"bodies-3d", "four-legs"};
    for (int k = 0; k < 2; k++)
        for (int outer = DLS_QP_TRESCA; outer <= DLS_QP_FRICTIONLESS; outer++) {
            struct run dual, primal;
            struct dls_qp_options d = options(0, outer, DLS_QP_FACETS),
                                  p = options(1, outer, DLS_QP_FACETS);
            start(&dual, problems[k]);
            start(&primal, problems[k]);
            enum dls_status one = solve(&dual, osqp, &d),
                            two = solve(&primal, osqp, &p);
            // The same polygons: the same law, solved to its own tolerance.
            assert_true(one == DLS_FINISHED || one == DLS_OK);
            assert_true(two == DLS_FINISHED || two == DLS_OK);
            assert_same_u(&dual, &primal, 1e-6);
            dls_arena_free(&dual.a);
            dls_arena_free(&primal.a);
        }
}

// A relaxation ends finished: solved in its own terms, labelled, off Coulomb's law; and
// the more facets, the nearer.
static void relaxations_end_in_their_own_terms(void **state)
{
    (void)state;
    need_osqp();
    double before = INFINITY;
    for (int facets = 4; facets <= 64; facets *= 4) {
        struct run run;
        struct dls_qp_options o = options(0, DLS_QP_TRESCA, DLS_QP_FACETS);
        o.facets = facets;
        start(&run, "mixed-3d");
        assert_int_equal(solve(&run, osqp, &o), DLS_FINISHED);
        assert_true(run.stats.own <= 1e-8);
        assert_non_null(run.stats.relaxes);
        // A quarter of the angle between facets, a quarter of the error: half is safe.
        assert_true(run.stats.measures.natural < 0.5 * before);
        assert_true(run.stats.measures.natural > 1e-6);
        before = run.stats.measures.natural;
        dls_arena_free(&run.a);
    }
}

// The convex relaxation is one program: its conditions of optimality, written out for the
// original W and q: r in K, u in K*, r.u = 0.
static void convex_answer_is_optimal(void **state)
{
    (void)state;
    need_osqp();
    struct run run;
    struct dls_qp_options o = options(0, DLS_QP_CONVEX, DLS_QP_ADAPTED);
    start(&run, "mixed-3d");
    assert_int_equal(solve(&run, osqp, &o), DLS_FINISHED);
    assert_string_equal(run.stats.relaxes, "no shift");
    for (int c = 0; c < run.p.contacts; c++) {
        const double *r = run.r + 3 * c, *u = run.u + 3 * c;
        double mu = run.p.mu[c];
        assert_true(hypot(r[1], r[2]) <= mu * r[0] + 1e-12); // projected
        assert_true(mu * hypot(u[1], u[2]) <= u[0] + 1e-6);  // 1e-8 in scaled norms
        assert_close(r[0] * u[0] + r[1] * u[1] + r[2] * u[2], 0, 1e-6);
    }
    dls_arena_free(&run.a);
}

static void repeats_to_the_last_bit(void **state)
{
    (void)state;
    need_osqp();
    const char *path = support_corpus("fc3d/NESpheres_10_1.hdf5");
    if (!path) skip();
    struct run run[2] = {0};
    for (int k = 0; k < 2; k++) {
        struct dls_settings loose = dls_settings_default();
        loose.tol = 1e-3; // a tight tolerance would hide differences
        assert_int_equal(dls_fclib_read(&run[k].p, path, &run[k].a, NULL), DLS_OK);
        run[k].r = DLS_NEW(&run[k].a, double, run[k].p.m);
        dls_solve(osqp, NULL, &run[k].p, &loose, run[k].r, &run[k].stats);
        assert_int_equal(run[k].stats.status, DLS_OK);
    }
    assert_int_equal(run[0].stats.work.products, run[1].stats.work.products);
    assert_memory_equal(run[0].r, run[1].r, (size_t)run[0].p.m * sizeof(double));
    for (int k = 0; k < 2; k++) dls_arena_free(&run[k].a);
}

// Started at the answer of a problem whose q differs by 1e-3, fewer inner iterations.
static void warm_start_helps(void **state)
{
    (void)state;
    need_osqp();
    struct run cold, warm;
    start(&cold, "mixed-3d");
    start(&warm, "mixed-3d");
    assert_int_equal(solve(&warm, osqp, NULL), DLS_OK);
    for (int i = 0; i < cold.p.m; i++) {
        cold.p.q[i] *= 1 + 1e-3 * (i % 3 - 1);
        warm.p.q[i] = cold.p.q[i];
    }
    assert_int_equal(solve(&cold, osqp, NULL), DLS_OK);
    assert_int_equal(solve(&warm, osqp, NULL), DLS_OK);
    assert_true(warm.stats.iterations > 0);
    assert_true(warm.stats.work.products < cold.stats.work.products);
    dls_arena_free(&cold.a);
    dls_arena_free(&warm.a);
}

static void solves_the_corpus(void **state)
{
    (void)state;
    need_osqp();
    // Hyperstatic, unsymmetric, badly scaled and two-dimensional ones; seconds in all.
    static const char *const files[] = {
        "fc2d/FrictionContactProblem00071.hdf5",
        "fc2d/gfc2d_granularflowonwall_00069_00350-cond.hdf5",
        "fc3d/Box_Stacks-i0122-82-5-cond.hdf5",
        "fc3d/GFC3D_Example00_badly_scaled-cond.hdf5",
        "fc3d/GFC3D_OneContact-cond.hdf5",
        "fc3d/local_problem_test.hdf5",
        "fc3d/Rover1041.hdf5",
        "gfc3d/LMGC_GlobalFrictionContactProblem00046.hdf5",
        NULL,
    };
    for (int k = 0; files[k]; k++) {
        const char *path = support_corpus(files[k]);
        if (!path) skip();
        struct run run = {0};
        assert_int_equal(dls_fclib_read(&run.p, path, &run.a, NULL), DLS_OK);
        run.r = DLS_NEW(&run.a, double, run.p.m);
        dls_solve(osqp, NULL, &run.p, NULL, run.r, &run.stats);
        if (run.stats.status != DLS_OK)
            fail_msg("%s: %s, natural %g", files[k], dls_status_name(run.stats.status),
                     run.stats.measures.natural);
        dls_arena_free(&run.a);
    }
}

// Without the library the table of what is missing tells how to get it, and only then.
static void missing_is_told(void **state)
{
    (void)state;
    bool told = false;
    for (const struct dls_missing *s = dls_missing; s->name; s++) {
        assert_null(dls_solver_find(s->name));
        assert_true(s->brief && *s->brief && s->how && *s->how);
        told |= !strcmp(s->name, "osqp");
    }
    assert_true(told == !dls_solver_find("osqp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_gauss_seidel),
        cmocka_unit_test(primal_and_dual_agree),
        cmocka_unit_test(relaxations_end_in_their_own_terms),
        cmocka_unit_test(convex_answer_is_optimal),
        cmocka_unit_test(repeats_to_the_last_bit),
        cmocka_unit_test(warm_start_helps),
        cmocka_unit_test(solves_the_corpus),
        cmocka_unit_test(missing_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
