// SPDX-License-Identifier: Apache-2.0
// Grains that are laid down or dropped during a run: where and when they come, that they
// leave below the bottom, and that a state tells who was there.
#define _POSIX_C_SOURCE 200809L // mkstemp
#include "problems/preparation/deposit.h"
#include "problems/preparation/place.h"
#include "problems/preparation/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"

enum { GRAINS = 16 };

static struct dls_rigid *grains(int dim, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(3);
    struct dls_pavement p = {3, 0.25, 0.5};
    struct dls_rigid *r =
        dls_rigid_new(dim, GRAINS, dls_pavement_room(&p, dim), false, a);
    double radius[GRAINS];
    dls_random_radii(GRAINS, 0.25, 0.5, &g, radius);
    dls_pave(r, &p, &g);
    for (int k = 0; k < GRAINS; k++)
        dls_rigid_body(r,
                       dim == 2 ? dls_body_disk(radius[k], radius[k], (dls_vec3){0})
                                : dls_body_sphere(1, radius[k], (dls_vec3){0}),
                       dls_shape_ball(radius[k]));
    *(dim == 2 ? &r->gravity.y : &r->gravity.z) = -981;
    r->law.mu = 0.4;
    return r;
}

static void open(struct dls_sim *sim, const struct dls_rigid *r, struct dls_arena *a)
{
    struct dls_setup setup = dls_setup_default("moreau", 5e-4);
    double none[1] = {0};
    setup.solver = dls_solver_find("pgs-bodies");
    setup.settings.tol = 1e-6;
    setup.settings.max_iter = 200;
    assert_int_equal(dls_sim_open(sim, &r->system, &setup, none, none, a), DLS_OK);
}

// The least gap of a body to all others and to the ground, by all pairs.
static double least_gap(const struct dls_rigid *r, const double *q, int body)
{
    dls_vec3 at = dls_rigid_pose(r, q, body).at;
    double own = r->shape[body].radius, least = INFINITY;
    for (int k = 0; k < r->bodies; k++) {
        double away = dls_vec3_norm(dls_vec3_sub(dls_rigid_pose(r, q, k).at, at));
        if (k != body) least = fmin(least, away - own - r->shape[k].radius);
    }
    for (int k = 0; k < r->obstacles; k++) {
        double away = dls_vec3_norm(dls_vec3_sub(r->obstacle[k].pose.at, at));
        least = fmin(least, away - own - r->obstacle[k].shape.radius);
    }
    return least;
}

// A rule that looks at what the deposit did.
static int came;

static void watch(struct dls_rigid *r, struct dls_present *p, const void *data,
                  void *state)
{
    const struct dls_deposit *d = data;
    struct dls_deposit_state *s = state;
    int before = s->next;
    dls_deposit_rule(r, p, d, s);
    if (s->next == before) return;
    assert_int_equal(s->next, before + 1);
    int last = dls_rigid_find(r, before), dof = r->dim == 2 ? 3 : 6;
    dls_vec3 at = dls_rigid_pose(r, p->q, last).at;
    const double *v = p->v + last * dof;
    double off = r->dim == 2 ? fabs(at.x) : hypot(at.x, at.y);
    double gap = least_gap(r, p->q, last);
    // On time: at the first step behind k / rate, unless its place was taken.
    assert_true(p->t >= before / d->rate && p->t < before / d->rate + 2e-2);
    assert_true(off <= d->width);
    if (d->lowered) {
        assert_true(fabs(gap) < 1e-13);  // touches, and overlaps nobody
        for (int k = 0; k < last; k++) { // none that falls
            dls_vec3 x = dls_rigid_pose(r, p->q, k).at;
            double away = dls_vec3_norm(dls_vec3_sub(x, at)) - r->shape[k].radius;
            if (away - r->shape[last].radius < 1e-13)
                assert_true(-p->v[k * dof + r->dim - 1] <= 0.5 * d->speed);
        }
        for (int i = 0; i < dof; i++) assert_true(v[i] == 0);
    } else {
        assert_true(gap > 0);
        assert_true(v[r->dim - 1] == -d->speed && v[0] == 0);
    }
    came++;
}

static void test_places(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct dls_arena a = {0};
        struct dls_sim sim;
        struct dls_error err = {""};
        struct dls_rigid *r = grains(2 + k % 2, &a);
        struct dls_deposit d = {.rate = 100,
                                .width = 0.8,
                                .lowered = k < 2,
                                .speed = k < 2 ? 2 : 25,
                                .above = 1,
                                .bottom = -5};
        struct dls_deposit_state s = {dls_rng_seed(4), 0, 0};
        assert_true(dls_rigid_populate(r, 0, watch, &d, &s, sizeof s));
        open(&sim, r, &a);
        came = 0;
        while (sim.t < 0.17) assert_int_equal(dls_sim_step(&sim, &err), DLS_OK);
        assert_int_equal(came, GRAINS);
        assert_int_equal(r->bodies, GRAINS);
        assert_true(sim.worst_penetration < 0.06);
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

// Grains come beside the pavement, fall, and leave; a state has those that are there.
static void test_leaving(void **state)
{
    (void)state;
    char path[] = "/tmp/delassus-deposit-XXXXXX";
    int file = mkstemp(path), number[GRAINS], count;
    assert_true(file >= 0);
    close(file);
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_error err = {""};
    struct dls_rigid *r = grains(2, &a), *again = grains(2, &a);
    struct dls_deposit_state s, t;
    struct dls_deposit d = {
        .rate = 100, .width = 6, .speed = 25, .above = 0.5, .bottom = -1};
    assert_true(dls_deposit_begin(r, &d, &s, 5));
    open(&sim, r, &a);
    while (sim.t < 0.3) assert_int_equal(dls_sim_step(&sim, &err), DLS_OK);
    assert_true(r->bodies > 3 && r->bodies < GRAINS - 3);
    for (int k = 0; k < r->bodies; k++) assert_true(sim.q[3 * k + 1] > -1.1);
    assert_int_equal(dls_state_write(&sim, path, &err), DLS_OK);
    assert_int_equal(dls_state_read_some(again, path, number, &count, &err), DLS_OK);
    assert_int_equal(count, r->bodies);
    for (int k = 0; k < count; k++) {
        assert_int_equal(number[k], dls_rigid_number(r, k));
        assert_true(again->body[number[k]].at.x == sim.q[3 * k]);
    }
    assert_int_equal(dls_state_read(again, path, &err), DLS_EINVAL); // not of all
    assert_true(dls_deposit_begin(again, &d, &t, 5));
    assert_true(dls_rigid_there(again, count, number));
    assert_int_equal(again->bodies, count);
    double *q = DLS_NEW(&a, double, again->system.nq);
    double *v = DLS_NEW(&a, double, again->system.n);
    dls_rigid_state(again, q, v);
    assert_memory_equal(q, sim.q, (size_t)again->system.nq * sizeof *q);
    assert_memory_equal(v, sim.v, (size_t)again->system.n * sizeof *v);
    dls_sim_close(&sim);
    dls_arena_free(&a);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_leaving),
    };
    return cmocka_run_group_tests_name("deposit", tests, NULL, NULL);
}
