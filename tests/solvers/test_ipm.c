// SPDX-License-Identifier: Apache-2.0
// Interior point: its linear systems in both forms, the mixing of the shift, exactness on
// convex problems of any rank, and agreement with Gauss-Seidel where u is unique.
#include "solvers/kernel/mixing.h"
#include "solvers/linear/cone_system.h"
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"

#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

// --- mixing ---------------------------------------------------------------------------

enum { N = 6 };

// A linear map with factors near one and minus one, slow or never convergent by itself,
// is solved in N + 1 steps; 1e-9 since the least squares drop what is below 1e-8.
static void mixing_solves_linear_maps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_mixing x;
    const double factor[N] = {0.999, -0.99, 0.9, 0.5, 1.5, -3};
    double s[N] = {0}, f[N], error = 0;
    assert_true(dls_mixing_create(&x, N, N, &a));
    dls_mixing_forget(&x);
    for (int n = 0; n < N + 2; n++) {
        for (int k = 0; k < N; k++) f[k] = factor[k] * (s[k] - k) + k - s[k];
        dls_mixing_step(&x, s, f);
    }
    for (int k = 0; k < N; k++) error += fabs(s[k] - k);
    assert_close(error, 0, 1e-7);
    dls_arena_free(&a);
}

// Without memory it is the plain iteration, bit for bit.
static void mixing_without_memory(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_mixing x;
    double s[2] = {1, 2};
    const double f[2] = {0.25, -0.5};
    assert_true(dls_mixing_create(&x, 2, 0, &a));
    dls_mixing_forget(&x);
    for (int n = 0; n < 3; n++) dls_mixing_step(&x, s, f);
    assert_close(s[0], 1.75, 0);
    assert_close(s[1], 0.5, 0);
    dls_arena_free(&a);
}

// --- linear systems -------------------------------------------------------------------

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

// --- answers --------------------------------------------------------------------------

static double *solve(const char *solver, const struct dls_problem *p, double tol,
                     struct dls_stats *stats, struct dls_arena *a)
{
    struct dls_settings settings = dls_settings_default();
    double *r = DLS_NEW(a, double, p->m);
    settings.tol = tol;
    dls_solve(dls_solver_find(solver), NULL, p, &settings, r, stats);
    if (stats->status != DLS_OK)
        fail_msg("%s: %s, natural %g", solver, dls_status_name(stats->status),
                 stats->measures.natural);
    return r;
}

// Largest difference of u between the solver's answer and that of pgs.
static double differs(const struct dls_problem *p, double tol, struct dls_stats *stats,
                      struct dls_arena *a)
{
    struct dls_measures m;
    struct dls_judge *judge;
    double *r = solve("ipm", p, tol, stats, a), most = 0;
    assert_int_equal(dls_judge_create(&judge, p, a, NULL), DLS_OK);
    dls_judge_measure(judge, r, &m);
    double *u = dls_copy(a, dls_judge_u(judge), (size_t)p->m, sizeof *u);
    dls_judge_measure(judge, support_solve(p, tol, a), &m);
    for (int k = 0; k < p->m; k++)
        most = fmax(most, fabs(u[k] - dls_judge_u(judge)[k]));
    dls_judge_destroy(judge);
    return most;
}

// Without friction the problem is convex and u unique: one round, to 1e-11, whatever the
// rank. Speeds are of order one.
static void frictionless_is_exact(void **state)
{
    (void)state;
    static const char *const problems[][2] = {
        {"stack", "n=30 mu=0"},
        {"four-leg-table", "mu=0"},
        {"brick-wall-3d", "courses=3 bricks=3 mu=0"},
        {"sphere-packing", "across=3 layers=3 mu=0"},
    };
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        struct dls_arena a = {0};
        struct dls_stats stats;
        struct dls_problem p = support_generate(problems[k][0], problems[k][1], &a);
        double *r = solve("ipm", &p, 1e-11, &stats, &a);
        print_message("%s: %ld iterations, natural %.1e\n", problems[k][0],
                      stats.iterations, stats.measures.natural);
        assert_true(stats.iterations <= 40); // 8 to 30 in practice
        assert_non_null(r);
        dls_arena_free(&a);
    }
}

// With friction and full rank; u differs by the residual times the condition of W, here
// below 100.
static void agrees_with_gauss_seidel(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    struct dls_problem p = support_generate("manufactured", "contacts=30 d=3", &a);
    assert_close(differs(&p, 1e-10, &stats, &a), 0, 1e-7);
    p = support_generate("manufactured", "contacts=30 d=2", &a);
    assert_close(differs(&p, 1e-10, &stats, &a), 0, 1e-7);
    p = support_generate("stack", "n=20 mu=0.5 push=0.3", &a);
    assert_close(differs(&p, 1e-10, &stats, &a), 0, 1e-7);
    dls_arena_free(&a);
}

// Rank-deficient W (half the rows and more), sliding, and unsymmetric W.
static void hyperstatic_snapshots(void **state)
{
    (void)state;
    static const char *const files[] = {
        "fc3d/BoxesStack1-i100000-32.hdf5",
        "fc3d/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
        "fc3d/Rover1041.hdf5",
        "fc2d/FC2D_SliderCrankLagrangian00000.hdf5",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *path = support_corpus(files[k]);
        if (!path) {
            print_message("the corpus is not here\n");
            skip();
        }
        struct dls_arena a = {0};
        struct dls_problem p;
        struct dls_stats stats;
        assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, NULL), DLS_OK);
        solve("ipm", &p, 1e-8, &stats, &a);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixing_solves_linear_maps),
        cmocka_unit_test(mixing_without_memory),
        cmocka_unit_test(systems_in_both_forms),
        cmocka_unit_test(systems_with_the_shift_inside),
        cmocka_unit_test(a_local_problem_is_condensed),
        cmocka_unit_test(frictionless_is_exact),
        cmocka_unit_test(agrees_with_gauss_seidel),
        cmocka_unit_test(hyperstatic_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
