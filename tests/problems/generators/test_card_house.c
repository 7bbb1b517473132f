// SPDX-License-Identifier: Apache-2.0
// The house of cards: a tent at rest in closed form, the inertia of leaning cards, and how
// much friction a tent needs. Tolerance 1e-12: numbers of size 1 that come out of a few
// dozen operations.
#include "solvers/reference/equilibrium.h"

#include <math.h>
#include <stdio.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

static const double lean = 25 * 3.14159265358979323846 / 180;

// The thrust at the top of a tent over the weight of a card, from moments about its foot.
static double thrust(void) { return 0.5 * (tan(lean) - 0.003 / 0.088); }

static void test_tent_at_rest(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("card-house", "levels=1", &a);
    assert_int_equal(p.bodies, 2);
    assert_int_equal(p.contacts, 6);
    double weight = p.M->x[0] * 9.81 * 0.01, r[18] = {0};
    for (int k = 0; k < 4;
         k++) { // feet, left card first; the ground's tangents are x, y
        r[3 * k] = weight / 2;
        r[3 * k + 1] = (k < 2 ? 1 : -1) * thrust() * weight / 2;
    }
    r[12] = r[15] = thrust() * weight / 2;
    const double *v = generated_v(&p, r, &a);
    for (int i = 0; i < p.n; i++) assert_close(v[i], 0, 1e-12);
    dls_arena_free(&a);
}

// A foot pushed along y turns its card about both axes of the plane y = 0:
// W_yy = 1/m + (l x y) . I^-1 (l x y), I the tensor of the leaning card in space.
static void test_leaning_inertia(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("card-house", "levels=1", &a);
    double m = p.M->x[0], t = 0.003, b = 0.063, length = 0.088, c = cos(lean),
           s = sin(lean);
    double across = m / 12 * (b * b + length * length),
           along = m / 12 * (t * t + b * b);
    // The left card: its short edge points along (c, 0, -s), its long one along (s, 0, c).
    double xx = c * c * across + s * s * along, zz = s * s * across + c * c * along;
    double xz = s * c * (along - across), det = xx * zz - xz * xz;
    double lx = -length * s + 0.5 * (length * s + t * c);
    double lz = -0.5 * (length * c + t * s);
    double x = -lz, z = lx; // l x y
    double turn = (x * x * zz - 2 * x * z * xz + z * z * xx) / det;
    assert_close(generated_W(&p, 2, 2) * m, 1 + turn * m, 1e-12);
    dls_arena_free(&a);
}

static void test_least_friction(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        struct dls_arena a = {0};
        char set[64];
        snprintf(set, sizeof set, "levels=1 mu=%.17g", thrust() * (1 + 0.001 * side));
        struct dls_problem p = generated("card-house", set, &a);
        struct dls_equilibrium e;
        struct dls_work work = {.deadline = INFINITY};
        struct dls_error err;
        assert_int_equal(dls_equilibrium_check(&e, &p, &work, &a, &err), DLS_OK);
        assert_int_equal(e.verdict,
                         side > 0 ? DLS_EQUILIBRIUM_HOLDS : DLS_EQUILIBRIUM_FALLS);
        dls_arena_free(&a);
    }
}

// Levels, tents and floors: every body but the topmost cards carries something.
static void test_counts(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("card-house", "levels=4", &a);
    assert_int_equal(p.bodies, 2 * 10 + 6);
    assert_int_equal(p.contacts, 6 * 10 + 4 * 6);
    int feet = 0;
    for (int k = 0; k < p.contacts; k++) feet += p.body_pair[2 * k + 1] < 0;
    assert_int_equal(feet, 2 * 2 * 4);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tent_at_rest),
        cmocka_unit_test(test_leaning_inertia),
        cmocka_unit_test(test_least_friction),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
