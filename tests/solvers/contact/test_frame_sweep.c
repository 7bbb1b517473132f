// SPDX-License-Identifier: Apache-2.0
// Frames stand for the rows of H, in every product and in every sweep.
#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"

#include "formulations/parts/frames.h"
#include "formulations/parts/inertia.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

// A loose heap in the plane or in space: balls alone, or balls, boxes and cylinders, with
// overlaps, moving and spinning, on a ground that moves.
static void belt(double t, const void *data, struct dls_drive *d)
{
    (void)data;
    d->velocity = (dls_vec3){0.3, 0, 0};
    d->to.at = dls_vec3_scale(t, d->velocity);
}

static struct dls_rigid *heap(int dim, bool mixed, int bodies, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(5);
    struct dls_rigid *r = dls_rigid_new(dim, bodies, 1, false, a);
    double edge = 0.45 * pow(bodies, 1.0 / dim);
    for (int k = 0; k < bodies; k++) {
        dls_vec3 at = {dls_rng_range(&g, -edge, edge), dls_rng_range(&g, 0, 2 * edge),
                       dim == 3 ? dls_rng_range(&g, -edge, edge) : 0};
        double radius = dls_rng_range(&g, 0.4, 0.6);
        struct dls_body b = dim == 3 ? dls_body_sphere(1, radius, at)
                                     : dls_body_disk(radius * radius, radius, at);
        struct dls_shape s = dls_shape_ball(radius);
        if (mixed && k % 2) {
            dls_vec3 edges = {1, 0.6, dim == 3 ? 0.8 : 1};
            b = dls_body_box(1, edges, at);
            if (dim == 2) edges.z = 0;
            s = dls_shape_box(edges);
        }
        b.v = (dls_vec3){dls_rng_normal(&g), dls_rng_normal(&g),
                         dim == 3 ? dls_rng_normal(&g) : 0};
        b.spin = (dls_vec3){dim == 3 ? dls_rng_normal(&g) : 0,
                            dim == 3 ? dls_rng_normal(&g) : 0, dls_rng_normal(&g)};
        r->angle[dls_rigid_body(r, b, s)] = dls_rng_range(&g, -3, 3);
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}, .motion = belt});
    r->gravity.y = -9.81;
    r->law = (struct dls_law){.mu = 0.4, .e_n = 0.3, .e_t = 0.1};
    return r;
}

// One step of it with pgs-bodies, whose problem comes as frames.
static void open_step(struct dls_sim *sim, const struct dls_rigid *r, long sweeps,
                      struct dls_arena *a)
{
    struct dls_setup setup = dls_setup_default("moreau", 1e-3);
    struct dls_error err;
    setup.solver = dls_solver_find("pgs-bodies");
    setup.settings.max_iter = sweeps;
    double *q = DLS_NEW(a, double, r->system.nq), *v = DLS_NEW(a, double, r->system.n);
    dls_rigid_state(r, q, v);
    assert_int_equal(dls_sim_open(sim, &r->system, &setup, q, v, a), DLS_OK);
    assert_int_equal(dls_sim_step(sim, &err), DLS_OK);
    assert_non_null(sim->last.problem.frames);
    assert_null(sim->last.problem.H);
}

static void random_vector(struct dls_rng *g, int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = dls_rng_normal(g);
}

// Sums of at most 12 products of numbers of order 1, for each of some contacts of a body.
static const double rounding = 1e-13;

static void test_products(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    for (int kind = 0; kind < 4; kind++) {
        struct dls_arena a = {0};
        struct dls_sim sim;
        open_step(&sim, heap(2 + kind % 2, kind / 2, 60, &a), 1, &a);
        struct dls_problem frames = sim.last.problem, rows = frames;
        assert_true(frames.contacts > 30);
        assert_true(dls_problem_rows(&rows, &a));
        int n = rows.n, m = rows.m, d = rows.d;
        double *v = DLS_NEW(&a, double, n), *r = DLS_NEW(&a, double, m);
        double *u[2] = {DLS_NEW(&a, double, m), DLS_NEW(&a, double, m)};
        double *f[2] = {DLS_NEW(&a, double, n), DLS_NEW(&a, double, n)};
        double *work = DLS_NEW(&a, double, n), W[2][9];
        random_vector(&g, n, v), random_vector(&g, m, r);
        const struct dls_problem *p[2] = {&frames, &rows};
        for (int i = 0; i < 2; i++) {
            dls_problem_map(p[i], v, kind % 3 ? r : NULL, u[i]); // r as any w
            dls_problem_add_transposed(p[i], 0.7, r, f[i]);
        }
        for (int i = 0; i < m; i++) assert_close(u[0][i], u[1][i], rounding);
        for (int i = 0; i < n; i++) assert_close(f[0][i], f[1][i], 10 * rounding);
        for (int k = 0; k < rows.contacts; k++) {
            dls_frames_diagonal(frames.frames, sim.inertia->diagonal, k, W[0]);
            dls_inertia_diagonal(sim.inertia, &rows, k, work, W[1]);
            for (int i = 0; i < d * d; i++)
                assert_close(W[0][i], W[1][i], 100 * rounding); // masses of order 0.1
        }
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

// Sweeps over frames, in closed form where all is round, against sweeps over the blocks of
// H with the solver of one contact, and against pgs on W.
static void test_sweeps(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        struct dls_arena a = {0};
        struct dls_sim sim;
        open_step(&sim, heap(2 + kind % 2, kind / 2, 60, &a), 1, &a);
        struct dls_problem frames = sim.last.problem, rows = frames;
        assert_true(dls_problem_rows(&rows, &a));
        rows.frames = NULL;
        const struct {
            const char *solver;
            const struct dls_problem *p;
        } run[] = {{"pgs-bodies", &frames}, {"pgs-bodies", &rows}, {"pgs", &rows}};
        double *r[3], scale = 0;
        for (int i = 0; i < 3; i++) {
            struct dls_settings settings = dls_settings_default();
            struct dls_stats stats;
            settings.tol = 1e-300;
            settings.max_iter = 8;
            settings.check_every = DLS_CHECK_LAST;
            r[i] = DLS_NEW(&a, double, rows.m);
            assert_int_equal(dls_solve(dls_solver_find(run[i].solver), NULL, run[i].p,
                                       &settings, r[i], &stats),
                             DLS_MAX_ITER);
        }
        for (int i = 0; i < rows.m; i++) scale = fmax(scale, fabs(r[1][i]));
        assert_true(scale > 0);
        // Eight sweeps carry rounding on by a small factor; the exact solver of one
        // contact stops at 1e-14 of the direction of slip.
        for (int i = 0; i < rows.m; i++) {
            assert_close(r[0][i], r[1][i], 1e-11 * scale);
            assert_close(r[0][i], r[2][i], 1e-11 * scale);
        }
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

// Any solver takes a problem that gives frames alone.
static void test_any_solver(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sim sim;
    open_step(&sim, heap(2, false, 20, &a), 1, &a);
    const struct dls_problem *p = &sim.last.problem;
    double *r = DLS_NEW(&a, double, p->m);
    struct dls_stats stats;
    assert_int_equal(dls_solve(dls_solver_find("pgs"), NULL, p, NULL, r, &stats),
                     DLS_OK);
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_any_solver),
    };
    return cmocka_run_group_tests_name("frame_sweep", tests, NULL, NULL);
}
