// SPDX-License-Identifier: Apache-2.0
// Sequences of problems: the same answers as by dls_solve, one judge for each problem
// however often it is solved, memory used again.
#include "solvers/sequence/sequence.h"

#include <string.h>

#include "tests/support/support.h"

static long judges;

enum dls_status __real_dls_judge_create(struct dls_judge **, const struct dls_problem *,
                                        struct dls_arena *, struct dls_error *);
enum dls_status __wrap_dls_judge_create(struct dls_judge **, const struct dls_problem *,
                                        struct dls_arena *, struct dls_error *);
enum dls_status __wrap_dls_judge_create(struct dls_judge **out,
                                        const struct dls_problem *p,
                                        struct dls_arena *a, struct dls_error *err)
{
    judges++;
    return __real_dls_judge_create(out, p, a, err);
}

// Three problems, two solvers each and the second of them twice: three judges, answers bit
// for bit those of dls_solve, and from the second problem on no memory that is new.
static void the_same_answers(void **state)
{
    (void)state;
    static const char *const sizes[] = {"n=12", "n=12 mu=0.3", "n=12 mu=0.6"};
    static const char *const solvers[] = {"pgs", "newton", "newton"};
    struct dls_arena a = {0}, problems = {0};
    struct dls_arena *pool = dls_arena_pool(&a);
    struct dls_sequence s;
    struct dls_problem p; // lives until the next one is told
    size_t held = 0;
    dls_sequence_open(&s, pool);
    judges = 0;
    for (int k = 0; k < 3; k++) {
        dls_sequence_next(&s);
        p = support_generate("stack", sizes[k], &problems);
        for (int n = 0; n < 3; n++) {
            struct dls_stats stats, alone;
            double *r = DLS_NEW(&problems, double, p.m);
            double *z = DLS_NEW(&problems, double, p.m);
            const struct dls_solver *solver = dls_solver_find(solvers[n]);
            long before = judges;
            assert_int_equal(dls_sequence_solve(&s, solver, NULL, &p, NULL, r, &stats),
                             DLS_OK);
            assert_int_equal(judges - before, n == 0);
            assert_true(stats.check_time > 0);
            dls_solve(solver, NULL, &p, NULL, z, &alone);
            assert_int_equal(stats.iterations, alone.iterations);
            assert_memory_equal(r, z, (size_t)p.m * sizeof *r);
            // What the judge knows is the answer's.
            double *u = DLS_NEW(&problems, double, p.m);
            memcpy(u, p.w, (size_t)p.m * sizeof *u);
            dls_csr_add(p.H, 1, dls_judge_v(s.judge), u);
            for (int i = 0; i < p.m; i++)
                assert_close(dls_judge_u(s.judge)[i], u[i], 1e-12); // sums of six
        }
        if (k == 1) held = pool->peak;
    }
    assert_int_equal(pool->peak, held);
    dls_sequence_close(&s);
    dls_sequence_close(&s); // twice does no harm
    dls_arena_free(&problems);
    dls_arena_free(&a);
}

// A solver that compares the iterates of others does so by the judge of the run.
static void auto_makes_no_judge(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("arch", "n=40", &a);
    double *r = DLS_NEW(&a, double, p.m);
    struct dls_stats stats;
    judges = 0;
    assert_int_equal(dls_solve(dls_solver_find("auto"), NULL, &p, NULL, r, &stats),
                     DLS_OK);
    assert_non_null(strstr(stats.work.note, "prox-newton")); // it had to decide
    assert_int_equal(judges, 1);
    dls_arena_free(&a);
}

// A problem that cannot be judged is refused with the driver's sentence.
static void what_cannot_be_judged(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sequence s;
    struct dls_stats stats;
    double W[] = {1}, q[] = {-1}, mu[] = {0}, r[1] = {0};
    struct dls_problem p = support_local(1, 1, W, q, mu, &a);
    p.V = p.W;
    dls_sequence_open(&s, NULL);
    assert_int_equal(
        dls_sequence_solve(&s, dls_solver_find("pgs"), NULL, &p, NULL, r, &stats),
        DLS_UNSUPPORTED);
    assert_non_null(strstr(stats.message, "bilateral"));
    p.V = NULL;
    assert_int_equal(
        dls_sequence_solve(&s, dls_solver_find("pgs"), NULL, &p, NULL, r, &stats),
        DLS_OK);
    assert_close(r[0], 1, 1e-12);
    dls_sequence_close(&s);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_answers),
        cmocka_unit_test(auto_makes_no_judge),
        cmocka_unit_test(what_cannot_be_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
