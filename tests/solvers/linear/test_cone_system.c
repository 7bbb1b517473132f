// SPDX-License-Identifier: Apache-2.0
// The linear systems of an interior point: in the contacts and condensed to the velocities,
// with a frozen shift and with the shift inside, against dense algebra by LAPACK.
#include "solvers/linear/cone_system.h"

#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

static struct dls_scaling *random_scalings(struct dls_rng *g, int contacts, int d,
                                           struct dls_arena *a)
{
    struct dls_scaling *T = DLS_NEW(a, struct dls_scaling, contacts);
    for (int c = 0; c < contacts; c++) {
        double x[3] = {0}, y[3] = {0};
        x[0] = exp(dls_rng_range(g, -6, 6));
        y[0] = exp(dls_rng_range(g, -6, 6));
        for (int i = 1; i < d; i++) {
            x[i] = 0.6 * x[0] * dls_rng_range(g, -1, 1);
            y[i] = 0.6 * y[0] * dls_rng_range(g, -1, 1);
        }
        assert_true(dls_scaling_make(T + c, d, x, y));
    }
    return T;
}

// The matrix W + (I - e_N g^T) ((1 + alpha) T^-2 + beta I) written out, m x m by rows.
static double *dense(const struct dls_socp *f, const struct dls_scaling *T,
                     const struct dls_cone_shift *shift, struct dls_arena *a)
{
    int d = f->d, m = f->m;
    double *A = DLS_NEW(a, double, (size_t)m *(size_t)m);
    for (int c = 0; c < f->contacts; c++) {
        double Q[9], square[3];
        for (int k = f->W.p[c]; k < f->W.p[c + 1]; k++)
            for (int i = 0; i < d * d; i++)
                A[(c * d + i / d) * m + f->W.j[k] * d + i % d] =
                    dls_bsr_block(&f->W, k)[i];
        dls_scaling_frame(T + c, d, Q, square);
        for (int i = 0; i < d * d; i++) {
            double theta = i / d == i % d ? shift->beta : 0;
            for (int l = 0; l < d; l++)
                theta += (1 + shift->alpha) * Q[l * d + i / d] * Q[l * d + i % d]
                         / square[l];
            A[(c * d + i / d) * m + c * d + i % d] += theta;
            A[c * d * m + c * d + i % d] -= shift->g[c * d + i / d] * theta;
        }
    }
    return A;
}

// T^-2 dx, as the frames have it, against dx itself.
static void expect_theta(const struct dls_socp *f, const struct dls_scaling *T,
                         const double *dx, const double *theta_dx)
{
    for (int c = 0; c < f->contacts; c++) {
        double u[3], v[3];
        dls_scaling_undo(T + c, f->d, dx + c * f->d, u);
        dls_scaling_undo(T + c, f->d, u, v);
        for (int i = 0; i < f->d; i++)
            assert_close(theta_dx[c * f->d + i], v[i], 1e-9 * (1 + fabs(v[i])));
    }
}

// |b - A dx| and the sign of det A, by LAPACK's LU, which overwrites A.
static double rest(int m, double *A, const double *b, const double *dx, int *sign,
                   struct dls_arena *a)
{
    double sum = 0;
    for (int i = 0; i < m; i++) {
        double z = b[i];
        for (int l = 0; l < m; l++) z -= A[i * m + l] * dx[l];
        sum += z * z;
    }
    int *pivot = DLS_NEW(a, int, m);
    assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, m, m, A, m, pivot), 0);
    *sign = 1;
    for (int i = 0; i < m; i++)
        if ((A[i * m + i] < 0) != (pivot[i] != i + 1)) *sign = -*sign;
    return sqrt(sum);
}

// With a shift |g| reaches 1, and where it does not suffice for a negative determinant a
// multiple of it is taken, as no shift has.
static void solves(const struct dls_problem *p, bool condensed, bool symmetric,
                   double slope)
{
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(5);
    struct dls_cone_system s;
    struct dls_work work = {0};
    void *form;
    int negative = 0, sign;
    assert_int_equal(dls_formulation_socp.build(&form, p, NULL, &a, NULL), DLS_OK);
    const struct dls_socp *f = form;
    assert_int_equal(f->symmetric, symmetric);
    assert_int_equal(dls_cone_system_create(&s, f, slope > 0, &a, NULL), DLS_OK);
    assert_int_equal(s.linear.velocities.self != NULL, condensed);
    double *b = DLS_NEW(&a, double, f->m), *dx = DLS_NEW(&a, double, f->m);
    double *slopes = DLS_NEW(&a, double, f->m), *theta = DLS_NEW(&a, double, f->m);
    struct dls_cone_shift shift = {slopes, 0, 0};
    for (int n = 0; n < 8; n++) { // new values, same analysis
        double size = 0;
        struct dls_scaling *T = random_scalings(&g, f->contacts, f->d, &a);
        for (int k = 0; k < f->m; k++) {
            size += b[k] = dls_rng_range(&g, 0.5, 1);
            slopes[k] = k % f->d ? slope * dls_rng_range(&g, -0.7, 0.7) : 0;
        }
        if (slope > 0) shift.alpha = 0.1 * n, shift.beta = 0.01 * n;
        assert_int_equal(
            dls_cone_system_factor(&s, T, slope > 0 ? &shift : NULL, &work), DLS_OK);
        assert_true(dls_cone_system_solve(&s, b, dx, theta, &work));
        // Refinement stops at 1e-12 of |b|; ten times that for its norm.
        double *A = dense(f, T, &shift, &a);
        assert_close(rest(f->m, A, b, dx, &sign, &a) / size, 0, 1e-11);
        assert_int_equal(dls_cone_system_sign(&s), sign);
        expect_theta(f, T, dx, theta);
        negative += sign < 0;
    }
    if (slope > 1) assert_true(negative > 0);
    dls_cone_system_destroy(&s);
    dls_arena_free(&a);
}

// A table on four legs has 12 rows and 6 velocities: condensed. Contacts on a chain of
// spheres are fewer than velocities: not.
static void systems_in_both_forms(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("four-leg-table", "", &a);
    solves(&p, true, true, 0);
    p = support_generate("stack", "n=10", &a);
    solves(&p, false, true, 0);
    p = support_generate("manufactured", "contacts=20 d=3 rank=deficient", &a);
    solves(&p, true, true, 0);
    p = support_generate("one-contact", "contacts=30 kind=unsymmetric", &a);
    solves(&p, false, false, 0);
    dls_arena_free(&a);
}

// The same with the shift inside, in both forms: slopes up to 1, and larger ones, with
// which determinants are negative now and then.
static void systems_with_the_shift_inside(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("four-leg-table", "", &a);
    solves(&p, true, true, 1);
    p = support_generate("manufactured", "contacts=20 d=3 rank=deficient", &a);
    solves(&p, true, true, 1);
    solves(&p, true, true, 30);
    p = support_generate("manufactured", "contacts=20 d=2", &a);
    solves(&p, false, true, 30);
    p = support_generate("one-contact", "contacts=30 kind=unsymmetric", &a);
    solves(&p, false, false, 1);
    dls_arena_free(&a);
}

// A wall as a local problem: W = H X H^T with bodies that the file does not tell, X the
// inverse of M or slightly unsymmetric.
static struct dls_problem local_wall(double skew, struct dls_arena *a)
{
    struct dls_problem p = support_generate("brick-wall-3d", "courses=3 bricks=3", a);
    int m = p.m, n = p.n;
    double *H = DLS_NEW(a, double, m *n), *HX = DLS_NEW(a, double, m *n);
    double *W = DLS_NEW(a, double, m *m), *mass = DLS_NEW(a, double, n);
    for (int i = 0; i < m; i++)
        for (int k = p.H->p[i]; k < p.H->p[i + 1]; k++)
            H[i * n + p.H->j[k]] = p.H->x[k];
    for (int i = 0; i < n; i++)
        for (int k = p.M->p[i]; k < p.M->p[i + 1]; k++)
            if (p.M->j[k] == i) mass[i] = p.M->x[k];
    for (int k = 0; k < m * n; k++) { // pairs of velocities of a body, turned a little
        int j = k % n, other = j ^ 1;
        HX[k] =
            H[k] / mass[j]
            + skew * (j & 1 ? 1 : -1) * H[k + other - j] / sqrt(mass[j] * mass[other]);
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++) W[i * m + j] += HX[i * n + k] * H[j * n + k];
    return support_local(p.contacts, p.d, W, p.w, p.mu, a);
}

// Recovered from W, even where M was unsymmetric: its symmetric part is factored.
static void a_local_problem_is_condensed(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = local_wall(0, &a);
    solves(&p, true, true, 0);
    p = local_wall(1e-3, &a);
    solves(&p, true, false, 0);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_in_both_forms),
        cmocka_unit_test(systems_with_the_shift_inside),
        cmocka_unit_test(a_local_problem_is_condensed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
