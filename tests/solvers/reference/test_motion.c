// SPDX-License-Identifier: Apache-2.0
// Whether a motion is the only one, on problems where that is known.
#include "solvers/reference/motion.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_refine.h"

// The verdict at an answer near r.
static struct dls_motion judge(const struct dls_problem *p, const double *r)
{
    struct dls_motion found;
    struct support_bench b;
    support_bench_open(&b, p);
    support_bench_refine(&b, r);
    assert_true(b.extended.natural < 1e-14);
    assert_int_equal(dls_motion_judge(&found, &b.refinement, true, &b.a), DLS_OK);
    support_bench_close(&b);
    return found;
}

static void assert_verdict(struct dls_motion found, enum dls_motion_verdict expected,
                           const char *why)
{
    if (found.verdict != expected || !strstr(found.why, why))
        fail_msg("%s: %s, expected %s: %s", dls_motion_text(found.verdict), found.why,
                 dls_motion_text(expected), why);
}

static void without_friction_motions_are_unique(void **state)
{
    (void)state;
    static const char *const makers[][2] = {
        {"stack", "n=2"}, {"stack", "n=24"}, {"heavy-on-light", "ratio=1000"}};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(makers[k][0], makers[k][1], &a);
        assert_verdict(judge(&p, support_solve(&p, 1e-12, &a)), DLS_MOTION_UNIQUE,
                       "no friction");
        dls_arena_free(&a);
    }
}

// One contact in the plane, W = [1 c; c 1]: the bound is mu / sqrt(1 - c^2).
static void little_friction_leaves_one_motion(void **state)
{
    (void)state;
    const double W[] = {1, 0.8, 0.8, 1}, q[] = {-1, 2};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        double mu = k ? 0.61 : 0.59;
        struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
        struct dls_motion found = judge(&p, support_solve(&p, 1e-14, &a));
        assert_int_equal(found.verdict, k ? DLS_MOTION_ISOLATED : DLS_MOTION_UNIQUE);
        dls_arena_free(&a);
    }
}

// Sticking bodies: no other motion near, though impulses are not unique.
static void sticking_motions_are_isolated(void **state)
{
    (void)state;
    static const char *const makers[] = {"groove", "four-leg-table"};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(makers[k], "", &a);
        assert_verdict(judge(&p, support_solve(&p, 1e-12, &a)), DLS_MOTION_ISOLATED,
                       "no contact slips");
        dls_arena_free(&a);
    }
}

// Painleve's three answers, mu W_NT > W_NN: q = (0.1, 1) is open, u = q; slips with
// r = (1, -mu) / 6; sticks. Each is the only one near, none the only one. The cosine of
// the slip is |W_NN - mu c| / sqrt(1 - 2 mu c + mu^2) = 0.6 / sqrt(1.8).
static void three_answers_are_isolated(void **state)
{
    (void)state;
    const double W[] = {1, 0.8, 0.8, 1}, q[] = {0.1, 1}, mu = 2;
    const double r[3][2] = {{0, 0}, {1 / 6.0, -2 / 6.0}, {0.7 / 0.36, -0.92 / 0.36}};
    static const char *const why[] = {"no contact slips", "cosine of 0.45",
                                      "no contact slips"};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
        assert_verdict(judge(&p, r[k]), DLS_MOTION_ISOLATED, why[k]);
        dls_arena_free(&a);
    }
}

// mu W_NT = W_NN and q = (0, 1): every r = x (1, -mu) is an answer, u_T = 1 - 0.45 x.
static void a_continuum_is_not_isolated(void **state)
{
    (void)state;
    const double W[] = {1, 0.8, 0.8, 1}, q[] = {0, 1}, mu = 1.25;
    const double r[] = {1, -1.25};
    struct dls_arena a = {0};
    struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
    assert_verdict(judge(&p, r), DLS_MOTION_UNKNOWN, "other velocities");
    dls_arena_free(&a);
}

// In space slip turns: r = (1, -mu, 0), u = (0, s, 0), kappa = mu / s. The linear law is
//     Dr_N = 0.6 kappa x,   x (1 + 0.41 kappa) = Dr_N (0.6 + 0.2 mu)
// for the velocity x across the slip, and singular at kappa = 100 alone.
static void slip_that_turns_counts(void **state)
{
    (void)state;
    const double W[] = {1, 0, 0.6, 0, 1, -0.2, 0.6, -0.2, 0.41}, mu = 0.5;
    const double r[] = {1, -0.5, 0}, kappas[] = {50, 100, 200};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        const double q[] = {-1, 0.5 + mu / kappas[k], -0.7};
        struct dls_problem p = support_local(1, 3, W, q, &mu, &a);
        assert_verdict(judge(&p, r), k == 1 ? DLS_MOTION_UNKNOWN : DLS_MOTION_ISOLATED,
                       k == 1 ? "other velocities" : "cosine");
        dls_arena_free(&a);
    }
}

// r = 0 and u_N = 0: open, sticking or sliding, and nothing is claimed.
static void weak_contacts_prove_nothing(void **state)
{
    (void)state;
    const double W[] = {1, 0.8, 0.8, 1}, q[] = {0, 1}, mu = 1, r[] = {0, 0};
    struct dls_arena a = {0};
    struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
    assert_verdict(judge(&p, r), DLS_MOTION_UNKNOWN, "1 contact is near");
    dls_arena_free(&a);
}

// Round-off beside the diagonal is no asymmetry: without friction the motion is unique.
static void round_off_is_even(void **state)
{
    (void)state;
    const double W[] = {1, 1e-17, -1e-17, 1}, q[] = {-1, 0}, mu = 0, r[] = {1, 0};
    struct dls_arena a = {0};
    struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
    assert_verdict(judge(&p, r), DLS_MOTION_UNIQUE, "no friction");
    dls_arena_free(&a);
}

// Energies of W have to be those of bodies.
static void other_matrices_prove_nothing(void **state)
{
    (void)state;
    const double skew[] = {1, 0.2, -0.2, 1}, saddle[] = {1, 2, 2, 1}, q[] = {-1, 0};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        double mu = 0, r[] = {1, 0};
        struct dls_problem p = support_local(1, 2, k ? saddle : skew, q, &mu, &a);
        assert_verdict(judge(&p, r), DLS_MOTION_UNKNOWN, "symmetric and semidefinite");
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction_motions_are_unique),
        cmocka_unit_test(little_friction_leaves_one_motion),
        cmocka_unit_test(sticking_motions_are_isolated),
        cmocka_unit_test(three_answers_are_isolated),
        cmocka_unit_test(a_continuum_is_not_isolated),
        cmocka_unit_test(slip_that_turns_counts),
        cmocka_unit_test(weak_contacts_prove_nothing),
        cmocka_unit_test(round_off_is_even),
        cmocka_unit_test(other_matrices_prove_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
