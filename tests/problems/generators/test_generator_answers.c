// SPDX-License-Identifier: Apache-2.0
// The closed forms of each generator and the answers that are known. Tolerance 1e-12:
// numbers of size 1 that come out of a few dozen operations; others are justified
// beside.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

// The impulses r leave all bodies at rest.
static void assert_rest(const struct dls_problem *p, const double *r,
                        struct dls_arena *a)
{
    const double *v = generated_v(p, r, a);
    for (int i = 0; i < p->n; i++) assert_close(v[i], 0, 1e-12);
}

static void test_stack(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("stack", "n=6 mass=0.5 step=0.25 gravity=8", &a);
    double r[12] = {0};
    assert_int_equal(p.contacts, 6);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            double expected = i == k ? (i ? 4 : 2) : abs(i - k) == 1 ? -2 : 0;
            assert_close(generated_W(&p, 2 * i, 2 * k), expected, 0);
            assert_close(generated_W(&p, 2 * i, 2 * k + 1), 0, 0);
        }
    for (int i = 0; i < 6; i++) r[2 * i] = (6 - i) * 0.5 * 8 * 0.25;
    assert_rest(&p, r, &a);
    dls_arena_free(&a);
}

static void test_heavy_on_light(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("heavy-on-light", "mass=0.5 ratio=1000", &a);
    double m = 0.5, M = 500, gh = 9.81 * 0.01, r[4] = {(m + M) * gh, 0, M * gh, 0};
    assert_close(generated_W(&p, 0, 0), 1 / m, 1e-12);
    assert_close(generated_W(&p, 0, 2), -1 / m, 1e-12);
    assert_close(generated_W(&p, 2, 2), 1 / m + 1 / M, 1e-12);
    assert_rest(&p, r, &a);
    dls_arena_free(&a);
}

// Newton's restitution creates energy: r = (1, -0.4), u^+ = (0.9, 0), Delta T = 0.05.
static void test_rod(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("rod", "", &a);
    double r[] = {1, -0.4}, before = 0, after = 0;
    assert_close(generated_W(&p, 0, 0), 2.5, 1e-12);
    assert_close(generated_W(&p, 0, 1), 1.5, 1e-12);
    assert_close(generated_W(&p, 1, 1), 2.5, 1e-12);
    assert_close(p.u_minus[0], -1, 1e-12);
    assert_close(p.u_minus[1], -0.5, 1e-12);
    const double *v = generated_v(&p, r, &a), *u = generated_u(&p, r, &a);
    assert_close(u[0] - 0.9 * p.u_minus[0], 0.9, 1e-12);
    assert_close(u[1], 0, 1e-12);
    for (int i = 0; i < 3; i++) {
        before += p.M->x[i] * p.v_minus[i] * p.v_minus[i] / 2;
        after += p.M->x[i] * v[i] * v[i] / 2;
    }
    assert_close(before, 0.203125, 1e-12); // u^-.W^-1 u^- / 2, the least there is
    assert_close(after - before, 0.05, 1e-12);
    // Painlevé: mu_P is least at tan(theta) = 2, where it is 4/3.
    p = generated("rod", "angle=63.43494882292201 u_n=0 u_t=1 gravity=9.81", &a);
    assert_close(generated_W(&p, 0, 0) / generated_W(&p, 0, 1), 4.0 / 3, 1e-12);
    dls_arena_free(&a);
}

static void test_cradle(void **state)
{
    (void)state;
    static const char *const settings[] = {"e_n=0", "e_n=0.5", "e_n=1"};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = generated("cradle", settings[k], &a);
        double e = k / 2.0, v[] = {(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3};
        double r[] = {1 - v[0], 0, v[2], 0};
        const double *is = generated_v(&p, r, &a), *u = generated_u(&p, r, &a);
        for (int i = 0; i < 3; i++) assert_close(is[3 * i], v[i], 1e-12);
        assert_close(u[0], 0, 1e-12);
        assert_close(u[2], 0, 1e-12);
        assert_true(p.mu[0] == 0 && p.mu[1] == 0);
        dls_arena_free(&a);
    }
}

static void test_four_leg_table(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("four-leg-table", "", &a);
    double quarter = 20 * 9.81 * 0.01 / 4, r[12] = {0};
    for (int t = -1; t <= 1; t++) {
        for (int k = 0; k < 4; k++) r[3 * k] = quarter * (1 + (k % 2 ? -t : t));
        assert_rest(&p, r, &a);
    }
    // All the load above one foot adds to that foot alone.
    p = generated("four-leg-table", "load=2 load_x=1 load_y=1", &a);
    for (int k = 0; k < 4; k++) r[3 * k] = quarter * (k == 2 ? 9 : 1);
    assert_rest(&p, r, &a);
    dls_arena_free(&a);
}

static void test_groove(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("groove", "angle=60 mu=0.4", &a);
    double s = sin(acos(-1) / 3), c = 0.5, weight = 9.81 * 0.01;
    for (int sign = -1; sign <= 1; sign += 2) { // friction helps up, or presses down
        double N = weight / (2 * (s + sign * 0.4 * c)), T = sign * 0.4 * N;
        // The left wall's tangent (n_y, -n_x) points down, the right wall's up.
        assert_rest(&p, (double[]){N, -T, N, T}, &a);
    }
    dls_arena_free(&a);
}

// At the harmonic limit each block balances on the edge below it.
static void test_overhang(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("overhang", "n=5 density=5", &a);
    double r[20] = {0};
    for (int k = 0; k < 5; k++) r[4 * k + 2] = (5 - k) * 9.81 * 0.01;
    assert_rest(&p, r, &a);
    // The edge is 0; the top block reaches (1 + 1/2 + ... + 1/5) / 2 beyond it.
    assert_close(p.position[3 * 8] + 1, (1 + 1 / 2. + 1 / 3. + 1 / 4. + 1 / 5.) / 2,
                 1e-12);
    dls_arena_free(&a);
}

static void test_conveyor(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("conveyor", "speed=0.5 lift=0.25 e_n=0.5 n=3", &a);
    int belt = 0;
    for (int k = 0; k < p.contacts; k++) {
        bool on_belt = p.w_ob[2 * k] != 0;
        belt += on_belt;
        assert_close(p.w_ob[2 * k], on_belt ? -0.25 : 0, 0);
        assert_close(p.w_ob[2 * k + 1], on_belt ? -0.5 : 0, 0);
        assert_true(!on_belt || p.body_pair[2 * k + 1] == -1);
        assert_close(p.w[2 * k], on_belt ? -0.375 : 0, 0); // (1 + e_n) w_ob at rest
    }
    assert_int_equal(belt, 6);
    assert_int_equal(p.contacts, 12);
    dls_arena_free(&a);
}

// Whole bricks above the same place carry what is above them: columns of the wall's
// weight, shared by the corners, keep it at rest; the total is the weight.
static void test_brick_walls(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_problem p = generated(dim == 2 ? "brick-wall-2d" : "brick-wall-3d",
                                         "courses=3 bricks=4 push=0 heads=yes", &a);
        int points = dim == 2 ? 2 : 4, beds = points * 4 * 5, dof = dim == 2 ? 3 : 6;
        assert_int_equal(p.bodies, 4 + 5 + 4);
        assert_int_equal(p.contacts, beds + points * (3 + 4 + 3));
        double *r = DLS_NEW(&a, double, p.m), half = p.M->x[0] * 9.81 * 0.01 / 2;
        for (int k = 0; k < beds; k++) {
            // Half a brick above each segment of half a length, in each course.
            int joint = k / points, above = joint < 4 ? 3 : joint < 12 ? 2 : 1;
            r[dim * k] = (joint < 4 ? 2 : 1) * above * half / points;
        }
        assert_rest(&p, r, &a);
        assert_close(p.M->x[dof * 4], p.M->x[0] / 2, 1e-12 * p.M->x[0]); // half brick
    }
    dls_arena_free(&a);
}

// The undisturbed packing is a face-centred cubic crystal, whose contacts are counted
// by hand; gaps keep to the limit in a disturbed one.
static void test_packing_contacts(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated(
        "sphere-packing", "across=6 layers=5 jitter=0 spread=0 near=0.01", &a);
    int A = 6, floor = A * A, flat = 2 * A * (A - 1) + 4 * A; // in a layer, with sides
    int odd = 2 * (A - 1) * (A - 2), between = 4 * (A - 1) * (A - 1);
    assert_int_equal(p.contacts, floor + 3 * flat + 2 * odd + 4 * between);
    assert_int_equal(p.bodies, 3 * A * A + 2 * (A - 1) * (A - 1));
    p = generated("sphere-packing", "near=0.05", &a);
    // Radii are 0.1 off at most, centres 0.15 along each axis.
    double R = 0.01, deepest = 2 * (0.1 + 0.15 * sqrt(3));
    int overlaps = 0, box = 0;
    for (int k = 0; k < p.contacts; k++) {
        assert_true(p.gap[k] <= 0.05 * R && p.gap[k] > -deepest * R);
        assert_true(p.body_pair[2 * k + 1] < p.body_pair[2 * k]);
        overlaps += p.gap[k] < 0;
        box += p.body_pair[2 * k + 1] == -1;
    }
    assert_true(overlaps > 0 && overlaps < p.contacts && box > 0);
    dls_arena_free(&a);
}

// The contacts of a wide limit that keep to a narrow one are the contacts of the narrow
// one: the two runs sort the same spheres into different cubes.
static void test_packing_misses_none(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("sphere-packing", "across=9 layers=9", &a);
    struct dls_problem wide =
        generated("sphere-packing", "across=9 layers=9 near=0.3", &a);
    int count = 0;
    double R = 0.01, sum = 0, expected = 0;
    for (int k = 0; k < wide.contacts; k++) {
        if (wide.gap[k] > 0.02 * R) continue;
        expected += wide.gap[k];
        count++;
    }
    for (int k = 0; k < p.contacts; k++) sum += p.gap[k];
    assert_int_equal(p.contacts, count);
    assert_close(sum, expected, 1e-12 * p.contacts); // the order may differ
    dls_arena_free(&a);
}

// Contacts per sphere and memory per contact stay bounded as the packing grows by 8.
static void test_packing_is_linear(void **state)
{
    (void)state;
    double per_contact[2], per_sphere[2];
    static const char *const settings[] = {"across=8 layers=8", "across=16 layers=16"};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = generated("sphere-packing", settings[k], &a);
        per_contact[k] = (double)a.peak / p.contacts;
        per_sphere[k] = (double)p.contacts / p.bodies;
        dls_arena_free(&a);
    }
    // The small packing has relatively more surface; linear means a ratio near 1, while
    // a quadratic count or table would show 8.
    assert_true(per_contact[1] < 1.1 * per_contact[0]);
    assert_true(per_sphere[1] < 1.3 * per_sphere[0]);
    assert_true(per_sphere[1] > 2 && per_sphere[1] < 6);
}

// Coulomb's law with strict complementarity at every contact, to `tol`; counts states.
static void assert_coulomb(const struct dls_problem *p, const double *r,
                           const double *u, double tol, int count[3])
{
    memset(count, 0, 3 * sizeof *count);
    for (int k = 0; k < p->contacts; k++) {
        const double *rk = r + k * p->d, *uk = u + k * p->d;
        double r_t = hypot(rk[1], p->d == 3 ? rk[2] : 0);
        double u_t = hypot(uk[1], p->d == 3 ? uk[2] : 0), limit = p->mu[k] * rk[0];
        bool open = rk[0] == 0, slip = !open && u_t > 0.05;
        count[open ? 0 : slip ? 2 : 1]++;
        if (open) assert_true(r_t == 0 && uk[0] > 0.05);
        if (!open) assert_close(uk[0], 0, tol);
        if (!open && !slip) assert_close(u_t, 0, tol);
        if (!open && !slip) assert_true(rk[0] > 0.4 && r_t < 0.95 * limit);
        for (int i = 1; slip && i < p->d; i++)
            assert_close(rk[i], -limit * uk[i] / u_t, tol);
    }
}

static void test_manufactured(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "d=2",
        "d=3",
        "d=2 rank=deficient",
        "d=3 rank=deficient",
        "d=3 decades=4",
        "d=3 e_n=0.5 e_t=0.25 mu=0.8",
        "contacts=1",
        "contacts=1 d=2 rank=deficient",
    };
    for (int k = 0; k < 8; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = generated("manufactured", settings[k], &a);
        int count[3];
        const double *u = generated_u(&p, p.solution_r, &a);
        // Momenta of size 10 divided by masses down to 1e-2: 1e-10 leaves room.
        assert_coulomb(&p, p.solution_r, u, 1e-10, count);
        if (p.contacts == 100) {
            assert_in_range(count[0], 28, 32);
            assert_in_range(count[1], 38, 42);
            assert_in_range(count[2], 28, 32);
        }
        assert_true(strstr(settings[k], "deficient") ? p.m > p.n || p.contacts == 1
                                                     : p.m <= p.n);
        dls_arena_free(&a);
    }
}

// Cholesky of the full-rank W: all pivots are positive.
static void test_manufactured_has_full_rank(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("manufactured", "contacts=20", &a);
    int m = p.m;
    double *L = DLS_NEW(&a, double, m *m);
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            double sum = generated_W(&p, i, j);
            for (int k = 0; k < j; k++) sum -= L[i * m + k] * L[j * m + k];
            if (i == j) assert_true(sum > 1e-6); // entries of W are of size 1
            L[i * m + j] = i == j ? sqrt(sum) : sum / L[j * m + j];
        }
    dls_arena_free(&a);
}

static double determinant(const double *W, int d)
{
    if (d == 2) return W[0] * W[3] - W[1] * W[2];
    return W[0] * (W[4] * W[8] - W[5] * W[7]) - W[1] * (W[3] * W[8] - W[5] * W[6])
           + W[2] * (W[3] * W[7] - W[4] * W[6]);
}

static void test_one_contact(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        struct dls_arena a = {0};
        struct dls_problem p = generated("one-contact", d == 2 ? "d=2" : "d=3", &a);
        const double *u = generated_u(&p, p.solution_r, &a);
        int count[3];
        assert_coulomb(&p, p.solution_r, u, 1e-12, count);
        assert_true(count[0] > 20 && count[1] > 20 && count[2] > 20);
        for (int k = 0; k < p.contacts; k++) {
            const double *W = p.W->x + k * d * d;
            double skew = fabs(W[1] - W[d]), det = determinant(W, d);
            assert_true(k % 3 == 1 ? skew > 1e-6 : skew < 1e-15);
            // Three eigenvalues above 0.1 against one of 1e-8 and two below 1.
            assert_true(k % 3 == 2 ? det < 2e-8 && det > 0 : det > 0.9e-3);
        }
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_heavy_on_light),
        cmocka_unit_test(test_rod),
        cmocka_unit_test(test_cradle),
        cmocka_unit_test(test_four_leg_table),
        cmocka_unit_test(test_groove),
        cmocka_unit_test(test_overhang),
        cmocka_unit_test(test_conveyor),
        cmocka_unit_test(test_brick_walls),
        cmocka_unit_test(test_packing_contacts),
        cmocka_unit_test(test_packing_misses_none),
        cmocka_unit_test(test_packing_is_linear),
        cmocka_unit_test(test_manufactured),
        cmocka_unit_test(test_manufactured_has_full_rank),
        cmocka_unit_test(test_one_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
