// SPDX-License-Identifier: Apache-2.0
// Elliptic friction cones: the projection against its own definition, the round problem
// against the elliptic one, solvers, files, and who refuses.
#include "solvers/solver.h"

#include "formulations/files/snapshot.h"
#include "formulations/judge/cone.h"
#include "formulations/judge/residual.h"
#include "formulations/parts/ellipse.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"

// p = P_K(y) iff p in K, y - p in the polar cone, and both are orthogonal [Moreau].
static void projection(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(3);
    int seen[3] = {0};
    for (int k = 0; k < 20000; k++) {
        struct dls_cone K = dls_cone_make(3, false, 0.1 + dls_rng_real(&g), 0);
        K.stretch = exp(2 * dls_rng_normal(&g));
        double y[3], p[3], dot = 0, size = 0;
        for (int i = 0; i < 3; i++) y[i] = dls_rng_normal(&g);
        if (k % 10 == 0) y[1 + k / 10 % 2] = 0; // on an axis
        seen[dls_cone_project(&K, y, p)]++;
        double m[2] = {K.mu, K.stretch * K.mu};
        for (int i = 0; i < 3; i++) {
            dot += p[i] * (y[i] - p[i]);
            size += y[i] * y[i];
        }
        // Roundings of three terms; the half axes span four decades.
        double eps = 1e-11 * size * (1 + m[1] + 1 / m[1]);
        assert_true(hypot(p[1] / m[0], p[2] / m[1]) <= p[0] + eps);
        assert_true(hypot(m[0] * (y[1] - p[1]), m[1] * (y[2] - p[2]))
                    <= -(y[0] - p[0]) + eps);
        assert_close(dot, 0, eps);
    }
    assert_true(seen[DLS_OPEN] > 100 && seen[DLS_STICK] > 100 && seen[DLS_SLIP] > 100);
}

// A stretch near 1 gives what the round cone gives.
static void nearly_round(void **state)
{
    (void)state;
    const double r[3] = {1, 0.4, -0.3}, u[3] = {0.1, -0.5, 0.2};
    struct dls_cone round = dls_cone_make(3, false, 0.5, 0), K = round;
    enum dls_contact_status a, b;
    K.stretch = 1 + 1e-12;
    assert_close(dls_cone_natural(&K, r, u, 1, &a),
                 dls_cone_natural(&round, r, u, 1, &b), 1e-11);
    assert_int_equal(a, b);
}

static struct dls_problem anisotropic(struct dls_arena *a)
{
    struct dls_problem p = support_generate("sphere-packing", "across=2 layers=2", a);
    struct dls_rng g = dls_rng_seed(11);
    p.mu_2 = DLS_NEW(a, double, p.contacts);
    for (int k = 0; k < p.contacts; k++)
        p.mu_2[k] = p.mu[k] * (0.3 + 1.5 * dls_rng_real(&g));
    return p;
}

// Solvers of several kinds reach the law that the judge measures in the given units, and
// the answer is not that of round cones.
static void solvers(void **state)
{
    (void)state;
    static const char *const names[] = {"pgs", "newton", "ipm", "auto"};
    struct dls_arena a = {0};
    struct dls_problem p = anisotropic(&a), round = p;
    struct dls_settings settings = dls_settings_default();
    struct dls_stats stats;
    double *r = DLS_NEW(&a, double, p.m);
    settings.tol = 1e-8;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < p.m; i++) r[i] = 0;
        dls_solve(dls_solver_find(names[k]), NULL, &p, &settings, r, &stats);
        assert_int_equal(stats.status, DLS_OK);
        // The gap is an energy: over the energy of q, linear in what is missed.
        assert_true(stats.measures.bipotential < 1e-6);
        assert_true(stats.measures.cone_excess < 1e-8 && stats.measures.slip > 0);
    }
    round.mu_2 = NULL;
    settings.max_iter = 1;
    settings.check_every = 1;
    dls_solve(dls_solver_find("pgs"), NULL, &round, &settings, r, &stats);
    assert_true(stats.status == DLS_MAX_ITER); // far from it
    dls_solve(dls_solver_find("uzawa-acd2"), NULL, &p, NULL, r, &stats);
    assert_int_equal(stats.status, DLS_UNSUPPORTED);
    dls_arena_free(&a);
}

static double merit(const struct dls_problem *p, const double *r, struct dls_arena *a)
{
    struct dls_judge *judge;
    struct dls_measures m;
    assert_int_equal(dls_judge_create(&judge, p, a, NULL), DLS_OK);
    dls_judge_measure(judge, r, &m);
    dls_judge_destroy(judge);
    return m.merit;
}

// Merit does not change with units, so it is that of the round problem, for whatever r.
static void merits(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = anisotropic(&a), round;
    struct dls_rng g = dls_rng_seed(4);
    double *r = DLS_NEW(&a, double, p.m);
    for (int i = 0; i < p.m; i++) r[i] = i % 3 ? dls_rng_normal(&g) : dls_rng_real(&g);
    double elliptic = merit(&p, r, &a);
    assert_true(dls_ellipse_round(&round, &p, &a));
    dls_ellipse_shrink(&p, r);
    assert_close(merit(&round, r, &a) / elliptic, 1, 1e-12); // sums of some dozen terms
    dls_arena_free(&a);
}

static void files(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = anisotropic(&a), back;
    struct dls_error err = {""};
    char path[64];
    snprintf(path, sizeof path, "/tmp/test-ellipse-%d.hdf5", (int)getpid());
    assert_int_equal(dls_snapshot_write(&p, path, NULL, &err), DLS_OK);
    assert_int_equal(dls_snapshot_read(&back, path, DLS_DAT_GUESS, &a, &err), DLS_OK);
    for (int k = 0; k < p.contacts; k++) assert_close(back.mu_2[k], p.mu_2[k], 0);
    p.mu_2[1] = 0;
    assert_int_equal(dls_problem_check(&p, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, "mu_2"));
    remove(path);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection), cmocka_unit_test(nearly_round),
        cmocka_unit_test(solvers),    cmocka_unit_test(merits),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
