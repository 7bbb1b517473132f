// SPDX-License-Identifier: Apache-2.0
// Lemke's method on classical and random LCPs, against enumeration of all bases.
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"
#include "formulations/lcp.h"

#include "base/clock.h"
#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

enum { MOST = 12 };

extern const struct dls_solver dls_solver_lemke;

struct lcp {
    int n;
    double A[MOST * MOST], b[MOST];
};

// Solves with `name=value` options; z receives the answer.
static enum dls_status solve(const struct lcp *lcp, const char *options, double *z,
                             struct dls_stats *stats)
{
    struct dls_arena a = {0};
    double mu[MOST] = {0};
    struct dls_problem p = support_local(lcp->n, 1, lcp->A, lcp->b, mu, &a);
    char *opt = DLS_NEW(&a, char, dls_solver_lemke.options_size);
    dls_option_defaults(dls_solver_lemke.options, opt);
    char name[32], value[32];
    for (int at = 0, used;
         sscanf(options + at, " %31[^=]=%31s%n", name, value, &used) == 2; at += used)
        assert_int_equal(
            dls_option_set(dls_solver_lemke.options, opt, name, value, "lemke", NULL),
            DLS_OK);
    struct dls_settings set = dls_settings_default();
    set.tol = 0; // the method ends by itself
    struct dls_options both = {.solver = opt};
    dls_solve(&dls_solver_lemke, &both, &p, &set, z, stats);
    dls_arena_free(&a);
    return stats->status;
}

static bool solved(enum dls_status s) { return s == DLS_OK || s == DLS_FINISHED; }

// Finished, with a residual of round-off: products of a few numbers of size 1 to 100.
static void assert_solved(const struct lcp *lcp, const char *options, double *z)
{
    struct dls_stats stats;
    memset(z, 0, (size_t)lcp->n * sizeof *z);
    enum dls_status status = solve(lcp, options, z, &stats);
    if (!solved(status)) fail_msg("%s", dls_status_name(status));
    assert_true(stats.own <= 1e-12 && stats.measures.natural <= 1e-12);
    assert_null(stats.relaxes);
}

static void assert_ray(const struct lcp *lcp, const char *options)
{
    struct dls_stats stats;
    double z[MOST] = {0};
    assert_int_equal(solve(lcp, options, z, &stats), DLS_RAY);
    for (int i = 0; i < lcp->n; i++) assert_true(isfinite(z[i]));
}

// --- enumeration ---------------------------------------------------------------------

// The answer with z_i basic where bit i of `set` is on; false where there is none.
static bool answer_of(const struct lcp *lcp, unsigned set, double *z)
{
    int n = lcp->n, pivot[MOST];
    double B[MOST * MOST], x[MOST]; // columns e_i or -A_:i, by rows
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i * n + j] = set >> j & 1 ? -lcp->A[i * n + j] : i == j;
    memcpy(x, lcp->b, (size_t)n * sizeof *x);
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, B, n, pivot, x, 1)) return false;
    for (int i = 0; i < n; i++)
        if (!(x[i] >= -1e-11)) return false;
    for (int i = 0; i < n; i++) z[i] = set >> i & 1 ? x[i] : 0;
    return true;
}

// Counts the complementary bases that are answers; z receives the last one.
static int enumerate(const struct lcp *lcp, double *z)
{
    int count = 0;
    for (unsigned set = 0; set < 1u << lcp->n; set++) count += answer_of(lcp, set, z);
    return count;
}

// --- classics ------------------------------------------------------------------------

static void one_unknown(void **state)
{
    (void)state;
    double z[MOST];
    assert_solved(&(struct lcp){1, {2}, {-1}}, "", z);
    assert_close(z[0], 0.5, 0);
    assert_solved(&(struct lcp){1, {1}, {3}}, "", z);
    assert_close(z[0], 0, 0);
    assert_solved(&(struct lcp){1, {-1}, {3}}, "", z); // also z = 3, not met from z = 0
    assert_close(z[0], 0, 0);
    assert_solved(&(struct lcp){1, {1}, {0}}, "", z);
    assert_ray(&(struct lcp){1, {-1}, {-1}}, "");
    assert_ray(&(struct lcp){1, {0}, {-1}}, "");
}

static void rows_of_zeros(void **state)
{
    (void)state;
    double z[MOST];
    assert_solved(&(struct lcp){3, {2, 0, 1, 0, 0, 0, 1, 0, 2}, {-3, 1, -3}}, "", z);
    assert_close(z[0], 1, 1e-15);
    assert_close(z[2], 1, 1e-15);
    assert_solved(&(struct lcp){3, {2, 0, 1, 0, 0, 0, 1, 0, 2}, {-3, 0, -3}}, "", z);
    assert_ray(&(struct lcp){3, {2, 0, 1, 0, 0, 0, 1, 0, 2}, {-3, -1, -3}}, "");
    assert_solved(&(struct lcp){.n = 4}, "", z); // A = 0, b = 0
}

// 2 below the diagonal of ones [Murty]: the answer is (1, 0, ..., 0).
static void murty(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++) {
        struct lcp lcp = {.n = n};
        double z[MOST];
        for (int i = 0; i < n; i++) {
            lcp.b[i] = -1;
            for (int j = 0; j <= i; j++) lcp.A[i * n + j] = i == j ? 1 : 2;
        }
        assert_solved(&lcp, "", z);
        assert_solved(&lcp, "scale=no cover=rows refactor=1", z);
        for (int i = 0; i < n; i++) assert_close(z[i], i == 0, 1e-14);
    }
}

// Circulant (1, 2, 0) with equal b: every ratio test from z = 0 is a tie, and pivoting
// by the first index goes round in circles. Copies of it tie with each other too.
static void cycling(void **state)
{
    (void)state;
    struct lcp lcp = {.n = 12};
    for (int i = 0; i < 12; i++) {
        int block = i / 3 * 3;
        lcp.A[i * 12 + i] = 1;
        lcp.A[i * 12 + block + (i + 1) % 3] = 2;
        lcp.b[i] = -1;
    }
    double z[MOST];
    assert_solved(&lcp, "", z);
    for (int i = 0; i < 12; i++) assert_close(z[i], 1.0 / 3, 1e-15);
}

// A game of two matrices: the path from z = 0 is a ray whatever the covering vector.
// There is an answer, and restarts from other bases find it. Then one without answer.
static void rays(void **state)
{
    (void)state;
    struct lcp game = {
        4, {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0}, {-1, -1, -1, -1}};
    double z[MOST];
    assert_ray(&game, "restarts=0");
    assert_ray(&game, "restarts=0 cover=random");
    assert_solved(&game, "restarts=30", z);
    assert_ray(&(struct lcp){2, {1, 0, -1, 0}, {1, -1}}, "");
}

// --- random --------------------------------------------------------------------------

enum kind { P_MATRIX, COPOSITIVE, DEGENERATE, ANY };

static struct lcp random_lcp(enum kind kind, struct dls_rng *g)
{
    struct lcp lcp = {.n = 1 + dls_rng_below(g, 8)};
    int n = lcp.n;
    double G[MOST * MOST];
    for (int k = 0; k < n * n; k++) G[k] = dls_rng_range(g, -1, 1);
    for (int i = 0; i < n; i++) {
        lcp.b[i] = dls_rng_range(g, -1, 1);
        if (kind == DEGENERATE) lcp.b[i] = dls_rng_below(g, 3) - 1;
        for (int j = 0; j < n; j++) {
            double *A = lcp.A + i * n + j;
            if (kind == ANY) *A = G[i * n + j];
            if (kind == COPOSITIVE) *A = fmax(0, G[i * n + j]) + (i == j);
            if (kind == DEGENERATE) *A = dls_rng_below(g, 5) - 2;
            if (kind != P_MATRIX) continue;
            *A = 0.1 * (i == j) + G[i * n + j] - G[j * n + i]; // skew, and
            for (int k = 0; k < n; k++) *A += G[i * n + k] * G[j * n + k];
        }
    }
    return lcp;
}

// P-matrices: the one answer, by any covering vector. Strictly copositive ones: always.
static void against_enumeration(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    for (int trial = 0; trial < 200; trial++) {
        double z[MOST], known[MOST];
        struct lcp lcp = random_lcp(P_MATRIX, &g);
        assert_true(enumerate(&lcp, known) >= 1);
        static const char *const options[] = {"", "cover=rows", "cover=random",
                                              "scale=no refactor=2"};
        assert_solved(&lcp, options[trial % 4], z);
        // The smallest symmetric eigenvalue is above 0.1: z is as good as w, times 10.
        for (int i = 0; i < lcp.n; i++) assert_close(z[i], known[i], 1e-10);
        lcp = random_lcp(COPOSITIVE, &g);
        assert_solved(&lcp, "restarts=0", z);
    }
}

// Whatever A is: an answer is an answer, and where there is none a ray is met. Lemke's
// method may miss answers outside its classes; with restarts that is rare.
static void without_a_class(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(2);
    int solvable = 0, found = 0;
    for (int trial = 0; trial < 600; trial++) {
        double z[MOST] = {0}, known[MOST];
        struct dls_stats stats;
        struct lcp lcp = random_lcp(trial % 2 ? ANY : DEGENERATE, &g);
        int answers = enumerate(&lcp, known);
        enum dls_status status = solve(&lcp, "restarts=20", z, &stats);
        solvable += answers > 0;
        found += answers && solved(status);
        if (solved(status)) assert_true(stats.own <= 1e-12);
        // A singular integer matrix may have answers that are not of a basis.
        if (trial % 2 && !answers) assert_int_equal(status, DLS_RAY);
        if (!solved(status)) assert_int_equal(status, DLS_RAY);
    }
    print_message("%d of %d solvable LCPs of no class solved\n", found, solvable);
    assert_true(found >= 0.97 * solvable);
}

// Units from 1e-6 to 1e6: z_i must come out in its own unit.
static void bad_scaling(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(3);
    for (int trial = 0; trial < 50; trial++) {
        struct lcp lcp = random_lcp(P_MATRIX, &g), scaled = lcp;
        double z[MOST] = {0}, known[MOST], unit[MOST];
        struct dls_stats stats;
        enumerate(&lcp, known);
        for (int i = 0; i < lcp.n; i++) unit[i] = pow(10, dls_rng_range(&g, -6, 6));
        for (int k = 0; k < lcp.n * lcp.n; k++)
            scaled.A[k] *= unit[k / lcp.n] * unit[k % lcp.n];
        for (int i = 0; i < lcp.n; i++) scaled.b[i] *= unit[i];
        assert_true(solved(solve(&scaled, "", z, &stats)));
        for (int i = 0; i < lcp.n; i++) assert_close(z[i] * unit[i], known[i], 1e-9);
    }
}

// --- the contract --------------------------------------------------------------------

// Zero where the judge was content with the start.
static long pivots(const struct dls_stats *stats)
{
    long count = 0;
    assert_true(!*stats->work.note || sscanf(stats->work.note, "%ld", &count) == 1);
    return count;
}

// Started near its answer it needs fewer pivots than from zero.
static void warm_start(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(4);
    long cold = 0, warm = 0;
    for (int trial = 0; trial < 50; trial++) {
        struct lcp lcp = random_lcp(P_MATRIX, &g);
        struct dls_stats stats;
        double z[MOST] = {0}, known[MOST];
        assert_true(solved(solve(&lcp, "", z, &stats)));
        for (int i = 0; i < lcp.n; i++) lcp.b[i] += 0.3 * dls_rng_range(&g, -1, 1);
        cold += pivots(&stats);
        assert_true(solved(solve(&lcp, "", z, &stats)));
        warm += pivots(&stats);
        enumerate(&lcp, known);
        for (int i = 0; i < lcp.n; i++) assert_close(z[i], known[i], 1e-10);
    }
    print_message("%ld pivots from zero, %ld from near the answer\n", cold, warm);
    assert_true(warm < cold / 2);
}

// A step whose time is up returns before it is done; the next one goes on.
static void deadline(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(5);
    struct lcp lcp = random_lcp(P_MATRIX, &g);
    for (int i = 0; i < lcp.n; i++) lcp.b[i] = -1;
    struct dls_arena a = {0};
    double mu[MOST] = {0}, z[MOST] = {0};
    struct dls_problem p = support_local(lcp.n, 1, lcp.A, lcp.b, mu, &a);
    const struct dls_solver *s = &dls_solver_lemke;
    struct dls_lcp_options form_opt;
    char opt[64];
    assert_true(s->options_size <= sizeof opt);
    dls_option_defaults(s->options, opt);
    dls_option_defaults(s->takes->options, &form_opt);
    void *form = NULL, *self = NULL;
    assert_int_equal(s->takes->build(&form, &p, &form_opt, &a, NULL), DLS_OK);
    assert_int_equal(s->create(&self, form, opt, &a, NULL), DLS_OK);
    s->reset(self, z);
    struct dls_work work = {.deadline = 0};
    assert_int_equal(s->step(self, z, &work), DLS_OK);
    work.deadline = dls_clock() + 60;
    assert_int_equal(s->step(self, z, &work), DLS_FINISHED);
    assert_true(s->takes->residual(form, z) <= 1e-12);
    s->destroy(self);
    dls_arena_free(&a);
}

// --- the corpus ----------------------------------------------------------------------

static void solve_file(const char *name)
{
    const char *path = support_corpus(name);
    if (!path) skip();
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_error err;
    if (dls_snapshot_read(&p, path, DLS_DAT_LCP, &a, &err) != DLS_OK)
        fail_msg("%s", err.text);
    double *r = DLS_NEW(&a, double, p.m);
    struct dls_stats stats;
    dls_solve(&dls_solver_lemke, NULL, &p, NULL, r, &stats);
    if (!solved(stats.status)) fail_msg("%s: %s", name, stats.message);
    if (!stats.relaxes) assert_int_equal(stats.status, DLS_OK);
    // The last basis is solved with refinement; conditions are up to 1e6.
    assert_true(stats.own <= 1e-11);
    dls_arena_free(&a);
}

static void corpus(void **state)
{
    (void)state;
    static const char *const files[] = {
        "lcp/lcp_CPS_1.dat",
        "lcp/lcp_CPS_2.dat",
        "lcp/lcp_CPS_3.dat",
        "lcp/lcp_CPS_4.dat",
        "lcp/lcp_Pang_isolated_sol.dat",
        "lcp/lcp_deudeu.dat",
        "lcp/lcp_exp_murty.dat",
        "lcp/lcp_inf_sol_perturbed.dat",
        "lcp/lcp_mmc.dat",
        "lcp/lcp_ortiz.dat",
        "lcp/lcp_trivial.dat",
        "lcp/lcp_trivial_block.dat",
        "fc2d/FC2D_SliderCrankLagrangian00000.hdf5",
        "fc2d/FrictionContactProblem00071.hdf5",
        "fc2d/FrictionContactProblem00237.hdf5",
        "fc2d/FrictionContactProblem00394.hdf5",
        "fc2d/fc2d_granularflowonwall_00667_00000.hdf5",
        "gfc2d/gfc2d_granularflowonwall_00069_00350.hdf5",
        "fc3d/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
        "fc3d/Rover1041.hdf5",
        "siconos3d/Rocks150-00103-s00075.hdf5",
        "siconos3d/Capsules200-00103-s00070.hdf5",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) solve_file(files[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unknown),
        cmocka_unit_test(rows_of_zeros),
        cmocka_unit_test(murty),
        cmocka_unit_test(cycling),
        cmocka_unit_test(rays),
        cmocka_unit_test(against_enumeration),
        cmocka_unit_test(without_a_class),
        cmocka_unit_test(bad_scaling),
        cmocka_unit_test(warm_start),
        cmocka_unit_test(deadline),
        cmocka_unit_test(corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
