// SPDX-License-Identifier: Apache-2.0
// Mechanical systems and schemes: rows of H against differences of gaps, tangents
// against differences of forces, rotations, orders of the schemes on smooth motion, the
// energy ledger, warm starts, and memory that runs out anywhere.
#include "problems/examples/example.h"
#include "problems/mechanics/bar.h"
#include "problems/mechanics/rigid.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

static struct dls_asked asked(void)
{
    struct dls_asked a = {.scale = 1, .setup = dls_setup_default("moreau", 0)};
    a.setup.scheme = NULL;
    return a;
}

// Runs a trial that must succeed.
static void run(const struct dls_trial *trial)
{
    struct dls_arena arena = {0};
    struct dls_error err = {""};
    struct dls_asked with = asked();
    enum dls_status status = dls_trial_run(trial, &with, &arena, &err);
    if (status) print_message("%s: %s\n", trial->scheme, err.text);
    assert_int_equal(status, DLS_OK);
    dls_arena_free(&arena);
}

// --- rows of H -----------------------------------------------------------------------

static void sway(double t, const void *data, struct dls_drive *d)
{
    (void)data;
    d->to.at = (dls_vec3){0.1 * sin(3 * t), 0.2 * sin(2 * t), 0.05 * t};
    d->velocity = (dls_vec3){0.3 * cos(3 * t), 0.4 * cos(2 * t), 0.05};
}

static struct dls_rigid *tumbling(int dim, struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(dim, 3, 2, false, a);
    assert_non_null(r);
    for (int k = 0; k < 3; k++) {
        dls_vec3 edges = {0.6, 0.4, dim == 3 ? 0.3 : 0};
        struct dls_body b = dls_body_box(2, (dls_vec3){0.6, 0.4, 0.3},
                                         (dls_vec3){0.3 * k, 0.2 + 0.1 * k, 0.1 * k});
        if (dim == 2) b.at.z = 0;
        b.v = (dls_vec3){0.5, -0.3 * k, 0.2};
        b.spin = (dls_vec3){dim == 3, 0.7 * (dim == 3), -1.3};
        dls_rigid_body(r, b, k ? dls_shape_ball(0.2) : dls_shape_box(edges));
        r->angle[k] = 0.4 * k + 0.3;
    }
    dls_vec3 n = dim == 3 ? (dls_vec3){0.48, 0.6, 0.64} : (dls_vec3){0.6, 0.8, 0};
    dls_rigid_plane(r, (struct dls_plane){.n = n, .motion = sway});
    dls_rigid_plane(r, (struct dls_plane){.point = {0, 3, 0}, .n = {0, -1, 0}});
    return r;
}

// d gap / dt along the motion is the normal row H v + w_ob.
static void test_rows_are_rates_of_gaps(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct dls_arena arena = {0};
        struct dls_rigid *r = tumbling(dim, &arena);
        const struct dls_system *s = &r->system;
        double q[21], v[18], t = 0.3, eps = 1e-6;
        dls_rigid_state(r, q, v);
        struct dls_contacts now, ahead, behind;
        assert_true(dls_system_contacts(s, t, q, 1e9, &now, &arena));
        dls_system_move(s, eps, v, q);
        assert_true(dls_system_contacts(s, t + eps, q, 1e9, &ahead, &arena));
        dls_system_move(s, -2 * eps, v, q);
        assert_true(dls_system_contacts(s, t - eps, q, 1e9, &behind, &arena));
        struct dls_csr *H = dls_contacts_rows(&now, s, &arena);
        double *u = dls_copy(&arena, now.w_ob, (size_t)(now.count * s->d), sizeof *u);
        dls_csr_add(H, 1, v, u);
        // Corners and balls on two planes, three pairs of bodies.
        assert_int_equal(now.count, (dim == 3 ? 8 : 4) * 2 + 2 * 2 + 3);
        for (int k = 0; k < now.count; k++) {
            assert_true(now.all[k].id == ahead.all[k].id);
            double rate = (ahead.all[k].gap - behind.all[k].gap) / (2 * eps);
            // Differences of order eps^2 = 1e-12 and rounding 1e-16 / eps.
            assert_close(u[k * s->d], rate, 1e-8);
        }
        dls_arena_free(&arena);
    }
}

// The tangents of the bar against differences of its forces; linear, so exact.
static void test_tangent_of_bar(void **state)
{
    (void)state;
    struct dls_arena arena = {0};
    struct dls_bar b = {
        .elements = 4, .length = 2, .section = 0.5, .young = 7, .density = 3};
    dls_bar_open(&b);
    double q[] = {0.1, -0.2, 0.3, 0, 0.5}, v[5] = {0}, F[5], G[5];
    struct dls_entries K = {.arena = &arena}, C = {.arena = &arena};
    b.system.tangent(&b.system, 0, q, v, &K, &C);
    struct dls_csr *A = dls_entries_close(&K, 5, 5, &arena);
    for (int j = 0; j < 5; j++) {
        double moved[5], column[5] = {0}, unit[5] = {0};
        memcpy(moved, q, sizeof q);
        moved[j] += 1;
        unit[j] = 1;
        b.system.force(&b.system, 0, q, v, F);
        b.system.force(&b.system, 0, moved, v, G);
        dls_csr_add(A, -1, unit, column);
        for (int i = 0; i < 5; i++) assert_close(G[i] - F[i], column[i], 1e-13);
    }
    struct dls_csr *M = dls_system_mass(&b.system, q, &arena);
    for (int i = 0; i < 5; i++) v[i] = 1;
    assert_close(dls_kinetic_energy(M, v), 0.5 * dls_bar_mass(&b), 1e-14);
    dls_arena_free(&arena);
}

// --- rotations -----------------------------------------------------------------------

// A torque-free top keeps its angular momentum in space to the order of the scheme, and
// the ledger books what the explicit gyroscopic term adds to the energy.
static void test_free_top(void **state)
{
    (void)state;
    struct dls_arena arena = {0};
    struct dls_rigid *r = dls_rigid_new(3, 1, 0, false, &arena);
    struct dls_body top = {.mass = 1, .inertia = {1, 2, 3}, .spin = {0.3, 2, -0.4}};
    dls_rigid_body(r, top, dls_shape_ball(1));
    double q[7], v[6], drift[3], h[3];
    dls_rigid_state(r, q, v);
    for (int k = 0; k < 3; k++) {
        double q_end[7], v_end[6];
        struct dls_kept kept = {.q = q_end, .v = v_end};
        h[k] = 0.02 / (1 << k);
        run(&(struct dls_trial){&r->system, "moreau", q, v, h[k], 2, dls_trial_keep,
                                &kept});
        struct dls_pose p = dls_rigid_pose(r, q_end, 0);
        double L[] = {v_end[3], 2 * v_end[4], 3 * v_end[5]};
        dls_vec3 now = {0, 0, 0}, start = {0.3, 4, -1.2};
        for (int i = 0; i < 3; i++)
            now = dls_vec3_add(now, dls_vec3_scale(L[i], p.axis[i]));
        drift[k] = dls_vec3_norm(dls_vec3_sub(now, start));
        double gained = kept.ledger.kinetic - kept.ledger.kinetic_start;
        assert_close(gained, kept.ledger.gyroscopic, 1e-12); // it is the only item
        assert_true(fabs(gained) > 1e-6);                    // and not zero
    }
    assert_close(dls_order_fit(3, h, drift), 1, 0.2); // spin taken at the step's start
    dls_arena_free(&arena);
}

static void test_constant_spin_turns_exactly(void **state)
{
    (void)state;
    struct dls_arena arena = {0};
    struct dls_rigid *r = dls_rigid_new(3, 1, 0, false, &arena);
    dls_rigid_body(r, dls_body_sphere(1, 1, (dls_vec3){0}), dls_shape_ball(1));
    double q[] = {0, 0, 0, 1, 0, 0, 0}, v[] = {0, 0, 0, 0, 0, 0.5 * acos(-1)};
    for (int k = 0; k < 10; k++) dls_system_move(&r->system, 0.1, v, q);
    struct dls_pose p = dls_rigid_pose(r, q, 0);
    assert_close(p.axis[0].y, 1, 1e-14); // a quarter turn about z
    assert_close(p.axis[1].x, -1, 1e-14);
    dls_arena_free(&arena);
}

// --- orders on smooth motion ---------------------------------------------------------

static void spring(const struct dls_system *s, double t, const double *q,
                   const double *v, double *F)
{
    (void)s, (void)t, (void)v;
    F[0] = -4 * q[0];
}

static void spring_tangent(const struct dls_system *s, double t, const double *q,
                           const double *v, struct dls_entries *K,
                           struct dls_entries *C)
{
    (void)s, (void)t, (void)q, (void)v, (void)C;
    dls_entries_add(K, 0, 0, 4);
}

static double end_error(const struct dls_system *s, const char *scheme, double h)
{
    double q = 1, v = 0, end = 0;
    struct dls_kept kept = {.q = &end};
    run(&(struct dls_trial){s, scheme, &q, &v, h, 1, dls_trial_keep, &kept});
    return fabs(end - cos(2.0));
}

static void test_orders_without_contact(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        double order;
    } rows[] = {
        {"moreau", 2},          {"acd2", 2},
        {"theta", 2},           {"theta:theta=1", 1},
        {"schatzman-paoli", 1}, // the first step of v_0 is of order 1
        {"alpha", 2},           {"alpha:kind=newmark", 2},
        {"alpha:kind=hht", 2},  {"alpha:kind=newmark:gamma=1:beta=0.5", 1},
    };
    struct dls_system s = {.n = 1,
                           .nq = 1,
                           .d = 1,
                           .mass = dls_unit_mass,
                           .force = spring,
                           .tangent = spring_tangent};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double h[3], error[3];
        for (int i = 0; i < 3; i++) {
            h[i] = 0.02 / (1 << i);
            error[i] = end_error(&s, rows[k].scheme, h[i]);
        }
        double order = dls_order_fit(3, h, error);
        if (!(fabs(order - rows[k].order) < 0.15)) // smooth, so close to the number
            print_message("%s: order %g, not %g\n", rows[k].scheme, order,
                          rows[k].order);
        assert_close(order, rows[k].order, 0.15);
    }
    assert_true(end_error(&s, "event", 0.1) < 1e-11); // the integrator's tolerance
}

// --- moving obstacle, warm start -----------------------------------------------------

static const struct dls_ramp conveyor = {.velocity = {1, 0, 0}};

struct belt {
    struct dls_ledger ledger;
    double speed;
    long first, later; // iterations of the first step, and of all others together
};

static void watch(const struct dls_sim *sim, void *data)
{
    struct belt *b = data;
    b->ledger = sim->ledger;
    b->speed = sim->v[0];
    *(sim->steps == 1 ? &b->first : &b->later) += sim->last.iterations;
}

// A block put on a belt slides until it has its speed: friction heat v^2 / 2 per unit
// mass, the belt pays twice that.
static void test_belt_pays_and_starts_are_warm(void **state)
{
    (void)state;
    struct dls_arena arena = {0};
    struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, &arena);
    dls_vec3 edges = {1, 0.2, 0};
    dls_rigid_body(r, dls_body_box(5, (dls_vec3){1, 0.2, 1}, (dls_vec3){0, 0.1, 0}),
                   dls_shape_box(edges));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0},
                                          .motion = dls_motion_ramp,
                                          .data = &conveyor});
    r->gravity.y = -10;
    r->law.mu = 0.5;
    double q[3], v[3];
    struct belt belt = {{0}, 0, 0, 0};
    dls_rigid_state(r, q, v);
    run(&(struct dls_trial){&r->system, "moreau", q, v, 1e-3, 0.5, watch, &belt});
    assert_close(belt.speed, 1, 1e-10);
    assert_close(belt.ledger.kinetic, 0.5, 1e-10);
    assert_close(belt.ledger.tangential, -0.5, 1e-6); // h^2 g mu of the last slide
    assert_close(belt.ledger.obstacles, 1, 1e-6);
    assert_close(belt.ledger.defect, 0, 1e-12);
    // 500 steps; started from zero each would take as many sweeps as the first.
    assert_true(belt.first > 2);
    assert_true(belt.later < 500 * belt.first / 2);
    dls_arena_free(&arena);
}

// --- every scheme on every example ---------------------------------------------------

// Packings are settled by a run before they start, and Gauss-Seidel takes minutes to 1e-12
// on masonry. Their balances are among their own checks.
static bool takes_minutes(const struct dls_example *e)
{
    static const char *const masonry[] = {"bridge", "column", "wall"};
    for (size_t k = 0; k < sizeof masonry / sizeof *masonry; k++)
        if (!strcmp(e->name, masonry[k])) return true;
    return e->packs || e->may_fall_short > 0;
}

// Ten steps of each other example with each scheme: the momentum balance explains the energy
// to rounding, or the scheme says that it does not take the system.
static void test_ledger_closes_everywhere(void **state)
{
    (void)state;
    int ran = 0, bad = 0;
    for (const struct dls_example *const *e = dls_examples; *e; e++)
        for (const struct dls_scheme *const *s = dls_schemes; *s; s++) {
            if (takes_minutes(*e)) continue;
            struct dls_arena arena = {0};
            struct dls_error err = {""};
            struct dls_asked with = asked();
            struct dls_scene scene;
            struct dls_kept kept = {0};
            void *options = dls_alloc(&arena, 1, (*e)->options_size);
            dls_option_defaults((*e)->options, options);
            with.options = options;
            if ((*e)->solver) with.setup.solver = dls_solver_find((*e)->solver);
            assert_int_equal((*e)->make(&scene, &with, &arena, &err), DLS_OK);
            struct dls_trial trial = {scene.system,   (*s)->name, scene.q,
                                      scene.v,        scene.h,    10 * scene.h,
                                      dls_trial_keep, &kept};
            enum dls_status status = dls_trial_run(&trial, &with, &arena, &err);
            bool closes = kept.ledger.worst_defect < 1e-9; // pgs at 1e-12, M^ stiff
            if ((status && status != DLS_UNSUPPORTED) || (!status && !closes))
                print_message("%s, %s: %s, defect %g, %s\n", (*e)->name, (*s)->name,
                              dls_status_name(status), kept.ledger.worst_defect,
                              err.text);
            bad += status ? status != DLS_UNSUPPORTED : !closes;
            ran += !status;
            dls_arena_free(&arena);
        }
    assert_int_equal(bad, 0);
    assert_true(ran > 100);
}

// The k-th allocation fails, k = 1, 2, ...: an honest status, nothing leaks.
static void test_out_of_memory(void **state)
{
    (void)state;
    const struct dls_example *e = dls_example_find("two-balls");
    for (const struct dls_scheme *const *s = dls_schemes; *s; s++) {
        enum dls_status status = DLS_ENOMEM;
        long k = 1;
        for (; status == DLS_ENOMEM && k < 5000; k++) {
            struct dls_arena arena = {.fail_at = k};
            struct dls_asked with = asked();
            struct dls_scene scene;
            double options[16];
            dls_option_defaults(e->options, options);
            with.options = options;
            status = e->make(&scene, &with, &arena, NULL);
            struct dls_trial trial = {scene.system, (*s)->name, scene.q, scene.v,
                                      0.3,          0.3,        NULL,    NULL};
            if (!status) status = dls_trial_run(&trial, &with, &arena, NULL);
            dls_arena_free(&arena);
        }
        if (status) print_message("%s: %s\n", (*s)->name, dls_status_name(status));
        assert_int_equal(status, DLS_OK);
        assert_true(k > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_rates_of_gaps),
        cmocka_unit_test(test_tangent_of_bar),
        cmocka_unit_test(test_free_top),
        cmocka_unit_test(test_constant_spin_turns_exactly),
        cmocka_unit_test(test_orders_without_contact),
        cmocka_unit_test(test_belt_pays_and_starts_are_warm),
        cmocka_unit_test(test_ledger_closes_everywhere),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
