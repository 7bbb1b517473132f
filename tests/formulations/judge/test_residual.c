// SPDX-License-Identifier: Apache-2.0
// The judge: agrees with a residual written independently, does not depend on units
// where it promises so, and sees every kind of wrong answer.
#include "formulations/files/snapshot.h"
#include "formulations/judge/residual.h"

#include "base/rng.h"
#include "base/vec3.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/zoo.h"

static struct dls_measures judge(const struct dls_problem *p, const double *r)
{
    struct dls_arena a = {0};
    struct dls_judge *g;
    struct dls_error err = {""};
    struct dls_measures m;
    if (dls_judge_create(&g, p, &a, &err) != DLS_OK) fail_msg("%s", err.text);
    dls_judge_measure(g, r, &m);
    double natural = dls_judge_natural(g, r); // the short way: the same bits
    assert_memory_equal(&natural, &m.natural, sizeof natural);
    dls_judge_destroy(g);
    struct dls_measures alone; // a judge that knows no other way
    if (dls_judge_create_natural(&g, p, &a, &err) != DLS_OK) fail_msg("%s", err.text);
    dls_judge_measure(g, r, &alone);
    assert_memory_equal(&alone.natural, &m.natural, sizeof natural);
    assert_true(isnan(alone.merit) && isnan(alone.bipotential) && isnan(alone.angle));
    dls_judge_destroy(g);
    dls_arena_free(&a);
    return m;
}

static void agrees_with_an_independent_residual(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(5);
    for (const struct zoo_animal *z = zoo; z->name; z++) {
        struct dls_arena a = {0};
        struct dls_problem p;
        double *r, *u;
        z->make(&p, &r, &u, &a);
        assert_true(judge(&p, r).natural < 1e-14);
        assert_true(judge(&p, r).merit < 1e-14);
        // r . u~ of an exact pair: rounding of u times r.
        assert_true(judge(&p, r).bipotential < 1e-13);
        for (int i = 0; i < p.m; i++) r[i] = dls_rng_normal(&g);
        double natural = zoo_natural(&p, r, NULL);
        // Two orders of summation over at most 48 terms: a few ulp.
        assert_close(judge(&p, r).natural, natural, 1e-13 * (1 + natural));
        dls_arena_free(&a);
    }
}

// --- change of units ------------------------------------------------------------------

struct units {
    double mass, length, time; // powers of two: every product is exact
};

static void scale(double *x, int n, double s)
{
    for (int i = 0; x && i < n; i++) x[i] *= s;
}

// The same problem and impulses in other units. Rotations stand behind translations in
// each body: 2 + 1 velocities in the plane, 3 + 3 in space.
static void rescale(struct dls_problem *p, double *r, struct units s)
{
    double speed = s.length / s.time;
    int group = p->d == 2 ? 3 : 6, moves = p->d == 2 ? 2 : 3;
    if (p->W) scale(p->W->x, dls_csr_count(p->W), 1 / s.mass);
    scale(p->q, p->m, speed);
    scale(p->w, p->m, speed);
    for (int i = 0; i < p->n; i++) { // spins in 1 / time
        bool spin = i % group >= moves;
        p->f[i] *= s.mass * speed * (spin ? s.length : 1);
        for (int k = p->M->p[i]; k < p->M->p[i + 1]; k++)
            p->M->x[k] *= s.mass * (spin ? s.length * s.length : 1);
    }
    for (int k = 0; p->H && k < dls_csr_count(p->H); k++)
        if (p->H->j[k] % group >= moves) p->H->x[k] *= s.length;
    scale(r, p->m, s.mass * speed);
}

// Rounds r so that natural is about 1e-3: an answer that is neither right nor absurd.
static void spoil(double *r, int m)
{
    for (int i = 0; i < m; i++) r[i] *= 1 + 1e-2 * sin(i);
}

static void check_units(struct dls_problem *p, double *r)
{
    struct dls_measures before = judge(p, r);
    rescale(p, r, (struct units){.mass = 0x1p20, .length = 0x1p10, .time = 0x1p-7});
    struct dls_measures after = judge(p, r);
    print_message("natural %.3e becomes %.3e, merit %.15e stays\n", before.natural,
                  after.natural, before.merit);
    // Powers of two commute with every rounding but those inside the eigenvalues.
    assert_close(after.merit, before.merit, 1e-12 * before.merit);
    assert_close(after.bipotential, before.bipotential, 1e-12 * before.bipotential);
    assert_true(before.bipotential > 1e-6);
    assert_true(fabs(after.natural - before.natural) > 0.1 * before.natural);
    assert_int_equal(after.open, before.open);
    assert_int_equal(after.stick, before.stick);
    assert_int_equal(after.slip, before.slip);
}

static void merit_does_not_depend_on_units(void **state)
{
    (void)state;
    static const char *const generators[] = {"sphere-packing", "brick-wall-2d"};
    for (int k = 0; k < 2; k++) {
        struct dls_arena a = {0};
        struct dls_problem p =
            support_generate(generators[k], k ? "" : "across=3 layers=3", &a);
        double *r = support_solve(&p, 1e-3, &a);
        spoil(r, p.m);
        check_units(&p, r);
        dls_arena_free(&a);
    }
}

static void merit_does_not_depend_on_units_of_real_files(void **state)
{
    (void)state;
    const char *path = support_corpus("fc3d/Capsules-i100-1090.hdf5");
    if (!path) skip();
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_error err;
    assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, &err), DLS_OK);
    double *r = support_solve(&p, 1e-4, &a);
    spoil(r, p.m);
    check_units(&p, r);
    dls_arena_free(&a);
}

// --- planted errors -------------------------------------------------------------------

// One contact with W = 1, mu = 0.5, made so that (r, u) solves it; then r is changed.
static struct dls_measures planted(const double *r, const double *u,
                                   const double *wrong)
{
    struct dls_arena a = {0};
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.5;
    double q[3];
    for (int i = 0; i < 3; i++) q[i] = u[i] - r[i];
    struct dls_problem p = support_local(1, 3, W, q, &mu, &a);
    assert_true(judge(&p, r).natural < 1e-15);
    struct dls_measures m = judge(&p, wrong);
    dls_arena_free(&a);
    assert_true(m.natural > 1e-2 && m.merit > 1e-2);
    return m;
}

static void sees_wrong_answers(void **state)
{
    (void)state;
    const double zero[3] = {0, 0, 0}, stick[3] = {1, 0.2, 0}, slip[3] = {1, 0.5, 0};
    const double slip_u[3] = {0, -1, 0}, away[3] = {1, 0, 0};
    // Outside the cone.
    assert_true(planted(stick, zero, (const double[]){1, 0.8, 0}).cone_excess > 0.2);
    // Penetrating: too small an impulse.
    assert_close(planted(stick, zero, (const double[]){0.5, 0.1, 0}).penetration, 0.5,
                 1e-15);
    // Slip in the wrong direction: the impulse pushes along the slip, u_T = (-1, 0) + ...
    assert_true(planted(slip, slip_u, (const double[]){1, 0, 0.5}).angle > 0.3);
    assert_true(planted(slip, slip_u, (const double[]){1, -0.5, 0}).angle > 3.1);
    // Pulling.
    assert_true(planted(zero, away, (const double[]){-0.5, 0, 0}).cone_excess >= 0.5);
    // An impulse on an opening contact.
    assert_true(planted(zero, away, (const double[]){0.5, 0, 0}).signorini > 0.5);
    // The gap by hand, u = wrong - r + u_0 and |q| = 1 or sqrt 1.25, l = 1: of an impulse
    // on an opening contact 0.5 (1 + 0.5); of slip in the wrong direction with
    // u = (0, -1.5, 0.5) and r = (1, 0, 0.5), 0.25 + 0.5 sqrt 2.5 over |q|^2 = 3.25.
    assert_close(planted(zero, away, (const double[]){0.5, 0, 0}).bipotential, 0.75,
                 1e-15);
    assert_close(planted(slip, slip_u, (const double[]){1, 0, 0.5}).bipotential,
                 (0.25 + 0.5 * sqrt(2.5)) / 3.25, 1e-15);
    // Not a number.
    struct dls_arena a = {0};
    const double W[1] = {1}, q[1] = {-1}, mu = 0, nan[1] = {NAN};
    struct dls_problem p = support_local(1, 1, W, q, &mu, &a);
    assert_true(isnan(judge(&p, nan).natural) && isnan(judge(&p, nan).merit));
    dls_arena_free(&a);
}

// A body of 1e-6 kg pushed twice too hard: natural is blind to it, merit is not.
static void sees_light_bodies(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    const double W[1] = {1e6}, q[1] = {-1}, mu = 0, twice[1] = {2e-6};
    struct dls_problem p = support_local(1, 1, W, q, &mu, &a);
    assert_true(judge(&p, twice).natural < 3e-6);
    assert_true(judge(&p, twice).merit > 0.5);
    dls_arena_free(&a);
}

static void refuses_what_it_cannot_measure(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_judge *g;
    struct dls_error err = {""};
    const double W[4] = {0, 0, 0, 0}, q[2] = {-1, 0}, mu = 0, one[1] = {1};
    struct dls_problem p = support_local(1, 2, W, q, &mu, &a);
    assert_int_equal(dls_judge_create(&g, &p, &a, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, "W: "));
    p = support_local(1, 1, W, q, &mu, &a); // as an LCP it has a residual, and no merit
    assert_true(isnan(judge(&p, one).merit));
    assert_close(judge(&p, one).natural, 1, 1e-15);
    const double huge[4] = {1.6e308, 0, 0, 1}, tiny[4] = {1e-320, 0, 0, 1e-320};
    for (int k = 0; k < 2; k++) { // 2 x 1.6e308 on the way, and 1 / 1e-320, overflow
        p = support_local(1, 2, k ? tiny : huge, q, &mu, &a);
        assert_int_equal(dls_judge_create(&g, &p, &a, &err), DLS_EINVAL);
        assert_non_null(strstr(err.text, "range of numbers"));
    }
    p = support_generate("four-leg-table", "", &a);
    for (int k = p.M->p[2]; k < p.M->p[3]; k++) p.M->x[k] = 0;
    assert_int_equal(dls_judge_create(&g, &p, &a, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, "M is singular"));
    dls_arena_free(&a);
}

// q of order 1e-200 still divides; only below 1e-300 is the residual absolute.
static void divides_by_small_q(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    const double W[1] = {1}, q[1] = {-1e-150}, mu = 0, zero[1] = {0};
    struct dls_problem p = support_local(1, 1, W, q, &mu, &a);
    assert_close(judge(&p, zero).natural, 1, 1e-15);
    assert_close(judge(&p, zero).merit, 1, 1e-15);
    dls_arena_free(&a);
}

// A disk between two walls that approach each other, W = H H^T, has no solution: u_N = -1
// whatever presses it equally from both sides, however much larger than 1 / eps that is.
static void is_not_deceived_by_huge_impulses(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    const double W[] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1};
    const double q[] = {-1, 0, -1, 0}, mu[] = {0.3, 0.3};
    const double inside[] = {1e20, 0, 1e20, 0}, edge[] = {1e20, 3e19, 1e20, -3e19};
    struct dls_problem p = support_local(2, 2, W, q, mu, &a);
    assert_close(judge(&p, inside).natural, 1, 1e-15);
    assert_close(judge(&p, inside).merit, 1, 1e-15);
    assert_true(judge(&p, edge).natural > 0.1);
    dls_arena_free(&a);
}

// A problem whose q is tiny or huge is the same problem: squares of its entries leave the
// range of doubles, the measures do not. Powers of two scale exactly.
static void does_not_depend_on_the_size_of_q(void **state)
{
    (void)state;
    static const int exponents[] = {-531, -664, 664}; // 1e-160, 1e-200, 1e+200
    for (const struct zoo_animal *z = zoo; z->name; z++)
        for (int k = 0; k < 3; k++) {
            struct dls_arena a = {0};
            struct dls_problem p;
            double *r, *u;
            z->make(&p, &r, &u, &a);
            for (int i = 0; i < p.m; i++) r[i] += 0.125 * cos(i);
            struct dls_measures before = judge(&p, r);
            double s = ldexp(1, exponents[k]);
            scale(p.q, p.W ? p.m : 0, s);
            scale(p.w, p.w ? p.m : 0, s);
            scale(p.f, p.f ? p.n : 0, s);
            scale(p.b, p.b ? p.joints : 0, s);
            scale(r, p.m, s);
            struct dls_measures after = judge(&p, r);
            // The factor of M is not scaled; the rest is exact but for square roots.
            assert_close(after.natural, before.natural, 1e-14 * before.natural);
            if (!isnan(before.merit))
                assert_close(after.merit, before.merit, 1e-14 * before.merit);
            assert_true(isnan(after.bipotential) || !p.contacts); // r u is out of range
            dls_arena_free(&a);
        }
}

// One contact with rolling resistance that rolls, its tangent sticking: the tangential
// velocity is noise, and its angle to the impulse means nothing.
static void has_no_slip_angle_where_only_rolling_slips(void **state)
{
    (void)state;
    int p3[] = {0, 1, 2, 3, 4, 5}, j3[] = {0, 1, 2, 3, 4};
    double W[] = {1, 1, 1, 1, 1}, mu = 0.5, mu_r = 0.1;
    // r on the face of the rolling rows, inside the friction cone; u_R against r_R.
    double r[] = {1, 0.2, 0.1, 0.1, 0}, u[] = {0, 1e-17, 1e-17, -1, 0}, q[5];
    struct dls_csr matrix = {5, 5, p3, j3, W};
    for (int i = 0; i < 5; i++) q[i] = u[i] - r[i];
    struct dls_problem p = {.contacts = 1,
                            .d = 5,
                            .rolling = true,
                            .m = 5,
                            .W = &matrix,
                            .q = q,
                            .mu = &mu,
                            .mu_r = &mu_r};
    struct dls_measures m = judge(&p, r);
    assert_true(m.natural < 1e-15); // it is the answer, to round-off
    assert_int_equal(m.slip, 1);
    assert_true(m.angle == 0);
    // A tangent that slides across its impulse has the angle pi / 2.
    r[1] = 0.5, r[2] = 0, q[1] = -r[1], q[2] = 0.3;
    assert_close(judge(&p, r).angle, acos(0), 1e-15);
}

// The largest eigenvalue of 3 x 3 blocks against LAPACK, from well apart to double ones.
static void weighs_contacts_as_lapack_does(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(9);
    int p_rows[4] = {0, 3, 6, 9}, columns[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    for (int k = 0; k < 2000; k++) {
        double A[9], S[9], values[3], work[32], mu = 0.5, q[3] = {-1, 0.1, 0.2};
        double gap = pow(10, dls_rng_range(&g, -18, 0)), norm = 0;
        dls_vec3 z = {dls_rng_normal(&g), dls_rng_normal(&g), dls_rng_normal(&g)};
        z = dls_vec3_scale(1 / dls_vec3_norm(z), z);
        const double *x = &z.x;
        for (int i = 0; i < 9; i++) A[i] = gap * dls_rng_normal(&g);
        for (int i = 0; i < 9; i++) { // 1, 1 and 0.1, but for the gap
            double symmetric = 0.5 * (A[i] + A[i % 3 * 3 + i / 3]);
            S[i] = (i / 3 == i % 3) - 0.9 * x[i / 3] * x[i % 3] + 0.1 * symmetric;
            norm = fmax(norm, fabs(S[i]));
        }
        struct dls_csr W = {.rows = 3, .cols = 3, .p = p_rows, .j = columns, .x = S};
        struct dls_problem p = {
            .contacts = 1, .d = 3, .m = 3, .W = &W, .q = q, .mu = &mu};
        struct dls_arena a = {0};
        struct dls_judge *judge;
        bool merit;
        assert_int_equal(dls_judge_create(&judge, &p, &a, NULL), DLS_OK);
        double own = dls_judge_scales(judge, &merit)[0];
        memcpy(A, S, sizeof A);
        assert_int_equal(
            LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'U', 3, A, 3, values, work, 32),
            0);
        assert_close(own, values[2], 1e-14 * norm); // both round some 20 times
        dls_judge_destroy(judge);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_an_independent_residual),
        cmocka_unit_test(merit_does_not_depend_on_units),
        cmocka_unit_test(merit_does_not_depend_on_units_of_real_files),
        cmocka_unit_test(sees_wrong_answers),
        cmocka_unit_test(sees_light_bodies),
        cmocka_unit_test(refuses_what_it_cannot_measure),
        cmocka_unit_test(divides_by_small_q),
        cmocka_unit_test(is_not_deceived_by_huge_impulses),
        cmocka_unit_test(does_not_depend_on_the_size_of_q),
        cmocka_unit_test(has_no_slip_angle_where_only_rolling_slips),
        cmocka_unit_test(weighs_contacts_as_lapack_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
