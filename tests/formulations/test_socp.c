// SPDX-License-Identifier: Apache-2.0
// The formulation between Lorentz cones: scales, lifts, and that Coulomb's law is what it
// says.
#include "formulations/parts/lorentz.h"
#include "formulations/socp.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

enum { CONTACTS = 4, D = 3, M = CONTACTS * D };

// Contacts in the states open, stick, slip, and one without friction; W is dense.
static struct dls_problem four_contacts(double *r, double *u, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(4);
    const double states[CONTACTS][2][D] = {
        {{0, 0, 0}, {2, 0.3, -0.4}},
        {{1.5, 0.2, 0.1}, {0, 0, 0}},
        {{2, 0.6, 0.8}, {0, -0.3, -0.4}}, // mu = 0.5
        {{0.7, 0, 0}, {0, 1, 2}},         // mu = 0
    };
    double B[M * M], W[M * M], q[M], mu[CONTACTS] = {0.5, 0.5, 0.5, 0};
    for (int k = 0; k < M * M; k++) B[k] = dls_rng_normal(&g);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            W[i * M + j] = 0;
            for (int k = 0; k < M; k++) W[i * M + j] += B[i * M + k] * B[j * M + k];
        }
    for (int i = 0; i < M; i++) {
        r[i] = states[i / D][0][i % D];
        u[i] = states[i / D][1][i % D];
    }
    for (int i = 0; i < M; i++) {
        q[i] = u[i];
        for (int j = 0; j < M; j++) q[i] -= W[i * M + j] * r[j];
    }
    return support_local(CONTACTS, D, W, q, mu, a);
}

static struct dls_socp *build(const struct dls_problem *p, struct dls_arena *a)
{
    void *form;
    assert_int_equal(dls_formulation_socp.build(&form, p, NULL, a, NULL), DLS_OK);
    return form;
}

// Diagonal blocks of mean one, q of root mean square one.
static void scales(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double r[M], u[M], sum = 0;
    struct dls_problem p = four_contacts(r, u, &a);
    struct dls_socp *f = build(&p, &a);
    for (int c = 0; c < CONTACTS; c++) {
        double trace = 0;
        for (int i = 0; i < D; i++) trace += dls_bsr_diagonal(&f->W, c)[i * (D + 1)];
        assert_close(trace, p.mu[c] > 0 ? D : 1, 1e-14); // sums of three, round-off
    }
    for (int k = 0; k < M; k++) sum += f->q[k] * f->q[k];
    assert_close(sum, M, 1e-13);
    assert_true(f->symmetric);
    assert_null(f->H);
    dls_arena_free(&a);
}

// Of a known answer: x and y = W x + q + s e_N lie in their cones and are orthogonal.
static void the_law_between_cones(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double r[M], u[M], x[M], y[M], s[CONTACTS], back[M];
    struct dls_problem p = four_contacts(r, u, &a);
    struct dls_socp *f = build(&p, &a);
    dls_formulation_socp.start(f, r, x);
    dls_formulation_socp.lift(f, x, back);
    for (int k = 0; k < M; k++) assert_close(back[k], r[k], 1e-14);
    dls_bsr_multiply(&f->W, x, f->q, y);
    dls_socp_shift(f, y, s);
    for (int c = 0; c < CONTACTS; c++) {
        double *x_c = x + c * D, *y_c = y + c * D, dot = 0;
        y_c[0] += s[c];
        for (int i = 0; i < D; i++) dot += x_c[i] * y_c[i];
        // Round-off of q = u - W r with entries of W near 30, scaled to one.
        assert_close(dot, 0, 1e-12);
        assert_true(x_c[0] - dls_lorentz_norm(D, x_c) > -1e-12);
        assert_true(y_c[0] - dls_lorentz_norm(D, y_c) > -1e-12);
        if (p.mu[c] == 0) assert_close(fabs(x_c[1]) + fabs(y_c[2]), 0, 0);
    }
    dls_arena_free(&a);
}

static void unsymmetric_is_seen(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double r[M], u[M];
    struct dls_problem p = four_contacts(r, u, &a);
    p.W->x[1] += 1e-6;
    assert_false(build(&p, &a)->symmetric);
    dls_arena_free(&a);
}

static void rolling_is_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    double r[M], u[M];
    struct dls_problem p = four_contacts(r, u, &a);
    struct dls_error err = {""};
    void *form;
    p.rolling = true;
    assert_int_equal(dls_formulation_socp.build(&form, &p, NULL, &a, &err),
                     DLS_UNSUPPORTED);
    assert_non_null(strstr(err.text, "rolling"));
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales),
        cmocka_unit_test(the_law_between_cones),
        cmocka_unit_test(unsymmetric_is_seen),
        cmocka_unit_test(rolling_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
