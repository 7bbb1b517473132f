// SPDX-License-Identifier: Apache-2.0
// Accelerated gradients against plain ones, and the convex law: labelled, and the answer
// of its quadratic program.
#include "formulations/shifted.h"

#include <math.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"
#include "tests/support/support_run.h"

static long steps(const char *options, const struct dls_problem *p)
{
    struct dls_arena a = {0};
    struct support_run run = support_run("apgd", options, p, NULL, &a);
    if (run.stats.status != DLS_OK)
        fail_msg("apgd %s: %s, natural %g", options, run.stats.message,
                 run.stats.measures.natural);
    dls_arena_free(&a);
    return run.stats.iterations;
}

// Momentum turns the condition number into its root, with Coulomb's shift too. The
// factors asserted are two thirds of those found: 16.7, 5.3, 4.8, 16.6, 4.2, 7.3; and
// it is never slower, not on the small ones either.
static void momentum(void **state)
{
    (void)state;
    static const struct {
        const char *generator, *options;
        double factor;
    } rows[] = {
        {"stack", "n=20 mu=0", 11}, {"brick-wall-2d", "", 3.5},
        {"brick-wall-3d", "", 3.2}, {"overhang", "", 11},
        {"conveyor", "", 4.8},      {"manufactured", "contacts=60", 2.8},
        {"cradle", "", 1},          {"four-leg-table", "", 1},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(rows[k].generator, rows[k].options, &a);
        long plain = steps("momentum=none", &p), fast = steps("", &p);
        print_message("%s: plain %ld, nesterov %ld\n", rows[k].generator, plain, fast);
        assert_true((double)fast * rows[k].factor <= (double)plain);
        dls_arena_free(&a);
    }
}

// One product a step; reductions of t, one in seven steps as it grows by a tenth and is
// halved (2 = 1.1^7.3), and returns to the best iterate cost one each.
static void one_product_a_step(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "", &a);
    struct support_run run = support_run("apgd", "", &p, NULL, &a);
    print_message("%ld steps, %ld products\n", run.stats.iterations,
                  run.stats.work.products);
    assert_true(run.stats.work.products >= run.stats.iterations);
    assert_true(5 * run.stats.work.products <= 6 * run.stats.iterations);
    dls_arena_free(&a);
}

static void units(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "push=2", &a);
    support_units("apgd", "", &p, 60);
    support_units("apgd", "momentum=none", &p, 60);
    dls_arena_free(&a);
}

// --- the convex law -------------------------------------------------------------------

// W = w I: minimising 1/2 w |r|^2 + q.r over K is a projection, r = P_K(-q) / w. Slip at
// q = (-1, 3, 4), mu = 0.5, w = 2: n = (1 + 0.5 * 5) / 1.25 = 2.8, r = (1.4, -0.42,
// -0.56), and u_N = 1.8 = mu |u_T|: it dilates.
static void one_contact_dilates(void **state)
{
    (void)state;
    static const char *const solvers[] = {"apgd", "admm"};
    const double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-1, 3, 4}, mu = 0.5;
    const double r[3] = {1.4, -0.42, -0.56};
    for (int s = 0; s < 2; s++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_local(1, 3, W, q, &mu, &a);
        struct support_run run = support_run(solvers[s], "law=convex", &p, NULL, &a);
        assert_int_equal(run.stats.status, DLS_FINISHED);
        assert_string_equal(run.stats.relaxes, "no shift");
        assert_true(run.stats.own <= 1e-8 && run.stats.measures.natural > 0.1);
        for (int i = 0; i < 3; i++) assert_close(run.r[i], r[i], 1e-7); // |q| tol / w
        assert_close(run.u[0], mu * hypot(run.u[1], run.u[2]), 1e-7);
        dls_arena_free(&a);
    }
}

// r in K, u in K*, r.u = 0: the optimality conditions, which are sufficient; `tol` in
// units of the free velocity, impulses in units of its impulse.
static void assert_optimal(const struct dls_problem *p, const double *r,
                           const double *u, double tol, struct dls_arena *a)
{
    double *zero = DLS_NEW(a, double, p->m), *q = generated_u(p, zero, a);
    double r_size = 0, u_size = 0, work = 0;
    for (int i = 0; i < p->m; i++) {
        r_size = fmax(r_size, fabs(r[i]));
        u_size = fmax(u_size, fabs(q[i]));
    }
    for (int c = 0; c < p->contacts; c++) {
        const double *r_c = r + c * p->d, *u_c = u + c * p->d;
        double r_T = p->d == 3 ? hypot(r_c[1], r_c[2]) : fabs(r_c[1]);
        double u_T = p->d == 3 ? hypot(u_c[1], u_c[2]) : fabs(u_c[1]);
        assert_true(r_T <= p->mu[c] * r_c[0] + tol * r_size);
        assert_true(u_c[0] >= p->mu[c] * u_T - tol * u_size);
        for (int i = 0; i < p->d; i++) work += r_c[i] * u_c[i];
    }
    assert_close(work, 0, tol * r_size * u_size * p->contacts);
}

// The same u by three methods: gradients, alternating directions, OSQP where it is here
// (its cone is a polygon in space, so the plane serves).
static void one_program_three_methods(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-2d", "accel_x=0.6", &a);
    double *zero = DLS_NEW(&a, double, p.m), *q = generated_u(&p, zero, &a), size = 0;
    for (int i = 0; i < p.m; i++) size = fmax(size, fabs(q[i]));
    struct support_run one = support_run("apgd", "law=convex", &p, NULL, &a);
    assert_int_equal(one.stats.status, DLS_FINISHED);
    assert_true(one.stats.measures.natural > 1e-3); // it slides somewhere
    assert_optimal(&p, one.r, one.u, 1e-6, &a);     // 1e-8 |q| over 110 contacts
    struct support_run two = support_run("admm", "law=convex", &p, NULL, &a);
    assert_int_equal(two.stats.status, DLS_FINISHED);
    assert_string_equal(two.stats.relaxes, "no shift");
    for (int i = 0; i < p.m; i++) assert_close(one.u[i], two.u[i], 1e-6 * size);
    if (dls_solver_find("osqp")) {
        struct support_run three = support_run("osqp", "outer=convex", &p, NULL, &a);
        assert_true(three.stats.own <= 1e-8);
        for (int i = 0; i < p.m; i++) assert_close(one.u[i], three.u[i], 1e-6 * size);
    }
    dls_arena_free(&a);
}

static void optimal_in_space(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "accel_x=0.6", &a);
    struct support_run run = support_run("apgd", "law=convex", &p, NULL, &a);
    assert_int_equal(run.stats.status, DLS_FINISHED);
    assert_optimal(&p, run.r, run.u, 1e-6, &a);
    dls_arena_free(&a);
}

// Without friction there is nothing to relax, hence no label, and one path for both laws
// (but for steps that only the Coulomb one takes back; there are none here).
static void frictionless(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("stack", "n=10 mu=0", &a);
    struct support_run one = support_run("apgd", "law=coulomb", &p, NULL, &a);
    struct support_run two = support_run("apgd", "law=convex", &p, NULL, &a);
    assert_int_equal(two.stats.status, DLS_OK);
    assert_null(one.stats.relaxes);
    assert_null(two.stats.relaxes);
    assert_memory_equal(one.r, two.r, (size_t)p.m * sizeof *one.r);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum),
        cmocka_unit_test(one_product_a_step),
        cmocka_unit_test(units),
        cmocka_unit_test(one_contact_dilates),
        cmocka_unit_test(one_program_three_methods),
        cmocka_unit_test(optimal_in_space),
        cmocka_unit_test(frictionless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
