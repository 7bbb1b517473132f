// SPDX-License-Identifier: Apache-2.0
// What a run makes once and what it makes in every step: judges and factors of M. Calls are
// counted by the linker's --wrap.
#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"

#include "formulations/parts/inertia.h"

#include "base/rng.h"

#include "tests/support/support.h"

static long judges, factors;

enum dls_status __real_dls_judge_create(struct dls_judge **, const struct dls_problem *,
                                        struct dls_arena *, struct dls_error *);
enum dls_status __wrap_dls_judge_create(struct dls_judge **out,
                                        const struct dls_problem *p,
                                        struct dls_arena *a, struct dls_error *err);
enum dls_status __wrap_dls_judge_create(struct dls_judge **out,
                                        const struct dls_problem *p,
                                        struct dls_arena *a, struct dls_error *err)
{
    judges++;
    return __real_dls_judge_create(out, p, a, err);
}

enum dls_status __real_dls_inertia_take(struct dls_inertia **,
                                        const struct dls_problem *, struct dls_arena *,
                                        struct dls_error *);
enum dls_status __wrap_dls_inertia_take(struct dls_inertia **out,
                                        const struct dls_problem *p,
                                        struct dls_arena *a, struct dls_error *err);
enum dls_status __wrap_dls_inertia_take(struct dls_inertia **out,
                                        const struct dls_problem *p,
                                        struct dls_arena *a, struct dls_error *err)
{
    factors += !p->inertia;
    return __real_dls_inertia_take(out, p, a, err);
}

// Disks that fall on a ground between two walls.
static struct dls_rigid *pile(struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(2);
    struct dls_rigid *r = dls_rigid_new(2, 40, 3, false, a);
    for (int k = 0; k < 40; k++) {
        double radius = dls_rng_range(&g, 0.4, 0.5);
        dls_vec3 at = {k % 5 + 0.5 + 0.05 * dls_rng_real(&g), k / 5 + 0.5, 0};
        dls_rigid_body(r, dls_body_disk(radius * radius, radius, at),
                       dls_shape_ball(radius));
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = {5.1, 0, 0}, .n = {-1, 0, 0}});
    r->gravity.y = -9.81;
    r->law.mu = 0.4;
    return r;
}

static void run(struct dls_sim *sim, const char *solver, int steps, struct dls_arena *a)
{
    struct dls_rigid *r = pile(a);
    struct dls_setup setup = dls_setup_default("moreau", 5e-3);
    setup.solver = dls_solver_find(solver);
    setup.settings.max_iter = 20;
    double *q = DLS_NEW(a, double, r->system.nq), *v = DLS_NEW(a, double, r->system.n);
    dls_rigid_state(r, q, v);
    assert_int_equal(dls_sim_open(sim, &r->system, &setup, q, v, a), DLS_OK);
    for (int k = 0; k < steps; k++) {
        struct dls_error err;
        assert_int_equal(dls_sim_step(sim, &err), DLS_OK);
    }
}

// One judge a step, and no factor of an M that is constant.
static void test_made_once(void **state)
{
    (void)state;
    const char *solver[] = {"pgs-bodies", "pgs"};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct dls_sim sim;
        judges = factors = 0;
        run(&sim, solver[k], 60, &a);
        assert_true(sim.last.problem.contacts > 20);
        assert_int_equal(judges, 60);
        assert_int_equal(factors, 0);
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_once),
    };
    return cmocka_run_group_tests_name("standing", tests, NULL, NULL);
}
