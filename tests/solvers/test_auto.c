// SPDX-License-Identifier: Apache-2.0
// auto: easy problems stay with Gauss-Seidel, hard ones go on to stronger methods, what
// no method takes is refused, and the note tells who worked.
#include "solvers/kernel/policy.h"
#include "solvers/sequence/sequence.h"
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

static double *solve(const char *solver, const struct dls_problem *p, double tol,
                     struct dls_stats *stats, struct dls_arena *a)
{
    struct dls_settings settings = dls_settings_default();
    double *r = DLS_NEW(a, double, p->m);
    settings.tol = tol;
    dls_solve(dls_solver_find(solver), NULL, p, &settings, r, stats);
    return r;
}

static void expect_solved(const char *solver, const struct dls_problem *p, double tol,
                          struct dls_stats *stats, struct dls_arena *a)
{
    solve(solver, p, tol, stats, a);
    if (stats->status != DLS_OK)
        fail_msg("%s: %s, natural %g", solver, dls_status_name(stats->status),
                 stats->measures.natural);
}

static bool read_corpus(const char *name, struct dls_problem *p, struct dls_arena *a)
{
    const char *path = support_corpus(name);
    if (!path) {
        print_message("the corpus is not here\n");
        return false;
    }
    assert_int_equal(dls_snapshot_read(p, path, DLS_DAT_GUESS, a, NULL), DLS_OK);
    return true;
}

// A short stack needs some hundred sweeps and nothing else.
static void easy_problems_take_sweeps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    struct dls_problem p = support_generate("stack", "n=10", &a);
    expect_solved("auto", &p, 1e-8, &stats, &a);
    assert_int_equal(stats.work.factorisations, 0);
    assert_non_null(strstr(stats.work.note, "anderson"));
    assert_null(strstr(stats.work.note, "newton"));
    dls_arena_free(&a);
}

// A heavy disk on a light one: a factor of 1 - 1e-6 a sweep, so that Gauss-Seidel would
// need millions. Two contacts have few modes, and anderson finds them.
static void few_slow_modes_are_extrapolated(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    struct dls_problem p = support_generate("heavy-on-light", "ratio=1e6", &a);
    expect_solved("auto", &p, 1e-8, &stats, &a);
    assert_int_equal(stats.work.factorisations, 0);
    assert_non_null(strstr(stats.work.note, "anderson"));
    dls_arena_free(&a);
}

// An arch whose slow modes span all stones: Gauss-Seidel needs some 50 000 sweeps.
static void slow_problems_are_handed_over(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    struct dls_problem p = support_generate("arch", "n=40", &a);
    expect_solved("auto", &p, 1e-8, &stats, &a);
    assert_true(stats.work.factorisations > 0);
    assert_true(stats.work.local_solves < 1000 * p.contacts);
    assert_non_null(strstr(stats.work.note, "prox-newton"));
    dls_arena_free(&a);
}

// Random sets on which sweeps of nncg repeat bit for bit, of two contacts and of 36: a run
// that has something else to try is not over. Both ended as stalled within milliseconds.
static void repeated_sweeps_are_no_end(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "contacts=2 d=2 density=2.78 decades=1.26 geometry=gaussian friction=equal "
        "mu=0.76 seed=811",
        "contacts=36 d=3 density=2.64 decades=3.51 geometry=repeated friction=equal "
        "mu=0.84 recede=1 seed=1615",
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        struct dls_arena a = {0};
        struct dls_stats stats;
        struct dls_problem p = support_generate("random-bodies", sets[k], &a);
        expect_solved("auto", &p, 1e-8, &stats, &a);
        dls_arena_free(&a);
    }
}

// Random sets on which the members that pass the best iterate on stay at 1e-6 to 1e-8, as
// long as one likes: proximal Newton from zero solves the first two, Lemke's pivots the
// third.
static void dead_ends_are_left(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "contacts=48 d=3 density=4.32 decades=4.92 geometry=parallel friction=equal "
        "mu=0.39 seed=391838",
        "contacts=70 d=2 density=5.52 decades=3.41 geometry=repeated friction=zero "
        "mu=1.54 seed=876068",
        "contacts=40 d=2 density=2.78 decades=3.65 geometry=frames friction=equal "
        "mu=0.15 seed=648490",
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        struct dls_arena a = {0};
        struct dls_stats stats;
        struct dls_problem p = support_generate("random-bodies", sets[k], &a);
        expect_solved("auto", &p, 1e-8, &stats, &a);
        print_message("%s\n", stats.work.note);
        dls_arena_free(&a);
    }
}

// Zeros on the diagonal: a complementarity problem that pivots alone solve, by r = (1, 1).
static void complementarity_problems_take_pivots(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    const double W[] = {0, 1, 1, 0}, q[] = {-1, -1}, mu[] = {0, 0};
    struct dls_problem p = support_local(2, 1, W, q, mu, &a);
    const double *r = solve("auto", &p, 1e-8, &stats, &a);
    assert_int_equal(stats.status, DLS_OK);
    assert_close(r[0], 1, 1e-12);
    assert_close(r[1], 1, 1e-12);
    assert_non_null(strstr(stats.work.note, "lemke"));
    dls_arena_free(&a);
}

// A hyperstatic tower: from zero proximal Newton has a short turn and the homotopy ends it.
// Of a start nearby, impulses a hundredth too small, proximal Newton makes use, and it does
// not sweep again.
static void warm_starts_go_to_proximal_newton(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats cold, warm;
    struct dls_settings settings = dls_settings_default();
    struct dls_problem p = support_generate("kapla-tower", "layers=60 accel=0.2", &a);
    double *r = solve("auto", &p, 1e-8, &cold, &a);
    assert_int_equal(cold.status, DLS_OK);
    assert_non_null(strstr(cold.work.note, "homotopy"));
    for (int k = 0; k < p.m; k++) r[k] *= 0.99;
    dls_solve(dls_solver_find("auto"), NULL, &p, &settings, r, &warm);
    assert_int_equal(warm.status, DLS_OK);
    assert_null(strstr(warm.work.note, "homotopy"));
    assert_true(warm.work.factorisations < cold.work.factorisations);
    dls_arena_free(&a);
}

// The same u as Gauss-Seidel where it is unique: full rank, little friction. The
// difference is the tolerance times the condition, below 1000.
static void agrees_with_gauss_seidel(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    struct dls_measures m;
    struct dls_judge *judge;
    struct dls_problem p = support_generate("manufactured", "contacts=30 d=3", &a);
    double *r = solve("auto", &p, 1e-10, &stats, &a);
    assert_int_equal(stats.status, DLS_OK);
    assert_int_equal(dls_judge_create(&judge, &p, &a, NULL), DLS_OK);
    dls_judge_measure(judge, r, &m);
    double *u = dls_copy(&a, dls_judge_u(judge), (size_t)p.m, sizeof *u);
    dls_judge_measure(judge, support_solve(&p, 1e-10, &a), &m);
    for (int k = 0; k < p.m; k++) assert_close(u[k], dls_judge_u(judge)[k], 1e-7);
    dls_judge_destroy(judge);
    dls_arena_free(&a);
}

// Rolling rows are for sweeps alone; where W_NN = 0 not even for them.
static void what_nobody_takes_is_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    const double q[] = {-1, 0.5, 0.5}, mu[] = {0.3};
    double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu_r[] = {0.1};
    for (int k = 0; k < 2; k++) {
        W[0] = 1 - k;
        struct dls_problem p = support_local(1, 3, W, q, mu, &a);
        p.rolling = true;
        p.mu_r = mu_r;
        solve("auto", &p, 1e-8, &stats, &a);
        assert_int_equal(stats.status, k ? DLS_UNSUPPORTED : DLS_OK);
    }
    dls_arena_free(&a);
}

// Members are made late: every allocation of a run that goes on to proximal Newton fails
// once, those behind the hand-over too; the run says so and leaks nothing.
static void survives_lack_of_memory_behind_the_hand_over(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("arch", "n=25", &a);
    double *r = DLS_NEW(&a, double, p.m);
    long late = 0; // failures after the first sweeps
    for (long k = 1;; k++) {
        struct dls_arena memory = {.fail_at = k};
        struct dls_settings settings = dls_settings_default();
        struct dls_stats stats;
        struct dls_sequence one;
        dls_sequence_open(&one, &memory);
        memset(r, 0, (size_t)p.m * sizeof *r);
        enum dls_status status = dls_sequence_solve(&one, dls_solver_find("auto"), NULL,
                                                    &p, &settings, r, &stats);
        dls_sequence_close(&one);
        dls_arena_free(&memory);
        assert_int_equal(memory.bytes, 0);
        if (memory.count < k) {
            assert_int_equal(status, DLS_OK);
            break;
        }
        assert_int_equal(status, DLS_ENOMEM);
        late += stats.work.local_solves > 0;
    }
    assert_true(late > 10); // found: some 40, for prox-newton and what it factors
    dls_arena_free(&a);
}

// Every member of the policy is a solver of this build, and its row says what the rules
// read: who is asked to halve a residual has a patience.
static void policy(void **state)
{
    (void)state;
    for (int k = 0; k < DLS_MEMBERS; k++) {
        const struct dls_policy *row = dls_policy + k;
        assert_non_null(dls_solver_find(row->name));
        assert_true(row->enters && *row->enters);
        assert_true(row->patience > 0 || (!row->own && !row->alone));
        assert_true(!row->alone || row->limit > 0); // to give the others their turns
        assert_true(row->alone || !row->elsewhere);
    }
    assert_true(dls_rule.least_sweeps < dls_rule.later_sweeps);
    assert_true(dls_rule.short_patience < dls_policy[DLS_PROX_NEWTON].patience);
    assert_true(dls_rule.near_patience < dls_policy[DLS_HOMOTOPY].patience);
}

// Hyperstatic, unsymmetric and plane snapshots of the corpus.
static void snapshots(void **state)
{
    (void)state;
    static const char *const files[] = {
        "fc3d/BoxesStack1-i100000-32.hdf5",      "fc3d/OneObject-i100000-316.hdf5",
        "fc3d/Capsules-i100-1090.hdf5",          "fc3d/Confeti-ex13-Fc3D-SBM.hdf5",
        "fc2d/FrictionContactProblem00237.hdf5",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct dls_arena a = {0};
        struct dls_problem p;
        struct dls_stats stats;
        if (!read_corpus(files[k], &p, &a)) skip();
        expect_solved("auto", &p, 1e-8, &stats, &a);
        print_message("%s: %s\n", files[k], stats.work.note);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(easy_problems_take_sweeps),
        cmocka_unit_test(few_slow_modes_are_extrapolated),
        cmocka_unit_test(slow_problems_are_handed_over),
        cmocka_unit_test(repeated_sweeps_are_no_end),
        cmocka_unit_test(dead_ends_are_left),
        cmocka_unit_test(complementarity_problems_take_pivots),
        cmocka_unit_test(warm_starts_go_to_proximal_newton),
        cmocka_unit_test(agrees_with_gauss_seidel),
        cmocka_unit_test(what_nobody_takes_is_refused),
        cmocka_unit_test(survives_lack_of_memory_behind_the_hand_over),
        cmocka_unit_test(policy),
        cmocka_unit_test(snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
