// SPDX-License-Identifier: Apache-2.0
// Several threads give the bits of one: detection, judge, assembly and sweeps.
#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"

#include "formulations/delassus.h"
#include "formulations/parts/frames.h"

#include "base/rng.h"

#include <string.h>

#include "tests/support/support.h"

// Enough bodies and contacts for every loop to be shared (base/threads.h, stages.h).
enum { EDGE = 10, HIGH = 11, BODIES = EDGE * EDGE * HIGH, STEPS = 2, SWEEPS = 2 };

enum kind { SPHERES, DISKS, BOXES };

// Grains on a lattice, each of which overlaps its neighbours by a little.
static struct dls_rigid *make(enum kind kind, struct dls_arena *a)
{
    int dim = kind == DISKS ? 2 : 3, bodies = kind == DISKS ? 2 * BODIES : BODIES;
    struct dls_rng g = dls_rng_seed(3);
    struct dls_rigid *r = dls_rigid_new(dim, bodies, 2, false, a);
    assert_non_null(r);
    for (int k = 0; k < bodies; k++) {
        dls_vec3 at = {k % EDGE + 1e-3 * dls_rng_real(&g),
                       k / EDGE % EDGE + 1e-3 * dls_rng_real(&g), k / EDGE / EDGE};
        if (dim == 2) at = (dls_vec3){k % 40 + 1e-3 * dls_rng_real(&g), k / 40, 0};
        double size = 1 + 5e-3 * dls_rng_real(&g);
        dls_vec3 edges = {size, size, size};
        if (kind == SPHERES)
            dls_rigid_body(r, dls_body_sphere(1, 0.5 * size, at),
                           dls_shape_ball(0.5 * size));
        else if (kind == DISKS)
            dls_rigid_body(r, dls_body_disk(1, 0.5 * size, at),
                           dls_shape_ball(0.5 * size));
        else
            dls_rigid_body(r, dls_body_box(1, edges, at), dls_shape_box(edges));
    }
    dls_vec3 up = {0, dim == 2, dim == 3};
    dls_rigid_plane(r, (struct dls_plane){.point = dls_vec3_scale(-0.5, up), .n = up});
    dls_rigid_plane(r, (struct dls_plane){.point = {-0.5, 0, 0}, .n = {1, 0, 0}});
    r->gravity = dls_vec3_scale(-9.81, up);
    r->law.mu = 0.4;
    return r;
}

struct end {
    double *q, *v;
    int contacts;
    struct dls_measures measures;
    double kinetic;
};

static struct end run(const char *solver, enum kind kind, int threads,
                      struct dls_arena *a)
{
    struct dls_rigid *r = make(kind, a);
    struct dls_setup setup = dls_setup_default("moreau", 1e-3);
    struct dls_error err;
    setup.solver = dls_solver_find(solver);
    setup.threads = threads;
    setup.settings.max_iter = SWEEPS;
    setup.settings.check_every = DLS_CHECK_LAST;
    struct end end = {
        .q = DLS_NEW(a, double, r->system.nq),
        .v = DLS_NEW(a, double, r->system.n),
    };
    struct dls_sim sim;
    dls_rigid_state(r, end.q, end.v);
    assert_int_equal(dls_sim_open(&sim, &r->system, &setup, end.q, end.v, a), DLS_OK);
    for (int k = 0; k < STEPS; k++) assert_int_equal(dls_sim_step(&sim, &err), DLS_OK);
    memcpy(end.q, sim.q, (size_t)r->system.nq * sizeof *end.q);
    memcpy(end.v, sim.v, (size_t)r->system.n * sizeof *end.v);
    end.contacts = sim.last.problem.contacts;
    end.measures = sim.last.measures;
    end.kinetic = sim.ledger.kinetic;
    dls_sim_close(&sim);
    assert_true(end.contacts >= 2000);
    return end;
}

static bool same(const struct end *a, const struct end *b, int nq, int n)
{
    return !memcmp(a->q, b->q, (size_t)nq * sizeof *a->q)
           && !memcmp(a->v, b->v, (size_t)n * sizeof *a->v)
           && a->contacts == b->contacts && a->measures.natural == b->measures.natural
           && a->measures.merit == b->measures.merit
           && a->measures.angle == b->measures.angle
           && a->measures.momentum == b->measures.momentum
           && a->measures.slip == b->measures.slip && a->kinetic == b->kinetic;
}

// The same run by 1, 2 and 4 threads; and a run that does not speak of threads visits
// the contacts in another order, else nothing was tested.
static void compare(const char *solver, enum kind kind)
{
    struct dls_arena a = {0};
    int bodies = kind == DISKS ? 2 * BODIES : BODIES;
    int nq = (kind == DISKS ? 3 : 7) * bodies, n = (kind == DISKS ? 3 : 6) * bodies;
    struct end one = run(solver, kind, 1, &a);
    for (int threads = 2; threads <= 4; threads += 2) {
        struct end more = run(solver, kind, threads, &a);
        assert_true(same(&one, &more, nq, n));
    }
    struct end given = run(solver, kind, 0, &a);
    assert_false(same(&one, &given, nq, n));
    dls_arena_free(&a);
}

static void test_spheres(void **state) { (void)state, compare("pgs-bodies", SPHERES); }
static void test_disks(void **state) { (void)state, compare("pgs-bodies", DISKS); }
static void test_boxes(void **state) { (void)state, compare("pgs-bodies", BOXES); }
static void test_rows_of_w(void **state) { (void)state, compare("pgs", SPHERES); }

// Detection, the judge and W do not depend on threads at all.
static void test_all_but_sweeps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rigid *r = make(BOXES, &a);
    double *q = DLS_NEW(&a, double, r->system.nq),
           *v = DLS_NEW(&a, double, r->system.n);
    struct dls_contacts alone = dls_contacts_open(&r->system, 1e-3, &a), shared = alone;
    dls_rigid_state(r, q, v);
    shared.threads = 3;
    for (int repeat = 0; repeat < 2; repeat++) { // there is too little room at first
        shared = dls_contacts_open(&r->system, 1e-3, &a);
        shared.threads = 3;
        assert_true(dls_contacts_find(&shared, &r->system, 0, q));
    }
    assert_true(dls_contacts_find(&alone, &r->system, 0, q));
    assert_int_equal(alone.count, shared.count);
    for (int k = 0; k < alone.count; k++) {
        assert_true(alone.all[k].id == shared.all[k].id);
        assert_memory_equal(&alone.frame[k].arm, &shared.frame[k].arm,
                            sizeof alone.frame[k].arm);
        assert_memory_equal(alone.w_ob + 3 * k, shared.w_ob + 3 * k, 24);
    }
    struct dls_frames f = dls_contacts_frames(&alone, &r->system);
    struct dls_problem p = {
        .contacts = alone.count,
        .d = 3,
        .m = 3 * alone.count,
        .n = r->system.n,
        .mu = DLS_NEW(&a, double, alone.count),
        .M = dls_system_mass(&r->system, q, &a),
        .H = dls_frames_rows(&f, &a),
        .f = DLS_NEW(&a, double, r->system.n),
        .w = DLS_NEW(&a, double, 3 * alone.count),
    };
    struct dls_delassus one, three;
    assert_int_equal(dls_delassus_build(&one, &p, &a, NULL), DLS_OK);
    p.threads = 3;
    assert_int_equal(dls_delassus_build(&three, &p, &a, NULL), DLS_OK);
    assert_memory_equal(one.W->x, three.W->x,
                        (size_t)one.W->p[one.W->rows] * 9 * sizeof *one.W->x);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres),        cmocka_unit_test(test_disks),
        cmocka_unit_test(test_boxes),          cmocka_unit_test(test_rows_of_w),
        cmocka_unit_test(test_all_but_sweeps),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
