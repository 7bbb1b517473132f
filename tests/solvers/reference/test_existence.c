// SPDX-License-Identifier: Apache-2.0
// Existence of solutions: a body between two walls, whose answers are known in closed
// form, and snapshots of real scenes, all of which have solutions.
//
// The body moves in the plane, M = I, v = (v_x, v_y). The left wall has the normal e_x, the
// right one -e_x, so that u = (v_x, v_y) + w_1 and (-v_x, v_y) + w_2: the normal velocities
// add up to w_1N + w_2N whatever v, and the tangential ones differ by w_1T - w_2T.
#define _GNU_SOURCE
#include "solvers/reference/existence.h"

#include "formulations/files/snapshot.h"

#include "base/clock.h"

#include <glob.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

// The body between walls that move by w = (w_1N, w_1T, w_2N, w_2T).
static struct dls_problem between_walls(const double *w, double mu, struct dls_arena *a)
{
    static const int row[] = {0, 1, 2, 3}, column[] = {0, 1, 0, 1}, two[] = {0, 1};
    static const double H[] = {1, 1, -1, 1}, ones[] = {1, 1};
    const double coefficients[] = {mu, mu};
    return (struct dls_problem){
        .contacts = 2,
        .d = 2,
        .m = 4,
        .n = 2,
        .mu = dls_copy(a, coefficients, 2, sizeof *coefficients),
        .M = dls_csr_from_triplets(2, 2, 2, two, two, ones, a),
        .H = dls_csr_from_triplets(4, 2, 4, row, column, H, a),
        .f = DLS_NEW(a, double, 2),
        .w = dls_copy(a, w, 4, sizeof *w),
        .time = NAN,
        .step = NAN,
    };
}

// The same with the velocities eliminated: W = H H^T, q = w.
static struct dls_problem between_walls_local(const double *w, double mu,
                                              struct dls_arena *a)
{
    static const double W[] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1};
    const double coefficients[] = {mu, mu};
    return support_local(2, 2, W, w, coefficients, a);
}

static struct dls_existence check(const struct dls_problem *p, struct dls_arena *a)
{
    struct dls_existence e;
    struct dls_error err = {""};
    struct dls_work work = {.deadline = dls_clock() + 60};
    if (dls_existence_check(&e, p, &work, a, &err)) fail_msg("%s", err.text);
    return e;
}

// Both forms of the problem; the verdict must be this one.
static struct dls_existence check_walls(const double *w, double mu,
                                        enum dls_existence_verdict verdict,
                                        struct dls_arena *a)
{
    struct dls_problem global = between_walls(w, mu, a);
    struct dls_problem local = between_walls_local(w, mu, a);
    struct dls_existence e = check(&local, a);
    assert_string_equal(dls_existence_text(e.verdict), dls_existence_text(verdict));
    e = check(&global, a);
    assert_string_equal(dls_existence_text(e.verdict), dls_existence_text(verdict));
    return e;
}

static void approaching_walls_leave_no_solution(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_existence e =
        check_walls((const double[]){-1, 0, -0.5, 3}, 0.3, DLS_EXISTENCE_NONE, &a);
    // Only y = (1, 1) annihilates H_N, and w_N.y = -1.5 without cancellation. The multiplier
    // is that of an interior point, which ends below 1e-9.
    assert_close(e.certificate[0], 1, 1e-8);
    assert_close(e.certificate[1], 1, 1e-8);
    assert_close(e.deficit, 1, 1e-12);
    assert_true(e.defect < 1e-9);
    // However slowly they approach, and in whatever units.
    check_walls((const double[]){1, 0, -1.001, 0}, 0.3, DLS_EXISTENCE_NONE, &a);
    check_walls((const double[]){-1e-12, 0, -1e-12, 0}, 0.3, DLS_EXISTENCE_NONE, &a);
    dls_arena_free(&a);
}

static void parting_walls_leave_room(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_existence e =
        check_walls((const double[]){1, 0, 1, 0}, 0.3, DLS_EXISTENCE_GIVEN, &a);
    assert_true(e.margin > 1e-3 && e.margin <= 1);
    assert_null(e.certificate);
    check_walls((const double[]){-1, 0, 1.001, 0}, 0.3, DLS_EXISTENCE_GIVEN, &a);
    dls_arena_free(&a);
}

// Walls at rest relative to each other: v_x = 0 is the only admissible motion, and no
// motion is strictly admissible. There is a solution all the same, r = 0.
static void a_tight_fit_guarantees_nothing(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_existence e = check_walls((const double[]){0, 0, 0, 0}, 0.3,
                                         DLS_EXISTENCE_NOT_GUARANTEED, &a);
    assert_false(e.margin > 1e-9);
    check_walls((const double[]){1, 2, -1, 0}, 0.3, DLS_EXISTENCE_NOT_GUARANTEED, &a);
    // Room of 1e-12 beside velocities of 1 is less than data of doubles can promise.
    check_walls((const double[]){1e-12, 1, 1e-12, -1}, 0, DLS_EXISTENCE_NOT_GUARANTEED,
                &a);
    dls_arena_free(&a);
}

// Walls that part by 2 and shear by 20: u_1N + u_2N = 2 and |u_1T| + |u_2T| >= 20, hence
// some H v + w is strictly inside K* exactly where 2 > 20 mu.
static void friction_decides(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    const double w[] = {1, 10, 1, -10};
    check_walls(w, 0.0999, DLS_EXISTENCE_GIVEN, &a);
    check_walls(w, 0.1001, DLS_EXISTENCE_NOT_GUARANTEED, &a);
    check_walls(w, 0, DLS_EXISTENCE_GIVEN, &a);
    dls_arena_free(&a);
}

static void what_is_not_decided_says_why(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    const double W[] = {1, 0, 0, 1}, q[] = {1, 1}, mu[] = {0, 0};
    struct dls_problem lcp = support_local(2, 1, W, q, mu, &a);
    struct dls_existence e = check(&lcp, &a);
    assert_int_equal(e.verdict, DLS_EXISTENCE_UNKNOWN);
    assert_non_null(strstr(e.why, "LCP"));

    struct dls_problem walls = between_walls((const double[]){1, 0, 1, 0}, 0.3, &a);
    struct dls_work work = {.deadline = dls_clock() - 1};
    assert_int_equal(dls_existence_check(&e, &walls, &work, &a, NULL), DLS_OK);
    assert_int_equal(e.verdict, DLS_EXISTENCE_UNKNOWN);
    assert_non_null(strstr(e.why, "time"));
    dls_arena_free(&a);
}

// Rows (N, T, R): the interior is not decided, the certificate is.
static void rolling_has_certificates_only(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double W[36] = {0}, mu[] = {0.3, 0.3};
    for (int i = 0; i < 6; i++) W[i * 7] = 1;
    W[0 * 6 + 3] = W[3 * 6 + 0] = -1;
    for (int closing = 0; closing < 2; closing++) {
        double q[6] = {closing ? -1 : 1, 0, 0, closing ? -1 : 1, 0, 0};
        struct dls_problem p = support_local(2, 3, W, q, mu, &a);
        p.rolling = true;
        p.mu_r = p.mu;
        struct dls_existence e = check(&p, &a);
        assert_int_equal(e.verdict,
                         closing ? DLS_EXISTENCE_NONE : DLS_EXISTENCE_UNKNOWN);
        if (!closing) assert_non_null(strstr(e.why, "rolling"));
    }
    dls_arena_free(&a);
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    for (long k = 1;; k++) {
        struct dls_arena own = {0}, memory = {.fail_at = k};
        struct dls_problem p = between_walls((const double[]){-1, 0, -1, 0}, 0.3, &own);
        struct dls_existence e;
        struct dls_work work = {.deadline = dls_clock() + 60};
        enum dls_status status = dls_existence_check(&e, &p, &work, &memory, NULL);
        long count = memory.count;
        dls_arena_free(&memory);
        dls_arena_free(&own);
        if (count < k) break;
        assert_int_equal(status, DLS_ENOMEM);
    }
}

// Scenes that were simulated have solutions, and the check finds the room for them.
static void scenes_have_solutions(const char *pattern)
{
    glob_t files;
    if (glob(pattern, 0, NULL, &files)) {
        print_message("nothing is at %s\n", pattern);
        skip();
    }
    for (size_t k = 0; k < files.gl_pathc; k++) {
        struct dls_arena a = {0};
        struct dls_problem p;
        struct dls_error err = {""};
        if (dls_snapshot_read(&p, files.gl_pathv[k], DLS_DAT_GUESS, &a, &err))
            fail_msg("%s", err.text);
        if (p.contacts <= 700) { // the sanitizers are slow
            struct dls_existence e = check(&p, &a);
            if (e.verdict != DLS_EXISTENCE_GIVEN)
                fail_msg("%s: %s", files.gl_pathv[k], dls_existence_text(e.verdict));
        }
        dls_arena_free(&a);
    }
    globfree(&files);
}

static void bundled_scenes(void **state)
{
    (void)state;
    scenes_have_solutions("benchmarks/snapshots/*.hdf5");
}

static void corpus_scenes(void **state)
{
    (void)state;
    scenes_have_solutions("../shared/corpus/fc?d/*.hdf5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(approaching_walls_leave_no_solution),
        cmocka_unit_test(parting_walls_leave_room),
        cmocka_unit_test(a_tight_fit_guarantees_nothing),
        cmocka_unit_test(friction_decides),
        cmocka_unit_test(what_is_not_decided_says_why),
        cmocka_unit_test(rolling_has_certificates_only),
        cmocka_unit_test(survives_lack_of_memory),
        cmocka_unit_test(bundled_scenes),
        cmocka_unit_test(corpus_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
