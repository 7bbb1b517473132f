// SPDX-License-Identifier: Apache-2.0
// The natural maps of plain contacts are those of the general code, bit for bit, and what
// is measured on many contacts at once is the worst of what each of them has.
#include "formulations/judge/measure.h"
#include "formulations/judge/plain.h"

#include "base/rng.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

// Contacts that slip, stick, part and approach; some rows are zero, some far smaller than
// the others.
static void draw(struct dls_rng *g, int trial, int d, double mu, double *r, double *u)
{
    double R = pow(10, dls_rng_range(g, -8, 8)), U = pow(10, dls_rng_range(g, -8, 8));
    for (int i = 0; i < d; i++) {
        r[i] = trial % 11 == i ? 0 : R * dls_rng_normal(g);
        u[i] = trial % 13 == i ? 0 : U * dls_rng_normal(g);
    }
    r[0] = fabs(r[0]);
    double length = dls_norm(d - 1, u + 1);
    bool slips = trial % 3 == 0, parts = trial % 17 == 0;
    for (int i = 1; slips && length > 0 && i < d; i++)
        r[i] = -mu * r[0] * u[i] / length;
    for (int i = 0; parts && i < d; i++) r[i] = 0;
}

static void equals_the_general_map(void **state)
{
    (void)state;
    static const double coefficients[] = {0, 1e-300, 1e-8, 0.5, 1};
    struct dls_rng g = dls_rng_seed(4);
    int seen[3] = {0};
    for (int trial = 0; trial < 60000; trial++) {
        int d = 2 + trial % 2;
        double mu = coefficients[trial / 2 % 5], r[3], u[3];
        double rho[2] = {1, pow(10, dls_rng_range(&g, -9, 9))};
        draw(&g, trial, d, mu, r, u);
        struct dls_cone K = dls_cone_make(d, false, mu, 0);
        struct dls_plain both = d == 2 ? dls_plain_natural(1, 2, mu, r, u, rho)
                                       : dls_plain_natural(2, 2, mu, r, u, rho);
        assert_true(both.plain
                    || mu == 1e-300); // then r_T = mu r_N is lost in its square
        if (!both.plain) continue;
        for (int k = 0; k < 2; k++) {
            enum dls_contact_status status;
            double length = dls_cone_natural(&K, r, u, rho[k], &status);
            assert_true(both.length[k] == length);
            assert_int_equal(both.status[k], status);
            seen[status]++;
        }
    }
    for (int k = 0; k < 3; k++) assert_true(seen[k] > 1000);
}

// A length that is lost in its square is never called plain.
static void leaves_extreme_sizes_alone(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(5);
    int left = 0;
    for (int trial = 0; trial < 60000; trial++) {
        int d = 2 + trial % 2;
        double r[3], u[3], one = 1, scale = pow(10, dls_rng_range(&g, -300, 290));
        draw(&g, trial, d, 0.5, r, u);
        dls_scale(d, scale, r, r);
        dls_scale(d, trial % 5 ? scale : 1, u, u);
        struct dls_cone K = dls_cone_make(d, false, 0.5, 0);
        struct dls_plain only = d == 2 ? dls_plain_natural(1, 1, 0.5, r, u, &one)
                                       : dls_plain_natural(2, 1, 0.5, r, u, &one);
        enum dls_contact_status status;
        left += !only.plain;
        if (only.plain)
            assert_true(only.length[0] == dls_cone_natural(&K, r, u, 1, &status));
    }
    assert_true(left > 1000);
    double bad[3] = {NAN, 1, 1}, u[3] = {1, 1, 1}, one = 1;
    assert_false(dls_plain_natural(2, 1, 0.5, bad, u, &one).plain);
}

// --- many contacts --------------------------------------------------------------------

enum { COUNT = 500 };
struct set {
    double mu[COUNT], l[COUNT], r[3 * COUNT], u[3 * COUNT];
    double miss[COUNT], energy[COUNT], gap[COUNT];
    struct dls_problem problem;
};

static struct dls_measures measure(struct set *s, int from, int to)
{
    struct dls_measures m = {0};
    struct dls_measuring all = {&s->problem, s->r,      s->u,  s->l,
                                s->miss,     s->energy, s->gap};
    dls_measure_contacts(&all, from, to, &m);
    return m;
}

// mu from none to 1e10; each hundredth contact has impulses of 1e-200.
static void fill(struct set *s, int d, struct dls_rng *g)
{
    s->problem = (struct dls_problem){.contacts = COUNT, .d = d, .mu = s->mu};
    for (int a = 0; a < COUNT; a++) {
        s->mu[a] = a % 7 ? dls_rng_range(g, 0, 1.2) : a % 2 ? 0 : 1e10;
        s->l[a] = pow(10, dls_rng_range(g, -3, 3));
        draw(g, a, d, s->mu[a], s->r + a * d, s->u + a * d);
        if (a % 100 == 50) dls_scale(d, 1e-200, s->r + a * d, s->r + a * d);
    }
}

static void worst_of_many_is_the_worst_of_each(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(6);
    static struct set s, alone;
    for (int d = 2; d <= 3; d++) {
        fill(&s, d, &g);
        alone = s;
        struct dls_measures all = measure(&s, 0, COUNT), worst = {0};
        for (int a = 0; a < COUNT; a++) {
            alone.problem.mu = alone.mu;
            struct dls_measures one = measure(&alone, a, a + 1);
            worst.penetration = fmax(worst.penetration, one.penetration);
            worst.cone_excess = fmax(worst.cone_excess, one.cone_excess);
            worst.signorini = fmax(worst.signorini, one.signorini);
            worst.angle = fmax(worst.angle, one.angle);
            worst.open += one.open;
            worst.stick += one.stick;
            worst.slip += one.slip;
        }
        assert_memory_equal(&all, &worst, sizeof all);
        assert_int_equal(all.open + all.stick + all.slip, COUNT);
        assert_true(all.angle > 0 && all.slip > 20 && all.open > 20);
    }
}

// One by one against the functions of a cone.
static void parts_are_those_of_the_cone(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(7);
    static struct set s;
    for (int d = 2; d <= 3; d++) {
        fill(&s, d, &g);
        measure(&s, 0, COUNT);
        for (int a = 0; a < COUNT; a++) {
            const double *r = s.r + a * d, *u = s.u + a * d;
            struct dls_cone K = dls_cone_make(d, false, s.mu[a], 0);
            enum dls_contact_status status;
            assert_true(s.miss[a] == dls_cone_natural(&K, r, u, 1, &status));
            assert_true(s.energy[a]
                        == sqrt(s.l[a])
                               * dls_cone_natural(&K, r, u, 1 / s.l[a], &status));
            double gap = r[0] * (u[0] + dls_cone_shift(&K, u));
            for (int i = 1; i < d; i++) gap += r[i] * u[i];
            assert_true(s.gap[a] == fabs(gap));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_general_map),
        cmocka_unit_test(leaves_extreme_sizes_alone),
        cmocka_unit_test(worst_of_many_is_the_worst_of_each),
        cmocka_unit_test(parts_are_those_of_the_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
