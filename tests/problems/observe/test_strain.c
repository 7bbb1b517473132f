// SPDX-License-Identifier: Apache-2.0
// Strains of known displacements, bands among known points, and Clausius and Duhem on
// contacts made by hand.
#include "problems/observe/clausius.h"
#include "problems/observe/strain.h"

#include "base/rng.h"

#include <math.h>

#include "tests/support/support.h"

enum { SIDE = 12, COUNT = SIDE * SIDE };
static const double degree = 3.14159265358979323846 / 180;

static void scatter(dls_vec3 *at, struct dls_rng *g)
{
    for (int k = 0; k < COUNT; k++)
        at[k] = (dls_vec3){k % SIDE + dls_rng_range(g, -0.2, 0.2),
                           k / SIDE + dls_rng_range(g, -0.2, 0.2), 0};
}

static void affine_motion(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(3);
    dls_vec3 from[COUNT], to[COUNT];
    const double G[2][2] = {{-0.03, 0.02}, {0.01, 0.05}};
    double shear[COUNT];
    scatter(from, &g);
    for (int k = 0; k < COUNT; k++)
        to[k] = (dls_vec3){7 + from[k].x + G[0][0] * from[k].x + G[0][1] * from[k].y,
                           from[k].y + G[1][0] * from[k].x + G[1][1] * from[k].y, 0};
    struct dls_displaced d = {COUNT, from, to};
    struct dls_affine fit;
    assert_true(dls_affine_fit(&d, &fit));
    for (int k = 0; k < 4; k++)
        assert_close(fit.gradient[k / 2][k % 2], G[k / 2][k % 2], 1e-13);
    dls_vec3 u = dls_affine_at(&fit, from[17]);
    assert_close(u.x, to[17].x - from[17].x, 1e-13);
    assert_close(u.y, to[17].y - from[17].y, 1e-13);
    dls_local_shear(&d, 1.6, shear);
    for (int k = 0; k < COUNT; k++)
        assert_close(shear[k], hypot(0.5 * (G[0][0] - G[1][1]), 0.5 * 0.03), 1e-12);
    for (int k = 0; k < COUNT; k++) from[k].y = to[k].y = 0; // a line has no gradient
    assert_false(dls_affine_fit(&d, &fit));
    dls_local_shear(&d, 1.6, shear);
    assert_true(isnan(shear[0]));
}

// Points along a line, others at random: the angle comes out within its error.
static void band_among_others(void **state)
{
    (void)state;
    const double angles[] = {0, 50, -50, 88, 90, -31};
    for (int k = 0; k < 6; k++) {
        struct dls_rng g = dls_rng_seed((uint64_t)k);
        dls_vec3 at[60];
        double way[] = {cos(angles[k] * degree), sin(angles[k] * degree)};
        for (int i = 0; i < 60; i++) {
            double along = dls_rng_range(&g, -10, 10), off = dls_rng_range(&g, -1, 1);
            at[i] = (dls_vec3){3 + along * way[0] - off * way[1],
                               2 + along * way[1] + off * way[0], 0};
            if (i % 3 == 0)
                at[i] =
                    (dls_vec3){dls_rng_range(&g, -9, 9), dls_rng_range(&g, -9, 9), 0};
        }
        struct dls_band b;
        assert_true(dls_band_fit(60, at, 2, &b));
        double off = fabs(b.angle - angles[k]);
        assert_true(fmin(off, 180 - off) < b.error);
        assert_close(b.error, atan(1 / b.length) / degree, 1e-12);
        assert_true(b.error < 4 && b.count >= 36);
    }
    assert_false(dls_band_fit(2, NULL, 1, &(struct dls_band){0}));
}

static void only_approached_contacts_count(void **state)
{
    (void)state;
    struct dls_force force[] = {
        {.f = {3, 4, 0}, .normal = 5, .work = -2, .approach = -1},
        {.f = {0, 1, 0}, .normal = -1, .work = 7, .approach = 1}, // was separating
        {.f = {0, 2, 0}, .normal = 2, .work = 0.5, .approach = 0},
        {.f = {0, 0, 0}, .normal = 0, .work = 0, .approach = -1},
    };
    struct dls_observed o = {
        .dim = 2, .h = 0.1, .free_speed = 50, .forces = 4, .force = force};
    struct dls_clausius c = dls_clausius_of(&o);
    assert_int_equal(c.approached, 3);
    assert_int_equal(c.pulls, 1);
    assert_int_equal(c.at, 2);
    assert_close(c.worst, 0.5 / (0.2 * 50), 1e-15);
    assert_close(c.sum, -1.5, 1e-15);
    o.forces = 1;
    assert_close(dls_clausius_of(&o).worst, -2 / (0.5 * 50), 1e-15);
    o.forces = 0;
    assert_int_equal(dls_clausius_of(&o).at, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_motion),
        cmocka_unit_test(band_among_others),
        cmocka_unit_test(only_approached_contacts_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
