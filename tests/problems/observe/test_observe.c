// SPDX-License-Identifier: Apache-2.0
// Measures on pictures that are known in closed form: lattices under pressure, a column
// under its weight, rotations; and the picture of a step of the engine.
#include "problems/mechanics/rigid.h"
#include "problems/observe/cut.h"
#include "problems/observe/field.h"
#include "problems/observe/fraction.h"
#include "problems/observe/pressure.h"
#include "problems/observe/structure.h"

#include "base/rng.h"

#include <math.h>

#include "tests/support/support.h"

static const double pi = 3.14159265358979323846;

// --- pictures made by hand -----------------------------------------------------------

static void add_grain(struct dls_observed *o, dls_vec3 at, const struct dls_shape *s)
{
    o->grain[o->grains++] = (struct dls_grain){
        .pose = {at, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        .shape = s,
        .volume = dls_shape_volume(s, o->dim),
        .mass = 1,
    };
}

static void add_force(struct dls_observed *o, int grain, int other, dls_vec3 point,
                      dls_vec3 n, double normal)
{
    o->force[o->forces++] = (struct dls_force){
        .grain = grain,
        .other = other < 0 ? -1 : other,
        .obstacle = other < 0 ? -1 - other : -1,
        .point = point,
        .n = n,
        .f = dls_vec3_scale(normal, n),
        .normal = normal,
    };
}

enum { SIDE = 20 };

// SIDE^dim grains of radius 1/2 on a square or cubic lattice, each bond carrying p; walls
// are the obstacles 2 axis + (upper side).
static void lattice(struct dls_observed *o, int dim, double p, struct dls_arena *a)
{
    static struct dls_shape ball;
    ball = dls_shape_ball(0.5);
    int up = dim == 3 ? SIDE : 1, stride[] = {1, SIDE, SIDE * SIDE};
    *o = (struct dls_observed){.dim = dim, .h = 1};
    o->grain = DLS_NEW(a, struct dls_grain, SIDE * SIDE * up + 1);
    o->force = DLS_NEW(a, struct dls_force, 3 * (SIDE + 1) * SIDE * up);
    for (int k = 0; k < SIDE * SIDE * up; k++) {
        int at[] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        dls_vec3 x = {at[0] + 0.5, at[1] + 0.5, dim == 3 ? at[2] + 0.5 : 0};
        add_grain(o, x, &ball);
        for (int i = 0; i < dim; i++) {
            dls_vec3 e = {i == 0, i == 1, i == 2}, half = dls_vec3_scale(0.5, e);
            int below = at[i] ? k - stride[i] : -1 - 2 * i;
            add_force(o, k, below, dls_vec3_sub(x, half), e, p);
            if (at[i] == SIDE - 1)
                add_force(o, k, -2 - 2 * i, dls_vec3_add(x, half),
                          dls_vec3_scale(-1, e), p);
        }
    }
}

static void test_stress_of_a_box(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_observed o;
    lattice(&o, 2, 3.0, &a);
    dls_tensor M = dls_internal_moment(&o, NULL, NULL);
    dls_tensor E = dls_external_moment(&o, NULL, NULL);
    double V = SIDE * SIDE, F = 3.0 * SIDE; // force on a wall
    // Sums of 840 terms of size 3: 1e-11 is rounding.
    assert_close(M.x[0][0] / V, -F / SIDE, 1e-11);
    assert_close(M.x[1][1] / V, -F / SIDE, 1e-11);
    assert_close(M.x[0][1], 0, 1e-10);
    assert_close(M.x[0][0], E.x[0][0], 1e-9);
    dls_tensor shear = dls_tensor_outer((dls_vec3){1, 1, 0}, (dls_vec3){2, 2, 0});
    struct dls_principal p = dls_tensor_principal(&shear, 2);
    assert_close(p.value[0], 4, 1e-14);
    assert_close(p.value[1], 0, 1e-14);
    assert_close(p.angle, 45, 1e-12);
    dls_arena_free(&a);
}

static void test_fabric_and_coordination(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_observed o;
    struct dls_coordination z;
    struct dls_shape ball = dls_shape_ball(0.5);
    for (int dim = 2; dim <= 3; dim++) {
        lattice(&o, dim, 1.0, &a);
        dls_tensor F = dls_fabric(&o);
        assert_close(F.x[0][0] + F.x[1][1] + F.x[2][2], 1, 1e-14);
        assert_close(dls_fabric_anisotropy(&F, dim), 0, 1e-12);
        add_grain(&o, (dls_vec3){-5, -5, 0}, &ball); // touches nobody
        int grains = o.grains;
        assert_true(dls_coordination(&z, &o, 2, &a));
        assert_int_equal(z.rattlers, 1);
        assert_close(z.backbone, 2 * dim, 1e-14);
        assert_close(z.all, 2.0 * dim * (grains - 1) / grains, 1e-12);
    }
    dls_arena_free(&a);
}

static void test_cuts(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_observed o;
    lattice(&o, 2, 2.0, &a);
    struct dls_cut cut = {.point = {7, 0, 0}, .n = {1, 0, 0}};
    struct dls_resultant r = dls_cut_resultant(&o, &cut, NULL, NULL);
    assert_int_equal(r.contacts, SIDE);
    assert_close(r.force.x, -2.0 * SIDE, 1e-12); // pushed back by the outer side
    assert_close(r.force.y, 0, 1e-12);
    assert_close(dls_cut_height(&cut, &r), 0.5 * SIDE, 1e-12);
    r = dls_cut_mean(&o, &cut, 0.8, 5);
    assert_close(r.force.x, -2.0 * SIDE, 1e-12);
    dls_arena_free(&a);
}

// Isotropic pressure: T is parallel to nu on any strip, hence reciprocal.
static void test_strips(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_observed o;
    lattice(&o, 3, 1.0, &a);
    dls_vec3 axis = {10, 10, 0};
    struct dls_strip s[2] = {
        {axis, {6.2, 5.3}, {6.2, 15.3}}, // of a cylinder: n = (1, 0)
        {axis, {8.2, 6.3}, {4.2, 14.3}}, // of a cone
    };
    struct dls_density t[2];
    for (int k = 0; k < 2; k++) t[k] = dls_strip_density(&o, &s[k]);
    // A circle of radius 6 on a lattice: staircase errors of some per cent.
    assert_close(t[0].r, -1, 0.05);
    assert_close(t[0].z, 0, 1e-12);
    double length = hypot(4, 8), n[] = {8 / length, 4 / length};
    assert_close(t[1].r, -n[0], 0.05);
    assert_close(t[1].z, -n[1], 0.05);
    double error, defect = dls_reciprocity(s, t, &error);
    assert_close(defect, 0, 0.1);
    t[0].z = 0.5; // a shear that has no partner must show
    assert_true(fabs(dls_reciprocity(s, t, &error)) > 0.15);
    dls_arena_free(&a);
}

static void test_ground_pressure(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_observed o;
    double p[12], sum;
    lattice(&o, 3, 1.0, &a);
    for (int c = 0; c < o.forces; c++)
        o.force[c].point = dls_vec3_sub(o.force[c].point, (dls_vec3){10, 10, 0});
    struct dls_bins bins = {.width = 1.25, .count = 12, .first = 4, .last = 5};
    sum = dls_ground_pressure(&o, &bins, p);
    assert_close(sum, 0, 1e-12); // all within 15 of the axis
    for (int k = 0; k < 12; k++) sum += p[k] * dls_bin_area(&bins, 3, k);
    assert_close(sum, SIDE * SIDE, 1e-10);
    assert_close(dls_obstacle_force(&o, 4, 5).z, SIDE * SIDE, 1e-10);
    assert_close(dls_obstacle_force(&o, 0, 6).z, 0, 1e-10);
    dls_arena_free(&a);
}

static void test_phase_window(void **state)
{
    (void)state;
    struct dls_window w = {.period = 0.5, .bins = 50};
    for (int k = 0; k < 1000; k++) {
        double t = 0.5 * (k + 0.5) / 200;
        dls_window_add(&w, t, sin(2 * pi * t / 0.5));
    }
    assert_close(dls_window_mean(&w, 0, 1), 0, 1e-12);
    // 200 samples a period: the midpoint rule of a half wave, off by (pi/200)^2 / 24.
    assert_close(dls_window_mean(&w, 0, 0.5), 2 / pi, 1e-4);
}

// --- solid fraction ------------------------------------------------------------------

static void test_clipped_shapes(void **state)
{
    (void)state;
    struct dls_region unit = {{0, 0, 0}, {1, 1, 1}};
    struct dls_rng g = dls_rng_seed(3);
    dls_vec3 corner = {0, 0, 0}, side = {0.5, 1, 0.5}, square[4];
    assert_close(dls_disk_inside(corner, 0.5, &unit), pi / 16, 1e-15);
    assert_close(dls_disk_inside(side, 0.5, &unit), pi / 8, 1e-15);
    assert_close(dls_disk_inside((dls_vec3){0.5, 0.5, 0}, 5, &unit), 1, 1e-14);
    assert_close(dls_ball_inside(corner, 0.5, &unit), pi / 48, 1e-6);
    assert_close(dls_ball_inside(side, 0.5, &unit), pi / 12, 1e-6);
    // A cap of height 0.2 of a ball of radius 0.5: pi h^2 (3 r - h) / 3.
    assert_close(dls_ball_inside((dls_vec3){0.5, 0.5, 1.3}, 0.5, &unit),
                 pi * 0.04 * 1.3 / 3, 1e-6);
    for (int k = 0; k < 4; k++) { // a square turned by 45 degrees about a corner
        double angle = 0.5 * pi * k;
        square[k] = (dls_vec3){0.4 * cos(angle), 0.4 * sin(angle), 0};
    }
    assert_close(dls_polygon_inside(4, square, &unit), 0.08, 1e-15);
    for (int k = 0; k < 100; k++) { // pieces of a random disk add up to the whole
        dls_vec3 c = {dls_rng_real(&g), dls_rng_real(&g), 0};
        double r = dls_rng_range(&g, 0.05, 0.8), sum = 0;
        for (int i = -2; i < 3; i++)
            for (int j = -2; j < 3; j++) {
                struct dls_region cell = {{i, j, 0}, {i + 1, j + 1, 0}};
                sum += dls_disk_inside(c, r, &cell);
            }
        assert_close(sum, pi * r * r, 1e-12);
    }
}

static double fraction_of(struct dls_observed *o, dls_vec3 hi)
{
    return dls_solid_fraction(o, &(struct dls_region){{0, 0, 0}, hi});
}

static void test_lattice_fractions(void **state)
{
    (void)state;
    struct dls_shape ball = dls_shape_ball(0.5);
    struct dls_grain grain[200];
    struct dls_observed o = {.dim = 2, .grain = grain};
    for (int k = 0; k < 9; k++) add_grain(&o, (dls_vec3){k % 3, k / 3, 0}, &ball);
    assert_close(fraction_of(&o, (dls_vec3){2, 2, 0}), pi / 4, 1e-12);
    o.grains = 0;
    for (int k = 0; k < 15; k++)
        add_grain(&o, (dls_vec3){k % 5 - 1 + 0.5 * (k / 5 % 2), k / 5 * sqrt(0.75), 0},
                  &ball);
    assert_close(fraction_of(&o, (dls_vec3){2, sqrt(3), 0}), pi / sqrt(12), 1e-12);
    o = (struct dls_observed){.dim = 3, .grain = grain};
    for (int k = 0; k < 8; k++)
        add_grain(&o, (dls_vec3){k % 2, k / 2 % 2, k / 4}, &ball);
    assert_close(fraction_of(&o, (dls_vec3){1, 1, 1}), pi / 6, 1e-5);
    o.grains = 0;
    double c = sqrt(2); // cell of the face-centred lattice of unit distance
    for (int k = 0; k < 27; k++)
        if ((k % 3 + k / 3 % 3 + k / 9) % 2 == 0)
            add_grain(&o,
                      (dls_vec3){c / 2 * (k % 3), c / 2 * (k / 3 % 3), c / 2 * (k / 9)},
                      &ball);
    assert_close(fraction_of(&o, (dls_vec3){c, c, c}), pi / sqrt(18), 1e-5);
}

// --- displacement fields -------------------------------------------------------------

static void test_circulation(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    dls_vec3 from[COUNT], to[COUNT], field[4];
    struct dls_rng g = dls_rng_seed(5);
    struct dls_displaced d = {COUNT, from, to};
    struct dls_region box = {{0, 0, 0}, {1, 1, 0}};
    double angle = 0.01;
    for (int k = 0; k < COUNT; k++) {
        from[k] = (dls_vec3){dls_rng_real(&g), dls_rng_real(&g), 0};
        to[k] = (dls_vec3){cos(angle) * from[k].x - sin(angle) * from[k].y + 3,
                           sin(angle) * from[k].x + cos(angle) * from[k].y, 0};
    }
    struct dls_flow flow = dls_flow_in(&d, &box);
    assert_int_equal(flow.count, COUNT);
    assert_close(flow.J, sin(angle), 1e-12);
    for (int k = 0; k < COUNT; k++)
        to[k] = dls_vec3_add(from[k], (dls_vec3){0.1, -0.2, 0});
    flow = dls_flow_in(&d, &box);
    assert_close(flow.J, 0, 1e-13);
    assert_close(flow.square, 0.05, 1e-13);
    dls_flow_grid(&d, &(struct dls_grid){box, 2, 2}, field);
    for (int k = 0; k < 4; k++) assert_close(field[k].y, -0.2, 1e-13);
    dls_flow_grid(&d, &(struct dls_grid){{{2, 2, 0}, {3, 3, 0}}, 1, 1}, field);
    assert_true(isnan(field[0].x)); // nobody there
}

// --- steps of the engine -------------------------------------------------------------

// One step of h = 1e-3, and its picture.
static void take_step(const struct dls_rigid *r, int steps, struct dls_observed *o,
                      struct dls_sim *sim, struct dls_arena *a)
{
    struct dls_setup setup = dls_setup_default("moreau", 1e-3);
    struct dls_error err = {""};
    double *q = DLS_NEW(a, double, r->system.nq), *v = DLS_NEW(a, double, r->system.n);
    dls_rigid_state(r, q, v);
    assert_int_equal(dls_sim_open(sim, &r->system, &setup, q, v, a), DLS_OK);
    for (int k = 0; k < steps; k++) assert_int_equal(dls_sim_step(sim, &err), DLS_OK);
    assert_int_equal(dls_observe(o, sim, a), DLS_OK);
}

// n balls on a plane under gravity 10: forces m g ... n m g, sum M_zz = -n^2 m g R.
static void test_column(void **state)
{
    (void)state;
    enum { COUNT = 7 };
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena a = {0};
        struct dls_observed o;
        struct dls_sim sim;
        struct dls_rigid *r = dls_rigid_new(dim, COUNT, 2, false, &a);
        dls_vec3 up = {0, dim == 2, dim == 3};
        for (int k = 0; k < COUNT; k++) {
            dls_vec3 at = dls_vec3_scale(0.5 + k, up);
            struct dls_body b = dim == 2 ? dls_body_disk(2, 0.5, at)
                                         : dls_body_sphere(12 / pi, 0.5, at);
            dls_rigid_body(r, b, dls_shape_ball(0.5));
        }
        dls_rigid_plane(r, (struct dls_plane){.point = {-9, 0, 0}, .n = {1, 0, 0}});
        dls_rigid_plane(r, (struct dls_plane){.n = up});
        r->gravity = dls_vec3_scale(-10, up);
        r->law.mu = 0.5;
        take_step(r, 3, &o, &sim, &a);
        int axis = dim - 1, count;
        double weight = 20;
        dls_tensor M = dls_internal_moment(&o, NULL, NULL);
        dls_tensor E = dls_external_moment(&o, NULL, NULL);
        // The solver stops at 1e-12; the lengths are of order 10.
        assert_close(M.x[axis][axis], -COUNT * COUNT * weight * 0.5, 1e-7);
        assert_close(E.x[axis][axis], M.x[axis][axis], 1e-7);
        double *f = dls_force_distribution(&o, &count, &a);
        assert_int_equal(count, COUNT);
        for (int k = 0; k < COUNT; k++)
            assert_close(f[k] * 0.5 * (COUNT + 1), k + 1, 1e-8);
        assert_close(dls_vec3_dot(dls_obstacle_force(&o, 1, 2), up), COUNT * weight,
                     1e-7);
        assert_close(dls_vec3_norm(dls_obstacle_force(&o, 0, 1)), 0, 0);
        struct dls_cut cut = {dls_vec3_scale(3, up), up, 0}; // above the third ball
        struct dls_resultant above = dls_cut_resultant(&o, &cut, NULL, NULL);
        assert_close(dls_vec3_dot(above.force, up), -(COUNT - 3) * weight, 1e-7);
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

static bool low(const struct dls_observed *o, int grain, const void *data)
{
    return o->grain[grain].pose.at.y < *(const double *)data;
}

// Disks thrown together: the identity of moments holds far from rest, for any part of
// them, and so does the dissipation against the ledger.
static void test_identity_in_motion(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_observed o;
    struct dls_sim sim;
    struct dls_rng g = dls_rng_seed(8);
    struct dls_rigid *r = dls_rigid_new(2, 30, 1, false, &a);
    for (int k = 0; k < 30; k++) {
        dls_vec3 at = {k % 6 * 0.99, 0.49 + k / 6 * 0.99, 0};
        struct dls_body b = dls_body_disk(1, 0.5, at);
        b.v = (dls_vec3){dls_rng_range(&g, -1, 1), dls_rng_range(&g, -1, 1), 0};
        dls_rigid_body(r, b, dls_shape_ball(0.5));
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->gravity.y = -10;
    r->law = (struct dls_law){.mu = 0.3, .e_n = 0.5};
    take_step(r, 1, &o, &sim, &a);
    double line = 2, work = 0, most = 0;
    dls_chosen *chosen[] = {NULL, low};
    for (int part = 0; part < 2; part++) {
        dls_tensor M = dls_internal_moment(&o, chosen[part], &line);
        dls_tensor E = dls_external_moment(&o, chosen[part], &line);
        for (int k = 0; k < 4; k++) most = fmax(most, fabs(M.x[k / 2][k % 2]));
        for (int k = 0; k < 4; k++) // rounding of sums of some 1e4
            assert_close(M.x[k / 2][k % 2], E.x[k / 2][k % 2], 1e-11 * most);
    }
    assert_true(most > 100); // a collision, not a trifle
    for (int c = 0; c < o.forces; c++) work += o.force[c].work;
    assert_true(work < -0.1);
    assert_close(work, sim.ledger.normal + sim.ledger.tangential, 1e-10);
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stress_of_a_box),
        cmocka_unit_test(test_fabric_and_coordination),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_strips),
        cmocka_unit_test(test_ground_pressure),
        cmocka_unit_test(test_phase_window),
        cmocka_unit_test(test_clipped_shapes),
        cmocka_unit_test(test_lattice_fractions),
        cmocka_unit_test(test_circulation),
        cmocka_unit_test(test_column),
        cmocka_unit_test(test_identity_in_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
