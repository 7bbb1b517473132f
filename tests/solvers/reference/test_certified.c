// SPDX-License-Identifier: Apache-2.0
// The certified solutions of the bundled snapshots: checked by formulas that share no code
// with the library, then taken as oracles for every solver.
#define _GNU_SOURCE
#include "solvers/reference/certify.h"
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"

#include <glob.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/generated.h"
#include "tests/support/long_double.h"
#include "tests/support/support.h"

// --- files ----------------------------------------------------------------------------

struct certified {
    struct dls_arena a;
    const char *path;
    struct dls_problem p;
    struct dls_certificate c;
    long double *r, *u; // r + r_rest; u of them, computed here
    long double q;      // |q|
};

static void open_certified(struct certified *s, const char *path)
{
    struct dls_error err = {""};
    bool there = false;
    *s = (struct certified){.path = path};
    if (dls_snapshot_read(&s->p, path, DLS_DAT_GUESS, &s->a, &err)
        || dls_certificate_read(&s->c, &there, path, &s->p, &s->a, &err))
        fail_msg("%s", err.text);
    if (!there) fail_msg("%s has no certificate", path);
    s->r = DLS_NEW(&s->a, long double, s->p.m);
    assert_false(s->a.failed);
    long double *q = long_velocities(&s->p, s->r, &s->a); // of r = 0
    s->q = sqrtl(long_dot(q, q, s->p.m));
    for (int k = 0; k < s->p.m; k++)
        s->r[k] = (long double)s->p.solution_r[k] + s->c.r_rest[k];
    s->u = long_velocities(&s->p, s->r, &s->a);
}

static void for_each(void (*test)(struct certified *))
{
    glob_t files;
    assert_int_equal(glob("benchmarks/snapshots/*.hdf5", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 12);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        struct certified s;
        open_certified(&s, files.gl_pathv[k]);
        test(&s);
        dls_arena_free(&s.a);
    }
    globfree(&files);
}

// --- residuals ------------------------------------------------------------------------

// The certificate and this computation differ by the round-off of long doubles in u, a
// few units of 1e-19 times what cancels in W r + q, which is below 20 |q| here. Rounding r
// to doubles would be seen: it leaves 1e-16 and more.
static void check_residual(struct certified *s)
{
    const struct dls_problem *p = &s->p;
    long double sum = 0;
    for (int a = 0; a < p->contacts; a++) {
        long double gap =
            long_natural(p->d, p->mu[a], s->r + a * p->d, s->u + a * p->d);
        sum += gap * gap;
    }
    double natural = (double)(sqrtl(sum) / s->q);
    if (!(natural <= s->c.refined.natural + 1e-17))
        fail_msg("%s: natural %.2e, the certificate says %.2e", s->path, natural,
                 s->c.refined.natural);
    assert_true(s->c.refined.natural <= s->c.tol && s->c.refined.merit <= s->c.tol);
    assert_true(s->c.tol <= 1e-14);
}

static void residuals_hold(void **state)
{
    (void)state;
    for_each(check_residual);
}

// --- statuses -------------------------------------------------------------------------

// Each status is what the contact does, to 1e-14 of |q| (velocities) and of the largest
// impulse, unless it is listed as weakly active.
static void check_statuses(struct certified *s)
{
    const struct dls_problem *p = &s->p;
    long double largest = 0;
    for (int k = 0; k < p->m; k++) largest = fmaxl(largest, fabsl(s->r[k]));
    long double small = 1e-14L * largest, slow = 1e-14L * s->q;
    for (int a = 0; a < p->contacts; a++) {
        const long double *r = s->r + a * p->d, *u = s->u + a * p->d;
        long double r_T = long_norm(r + 1, p->d - 1), limit = p->mu[a] * r[0];
        bool good = s->c.status[a] == 0
                        ? long_norm(r, p->d) <= small && u[0] >= -slow
                        : fabsl(u[0]) <= slow && r_T <= limit + small && r[0] >= -small;
        if (s->c.status[a] == 1) good &= long_norm(u, p->d) <= slow;
        if (s->c.status[a] == 2)
            good &= fabsl(r_T - limit) <= small
                    && fabsl(long_dot(r + 1, u + 1, p->d - 1)
                             + r_T * long_norm(u + 1, p->d - 1))
                           <= small * s->q;
        if (!good) fail_msg("%s: contact %d is not %d", s->path, a, s->c.status[a]);
    }
    for (int k = 0; k < s->c.weak; k++)
        assert_in_range(s->c.weakly[k], 0, p->contacts - 1);
}

static void statuses_hold(void **state)
{
    (void)state;
    for_each(check_statuses);
}

// --- the null space, by singular values -----------------------------------------------

// A column for each impulse that the velocities leave free: A = H^T B or W B, by columns.
// Velocities are zero here below 1e-12 |q|: the others are all above 1e-7 |q|.
static int free_columns(const struct certified *s, double *A, int rows)
{
    const struct dls_problem *p = &s->p;
    const struct dls_csr *H = p->H ? p->H : p->W; // W is symmetric
    int d = p->d, count = 0;
    for (int a = 0; a < p->contacts; a++) {
        const long double *u = s->u + a * d, slow = 1e-12L * s->q;
        long double u_T = long_norm(u + 1, d - 1);
        bool slips = u_T > slow || p->mu[a] == 0;
        if (u[0] > slow) continue;
        for (int i = 0; i < (slips ? 1 : d); i++, count++) {
            double direction[3] = {i == 0, i == 1, i == 2};
            for (int k = 1; k < d && slips; k++)
                direction[k] = u_T > 0 ? (double)(-p->mu[a] * u[k] / u_T) : 0;
            for (int l = 0; l < d; l++)
                for (int k = H->p[a * d + l]; k < H->p[a * d + l + 1]; k++)
                    A[(size_t)count * (size_t)rows + (size_t)H->j[k]] +=
                        direction[l] * H->x[k];
        }
    }
    return count;
}

// Singular values of H^T B are roots of eigenvalues, those of W B are eigenvalues: the
// least that is not round-off is above 1e-5 and 1e-9 of the largest.
static void check_null_space(struct certified *s)
{
    int rows = s->p.H ? s->p.n : s->p.m, m = s->p.m, zeros = 0;
    double *A = DLS_NEW(&s->a, double, (size_t)rows *(size_t)m);
    double *sigma = DLS_NEW(&s->a, double, m), *rest = DLS_NEW(&s->a, double, m);
    assert_false(s->a.failed);
    int columns = free_columns(s, A, rows), least = columns < rows ? columns : rows;
    assert_int_equal(columns, s->c.unknowns);
    assert_int_equal(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', rows, columns, A, rows,
                                    sigma, NULL, 1, NULL, 1, rest),
                     0);
    for (int k = 0; k < least; k++)
        zeros += sigma[k] < (s->p.H ? 1e-6 : 1e-10) * sigma[0];
    if (zeros + columns - least != s->c.null_space)
        fail_msg("%s: null space %d by singular values, %d in the certificate", s->path,
                 zeros + columns - least, s->c.null_space);
}

static void null_spaces_hold(void **state)
{
    (void)state;
    for_each(check_null_space);
}

// --- the shortest impulses ------------------------------------------------------------

// r_min.(r - r_min) >= 0 for every r of the convex set whose shortest member r_min is.
static void assert_shortest(const double *least, const double *r, int m, double tol)
{
    double product = 0, size = 0;
    for (int k = 0; k < m; k++) {
        product += least[k] * (r[k] - least[k]);
        size += r[k] * r[k];
    }
    if (!(product >= -tol * size)) fail_msg("shorter by %g", -product / size);
}

// The velocities agree to the round-off of the rounded impulses, 1e-16 times what cancels
// in W r + q.
static void check_least(struct certified *s)
{
    const struct dls_problem *p = &s->p;
    assert_non_null(s->c.least_r);
    long double *r = DLS_NEW(&s->a, long double, p->m), sum = 0;
    assert_false(s->a.failed);
    for (int k = 0; k < p->m; k++) r[k] = s->c.least_r[k];
    const long double *u = long_velocities(p, r, &s->a);
    for (int k = 0; k < p->m; k++) sum += (u[k] - s->u[k]) * (u[k] - s->u[k]);
    if (!(sqrtl(sum) <= 1e-12L * s->q))
        fail_msg("%s: the shortest impulses move u by %Lg", s->path, sqrtl(sum) / s->q);
    assert_true(s->c.least.natural <= 1e-12);
    assert_shortest(s->c.least_r, p->solution_r, p->m, 1e-10);
}

static void shortest_impulses_hold(void **state)
{
    (void)state;
    for_each(check_least);
}

// --- oracles --------------------------------------------------------------------------

// Solved to 1e-9 in both measures; on these snapshots the error of u is at most 40 times
// the residual, and that of unique impulses at most that over the least eigenvalue.
static const double tol = 1e-9, u_error = 100 * 1e-9;

static double distance(const double *x, const long double *y, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += (double)((x[k] - y[k]) * (x[k] - y[k]));
    return sqrt(sum);
}

// Whether the solver converged, in which case its answer must be the certified one.
static bool agrees(struct certified *s, const struct dls_solver *solver, double *r)
{
    struct dls_settings settings = dls_settings_default();
    struct dls_stats stats;
    settings.tol = tol;
    settings.measure = DLS_BOTH;
    settings.max_time = 3;
    memset(r, 0, (size_t)s->p.m * sizeof *r);
    dls_solve(solver, NULL, &s->p, &settings, r, &stats);
    if (stats.status != DLS_OK || stats.relaxes) return false;
    struct dls_arena a = {0};
    long double *exact = DLS_NEW(&a, long double, s->p.m);
    double *u = DLS_NEW(&a, double, s->p.m);
    assert_false(a.failed);
    for (int k = 0; k < s->p.m; k++) exact[k] = r[k];
    const long double *found = long_velocities(&s->p, exact, &a);
    for (int k = 0; k < s->p.m; k++) u[k] = (double)found[k];
    double error = distance(u, s->u, s->p.m) / (double)s->q;
    if (!(error <= u_error))
        fail_msg("%s on %s: u is off by %.1e |q|", solver->name, s->path, error);
    double size = (double)long_norm(s->r, s->p.m);
    if (s->c.null_space == 0
        && !(distance(r, s->r, s->p.m) <= u_error / s->c.kept * size))
        fail_msg("%s on %s: r is off by %.1e", solver->name, s->path,
                 distance(r, s->r, s->p.m) / size);
    assert_shortest(s->c.least_r, r, s->p.m, 1e-6);
    dls_arena_free(&a);
    return true;
}

static void solvers_find_them(void **state)
{
    (void)state;
    static const char *const names[] = {
        "stack",           "four-leg-table",  "rod",
        "conveyor",        "overhang",        "heavy-on-light",
        "manufactured-2d", "manufactured-3d", NULL,
    };
    int agreements = 0, solvers = 0;
    while (dls_solvers[solvers]) solvers++;
    for (const char *const *name = names; *name; name++) {
        struct certified s;
        char path[96];
        snprintf(path, sizeof path, "benchmarks/snapshots/%s.hdf5", *name);
        open_certified(&s, path);
        double *r = DLS_NEW(&s.a, double, s.p.m);
        assert_non_null(r);
        for (int k = 0; k < solvers; k++) {
            bool agreed = agrees(&s, dls_solvers[k], r);
            agreements += agreed;
            if (!agreed && !strcmp(dls_solvers[k]->name, "auto"))
                fail_msg("auto does not solve %s", path);
        }
        dls_arena_free(&s.a);
    }
    // Half of the pairs at the least: the others are of another law, of the other
    // dimension, or too slow for the sanitizers.
    if (agreements < 4 * solvers)
        fail_msg("%d agreements of %d solvers", agreements, solvers);
}

// Velocities of the impulses that the generators of manufactured problems started from;
// these are doubles, right to round-off.
static void manufactured_answers_are_found(void **state)
{
    (void)state;
    static const char *const names[] = {"manufactured-2d", "manufactured-3d"};
    for (int k = 0; k < 2; k++) {
        struct certified s;
        char path[96];
        int end = 0;
        snprintf(path, sizeof path, "benchmarks/snapshots/%s.hdf5", names[k]);
        open_certified(&s, path);
        assert_int_equal(sscanf(s.p.provenance,
                                "generated by delassus %*[^:]: manufactured%n", &end),
                         0);
        struct dls_problem made = generated("manufactured", s.p.provenance + end, &s.a);
        assert_non_null(made.solution_r);
        double size = (double)long_norm(s.r, s.p.m);
        assert_true(distance(made.solution_r, s.r, s.p.m) <= 1e-14 * size);
        dls_arena_free(&s.a);
    }
}

// A pile of n equal blocks: contact k carries the weight of those above it.
static void the_pile_carries_its_weight(void **state)
{
    (void)state;
    struct certified s;
    open_certified(&s, "benchmarks/snapshots/stack-tall.hdf5");
    int n = s.p.contacts;
    for (int k = 0; k < n; k++) {
        assert_close((double)(s.r[2 * k] / ((n - k) * 0.01L * 9.81L)), 1, 1e-15);
        assert_true(s.r[2 * k + 1] == 0);
    }
    dls_arena_free(&s.a);
}

// Where u is not unique two certified solutions differ: the manufactured problem with a
// singular W has one at which Newton ends and another at which sweeps end.
static void motions_need_not_be_unique(void **state)
{
    (void)state;
    struct certified s;
    open_certified(&s, "benchmarks/snapshots/manufactured-deficient.hdf5");
    struct dls_certified other;
    struct dls_certify_settings settings = {
        .solver = dls_solver_find("newton"),
        .tol = 1e-14,
        .max_time = 60,
    };
    assert_int_equal(dls_certify(&other, &s.p, &settings, &s.a, NULL), DLS_OK);
    for (int k = 0; k < s.p.m; k++)
        s.r[k] = (long double)other.r[k] + other.certificate.r_rest[k];
    long double *certified_u = s.u;
    s.u = long_velocities(&s.p, s.r, &s.a);
    s.c = other.certificate;
    check_residual(&s);
    check_statuses(&s);
    long double sum = 0;
    for (int k = 0; k < s.p.m; k++)
        sum += (s.u[k] - certified_u[k]) * (s.u[k] - certified_u[k]);
    // 4.7e-3 |q| apart, both at round-off.
    assert_true(sqrtl(sum) > 1e-3L * s.q);
    dls_arena_free(&s.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals_hold),
        cmocka_unit_test(statuses_hold),
        cmocka_unit_test(null_spaces_hold),
        cmocka_unit_test(shortest_impulses_hold),
        cmocka_unit_test(solvers_find_them),
        cmocka_unit_test(manufactured_answers_are_found),
        cmocka_unit_test(the_pile_carries_its_weight),
        cmocka_unit_test(motions_need_not_be_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
