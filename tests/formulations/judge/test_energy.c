// SPDX-License-Identifier: Apache-2.0
// Energy of manufactured impacts against closed forms, and the balance with everything
// that can do work.
#include "formulations/judge/energy.h"
#include "formulations/judge/residual.h"

#include <math.h>
#include <stdio.h>

#include "tests/support/support.h"

struct impact {
    struct dls_arena a;
    struct dls_problem p;
    double *r, *u, *v, *work_of;
    struct dls_energy e;
};

// Solves, judges and measures; 1e-14 leaves the energies exact to about 1e-13.
static void finish(struct impact *k)
{
    struct dls_judge *g;
    struct dls_measures m;
    struct dls_error err = {""};
    if (!k->r) k->r = support_solve(&k->p, 1e-14, &k->a);
    assert_int_equal(dls_judge_create(&g, &k->p, &k->a, &err), DLS_OK);
    dls_judge_measure(g, k->r, &m);
    k->work_of = DLS_NEW(&k->a, double, k->p.contacts);
    dls_energy_measure(&k->e, &k->p, g, k->r, k->work_of);
    k->u = dls_copy(&k->a, dls_judge_u(g), (size_t)k->p.m, sizeof *k->u);
    k->v = dls_copy(&k->a, dls_judge_v(g), (size_t)k->p.n, sizeof *k->v);
    dls_judge_destroy(g);
}

static void impact(struct impact *k, const char *generator, const char *options)
{
    *k = (struct impact){0};
    k->p = support_generate(generator, options, &k->a);
    finish(k);
}

// Newton's cradle: v^+ = ((1 - 2e)/3, (1 + e)/3, (1 + e)/3) for unit balls v^- = (1, 0, 0).
static void cradle(void **state)
{
    (void)state;
    static const double restitution[] = {0, 0.5, 0.9, 1};
    for (int i = 0; i < 4; i++) {
        double e = restitution[i];
        double v[3] = {(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3};
        double lost = 0.5 - 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        char options[32];
        struct impact k;
        snprintf(options, sizeof options, "e_n=%g", e);
        impact(&k, "cradle", options);
        for (int b = 0; b < 3; b++) assert_close(k.v[3 * b], v[b], 1e-12);
        assert_close(-k.e.work, lost, 1e-12);
        assert_close(k.e.kinetic_plus - k.e.kinetic_minus, -lost, 1e-12);
        assert_close(k.e.tangential, 0, 1e-15);
        dls_arena_free(&k.a);
    }
}

// The rod under three laws; Newton's creates energy, and A says so.
static void rod(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        double r[2], u_plus[2], change;
    } laws[] = {
        {"e_n=0.9 e_t=0 mu=0.6", {1, -0.4}, {0.9, 0}, 0.05},
        {"e_n=0.9 e_t=1 mu=0.6", {0.8125, -0.0875}, {0.9, 0.5}, -0.040625},
        {"e_n=0.9 e_t=0.9 mu=0.6", {0.83125, -0.11875}, {0.9, 0.45}, -0.03859375},
    };
    for (int i = 0; i < 3; i++) {
        struct impact k;
        impact(&k, "rod", laws[i].options);
        for (int j = 0; j < 2; j++) {
            const double *e = j ? k.p.e_t : k.p.e_n;
            assert_close(k.r[j], laws[i].r[j], 1e-12);
            assert_close(k.u[j] - e[0] * k.p.u_minus[j], laws[i].u_plus[j], 1e-12);
        }
        assert_close(k.e.work, laws[i].change, 1e-12);
        assert_close(k.e.kinetic_plus - k.e.kinetic_minus, laws[i].change, 1e-12);
        assert_int_equal(k.e.positive, laws[i].change > 0);
        dls_arena_free(&k.a);
    }
}

static double scale_of(const struct dls_energy *e)
{
    return e->kinetic_minus + e->kinetic_plus + fabs(e->work) + fabs(e->external)
           + fabs(e->obstacles) + fabs(e->joints);
}

// The balance is an identity: it closes to round-off for the solution, and for any other
// impulses as well.
static void balance_closes(void **state)
{
    (void)state;
    static const char *const runs[][2] = {
        {"conveyor", "speed=0.7 lift=0.3 e_n=0.5 e_t=0.2"},
        {"sphere-packing", "across=3 layers=3 shake=0.4 e_n=0.3"},
        {"brick-wall-3d", "push=3"},
    };
    for (int i = 0; i < 3; i++) {
        struct impact k = {0};
        k.p = support_generate(runs[i][0], runs[i][1], &k.a);
        k.r = support_solve(&k.p, 1e-3, &k.a);
        for (int wrong = 0; wrong < 2; wrong++) {
            finish(&k);
            // Sums of some thousand terms: round-off below 1e-13 of their size.
            assert_close(k.e.defect, 0, 1e-13 * scale_of(&k.e));
            double sum = 0;
            for (int c = 0; c < k.p.contacts; c++) sum += k.work_of[c];
            assert_close(sum, k.e.work, 1e-13 * scale_of(&k.e));
            if (i == 0) assert_true(fabs(k.e.obstacles) > 1e-3 * scale_of(&k.e));
            assert_true(fabs(k.e.external) > 0);
            for (int c = 0; c < k.p.m; c++) k.r[c] += 0.1 * sin(c);
        }
        dls_arena_free(&k.a);
    }
}

// Two masses tied by a joint v_1 - v_2 + b = 0, the first on the ground: with b != 0 the
// joint does work, and the balance still closes.
static void balance_closes_with_joints(void **state)
{
    (void)state;
    struct impact k = {0};
    const int p2[] = {0, 1, 2}, j2[] = {0, 1}, p1[] = {0, 2};
    double masses[] = {2, 3}, ones[] = {1, -1}, one[] = {1};
    double f[] = {-1, -4}, w[] = {0.25}, b[] = {0.5}, mu[] = {0}, v_minus[] = {-1, 0.5};
    double u_minus[] = {-0.75}, hF[] = {1, -5.5};
    struct dls_csr M = {2, 2, (int *)p2, (int *)j2, masses};
    struct dls_csr H = {1, 2, (int[]){0, 1}, (int *)j2, one};
    struct dls_csr G = {1, 2, (int *)p1, (int *)j2, ones};
    k.p = (struct dls_problem){
        .contacts = 1,
        .d = 1,
        .m = 1,
        .mu = mu,
        .n = 2,
        .joints = 1,
        .M = &M,
        .H = &H,
        .f = f,
        .w = w,
        .G = &G,
        .b = b,
        .v_minus = v_minus,
        .u_minus = u_minus,
        .w_ob = w,
        .hF = hF,
    };
    finish(&k);
    // By hand: u = v_1 + 1/4 = 0, v_2 = v_1 + 1/2 = 1/4; 3 v_2 = -4 - lambda gives
    // lambda = -4.75; 2 v_1 = -1 + r + lambda gives r = 5.25.
    assert_close(k.v[0], -0.25, 1e-14);
    assert_close(k.v[1], 0.25, 1e-14);
    assert_close(k.r[0], 5.25, 1e-13);
    assert_close(k.e.joints, -4.75 * 0.5 * (-1.5 - 0.5), 1e-13);
    assert_close(k.e.defect, 0, 1e-13);
    dls_arena_free(&k.a);
}

static void no_verdict_without_u_minus(void **state)
{
    (void)state;
    struct impact k = {0};
    const double W[4] = {2.5, 1.5, 1.5, 2.5}, q[2] = {-1, -0.5}, mu = 0.6;
    k.p = support_local(1, 2, W, q, &mu, &k.a);
    finish(&k);
    assert_true(isnan(k.e.work) && isnan(k.e.normal) && isnan(k.e.defect));
    // Stick at r = (0.4375, -0.0625): -(1/2) r . W r = (1/2) r . q
    assert_close(k.e.free_work, -0.5 * (0.4375 - 0.03125), 1e-13);
    dls_arena_free(&k.a);
}

// -(1/2 r.W r + r_N (mu |u_T| + mu_r |u_R|)) by hand, W the identity, 3D with rolling:
// r.W r = 1.14, |u_T| = 0.5, |u_R| = 2.
static void free_work_counts_rolling(void **state)
{
    (void)state;
    int p5[] = {0, 1, 2, 3, 4, 5}, j5[] = {0, 1, 2, 3, 4};
    double ones[] = {1, 1, 1, 1, 1}, mu = 0.5, mu_r = 0.1;
    double r[] = {1, 0.3, 0.2, 0, 0.1}, u[] = {0, -0.3, -0.4, 0, -2}, q[5];
    struct dls_csr W = {5, 5, p5, j5, ones};
    for (int i = 0; i < 5; i++) q[i] = u[i] - r[i];
    struct impact k = {.r = r};
    k.p = (struct dls_problem){.contacts = 1,
                               .d = 5,
                               .rolling = true,
                               .m = 5,
                               .W = &W,
                               .q = q,
                               .mu = &mu,
                               .mu_r = &mu_r};
    struct dls_judge *g;
    struct dls_measures m;
    assert_int_equal(dls_judge_create(&g, &k.p, &k.a, NULL), DLS_OK);
    dls_judge_measure(g, r, &m);
    dls_energy_measure(&k.e, &k.p, g, r, NULL);
    assert_close(k.e.free_work, -(0.57 + 0.25 + 0.2), 1e-15);
    dls_judge_destroy(g);
    dls_arena_free(&k.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cradle),
        cmocka_unit_test(rod),
        cmocka_unit_test(balance_closes),
        cmocka_unit_test(balance_closes_with_joints),
        cmocka_unit_test(no_verdict_without_u_minus),
        cmocka_unit_test(free_work_counts_rolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
