// SPDX-License-Identifier: Apache-2.0
// Bodies that come and go: the same bits as a fixed population where that is the same
// thing, books that close, restarts, identities.
#define _POSIX_C_SOURCE 200809L // mkstemp
#include "problems/mechanics/checkpoint.h"
#include "problems/mechanics/population.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"

enum { GRAINS = 12 };

// A mill: a grain is dropped every `every` steps on a slope between walls; below the
// slope it goes, and comes again when all others have come.
struct mill {
    long every;
    double bottom; // a grain below it goes
};
struct mill_state {
    int next;
};

static double height(const struct dls_rigid *r, const struct dls_present *p, int body)
{
    return p->q[body * (r->dim == 2 ? 3 : 7) + r->dim - 1];
}

static void turn_mill(struct dls_rigid *r, struct dls_present *p, const void *data,
                      void *state)
{
    const struct mill *m = data;
    struct mill_state *s = state;
    for (int k = r->bodies - 1; k >= 0; k--)
        if (height(r, p, k) < m->bottom) dls_rigid_leave(r, p, dls_rigid_number(r, k));
    if (p->step % m->every || dls_rigid_find(r, s->next) >= 0) return;
    dls_vec3 at = {0.1 * (s->next % 3), 0, 0}, v = {0};
    *(r->dim == 2 ? &at.y : &at.z) = 4;
    *(r->dim == 2 ? &v.y : &v.z) = -4; // off before the next one comes
    dls_rigid_enter(r, p, s->next, at, v);
    s->next = (s->next + 1) % GRAINS;
}

static void nobody(struct dls_rigid *r, struct dls_present *p, const void *data,
                   void *state)
{
    (void)r, (void)p, (void)data, (void)state;
}

static struct dls_rigid *grains(int dim, struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(dim, GRAINS, 2, false, a);
    for (int k = 0; k < GRAINS; k++) {
        double radius = 0.3 + 0.02 * k;
        dls_vec3 at = {0.7 * (k % 3), 0, 0};
        *(dim == 2 ? &at.y : &at.z) = 2 + 1.1 * k;
        dls_rigid_body(r,
                       dim == 2 ? dls_body_disk(radius * radius, radius, at)
                                : dls_body_sphere(1, radius, at),
                       dls_shape_ball(radius));
    }
    dls_vec3 up = {0.6, dim == 2 ? 0.8 : 0, dim == 3 ? 0.8 : 0};
    dls_rigid_plane(r, (struct dls_plane){.n = up});
    *(dim == 2 ? &r->gravity.y : &r->gravity.z) = -9.81;
    r->law.mu = 0.3;
    return r;
}

static void open(struct dls_sim *sim, const struct dls_rigid *r, struct dls_arena *a)
{
    struct dls_setup setup = dls_setup_default("moreau", 5e-3);
    double *q = DLS_NEW(a, double, r->system.nq), *v = DLS_NEW(a, double, r->system.n);
    setup.solver = dls_solver_find("pgs-bodies");
    setup.settings.tol = 1e-10;
    dls_rigid_state(r, q, v);
    assert_int_equal(dls_sim_open(sim, &r->system, &setup, q, v, a), DLS_OK);
}

static void steps(struct dls_sim *sim, int count)
{
    struct dls_error err = {""};
    for (int k = 0; k < count; k++) assert_int_equal(dls_sim_step(sim, &err), DLS_OK);
}

static void assert_same(const struct dls_sim *a, const struct dls_sim *b)
{
    const struct dls_system *s = a->system;
    assert_int_equal(s->nq, b->system->nq);
    assert_memory_equal(a->q, b->q, (size_t)s->nq * sizeof *a->q);
    assert_memory_equal(a->v, b->v, (size_t)s->n * sizeof *a->v);
    assert_memory_equal(&a->ledger, &b->ledger, sizeof a->ledger);
    assert_int_equal(a->warm.count, b->warm.count);
    for (int k = 0; k < a->warm.count; k++)
        assert_true(a->warm.all[k].id == b->warm.all[k].id);
}

// All are there from the start: nothing must differ from bodies that always are.
static void test_all_there(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena a = {0};
        struct dls_sim fixed, free;
        struct dls_rigid *r = grains(dim, &a);
        assert_true(dls_rigid_populate(r, GRAINS, nobody, NULL, NULL, 0));
        open(&fixed, grains(dim, &a), &a);
        open(&free, r, &a);
        steps(&fixed, 200);
        steps(&free, 200);
        assert_true(fixed.last.problem.contacts > 0);
        assert_same(&fixed, &free);
        dls_sim_close(&fixed);
        dls_sim_close(&free);
        dls_arena_free(&a);
    }
}

static const struct mill mill = {40, -1.5};

// Energy: T = T_start + T_brought + works, V = V_start + V_brought - work of gravity,
// which are sums of some thousand numbers of the size of the largest.
static void assert_books(const struct dls_ledger *l)
{
    double works = l->normal + l->tangential + l->external + l->obstacles
                   + l->gyroscopic + l->joints + l->inertia + l->defect;
    double kinetic = l->kinetic_start + l->kinetic_brought + works;
    double potential = l->potential_start + l->potential_brought - l->external;
    double size = fabs(l->external) + fabs(l->potential_brought);
    assert_true(size > 10);
    assert_true(fabs(l->kinetic - kinetic) < 1e-12 * size);
    assert_true(fabs(l->potential - potential) < 1e-12 * size);
    assert_true(fabs(l->inertia) < 1e-12 * size); // none of it hides there
    assert_true(l->worst_defect < 1e-9);          // ten times the tolerance of a step
}

static void test_books(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena a = {0};
        struct dls_sim sim;
        struct mill_state next = {0};
        struct dls_rigid *r = grains(dim, &a);
        assert_true(dls_rigid_populate(r, 0, turn_mill, &mill, &next, sizeof next));
        assert_int_equal(r->system.n, 0);
        open(&sim, r, &a);
        int most = 0, gone = 0;
        for (int k = 0; k < 600; k++) {
            int before = r->bodies;
            steps(&sim, 1);
            most = r->bodies > most ? r->bodies : most;
            gone += r->bodies < before;
            for (int i = 1; i < r->bodies; i++)
                assert_true(dls_rigid_number(r, i - 1) < dls_rigid_number(r, i));
        }
        assert_true(most > 3 && gone > 3); // they do come and go
        // Nobody is run through, also not by one that has just come: at most the way
        // of one step at sqrt(16 + 2 g 5.5) m/s.
        assert_true(sim.worst_penetration < 0.056);
        assert_books(&sim.ledger);
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

// Cut in the middle, between comings and goings: the same bits.
static void test_restart(void **state)
{
    (void)state;
    char path[] = "/tmp/delassus-population-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int cut = 300; cut < 420; cut += 37) {
        struct dls_arena a = {0};
        struct dls_sim whole, resumed;
        struct dls_error err = {""};
        struct mill_state state_of[2] = {{0}, {0}};
        struct dls_rigid *r[2];
        struct dls_checkpoint c = {.title = "mill"};
        for (int k = 0; k < 2; k++) {
            r[k] = grains(3, &a);
            assert_true(dls_rigid_populate(r[k], 0, turn_mill, &mill, &state_of[k],
                                           sizeof state_of[k]));
        }
        open(&whole, r[0], &a);
        steps(&whole, cut);
        assert_int_equal(dls_checkpoint_write(&whole, &c, path, &err), DLS_OK);
        open(&resumed, r[1], &a);
        steps(&resumed, 55); // whatever it has done before
        assert_int_equal(dls_checkpoint_read(&resumed, &c, path, &err), DLS_OK);
        assert_same(&whole, &resumed);
        steps(&whole, 200);
        steps(&resumed, 200);
        assert_int_equal(r[0]->bodies, r[1]->bodies);
        for (int k = 0; k < r[0]->bodies; k++)
            assert_int_equal(dls_rigid_number(r[0], k), dls_rigid_number(r[1], k));
        assert_same(&whole, &resumed);
        dls_sim_close(&whole);
        dls_sim_close(&resumed);
        dls_arena_free(&a);
    }
    unlink(path);
}

// Three lie side by side; the first goes.
static void first_goes(struct dls_rigid *r, struct dls_present *p, const void *data,
                       void *state)
{
    (void)state;
    if (p->step >= *(const long *)data) dls_rigid_leave(r, p, 0);
}

static void test_identity(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sim sim;
    const long when = 5;
    int tag[] = {7, 8, 9};
    struct dls_rigid *r = dls_rigid_new(2, 3, 1, false, &a);
    for (int k = 0; k < 3; k++)
        dls_rigid_body(
            r, dls_body_disk(1, 0.5 + 0.1 * k, (dls_vec3){2 * k, 0.5 + 0.1 * k, 0}),
            dls_shape_ball(0.5 + 0.1 * k));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->gravity.y = -9.81;
    r->tag = tag;
    assert_true(dls_rigid_populate(r, 3, first_goes, &when, NULL, 0));
    open(&sim, r, &a);
    steps(&sim, 5);
    uint64_t id[] = {sim.last.contact[1].id, sim.last.contact[2].id};
    steps(&sim, 1);
    assert_int_equal(r->bodies, 2);
    assert_int_equal(sim.last.problem.contacts, 2);
    for (int k = 0; k < 2; k++) {
        assert_true(sim.last.contact[k].id == id[k]);
        assert_int_equal(sim.last.contact[k].body, k); // the place is another one
        assert_int_equal(r->tag[k], 8 + k);
        assert_float_equal(r->shape[k].radius, 0.6 + 0.1 * k, 1e-15);
    }
    // The start of the solver was the answer: the impulse of the same contact.
    assert_int_equal(sim.last.iterations, 0);
    assert_int_equal(dls_rigid_find(r, 0), -1);
    assert_int_equal(dls_rigid_find(r, 2), 1);
    assert_int_equal(dls_rigid_all(r), 3);
    assert_int_equal(dls_rigid_made(r, 0).tag, 7);
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

// Nobody is there: time goes on, and a step may come to nobody again.
static void test_nobody(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_rigid *r = grains(2, &a);
    const long when = 3;
    assert_true(dls_rigid_populate(r, 1, first_goes, &when, NULL, 0));
    open(&sim, r, &a);
    steps(&sim, 8);
    assert_int_equal(r->system.n, 0);
    assert_float_equal(sim.t, 8 * 5e-3, 1e-15);
    assert_int_equal(sim.steps, 8);
    assert_float_equal(sim.ledger.kinetic, 0, 0);
    assert_float_equal(sim.ledger.kinetic_brought, -0.5 * 0.09 * pow(9.81 * 0.015, 2),
                       1e-12);
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

// What a run holds does not grow with the number of those who came.
static void test_memory(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct mill_state next = {0};
    struct dls_rigid *r = grains(2, &a);
    assert_true(dls_rigid_populate(r, 0, turn_mill, &mill, &next, sizeof next));
    open(&sim, r, &a);
    steps(&sim, 1500);
    size_t bytes = a.peak;
    steps(&sim, 3000);
    // A crowded step that was not met before may take a little more.
    assert_true(a.peak <= bytes + bytes / 10);
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_there), cmocka_unit_test(test_books),
        cmocka_unit_test(test_restart),   cmocka_unit_test(test_identity),
        cmocka_unit_test(test_nobody),    cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("population", tests, NULL, NULL);
}
