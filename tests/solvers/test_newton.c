// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // strsep
// Semismooth Newton: its linear systems, its rate, singular matrices, options, and the
// snapshots of full rank.
#include "solvers/linear/newton_system.h"
#include "solvers/solver.h"

#include "formulations/files/formats.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_newton.h"

extern const struct dls_solver dls_solver_newton;

enum { CONTACTS = 12, LARGEST_M = 3 * CONTACTS, HISTORY = 100 };

// --- manufactured problems ------------------------------------------------------------

// An answer (r, u) of one contact: open, sticking or sliding in turn.
static void choose(struct dls_rng *g, int state, int d, double mu, double *r, double *u)
{
    double angle = dls_rng_range(g, 0, 6.28), size = dls_rng_range(g, 0.5, 2);
    double t[3] = {0, d == 2 ? (angle < 3 ? 1 : -1) : cos(angle), sin(angle)};
    for (int i = 0; i < d; i++) r[i] = u[i] = 0;
    if (state == 0) u[0] = size;
    if (state != 0) r[0] = size;
    for (int i = 1; i < d; i++) {
        if (state == 0) u[i] = t[i];
        if (state == 1) r[i] = 0.5 * mu * r[0] * t[i];
        if (state == 2) r[i] = mu * r[0] * t[i], u[i] = -0.7 * t[i];
    }
}

// W = B B^T + shift I with B of `rank` columns, and q = u - W r.
static struct dls_problem manufacture(int d, int rank, double shift, double mu,
                                      double *u, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed((uint64_t)(100 * d + rank));
    int m = CONTACTS * d;
    static double B[LARGEST_M * LARGEST_M], W[LARGEST_M * LARGEST_M];
    double r[LARGEST_M], q[LARGEST_M], all_mu[CONTACTS];
    for (int k = 0; k < m * rank; k++) B[k] = dls_rng_normal(&g) / sqrt(rank);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            W[i * m + j] = i == j ? shift : 0;
            for (int k = 0; k < rank; k++)
                W[i * m + j] += B[i * rank + k] * B[j * rank + k];
        }
    for (int c = 0; c < CONTACTS; c++) {
        all_mu[c] = mu;
        choose(&g, c % 3, d, mu, r + c * d, u + c * d);
    }
    for (int i = 0; i < m; i++) {
        q[i] = u[i];
        for (int j = 0; j < m; j++) q[i] -= W[i * m + j] * r[j];
    }
    return support_local(CONTACTS, d, W, q, all_mu, a);
}

struct history {
    int count;
    double natural[HISTORY];
};

static void record(const struct dls_progress *p, void *data)
{
    struct history *h = data;
    if (h->count < HISTORY) h->natural[h->count++] = p->measures->natural;
}

// Runs Newton from r = 0 with options "name=value,..." (may be NULL).
static enum dls_status run(const struct dls_problem *p, const char *options, double tol,
                           struct history *h, struct dls_stats *stats)
{
    char opt[64], text[128], *rest = text;
    static double r[LARGEST_M];
    const struct dls_option *table = dls_solver_newton.options;
    assert_true(dls_solver_newton.options_size <= sizeof opt);
    dls_option_defaults(table, opt);
    snprintf(text, sizeof text, "%s", options ? options : "");
    for (char *name; (name = strsep(&rest, ",")) && *name;) {
        char *value = strchr(name, '=');
        *value++ = 0;
        assert_int_equal(dls_option_set(table, opt, name, value, "newton", NULL),
                         DLS_OK);
    }
    struct dls_settings set = dls_settings_default();
    set.tol = tol;
    set.max_time = 5;
    set.max_iter = 400;
    set.monitor = h ? record : NULL;
    set.data = h;
    memset(r, 0, sizeof r);
    if (h) h->count = 0;
    enum dls_status status = dls_solve(
        &dls_solver_newton, &(struct dls_options){.solver = opt}, p, &set, r, stats);
    for (int k = 0; k < p->m; k++) assert_true(isfinite(r[k]));
    return status;
}

// --- linear systems -------------------------------------------------------------------

// Random values of frictionless contacts, where both libraries apply.
static void fill_values(int kind, int d, struct dls_contact_value *v)
{
    struct dls_rng g = dls_rng_seed((uint64_t)d);
    for (int c = 0; c < CONTACTS; c++) {
        double r[3], u[3];
        for (int i = 0; i < d; i++)
            r[i] = dls_rng_normal(&g), u[i] = dls_rng_normal(&g);
        dls_contact_function_of(kind)(d, 0, r, u, v + c);
    }
}

static void both_libraries_solve_the_system(void **state)
{
    (void)state;
    for (int d = 1; d <= 3; d++)
        for (int kind = 0; kind < 4; kind++)
            for (int diagonal = 0; diagonal < 2; diagonal++) {
                struct dls_arena a = {0};
                double u[LARGEST_M], x[LARGEST_M], rcond, size;
                struct dls_problem p = manufacture(d, CONTACTS * d, 0.1, 0, u, &a);
                struct dls_bsr *W = dls_bsr_from_csr(p.W, d, &a);
                struct dls_contact_value v[CONTACTS];
                struct dls_newton_system s;
                struct dls_work work = {0};
                fill_values(kind, d, v);
                assert_int_equal(
                    dls_newton_system_create(&s, W, NULL, NULL, diagonal, &a), DLS_OK);
                assert_int_equal(dls_newton_system_factor(&s, v, 0.5, &rcond, &work),
                                 DLS_OK);
                assert_true(rcond > 1e-4 && rcond <= 1);
                assert_true(dls_newton_system_solve(&s, x, &work));
                assert_close(support_newton_defect(W, v, 0.5, x, &size), 0,
                             1e-12); // condition below 1e3
                dls_newton_system_destroy(&s);
                dls_arena_free(&a);
            }
}

static void a_singular_matrix_is_reported(void **state)
{
    (void)state;
    static const double ones[] = {1, 1, 1, 1}, q[] = {-1, -1}, mu[] = {0, 0};
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_local(2, 1, ones, q, mu, &a);
        struct dls_bsr *W = dls_bsr_from_csr(p.W, 1, &a);
        struct dls_contact_value v[2] = {{{-1}, {0}, {1}}, {{-1}, {0}, {1}}};
        struct dls_newton_system s;
        struct dls_work work = {0};
        double rcond, x[2];
        assert_int_equal(dls_newton_system_create(&s, W, NULL, NULL, diagonal, &a),
                         DLS_OK);
        assert_int_equal(dls_newton_system_factor(&s, v, 0, &rcond, &work), DLS_OK);
        assert_true(rcond == 0);
        assert_int_equal(dls_newton_system_factor(&s, v, 1, &rcond, &work), DLS_OK);
        assert_true(rcond > 0.1);
        assert_true(dls_newton_system_solve(&s, x, &work)); // [2 1; 1 2] x = 1
        assert_close(x[0], 1.0 / 3, 1e-15);
        assert_close(x[1], 1.0 / 3, 1e-15);
        dls_newton_system_destroy(&s);
        dls_arena_free(&a);
    }
}

// --- convergence ----------------------------------------------------------------------

// In space a sliding contact is curved, so that the last steps are quadratic and not
// exact: e_k+1 <= 10 e_k^2 for numbers of order 1, seen at least twice above round-off.
static void the_last_steps_are_quadratic(void **state)
{
    (void)state;
    static const char *const functions[] = {"function=ac", "function=jm", "function=fb",
                                            "function=nm"};
    for (int k = 0; k < 4; k++) {
        struct dls_arena a = {0};
        struct dls_stats stats;
        struct history h;
        double u[LARGEST_M];
        int seen = 0;
        struct dls_problem p = manufacture(3, LARGEST_M, 0.5, 0.4, u, &a);
        assert_int_equal(run(&p, functions[k], 1e-14, &h, &stats), DLS_OK);
        for (int n = 1; n < h.count; n++) {
            double before = h.natural[n - 1], after = h.natural[n];
            if (before > 2e-2 || before < 1e-8) continue;
            assert_true(after <= 10 * before * before + 1e-14);
            seen++;
        }
        assert_true(seen >= 2);
        dls_arena_free(&a);
    }
}

static void every_choice_finds_the_answer(void **state)
{
    (void)state;
    static const char *const options[] = {
        "function=ac,line_search=armijo",
        "function=jm,line_search=armijo",
        "function=fb,line_search=armijo",
        "function=nm,line_search=armijo",
        "function=ac,line_search=goldstein-price",
        "function=jm,line_search=goldstein-price",
        "function=fb,line_search=goldstein-price",
        "function=nm,line_search=goldstein-price",
        "function=ac,line_search=none",
        "function=fb,line_search=none",
        "start=5",
        "rescue=0",
        "rho_scale=0.1",
        "rho_scale=10",
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        for (int d = 1; d <= 3; d++) {
            struct dls_arena a = {0};
            struct dls_stats stats;
            double u[LARGEST_M];
            struct dls_problem p = manufacture(d, CONTACTS * d, 0.5, 0.4, u, &a);
            enum dls_status status = run(&p, options[k], 1e-10, NULL, &stats);
            if (status) print_error("%s, d = %d: %s\n", options[k], d, stats.message);
            assert_int_equal(status, DLS_OK);
            assert_true(stats.iterations < 60);
            assert_true(stats.work.factorisations > 0);
            dls_arena_free(&a);
        }
}

// As many extragradient iterations as asked for come before the first factorisation.
static void the_starter_comes_first(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    double u[LARGEST_M];
    struct dls_problem p = manufacture(3, LARGEST_M, 0.5, 0.4, u, &a);
    enum dls_status status = run(&p, "start=400", 0, NULL, &stats);
    assert_true(status == DLS_MAX_ITER || status == DLS_STALLED); // at round-off
    assert_int_equal(stats.work.factorisations, 0);
    assert_true(stats.measures.natural < 1e-3);
    dls_arena_free(&a);
}

// --- singular W -----------------------------------------------------------------------

// Rank 6 of 36 and a known answer: the proximal shift alone finds one too.
static void a_hyperstatic_problem_is_solved(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    double u[LARGEST_M];
    struct dls_problem p = manufacture(3, LARGEST_M / 6, 0, 0.4, u, &a);
    assert_int_equal(run(&p, "rescue=0", 1e-8, NULL, &stats), DLS_OK);
    dls_arena_free(&a);
}

// u_1 + u_2 = -2 whatever r: no answer exists. The run ends, says so, and r is finite.
static void an_unsolvable_problem_ends_honestly(void **state)
{
    (void)state;
    static const double W[] = {1, -1, -1, 1}, q[] = {-1, -1}, mu[] = {0, 0};
    static const char *const options[] = {NULL, "rescue=0", "line_search=none",
                                          "function=fb", "function=fb,rescue=0"};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        struct dls_arena a = {0};
        struct dls_stats stats;
        struct dls_problem p = support_local(2, 1, W, q, mu, &a);
        assert_true(run(&p, options[k], 1e-8, NULL, &stats) > 0);
        assert_true(stats.measures.natural > 0.1 && isfinite(stats.measures.natural));
        dls_arena_free(&a);
    }
}

static void rolling_is_unsupported(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_stats stats;
    static const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0, 0}, mu[] = {1};
    struct dls_problem p = support_local(1, 3, W, q, mu, &a);
    p.rolling = true;
    p.mu_r = dls_copy(&a, mu, 1, sizeof *mu);
    assert_int_equal(run(&p, NULL, 1e-8, NULL, &stats), DLS_UNSUPPORTED);
    dls_arena_free(&a);
}

// --- snapshots ------------------------------------------------------------------------

// Every snapshot of the corpus whose W has full rank, in fewer than 60 steps.
static void full_rank_snapshots_take_few_steps(void **state)
{
    (void)state;
    static const char *const names[] = {
        "fc3d/CubeH8-cond",
        "fc3d/FC3D_Example1",
        "fc3d/FrictionContact3D_1c",
        "fc3d/GFC3D_Example0-cond",
        "fc3d/GFC3D_Example00-cond",
        "fc3d/GFC3D_Example00_badly_scaled-cond",
        "fc3d/GFC3D_OneContact-cond",
        "fc3d/GFC3D_TwoRods1-cond",
        "fc3d/LMGC_GFC3D-i00001-1-00000-cond",
        "fc3d/LMGC_GlobalFrictionContactProblem00046-cond",
        "fc3d/NESpheres_10_1",
        "fc3d/Rover1039",
        "fc3d/Rover11035",
        "fc3d/Rover4396",
        "fc3d/Rover4516",
        "fc3d/Spheres-i099-356-679-cond",
        "fc2d/FrictionContactProblem00071",
        "fc2d/FrictionContactProblem00394",
        "fc2d/fc2d_granularflowonwall_00667_00000",
        "siconos3d/Spheres300-00058-s00011",
        "siconos3d/SpheresFCC600-00179-s00006",
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char file[96];
        snprintf(file, sizeof file, "%s.hdf5", names[k]);
        const char *path = support_corpus(file);
        if (!path) skip();
        struct dls_arena a = {0};
        struct dls_problem p = {0};
        struct dls_stats stats;
        struct dls_settings set = dls_settings_default();
        set.max_iter = 59;
        assert_int_equal(dls_fclib_read(&p, path, &a, NULL), DLS_OK);
        double *r = DLS_NEW(&a, double, p.m);
        enum dls_status status =
            dls_solve(&dls_solver_newton, NULL, &p, &set, r, &stats);
        if (status) print_error("%s: natural %g\n", names[k], stats.measures.natural);
        assert_int_equal(status, DLS_OK);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_libraries_solve_the_system),
        cmocka_unit_test(a_singular_matrix_is_reported),
        cmocka_unit_test(the_last_steps_are_quadratic),
        cmocka_unit_test(every_choice_finds_the_answer),
        cmocka_unit_test(the_starter_comes_first),
        cmocka_unit_test(a_hyperstatic_problem_is_solved),
        cmocka_unit_test(an_unsolvable_problem_ends_honestly),
        cmocka_unit_test(rolling_is_unsupported),
        cmocka_unit_test(full_rank_snapshots_take_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
