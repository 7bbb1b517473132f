// SPDX-License-Identifier: Apache-2.0
// The rate of Gauss-Seidel sweeps at an answer, against closed forms and against the
// eigenvalues of the sweep that the solver pgs itself makes.
#include "solvers/reference/attraction.h"

#include "base/clock.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_refine.h"
#include "tests/support/zoo.h"

// Rates are compared by their logarithms, to what settles them.
static void assert_rate(double found, double expected)
{
    if (!(fabs(log(found / expected)) <= 0.03 * fabs(log(expected))))
        fail_msg("rate %.8g, expected %.8g", found, expected);
}

// The rate at an answer near r, which `b` holds refined.
static struct dls_attraction measure(struct support_bench *b,
                                     const struct dls_problem *p, const double *r)
{
    struct dls_attraction found;
    support_bench_open(b, p);
    support_bench_refine(b, r);
    assert_true(b->extended.natural < 1e-14);
    assert_int_equal(dls_attraction_measure(&found, &b->refinement, &b->work, &b->a),
                     DLS_OK);
    return found;
}

// --- closed forms ---------------------------------------------------------------------

// A heavy disk (M) on a light one (m): W_NN = [1/m, -1/m; -1/m, 1/m + 1/M], and a sweep
// multiplies the error by (1/m)^2 / (1/m (1/m + 1/M)) = M / (M + m).
static void heavy_on_light_is_slow(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        double ratio;
    } cases[] = {{"ratio=1", 1}, {"ratio=10", 10}, {"ratio=1000", 1000}};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct support_bench b;
        struct dls_problem p = support_generate("heavy-on-light", cases[k].options, &a);
        struct dls_attraction found = measure(&b, &p, support_solve(&p, 1e-12, &a));
        assert_true(found.settled);
        assert_rate(found.rate, cases[k].ratio / (cases[k].ratio + 1));
        support_bench_close(&b);
        dls_arena_free(&a);
    }
}

// n equal disks on each other: cos^2(pi / 2n).
static void tall_stacks_are_slow(void **state)
{
    (void)state;
    for (int n = 2; n <= 32; n *= 4) {
        struct dls_arena a = {0};
        struct support_bench b;
        struct dls_problem p = support_generate("stack", dls_text(&a, "n=%d", n), &a);
        struct dls_attraction found = measure(&b, &p, support_solve(&p, 1e-12, &a));
        assert_true(found.settled);
        assert_rate(found.rate, pow(cos(acos(-1) / (2 * n)), 2));
        support_bench_close(&b);
        dls_arena_free(&a);
    }
}

// Two contacts in the plane, each pushed by the other's friction:
//
//     W = [I, C; C^T, I],   C = [0, c; c, 0],   c < 1: positive definite
//
// Both slip forward, r_T = -mu r_N. The normal rows are r_1 - mu c r_2 = -q_N and the
// same with 1 and 2 exchanged, so that a sweep multiplies the error by (mu c)^2.
static void friction_repels(void **state)
{
    (void)state;
    const double c = 0.9, frictions[] = {0.5, 1, 1.5};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct support_bench b;
        double mu = frictions[k];
        const double W[] = {1, 0, 0, c, 0, 1, c, 0, 0, c, 1, 0, c, 0, 0, 1};
        const double N = mu * c - 1, T = 1 + mu - c; // r_N = 1 and u_T = 1
        const double q[] = {N, T, N, T}, both[] = {mu, mu}, r[] = {1, -mu, 1, -mu};
        struct dls_problem p = support_local(2, 2, W, q, both, &a);
        struct dls_attraction found = measure(&b, &p, r);
        for (int i = 0; i < 4; i++)
            assert_close((double)b.refinement.r[i], r[i], 1e-12);
        assert_true(found.settled);
        assert_rate(found.rate, mu * mu * c * c);
        support_bench_close(&b);
        dls_arena_free(&a);
    }
}

// One contact is done in one sweep; so are contacts that do not see each other, and so is
// a problem without a closed contact.
static void single_contacts_end_at_once(void **state)
{
    (void)state;
    const double W[] = {2, 0.5, 0.3, 0.5, 3, -0.4, 0.3, -0.4, 1}, mu[] = {0.5};
    const double closed[] = {-1, 3, 4}, open[] = {1, 3, 4};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct support_bench b;
        struct dls_problem p = support_local(1, 3, W, k ? open : closed, mu, &a);
        struct dls_attraction found = measure(&b, &p, support_solve(&p, 1e-12, &a));
        assert_true(found.settled && found.rate == 0);
        support_bench_close(&b);
        dls_arena_free(&a);
    }
}

// --- against the solver ---------------------------------------------------------------

// The derivative of a sweep of pgs at r, by central differences; m x m by columns.
static void differentiate(const struct support_bench *b, const double *r, double *G,
                          struct dls_arena *a)
{
    const struct dls_solver *pgs = dls_solver_find("pgs");
    void *opt = DLS_NEW(a, char, pgs->options_size), *self;
    struct dls_work work = {.deadline = dls_clock() + 60};
    int m = b->form.m;
    double size = 0, *x = DLS_NEW(a, double, m);
    dls_option_defaults(pgs->options, opt);
    assert_int_equal(pgs->create(&self, &b->form, opt, a, NULL), DLS_OK);
    for (int k = 0; k < m; k++) size = fmax(size, fabs(r[k]));
    for (int k = 0; k < m; k++)
        for (int side = -1; side <= 1; side += 2) {
            double h = side * 1e-6 * size;
            memcpy(x, r, (size_t)m * sizeof *x);
            x[k] += h;
            if (pgs->reset) pgs->reset(self, x);
            assert_int_equal(pgs->step(self, x, &work), DLS_OK);
            for (int i = 0; i < m; i++) G[k * m + i] += 0.5 * (x[i] - r[i]) / h;
        }
    if (pgs->destroy) pgs->destroy(self);
}

// The largest modulus of an eigenvalue that is not 1.
static double spectral_rate(double *G, int m, struct dls_arena *a)
{
    double *re = DLS_NEW(a, double, m), *im = DLS_NEW(a, double, m), largest = 0;
    assert_int_equal(
        LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', m, G, m, re, im, NULL, 1, NULL, 1),
        0);
    for (int k = 0; k < m; k++)
        if (hypot(re[k] - 1, im[k]) > 1e-5)
            largest = fmax(largest, hypot(re[k], im[k]));
    return largest;
}

// At an answer without weakly active contacts, where the sweep has a derivative.
static void compare_with_pgs(const struct dls_problem *p, const double *start)
{
    struct dls_arena a = {0};
    struct support_bench b;
    double *r = DLS_NEW(&a, double, p->m);
    double *G = DLS_NEW(&a, double, (size_t)p->m *(size_t)p->m);
    struct dls_attraction found = measure(&b, p, start);
    for (int i = 0; i < p->m; i++) r[i] = (double)b.refinement.r[i];
    for (int c = 0; c < p->contacts; c++) assert_true(b.refinement.distance[c] > 1e-5);
    differentiate(&b, r, G, &a);
    assert_true(found.settled);
    assert_rate(found.rate, spectral_rate(G, p->m, &a));
    support_bench_close(&b);
    dls_arena_free(&a);
}

static void rates_are_those_of_pgs(void **state)
{
    (void)state;
    static const struct {
        const char *generator, *options;
    } cases[] = {
        {"stack", "n=5"},
        {"manufactured", "contacts=20 d=2 seed=3"},
        {"manufactured", "contacts=20 d=3 seed=1"},
        {"manufactured", "contacts=30 d=3 seed=2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct dls_arena a = {0};
        struct dls_problem p =
            support_generate(cases[k].generator, cases[k].options, &a);
        compare_with_pgs(&p, support_solve(&p, 1e-12, &a));
        dls_arena_free(&a);
    }
}

// Known answers, among them one whose impulses are not unique (four-legs): sweeps leave
// an error along these alone, and the rate is that of the others.
static void rates_at_known_answers(void **state)
{
    (void)state;
    int seen = 0;
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        struct dls_arena a = {0};
        struct dls_problem p;
        double *r, *u;
        z->make(&p, &r, &u, &a);
        if (!strcmp(z->name, "four-legs") || !strcmp(z->name, "mixed-3d")
            || !strcmp(z->name, "unsymmetric-3d") || !strcmp(z->name, "bodies-3d"))
            compare_with_pgs(&p, r), seen++;
        dls_arena_free(&a);
    }
    assert_int_equal(seen, 4);
}

// Without time there is no rate.
static void out_of_time_is_told(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("stack", "n=5", &a);
    struct support_bench b;
    struct dls_attraction found = measure(&b, &p, support_solve(&p, 1e-12, &a));
    b.work.deadline = dls_clock() - 1;
    assert_int_equal(dls_attraction_measure(&found, &b.refinement, &b.work, &b.a),
                     DLS_OK);
    assert_true(isnan(found.rate) && !found.settled);
    support_bench_close(&b);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heavy_on_light_is_slow),
        cmocka_unit_test(tall_stacks_are_slow),
        cmocka_unit_test(friction_repels),
        cmocka_unit_test(single_contacts_end_at_once),
        cmocka_unit_test(rates_are_those_of_pgs),
        cmocka_unit_test(rates_at_known_answers),
        cmocka_unit_test(out_of_time_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
