// SPDX-License-Identifier: Apache-2.0
// Heaps made by hand: surface, slope and layers in closed form; pressure by annuli and
// slices of forces that are known.
#include "problems/observe/ground.h"
#include "problems/observe/heap.h"
#include "problems/observe/pressure.h"

#include "base/rng.h"

#include <math.h>

#include "tests/support/support.h"

enum { MOST = 60000 };

static struct dls_shape ball;

static void put(struct dls_observed *o, dls_vec3 at, int number)
{
    o->grain[o->grains++] = (struct dls_grain){
        .number = number,
        .pose.at = at,
        .shape = &ball,
        .mass = 1,
        .applied = {0, o->dim == 2 ? -10 : 0, o->dim == 3 ? -10 : 0},
    };
}

static struct dls_observed nobody(int dim, struct dls_arena *a)
{
    return (struct dls_observed){
        .dim = dim,
        .h = 1,
        .grain = DLS_NEW(a, struct dls_grain, MOST),
        .force = DLS_NEW(a, struct dls_force, MOST),
    };
}

// One ball of radius 1 with its centre at height 3: a probe of radius 0.5 that comes down
// beside the centre by x stops with its own centre at 3 + sqrt(1.5^2 - x^2).
static void test_surface(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_observed o = nobody(dim, &a);
        ball = dls_shape_ball(1);
        put(&o, (dls_vec3){0, dim == 2 ? 3 : 0, dim == 3 ? 3 : 0}, 0);
        for (double x = -2; x <= 2; x += 0.25) {
            double far = 2.25 - x * x;
            double expected = far > 0 ? 3 + sqrt(far) - 0.5 : -7;
            assert_close(dls_surface_height(&o, (dls_vec3){x, 0, 0}, 0.5, -7), expected,
                         1e-15);
        }
    }
    dls_arena_free(&a);
}

// Small balls densely on cones (triangles) z = H_l - 0.5 r, of which one lies over the
// other: layer l is deposited after layer l - 1.
static struct dls_observed cone(int dim, int layers, double step, struct dls_arena *a)
{
    struct dls_observed o = nobody(dim, a);
    int number = 0;
    ball = dls_shape_ball(step);
    for (int l = 0; l < layers; l++) {
        double H = 10 - 2 * (layers - 1 - l);
        for (double r = 0; r < 2 * H; r += step) {
            int around = dim == 2 ? 2 : 1 + (int)(2 * acos(-1) * r / step);
            for (int k = 0; k < around; k++) {
                double turn = 2 * acos(-1) * k / around, z = H - 0.5 * r;
                put(&o,
                    (dls_vec3){r * cos(turn), dim == 2 ? z : r * sin(turn),
                               dim == 2 ? 0 : z},
                    number++);
            }
        }
    }
    return o;
}

static void test_shape(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double slope = atan(0.5) * 180 / acos(-1), error;
    for (int dim = 2; dim <= 3; dim++) {
        double step = dim == 2 ? 0.02 : 0.25;
        struct dls_observed o = cone(dim, 1, step, &a);
        struct dls_heap heap = dls_heap_shape(&o, 1, 0);
        // The surface lies over the centres by about the radius, across the slope; its
        // mean over the middle is 10 - 0.5 (mean r = 1/2 or 2/3).
        double over = step / cos(atan(0.5));
        assert_close(heap.angle, slope, 0.3);
        assert_close(heap.height, 10 - (dim == 2 ? 0.25 : 1 / 3.0) + over, 0.7 * step);
        assert_close(heap.base, 20 + 2 * over, 1.5 * step);
        dls_arena_free(&a);
        o = cone(dim, 3, step, &a);
        for (int l = 0; l < 3; l++) { // (6, 7), (6, 5), (6, 3)
            struct dls_layer_at at = {6, 3 + 2 * l, 0.4, 1.9, o.grains / 6};
            double angle = dls_layer_angle(&o, &at, &error);
            assert_close(angle, -slope, 0.5);
            assert_true(error < 0.5);
        }
        struct dls_layer_at far = {60, 3, 0.4, 1.9, 10};
        assert_true(isnan(dls_layer_angle(&o, &far, &error)));
        dls_arena_free(&a);
    }
}

// Grains on the ground in a disk, each pushed up by its own weight and a load that is
// known: p = 10 a grain times grains per area. The rest of the annuli carries nothing.
static void test_annuli(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(8);
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_observed o = nobody(dim, &a);
        double p[8], sum = 0, weight = 0;
        ball = dls_shape_ball(0.5);
        struct dls_bins bins = {.width = 3, .count = 8};
        for (int k = 0; k < 40000; k++) {
            double x = dls_rng_range(&g, -9, 9), y = dls_rng_range(&g, -9, 9);
            if (dim == 3 && hypot(x, y) > 9) continue;
            dls_vec3 at = {x, dim == 3 ? y : 0, 0};
            put(&o, at, k);
            o.force[o.forces++] = (struct dls_force){
                .grain = o.grains - 1,
                .other = -1,
                .point = at,
                .f = {1, dim == 2 ? 10 : 0, dim == 3 ? 10 : 0},
            };
            weight += 10;
        }
        double density = 10.0 * o.grains / (dim == 2 ? 18 : acos(-1) * 81);
        double beyond = dls_ground_annuli(&o, 8, dls_ground_annulus(&o), p);
        assert_close(beyond, 0, 0);
        for (int k = 0; k < 8; k++) {
            sum += p[k] * dls_bin_area(&bins, dim, k) * (dim == 2 ? 2 : 1);
            // A binomial count of some 4400 or more: 1.5 %, and three times that.
            assert_close(p[k], k < 3 ? density : 0, 0.045 * density);
        }
        assert_close(sum, weight, 1e-9 * weight);
        beyond = dls_ground_annuli(&o, 2, 3, p); // the third annulus is left out
        for (int k = 0; k < 2; k++)
            sum -= p[k] * dls_bin_area(&bins, dim, k) * (dim == 2 ? 2 : 1);
        assert_close(beyond, sum, 1e-9 * weight);
        dls_arena_free(&a);
    }
}

// Three in a row share a load: the outer ones give the middle one a quarter of its
// weight each.
static void test_slice(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_observed o = nobody(2, &a);
    ball = dls_shape_ball(0.5);
    for (int k = 0; k < 3; k++) put(&o, (dls_vec3){k - 1, 0.5, 0}, k);
    for (int k = 0; k < 2; k++)
        o.force[o.forces++] = (struct dls_force){
            .grain = 1, .other = 2 * k, .obstacle = -1, .f = {k ? -3 : 3, 2.5, 0}};
    for (int k = 0; k < 3; k++)
        o.force[o.forces++] =
            (struct dls_force){.grain = k, .other = -1, .f = {0, k == 1 ? 5 : 12.5, 0}};
    struct dls_slice s = dls_slice_of(&o, 0.5);
    assert_close(s.lift, 5, 1e-15);
    assert_close(s.reaction, 5, 1e-15);
    assert_close(s.weight, 10, 1e-15);
    assert_close(s.momentum, 0, 0);
    assert_close(dls_ground_reach(&o), 1, 0);
    s = dls_slice_of(&o, 2); // all: nobody is left to carry
    assert_close(s.lift, 0, 0);
    assert_close(s.reaction, s.weight, 1e-14);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surface),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_annuli),
        cmocka_unit_test(test_slice),
    };
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
