// SPDX-License-Identifier: Apache-2.0
// Piles at rest through the whole chain: detection, schemes, pgs. A pile that touches
// without overlap must stay where it is: what a step adds is the tolerance of the solver.
#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"
#include "problems/mechanics/shape_mass.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

struct rest {
    double kinetic;     // largest over the run
    double penetration; // likewise
    double moved;       // farthest that a centre went
    int contacts;
    double iterations; // of the solver, mean over the second half
};

static struct rest run(const struct dls_rigid *r, const char *scheme, int steps,
                       double h)
{
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_error err = {""};
    struct dls_setup setup = dls_setup_default(scheme, h);
    struct rest rest = {0};
    setup.settings.tol = 1e-9;
    double *q = DLS_NEW(&a, double, r->system.nq),
           *v = DLS_NEW(&a, double, r->system.n);
    dls_rigid_state(r, q, v);
    assert_int_equal(dls_sim_open(&sim, &r->system, &setup, q, v, &a), DLS_OK);
    for (int k = 0; k < steps; k++) {
        assert_int_equal(dls_sim_step(&sim, &err), DLS_OK);
        rest.kinetic = fmax(rest.kinetic, sim.ledger.kinetic);
        if (k >= steps / 2)
            rest.iterations += 2.0 * (double)sim.last.iterations / steps;
    }
    rest.contacts = sim.last.problem.contacts;
    rest.penetration = sim.worst_penetration;
    for (int k = 0; k < r->bodies; k++) {
        dls_vec3 to = r->system.place(&r->system, sim.q, k);
        dls_vec3 by = dls_vec3_sub(to, r->body[k].at);
        rest.moved = fmax(rest.moved, dls_vec3_norm(by));
    }
    assert_int_equal(sim.unconverged, 0);
    dls_sim_close(&sim);
    dls_arena_free(&a);
    return rest;
}

// The largest impulse of a step is about W h, W the weight of the pile; off by the
// tolerance (1e-9 of the free velocity) a step leaves velocities of some 1e-9 g h times
// the condition of the pile, for which 1e4 is allowed: v <= 1e-5 g h, over the run
// v t = 1e-5 g h T.
static void assert_rest(const struct rest *r, double mass, double h, int steps)
{
    double v = 1e-5 * 9.81 * h;
    assert_true(r->kinetic <= 0.5 * mass * v * v);
    assert_true(r->moved <= v * h * steps);
    assert_true(r->penetration <= v * h * steps + 1e-9);
}

static void test_brick_pyramid(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    int courses = 5, steps = 40;
    struct dls_rigid *r = dls_rigid_new(2, 15, 1, false, &a);
    for (int i = 0; i < courses; i++)
        for (int j = 0; j < courses - i; j++)
            dls_rigid_body(r,
                           dls_body_box(1, (dls_vec3){2, 1, 1},
                                        (dls_vec3){2.2 * j + 1.1 * i, 0.5 + i, 0}),
                           dls_shape_box((dls_vec3){2, 1, 0}));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->gravity.y = -9.81;
    r->law.mu = 0.5;
    const char *schemes[] = {"moreau", "theta"};
    for (int k = 0; k < 2; k++) {
        struct rest rest = run(r, schemes[k], steps, 0.01);
        assert_int_equal(rest.contacts, 2 * 5 + 2 * 20); // two a joint
        assert_rest(&rest, 2 * 15, 0.01, steps);
        assert_true(rest.iterations < 20); // the warm start finds its contacts
    }
    dls_arena_free(&a);
}

static void test_hexagon_pile(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_shape hexagon;
    dls_vec3 corner[6];
    double in = sqrt(0.75), pi = acos(-1);
    for (int k = 0; k < 6; k++)
        corner[k] = (dls_vec3){cos(pi * k / 3), sin(pi * k / 3), 0};
    assert_int_equal(dls_shape_polygon(&hexagon, 6, corner, NULL), DLS_OK);
    // Three hexagons in the notches between three fixed ones and each other.
    struct dls_rigid *r = dls_rigid_new(2, 3, 4, false, &a);
    for (int k = 0; k < 3; k++) {
        dls_vec3 at = {1.5 * (k - 1) * 2, 0, 0};
        dls_rigid_obstacle(r, (struct dls_obstacle){
                                  .kind = DLS_OBSTACLE_SHAPE,
                                  .shape = hexagon,
                                  .pose = {at, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                              });
    }
    dls_vec3 at[] = {{-1.5, in, 0}, {1.5, in, 0}, {0, 2 * in, 0}};
    for (int k = 0; k < 3; k++)
        dls_rigid_body(r, dls_body_polygon(1, &hexagon, at[k]), hexagon);
    r->gravity.y = -9.81;
    r->law.mu = 0.3;
    struct rest rest = run(r, "moreau", 40, 0.01);
    assert_true(rest.contacts >= 2 * 6);
    assert_rest(&rest, 3 * r->body[0].mass, 0.01, 40);
    dls_arena_free(&a);
}

static void test_box_pyramid(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    int steps = 30;
    struct dls_rigid *r = dls_rigid_new(3, 14, 1, false, &a);
    for (int i = 0; i < 3; i++) // 9, 4, 1 cubes, each on four
        for (int k = 0; k < (3 - i) * (3 - i); k++) {
            dls_vec3 at = {1.1 * (k % (3 - i)) + 0.55 * i,
                           1.1 * (k / (3 - i)) + 0.55 * i, 0.5 + i};
            dls_rigid_body(r, dls_body_box(1, (dls_vec3){1, 1, 1}, at),
                           dls_shape_box((dls_vec3){1, 1, 1}));
        }
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    r->gravity.z = -9.81;
    r->law.mu = 0.5;
    struct rest rest = run(r, "moreau", steps, 0.01);
    assert_int_equal(rest.contacts, 4 * 9 + 4 * 20);
    assert_rest(&rest, 14, 0.01, steps);
    dls_arena_free(&a);
}

static void test_column(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    int steps = 30;
    struct dls_rigid *r = dls_rigid_new(3, 5, 1, false, &a);
    double R = 0.5, height = 0.8;
    for (int k = 0; k < 5; k++) { // each block turned about its axis, and a capital
        dls_vec3 at = {0, 0, height * (k + 0.5)};
        struct dls_shape s = dls_shape_cylinder(R, height);
        struct dls_body b = dls_body_cylinder(1, &s, at);
        if (k == 4) s = dls_shape_box((dls_vec3){1.5, 1.5, height});
        r->angle[dls_rigid_body(r, b, s)] = 0.3 * k;
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    r->gravity.z = -9.81;
    r->law.mu = 0.6;
    struct rest rest = run(r, "moreau", steps, 0.005);
    assert_true(rest.contacts >= 5 * 8);
    assert_rest(&rest, 5, 0.005, steps);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brick_pyramid),
        cmocka_unit_test(test_hexagon_pile),
        cmocka_unit_test(test_box_pyramid),
        cmocka_unit_test(test_column),
    };
    return cmocka_run_group_tests_name("piles", tests, NULL, NULL);
}
