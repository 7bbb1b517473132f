// SPDX-License-Identifier: Apache-2.0
// Measures between two rows, on motions that are known in closed form: a ball dropped and
// caught, grains that turn in the corners, columns that go up and down.
#include "problems/mechanics/rigid.h"
#include "problems/observe/field.h"
#include "problems/observe/since.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

static double reading(const struct dls_readings *all, const char *name)
{
    for (int k = 0; k < all->count; k++)
        if (!strcmp(all->all[k].name, name)) return all->all[k].value;
    fail_msg("no column %s", name);
    return NAN;
}

// A ball falls for t = 0.1 from rest onto a floor that stops it: over any window from the
// start the mean force of the floor is m g less the momentum m v over the time, hence m g
// over a window whose ends are at rest, whatever the impact did in between.
static void test_mean_force(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_error err = {""};
    struct dls_observing with;
    struct dls_readings now;
    double g = 10, drop = 0.5 * g * 0.1 * 0.1, q[3], v[3];
    struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, &a);
    dls_rigid_body(r, dls_body_disk(2, 0.5, (dls_vec3){0, 0.5 + drop, 0}),
                   dls_shape_ball(0.5));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->gravity.y = -g;
    dls_rigid_state(r, q, v);
    struct dls_setup setup = dls_setup_default("moreau", 1e-3);
    assert_int_equal(dls_sim_open(&sim, &r->system, &setup, q, v, &a), DLS_OK);
    assert_int_equal(dls_observing_parse(&with, "obstacle-mean=0,pressure-mean", &err),
                     DLS_OK);
    assert_int_equal(dls_observing_start(&with, &sim, &a), DLS_OK);
    for (int k = 1; k <= 300; k++) {
        assert_int_equal(dls_sim_step(&sim, &err), DLS_OK);
        assert_int_equal(dls_observing_add(&with, &sim, &a), DLS_OK);
        if (k == 50 || k == 200 || k == 300)
            assert_int_equal(dls_observing_read(&with, &sim, &now, &a), DLS_OK);
        if (k == 50) // still in the air
            assert_close(reading(&now, "obstacle0_mean_y"), 0, 0);
        if (k == 200) // 150 steps from falling at g t to rest
            assert_close(reading(&now, "obstacle0_mean_y"), 20 + 2 * g * 0.05 / 0.15,
                         1e-9); // sums of 150 numbers of order 1e3
        if (k == 300) {
            assert_close(reading(&now, "obstacle0_mean_y"), 20, 1e-9);
            assert_close(reading(&now, "obstacle0_mean_normal"), 20, 1e-9);
            assert_close(reading(&now, "pressure_moment_mean"), 20 * 0.5, 1e-9);
        }
    }
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

// Grains on a lattice in the unit square; columns within 0.1 of the walls go down by 0.02,
// the inner half goes up by 0.01, the others stay.
static void test_columns(void **state)
{
    (void)state;
    enum { SIDE = 20, COUNT = SIDE * SIDE };
    static dls_vec3 from[COUNT], to[COUNT];
    for (int k = 0; k < COUNT; k++) {
        from[k] = (dls_vec3){(k % SIDE + 0.5) / SIDE, (k / SIDE + 0.5) / SIDE, 0};
        double off = fabs(from[k].x - 0.5);
        double rise = off > 0.4 ? -0.02 : off < 0.25 ? 0.01 : 0;
        to[k] = dls_vec3_add(from[k], (dls_vec3){0, rise, 0});
    }
    struct dls_displaced d = {COUNT, from, to};
    struct dls_basin walls = {.right = 1, .layer = 0.1, .bottom = 0, .surface = 1};
    struct dls_circulation c = dls_circulation(&d, &walls);
    assert_close(c.wall, -0.02, 1e-15);
    assert_close(c.core, 0.01, 1e-15);
    assert_close(c.all, (10 * 0.01 - 4 * 0.02) / SIDE, 1e-15);
    // Corner squares of a quarter: 5 columns, of which 2 go down, 3 stay. The slope of a
    // displacement against x over the same with y: J = sum x D / (2 sum x^2).
    double x[] = {-2, -1, 0, 1, 2}, D[] = {-0.02, -0.02, 0, 0, 0}, turn = 0, arms = 0;
    for (int i = 0; i < 5; i++)
        turn += x[i] / SIDE * D[i], arms += x[i] * x[i] / SIDE / SIDE;
    assert_close(c.left.J, turn / (2 * arms), 1e-12);
    assert_close(c.right.J, -turn / (2 * arms), 1e-12);
    assert_int_equal(c.left.count, 25);
    assert_int_equal(c.low.count, COUNT / 2);
    // About an axis at x = 0: one wall, the inner half is x < 1/2.
    walls.axis = true;
    c = dls_circulation(&d, &walls);
    assert_close(c.wall, -0.02, 1e-15);
    assert_close(c.core, (5 * 0.01 - 2 * 0.02) / 10, 1e-15);
    assert_int_equal(c.left.count, 0);
    assert_int_equal(c.right.count, 100);
    // Nobody near a wall that is far.
    walls = (struct dls_basin){.left = -9, .right = 10, .layer = 1, .surface = 1};
    assert_true(isnan(dls_circulation(&d, &walls).wall));
    struct dls_arena a = {0};
    assert_close(dls_surface(COUNT, from, &a), (19 + 0.5) / SIDE, 0);
    dls_arena_free(&a);
    assert_close(dls_rank(COUNT, from, COUNT - 1), (COUNT - SIDE) / (COUNT - 1.0), 0);
    assert_close(dls_rank(COUNT, from, 0), 0, 0);
}

// Two balls without gravity, in space: rows see the way since the row before, not since
// the start.
static void test_rows(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_error err = {""};
    struct dls_observing with;
    struct dls_readings now;
    struct dls_rigid *r = dls_rigid_new(3, 2, 0, false, &a);
    for (int k = 0; k < 2; k++) {
        struct dls_body b = dls_body_sphere(1, 0.1, (dls_vec3){k, 0, 0});
        b.v = (dls_vec3){0, 0, 3};
        dls_rigid_body(r, b, dls_shape_ball(0.1));
    }
    double *q = DLS_NEW(&a, double, r->system.nq),
           *v = DLS_NEW(&a, double, r->system.n);
    dls_rigid_state(r, q, v);
    struct dls_setup setup = dls_setup_default("moreau", 1e-2);
    assert_int_equal(dls_sim_open(&sim, &r->system, &setup, q, v, &a), DLS_OK);
    assert_int_equal(dls_observing_parse(&with, "circulation,rank=1", &err), DLS_OK);
    assert_int_equal(dls_observing_start(&with, &sim, &a), DLS_OK);
    for (int k = 1; k <= 30; k++) {
        assert_int_equal(dls_sim_step(&sim, &err), DLS_OK);
        if (k % 10) continue;
        assert_int_equal(dls_observing_read(&with, &sim, &now, &a), DLS_OK);
        // Places are those at which contacts were looked for, half a step before the end.
        double way = k == 10 ? 3 * 0.095 : 0.3;
        assert_close(reading(&now, "moved"), way, 1e-12);
        assert_close(reading(&now, "rise_wall"), way, 1e-12);
        assert_close(reading(&now, "grain1_rank"), 0, 0);
    }
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_force),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
