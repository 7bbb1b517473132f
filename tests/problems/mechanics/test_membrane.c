// SPDX-License-Identifier: Apache-2.0
// Flexible sides: who is of a column, the total force, the width of known shapes.
#include "problems/mechanics/membrane.h"

#include <math.h>

#include "tests/support/support.h"

enum { ACROSS = 4, UP = 6, COUNT = ACROSS * UP };

// Disks of radius 1/2 in rows, every second row moved by `offset`.
static struct dls_rigid *rows(double offset, struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(2, COUNT, 0, false, a);
    for (int k = 0; k < COUNT; k++) {
        dls_vec3 at = {k % ACROSS + offset * (k / ACROSS % 2), 0.5 + k / ACROSS, 0};
        dls_rigid_body(r, dls_body_disk(1, 0.5, at), dls_shape_ball(0.5));
    }
    return r;
}

static void columns_are_pressed(void **state)
{
    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        struct dls_arena a = {0};
        struct dls_rigid *r = rows(moved ? 0.4 : 0, &a);
        struct dls_membrane m = {.pressure = 3};
        double q[3 * COUNT], v[3 * COUNT], F[3 * COUNT] = {0}, sum[2] = {0};
        assert_true(dls_membrane_find(&m, r, &a));
        dls_rigid_state(r, q, v);
        for (int side = 0; side < 2; side++) {
            assert_int_equal(m.side[side].count, UP);
            for (int i = 0; i < UP; i++)
                assert_int_equal(m.side[side].disk[i],
                                 i * ACROSS + side * (ACROSS - 1));
        }
        dls_membrane_press(&m, q, -0.5, UP + 1, F);
        for (int k = 0; k < COUNT; k++) {
            sum[F[3 * k] < 0] += F[3 * k];
            assert_close(F[3 * k + 1], 0, 0);
            assert_close(F[3 * k + 2], 0, 0);
        }
        assert_close(sum[0], 3 * (UP + 1.5), 1e-12); // pressure times height
        assert_close(sum[1], -3 * (UP + 1.5), 1e-12);
        assert_close(dls_membrane_width(&m, q), ACROSS - 1, 1e-12);
        for (int k = 0; k < COUNT; k++) q[3 * k] *= 1.5;
        assert_close(dls_membrane_width(&m, q), 1.5 * (ACROSS - 1), 1e-12);
        dls_membrane_springs(&m, r, 2);
        assert_int_equal(r->springs, 2 * (UP - 1));
        assert_close(r->spring[0].rest, moved ? hypot(1, 0.4) : 1, 1e-14);
        dls_arena_free(&a);
    }
}

// A disk taken out of the left column lets the one behind it see that side.
static void columns_are_what_is_seen(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rigid *r = rows(0, &a);
    struct dls_membrane m = {0};
    r->body[2 * ACROSS].at.x = 10;
    assert_true(dls_membrane_find(&m, r, &a));
    assert_int_equal(m.side[0].count, UP);
    assert_int_equal(m.side[0].disk[2], 2 * ACROSS + 1);
    assert_int_equal(m.side[1].disk[2], 2 * ACROSS);
    dls_arena_free(&a);
}

// A disk of the inside that comes out between two of the left column is pressed back, and
// the sum stays pressure times height.
static void columns_follow(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rigid *r = rows(0, &a);
    struct dls_membrane m = {.pressure = 3};
    int out = 2 * ACROSS + 1;
    double q[3 * COUNT], v[3 * COUNT], F[3 * COUNT] = {0}, sum = 0;
    assert_true(dls_membrane_find(&m, r, &a));
    dls_rigid_state(r, q, v);
    q[3 * out] = -1;
    q[3 * out + 1] += 0.4; // nearly where two of the column touch
    dls_membrane_follow(&m, q);
    dls_membrane_press(&m, q, 0, UP, F);
    assert_true(F[3 * out] > 0);
    for (int k = 0; k < COUNT; k++) sum += fmax(0, F[3 * k]);
    assert_close(sum, 3 * UP, 1e-12);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_pressed),
        cmocka_unit_test(columns_are_what_is_seen),
        cmocka_unit_test(columns_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
