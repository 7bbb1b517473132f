// SPDX-License-Identifier: Apache-2.0
#include "tests/support/support_acceleration.h"

#include "formulations/files/formats.h"

#include <math.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"
#include "tests/support/support_run.h"

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

void support_fewer_sweeps(const char *solver,
                          const double factor[SUPPORT_SLOW_PROBLEMS])
{
    static const char *const slow[SUPPORT_SLOW_PROBLEMS][2] = {
        {"stack", "n=10 mu=0"},
        {"stack", "n=20 mu=0"},
        {"stack", "n=20 mu=0.3 push=0.1"},
        {"brick-wall-2d", ""},
        {"brick-wall-3d", ""},
        {"heavy-on-light", "ratio=100"}, // one mode: two sweeps tell all
    };
    for (int k = 0; k < SUPPORT_SLOW_PROBLEMS; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(slow[k][0], slow[k][1], &a);
        long plain = sweeps("pgs", "", &p), fast = sweeps(solver, "", &p);
        print_message("%s %s: pgs %ld, %s %ld\n", slow[k][0], slow[k][1], plain, solver,
                      fast);
        assert_true((double)fast * factor[k] <= (double)plain);
        dls_arena_free(&a);
    }
}

void support_hardly_more_sweeps(const char *solver)
{
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
        long fast = sweeps(solver, "", &p);
        print_message("%s: pgs %ld, %s %ld\n", others[k][0], plain, solver, fast);
        assert_true(fast <= 2 * plain + 10);
        dls_arena_free(&a);
    }
}

void support_fewer_on_snapshots(const char *solver)
{
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
        long fast = sweeps(solver, "", &p);
        print_message("%s: pgs %ld, %s %ld\n", names[k], plain, solver, fast);
        assert_true(fast <= plain); // found: 1 to 9 times fewer
        dls_arena_free(&a);
    }
}

void support_honest_sweeps(const char *solver)
{
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("brick-wall-2d", "", &a);
    struct support_run run = support_run(solver, "", &p, NULL, &a);
    assert_int_equal(run.stats.work.products, run.stats.iterations);
    assert_int_equal(run.stats.work.local_solves, run.stats.iterations * p.contacts);
    // Round-off of mu r_N.
    assert_true(run.stats.measures.cone_excess <= 1e-14 * fabs(run.r[0]) + 1e-14);
    dls_arena_free(&a);
}

void support_same_answers(const char *solver)
{
    static const char *const unique[][2] = {{"stack", "n=10 mu=0"},
                                            {"manufactured", "contacts=60"}};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(unique[k][0], unique[k][1], &a);
        struct support_run one = support_run("pgs", "", &p, NULL, &a);
        double *zero = DLS_NEW(&a, double, p.m), *q = generated_u(&p, zero, &a),
               size = 0;
        for (int i = 0; i < p.m; i++) size = fmax(size, fabs(q[i]));
        struct support_run two = support_run(solver, "", &p, NULL, &a);
        for (int i = 0; i < p.m; i++) assert_close(one.u[i], two.u[i], 1e-5 * size);
        dls_arena_free(&a);
    }
}
