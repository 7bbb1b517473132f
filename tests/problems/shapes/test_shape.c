// SPDX-License-Identifier: Apache-2.0
// Shapes: what is refused, how corners make a polyhedron, mass and inertia.
#include "problems/mechanics/shape_mass.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

#define TOL 1e-12 // lengths of order ten, a few operations
static const double PI = 3.14159265358979323846;

static void assert_vec(dls_vec3 a, double x, double y, double z)
{
    assert_close(a.x, x, TOL);
    assert_close(a.y, y, TOL);
    assert_close(a.z, z, TOL);
}

static void test_bad_corners(void **state)
{
    (void)state;
    struct dls_shape s;
    struct dls_error err = {""};
    dls_vec3 dent[] = {{1, 0, 0}, {0.1, 0.1, 0}, {0, 1, 0}, {-1, -1, 0}};
    assert_int_equal(dls_shape_polygon(&s, 4, dent, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, "corner 1"));
    dls_vec3 star[5], clockwise[3];
    for (int k = 0; k < 5; k++)
        star[k] = (dls_vec3){cos(0.8 * PI * k), sin(0.8 * PI * k), 0};
    assert_int_equal(dls_shape_polygon(&s, 5, star, &err), DLS_EINVAL);
    for (int k = 0; k < 3; k++)
        clockwise[k] = (dls_vec3){cos(-2 * PI * k / 3), sin(-2 * PI * k / 3), 0};
    assert_int_equal(dls_shape_polygon(&s, 3, clockwise, &err), DLS_EINVAL);
    assert_int_equal(dls_shape_polygon(&s, 2, star, &err), DLS_EINVAL);
    struct dls_arena a = {0};
    dls_vec3 flat[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    assert_int_equal(dls_shape_hull(&s, 4, flat, &a, &err), DLS_EINVAL);
    dls_vec3 inside[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {0, 0, 0}};
    assert_int_equal(dls_shape_hull(&s, 5, inside, &a, &err), DLS_EINVAL);
    assert_int_equal(dls_shape_hull(&s, 4, inside, &a, &err), DLS_OK);
    assert_int_equal(s.hull->faces, 4);
    assert_int_equal(s.hull->edges, 6);
    dls_arena_free(&a);
}

// Every side of every face is the edge of two faces, and faces look outward.
static void assert_closed(const struct dls_shape *s)
{
    struct dls_solid solid;
    dls_vec3 room[DLS_SOLID_ROOM];
    struct dls_pose pose = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    dls_solid_place(&solid, s, &pose, room);
    int sides = 0;
    for (int f = 0; f < s->hull->faces; f++) {
        const struct dls_face *face = &s->hull->face[f];
        sides += face->count;
        dls_vec3 on = solid.x[face->corner[0]];
        for (int k = 0; k < s->corners; k++) {
            double height = dls_vec3_dot(solid.n[f], dls_vec3_sub(solid.x[k], on));
            bool there = memchr(face->corner, k, (size_t)face->count) != NULL;
            assert_true(there ? fabs(height) < TOL : height < -1e-3);
        }
        dls_vec3 round = {0}; // counterclockwise about the normal
        for (int k = 0; k < face->count; k++)
            round = dls_vec3_add(
                round, dls_vec3_cross(solid.x[face->corner[k]],
                                      solid.x[face->corner[(k + 1) % face->count]]));
        assert_true(dls_vec3_dot(round, solid.n[f]) > 0);
    }
    assert_int_equal(sides, 2 * s->hull->edges);
    for (int e = 0; e < s->hull->edges; e++)
        for (int k = 0; k < 4; k++) {
            const struct dls_edge *edge = &s->hull->edge[e];
            const struct dls_face *face = &s->hull->face[edge->face[k / 2]];
            assert_non_null(
                memchr(face->corner, edge->corner[k % 2], (size_t)face->count));
        }
}

static void test_polyhedra(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_shape box = dls_shape_box((dls_vec3){1, 2, 3}), s;
    assert_closed(&box);
    dls_vec3 corner[32];
    for (int k = 0; k < 8; k++) corner[k] = dls_shape_corner(&box, k);
    assert_int_equal(dls_shape_hull(&s, 8, corner, &a, NULL), DLS_OK);
    assert_int_equal(s.hull->faces, 6); // coplanar corners make one face
    assert_int_equal(s.hull->edges, 12);
    assert_closed(&s);
    for (int k = 0; k < 32; k++) // a prism of 16 sides: the limits of faces
        corner[k] = (dls_vec3){cos(k / 2 * PI / 8), sin(k / 2 * PI / 8), k % 2 - 0.5};
    assert_int_equal(dls_shape_hull(&s, 32, corner, &a, NULL), DLS_OK);
    assert_int_equal(s.hull->faces, 18);
    assert_int_equal(s.hull->edges, 48);
    assert_closed(&s);
    dls_arena_free(&a);
}

// A right triangle about its centre, a rectangle against the formula of boxes.
static void test_masses(void **state)
{
    (void)state;
    struct dls_shape s, box = dls_shape_box((dls_vec3){3, 1, 0});
    dls_vec3 corner[] = {{5, 7, 0}, {8, 7, 0}, {5, 13, 0}};
    assert_vec(dls_polygon_centre(3, corner), 6, 9, 0);
    assert_int_equal(dls_shape_polygon(&s, 3, corner, NULL), DLS_OK);
    struct dls_body b = dls_body_polygon(2, &s, (dls_vec3){1, 2, 0});
    assert_close(b.mass, 18, TOL);
    assert_close(b.inertia.z, 18 * (9.0 + 36) / 18, 1e-11); // m (a^2 + b^2) / 18
    struct dls_body by = dls_body_box(2, (dls_vec3){3, 1, 1}, (dls_vec3){0, 0, 0});
    b = dls_body_polygon(2, &box, (dls_vec3){0, 0, 0});
    assert_close(b.mass, by.mass, TOL);
    assert_close(b.inertia.z, by.inertia.z, TOL);
    struct dls_shape drum = dls_shape_cylinder(2, 3);
    b = dls_body_cylinder(1 / PI, &drum, (dls_vec3){0, 0, 0});
    assert_close(b.mass, 12, TOL);
    assert_close(b.inertia.z, 24, 1e-11);
    assert_close(b.inertia.x, 21, 1e-11); // 12 (12 + 9) / 12
    assert_close(b.inertia.y, 21, 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_corners),
        cmocka_unit_test(test_polyhedra),
        cmocka_unit_test(test_masses),
    };
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
