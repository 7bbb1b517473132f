// SPDX-License-Identifier: Apache-2.0
// Equilibrium in one step against closed forms: a block on an incline, a table on four
// legs, an overhang, a wedge behind a slope; forces and mechanisms are verified from the
// arrays of the problem alone. Arches are compared with a linear program in
// test_limit_load.sh.
#include "problems/mechanics/build.h"
#include "solvers/reference/equilibrium.h"

#include <math.h>
#include <stdio.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

static const double pi = 3.14159265358979323846;

static struct dls_work no_limit(void)
{
    return (struct dls_work){.deadline = INFINITY};
}

// A square block of unit mass on a plane inclined by `angle`, which falls to the right;
// g = 1, h = 1.
static struct dls_problem inclined(double angle, double mu, struct dls_arena *a)
{
    struct dls_problem p = {0};
    struct dls_build b;
    dls_vec3 n = {sin(angle), cos(angle), 0}, t = {cos(angle), -sin(angle), 0};
    assert_true(dls_build_open(&b, 2, 1, 2, a));
    b.gravity = b.step = 1;
    struct dls_body block = {.mass = 1, .inertia = {0, 0, 1.0 / 6}};
    dls_build_body(&b, block);
    for (int side = -1; side <= 1; side += 2)
        dls_build_touch(&b, (struct dls_touch){
                                .body = 0,
                                .other = -1,
                                .point = {0.5 * side * t.x - 0.5 * n.x,
                                          0.5 * side * t.y - 0.5 * n.y, 0},
                                .n = n,
                                .law = {.mu = mu},
                            });
    const struct dls_option none[] = {{0}};
    struct dls_origin origin = {"inclined", none, NULL, "A block on an incline."};
    assert_int_equal(dls_build_close(&b, &p, &origin, a), 0);
    return p;
}

// |H^T r + hF| over |hF|, entry by entry the largest.
static double imbalance(const struct dls_problem *p, const double *r)
{
    double worst = 0, size = 0;
    for (int i = 0; i < p->n; i++) {
        double sum = p->hF[i];
        for (int k = 0; k < p->m; k++)
            for (int e = p->H->p[k]; e < p->H->p[k + 1]; e++)
                if (p->H->j[e] == i) sum += p->H->x[e] * r[k];
        worst = fmax(worst, fabs(sum));
        size = fmax(size, fabs(p->hF[i]));
    }
    return worst / size;
}

// How far the forces leave the cones, over the largest.
static double cone_excess(const struct dls_problem *p, const double *r)
{
    double worst = 0, size = 0;
    for (int c = 0; c < p->contacts; c++) {
        double t = 0;
        for (int i = 1; i < p->d; i++) t = hypot(t, r[c * p->d + i]);
        worst = fmax(worst, t - p->mu[c] * r[c * p->d]);
        size = fmax(size, r[c * p->d]);
    }
    return worst / size;
}

static struct dls_equilibrium ask(const struct dls_problem *p, struct dls_arena *a)
{
    struct dls_work work = no_limit();
    struct dls_equilibrium e;
    struct dls_error err = {""};
    assert_int_equal(dls_equilibrium_check(&e, p, &work, a, &err), DLS_OK);
    return e;
}

static void block_on_an_incline(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    for (int k = -1; k <= 1; k += 2) { // a thousandth above tan(angle), then below
        struct dls_problem p = inclined(0.3, tan(0.3) * (1 + 1e-3 * k), &a);
        struct dls_equilibrium e = ask(&p, &a);
        assert_int_equal(e.verdict,
                         k > 0 ? DLS_EQUILIBRIUM_HOLDS : DLS_EQUILIBRIUM_FALLS);
        if (k > 0) {
            assert_true(imbalance(&p, e.r) < 1e-9); // interior point at 1e-10
            assert_true(cone_excess(&p, e.r) < 1e-9);
            continue;
        }
        double power = 0;
        for (int i = 0; i < p.n; i++) power += p.hF[i] * e.v[i];
        assert_true(power > 0);
        for (int c = 0; c < 2; c++) // it slides and dilates: u in K*
            assert_true(e.u[2 * c] >= p.mu[c] * fabs(e.u[2 * c + 1]) * (1 - 1e-6));
    }
    dls_arena_free(&a);
}

static void four_legs_share_as_they_like(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_work work = no_limit();
    struct dls_error err = {""};
    struct dls_problem p = generated("four-leg-table", "push=0 load=0", &a);
    struct dls_equilibrium e = ask(&p, &a);
    double weight = -p.hF[2];
    assert_int_equal(e.verdict, DLS_EQUILIBRIUM_HOLDS);
    for (int c = 0; c < 4; c++) // the shortest: a quarter each, no friction
        assert_true(fabs(e.r[3 * c] - weight / 4) < 1e-6 * weight
                    && hypot(e.r[3 * c + 1], e.r[3 * c + 2]) < 1e-6 * weight);
    struct dls_extreme x;
    for (int small = 0; small < 2; small++) {
        struct dls_extreme_of of = {.contact = 1, .smallest = small};
        assert_int_equal(dls_equilibrium_extreme(&x, &p, &of, &work, &a, &err), 0);
        double exact = small ? 0 : weight / 2; // r = mg/4 + t (1, -1, 1, -1)
        assert_true(x.found);
        assert_true(fabs(x.safe - exact) < 1e-6 * weight);
        assert_true(fabs(x.bound - exact) < 1e-6 * weight);
    }
    dls_arena_free(&a);
}

static void overhang_up_to_the_harmonic_sum(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    for (int n = 1; n <= 16; n *= 2) {
        char settings[64];
        snprintf(settings, sizeof settings, "n=%d reach=0.999", n);
        struct dls_problem p = generated("overhang", settings, &a);
        assert_int_equal(ask(&p, &a).verdict, DLS_EQUILIBRIUM_HOLDS);
        snprintf(settings, sizeof settings, "n=%d reach=1.001", n);
        p = generated("overhang", settings, &a);
        assert_int_equal(ask(&p, &a).verdict, DLS_EQUILIBRIUM_FALLS);
    }
    dls_arena_free(&a);
}

// A wedge on a slope that a horizontal force P holds: tan(angle - phi) <= P / W <=
// tan(angle + phi), tan phi = mu: active and passive earth pressure of Coulomb.
static void retaining_wedge(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_work work = no_limit();
    struct dls_error err = {""};
    double angle = pi / 3, mu = 0.4, phi = atan(mu), live[3] = {-1, 0, 0};
    struct dls_problem p = inclined(angle, mu, &a);
    struct dls_extreme x;
    for (int small = 0; small < 2; small++) {
        struct dls_extreme_of of = {.contact = -1, .live = live, .smallest = small};
        double exact = tan(angle + (small ? -phi : phi));
        // The block would tip: the force acts where the reaction of the plane does.
        for (int k = 0; k < p.m; k++)
            for (int e = p.H->p[k]; e < p.H->p[k + 1]; e++)
                if (p.H->j[e] == 2) p.H->x[e] = 0;
        assert_int_equal(dls_equilibrium_extreme(&x, &p, &of, &work, &a, &err), 0);
        assert_true(x.found);
        assert_true(fabs(x.safe - exact) < 1e-6 * exact);
        assert_true(fabs(x.bound - exact) < 1e-6 * exact);
    }
    dls_arena_free(&a);
}

// A flat arch whose key stone is lifted: with dilation it jams more than without.
static void coulomb_fails_under_less(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_work work = no_limit();
    struct dls_error err = {""};
    struct dls_problem p = generated("arch", "mu=0.2 opening=40", &a);
    double *live = DLS_NEW(&a, double, p.n);
    live[3 * 12 + 1] = 1000 * p.step;
    struct dls_extreme associated, coulomb;
    struct dls_extreme_of of = {.contact = -1, .live = live};
    assert_int_equal(dls_equilibrium_extreme(&associated, &p, &of, &work, &a, &err), 0);
    of.coulomb = true;
    assert_int_equal(dls_equilibrium_extreme(&coulomb, &p, &of, &work, &a, &err), 0);
    assert_true(associated.found && coulomb.found);
    assert_true(coulomb.safe < 0.7 * associated.safe);
    assert_true(cone_excess(&p, coulomb.r) < 1e-7);
    // Coulomb's law between the forces and the mechanism, both made of size one.
    double r = 0, u = 0;
    for (int k = 0; k < p.m; k++) {
        r = fmax(r, fabs(coulomb.r[k]));
        u = fmax(u, fabs(coulomb.u[k]));
    }
    for (int c = 0; c < p.contacts; c++) {
        double r_n = coulomb.r[2 * c] / r, r_t = coulomb.r[2 * c + 1] / r;
        double u_n = coulomb.u[2 * c] / u, u_t = coulomb.u[2 * c + 1] / u;
        assert_true(u_n > -1e-6 && r_n * u_n < 1e-6); // no dilation
        assert_true(fabs(r_t * u_t + p.mu[c] * r_n * fabs(u_t)) < 1e-6);
    }
    dls_arena_free(&a);
}

static void local_problems_have_an_answer_too(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    for (int k = -1; k <= 1; k += 2) {
        struct dls_problem p = inclined(0.3, tan(0.3) * (1 + 1e-2 * k), &a);
        double W[16], q[4];
        int row[16], column[16];
        for (int i = 0; i < 16; i++) {
            row[i] = i / 4, column[i] = i % 4;
            W[i] = generated_W(&p, row[i], column[i]);
        }
        for (int i = 0; i < 4; i++) {
            q[i] = 0;
            for (int e = p.H->p[i]; e < p.H->p[i + 1]; e++)
                q[i] += p.H->x[e] * p.hF[p.H->j[e]] / (p.H->j[e] == 2 ? 1.0 / 6 : 1);
        }
        struct dls_problem local = {
            .contacts = 2,
            .d = 2,
            .m = 4,
            .mu = p.mu,
            .W = dls_csr_from_triplets(4, 4, 16, row, column, W, &a),
            .q = q,
            .time = NAN,
            .step = NAN,
        };
        assert_int_equal(ask(&local, &a).verdict,
                         k > 0 ? DLS_EQUILIBRIUM_HOLDS : DLS_EQUILIBRIUM_FALLS);
    }
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_an_incline),
        cmocka_unit_test(four_legs_share_as_they_like),
        cmocka_unit_test(overhang_up_to_the_harmonic_sum),
        cmocka_unit_test(retaining_wedge),
        cmocka_unit_test(coulomb_fails_under_less),
        cmocka_unit_test(local_problems_have_an_answer_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
