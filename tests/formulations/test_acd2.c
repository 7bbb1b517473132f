// SPDX-License-Identifier: Apache-2.0
// The A-CD2 law: closed forms, agreement of the loops and with Moreau's law, energy.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"
#include "solvers/sequence/sequence.h"
#include "solvers/solver.h"

#include "formulations/acd2.h"
#include "formulations/delassus.h"
#include "formulations/files/formats.h"
#include "formulations/parts/uniqueness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

// --- runs ----------------------------------------------------------------------------

struct run {
    struct dls_arena a;
    struct dls_problem p;
    double *r, *v, *u_plus; // m, n, m
    struct dls_stats stats;
};

static void generate(struct run *run, const char *name, const char *settings)
{
    const struct dls_generator *g = dls_generator_find(name);
    struct dls_error err = {""};
    *run = (struct run){0};
    char *opt = DLS_NEW(&run->a, char, g->options_size);
    support_options(g->options, opt, settings);
    assert_int_equal(g->make(&run->p, opt, &run->a, &err), DLS_OK);
}

// u^+ = H v + w_ob
static void local_plus(struct run *run)
{
    const struct dls_problem *p = &run->p;
    for (int i = 0; i < p->m; i++) run->u_plus[i] = p->w_ob ? p->w_ob[i] : 0;
    dls_csr_add(p->H, 1, run->v, run->u_plus);
}

// Solves from rest to 1e-14, which leaves 1e-12 of v for conditions up to 100.
static enum dls_status solve(struct run *run, const char *solver, const char *settings,
                             const char *law)
{
    const struct dls_solver *s = dls_solver_find(solver);
    struct dls_settings set = dls_settings_default();
    struct dls_error err = {""};
    struct dls_judge *judge = NULL;
    struct dls_measures m;
    double own[16], form[16];
    assert_non_null(s);
    assert_true(s->options_size <= sizeof own && s->takes->options_size <= sizeof form);
    support_options(s->options, own, settings);
    support_options(s->takes->options, form, law);
    set.tol = 1e-14;
    set.max_iter = 200000;
    run->r = DLS_NEW(&run->a, double, run->p.m);
    run->v = DLS_NEW(&run->a, double, run->p.n);
    run->u_plus = DLS_NEW(&run->a, double, run->p.m);
    struct dls_options opt = {own, form};
    dls_solve(s, &opt, &run->p, &set, run->r, &run->stats);
    assert_int_equal(dls_judge_create(&judge, &run->p, &run->a, &err), DLS_OK);
    dls_judge_measure(judge, run->r, &m);
    memcpy(run->v, dls_judge_v(judge), (size_t)run->p.n * sizeof *run->v);
    dls_judge_destroy(judge);
    local_plus(run);
    return run->stats.status;
}

static double distance(const double *x, const double *y, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

// --- the rod of known answer ---------------------------------------------------------

static void rod_with_normal_potential(void **state)
{
    (void)state;
    struct run run;
    generate(&run, "rod", "mu=0.6");
    assert_int_equal(solve(&run, "uzawa-acd2", "", "k_N=16.25"), DLS_FINISHED);
    assert_close(run.r[0], 0.8125, 1e-12);
    assert_close(run.r[1], -0.0875, 1e-12);
    assert_close(run.u_plus[0], 0.9, 1e-12);
    assert_close(run.u_plus[1], 0.5, 1e-12);
    const struct dls_energy *e = &run.stats.energy;
    assert_close(e->kinetic_plus - e->kinetic_minus, -0.040625, 1e-12);
    assert_close(e->work, -0.040625, 1e-12); // (12): no external percussion
    assert_true(run.stats.own <= 1e-14);
    assert_string_equal(run.stats.relaxes, "A-CD2 law, quadratic potential");
    // 0.6 sqrt(0.625 * 2.5), of W = [2.5, 1.5; 1.5, 2.5]
    assert_string_equal(run.stats.work.note,
                        "bound 0.75: unique; Clausius-Duhem holds");
    dls_arena_free(&run.a);
}

// The rod in local terms, by Uzawa with the constraint of stick as the law has it,
// u_bar_T = 0, or as the paper prints it, u_T^+ = 0. Returns T^+ - T^- and r.
static double rod_by_hand(bool printed, double r[2])
{
    const double u_minus[2] = {-1, -0.5}, k_N = 16.25, mu = 0.6, rho = 0.5;
    double z[2] = {0, 0}, u_bar[2] = {0, 0};
    for (int k = 0; k < 20000; k++) {
        // u_bar = u^- + W (z - K u_bar) / 2, W = [2.5, 1.5; 1.5, 2.5]
        double b0 = u_minus[0] + 1.25 * z[0] + 0.75 * z[1];
        double b1 = u_minus[1] + 0.75 * z[0] + 1.25 * z[1];
        u_bar[0] = b0 / (1 + 1.25 * k_N);
        u_bar[1] = b1 - 0.75 * k_N * u_bar[0];
        r[0] = z[0] - k_N * u_bar[0];
        r[1] = z[1];
        double slip = u_bar[1] - (printed ? 0.5 * u_minus[1] : 0);
        double threshold = mu * fmax(0, r[0]);
        z[0] = fmax(0, z[0] - rho * (u_bar[0] - 0.5 * u_minus[0]));
        z[1] = fmax(-threshold, fmin(threshold, z[1] - rho * slip));
    }
    return r[0] * u_bar[0] + r[1] * u_bar[1]; // (12)
}

static void printed_constraint_creates_energy(void **state)
{
    (void)state;
    double r[2];
    assert_close(rod_by_hand(false, r), -0.040625, 1e-12);
    assert_close(r[0], 0.8125, 1e-12);
    // r_N = 13.8125 / 14, r_T = 0.2 - 0.6 r_N, work r.(u^- + u^+) / 2 = +0.0381
    assert_true(rod_by_hand(true, r) > 0.038);
    assert_close(r[0], 13.8125 / 14, 1e-12);
}

// --- one point on a plane ------------------------------------------------------------

static const struct dls_option no_options[] = {{0}};

static void make_point(struct run *run, double mass, double u_N, double u_T, double mu)
{
    struct dls_build b;
    struct dls_origin origin = {"point", no_options, NULL, "One point on a plane."};
    *run = (struct run){0};
    assert_true(dls_build_open(&b, 2, 1, 1, &run->a));
    dls_build_body(
        &b, (struct dls_body){.mass = mass, .inertia = {0, 0, 1}, .v = {u_T, u_N, 0}});
    dls_build_touch(&b, (struct dls_touch){.other = -1,
                                           .n = {0, 1, 0},
                                           .law = {.mu = mu, .e_n = 0, .e_t = 1}});
    assert_int_equal(dls_build_close(&b, &run->p, &origin, &run->a), DLS_OK);
}

static void point_with_quadratic_potentials(void **state)
{
    (void)state;
    const double masses[] = {0.25, 1, 3}, ks[] = {0, 0.3, 2, 7, 40};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 25; k++) {
            double m = masses[i], k_N = ks[k / 5], k_T = ks[k % 5];
            char law[80];
            snprintf(law, sizeof law, "k_N=%g k_T=%g", k_N, k_T);
            struct run run;
            make_point(&run, m, -1.5, 0.7, 0);
            assert_true(solve(&run, "uzawa-acd2", "", law) >= 0);
            assert_close(run.u_plus[1], (2 * m - k_T) / (2 * m + k_T) * 0.7, 1e-12);
            assert_close(run.u_plus[0], fmax(0, (k_N - 2 * m) / (k_N + 2 * m)) * 1.5,
                         1e-12);
            dls_arena_free(&run.a);
        }
}

// A point that leaves is held back by k_N; the result says so.
static void point_that_leaves_is_pulled(void **state)
{
    (void)state;
    struct run run;
    make_point(&run, 1, 0.5, 0, 0.3);
    solve(&run, "uzawa-acd2", "", "k_N=1");
    assert_close(run.u_plus[0], 0.5 / 3, 1e-12); // (2m - k) / (2m + k) u_N^-
    assert_close(run.r[0], -1.0 / 3, 1e-12);
    assert_non_null(strstr(run.stats.work.note, "1 pull"));
    dls_arena_free(&run.a);
}

// Below G = 2 m |u_T^-| the point slips and loses G / m; above, the mean velocity is
// zero and the point bounces back sideways.
static void point_with_tresca_friction(void **state)
{
    (void)state;
    const double G[] = {0, 0.4, 1.9, 2.1, 50};
    for (int k = 0; k < 5; k++) {
        char law[80];
        snprintf(law, sizeof law, "friction=tresca G=%g", G[k]);
        struct run run;
        make_point(&run, 2, -1, 0.5, 0.1);
        assert_int_equal(solve(&run, "uzawa-acd2", "", law), DLS_FINISHED);
        assert_close(run.u_plus[1], G[k] < 2 ? 0.5 - G[k] / 2 : -0.5, 1e-12);
        assert_close(run.u_plus[0], 0, 1e-12);
        dls_arena_free(&run.a);
    }
}

// Two points made one by joints move as one point of their total mass.
static void joints_are_kept(void **state)
{
    (void)state;
    struct run two, one;
    struct dls_build b;
    struct dls_origin origin = {"points", no_options, NULL, "Two points made one."};
    two = (struct run){0};
    assert_true(dls_build_open(&b, 2, 2, 1, &two.a));
    for (int k = 0; k < 2; k++)
        dls_build_body(&b, (struct dls_body){.mass = 1 + k,
                                             .inertia = {0, 0, 1},
                                             .v = {0.7, -1.5, 0}});
    dls_build_touch(&b, (struct dls_touch){.other = -1,
                                           .n = {0, 1, 0},
                                           .law = {.mu = 0.1, .e_n = 0, .e_t = 1}});
    assert_int_equal(dls_build_close(&b, &two.p, &origin, &two.a), DLS_OK);
    const int i[] = {0, 0, 1, 1}, j[] = {0, 3, 1, 4};
    const double x[] = {1, -1, 1, -1};
    two.p.joints = 2;
    two.p.G = dls_csr_from_triplets(2, 6, 4, i, j, x, &two.a);
    two.p.b = DLS_NEW(&two.a, double, 2);
    make_point(&one, 3, -1.5, 0.7, 0.1);
    solve(&one, "uzawa-acd2", "", "k_N=9 k_T=2");
    assert_int_equal(solve(&two, "uzawa-acd2", "", "k_N=9 k_T=2"), DLS_FINISHED);
    assert_close(distance(one.r, two.r, 2), 0, 1e-12);
    assert_close(distance(one.v, two.v, 2), 0, 1e-12);
    assert_close(distance(one.v, two.v + 3, 2), 0, 1e-12);
    dls_arena_free(&one.a);
    dls_arena_free(&two.a);
}

// --- loops ---------------------------------------------------------------------------

static void loops_agree(void **state)
{
    (void)state;
    static const char *const problems[] = {
        "d=2 contacts=12 mu=0.2 e_t=1",
        "d=2 contacts=12 mu=0.2 e_t=1 seed=7",
        "d=3 contacts=8 mu=0.2 e_t=1",
    };
    static const char *const laws[] = {"", "k_N=2 k_T=0.5", "friction=tresca G=0.1"};
    for (int k = 0; k < 9; k++) {
        struct run nested, other;
        generate(&nested, "manufactured", problems[k / 3]);
        enum dls_status status =
            solve(&nested, "uzawa-acd2", "loop=nested", laws[k % 3]);
        // Without potentials the law is the file's own, and the judge says converged;
        // it may stop short of 1e-14 by round-off.
        assert_true(k % 3 ? status == DLS_FINISHED
                          : nested.stats.measures.natural < 1e-12);
        static const char *const loops[] = {"loop=single", "loop=paths"};
        for (int l = 0; l < 2; l++) {
            generate(&other, "manufactured", problems[k / 3]);
            solve(&other, "uzawa-acd2", loops[l], laws[k % 3]);
            assert_close(distance(nested.v, other.v, nested.p.n), 0, 1e-10);
            dls_arena_free(&other.a);
        }
        dls_arena_free(&nested.a);
    }
}

// Momentum changes how many iterations there are, not the answer.
static void momentum_hastens(void **state)
{
    (void)state;
    static const char *const laws[] = {"", "k_N=20 k_T=20", "friction=tresca G=0.01"};
    for (int k = 0; k < 3; k++) {
        struct run plain, fast;
        generate(&plain, "brick-wall-2d", "e_t=1");
        generate(&fast, "brick-wall-2d", "e_t=1");
        solve(&plain, "uzawa-acd2", "momentum=none rho=1.9", laws[k]);
        solve(&fast, "uzawa-acd2", "", laws[k]);
        assert_close(distance(plain.v, fast.v, fast.p.n), 0, 1e-10);
        assert_true(2 * fast.stats.iterations < plain.stats.iterations);
        dls_arena_free(&plain.a);
        dls_arena_free(&fast.a);
    }
}

// The same step with restitution (0, 1), whatever the file says.
static void make_moreau(struct dls_problem *p)
{
    for (int a = 0; a < p->contacts; a++) p->e_n[a] = 0, p->e_t[a] = 1;
    dls_problem_set_step(p);
}

static void without_potentials_it_is_moreau(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct run acd2, same, pgs;
        char settings[80];
        snprintf(settings, sizeof settings, "d=%d contacts=10 mu=0.2 e_n=%g e_t=%g",
                 2 + k % 2, k / 2 * 0.3, k / 2 * 0.4);
        generate(&acd2, "manufactured", settings);
        generate(&same, "manufactured", settings);
        generate(&pgs, "manufactured", settings);
        make_moreau(&same.p);
        make_moreau(&pgs.p);
        solve(&pgs, "pgs", "", "");
        // The file's own restitution is another law: finished, and labelled.
        assert_int_equal(solve(&acd2, "uzawa-acd2", "", ""), DLS_FINISHED);
        assert_string_equal(acd2.stats.relaxes, "A-CD2 law, restitution (0, 1)");
        assert_true(acd2.stats.own <= 1e-14 && acd2.stats.measures.natural > 1e-3);
        solve(&same, "uzawa-acd2", "", "");
        assert_null(same.stats.relaxes);
        assert_true(same.stats.measures.natural < 1e-12);
        assert_close(distance(acd2.v, pgs.v, pgs.p.n), 0, 1e-10);
        assert_close(distance(same.v, pgs.v, pgs.p.n), 0, 1e-10);
        dls_arena_free(&acd2.a);
        dls_arena_free(&same.a);
        dls_arena_free(&pgs.a);
    }
}

static void same_law_converges(void **state)
{
    (void)state;
    struct run run;
    generate(&run, "brick-wall-2d", "e_t=1");
    run.r = DLS_NEW(&run.a, double, run.p.m);
    dls_solve(dls_solver_find("uzawa-acd2"), NULL, &run.p, NULL, run.r, &run.stats);
    assert_int_equal(run.stats.status, DLS_OK);
    assert_true(run.stats.measures.natural <= 1e-8);
    dls_arena_free(&run.a);
}

// --- energy --------------------------------------------------------------------------

// (10) at each contact that was not separating, from the judge's velocities alone.
static void clausius_duhem_holds(void **state)
{
    (void)state;
    static const char *const laws[] = {"k_N=0.02 k_T=0.01",
                                       "friction=tresca G=1e-4 k_N=0.02 k_T=0.01"};
    for (int k = 0; k < 2; k++) {
        struct run run;
        generate(&run, "sphere-packing", "across=3 layers=2 speed=0.5 gravity=0 e_t=1");
        assert_int_equal(solve(&run, "uzawa-acd2", "", laws[k]), DLS_FINISHED);
        const struct dls_problem *p = &run.p;
        double total = 0, worst = -INFINITY;
        for (int a = 0; a < p->contacts; a++) {
            double work = 0;
            for (int i = a * p->d; i < (a + 1) * p->d; i++)
                work += run.r[i] * 0.5 * (p->u_minus[i] + run.u_plus[i]);
            total += work;
            if (p->u_minus[a * p->d] <= 0) worst = fmax(worst, work);
        }
        assert_true(total < 0);
        assert_true(worst <= 1e-12 * -total);
        assert_non_null(strstr(run.stats.work.note, "Clausius-Duhem holds"));
        assert_close(run.stats.energy.kinetic_plus - run.stats.energy.kinetic_minus,
                     total, 1e-12 * -total); // (12)
        dls_arena_free(&run.a);
    }
}

// --- uniqueness ----------------------------------------------------------------------

static double bound_of(int contacts, int d, const double *W, const double *mu)
{
    struct dls_arena a = {0};
    double q[6] = {1, 1, 1, 1, 1, 1};
    struct dls_problem p = support_local(contacts, d, W, q, mu, &a);
    struct dls_delassus f;
    assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
    double bound = dls_uniqueness_bound(&f, &a);
    dls_arena_free(&a);
    return bound;
}

static void uniqueness_bound_by_hand(void **state)
{
    (void)state;
    const double mu[] = {0.4, 0.1}, none[] = {0, 0};
    const double rod[] = {2.5, 1.5, 1.5, 2.5};
    assert_close(bound_of(1, 2, rod, mu), 0.4 * 1.25, 1e-14);
    // Two contacts, N and T uncoupled: (W^-1)_NN = diag(1, 1/4), W_TT = diag(9, 2).
    const double two[] = {1, 0, 0, 0, 0, 9, 0, 0, 0, 0, 4, 0, 0, 0, 0, 2};
    assert_close(bound_of(2, 2, two, mu), 0.4 * 3, 1e-14);
    const double singular[] = {1, 1, 1, 1}, skew[] = {1, 0.5, -0.5, 1};
    assert_true(isnan(bound_of(1, 2, singular, mu)));
    assert_true(isnan(bound_of(1, 2, skew, mu)));
    assert_close(bound_of(1, 2, singular, none), 0, 0);
}

// --- what it does not take, and memory -----------------------------------------------

static void says_what_is_missing(void **state)
{
    (void)state;
    const double one[] = {1, 0, 0, 1}, q[] = {-1, 0}, mu[] = {0.5};
    struct run run;
    generate(&run, "rod", "");
    run.p.v_minus = NULL;
    double r[2] = {0, 0};
    const struct dls_solver *s = dls_solver_find("uzawa-acd2");
    assert_int_equal(dls_solve(s, NULL, &run.p, NULL, r, &run.stats), DLS_UNSUPPORTED);
    assert_non_null(strstr(run.stats.message, "this file has no v^-"));
    struct dls_problem local = support_local(1, 2, one, q, mu, &run.a);
    assert_int_equal(dls_solve(s, NULL, &local, NULL, r, &run.stats), DLS_UNSUPPORTED);
    assert_non_null(strstr(run.stats.message, "this file has no M, H"));
    dls_arena_free(&run.a);
}

static void files_of_others_are_unsupported(void **state)
{
    (void)state;
    const char *path = support_corpus("gfc3d/GFC3D_TwoRods1.hdf5");
    if (!path) skip();
    struct run run = {0};
    assert_int_equal(dls_fclib_read(&run.p, path, &run.a, NULL), DLS_OK);
    run.r = DLS_NEW(&run.a, double, run.p.m);
    dls_solve(dls_solver_find("uzawa-acd2"), NULL, &run.p, NULL, run.r, &run.stats);
    assert_int_equal(run.stats.status, DLS_UNSUPPORTED);
    dls_arena_free(&run.a);
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    const struct dls_acd2_options law = {.k_N = 2, .k_T = 1};
    const struct dls_options opt = {NULL, &law};
    struct run run;
    generate(&run, "brick-wall-2d", "");
    run.r = DLS_NEW(&run.a, double, run.p.m);
    long k = 1;
    for (;; k++) {
        struct dls_arena memory = {.fail_at = k};
        struct dls_settings set = dls_settings_default();
        struct dls_sequence one;
        dls_sequence_open(&one, &memory);
        set.max_iter = 1;
        enum dls_status status = dls_sequence_solve(
            &one, dls_solver_find("uzawa-acd2"), &opt, &run.p, &set, run.r, &run.stats);
        dls_sequence_close(&one);
        dls_arena_free(&memory);
        if (memory.count < k) break;
        assert_int_equal(status, DLS_ENOMEM);
    }
    assert_true(k > 20); // it does allocate
    dls_arena_free(&run.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_with_normal_potential),
        cmocka_unit_test(printed_constraint_creates_energy),
        cmocka_unit_test(point_with_quadratic_potentials),
        cmocka_unit_test(point_that_leaves_is_pulled),
        cmocka_unit_test(point_with_tresca_friction),
        cmocka_unit_test(joints_are_kept),
        cmocka_unit_test(loops_agree),
        cmocka_unit_test(momentum_hastens),
        cmocka_unit_test(without_potentials_it_is_moreau),
        cmocka_unit_test(same_law_converges),
        cmocka_unit_test(clausius_duhem_holds),
        cmocka_unit_test(uniqueness_bound_by_hand),
        cmocka_unit_test(says_what_is_missing),
        cmocka_unit_test(files_of_others_are_unsupported),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests_name("acd2", tests, NULL, NULL);
}
