// SPDX-License-Identifier: Apache-2.0
// Grains before an experiment: places that do not overlap, packings that rest, states
// that come back from a file as they were.
#include "problems/preparation/compact.h"
#include "problems/preparation/place.h"
#include "problems/preparation/settle.h"
#include "problems/preparation/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

enum { COUNT = 40, FEW = 16 };

// The least gap of all pairs.
static double least_gap(int count, const dls_vec3 *at, const double *radius)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            least = fmin(least, dls_vec3_norm(dls_vec3_sub(at[i], at[j])) - radius[i]
                                    - radius[j]);
    return least;
}

static void test_rows(void **state)
{
    (void)state;
    double radius[COUNT];
    dls_vec3 at[COUNT];
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_rng g = dls_rng_seed(4);
        dls_random_radii(COUNT, 0.5, 1, &g, radius);
        struct dls_rows rows = {dim, {{-2.5, -2.5, 0}, {2.5, 2.5, 0}}, dim == 3, 0.05};
        dls_place_rows(&rows, COUNT, radius, &g, at);
        assert_true(least_gap(COUNT, at, radius) > 0);
        for (int k = 0; k < COUNT; k++) {
            assert_true(radius[k] >= 0.25 && radius[k] < 0.5);
            assert_true(fabs(at[k].x) + radius[k] <= 2.5);
            assert_true((dim == 2 ? at[k].y + 2.5 : at[k].z) >= radius[k]);
            if (dim == 3) assert_true(hypot(at[k].x, at[k].y) + radius[k] <= 2.5);
        }
    }
}

static void test_polygon(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_error err = {""};
    struct dls_shape s;
    for (int sides = 3; sides <= 8; sides++) {
        assert_int_equal(dls_regular_polygon(&s, sides, 2, &a, &err), DLS_OK);
        double area = 0.5 * sides * 4 * sin(2 * acos(-1) / sides);
        assert_close(dls_shape_volume(&s, 2), area, 1e-13);
    }
    assert_int_equal(dls_regular_polygon(&s, 2, 2, &a, &err), DLS_EINVAL);
    dls_arena_free(&a);
}

static void test_random_polygons(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(5);
    struct dls_rigid *r = dls_rigid_new(2, COUNT, 0, false, &a);
    struct dls_polygons with = {COUNT, 4, 8, 0.25, 2500};
    struct dls_error err = {""};
    dls_vec3 at[COUNT] = {0};
    int seen[9] = {0};
    assert_int_equal(dls_random_polygons(r, &with, at, &g, &a, &err), DLS_OK);
    assert_int_equal(r->bodies, COUNT);
    for (int k = 0; k < COUNT; k++) {
        int sides = r->shape[k].corners;
        double area = 0.5 * sides * 0.0625 * sin(2 * acos(-1) / sides);
        assert_in_range(sides, 4, 8);
        assert_close(r->body[k].mass, 2500 * area, 1e-9);
        seen[sides]++;
    }
    for (int sides = 4; sides <= 8; sides++) assert_true(seen[sides]);
    with.least = 2, with.most = 2;
    assert_int_equal(dls_random_polygons(r, &with, at, &g, &a, &err), DLS_EINVAL);
    dls_arena_free(&a);
}

// Neighbours at the spacing, a rectangle of the aspect asked for, whatever the turn.
static void test_lattice(void **state)
{
    (void)state;
    for (int turn = 0; turn < 6; turn++) {
        struct dls_arena a = {0};
        struct dls_lattice l = {turn % 2, 2, 0.3 * turn, 0.5};
        dls_vec3 at[200], lo = {0}, hi = {0};
        double least = INFINITY;
        assert_int_equal(dls_place_lattice(&l, 200, at, &a), DLS_OK);
        for (int i = 0; i < 200; i++) {
            lo = (dls_vec3){fmin(lo.x, at[i].x), fmin(lo.y, at[i].y), 0};
            hi = (dls_vec3){fmax(hi.x, at[i].x), fmax(hi.y, at[i].y), 0};
            for (int j = 0; j < i; j++)
                least = fmin(least, dls_vec3_norm(dls_vec3_sub(at[i], at[j])));
        }
        assert_close(least, 2, 1e-12);
        // 200 cells of area 4 or 2 sqrt(3) in a rectangle twice as high as wide
        double width = sqrt(100 * (turn % 2 ? 2 * sqrt(3) : 4));
        assert_close(hi.x - lo.x, width, 3);
        assert_close(hi.y - lo.y, 2 * width, 3);
        dls_arena_free(&a);
    }
}

// Disks without friction end dense.
static void test_compact(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(2);
    struct dls_error err = {""};
    double radius[FEW], solid = 0;
    dls_vec3 at[FEW], lo = {INFINITY, INFINITY, 0}, hi = {-INFINITY, -INFINITY, 0};
    dls_random_radii(FEW, 0.7, 1.3, &g, radius);
    dls_place_rows(&(struct dls_rows){2, {{0, 0, 0}, {6, 0, 0}}, false, 0.02}, FEW,
                   radius, &g, at);
    struct dls_compaction with = {FEW, radius, 3, 5};
    struct dls_setup setup = dls_setup_default("moreau", 0);
    assert_int_equal(dls_compact(&with, at, &setup, &a, &err), DLS_OK);
    assert_true(least_gap(FEW, at, radius) > -0.05); // less than a tenth of a radius
    for (int k = 0; k < FEW; k++) {
        double s = radius[k];
        lo = (dls_vec3){fmin(lo.x, at[k].x - s), fmin(lo.y, at[k].y - s), 0};
        hi = (dls_vec3){fmax(hi.x, at[k].x + s), fmax(hi.y, at[k].y + s), 0};
        solid += acos(-1) * s * s;
    }
    // 16 disks have many at the walls: 0.84 inside is about 0.7 of the box.
    assert_true(solid / ((hi.x - lo.x) * (hi.y - lo.y)) > 0.68);
    dls_arena_free(&a);
}

static void test_pavement_and_lowering(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(9);
    struct dls_pavement p = {3, 0.25, 0.5};
    int room = dls_pavement_room(&p, 3);
    struct dls_rigid *r = dls_rigid_new(3, 1, room, false, &a);
    int count = dls_pave(r, &p, &g);
    assert_true(count <= room && count == r->obstacles);
    dls_vec3 *at = DLS_NEW(&a, dls_vec3, count);
    double *radius = DLS_NEW(&a, double, count);
    for (int k = 0; k < count; k++) {
        at[k] = r->obstacle[k].pose.at;
        radius[k] = r->obstacle[k].shape.radius;
    }
    struct dls_standing s = {3, count, at, radius};
    for (int k = 0; k < 200; k++) { // nobody falls through, nobody overlaps
        dls_vec3 x = {dls_rng_range(&g, -1.8, 1.8), dls_rng_range(&g, -1.8, 1.8), 0};
        double least = INFINITY;
        x.z = dls_lower(&s, x, 0.125);
        assert_true(x.z > 0);
        for (int i = 0; i < count; i++)
            least =
                fmin(least, dls_vec3_norm(dls_vec3_sub(x, at[i])) - radius[i] - 0.125);
        assert_close(least, 0, 1e-14);
    }
    assert_true(isinf(dls_lower(&s, (dls_vec3){9, 9, 0}, 0.125)));
    dls_arena_free(&a);
}

static struct dls_rigid *heap(struct dls_arena *a)
{
    double radius[COUNT];
    dls_vec3 at[COUNT];
    struct dls_rng g = dls_rng_seed(2);
    dls_random_radii(COUNT, 0.5, 1, &g, radius);
    dls_place_rows(&(struct dls_rows){2, {{0, 0, 0}, {5, 0, 0}}, false, 0.05}, COUNT,
                   radius, &g, at);
    struct dls_rigid *r = dls_rigid_new(2, COUNT, 3, false, a);
    for (int k = 0; k < COUNT; k++)
        dls_rigid_body(r, dls_body_disk(1, radius[k], at[k]),
                       dls_shape_ball(radius[k]));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = {5, 0, 0}, .n = {-1, 0, 0}});
    r->gravity.y = -10;
    r->law = (struct dls_law){.mu = 0.1, .e_n = 0.9, .e_t = 0.1};
    return r;
}

static void test_settle_and_state(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_error err = {""};
    struct dls_settled out;
    struct dls_rigid *r = heap(&a), *again = heap(&a);
    struct dls_setup setup = dls_setup_default("moreau", 0);
    struct dls_settling with = {
        .scheme = "moreau",
        .h = 5e-3,
        .most = 20,
        .tol = 1e-4,
        .speed = 0.02,
        .law = {.mu = 0.3},
    };
    assert_int_equal(dls_settle(r, &with, &setup, &out, &a, &err), DLS_OK);
    assert_true(out.rest && out.t < with.most && out.speed < 0.02);
    assert_close(r->law.e_n, 0.9, 0); // the experiment's own law is back
    double lowest = INFINITY, highest = 0, *q = DLS_NEW(&a, double, 3 * COUNT);
    for (int k = 0; k < COUNT; k++) {
        lowest = fmin(lowest, r->body[k].at.y - r->shape[k].radius);
        highest = fmax(highest, r->body[k].at.y);
    }
    assert_close(lowest, 0, 0.01); // on the floor, 2 % of a radius deep at most
    assert_true(highest < 8); // 22.6 of area in a width of 5: denser than loose rows
    const char *path = "settled-state.csv";
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", support_folder(), path);
    struct dls_sim sim;
    double *v = DLS_NEW(&a, double, 3 * COUNT);
    dls_rigid_state(r, q, v);
    setup.h = 1e-3;
    assert_int_equal(dls_sim_open(&sim, &r->system, &setup, q, v, &a), DLS_OK);
    assert_int_equal(dls_state_write(&sim, full, &err), DLS_OK);
    assert_int_equal(dls_state_read(again, full, &err), DLS_OK);
    for (int k = 0; k < COUNT; k++) { // all digits
        assert_close(again->body[k].at.x, r->body[k].at.x, 0);
        assert_close(again->body[k].at.y, r->body[k].at.y, 0);
        assert_close(again->angle[k], r->angle[k], 0);
    }
    again->shape[3].bound *= 1.01;
    assert_int_equal(dls_state_read(again, full, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, "row 4"));
    assert_int_equal(dls_state_read(again, "nowhere", &err), DLS_EIO);
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_polygon),
        cmocka_unit_test(test_random_polygons),
        cmocka_unit_test(test_lattice),
        cmocka_unit_test(test_compact),
        cmocka_unit_test(test_pavement_and_lowering),
        cmocka_unit_test(test_settle_and_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
