// SPDX-License-Identifier: Apache-2.0
// Formulas of the schemes, one by one: restitution of rolling rows, the metric of the
// position correction, the work of smooth joint forces.
#include "problems/examples/example.h"
#include "problems/mechanics/scheme.h"

#include "formulations/judge/energy.h"

#include <math.h>

#include "tests/support/support.h"

// Runs a system for some steps; what is left is in *sim. Close it.
static void run(struct dls_sim *sim, const struct dls_system *s, const char *scheme,
                double h, int steps, const double *q, const double *v,
                struct dls_arena *a)
{
    struct dls_error err = {""};
    struct dls_setup setup = dls_setup_default("moreau", h);
    assert_int_equal(dls_setup_scheme(&setup, scheme, a, &err), DLS_OK);
    assert_int_equal(dls_sim_open(sim, s, &setup, q, v, a), DLS_OK);
    for (int k = 0; k < steps; k++)
        if (dls_sim_step(sim, &err)) fail_msg("%s: %s", scheme, err.text);
}

// --- restitution of rolling rows ------------------------------------------------------

// The energy of the last step's problem closes: w = w_ob + E u^- with the E of the judge.
static void rolling_rows_have_no_restitution(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau", "acd2"};
    const struct dls_example *e = dls_example_find("rolling");
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct dls_asked with = {.scale = 1, .setup = dls_setup_default("moreau", 0)};
        struct dls_scene scene;
        struct dls_sim sim;
        void *options = dls_alloc(&a, 1, e->options_size);
        dls_option_defaults(e->options, options);
        with.options = options;
        assert_int_equal(e->make(&scene, &with, &a, NULL), DLS_OK);
        run(&sim, scene.system, schemes[k], scene.h, 5, scene.q, scene.v, &a);
        const struct dls_step *last = &sim.last;
        assert_true(last->problem.rolling && last->problem.contacts);
        struct dls_judge *judge;
        struct dls_measures m;
        struct dls_energy energy;
        assert_int_equal(dls_judge_create(&judge, &last->problem, &a, NULL), DLS_OK);
        dls_judge_measure(judge, last->r, &m);
        dls_energy_measure(&energy, &last->problem, judge, last->r, NULL);
        // A dozen terms: round-off below 1e-14 of the kinetic energy.
        assert_close(energy.defect, 0, 1e-14 * energy.kinetic_minus);
        dls_judge_destroy(judge);
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

// --- position correction with damping -------------------------------------------------

// Two masses 2 and 3, springs K and dampers C between them and to the wall; the first
// one meets an obstacle at 0.
static const double K[2][2] = {{50, -20}, {-20, 30}};

static double damping; // times {{4, -3}, {-3, 5}}

static double C(int i, int j)
{
    static const double unit[2][2] = {{4, -3}, {-3, 5}};
    return damping * unit[i][j];
}

static void masses(const struct dls_system *s, const double *q, struct dls_entries *M)
{
    (void)s, (void)q;
    dls_entries_add(M, 0, 0, 2);
    dls_entries_add(M, 1, 1, 3);
}

static void springs(const struct dls_system *s, double t, const double *q,
                    const double *v, double *F)
{
    (void)s, (void)t;
    for (int i = 0; i < 2; i++) {
        F[i] = 0;
        for (int j = 0; j < 2; j++) F[i] -= K[i][j] * q[j] + C(i, j) * v[j];
    }
}

static void tangents(const struct dls_system *s, double t, const double *q,
                     const double *v, struct dls_entries *to_K,
                     struct dls_entries *to_C)
{
    (void)s, (void)t, (void)q, (void)v;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            dls_entries_add(to_K, i, j, K[i][j]);
            dls_entries_add(to_C, i, j, C(i, j));
        }
}

static void obstacle(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)s, (void)t;
    int row = dls_contacts_add(c, (struct dls_contact){.other = -1, .gap = q[0]}, NULL);
    if (row >= 0) dls_entries_add(&c->H, row, 0, 1);
}

// U = q' - q - h v - h^2 ((1/2 - beta) a + beta a'), from two steps of the run.
static void position_jump(double U[2])
{
    struct dls_system s = {.n = 2,
                           .nq = 2,
                           .d = 1,
                           .mass = masses,
                           .force = springs,
                           .tangent = tangents,
                           .contacts = obstacle};
    struct dls_arena a = {0};
    struct dls_sim sim;
    double q[] = {0.01, 0.1}, v[] = {-1, 0.5}, h = 0.05, a_0[2];
    struct dls_setup setup = dls_setup_default("moreau", h);
    assert_int_equal(dls_setup_scheme(&setup, "alpha:kind=newmark", &a, NULL), DLS_OK);
    assert_int_equal(dls_sim_open(&sim, &s, &setup, q, v, &a), DLS_OK);
    for (int i = 0; i < 2; i++) a_0[i] = sim.memory[i];
    struct dls_error err = {""};
    if (dls_sim_step(&sim, &err)) fail_msg("%s", err.text);
    for (int i = 0; i < 2; i++)
        U[i] =
            sim.q[i] - q[i] - h * v[i] - h * h * (0.25 * a_0[i] + 0.25 * sim.memory[i]);
    assert_close(sim.q[0], 0, 1e-14); // the obstacle holds
    dls_sim_close(&sim);
    dls_arena_free(&a);
}

// D U = H_N^T nu with D = M + h/2 C: the second mass feels no force of the obstacle.
static void position_correction_keeps_its_metric(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double U[2], h = 0.05;
        damping = k;
        position_jump(U);
        assert_true(U[0] > 1e-3); // the correction is not small
        double second = (3 + 0.5 * h * C(1, 1)) * U[1] + 0.5 * h * C(1, 0) * U[0];
        // The passes settle to 1e-13 of velocities of size 1.
        assert_close(second, 0, 1e-11);
    }
}

// --- smooth joint forces --------------------------------------------------------------

static void weight(const struct dls_system *s, double t, const double *q,
                   const double *v, double *F)
{
    (void)s, (void)t, (void)q, (void)v;
    F[0] = -2;
}

// q = 1 - cos t: the joint pulls the mass.
static void pull(const struct dls_system *s, double t, const double *q,
                 struct dls_entries *G, double *g, double *b)
{
    (void)s;
    dls_entries_add(G, 0, 0, 1);
    g[0] = q[0] - (1 - cos(t));
    b[0] = -sin(t);
}

// A mass that weighs 2 is pulled along q = 1 - cos t. At t = 1 its weight has done the
// work -2 q and the joint the rest of the kinetic energy sin(t)^2 / 2.
static void joints_do_their_own_work(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        double h, error; // O(h^2), and O(h) for moreau; event differences b over 1e-3 h
    } rows[] = {{"alpha", 0.01, 1e-3}, {"event", 0.5, 1e-6}, {"moreau", 0.01, 2e-2}};
    struct dls_system s = {.n = 1,
                           .nq = 1,
                           .d = 1,
                           .joints = 1,
                           .mass = dls_unit_mass,
                           .force = weight,
                           .joint = pull};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct dls_sim sim;
        double zero = 0, end = 1 - cos(1.0);
        run(&sim, &s, rows[k].scheme, rows[k].h, (int)lround(1 / rows[k].h), &zero,
            &zero, &a);
        const struct dls_ledger *l = &sim.ledger;
        assert_close(l->external, -2 * end, rows[k].error);
        assert_close(l->joints, 2 * end + 0.5 * sin(1.0) * sin(1.0), rows[k].error);
        assert_close(l->defect, 0, 1e-12);
        dls_sim_close(&sim);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling_rows_have_no_restitution),
        cmocka_unit_test(position_correction_keeps_its_metric),
        cmocka_unit_test(joints_do_their_own_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
