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
    assert_int_equal(dls_motion_judge(&found, &b.refinement, true, &b.work, &b.a),
                     DLS_OK);
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

// The same with gyroscopic terms: W_N2 = a above the diagonal, W_2N = b below, and the law is
// singular at kappa = 100 where a (b + 0.2 mu) = 0.42. With a and b exchanged it is not.
static void gyroscopic_slip_turns(void **state)
{
    (void)state;
    const double mu = 0.5, r[] = {1, -0.5, 0}, above[] = {0.55, 0.6, 0.65};
    for (int k = 0; k < 6; k++) {
        struct dls_arena a = {0};
        double up = above[k / 2], down = 0.42 / up - 0.1;
        const double W[] = {1, 0, up, 0, 1, -0.2, down, -0.2, 0.41};
        const double q[] = {-1, 0.5 + mu / (k % 2 ? 100 : 50), -down - 0.1};
        struct dls_problem p = support_local(1, 3, W, q, &mu, &a);
        assert_verdict(judge(&p, r), k % 2 ? DLS_MOTION_UNKNOWN : DLS_MOTION_ISOLATED,
                       k % 2 ? "other velocities" : "cosine");
        dls_arena_free(&a);
    }
}

// W_NT = 0.9 and W_TN = 0.7, q = (0, 1): mu = 1 / 0.9 leaves every r = x (1, -mu), and no
// other mu does. Two equal contacts share r.
static void gyroscopic_motions_are_isolated(void **state)
{
    (void)state;
    const double frictions[] = {0.5, 1 / 0.9, 1 / 0.7};
    for (int k = 0; k < 6; k++) {
        struct dls_arena a = {0};
        int contacts = 1 + k / 3, m = 2 * contacts;
        double mu[] = {frictions[k % 3], frictions[k % 3]}, W[16], r[4], q[4];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++)
                W[i * m + j] = i % 2 == j % 2 ? 1 : i % 2 ? 0.7 : 0.9;
            r[i] = (i % 2 ? -mu[0] : 1) / contacts;
            q[i] = i % 2 ? 2 : 0.9 * mu[0] - 1;
        }
        struct dls_problem p = support_local(contacts, 2, W, q, mu, &a);
        bool isolated = k % 3 != 1;
        assert_verdict(judge(&p, r),
                       isolated ? DLS_MOTION_ISOLATED : DLS_MOTION_UNKNOWN,
                       isolated ? "cosine" : "other velocities");
        dls_arena_free(&a);
    }
}

// r = 0, u_N = 0, u_T > 0: open or sliding. As it slides, only mu = 1.25 leaves other motions.
static void both_statuses_of_a_weak_contact_count(void **state)
{
    (void)state;
    const double W[] = {1, 0.8, 0.8, 1}, q[] = {0, 1}, r[] = {0, 0};
    const double frictions[] = {1, 1.25, 1.5};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_local(1, 2, W, q, frictions + k, &a);
        assert_verdict(judge(&p, r), k == 1 ? DLS_MOTION_UNKNOWN : DLS_MOTION_ISOLATED,
                       k == 1 ? "other velocities" : "1 weak contact either way");
        dls_arena_free(&a);
    }
}

// u = 0 and r on the edge of its cone: kappa is infinite, and the law of slip is singular
// where W_N2 (W_2N + 0.2 mu) = W_22.
static void slip_may_begin(void **state)
{
    (void)state;
    const double mu = 0.5, r[] = {1, -0.5, 0};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        double down = (k ? 0.41 : 0.42) / 0.6 - 0.1;
        const double W[] = {1, 0, 0.6, 0, 1, -0.2, down, -0.2, 0.41};
        const double q[] = {-1, 0.5, -down - 0.1};
        struct dls_problem p = support_local(1, 3, W, q, &mu, &a);
        assert_verdict(judge(&p, r), k ? DLS_MOTION_UNKNOWN : DLS_MOTION_ISOLATED,
                       k ? "other velocities" : "1 weak contact either way");
        dls_arena_free(&a);
    }
}

// r = 0 and u = 0: open, sticking or sliding whither it likes, and nothing is claimed.
static void corners_prove_nothing(void **state)
{
    (void)state;
    const double W[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double q[] = {0, 0, -1, 0}, mu[] = {1, 1}, r[] = {0, 0, 1, 0};
    struct dls_arena a = {0};
    struct dls_problem p = support_local(2, 2, W, q, mu, &a);
    struct dls_motion found = judge(&p, r);
    // The bound on friction is 1, hence no proof by that either.
    assert_verdict(found, DLS_MOTION_UNKNOWN, "1 contact is near three");
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

// Without friction a skew part changes nothing where the symmetric part is positive definite.
static void gyroscopic_terms_keep_motions_unique(void **state)
{
    (void)state;
    const double W[] = {1, 0.2, -0.2, 1}, q[] = {-1, 0}, mu = 0, r[] = {1, 0};
    struct dls_arena a = {0};
    struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
    assert_verdict(judge(&p, r), DLS_MOTION_UNIQUE, "no friction");
    dls_arena_free(&a);
}

// Energies of other matrices are not those of bodies: what is left is a regular law. A saddle,
// a matrix that is skew where its symmetric part vanishes, and a singular one.
static void other_matrices_need_a_regular_law(void **state)
{
    (void)state;
    const double W[3][4] = {{1, 2, 2, 1}, {1, 1.5, 0.5, 1}, {1, 2, 0.5, 1}};
    const double mu[] = {0, 0}, r[] = {1, 1};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        const double q[] = {-W[k][0] - W[k][1], -W[k][2] - W[k][3]};
        struct dls_problem p = support_local(2, 1, W[k], q, mu, &a);
        assert_verdict(judge(&p, r), k < 2 ? DLS_MOTION_ISOLATED : DLS_MOTION_UNKNOWN,
                       k < 2 ? "regular" : "not known to be that of bodies");
        dls_arena_free(&a);
    }
}

// Where the time is over nothing is begun.
static void time_is_kept(void **state)
{
    (void)state;
    const double W[] = {1, 0.8, 0.8, 1}, q[] = {-1, 2}, mu = 0.9;
    struct dls_arena a = {0};
    struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
    struct support_bench b;
    struct dls_motion found;
    support_bench_open(&b, &p);
    support_bench_refine(&b, support_solve(&p, 1e-14, &a));
    b.work.deadline = 0;
    assert_int_equal(dls_motion_judge(&found, &b.refinement, true, &b.work, &b.a),
                     DLS_OK);
    assert_verdict(found, DLS_MOTION_UNKNOWN, "out of time");
    support_bench_close(&b);
    dls_arena_free(&a);
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
        cmocka_unit_test(gyroscopic_slip_turns),
        cmocka_unit_test(gyroscopic_motions_are_isolated),
        cmocka_unit_test(both_statuses_of_a_weak_contact_count),
        cmocka_unit_test(slip_may_begin),
        cmocka_unit_test(corners_prove_nothing),
        cmocka_unit_test(round_off_is_even),
        cmocka_unit_test(gyroscopic_terms_keep_motions_unique),
        cmocka_unit_test(other_matrices_need_a_regular_law),
        cmocka_unit_test(time_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
