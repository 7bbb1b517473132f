// SPDX-License-Identifier: Apache-2.0
// Detection pair by pair against closed forms. Lengths are of order one: 1e-12 allows
// for the rounding of some dozens of operations.

#include "problems/shapes/detect.h"

#include "base/rng.h"

#include <math.h>

#include "tests/support/support.h"

#define TOL 1e-12
static const double PI = 3.14159265358979323846;

static struct dls_pose upright(double x, double y, double z)
{
    return (struct dls_pose){{x, y, z}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

// Turned about z, or about x, by an angle.
static struct dls_pose turned_z(double x, double y, double z, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (struct dls_pose){{x, y, z}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}
static struct dls_pose turned_x(double x, double y, double z, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (struct dls_pose){{x, y, z}, {{1, 0, 0}, {0, c, s}, {0, -s, c}}};
}

static void assert_vec(dls_vec3 a, double x, double y, double z)
{
    assert_close(a.x, x, TOL);
    assert_close(a.y, y, TOL);
    assert_close(a.z, z, TOL);
}

static struct dls_meeting met[DLS_MEETINGS];

static int meet(int dim, struct dls_shape a, struct dls_pose at, struct dls_shape b,
                struct dls_pose bt, double reach)
{
    struct dls_placed first = {&a, at}, second = {&b, bt};
    return dls_detect_pair(&first, &second, dim, reach, met);
}

// The point with a feature nearest to (x, y, z); fails unless it is there with this gap.
static void assert_point(int count, dls_vec3 x, double gap)
{
    for (int k = 0; k < count; k++)
        if (dls_vec3_norm(dls_vec3_sub(met[k].point, x)) < 1e-9) {
            assert_close(met[k].gap, gap, TOL);
            return;
        }
    fail_msg("no point at (%g, %g, %g) among %d", x.x, x.y, x.z, count);
}

// --- the plane ------------------------------------------------------------------------

static void test_balls(void **state)
{
    (void)state;
    struct dls_shape big = dls_shape_ball(2), small = dls_shape_ball(1);
    assert_int_equal(meet(3, big, upright(0, 3, 4), small, upright(0, 0, 0), 2.5), 1);
    assert_close(met[0].gap, 2, TOL);
    assert_vec(met[0].n, 0, 0.6, 0.8);
    assert_vec(met[0].point, 0, 1.2, 1.6); // 1 + 2/2 from the second
    assert_int_equal(meet(3, big, upright(0, 3, 4), small, upright(0, 0, 0), 1.9), 0);
    // Concentric: some unit normal, the gap as deep as it can be, nothing undefined.
    assert_int_equal(meet(2, big, upright(1, 1, 0), small, upright(1, 1, 0), 0), 1);
    assert_close(met[0].gap, -3, TOL);
    assert_close(dls_vec3_norm(met[0].n), 1, TOL);
    // Positions that are lost meet nobody.
    assert_int_equal(meet(2, big, upright(NAN, 1, 0), small, upright(1, 1, 0), 0), 0);
}

static void test_ball_polygon(void **state)
{
    (void)state;
    struct dls_shape ball = dls_shape_ball(0.5),
                     box = dls_shape_box((dls_vec3){4, 2, 0});
    assert_int_equal(meet(2, ball, upright(1, 1.6, 0), box, upright(0, 0, 0), 0.2), 1);
    assert_close(met[0].gap, 0.1, TOL);
    assert_vec(met[0].n, 0, 1, 0);
    assert_vec(met[0].point, 1, 1.05, 0);
    // Before a corner: along the diagonal.
    assert_int_equal(meet(2, ball, upright(2.3, 1.4, 0), box, upright(0, 0, 0), 0), 1);
    assert_close(met[0].gap, 0, TOL);
    assert_vec(met[0].n, 0.6, 0.8, 0);
    // The centre inside: out by the nearest side.
    assert_int_equal(meet(2, ball, upright(1.9, 0.2, 0), box, upright(0, 0, 0), 0), 1);
    assert_close(met[0].gap, -0.6, TOL);
    assert_vec(met[0].n, 1, 0, 0);
    // The centre on a side, where a line to the nearest point has no direction.
    assert_int_equal(meet(2, ball, upright(0, 1, 0), box, upright(0, 0, 0), 0), 1);
    assert_close(met[0].gap, -0.5, TOL);
    assert_vec(met[0].n, 0, 1, 0);
}

static void test_polygons(void **state)
{
    (void)state;
    struct dls_shape box = dls_shape_box((dls_vec3){2, 1, 0});
    // A course of bricks: the common part of two sides, overlapping by 0.01.
    int count = meet(2, box, upright(0.5, 0.99, 0), box, upright(0, 0, 0), 0);
    assert_int_equal(count, 2);
    assert_point(count, (dls_vec3){-0.5, 0.495, 0}, -0.01);
    assert_point(count, (dls_vec3){1, 0.495, 0}, -0.01);
    assert_vec(met[0].n, 0, 1, 0);
    // On a corner, and both corners within a longer reach, each with its own gap.
    double lean = 0.1, h = 0.5 * cos(lean) + sin(lean);
    count = meet(2, box, turned_z(0, 0.5 + h, 0, lean), box, upright(0, 0, 0), 1e-9);
    assert_int_equal(count, 1);
    assert_close(met[0].gap, 0, TOL);
    assert_vec(met[0].point, 0.5 * sin(lean) - cos(lean), 0.5, 0);
    // Corners side by side at the same height touch along the whole side.
    count = meet(2, box, upright(2, 0, 0), box, upright(0, 0, 0), 0);
    assert_int_equal(count, 2);
    assert_point(count, (dls_vec3){1, -0.5, 0}, 0);
    assert_point(count, (dls_vec3){1, 0.5, 0}, 0);
    // Apart over the corner: the distance of the corners, not of their sides.
    count = meet(2, box, upright(2.3, 1.4, 0), box, upright(0, 0, 0), 1);
    assert_int_equal(count, 1);
    assert_close(met[0].gap, 0.5, TOL);
    assert_vec(met[0].n, 0.6, 0.8, 0);
    assert_int_equal(meet(2, box, upright(2.3, 1.4, 0), box, upright(0, 0, 0), 0.45),
                     0);
}

// --- obstacles ------------------------------------------------------------------------

static void shake(double t, const void *data, struct dls_drive *d)
{
    double amplitude = *(const double *)data;
    d->to.at = (dls_vec3){0, amplitude * sin(t), 0};
    d->velocity = (dls_vec3){0, amplitude * cos(t), 0};
}

static int meet_obstacle(int dim, struct dls_shape s, struct dls_pose pose,
                         struct dls_obstacle o, double t, double reach)
{
    struct dls_placed body = {&s, pose};
    struct dls_drive drive = dls_drive_at(o.motion, o.data, t);
    return dls_detect_obstacle(&(struct dls_facing){&body, &o, &drive}, dim, reach,
                               met);
}

static void test_moving_obstacles(void **state)
{
    (void)state;
    double amplitude = 0.25, t = 2, up = 0.25 * sin(2.0);
    struct dls_obstacle plane = {.n = {0, 1, 0}, .motion = shake, .data = &amplitude};
    struct dls_obstacle wall = plane, block = plane;
    wall.kind = DLS_OBSTACLE_WALL;
    wall.point = (dls_vec3){-2, 0, 0};
    wall.end = (dls_vec3){2, 0, 0};
    block.kind = DLS_OBSTACLE_SHAPE;
    block.shape = dls_shape_box((dls_vec3){4, 1, 0});
    block.pose = upright(0, -0.5, 0);
    struct dls_obstacle all[] = {plane, wall, block};
    struct dls_shape ball = dls_shape_ball(1), box = dls_shape_box((dls_vec3){2, 2, 0});
    for (int k = 0; k < 3; k++) {
        struct dls_pose pose = upright(0.3, 1.5, 0);
        assert_int_equal(meet_obstacle(2, ball, pose, all[k], t, 1), 1);
        assert_close(met[0].gap, 0.5 - up, TOL);
        assert_vec(met[0].n, 0, 1, 0);
        assert_vec(met[0].surface, 0, 0.25 * cos(2.0), 0);
        assert_vec(met[0].point, 0.3, 0.5, 0); // on the ball
        assert_int_equal(meet_obstacle(2, box, pose, all[k], t, 1), 2);
        assert_close(met[0].gap, 0.5 - up, TOL);
        assert_close(met[1].gap, 0.5 - up, TOL);
    }
}

static void test_wall(void **state)
{
    (void)state;
    struct dls_obstacle wall = {
        .kind = DLS_OBSTACLE_WALL, .point = {0, 0, 0}, .end = {0, 2, 0}};
    struct dls_shape ball = dls_shape_ball(1), box = dls_shape_box((dls_vec3){2, 1, 0});
    for (int side = -1; side <= 1; side += 2) { // the same from both sides
        struct dls_pose pose = upright(side * 0.75, 1, 0);
        assert_int_equal(meet_obstacle(2, ball, pose, wall, 0, 0), 1);
        assert_close(met[0].gap, -0.25, TOL);
        assert_vec(met[0].n, side, 0, 0);
        assert_int_equal(meet_obstacle(2, box, pose, wall, 0, 0), 2);
        assert_close(met[0].gap, -0.25, TOL);
        assert_vec(met[0].n, side, 0, 0);
    }
    // Beyond its end, and in line with it.
    assert_int_equal(meet_obstacle(2, ball, upright(0, 2.5, 0), wall, 0, 0), 1);
    assert_close(met[0].gap, -0.5, TOL);
    assert_vec(met[0].n, 0, 1, 0);
}

static void test_container(void **state)
{
    (void)state;
    struct dls_obstacle drum = {
        .kind = DLS_OBSTACLE_CONTAINER, .n = {0, 0, 1}, .radius = 3};
    struct dls_shape ball = dls_shape_ball(0.5);
    assert_int_equal(meet_obstacle(3, ball, upright(1.2, 1.6, 7), drum, 0, 1), 1);
    assert_close(met[0].gap, 0.5, TOL); // 3 - 0.5 - 2
    assert_vec(met[0].n, -0.6, -0.8, 0);
    assert_vec(met[0].point, 1.5, 2, 7);
    assert_int_equal(meet_obstacle(3, ball, upright(0, 0, 0), drum, 0, 9), 0);
}

// --- space ----------------------------------------------------------------------------

static void test_boxes(void **state)
{
    (void)state;
    struct dls_shape cube = dls_shape_box((dls_vec3){1, 1, 1});
    // Shifted on top of each other: the common rectangle.
    int count = meet(3, cube, upright(0.25, 0.5, 0.99), cube, upright(0, 0, 0), 0);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; k++)
        assert_point(count, (dls_vec3){k & 1 ? 0.5 : -0.25, k & 2 ? 0.5 : 0, 0.495},
                     -0.01);
    // Parallel faces are the same seen from the other side.
    count = meet(3, cube, upright(0, 0, 0), cube, upright(0.25, 0.5, 0.99), 0);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; k++)
        assert_point(count, (dls_vec3){k & 1 ? 0.5 : -0.25, k & 2 ? 0.5 : 0, 0.495},
                     -0.01);
    assert_vec(met[0].n, 0, 0, -1);
    // Turned by 45 degrees: a regular octagon.
    count = meet(3, cube, turned_z(0, 0, 1, PI / 4), cube, upright(0, 0, 0), 0);
    assert_int_equal(count, 8);
    for (int k = 0; k < 8; k++)
        assert_close(hypot(met[k].point.x, met[k].point.y), 0.5 / cos(PI / 8), TOL);
    // An edge on an edge, crosswise: n along z, at the crossing.
    struct dls_pose low = turned_x(0, 0, 0, PI / 4), high = low;
    double half = sqrt(0.5);
    high = (struct dls_pose){{0.1, 0.2, 2 * half - 0.03},
                             {{half, 0, half}, {0, 1, 0}, {-half, 0, half}}};
    count = meet(3, cube, high, cube, low, 0);
    assert_int_equal(count, 1);
    assert_close(met[0].gap, -0.03, TOL);
    assert_vec(met[0].n, 0, 0, 1);
    assert_vec(met[0].point, 0.1, 0, half - 0.015);
    // Corner before corner, and edge beside parallel edge.
    count = meet(3, cube, upright(1.2, 1.3, 1.6), cube, upright(0, 0, 0), 1);
    assert_int_equal(count, 1);
    assert_close(met[0].gap, 0.7, TOL); // |(0.2, 0.3, 0.6)|
    assert_vec(met[0].n, 2. / 7, 3. / 7, 6. / 7);
    count = meet(3, cube, upright(1.3, 0, 1.4), cube, upright(0, 0, 0), 1);
    assert_int_equal(count, 1);
    assert_close(met[0].gap, 0.5, TOL);
    assert_vec(met[0].n, 0.6, 0, 0.8);
}

static void test_ball_in_space(void **state)
{
    (void)state;
    struct dls_shape ball = dls_shape_ball(0.5),
                     box = dls_shape_box((dls_vec3){2, 2, 2});
    struct dls_shape drum = dls_shape_cylinder(1, 2);
    struct dls_pose at[] = {upright(0.2, 0.1, 1.4), upright(1.3, 0.1, 1.4),
                            upright(0.1, 0, 0.8)};
    double gap[] = {-0.1, 0, -0.7};
    dls_vec3 n[] = {{0, 0, 1}, {0.6, 0, 0.8}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(meet(3, ball, at[k], box, upright(0, 0, 0), 0.1), 1);
        assert_close(met[0].gap, gap[k], TOL);
        assert_vec(met[0].n, n[k].x, n[k].y, n[k].z);
    }
    at[1].at.y = 0; // the rim lies across the corner of the box there
    for (int k = 0; k < 3; k++) {
        assert_int_equal(meet(3, ball, at[k], drum, upright(0, 0, 0), 0.1), 1);
        assert_close(met[0].gap, gap[k], TOL);
        assert_vec(met[0].n, n[k].x, n[k].y, n[k].z);
    }
    assert_int_equal(meet(3, ball, upright(0, -1.6, 0.3), drum, upright(0, 0, 0), 1),
                     1);
    assert_close(met[0].gap, 0.1, TOL);
    assert_vec(met[0].n, 0, -1, 0);
}

static void test_cylinder_on_plane(void **state)
{
    (void)state;
    struct dls_shape drum = dls_shape_cylinder(0.5, 2);
    struct dls_obstacle ground = {.n = {0, 0, 1}};
    int count = meet_obstacle(3, drum, upright(0, 0, 1), ground, 0, 0);
    assert_int_equal(count, 8); // flat: the octagon
    for (int k = 0; k < 8; k++) assert_close(met[k].gap, 0, TOL);
    // Tilted: the lowest point of the rim, beside points of the octagon that are higher.
    double tilt = 0.3, low = 1.5 - cos(tilt) - 0.5 * sin(tilt), least = INFINITY;
    count = meet_obstacle(3, drum, turned_x(0, 0, 1.5, tilt), ground, 0, 1);
    for (int k = 0; k < count; k++) least = fmin(least, met[k].gap);
    assert_close(least, low, TOL);
    // On its side: the ends of a line.
    count = meet_obstacle(3, drum, turned_x(0, 0, 0.5, PI / 2), ground, 0, 1e-3);
    assert_int_equal(count, 2);
    assert_point(count, (dls_vec3){0, 1, 0}, 0);
    assert_point(count, (dls_vec3){0, -1, 0}, 0);
}

static void test_cylinders(void **state)
{
    (void)state;
    struct dls_shape drum = dls_shape_cylinder(0.5, 2);
    struct dls_shape slab = dls_shape_box((dls_vec3){4, 4, 1});
    // A column; the second block turned in its place touches inside both octagons.
    int count = meet(3, drum, upright(0, 0, 1.99), drum, upright(0, 0, 0), 0);
    assert_int_equal(count, 8);
    for (int k = 0; k < 8; k++) {
        assert_close(met[k].gap, -0.01, TOL);
        assert_vec(met[k].n, 0, 0, 1);
        assert_close(met[k].point.z, 0.995, TOL);
    }
    // Standing on a slab, and tilted over it.
    count = meet(3, drum, upright(0, 0, 1.5), slab, upright(0, 0, 0), 0);
    assert_int_equal(count, 8);
    double tilt = 0.2, height = 0.5 + cos(tilt) + 0.5 * sin(tilt);
    count = meet(3, drum, turned_x(0, 0, height, tilt), slab, upright(0, 0, 0), 1e-6);
    assert_int_equal(count, 1);
    assert_close(met[0].gap, 0, TOL);
    assert_vec(met[0].n, 0, 0, 1);
    // Lying on it: a line. Lying side by side: the common part of two lines.
    count = meet(3, drum, turned_x(0, 0, 1, PI / 2), slab, upright(0, 0, 0), 1e-6);
    assert_int_equal(count, 2);
    assert_point(count, (dls_vec3){0, 1, 0.5}, 0);
    count = meet(3, drum, upright(1.1, 0, 0.5), drum, upright(0, 0, 0), 1);
    assert_int_equal(count, 2);
    assert_point(count, (dls_vec3){0.55, 0, -0.5}, 0.1);
    assert_point(count, (dls_vec3){0.55, 0, 1}, 0.1);
    // Crosswise, one lying over the other: a point.
    struct dls_pose along_x = {{0.2, 0, 1.05}, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
    count = meet(3, drum, along_x, drum, turned_x(0, 0.3, 0, PI / 2), 1);
    assert_int_equal(count, 1);
    assert_close(met[0].gap, 0.05, TOL);
    assert_vec(met[0].n, 0, 0, 1);
    assert_vec(met[0].point, 0, 0, 0.525);
    // Rim before rim, where only libccd knows the normal: 1e-12 in the gap, whose first
    // variation vanishes, and 1e-6 in n.
    count = meet(3, drum, upright(1.3, 0, 2.4), drum, upright(0, 0, 0), 1);
    assert_int_equal(count, 1);
    assert_close(met[0].gap, 0.5, 1e-12);
    assert_close(met[0].n.x, 0.6, 1e-6);
    assert_close(met[0].n.z, 0.8, 1e-6);
}

// --- hints ----------------------------------------------------------------------------

static int look(const struct dls_placed pair[2], unsigned char hint[2],
                struct dls_meeting *meeting)
{
    struct dls_solid solid[2];
    dls_vec3 room[2][DLS_SOLID_ROOM];
    for (int i = 0; i < 2; i++)
        dls_solid_place(&solid[i], pair[i].shape, &pair[i].pose, room[i]);
    return dls_detect_solids(&solid[0], &solid[1], 0.05, hint, meeting);
}

static void assert_same_meeting(const struct dls_meeting *a,
                                const struct dls_meeting *b)
{
    assert_memory_equal(&a->point, &b->point, sizeof a->point);
    assert_memory_equal(&a->n, &b->n, sizeof a->n);
    assert_true(a->gap == b->gap);
    assert_int_equal(a->feature, b->feature);
}

// Whatever the hint, and whether or not the inner radius of a polygon is known.
static void same_with_all_hints(const struct dls_placed pair[2], int *found)
{
    struct dls_meeting plain[DLS_MEETINGS];
    struct dls_shape blind[2] = {*pair[0].shape, *pair[1].shape};
    blind[0].inner = blind[1].inner = 0;
    struct dls_placed known[2] = {{&blind[0], pair[0].pose}, {&blind[1], pair[1].pose}};
    int count = look(known, (unsigned char[2]){0, 0}, plain);
    for (int k = 0; k < 100; k++) {
        unsigned char hint[2] = {(unsigned char)(k / 10), (unsigned char)(k % 10)};
        for (int again = 0; again < 2; again++) { // with what the first look left
            assert_int_equal(look(pair, hint, met), count);
            for (int i = 0; i < count; i++) assert_same_meeting(&met[i], &plain[i]);
        }
    }
    *found += count > 0;
}

static struct dls_pose any_pose(struct dls_rng *g, int dim)
{
    struct dls_pose p =
        turned_z(dls_rng_range(g, -1, 1), dls_rng_range(g, -1, 1),
                 dim == 3 ? dls_rng_range(g, -1, 1) : 0, dls_rng_range(g, 0, 2 * PI));
    if (dim == 2) return p;
    struct dls_pose tilt = turned_x(0, 0, 0, dls_rng_range(g, 0, PI));
    for (int i = 0; i < 3; i++) p.axis[i] = dls_pose_place(&tilt, p.axis[i]);
    return p;
}

static void test_hints(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(8);
    const dls_vec3 corner[] = {
        {1, -0.2, 0}, {0.6, 0.7, 0}, {-0.3, 0.5, 0}, {-0.8, -0.4, 0}};
    struct dls_shape kite, shape[4];
    struct dls_error err;
    assert_int_equal(dls_shape_polygon(&kite, 4, corner, &err), DLS_OK);
    int found = 0, pairs = 800;
    shape[0] = kite;
    shape[1] = dls_shape_box((dls_vec3){1.2, 0.5, 0});
    shape[2] = dls_shape_box((dls_vec3){1, 0.8, 0.6});
    shape[3] = dls_shape_box((dls_vec3){1.4, 0.3, 0.5});
    for (int k = 0; k < pairs; k++) {
        int dim = 2 + k % 2, first = dim == 2 ? 0 : 2;
        struct dls_placed pair[2];
        for (int i = 0; i < 2; i++)
            pair[i] = (struct dls_placed){&shape[first + (k >> (1 + i)) % 2],
                                          any_pose(&g, dim)};
        same_with_all_hints(pair, &found);
    }
    assert_true(found > pairs / 5 && found < pairs * 4 / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_ball_polygon),
        cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_moving_obstacles),
        cmocka_unit_test(test_wall),
        cmocka_unit_test(test_container),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_ball_in_space),
        cmocka_unit_test(test_cylinder_on_plane),
        cmocka_unit_test(test_cylinders),
        cmocka_unit_test(test_hints),
    };
    return cmocka_run_group_tests_name("detect", tests, NULL, NULL);
}
