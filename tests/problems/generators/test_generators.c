// SPDX-License-Identifier: Apache-2.0
// What holds for every generator with its defaults, and the rigid bodies they share.
// Tolerance 1e-12: numbers of size 1 that come out of a few dozen operations.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/generated.h"
#include "tests/support/support.h"

// Calls `check` with each generator's default problem.
static void for_each(void (*check)(const struct dls_problem *,
                                   const struct dls_generator *))
{
    int seen = 0;
    for (const struct dls_generator *const *g = dls_generators; *g; g++, seen++) {
        struct dls_arena a = {0};
        struct dls_problem p = generated((*g)->name, "", &a);
        check(&p, *g);
        dls_arena_free(&a);
    }
    assert_true(seen >= 13);
}

static void check_valid(const struct dls_problem *p, const struct dls_generator *g)
{
    struct dls_error err = {""};
    char value[64], expected[160];
    if (dls_problem_check(p, &err)) fail_msg("%s: %s", g->name, err.text);
    assert_true(p->contacts > 0 && *g->brief && *p->description && *p->title);
    assert_non_null(strstr(p->provenance, g->name));
    for (const struct dls_option *o = g->options; o->name; o++) {
        snprintf(expected, sizeof expected, " %s=%s", o->name,
                 dls_option_value(o, generated_options, value));
        assert_non_null(strstr(p->provenance, expected));
        assert_true(o->choices || (o->lo <= o->def && o->def <= o->hi));
    }
}

static void test_defaults_are_valid(void **state)
{
    (void)state;
    for_each(check_valid);
}

static void assert_same(const void *a, const void *b, size_t bytes)
{
    assert_int_equal(!a, !b);
    if (a) assert_memory_equal(a, b, bytes);
}

static void assert_same_matrix(const struct dls_csr *A, const struct dls_csr *B)
{
    assert_int_equal(!A, !B);
    if (!A) return;
    assert_int_equal(A->rows, B->rows);
    assert_same(A->p, B->p, (size_t)(A->rows + 1) * sizeof *A->p);
    assert_same(A->j, B->j, (size_t)dls_csr_count(A) * sizeof *A->j);
    assert_same(A->x, B->x, (size_t)dls_csr_count(A) * sizeof *A->x);
}

static void check_repeats(const struct dls_problem *p, const struct dls_generator *g)
{
    struct dls_arena a = {0};
    struct dls_problem s = generated(g->name, "", &a);
    size_t c = (size_t)p->contacts * sizeof(double), m = (size_t)p->m * sizeof(double);
    size_t n = (size_t)p->n * sizeof(double);
    assert_true(p->m == s.m && p->n == s.n && p->d == s.d && p->bodies == s.bodies);
    assert_same_matrix(p->M, s.M);
    assert_same_matrix(p->H, s.H);
    assert_same_matrix(p->W, s.W);
    const double *left[] = {p->mu, p->e_n, p->e_t, p->gap}; // one per contact
    const double *right[] = {s.mu, s.e_n, s.e_t, s.gap};
    for (int i = 0; i < 4; i++) assert_same(left[i], right[i], c);
    const double *rows[] = {p->w, p->q, p->u_minus, p->w_ob, p->solution_r};
    const double *again[] = {s.w, s.q, s.u_minus, s.w_ob, s.solution_r};
    for (int i = 0; i < 5; i++) assert_same(rows[i], again[i], m);
    assert_same(p->f, s.f, n);
    assert_same(p->v_minus, s.v_minus, n);
    assert_same(p->hF, s.hF, n);
    assert_same(p->position, s.position, 3 * c);
    assert_same(p->body_pair, s.body_pair, 2 * (size_t)p->contacts * sizeof(int));
    assert_string_equal(p->provenance, s.provenance);
    assert_string_equal(p->title, s.title);
    dls_arena_free(&a);
}

static void test_same_options_same_bytes(void **state)
{
    (void)state;
    for_each(check_repeats);
}

static void test_seed_changes_the_problem(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = generated("manufactured", "seed=1", &a);
    struct dls_problem s = generated("manufactured", "seed=2", &a);
    assert_memory_not_equal(p.f, s.f, (size_t)p.n * sizeof *p.f);
    p = generated("one-contact", "seed=1", &a);
    s = generated("one-contact", "seed=2", &a);
    assert_memory_not_equal(p.q, s.q, (size_t)p.m * sizeof *p.q);
    p = generated("sphere-packing", "seed=1", &a);
    s = generated("sphere-packing", "seed=2", &a);
    assert_memory_not_equal(p.f, s.f, (size_t)p.n * sizeof *p.f);
    dls_arena_free(&a);
}

static void check_step(const struct dls_problem *p, const struct dls_generator *g)
{
    if (!p->M) {
        assert_string_equal(g->name, "one-contact"); // the one local form
        return;
    }
    for (int i = 0; i < p->m; i++) {
        double e = i % p->d ? p->e_t[i / p->d] : p->e_n[i / p->d];
        double u = generated_row(p->H, i, p->v_minus, p->w_ob[i]);
        assert_close(p->u_minus[i], u, 1e-12 * (1 + fabs(u)));
        assert_close(p->w[i], p->w_ob[i] + e * u, 1e-12 * (1 + fabs(u)));
    }
    for (int i = 0; i < p->n; i++) {
        double f = generated_row(p->M, i, p->v_minus, p->hF[i]);
        assert_close(p->f[i], f, 1e-12 * (1 + fabs(f)));
    }
}

static void test_step_data_agree(void **state)
{
    (void)state;
    for_each(check_step);
}

// M couples no two bodies, H none but those of the contact, and a common translation of
// all bodies is seen by the contacts with obstacles only.
static void check_blocks(const struct dls_problem *p, const struct dls_generator *g)
{
    (void)g;
    if (!p->M) return;
    int dof = p->d == 2 ? 3 : 6;
    assert_int_equal(p->body_start[0], 0);
    assert_int_equal(p->body_start[p->bodies], p->n);
    for (int k = 0; k < p->bodies; k++)
        assert_int_equal(p->body_start[k + 1] - p->body_start[k], dof);
    for (int i = 0; i < p->n; i++)
        for (int k = p->M->p[i]; k < p->M->p[i + 1]; k++)
            assert_int_equal(p->M->j[k] / dof, i / dof);
    for (int i = 0; i < p->m; i++) {
        const int *pair = p->body_pair + 2 * (i / p->d);
        double shift[3] = {0};
        for (int k = p->H->p[i]; k < p->H->p[i + 1]; k++) {
            int body = p->H->j[k] / dof, axis = p->H->j[k] % dof;
            assert_true(body == pair[0] || body == pair[1]);
            if (axis < p->d) shift[axis] += p->H->x[k];
        }
        double size = hypot(hypot(shift[0], shift[1]), shift[2]);
        assert_close(size, pair[1] < 0 ? 1 : 0, 1e-12);
    }
}

static void test_body_blocks(void **state)
{
    (void)state;
    for_each(check_blocks);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    for (const struct dls_generator *const *g = dls_generators; *g; g++) {
        enum dls_status status = DLS_ENOMEM;
        generated_defaults(*g);
        for (long k = 1; status; k++) {
            struct dls_arena a = {.fail_at = k};
            struct dls_problem p;
            status = (*g)->make(&p, generated_options, &a, NULL);
            assert_true(status == DLS_OK || status == DLS_ENOMEM);
            assert_int_equal(status == DLS_OK, !a.failed);
            dls_arena_free(&a);
        }
    }
}

static void test_bad_options(void **state)
{
    (void)state;
    static const char *const names[] = {"manufactured", "one-contact"};
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_error err = {""};
    for (int i = 0; i < 2; i++) {
        const struct dls_generator *g = dls_generator_find(names[i]);
        generated_defaults(g);
        dls_option_set(g->options, generated_options, "open", "0.7", "", NULL);
        dls_option_set(g->options, generated_options, "stick", "0.4", "", NULL);
        assert_int_equal(g->make(&p, generated_options, &a, &err), DLS_EINVAL);
        assert_non_null(strstr(err.text, names[i]));
    }
    const struct dls_generator *g = dls_generator_find("sphere-packing");
    generated_defaults(g);
    dls_option_set(g->options, generated_options, "across", "2000", "", NULL);
    assert_int_equal(g->make(&p, generated_options, &a, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, "sphere-packing"));
    dls_arena_free(&a);
}

// The relative velocity of the material points of two bodies.
static dls_vec3 apart(const struct dls_body *one, const struct dls_body *two,
                      dls_vec3 point)
{
    dls_vec3 l = dls_vec3_sub(point, one->at), k = dls_vec3_sub(point, two->at);
    dls_vec3 u = dls_vec3_add(one->v, dls_vec3_cross(one->spin, l));
    return dls_vec3_sub(u, dls_vec3_add(two->v, dls_vec3_cross(two->spin, k)));
}

static dls_vec3 random_vector(struct dls_rng *g, int dim)
{
    dls_vec3 v = {dls_rng_normal(g), 0, 0};
    v.y = dls_rng_normal(g);
    if (dim == 3) v.z = dls_rng_normal(g);
    return v;
}

static struct dls_body random_body(struct dls_rng *g, int dim)
{
    struct dls_body body = {.mass = 2, .inertia = {1, 2, 3}};
    body.at = random_vector(g, dim);
    body.v = random_vector(g, dim);
    body.spin = dim == 3 ? random_vector(g, 3) : (dls_vec3){0, 0, dls_rng_normal(g)};
    return body;
}

// H v of random rigid bodies is the relative velocity of the two material points, in an
// orthonormal frame, whichever of the two comes first.
static void test_relative_velocity(void **state)
{
    (void)state;
    static const struct dls_option table[] = {{0}};
    struct dls_origin origin = {"pair", table, NULL, "two bodies"};
    struct dls_rng g = dls_rng_seed(7);
    for (int trial = 0; trial < 40; trial++) {
        int dim = 2 + trial % 2, first = trial / 2 % 2;
        struct dls_arena a = {0};
        struct dls_build b;
        struct dls_problem p;
        assert_true(dls_build_open(&b, dim, 2, 1, &a));
        for (int k = 0; k < 2; k++) dls_build_body(&b, random_body(&g, dim));
        struct dls_touch c = {first, 1 - first, random_vector(&g, dim), .gap = 0};
        c.n = random_vector(&g, dim);
        c.n = dls_vec3_scale(1 / dls_vec3_norm(c.n), c.n);
        dls_build_touch(&b, c);
        dls_vec3 u = apart(&b.body[c.body], &b.body[c.other], c.point);
        assert_int_equal(dls_build_close(&b, &p, &origin, &a), DLS_OK);
        const double *is = p.u_minus;
        double tangential = hypot(is[1], dim == 3 ? is[2] : 0);
        assert_close(is[0], dls_vec3_dot(u, c.n), 1e-12);
        assert_close(hypot(is[0], tangential), dls_vec3_norm(u), 1e-12);
        if (dim == 2) assert_close(is[1], c.n.y * u.x - c.n.x * u.y, 1e-12);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_valid),
        cmocka_unit_test(test_same_options_same_bytes),
        cmocka_unit_test(test_seed_changes_the_problem),
        cmocka_unit_test(test_step_data_agree),
        cmocka_unit_test(test_body_blocks),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_relative_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
