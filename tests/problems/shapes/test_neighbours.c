// SPDX-License-Identifier: Apache-2.0
// Lists of neighbours miss no pair while everything moves, grows and is asked for with
// another reach.
#include "problems/shapes/neighbours.h"

#include "base/rng.h"

#include "tests/support/support.h"

enum { ITEMS = 60, STEPS = 400 };

static bool listed(const struct dls_nears *near, int i, int j)
{
    for (int k = 0; k < near->count; k++)
        if (near->all[k].i == i && near->all[k].j == j) return true;
    return false;
}

static void test_against_all_pairs(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena a = {0};
        struct dls_rng g = dls_rng_seed(7);
        struct dls_neighbours list = {.arena = &a};
        struct dls_bound ball[ITEMS];
        int pairs = 0;
        for (int k = 0; k < ITEMS; k++)
            ball[k] =
                (struct dls_bound){{dls_rng_range(&g, 0, 4), dls_rng_range(&g, 0, 4),
                                    dim == 3 ? dls_rng_range(&g, 0, 4) : 0},
                                   dls_rng_range(&g, 0.1, 0.6)};
        for (int step = 0; step < STEPS; step++) {
            double reach = step % 3 ? 0.01 : 0;
            for (int k = 0; k < ITEMS; k++) {
                ball[k].at.x += 6e-3 * dls_rng_normal(&g);
                ball[k].at.y += 6e-3 * dls_rng_normal(&g);
                ball[k].radius += k % 7 ? 0 : 1e-5;
            }
            assert_true(dls_neighbours_update(&list, dim, ITEMS, ITEMS, ball, reach));
            for (int i = 0; i < ITEMS; i++)
                for (int j = i + 1; j < ITEMS; j++) {
                    dls_vec3 across = dls_vec3_sub(ball[i].at, ball[j].at);
                    double far = ball[i].radius + ball[j].radius + reach;
                    if (dls_vec3_norm(across) > far) continue;
                    assert_true(listed(&list.near, i, j));
                    pairs++;
                }
        }
        assert_true(pairs > 10 * STEPS);
        // A ball takes about 4 steps to cross half the skin of 0.1.
        assert_true(list.builds > 5 && list.builds < STEPS / 2);
        dls_arena_free(&a);
    }
}

// What is at rest is listed once, whatever smaller reach is asked for.
static void test_at_rest(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_neighbours list = {.arena = &a};
    struct dls_bound ball[2] = {{{0, 0, 0}, 1}, {{2, 0, 0}, 1}};
    for (int step = 0; step < 10; step++)
        assert_true(
            dls_neighbours_update(&list, 2, 2, 2, ball, step % 2 ? 0 : -INFINITY));
    assert_int_equal(list.builds, 1);
    assert_int_equal(list.near.count, 1);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_pairs),
        cmocka_unit_test(test_at_rest),
    };
    return cmocka_run_group_tests_name("neighbours", tests, NULL, NULL);
}
