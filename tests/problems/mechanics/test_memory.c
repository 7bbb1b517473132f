// SPDX-License-Identifier: Apache-2.0
// A step takes no memory of its own once a run is under way.
#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"

#include "base/rng.h"

#include "tests/support/support.h"

// Of the sanitizer, which is not in every build.
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *,
                                                                size_t),
                                              void (*on_free)(const volatile void *))
    __attribute__((weak));
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static long mallocs;
static void on_malloc(const volatile void *p, size_t size)
{
    (void)p, (void)size, mallocs++;
}
static void on_free(const volatile void *p) { (void)p; }

enum { BODIES = 12 };

static const struct dls_oscillation shaking = {.omega = 60, .cosine = {0, 5e-3, 0}};

// Disks or boxes on a ground between walls; the ground moves up and down where asked.
static struct dls_rigid *pile(bool boxes, bool shaken, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(2);
    int dim = boxes ? 3 : 2;
    struct dls_rigid *r = dls_rigid_new(dim, BODIES, 3, false, a);
    assert_non_null(r);
    for (int k = 0; k < BODIES; k++) {
        double size = dls_rng_range(&g, 0.4, 0.5);
        dls_vec3 at = {k % 3 + 0.5 + 0.05 * dls_rng_real(&g), k / 3 + 0.5, 0};
        dls_vec3 edges = {2 * size, 2 * size, 2 * size};
        if (boxes)
            dls_rigid_body(r, dls_body_box(1, edges, at), dls_shape_box(edges));
        else
            dls_rigid_body(r, dls_body_disk(size * size, size, at),
                           dls_shape_ball(size));
    }
    struct dls_plane ground = {.n = {0, 1, 0}};
    if (shaken) ground.motion = dls_motion_oscillation, ground.data = &shaking;
    dls_rigid_plane(r, ground);
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = {3.1, 0, 0}, .n = {-1, 0, 0}});
    r->gravity.y = -9.81;
    r->law.mu = 0.4;
    return r;
}

static void open(struct dls_sim *sim, struct dls_rigid *r, const char *solver,
                 struct dls_arena *a)
{
    struct dls_setup setup = dls_setup_default("moreau", 5e-3);
    double *q = DLS_NEW(a, double, r->system.nq), *v = DLS_NEW(a, double, r->system.n);
    setup.solver = dls_solver_find(solver);
    setup.settings.tol = 1e-6;
    setup.settings.max_iter = 50;
    dls_rigid_state(r, q, v);
    assert_int_equal(dls_sim_open(sim, &r->system, &setup, q, v, a), DLS_OK);
}

static void step(struct dls_sim *sim, int steps)
{
    struct dls_error err;
    for (int k = 0; k < steps; k++) assert_int_equal(dls_sim_step(sim, &err), DLS_OK);
}

static bool hooked(void)
{
    if (__sanitizer_install_malloc_and_free_hooks) return true;
    print_message("this build has no sanitizer that counts\n");
    return false;
}

// At rest the contacts do not change, and neither does the memory that a step needs.
static void test_no_malloc(void **state)
{
    (void)state;
    if (!hooked()) skip();
    static const char *const solvers[] = {"pgs", "pgs-bodies"};
    for (int k = 0; k < 4; k++) {
        struct dls_arena a = {0};
        struct dls_sim sim;
        struct dls_rigid *r = pile(k / 2, false, &a);
        open(&sim, r, solvers[k % 2], &a);
        step(&sim, 600); // 3 s: it has come to rest
        long before = mallocs;
        step(&sim, 200);
        assert_true(sim.last.problem.contacts > BODIES);
        assert_int_equal(mallocs, before);
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

// A pile that never rests has ever other numbers of contacts, but they come again.
static void test_ten_thousand_steps(void **state)
{
    (void)state;
    if (!hooked()) skip();
    struct dls_arena a = {0};
    struct dls_sim sim;
    struct dls_rigid *r = pile(false, true, &a);
    open(&sim, r, "pgs-bodies", &a);
    step(&sim, 2000);
    long before = mallocs;
    size_t bytes = __sanitizer_get_current_allocated_bytes();
    step(&sim, 8000);
    long more = (long)__sanitizer_get_current_allocated_bytes() - (long)bytes;
    print_message("%ld allocations, %ld bytes in 8000 steps, %ld lists\n",
                  mallocs - before, more, r->near.builds);
    // A number of contacts that is met for the first time takes a block of each of the
    // arrays of a step, about 60, once.
    assert_true(mallocs - before < 200);
    assert_true(more < 100000);
    assert_true(r->near.builds > 10); // things do move
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

int main(void)
{
    if (__sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_malloc),
        cmocka_unit_test(test_ten_thousand_steps),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
