// SPDX-License-Identifier: Apache-2.0
// The parts behind `delassus certify`: extended precision, refinement, the freedom of the
// impulses. test_certificate.c looks at the certificate on disk.
#include "solvers/reference/certify.h"
#include "solvers/reference/null_space.h"

#include "formulations/judge/extended.h"

#include "base/clock.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_refine.h"
#include "tests/support/zoo.h"

// --- extended precision ---------------------------------------------------------------

// The square of the root is x to a few units of 2^-113 = 1e-34, over all magnitudes.
static void roots_have_all_digits(void **state)
{
    (void)state;
    for (int k = -1900; k <= 1900; k += 7) {
        dls_quad x = 1 + (dls_quad)k / 4001;
        for (int i = 0; i < (k < 0 ? -k : k); i++) x *= k < 0 ? 0.5 : 2;
        dls_quad root = dls_quad_sqrt(x), error = root * root / x - 1;
        assert_true(dls_quad_abs(error) < (dls_quad)1e-33);
    }
    assert_true(dls_quad_sqrt(0) == 0 && dls_quad_sqrt(-1) == 0);
    assert_true(dls_quad_sqrt(NAN) != dls_quad_sqrt(NAN));
    assert_true(dls_quad_sqrt(INFINITY) == INFINITY);
}

// At impulses far from the answer both judges see the same to the digits of doubles.
static void measures_agree_with_the_judge(void **state)
{
    (void)state;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        struct dls_arena a = {0};
        struct dls_problem p;
        struct support_bench b;
        struct dls_measures m;
        double *r, *u;
        z->make(&p, &r, &u, &a);
        support_bench_open(&b, &p);
        dls_quad *exact = DLS_NEW(&a, dls_quad, p.m);
        for (int k = 0; k < p.m; k++) exact[k] = r[k] += sin(k + 1.0);
        dls_judge_measure(b.judge, r, &m);
        dls_extended_measure(&b.extended, exact);
        assert_close(b.extended.natural, m.natural, 1e-12 * m.natural);
        assert_close(b.extended.merit, m.merit, 1e-12 * m.merit);
        support_bench_close(&b);
        dls_arena_free(&a);
    }
}

// --- refinement -----------------------------------------------------------------------

// From a known answer with an error of 1e-7 back to it. The data of these problems are
// rounded, so singular ones end where their redundant equations disagree, below 1e-15;
// the others at the round-off of 113 bits, 1e-30.
static void refinement_finds_the_known_answers(void **state)
{
    (void)state;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        struct dls_arena a = {0};
        struct dls_problem p;
        struct support_bench b;
        double *r, *u;
        z->make(&p, &r, &u, &a);
        support_bench_open(&b, &p);
        for (int k = 0; k < p.m; k++)
            if (r[k] != 0) r[k] *= 1 + 1e-7 * sin(k + 1.0);
        support_bench_refine(&b, r);
        if (!(b.extended.natural < 1e-15))
            fail_msg("%s: natural %g", z->name, b.extended.natural);
        double miss = 0, size = 0;
        for (int k = 0; k < p.m; k++) {
            miss += pow((double)b.extended.u[k] - u[k], 2);
            size += pow((double)b.extended.u[k], 2);
        }
        // The known answers are right to the round-off of doubles.
        if (z->unique && !(sqrt(miss) <= 1e-12 * (1 + sqrt(size))))
            fail_msg("%s: u is off by %g", z->name, sqrt(miss));
        support_bench_close(&b);
        dls_arena_free(&a);
    }
}

// One contact, W = diag(1, 1, 1), q = (-1, 3, 4), mu = 1/2: it slips, r_N = 1 and
// r_T = -q_T / 10, which no double holds.
static void slip_in_closed_form(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct support_bench b;
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 3, 4}, mu[] = {0.5};
    const double start[] = {1.01, -0.31, -0.39};
    struct dls_problem p = support_local(1, 3, W, q, mu, &a);
    support_bench_open(&b, &p);
    support_bench_refine(&b, start);
    const dls_quad *r = b.refinement.r;
    assert_true(dls_quad_abs(r[0] - 1) < (dls_quad)1e-32);
    assert_true(dls_quad_abs(10 * r[1] + 3) < (dls_quad)1e-31);
    assert_true(dls_quad_abs(10 * r[2] + 4) < (dls_quad)1e-31);
    assert_int_equal(b.refinement.status[0], DLS_REFINE_CLOSED | DLS_REFINE_SLIPS);
    support_bench_close(&b);
    dls_arena_free(&a);
}

// Digits double with every step: from 1e-3 to 1e-30 takes four, and one more to see it.
static void refinement_is_quadratic(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct support_bench b;
    const double W[] = {2, 0.5, 0.3, 0.5, 3, -0.4, 0.3, -0.4, 1}, mu[] = {0.5};
    const double q[] = {-1, 3, 4};
    struct dls_problem p = support_local(1, 3, W, q, mu, &a);
    double *r = support_solve(&p, 1e-8, &a);
    for (int k = 0; k < 3; k++) r[k] *= 1 + 1e-3 * (k + 1);
    support_bench_open(&b, &p);
    support_bench_refine(&b, r);
    assert_true(b.extended.natural < 1e-30);
    assert_in_range(b.refinement.steps, 1, 5);
    support_bench_close(&b);
    dls_arena_free(&a);
}

// Out of time at the start: the impulses come back as they were, with their residual.
static void no_time_changes_nothing(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("four-leg-table", "", &a);
    struct support_bench b;
    support_bench_open(&b, &p);
    b.work.deadline = dls_clock() - 1;
    double *r = DLS_NEW(&a, double, p.m);
    for (int k = 0; k < p.m; k++) r[k] = cos(k);
    support_bench_refine(&b, r);
    for (int k = 0; k < p.m; k++) assert_true(b.refinement.r[k] == r[k]);
    assert_true(b.extended.natural > 1e-3);
    support_bench_close(&b);
    dls_arena_free(&a);
}

// --- the freedom of the impulses ------------------------------------------------------

// Two contacts on one body, W = [1 1-e; 1-e 1]: Cholesky's second pivot is 2 e - e^2, which
// is zero below 1e-10.
static void pivots_decide(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct support_bench b;
        struct dls_null_space found;
        double e = k ? 1e-12 : 1e-8;
        const double W[] = {1, 1 - e, 1 - e, 1}, q[] = {-1, -1}, mu[] = {0, 0};
        const double r[] = {0.5, 0.5};
        struct dls_problem p = support_local(2, 1, W, q, mu, &a);
        support_bench_open(&b, &p);
        support_bench_refine(&b, r);
        assert_int_equal(dls_null_space_measure(&found, &b.refinement, &a), DLS_OK);
        assert_int_equal(found.unknowns, 2);
        assert_int_equal(found.dimension, k);
        // 1 - e is a double to 1e-16.
        assert_close(k ? found.dropped : found.kept, 2 * e, 1e-15 + e * e);
        support_bench_close(&b);
        dls_arena_free(&a);
    }
}

// Four legs that stick: 12 impulses, 6 velocities of the table, so that 6 remain free, and
// the shortest impulses are those of the pseudo-inverse as long as these are in the cones
// (mu = 2 makes room).
static void shortest_impulses_of_the_table(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate(
        "four-leg-table", "load=1 load_x=0.1 load_y=0.05 push=0.2 mu=2", &a);
    struct dls_certified c;
    struct dls_certify_settings settings = {
        .solver = dls_solver_find("auto"),
        .tol = 1e-14,
        .max_time = 60,
    };
    assert_int_equal(dls_certify(&c, &p, &settings, &a, NULL), DLS_OK);
    assert_int_equal(c.certificate.unknowns, 12);
    assert_int_equal(c.certificate.null_space, 6);
    // min |x| with H^T x = H^T r.
    double A[6 * 12] = {0}, b[12] = {0}, sigma[6];
    int rank;
    for (int i = 0; i < 12; i++)
        for (int k = p.H->p[i]; k < p.H->p[i + 1]; k++) {
            A[i * 6 + p.H->j[k]] = p.H->x[k];
            b[p.H->j[k]] += p.H->x[k] * c.r[i];
        }
    assert_int_equal(
        LAPACKE_dgelsd(LAPACK_COL_MAJOR, 6, 12, 1, A, 6, b, 12, sigma, 1e-12, &rank),
        0);
    assert_int_equal(rank, 6);
    for (int k = 0; k < 12; k += 3) assert_true(hypot(b[k + 1], b[k + 2]) < 2 * b[k]);
    // The convex solve finds them to the round-off over its eps, 1e-16 / 1e-4.
    for (int k = 0; k < 12; k++) assert_close(c.certificate.least_r[k], b[k], 1e-11);
    dls_arena_free(&a);
}

// The representative does not depend on the answer from which it is found.
static void the_representative_is_one(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p =
        support_generate("brick-wall-2d", "courses=3 bricks=3 heads=yes", &a);
    struct dls_certified c[2];
    const char *const solvers[] = {"pgs", "ipm"};
    double apart = 0, size = 0, between = 0;
    for (int k = 0; k < 2; k++) {
        struct dls_certify_settings settings = {
            .solver = dls_solver_find(solvers[k]),
            .tol = 1e-14,
            .max_time = 60,
        };
        assert_int_equal(dls_certify(c + k, &p, &settings, &a, NULL), DLS_OK);
        assert_true(c[k].certificate.null_space > 0);
    }
    for (int k = 0; k < p.m; k++) {
        double d = c[0].certificate.least_r[k] - c[1].certificate.least_r[k];
        between += pow(d, 2);
        apart += pow(c[0].r[k] - c[1].r[k], 2);
        size += pow(c[0].r[k], 2);
    }
    assert_true(apart > 1e-6 * size); // the answers differ,
    assert_true(between
                < 1e-16 * size); // the shortest ones to 1e-8: roots of nu = 1e-20
    dls_arena_free(&a);
}

// --- the whole ------------------------------------------------------------------------

static void survives_lack_of_memory(void **state)
{
    (void)state;
    struct dls_arena own = {0};
    struct dls_problem p = support_generate("four-leg-table", "", &own);
    // The solver has an arena of its own; every other allocation fails once.
    for (long k = 1;; k++) {
        struct dls_arena memory = {.fail_at = k};
        struct dls_certified c;
        struct dls_certify_settings settings = {
            .solver = dls_solver_find("pgs"),
            .tol = 1e-14,
            .max_time = 60,
        };
        enum dls_status status = dls_certify(&c, &p, &settings, &memory, NULL);
        long count = memory.count;
        dls_arena_free(&memory);
        if (count < k) break;
        assert_int_equal(status, DLS_ENOMEM);
    }
    dls_arena_free(&own);
}

// A table on four legs: rounded, the rows of W contradict each other, and no residual can be
// 1e-30. The answer is exact within that round-off.
static void round_off_of_the_data_is_allowed(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate(
        "four-leg-table", "load=1 load_x=0.1 load_y=0.05 push=0.2 mu=2", &a);
    struct dls_problem local = support_condensed(&p, &a);
    struct dls_certified c;
    struct dls_certify_settings settings = {
        .solver = dls_solver_find("auto"),
        .tol = 1e-30,
        .max_time = 60,
    };
    assert_int_equal(dls_certify(&c, &local, &settings, &a, NULL), DLS_OK);
    assert_true(c.certificate.refined.natural > settings.tol);
    assert_true(c.certificate.backward > 0 && c.certificate.backward <= 0x1p-53);
    dls_arena_free(&a);
}

// Lemke's facets are not Coulomb's cone: what is left to do is done by another solver.
static void another_solver_finishes(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("sphere-packing", "across=3 layers=3", &a);
    struct dls_certified c;
    struct dls_certify_settings settings = {
        .solver = dls_solver_find("lemke"),
        .tol = 1e-14,
        .max_time = 60,
    };
    assert_int_equal(dls_certify(&c, &p, &settings, &a, NULL), DLS_OK);
    assert_string_equal(c.second, "prox-newton");
    settings.solver = dls_solver_find("prox-newton");
    assert_int_equal(dls_certify(&c, &p, &settings, &a, NULL), DLS_OK);
    assert_null(c.second);
    dls_arena_free(&a);
}

static void short_of_the_tolerance_is_told(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("sphere-packing", "across=3 layers=3", &a);
    struct dls_certified c;
    struct dls_certify_settings settings = {
        .solver = dls_solver_find("uzawa"),
        .tol = 1e-14,
        .max_time = 0, // nothing but the start
    };
    assert_int_equal(dls_certify(&c, &p, &settings, &a, NULL), DLS_FINISHED);
    assert_true(c.certificate.refined.natural > 1e-3);
    assert_int_equal(c.certificate.null_space, -1);
    assert_non_null(strstr(c.null_note, "not known"));
    assert_null(c.certificate.least_r);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_have_all_digits),
        cmocka_unit_test(measures_agree_with_the_judge),
        cmocka_unit_test(refinement_finds_the_known_answers),
        cmocka_unit_test(slip_in_closed_form),
        cmocka_unit_test(refinement_is_quadratic),
        cmocka_unit_test(no_time_changes_nothing),
        cmocka_unit_test(pivots_decide),
        cmocka_unit_test(shortest_impulses_of_the_table),
        cmocka_unit_test(the_representative_is_one),
        cmocka_unit_test(survives_lack_of_memory),
        cmocka_unit_test(round_off_of_the_data_is_allowed),
        cmocka_unit_test(another_solver_finishes),
        cmocka_unit_test(short_of_the_tolerance_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
