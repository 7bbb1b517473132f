// SPDX-License-Identifier: Apache-2.0
// The tower of planks at rest. Tolerance 1e-12: numbers of size 1 that come out of a few
// dozen operations.
#include <math.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

// Every corner carries an equal share of what stands above: a sixteenth at a crossing, an
// eighth on the ground.
static void test_rest(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("kapla-tower", "layers=7", &a);
    assert_int_equal(p.bodies, 14);
    assert_int_equal(p.contacts, 8 + 16 * 6);
    double *r = DLS_NEW(&a, double, p.m), weight = p.M->x[0] * 9.81 * 0.01;
    for (int k = 0; k < p.contacts; k++) {
        int layer = p.body_pair[2 * k] / 2;
        r[3 * k] = 2 * weight * (7 - layer) / (layer ? 16 : 8);
    }
    const double *v = generated_v(&p, r, &a);
    for (int i = 0; i < p.n; i++) assert_close(v[i], 0, 1e-12);
    dls_arena_free(&a);
}

// Crossings lie inside both planks, at their common height; the table's acceleration acts
// on every plank.
static void test_crossings(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("kapla-tower", "layers=5 accel=0.2", &a);
    for (int k = 0; k < p.contacts; k++) {
        const double *at = p.position + 3 * k;
        int layer = p.body_pair[2 * k] / 2;
        assert_close(at[2], 0.008 * layer, 1e-12);
        if (!layer) continue;
        assert_int_equal(p.body_pair[2 * k + 1] / 2, layer - 1);
        for (int i = 0; i < 2; i++) // both coordinates at an edge of a plank's width
            assert_true(fabs(fabs(at[i]) - 0.060) < 1e-12
                        || fabs(fabs(at[i]) - 0.036) < 1e-12);
    }
    for (int k = 0; k < p.bodies; k++)
        assert_close(p.hF[6 * k] / p.hF[6 * k + 2], 0.2, 1e-12);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_crossings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
