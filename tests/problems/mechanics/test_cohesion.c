// SPDX-License-Identifier: Apache-2.0
// Glue as a law of contacts: damage and energies of the law, what a bond does to a step
// problem, refusals, restarts. Closed forms of whole motions: the example glued-blocks.
#define _POSIX_C_SOURCE 200809L // mkstemp
#include "problems/mechanics/checkpoint.h"
#include "problems/mechanics/population.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"

static const struct dls_cohesion glue = {.normal = 50, .tangential = 20, .energy = 2};

// Two blocks on a table, all glued, the upper one thrown obliquely and turning.
static struct dls_rigid *blocks(int dim, struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(dim, 2, 1, false, a);
    bool flat = dim == 2;
    dls_vec3 up = {0, flat, !flat};
    for (int k = 0; k < 2; k++) {
        struct dls_body b =
            dls_body_box(1, (dls_vec3){1, 1, 1}, dls_vec3_scale(0.5 + k, up));
        if (k) b.v = dls_vec3_add((dls_vec3){2, 0, 0}, dls_vec3_scale(4, up));
        if (k) b.spin = (dls_vec3){flat ? 0 : 1, 0, 1};
        dls_rigid_body(r, b, dls_shape_box((dls_vec3){1, 1, flat ? 0 : 1}));
    }
    dls_rigid_plane(r, (struct dls_plane){.n = up});
    r->gravity = dls_vec3_scale(-9.81, up);
    r->law = (struct dls_law){.mu = 0.5, .cohesion = &glue};
    dls_rigid_glue(r);
    return r;
}

static enum dls_status open(struct dls_sim *sim, const struct dls_rigid *r,
                            const char *scheme, struct dls_arena *a)
{
    struct dls_setup setup = dls_setup_default(scheme, 1e-3);
    double *q = DLS_NEW(a, double, r->system.nq), *v = DLS_NEW(a, double, r->system.n);
    dls_rigid_state(r, q, v);
    return dls_sim_open(sim, &r->system, &setup, q, v, a);
}

static void steps(struct dls_sim *sim, int count)
{
    struct dls_error err = {""};
    for (int k = 0; k < count; k++) assert_int_equal(dls_sim_step(sim, &err), DLS_OK);
}

// At a fixed opening viscous damage relaxes: beta = w/y + (1 - w/y) exp(-y t / b).
static void test_relaxation(void **state)
{
    (void)state;
    struct dls_cohesion viscous = glue;
    viscous.viscosity = 3;
    double u[] = {0.3, 0.2, 0.1}, beta = 1, h = 1e-5, lost = 0;
    double y = dls_cohesion_drive(&viscous, 3, u), rest = viscous.energy / y;
    assert_close(y, 50 * 0.09 + 20 * 0.05, 1e-15);
    for (int k = 0; k < 100000; k++) {
        double next = dls_cohesion_damage(&viscous, beta, y, h);
        lost += dls_cohesion_lost(&viscous, (double[]){beta, next}, (double[]){y, y});
        beta = next;
    }
    assert_close(beta, rest + (1 - rest) * exp(-y / 3), y * h); // implicit Euler
    assert_close(lost, dls_cohesion_stored(1, y) - dls_cohesion_stored(beta, y), 1e-9);
}

// Pressing is not resisted by glue, and damages nothing.
static void test_pressed(void **state)
{
    (void)state;
    double u[] = {-10, 0}, R[2];
    assert_true(dls_cohesion_drive(&glue, 2, u) == 0);
    dls_cohesion_force(&glue, 1, 2, u, R);
    assert_true(R[0] == 0 && R[1] == 0);
    assert_true(dls_cohesion_damage(&glue, 1, 0, 1e-3) == 1);
}

// The step problem stays one of Coulomb: f has the glue, contacts a smaller friction.
static void test_step_problem(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_rigid *r = blocks(2, &a);
    assert_int_equal(open(&sim, r, "moreau", &a), DLS_OK);
    assert_int_equal(sim.bonds.count, 4);
    steps(&sim, 1);
    const struct dls_problem *p = &sim.last.problem;
    assert_true(p->contacts >= 2);
    for (int k = 0; k < p->contacts; k++) assert_true(p->mu[k] == 0); // all is whole
    // f = M v^- + h F + glue
    double load[6] = {0, -9.81e-3, 0, 0, -9.81e-3, 0};
    for (int i = 0; i < 6; i++) {
        double f = p->M->x[i] * p->v_minus[i] + load[i] + sim.last.glue[i];
        assert_close(p->f[i], f, 1e-15);
        assert_close(p->hF[i], load[i] + sim.last.glue[i], 1e-15);
    }
    // Opposite on the upper block, which is thrown, and on the lower one.
    assert_true(sim.last.glue[4] < 0 && sim.last.glue[1] > 0);
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

// T, V, stored and lost energy and the works add up, in the plane and in space.
static void test_books(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena a = {0};
        struct dls_sim sim;
        assert_int_equal(open(&sim, blocks(dim, &a), "moreau", &a), DLS_OK);
        steps(&sim, 300);
        const struct dls_ledger *l = &sim.ledger;
        double works = l->normal + l->tangential + l->external + l->obstacles
                       + l->gyroscopic + l->cohesion;
        assert_true(l->cohesion_lost > 1);
        assert_close(l->kinetic - l->kinetic_start, works, 1e-11);
        // Order 2 in the opening of a step over that of the peak: (5e-3 / 0.2)^2 = 6e-4.
        double glued = l->cohesion + l->cohesion_stored + l->cohesion_lost;
        assert_true(fabs(glued) < 6e-4 * l->cohesion_lost);
        assert_true(l->worst_defect < 1e-9);
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

// Stopped and resumed, another run that was opened the same way gives the same bits.
static void test_restart(void **state)
{
    (void)state;
    char path[] = "/tmp/dls_cohesion_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena a = {0};
        struct dls_error err = {""};
        struct dls_sim whole, resumed;
        struct dls_checkpoint c = {.title = "cohesion"};
        assert_int_equal(open(&whole, blocks(dim, &a), "moreau", &a), DLS_OK);
        steps(&whole, 60);
        assert_int_equal(dls_checkpoint_write(&whole, &c, path, &err), DLS_OK);
        steps(&whole, 60);
        assert_int_equal(open(&resumed, blocks(dim, &a), "moreau", &a), DLS_OK);
        assert_int_equal(dls_checkpoint_read(&resumed, &c, path, &err), DLS_OK);
        steps(&resumed, 60);
        size_t bonds = (size_t)whole.bonds.count * sizeof *whole.bonds.all;
        const struct dls_system *s = whole.system;
        assert_true(whole.bonds.all[whole.bonds.count - 1].beta < 1);
        assert_int_equal(whole.bonds.count, resumed.bonds.count);
        assert_memory_equal(whole.bonds.all, resumed.bonds.all, bonds);
        assert_memory_equal(whole.q, resumed.q, (size_t)s->nq * sizeof *whole.q);
        assert_memory_equal(&whole.ledger, &resumed.ledger, sizeof whole.ledger);
        dls_sim_close(&whole);
        dls_sim_close(&resumed);
        dls_arena_free(&a);
    }
    unlink(path);
}

// Schemes that do not know bonds say so; bodies that come and go are not glued.
static void test_refused(void **state)
{
    (void)state;
    static const char *const refuse[] = {"alpha", "event"};
    static const char *const take[] = {"theta", "schatzman-paoli", "acd2"};
    struct dls_arena a = {0};
    struct dls_sim sim;
    for (int k = 0; k < 2; k++) {
        struct dls_error err = {""};
        assert_int_equal(open(&sim, blocks(2, &a), refuse[k], &a), DLS_OK);
        assert_int_equal(dls_sim_step(&sim, &err), DLS_UNSUPPORTED);
        assert_non_null(strstr(err.text, "glued"));
        dls_sim_close(&sim);
    }
    for (int k = 0; k < 3; k++) {
        assert_int_equal(open(&sim, blocks(2, &a), take[k], &a), DLS_OK);
        steps(&sim, 10);
        assert_true(sim.ledger.cohesion < 0);
        dls_sim_close(&sim);
    }
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relaxation),   cmocka_unit_test(test_pressed),
        cmocka_unit_test(test_step_problem), cmocka_unit_test(test_books),
        cmocka_unit_test(test_restart),      cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
