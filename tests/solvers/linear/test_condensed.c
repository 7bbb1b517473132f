// SPDX-License-Identifier: Apache-2.0
// Linear systems condensed to the velocities: the matrix itself, and Newton's systems on
// walls, where they must agree with the contacts however small the shift.
#include "solvers/linear/condensed_matrix.h"
#include "solvers/linear/newton_system.h"

#include "formulations/delassus.h"
#include "formulations/velocities/velocities.h"

#include "base/block.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_newton.h"

// --- the matrix -----------------------------------------------------------------------

// A x = M x + H^T D H x for random x and D, unsymmetric ones and zeros among them.
static void the_matrix_is_what_it_says(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng g = dls_rng_seed(3);
    struct dls_condensed s;
    struct dls_problem p = support_generate("brick-wall-3d", "courses=2 bricks=3", &a);
    assert_int_equal(dls_condensed_create(&s, p.H, p.M, p.d, &a), DLS_OK);
    for (int k = 0; k < p.m * p.d; k++) s.D[k] = k / 9 % 4 ? dls_rng_normal(&g) : 0;
    dls_condensed_assemble(&s);
    double *x = DLS_NEW(&a, double, p.n), *y = DLS_NEW(&a, double, p.n);
    double *u = DLS_NEW(&a, double, p.m), size = 0;
    for (int k = 0; k < p.n; k++) x[k] = dls_rng_normal(&g);
    dls_csr_add(p.H, 1, x, u);
    dls_block_apply(p.d, p.contacts, s.D, u, u);
    dls_csr_add_transposed(p.H, 1, u, y);
    dls_csr_add(p.M, 1, x, y);
    for (int k = 0; k < p.n; k++) size = fmax(size, fabs(y[k]));
    dls_csr_add(s.A, -1, x, y);
    for (int k = 0; k < p.n; k++) assert_close(y[k] / size, 0, 1e-13); // sums of ~50
    dls_arena_free(&a);
}

// --- Newton's systems -----------------------------------------------------------------

// Values of Alart and Curnier's function at random points: contacts of all states.
static void fill_values(struct dls_rng *g, int contacts, int d, double mu,
                        struct dls_contact_value *v)
{
    for (int c = 0; c < contacts; c++) {
        double r[3], u[3];
        for (int i = 0; i < d; i++)
            r[i] = dls_rng_normal(g), u[i] = 0.5 * dls_rng_normal(g);
        r[0] += 1;
        dls_contact_alart_curnier(d, mu, r, u, v + c);
    }
}

// |(F_r + F_u (W + shift I)) x + F| / |F, x|: numbers of W are of order one.
static double defect(const struct dls_bsr *W, const struct dls_contact_value *v,
                     double shift, const double *x)
{
    double F, sum = 0, rest = support_newton_defect(W, v, shift, x, &F);
    for (int k = 0; k < W->rows * W->d; k++) sum += x[k] * x[k];
    return rest / sqrt(F * F + sum);
}

struct wall {
    struct dls_bsr
        *W; // with diagonal blocks of order one, as the Newton methods scale it
    struct dls_csr *H;
    const struct dls_csr *M;
};

// What the problem gives, or with `hidden` what W alone tells.
static struct wall wall(const char *name, bool hidden, struct dls_arena *a)
{
    struct dls_delassus f;
    struct dls_problem *p = DLS_NEW(a, struct dls_problem, 1);
    *p = support_generate(name, "courses=4 bricks=4", a);
    assert_int_equal(dls_delassus_build(&f, p, a, NULL), DLS_OK);
    double size = dls_bsr_diagonal(f.W, 0)[0], *t = DLS_NEW(a, double, f.m);
    if (hidden) p->M = NULL;
    assert_int_equal(dls_velocities_find(&f), DLS_OK);
    for (int k = 0; k < f.W->p[f.W->rows] * f.d * f.d; k++) f.W->x[k] /= size;
    for (int k = 0; k < f.m; k++) t[k] = 1 / sqrt(size);
    return (struct wall){f.W, dls_velocities_scaled(f.velocities, t, a),
                         f.velocities->M};
}

// The rows are twice the velocities, so the matrix is singular but for the shift, and x is
// of order 1 / shift. Refinement makes the defect that of a stable method: round-off times
// the norm of W, here below 100.
static void small_shifts_are_solved(void **state)
{
    (void)state;
    static const char *const names[] = {"brick-wall-3d", "brick-wall-2d"};
    static const double shifts[] = {1, 1e-3, 1e-6, 1e-8};
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 8; k++) {
            struct dls_arena a = {0};
            struct dls_rng g = dls_rng_seed((uint64_t)k);
            struct dls_newton_system s;
            struct dls_work work = {0};
            struct wall w = wall(names[n % 2], n / 2, &a);
            bool friction = k % 2;
            struct dls_contact_value *v =
                DLS_NEW(&a, struct dls_contact_value, w.W->rows);
            double *x = DLS_NEW(&a, double, w.W->rows *w.W->d), shift = shifts[k / 2];
            double rcond;
            fill_values(&g, w.W->rows, w.W->d, friction ? 0.5 : 0, v);
            assert_int_equal(dls_newton_system_create(&s, w.W, w.H, w.M, !friction, &a),
                             DLS_OK);
            assert_int_equal(dls_newton_system_factor(&s, v, shift, &rcond, &work),
                             DLS_OK);
            assert_true(rcond > 0);
            assert_ptr_equal(s.linear.now, &s.linear.velocities);
            assert_true(dls_newton_system_solve(&s, x, &work));
            assert_ptr_equal(s.linear.now, &s.linear.velocities); // good enough
            assert_close(defect(w.W, v, shift, x), 0, 1e-13);
            assert_int_equal(work.factorisations, 1);
            dls_newton_system_destroy(&s);
            dls_arena_free(&a);
        }
}

// Both forms behind one face: without a shift, with one, with most contacts open.
static void the_system_takes_either_form(void **state)
{
    (void)state;
    static const double shifts[] = {0.1, 1e-10};
    for (int k = 0; k < 4; k++) {
        struct dls_arena a = {0};
        struct dls_rng g = dls_rng_seed(7);
        struct dls_newton_system s;
        struct dls_work work = {0};
        struct wall w = wall("brick-wall-3d", true, &a);
        struct dls_contact_value *v = DLS_NEW(&a, struct dls_contact_value, w.W->rows);
        double *x = DLS_NEW(&a, double, w.W->rows *w.W->d), rcond;
        bool open = k % 2;
        fill_values(&g, w.W->rows, w.W->d, 0.5, v);
        for (int c = 0; c < w.W->rows && open; c++)
            if (c % 5)
                v[c] = (struct dls_contact_value){.F = {1, 2, 3},
                                                  .F_r = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        assert_int_equal(dls_newton_system_create(&s, w.W, w.H, w.M, false, &a),
                         DLS_OK);
        assert_int_equal(dls_newton_system_factor(&s, v, shifts[k / 2], &rcond, &work),
                         DLS_OK);
        assert_true(rcond > 0);
        assert_ptr_equal(s.linear.now,
                         open ? &s.linear.contacts : &s.linear.velocities);
        assert_true(dls_newton_system_solve(&s, x, &work));
        assert_close(defect(w.W, v, shifts[k / 2], x), 0, 1e-13);
        // Who falls back factors again, and says so.
        bool fell = !open && s.linear.now == &s.linear.contacts;
        assert_int_equal(work.factorisations, 1 + fell);
        dls_newton_system_destroy(&s);
        dls_arena_free(&a);
    }
}

// Contacts of a chain are fewer than its velocities: nothing to condense.
static void no_gain_no_condensation(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_newton_system s;
    struct dls_delassus f;
    struct dls_problem p = support_generate("stack", "n=8", &a);
    assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
    assert_int_equal(dls_newton_system_create(&s, f.W, p.H, p.M, false, &a), DLS_OK);
    assert_null(s.linear.velocities.self);
    dls_newton_system_destroy(&s);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_what_it_says),
        cmocka_unit_test(small_shifts_are_solved),
        cmocka_unit_test(the_system_takes_either_form),
        cmocka_unit_test(no_gain_no_condensation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
