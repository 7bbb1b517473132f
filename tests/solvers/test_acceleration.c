// SPDX-License-Identifier: Apache-2.0
// nncg and anderson against the Gauss-Seidel method that they accelerate: fewer sweeps
// where it is slow, hardly more anywhere, the same answers.
#include "solvers/contact/gauss_seidel.h"

#include "formulations/files/snapshot.h"

#include <math.h>
#include <string.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"
#include "tests/support/support_run.h"

static const char *const both[] = {"nncg", "anderson"};

// Sweeps to 1e-8, or a failed test.
static long sweeps(const char *solver, const char *options, const struct dls_problem *p)
{
    struct dls_arena a = {0};
    struct support_run run = support_run(solver, options, p, NULL, &a);
    if (run.stats.status != DLS_OK)
        fail_msg("%s: %s, natural %g", solver, run.stats.message,
                 run.stats.measures.natural);
    dls_arena_free(&a);
    return run.stats.iterations;
}

// Stacks and walls, where error travels slowly from the ground up. On a stack of n a
// sweep gains cos^2(pi/2n): n^2 sweeps a decade. Conjugate directions need the root
// of that number; found: 3 to 12 times fewer sweeps by nncg, 45 to 100 by anderson on
// stacks, 3.3 and 5.5 to 10 on walls. The factors asserted leave a margin of a third.
static void fewer_sweeps(void **state)
{
    (void)state;
    static const struct {
        const char *generator, *options;
        double factor[2]; // of nncg, anderson
    } slow[] = {
        {"stack", "n=10 mu=0", {4, 60}},
        {"stack", "n=20 mu=0", {7, 45}},
        {"stack", "n=20 mu=0.3 push=0.1", {2, 30}},
        {"brick-wall-2d", "", {2, 3.5}},
        {"brick-wall-3d", "", {2, 6}},
        {"heavy-on-light", "ratio=100", {6, 100}}, // one mode: two sweeps tell all
    };
    for (size_t k = 0; k < sizeof slow / sizeof *slow; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(slow[k].generator, slow[k].options, &a);
        long plain = sweeps("pgs", "", &p);
        for (int s = 0; s < 2; s++) {
            long fast = sweeps(both[s], "", &p);
            print_message("%s %s: pgs %ld, %s %ld\n", slow[k].generator,
                          slow[k].options, plain, both[s], fast);
            assert_true((double)fast * slow[k].factor[s] <= (double)plain);
        }
        dls_arena_free(&a);
    }
}

// Never much worse: an attempt of anderson's that fails costs up to as many sweeps as it
// is followed by plain ones, hence the 2; short runs end before a direction is found.
static void hardly_more_sweeps(void **state)
{
    (void)state;
    static const char *const others[][2] = {
        {"manufactured", "contacts=60"},
        {"manufactured", "contacts=60 seed=7"},
        {"overhang", ""},
        {"conveyor", ""},
        {"cradle", ""},
        {"four-leg-table", ""},
        {"groove", ""},
        {"sphere-packing", ""},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(others[k][0], others[k][1], &a);
        long plain = sweeps("pgs", "", &p);
        for (int s = 0; s < 2; s++) {
            long fast = sweeps(both[s], "", &p);
            print_message("%s: pgs %ld, %s %ld\n", others[k][0], plain, both[s], fast);
            assert_true(fast <= 2 * plain + 10);
        }
        dls_arena_free(&a);
    }
}

// Real snapshots, hyperstatic ones among them.
static void snapshots(void **state)
{
    (void)state;
    static const char *const names[] = {"fc2d/FrictionContactProblem00237.hdf5",
                                        "fc3d/OneObject-i1028-138.hdf5",
                                        "fc3d/Box_Stacks-i0122-82-5-cond.hdf5",
                                        "siconos3d/Capsules200-00103-s00070.hdf5"};
    if (!support_corpus(names[0])) {
        print_message("the corpus is not here\n");
        skip();
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = {0};
        assert_int_equal(dls_fclib_read(&p, support_corpus(names[k]), &a, NULL),
                         DLS_OK);
        long plain = sweeps("pgs", "", &p);
        for (int s = 0; s < 2; s++) {
            long fast = sweeps(both[s], "", &p);
            print_message("%s: pgs %ld, %s %ld\n", names[k], plain, both[s], fast);
            assert_true(fast <= plain); // found: 1 to 9 times fewer
        }
        dls_arena_free(&a);
    }
}

// Without memory anderson is pgs, bit by bit; so is the sweep called by hand.
static void plain_sweeps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "push=2", &a);
    struct dls_settings settings = dls_settings_default();
    settings.tol = 0;
    settings.max_iter = 30;
    static const char *const omegas[] = {"omega=1", "omega=0.8"};
    for (int k = 0; k < 2; k++) {
        char plain[32] = "memory=0 ";
        strcat(plain, omegas[k]);
        struct support_run one = support_run("pgs", omegas[k], &p, &settings, &a);
        struct support_run two = support_run("anderson", plain, &p, &settings, &a);
        assert_int_equal(one.stats.iterations, two.stats.iterations);
        assert_memory_equal(one.r, two.r, (size_t)p.m * sizeof *one.r);
        struct dls_delassus f;
        struct dls_gauss_seidel sweep;
        struct dls_work work = {0};
        double *r = DLS_NEW(&a, double, p.m);
        assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
        assert_int_equal(
            dls_gauss_seidel_create(&sweep, &f, k ? 0.8 : 1, DLS_SWEEP_GIVEN, &a, NULL),
            DLS_OK);
        for (long i = 0; i < one.stats.iterations; i++)
            dls_gauss_seidel_sweep(&sweep, r, &work);
        assert_memory_equal(one.r, r, (size_t)p.m * sizeof *r);
        assert_int_equal(work.local_solves, one.stats.iterations * p.contacts);
    }
    dls_arena_free(&a);
}

// Every step is one sweep; what the judge sees lies in the cones.
static void honest_counts(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-2d", "", &a);
    for (int s = 0; s < 2; s++) {
        struct support_run run = support_run(both[s], "", &p, NULL, &a);
        assert_int_equal(run.stats.work.products, run.stats.iterations);
        assert_int_equal(run.stats.work.local_solves,
                         run.stats.iterations * p.contacts);
        // Round-off of mu r_N.
        assert_true(run.stats.measures.cone_excess <= 1e-14 * fabs(run.r[0]) + 1e-14);
    }
    dls_arena_free(&a);
}

static void units(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-3d", "push=2", &a);
    for (int s = 0; s < 2; s++) support_units(both[s], "", &p, 60);
    dls_arena_free(&a);
}

// The same u as pgs where it is unique (frictionless, or manufactured), in units of the
// free velocity: 1e-8 of the residual times the condition number of these, below 1e3.
static void same_answers(void **state)
{
    (void)state;
    static const char *const unique[][2] = {{"stack", "n=10 mu=0"},
                                            {"manufactured", "contacts=60"}};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(unique[k][0], unique[k][1], &a);
        struct support_run one = support_run("pgs", "", &p, NULL, &a);
        double *zero = DLS_NEW(&a, double, p.m), *q = generated_u(&p, zero, &a),
               size = 0;
        for (int i = 0; i < p.m; i++) size = fmax(size, fabs(q[i]));
        for (int s = 0; s < 2; s++) {
            struct support_run two = support_run(both[s], "", &p, NULL, &a);
            for (int i = 0; i < p.m; i++) assert_close(one.u[i], two.u[i], 1e-5 * size);
        }
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_sweeps),  cmocka_unit_test(hardly_more_sweeps),
        cmocka_unit_test(snapshots),     cmocka_unit_test(plain_sweeps),
        cmocka_unit_test(honest_counts), cmocka_unit_test(units),
        cmocka_unit_test(same_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
