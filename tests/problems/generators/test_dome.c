// SPDX-License-Identifier: Apache-2.0
// The dome of stones: mass and inertia by quadrature, joints that fit, and what the ground
// carries.
#include <math.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

static const double pi = 3.14159265358979323846;

enum { POINTS = 60 };

// Mass, first and second moments of a stone of the lowest ring by the midpoint rule; its
// error falls with the square of the number of points: below 2e-4 here.
static void integrate(double *m, double c[3], double J[3][3])
{
    double r0 = 5 * 0.94, dr = 5 * 0.12 / POINTS;
    double theta0 = pi / 2 - 80 * pi / 180 / 6, dtheta = 80 * pi / 180 / 6 / POINTS;
    double dphi = 2 * pi / 12 / POINTS;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++)
            for (int k = 0; k < POINTS; k++) {
                double r = r0 + (i + 0.5) * dr, theta = theta0 + (j + 0.5) * dtheta;
                double phi = (k + 0.5) * dphi;
                double x[] = {r * sin(theta) * cos(phi), r * sin(theta) * sin(phi),
                              r * cos(theta)};
                double dm = 2000 * r * r * sin(theta) * dr * dtheta * dphi;
                *m += dm;
                for (int p = 0; p < 3; p++) {
                    c[p] += dm * x[p];
                    for (int q = 0; q < 3; q++) J[p][q] += dm * x[p] * x[q];
                }
            }
    for (int p = 0; p < 3; p++) c[p] /= *m;
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) J[p][q] -= *m * c[p] * c[q];
}

static double determinant(double A[3][3])
{
    return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1])
           - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0])
           + A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

// b . I^-1 b by Cramer's rule.
static double bent(double I[3][3], const double b[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double A[3][3];
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) A[p][q] = q == k ? b[p] : I[p][q];
        sum += b[k] * determinant(A) / determinant(I);
    }
    return sum;
}

// W_aa of the first contact of the ground sees mass, centre, inertia and axes of stone 0:
// W_ee = 1/m + (l x e) . I^-1 (l x e) for e = z, x, y (normal and tangents there).
static void test_stone(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("dome", "", &a);
    double m = 0, c[3] = {0}, J[3][3] = {{0}}, I[3][3];
    integrate(&m, c, J);
    double trace = J[0][0] + J[1][1] + J[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) I[i][j] = (i == j ? trace : 0) - J[i][j];
    const double *at = p.position, l[] = {at[0] - c[0], at[1] - c[1], at[2] - c[2]};
    const double lever[3][3] = {{l[1], -l[0], 0}, {0, l[2], -l[1]}, {-l[2], 0, l[0]}};
    assert_true(fabs(p.M->x[0] / m - 1) < 2e-4);
    double expected[3], whole = 0;
    for (int e = 0; e < 3; e++) expected[e] = 1 / m + bent(I, lever[e]);
    for (int e = 0; e < 3; e++) whole += generated_W(&p, e, e);
    // Which tangent comes first hangs on rounding of the normal: both together then.
    assert_true(fabs(generated_W(&p, 0, 0) / expected[0] - 1) < 1e-3);
    assert_true(fabs(whole / (expected[0] + expected[1] + expected[2]) - 1) < 1e-3);
    dls_arena_free(&a);
}

// All stones together: the shell without its eye.
static void test_whole(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("dome", "rings=5 stones=9 eye=20", &a);
    assert_int_equal(p.contacts, 4 * 9 * (1 + 2 * 4 + 5));
    double mass = 0, shell = 2 * pi / 3 * 125 * (pow(1.06, 3) - pow(0.94, 3));
    for (int k = 0; k < p.bodies; k++) mass += p.M->x[6 * k];
    assert_close(mass / (2000 * shell * cos(20 * pi / 180)), 1, 1e-12);
    dls_arena_free(&a);
}

// Action and reaction: unit impulses at all joints between stones leave the momentum of the
// whole as it was, whatever their direction. Joints end on the two faces of the shell.
static void test_joints(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("dome", "rings=3 stones=8", &a);
    double *r = DLS_NEW(&a, double, p.m);
    for (int i = 0; i < p.m; i++)
        if (p.body_pair[2 * (i / 3) + 1] >= 0) r[i] = 1;
    double change[3] = {0}, size = 0;
    const double *pushed = generated_v(&p, r, &a);
    for (int k = 0; k < p.bodies; k++)
        for (int i = 0; i < 3; i++) {
            double momentum = p.M->x[6 * k + i] * pushed[6 * k + i] - p.f[6 * k + i];
            change[i] += momentum;
            size += fabs(momentum);
        }
    for (int i = 0; i < 3; i++) assert_close(change[i] / size, 0, 1e-12);
    for (int k = 0; k < p.contacts; k++) {
        double at = hypot(hypot(p.position[3 * k], p.position[3 * k + 1]),
                          p.position[3 * k + 2]);
        assert_true(fabs(at / 5 - 1.06) < 1e-12 || fabs(at / 5 - 0.94) < 1e-12);
    }
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stone),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
