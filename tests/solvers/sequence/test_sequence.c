// SPDX-License-Identifier: Apache-2.0
// Sequences of problems: the same answers as by dls_solve, one judge for each problem
// however often it is solved, memory used again; and warm starts by identity.
#include "solvers/sequence/sequence.h"

#include "base/rng.h"

#include <math.h>
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

// --- warm starts ----------------------------------------------------------------------

struct named { // identities inside another array, with something before and behind
    int before;
    uint64_t id;
    double behind;
};

static void shuffle(struct named *list, int count, struct dls_rng *g)
{
    for (int k = count - 1; k > 0; k--) {
        int other = dls_rng_below(g, k + 1);
        struct named swap = list[k];
        list[k] = list[other], list[other] = swap;
    }
}

// Impulses that tell whose they are: found again in every order, nearly sorted or not,
// contacts that are new keep what they had, contacts that are gone are left out.
static void impulses_follow_their_contacts(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    for (int trial = 0; trial < 8; trial++) {
        struct dls_arena a = {0};
        struct dls_rng g = dls_rng_seed((uint64_t)trial);
        int d = 1 + trial % 5;
        struct named *old = DLS_NEW(&a, struct named, COUNT);
        struct named *new = DLS_NEW(&a, struct named, COUNT);
        double *r = DLS_NEW(&a, double, COUNT *d), *z = DLS_NEW(&a, double, COUNT *d);
        for (int k = 0; k < COUNT; k++) {
            old[k].id = 1000 * (uint64_t)(k + 1);
            new[k].id = 1000 * (uint64_t)(k + 1) + (k % 3 == 0); // a third is new
        }
        if (trial % 2) shuffle(old, COUNT, &g);
        if (trial / 2 % 2) shuffle(new, COUNT, &g);
        for (int k = 0; k < COUNT * d; k++) r[k] = (double)old[k / d].id + k % d;
        for (int k = 0; k < COUNT * d; k++) z[k] = -1;
        struct dls_warm w =
            dls_warm_keep((struct dls_names){&old->id, sizeof *old}, COUNT, d, r, &a);
        for (int k = 1; k < COUNT; k++) assert_true(w.all[k - 1].id < w.all[k].id);
        dls_warm_start(&w, (struct dls_names){&new->id, sizeof *new}, COUNT, z);
        for (int k = 0; k < COUNT * d; k++) {
            uint64_t id = new[k / d].id;
            assert_true(z[k] == (id % 1000 ? -1 : (double)id + k % d));
        }
        dls_arena_free(&a);
    }
}

static void halves(void **state)
{
    (void)state;
    static const uint64_t ids[] = {0, 1, UINT64_MAX, 0x8000000000000001, 0xffffffff};
    for (int k = 0; k < 5; k++) {
        int half[2];
        dls_identity_split(ids[k], half);
        assert_true(dls_identity_join(half) == ids[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_answers),
        cmocka_unit_test(what_cannot_be_judged),
        cmocka_unit_test(impulses_follow_their_contacts),
        cmocka_unit_test(halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
