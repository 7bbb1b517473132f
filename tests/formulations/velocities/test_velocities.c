// SPDX-License-Identifier: Apache-2.0
// The owner of the velocities behind W: what it says is true, and a run asks the pattern
// of W once, whoever needs the answer. Calls are counted by the linker's --wrap.
#include "solvers/solver.h"

#include "formulations/velocities/body_graph.h"
#include "formulations/velocities/recover.h"
#include "formulations/velocities/velocities.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

static int graphs, recoveries;

enum dls_status __real_dls_body_graph_build(struct dls_body_graph *,
                                            const struct dls_bsr *, struct dls_arena *);
enum dls_status __wrap_dls_body_graph_build(struct dls_body_graph *,
                                            const struct dls_bsr *, struct dls_arena *);
enum dls_status __wrap_dls_body_graph_build(struct dls_body_graph *g,
                                            const struct dls_bsr *W,
                                            struct dls_arena *a)
{
    graphs++;
    return __real_dls_body_graph_build(g, W, a);
}

enum dls_status __real_dls_recover(struct dls_recovered *, const struct dls_bsr *,
                                   const struct dls_body_graph *, struct dls_arena *);
enum dls_status __wrap_dls_recover(struct dls_recovered *, const struct dls_bsr *,
                                   const struct dls_body_graph *, struct dls_arena *);
enum dls_status __wrap_dls_recover(struct dls_recovered *out, const struct dls_bsr *W,
                                   const struct dls_body_graph *g, struct dls_arena *a)
{
    recoveries++;
    return __real_dls_recover(out, W, g, a);
}

// The same problem with W and q in place of the bodies.
static struct dls_problem without_bodies(const struct dls_problem *p,
                                         struct dls_arena *a)
{
    struct dls_delassus f;
    assert_int_equal(dls_delassus_build(&f, p, a, NULL), DLS_OK);
    struct dls_problem local = {
        .contacts = p->contacts,
        .d = p->d,
        .m = p->m,
        .mu = p->mu,
        .W = dls_bsr_to_csr(f.W, a),
        .q = (double *)f.q,
        .time = NAN,
        .step = NAN,
    };
    return local;
}

static volatile sig_atomic_t all_worked;

// Ends a run of auto when everybody who wants velocities has had a turn.
static void listen(const struct dls_progress *p, void *data)
{
    (void)data;
    const char *note = p->stats->work.note;
    all_worked =
        strstr(note, "m/n") && strstr(note, "homotopy") && strstr(note, "prox-newton");
}

static enum dls_status run(const char *solver, const struct dls_problem *p,
                           const struct dls_settings *settings, struct dls_arena *a)
{
    struct dls_stats stats;
    double *r = DLS_NEW(a, double, p->m);
    graphs = recoveries = 0;
    return dls_solve(dls_solver_find(solver), NULL, p, settings, r, &stats);
}

// auto wants m / n, proximal Newton and the homotopy want velocities: with a tolerance that
// nobody reaches all of them come to work.
static void one_graph_a_run(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_settings settings = dls_settings_default();
    struct dls_problem p = support_generate("brick-wall-3d", "courses=3 bricks=3", &a);
    struct dls_problem local = without_bodies(&p, &a);
    settings.tol = 1e-30;
    settings.monitor = listen;
    settings.cancel = &all_worked;
    all_worked = 0;
    assert_int_equal(run("auto", &local, &settings, &a), DLS_STOPPED);
    assert_int_equal(graphs, 1);
    assert_int_equal(recoveries, 1);
    // Where the file gives the bodies nobody guesses them.
    all_worked = 0;
    assert_int_equal(run("auto", &p, &settings, &a), DLS_STOPPED);
    assert_int_equal(graphs + recoveries, 0);
    dls_arena_free(&a);
}

// Each of those that use velocities, alone; patches take theirs from the whole.
static void one_graph_for_each(void **state)
{
    (void)state;
    static const char *const solvers[] = {"newton", "prox-newton", "ipm", "homotopy",
                                          "schwarz"};
    struct dls_arena a = {0};
    struct dls_settings settings = dls_settings_default();
    struct dls_problem p = support_generate("brick-wall-2d", "courses=4 bricks=4", &a);
    struct dls_problem local = without_bodies(&p, &a);
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        assert_int_equal(run(solvers[k], &local, &settings, &a), DLS_OK);
        assert_int_equal(graphs, 1);
        assert_int_equal(recoveries, 1);
    }
    dls_arena_free(&a);
}

// m / n: of the file; of the bodies that the pattern tells; of nobody.
static void density(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_delassus f;
    struct dls_problem p = support_generate("brick-wall-3d", "courses=3 bricks=3", &a);
    struct dls_problem local = without_bodies(&p, &a);
    int bodies;
    double given, seen, rolls;
    assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
    assert_int_equal(dls_velocities_density(&f, &bodies, &given), DLS_OK);
    assert_int_equal(bodies, 0);
    assert_true(given == (double)p.m / p.n);
    assert_int_equal(dls_delassus_build(&f, &local, &a, NULL), DLS_OK);
    assert_int_equal(dls_velocities_density(&f, &bodies, &seen), DLS_OK);
    assert_int_equal(6 * bodies, p.n);
    assert_true(seen == given);
    local.rolling = true;
    assert_int_equal(dls_velocities_density(&f, &bodies, &rolls), DLS_OK);
    assert_true(bodies == 0 && isnan(rolls));
    dls_arena_free(&a);
}

// The part of a W is what its part of the velocities makes, H_P M_P^-1 H_P^T = W_PP: every
// second contact, with bodies given and recovered. M of a wall is block diagonal.
static void a_part(void **state)
{
    (void)state;
    for (int hidden = 0; hidden < 2; hidden++) {
        struct dls_arena a = {0};
        struct dls_delassus f, g;
        struct dls_velocities *part;
        struct dls_problem p =
            support_generate("brick-wall-3d", "courses=3 bricks=3", &a);
        if (hidden) p = without_bodies(&p, &a);
        assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
        int count = p.contacts / 2, *list = DLS_NEW(&a, int, count);
        for (int c = 0; c < count; c++) list[c] = 2 * c;
        assert_int_equal(dls_velocities_restrict(&part, &f, list, count, &a), DLS_OK);
        struct dls_problem alone = {
            .contacts = count,
            .d = p.d,
            .m = count * p.d,
            .n = part->M->rows,
            .M = (struct dls_csr *)part->M,
            .H = (struct dls_csr *)part->H,
            .f = DLS_NEW(&a, double, part->M->rows),
            .w = DLS_NEW(&a, double, count *p.d),
            .mu = p.mu,
        };
        assert_int_equal(dls_delassus_build(&g, &alone, &a, NULL), DLS_OK);
        double *x = DLS_NEW(&a, double, p.m), *y = DLS_NEW(&a, double, alone.m);
        double *u = DLS_NEW(&a, double, p.m), *v = DLS_NEW(&a, double, alone.m);
        for (int k = 0; k < alone.m; k++) {
            y[k] = cos(k);
            x[list[k / p.d] * p.d + k % p.d] = y[k];
        }
        dls_bsr_multiply(f.W, x, NULL, u);
        dls_bsr_multiply(g.W, y, NULL, v);
        double size = 0;
        for (int k = 0; k < p.m; k++) size = fmax(size, fabs(u[k]));
        for (int k = 0; k < alone.m; k++) // recovered to 1e-11 by promise
            assert_close((v[k] - u[list[k / p.d] * p.d + k % p.d]) / size, 0,
                         hidden ? 1e-11 : 1e-14);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_graph_a_run),
        cmocka_unit_test(one_graph_for_each),
        cmocka_unit_test(density),
        cmocka_unit_test(a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
