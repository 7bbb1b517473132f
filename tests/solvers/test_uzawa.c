// SPDX-License-Identifier: Apache-2.0
// Uzawa's iteration, the extragradient method, and the projection kernel of both.
#include "problems/generators/generator.h"
#include "solvers/kernel/vi.h"
#include "solvers/solver.h"

#include "formulations/files/formats.h"
#include "formulations/parts/uniqueness.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

static const char *const variants[] = {
    "loop=single step=adaptive",
    "loop=nested step=adaptive",
    "loop=single step=fixed",
    "loop=nested step=fixed",
};

struct run {
    struct dls_arena a;
    struct dls_problem p;
    double *r, *u;
    struct dls_stats stats;
};

static void manufactured(struct run *run, const char *settings)
{
    const struct dls_generator *g = dls_generator_find("manufactured");
    *run = (struct run){0};
    char *opt = DLS_NEW(&run->a, char, g->options_size);
    support_options(g->options, opt, settings);
    assert_int_equal(g->make(&run->p, opt, &run->a, NULL), DLS_OK);
}

// Solves from zero; `u` receives the judge's velocity.
static enum dls_status solve(struct run *run, const char *solver, const char *settings,
                             long max_iter)
{
    const struct dls_solver *s = dls_solver_find(solver);
    struct dls_settings set = dls_settings_default();
    struct dls_judge *judge = NULL;
    struct dls_measures m;
    double own[16];
    assert_non_null(s);
    assert_true(s->options_size <= sizeof own);
    support_options(s->options, own, settings);
    set.max_iter = max_iter;
    run->r = DLS_NEW(&run->a, double, run->p.m);
    run->u = DLS_NEW(&run->a, double, run->p.m);
    struct dls_options opt = {.solver = own};
    dls_solve(s, &opt, &run->p, &set, run->r, &run->stats);
    assert_int_equal(dls_judge_create(&judge, &run->p, &run->a, NULL), DLS_OK);
    dls_judge_measure(judge, run->r, &m);
    memcpy(run->u, dls_judge_u(judge), (size_t)run->p.m * sizeof *run->u);
    dls_judge_destroy(judge);
    return run->stats.status;
}

static double norm(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (x[i] - (y ? y[i] : 0)) * (x[i] - (y ? y[i] : 0));
    return sqrt(sum);
}

// --- solvers -------------------------------------------------------------------------

// Full rank, and friction below the bound of uniqueness: everyone finds the same u.
static void agree_with_gauss_seidel(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct run pgs, run;
        struct dls_delassus f;
        char settings[80];
        snprintf(settings, sizeof settings, "d=%d contacts=10 mu=0.03 seed=%d",
                 2 + k % 2, 1 + k);
        manufactured(&pgs, settings);
        assert_int_equal(dls_delassus_build(&f, &pgs.p, &pgs.a, NULL), DLS_OK);
        assert_true(dls_uniqueness_bound(&f, &pgs.a) < 1);
        assert_int_equal(solve(&pgs, "pgs", "", 0), DLS_OK);
        double near = 100 * 1e-8 * norm(f.q, NULL, f.m);
        for (int v = 0; v < 5; v++) {
            manufactured(&run, settings);
            enum dls_status status = v < 4 ? solve(&run, "uzawa", variants[v], 0)
                                           : solve(&run, "extragradient", "", 0);
            assert_int_equal(status, DLS_OK);
            assert_true(norm(run.u, pgs.u, run.p.m) <= near);
            dls_arena_free(&run.a);
        }
        dls_arena_free(&pgs.a);
    }
}

// Too long a step, and a skew W for which the step 1 / lambda_max is too long: the fixed
// step runs about for ever, the adaptive one arrives.
static void fixed_step_fails_where_the_adaptive_one_arrives(void **state)
{
    (void)state;
    const double symmetric[] = {2, 1, 1, 2}, skew[] = {0.1, 1, -1, 0.1};
    const double mu[] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const double *W = k ? skew : symmetric; // answer r = (1, 2)
        const double q[] = {-W[0] - 2 * W[1], -W[2] - 2 * W[3]};
        struct run run = {0};
        run.p = support_local(2, 1, W, q, mu, &run.a);
        enum dls_status status =
            solve(&run, "uzawa", k ? "step=fixed" : "step=fixed rho=2.5", 20000);
        assert_true(status != DLS_OK && run.stats.measures.natural > 1e-3);
        assert_int_equal(solve(&run, "uzawa", "rho=2.5", 20000), DLS_OK);
        assert_int_equal(solve(&run, "extragradient", "", 20000), DLS_OK);
        assert_close(run.r[0], 1, 1e-6);
        assert_close(run.r[1], 2, 1e-6);
        dls_arena_free(&run.a);
    }
}

// At the default step, 1 / lambda_max, a frictionless fixed step is a contraction.
static void fixed_step_uses_the_largest_eigenvalue(void **state)
{
    (void)state;
    // W = I: rho = 1 solves u = 0 in one step.
    const double W[] = {1, 0, 0, 1}, q[] = {-3, 0.5}, mu[] = {0.4};
    struct run run = {0};
    run.p = support_local(1, 2, W, q, mu, &run.a);
    assert_int_equal(solve(&run, "uzawa", "step=fixed", 100), DLS_OK);
    assert_true(run.stats.iterations <= 2);
    assert_close(run.r[0], 3, 1e-12);
    assert_close(run.r[1], -0.5, 1e-12);
    dls_arena_free(&run.a);
}

// Rows N, T1, T2, R1, R2 with W = I: the answer is the projection of -q, shifted until
// sliding and rolling are at their limits: r_N = 2, |r_T| = mu r_N, |r_R| = mu_r r_N.
static void rolling_rows_are_taken(void **state)
{
    (void)state;
    double W[25] = {0}, q[] = {-2, 3, 4, 0, -1}, mu[] = {0.5}, mu_r[] = {0.1};
    for (int i = 0; i < 5; i++) W[i * 6] = 1;
    static const char *const names[] = {"extragradient", "uzawa"};
    for (int k = 0; k < 2; k++) {
        struct run run = {0};
        run.p = support_local(1, 5, W, q, mu, &run.a);
        run.p.rolling = true;
        run.p.mu_r = mu_r;
        assert_int_equal(solve(&run, names[k], "", 20000), DLS_OK);
        const double r[] = {2, -0.6, -0.8, 0, 0.2};
        assert_true(norm(run.r, r, 5) < 1e-6);
        dls_arena_free(&run.a);
    }
}

static void variants_repeat_bit_for_bit(void **state)
{
    (void)state;
    for (int v = 0; v < 4; v++) {
        struct run one, two;
        manufactured(&one, "contacts=10");
        manufactured(&two, "contacts=10");
        solve(&one, "uzawa", variants[v], 137);
        solve(&two, "uzawa", variants[v], 137);
        assert_memory_equal(one.r, two.r, (size_t)one.p.m * sizeof *one.r);
        dls_arena_free(&one.a);
        dls_arena_free(&two.a);
    }
}

static void real_snapshots_do_not_diverge(void **state)
{
    (void)state;
    static const char *const files[] = {
        "fc2d/FrictionContactProblem00071.hdf5", "fc3d/Rover1039.hdf5",
        "fc3d/Confeti-ex03-Fc3D-SBM.hdf5", "rolling/RFC3D_cube_1.hdf5",
        "fc3d/GFC3D_Example00_badly_scaled-cond.hdf5"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (int v = 0; v < 2; v++) {
            const char *path = support_corpus(files[k]);
            if (!path) skip();
            struct run run = {0};
            assert_int_equal(dls_fclib_read(&run.p, path, &run.a, NULL), DLS_OK);
            assert_int_equal(solve(&run, v ? "uzawa" : "extragradient", "", 20000),
                             DLS_OK);
            dls_arena_free(&run.a);
        }
}

// --- the kernel ----------------------------------------------------------------------

enum { CONTACTS = 12 };

// W = B B^T + skew of full rank on d = 1, with the answer r of q.
static void monotone_problem(struct dls_problem *p, double skew, double *r,
                             struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(5);
    double B[CONTACTS * CONTACTS], W[CONTACTS * CONTACTS] = {0};
    double q[CONTACTS], mu[CONTACTS] = {0};
    for (int i = 0; i < CONTACTS * CONTACTS; i++) B[i] = dls_rng_normal(&g);
    for (int i = 0; i < CONTACTS; i++)
        for (int j = 0; j < CONTACTS; j++) {
            W[i * CONTACTS + j] = i < j ? skew : i > j ? -skew : 0;
            for (int k = 0; k < CONTACTS; k++)
                W[i * CONTACTS + j] += B[i * CONTACTS + k] * B[j * CONTACTS + k];
        }
    for (int i = 0; i < CONTACTS; i++) r[i] = fmax(0, dls_rng_range(&g, -1, 1));
    for (int i = 0; i < CONTACTS; i++) {
        q[i] = r[i] > 0 ? 0 : dls_rng_range(&g, 0, 1); // u of a contact that opens
        for (int j = 0; j < CONTACTS; j++) q[i] -= W[i * CONTACTS + j] * r[j];
    }
    *p = support_local(CONTACTS, 1, W, q, mu, a);
}

// For a monotone problem every step comes closer to the answer, in the metric of the
// method [Khobotov1987]; the step stays between its bounds.
static void every_step_comes_closer(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct dls_arena a = {0};
        struct dls_problem p;
        struct dls_delassus f;
        struct dls_vi vi;
        double answer[CONTACTS], z[CONTACTS] = {0}, before = INFINITY;
        monotone_problem(&p, k / 2 * 5.0, answer, &a);
        assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
        assert_int_equal(dls_vi_create(&vi, &f, DLS_VI_CONES, k % 2, &a), DLS_OK);
        for (int step = 0; step < 500; step++) {
            double distance = 0;
            for (int i = 0; i < CONTACTS; i++)
                distance += (z[i] - answer[i]) * (z[i] - answer[i]) / vi.D[i];
            assert_true(distance <= before * (1 + 1e-12)); // round-off
            before = distance;
            int products = dls_vi_step(&vi, z);
            assert_true(products >= 2 && products < 40);
            assert_true(vi.rho >= vi.rho_min);
        }
        dls_arena_free(&a);
    }
}

// W -> 4 W and W -> W / 4 (units of mass) give the same iterates in their units, to the
// last bit, when contacts are scaled.
static void units_of_mass_do_not_matter(void **state)
{
    (void)state;
    for (int set = DLS_VI_CONES; set <= DLS_VI_THRESHOLDS; set++) {
        double z[2][3 * 10] = {{0}};
        for (int k = 0; k < 2; k++) {
            struct run run;
            struct dls_delassus f;
            struct dls_vi vi;
            manufactured(&run, "contacts=10 mu=0.3");
            assert_int_equal(dls_delassus_build(&f, &run.p, &run.a, NULL), DLS_OK);
            int blocks = f.W->p[f.W->rows];
            for (int i = 0; k && i < blocks * f.d * f.d; i++) f.W->x[i] *= 4;
            assert_int_equal(dls_vi_create(&vi, &f, set, true, &run.a), DLS_OK);
            for (int step = 0; step < 100; step++) {
                dls_vi_step(&vi, z[k]);
                if (step == 50) dls_vi_freeze(&vi, z[k]);
            }
            dls_arena_free(&run.a);
        }
        for (int i = 0; i < 30; i++) assert_true(z[0][i] == 4 * z[1][i]);
        assert_true(norm(z[0], NULL, 30) > 0);
    }
}

// A fixed step at the answer of the Tresca problem with thresholds of Coulomb stays.
static void answers_are_fixed_points(void **state)
{
    (void)state;
    for (int set = DLS_VI_CONES; set <= DLS_VI_THRESHOLDS; set++) {
        struct run run;
        struct dls_delassus f;
        struct dls_vi vi;
        manufactured(&run, "contacts=10 mu=0.3");
        double *r = run.p.solution_r;
        assert_int_equal(dls_delassus_build(&f, &run.p, &run.a, NULL), DLS_OK);
        assert_int_equal(dls_vi_create(&vi, &f, set, true, &run.a), DLS_OK);
        double *z = dls_copy(&run.a, r, (size_t)f.m, sizeof *r);
        dls_vi_freeze(&vi, z);
        dls_vi_step_fixed(&vi, z);
        assert_true(norm(z, r, f.m) < 1e-12); // round-off of W r + q
        dls_vi_step(&vi, z);
        assert_true(norm(z, r, f.m) < 1e-12);
        dls_arena_free(&run.a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agree_with_gauss_seidel),
        cmocka_unit_test(fixed_step_fails_where_the_adaptive_one_arrives),
        cmocka_unit_test(fixed_step_uses_the_largest_eigenvalue),
        cmocka_unit_test(rolling_rows_are_taken),
        cmocka_unit_test(variants_repeat_bit_for_bit),
        cmocka_unit_test(real_snapshots_do_not_diverge),
        cmocka_unit_test(every_step_comes_closer),
        cmocka_unit_test(units_of_mass_do_not_matter),
        cmocka_unit_test(answers_are_fixed_points),
    };
    return cmocka_run_group_tests_name("uzawa", tests, NULL, NULL);
}
