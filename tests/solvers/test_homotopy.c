// SPDX-License-Identifier: Apache-2.0
// homotopy: the flow alone, the path through folds when the flow has no time, agreement
// with Gauss-Seidel where u is unique, hyperstatic snapshots of Siconos, threads.
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"
#include "formulations/judge/residual.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

static const char *const hard = "benchmarks/snapshots/sphere-packing-hard.hdf5";

struct options {
    int patience;
};

// Solves with so many steps for the flow; `folds` receives how many were followed.
static double *solve(const struct dls_problem *p, int patience, long *steps,
                     long *folds, struct dls_arena *a)
{
    const struct dls_solver *solver = dls_solver_find("homotopy");
    struct options opt = {patience};
    struct dls_options options = {&opt, NULL};
    struct dls_stats stats;
    double *r = DLS_NEW(a, double, p->m), nu;
    assert_int_equal(solver->options_size, sizeof opt);
    dls_solve(solver, &options, p, NULL, r, &stats);
    if (stats.status != DLS_OK)
        fail_msg("%s, natural %g", dls_status_name(stats.status),
                 stats.measures.natural);
    assert_int_equal(sscanf(stats.work.note, "nu %lf; %ld steps and %ld folds followed",
                            &nu, steps, folds),
                     3);
    assert_true(nu > 0 && nu < 1e-6);
    return r;
}

static struct dls_problem read(const char *path, struct dls_arena *a)
{
    struct dls_problem p;
    assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, a, NULL), DLS_OK);
    return p;
}

// |u(r) - u(known)| / |q|
static double difference(const struct dls_problem *p, const double *r,
                         const double *known, struct dls_arena *a)
{
    struct dls_judge *judge;
    struct dls_measures measures;
    double *u = DLS_NEW(a, double, p->m), error = 0, size = 0;
    assert_int_equal(dls_judge_create(&judge, p, a, NULL), DLS_OK);
    dls_judge_measure(judge, r, &measures);
    memcpy(u, dls_judge_u(judge), (size_t)p->m * sizeof *u);
    dls_judge_measure(judge, known, &measures);
    for (int k = 0; k < p->m; k++) {
        double d = u[k] - dls_judge_u(judge)[k];
        error += d * d;
        size += dls_judge_q(judge)[k] * dls_judge_q(judge)[k];
    }
    dls_judge_destroy(judge);
    return sqrt(error / size);
}

// Frictionless, at rest on four legs, and of full rank with little friction: velocities
// are unique. A residual of 1e-8 and condition numbers up to 100 leave 1e-6.
static void agrees_where_velocities_are_unique(void **state)
{
    (void)state;
    const char *const names[] = {"stack", "four-leg-table", "manufactured-3d"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct dls_arena a = {0};
        char path[80];
        long steps, folds;
        snprintf(path, sizeof path, "benchmarks/snapshots/%s.hdf5", names[n]);
        struct dls_problem p = read(path, &a);
        double *r = solve(&p, 600, &steps, &folds, &a);
        assert_int_equal(steps, 0); // the flow is enough
        assert_close(difference(&p, r, p.solution_r, &a), 0, 1e-6);
        dls_arena_free(&a);
    }
}

// This packing has answers that repel Gauss-Seidel; its path folds, and following it with
// hardly any flow ends as the flow does.
static void follows_folds(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    long steps, folds;
    struct dls_problem p = read(hard, &a);
    double *by_path = solve(&p, 2, &steps, &folds, &a);
    assert_true(steps > 10);
    assert_true(folds > 0);
    double *by_flow = solve(&p, 600, &steps, &folds, &a);
    assert_int_equal(steps, 0);
    assert_close(difference(&p, by_path, by_flow, &a), 0, 1e-6);
    dls_arena_free(&a);
}

// Walls that Gauss-Seidel does not finish in a minute.
static void finishes_hyperstatic_walls(void **state)
{
    (void)state;
    const char *const names[] = {"siconos3d/BrickWall10x8-00268-s00090.hdf5",
                                 "siconos3d/Kaplas11-00590-s00020.hdf5"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const char *path = support_corpus(names[n]);
        if (!path) {
            print_message("the corpus is not here\n");
            skip();
        }
        struct dls_arena a = {0};
        long steps, folds;
        struct dls_problem p = read(path, &a);
        solve(&p, 600, &steps, &folds, &a);
        dls_arena_free(&a);
    }
}

// Products with W and factors are shared from a thousand contacts on.
static void threads_change_no_bit(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("pyramid", "layers=6", &a);
    const double *first = NULL;
    assert_true(p.contacts > 1000);
    for (p.threads = 1; p.threads <= 4; p.threads *= 2) {
        long steps, folds;
        const double *r = solve(&p, 600, &steps, &folds, &a);
        if (!first) first = r;
        assert_memory_equal(r, first, (size_t)p.m * sizeof *r);
    }
    dls_arena_free(&a);
}

// Slips that turn would cut straight steps; with those this pyramid took 56 factorisations.
static void turning_slips_cut_no_steps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("pyramid", "layers=6", &a);
    struct dls_stats stats;
    double *r = DLS_NEW(&a, double, p.m);
    dls_solve(dls_solver_find("homotopy"), NULL, &p, NULL, r, &stats);
    assert_int_equal(stats.status, DLS_OK);
    assert_in_range(stats.work.factorisations, 10, 40);
    dls_arena_free(&a);
}

// Random sets with 2.6 rows for a velocity, of 79 and of 46 contacts: a least alpha that holds
// the null space back would hold back the path.
static void small_null_spaces_are_not_held_back(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "contacts=79 d=2 density=2.65 decades=4.61 geometry=gaussian friction=equal "
        "mu=0.97 seed=16519",
        "contacts=46 d=3 density=2.57 decades=4.74 geometry=frames friction=equal "
        "mu=1.04 seed=95020",
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate("random-bodies", sets[k], &a);
        long steps, folds;
        solve(&p, 600, &steps, &folds, &a);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_where_velocities_are_unique),
        cmocka_unit_test(follows_folds),
        cmocka_unit_test(finishes_hyperstatic_walls),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(turning_slips_cut_no_steps),
        cmocka_unit_test(small_null_spaces_are_not_held_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
