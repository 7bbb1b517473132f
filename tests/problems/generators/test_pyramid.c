// SPDX-License-Identifier: Apache-2.0
// The pyramid of boxes: an answer at rest, and the ground that turns. Tolerance 1e-12:
// numbers of size 1 that come out of a few dozen operations.
#include <math.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

// What passes straight down through each corner keeps the pyramid at rest: a sixteenth of
// a box more with every box above the same place. On the ground a load at (x, y) goes to
// the corners of its box in the ratio of bilinear weights.
static void test_rest(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("pyramid", "layers=4 twist=0", &a);
    assert_int_equal(p.bodies, 16 + 9 + 4 + 1);
    assert_int_equal(p.contacts, 4 * 16 + 16 * (9 + 4 + 1));
    double *r = DLS_NEW(&a, double, p.m), weight = p.M->x[0] * 9.81 * 0.01;
    for (int k = 4 * 16; k < p.contacts; k++)
        for (int above = 4 * 16; above < p.contacts; above++) {
            const double *low = p.position + 3 * k, *high = p.position + 3 * above;
            bool same = hypot(low[0] - high[0], low[1] - high[1]) < 1e-9;
            if (same && high[2] > low[2] - 1e-9) r[3 * k] += weight / 16;
        }
    for (int k = 0; k < 4 * 16; k++) {
        const double *corner = p.position + 3 * k, *far = p.position + 3 * (k ^ 3);
        r[3 * k] = weight / 4;
        for (int above = 4 * 16; above < p.contacts; above++) {
            const double *at = p.position + 3 * above;
            if (p.body_pair[2 * above + 1] != p.body_pair[2 * k]) continue;
            r[3 * k] += r[3 * above] * (at[0] - far[0]) / (corner[0] - far[0])
                        * (at[1] - far[1]) / (corner[1] - far[1]);
        }
    }
    const double *v = generated_v(&p, r, &a);
    for (int i = 0; i < p.n; i++) assert_close(v[i], 0, 1e-12);
    dls_arena_free(&a);
}

// The middle of a lowest edge is 1.5 pitches and half a box from the axis; tangents on the
// ground are x and y.
static void test_twist(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("pyramid", "layers=4 twist=0.5", &a);
    double middle = 1.5 * 0.22, rate = 0.5 / (middle + 0.1);
    for (int k = 0; k < p.contacts; k++) {
        const double *at = p.position + 3 * k;
        double turn = k < 4 * 16 ? rate : 0; // only the ground moves
        assert_close(p.w_ob[3 * k + 1], turn * (at[1] - middle), 1e-12);
        assert_close(p.w_ob[3 * k + 2], -turn * (at[0] - middle), 1e-12);
    }
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_twist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
