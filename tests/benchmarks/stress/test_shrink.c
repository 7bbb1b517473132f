// SPDX-License-Identifier: Apache-2.0
// Failures shrink to the contacts that make them, and random sets are what their seed says.
#include <stdio.h>
#include <string.h>

#include "benchmarks/stress/random_set.h"
#include "benchmarks/stress/shrink.h"
#include "tests/support/support.h"

// Fails with the contacts of these two coefficients of friction.
static const double culprits[] = {0.25, 0.75};

static bool both_there(const struct dls_problem *p, void *calls)
{
    bool there[2] = {false, false};
    ++*(int *)calls;
    for (int c = 0; c < p->contacts; c++)
        for (int k = 0; k < 2; k++) there[k] |= p->mu[c] == culprits[k];
    return there[0] && there[1];
}

static struct dls_problem many(struct dls_arena *a)
{
    struct dls_problem p = support_generate(
        "random-bodies", "contacts=50 d=3 friction=equal mu=0.5 recede=1", a);
    p.mu[3] = culprits[0];
    p.mu[41] = culprits[1];
    return p;
}

// Two contacts are left, all that was known of them too, and the problem is whole.
static void two_contacts_are_left(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = many(&a), small;
    struct dls_error err = {""};
    int calls = 0;
    assert_int_equal(dls_shrink(&small, &p, both_there, &calls, 60, &a), DLS_OK);
    if (dls_problem_check(&small, &err)) fail_msg("%s", err.text);
    assert_int_equal(small.contacts, 2);
    assert_int_equal(small.n, p.n);
    const int from[] = {3, 41};
    for (int c = 0; c < 2; c++) {
        assert_close(small.mu[c], culprits[c], 0);
        assert_memory_equal(small.body_pair + 2 * c, p.body_pair + 2 * from[c],
                            2 * sizeof *p.body_pair);
        for (int i = 0; i < 3; i++) {
            int row = 3 * c + i, old = 3 * from[c] + i;
            int count = small.H->p[row + 1] - small.H->p[row];
            assert_int_equal(count, p.H->p[old + 1] - p.H->p[old]);
            assert_memory_equal(small.H->x + small.H->p[row], p.H->x + p.H->p[old],
                                (size_t)count * sizeof *p.H->x);
            assert_close(small.w[row], p.w[old], 0);
        }
    }
    // Halves, quarters, ... of what is left, and each of the last two once more.
    assert_true(calls < 50);
    dls_arena_free(&a);
}

// Without time nothing is left out.
static void no_time(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = many(&a), small;
    int calls = 0;
    assert_int_equal(dls_shrink(&small, &p, both_there, &calls, 0, &a), DLS_OK);
    assert_int_equal(small.contacts, 50);
    dls_arena_free(&a);
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = many(&a);
    for (long k = 1;; k++) {
        struct dls_arena memory = {.fail_at = k};
        struct dls_problem small;
        int calls = 0;
        enum dls_status status =
            dls_shrink(&small, &p, both_there, &calls, 60, &memory);
        bool enough = memory.count < k;
        dls_arena_free(&memory);
        assert_int_equal(status, enough ? DLS_OK : DLS_ENOMEM);
        if (enough) break;
    }
    dls_arena_free(&a);
}

// Every seed gives a valid problem within the limits, the same one each time, and the
// provenance makes it again. 40 seeds see every geometry and friction.
static void random_sets(void **state)
{
    (void)state;
    static const char *const kinds[] = {"frames",   "parallel", "repeated", "central",
                                        "gaussian", "mixed",    "equal",    "zero"};
    bool seen[8] = {false};
    for (long seed = 1; seed <= 40; seed++) {
        struct dls_arena a = {0};
        struct dls_problem p, twin;
        struct dls_error err = {""};
        assert_int_equal(dls_random_set(&p, seed, 80, &a, &err), DLS_OK);
        if (dls_problem_check(&p, &err)) fail_msg("seed %ld: %s", seed, err.text);
        assert_true(p.contacts >= 2 && p.contacts <= 80);
        const char *options = strstr(p.provenance, "contacts=");
        assert_non_null(options);
        for (int k = 0; k < 8; k++) seen[k] |= strstr(options, kinds[k]) != NULL;
        twin = support_generate("random-bodies", options, &a);
        assert_int_equal(twin.m, p.m);
        assert_int_equal(dls_csr_count(twin.H), dls_csr_count(p.H));
        assert_memory_equal(twin.H->x, p.H->x,
                            (size_t)dls_csr_count(p.H) * sizeof *p.H->x);
        assert_memory_equal(twin.f, p.f, (size_t)p.n * sizeof *p.f);
        dls_arena_free(&a);
    }
    for (int k = 0; k < 8; k++) assert_true(seen[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_contacts_are_left),
        cmocka_unit_test(no_time),
        cmocka_unit_test(survives_lack_of_memory),
        cmocka_unit_test(random_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
