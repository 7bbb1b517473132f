// SPDX-License-Identifier: Apache-2.0
// Newton's systems by iteration: the accuracy promised, reached or not, is told truly; and
// the inverses of small blocks that precondition it.
#include "solvers/contact/contact_function.h"
#include "solvers/linear/linear.h"

#include "formulations/delassus.h"

#include "base/block.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_newton.h"

// A B = I for random blocks; a singular one is refused.
static void blocks_are_inverted(void **state)
{
    (void)state;
    struct dls_rng g = dls_rng_seed(1);
    for (int d = 1; d <= 3; d++)
        for (int trial = 0; trial < 200; trial++) {
            double A[9], B[9];
            for (int k = 0; k < d * d; k++) A[k] = dls_rng_normal(&g);
            assert_true(dls_block_invert(d, A, B));
            double size = 0;
            for (int k = 0; k < d * d; k++) size = fmax(size, fabs(B[k]));
            for (int i = 0; i < d; i++)
                for (int l = 0; l < d; l++) {
                    double sum = -(i == l);
                    for (int k = 0; k < d; k++) sum += A[i * d + k] * B[k * d + l];
                    assert_close(sum / (1 + size), 0, 1e-13); // a few roundings
                }
        }
    double A[] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, B[9];
    assert_false(dls_block_invert(3, A, B));
}

struct system {
    void *self;
    double *N, *F, *b;
    struct dls_work work;
    struct dls_bsr *W;
    struct dls_contact_value *v;
    double *x;
};

// A wall: singular but for the shift; contacts of all states.
static struct system make(struct dls_arena *a)
{
    struct system y = {0};
    struct dls_delassus f;
    struct dls_rng g = dls_rng_seed(2);
    struct dls_problem *p = DLS_NEW(a, struct dls_problem, 1);
    *p = support_generate("brick-wall-3d", "courses=3 bricks=4", a);
    assert_int_equal(dls_delassus_build(&f, p, a, NULL), DLS_OK);
    double size = dls_bsr_diagonal(f.W, 0)[0];
    for (int k = 0; k < f.W->p[f.W->rows] * 9; k++) f.W->x[k] /= size;
    y.W = f.W;
    y.v = DLS_NEW(a, struct dls_contact_value, f.contacts);
    y.x = DLS_NEW(a, double, f.m);
    for (int c = 0; c < f.contacts; c++) {
        double r[3], u[3];
        for (int i = 0; i < 3; i++)
            r[i] = dls_rng_normal(&g), u[i] = 0.5 * dls_rng_normal(&g);
        r[0] += 1;
        dls_contact_alart_curnier(3, 0.5, r, u, y.v + c);
    }
    y.N = DLS_NEW(a, double, 3 * f.m);
    y.F = DLS_NEW(a, double, 3 * f.m);
    y.b = DLS_NEW(a, double, f.m);
    const struct dls_linear_form form = {.W = f.W};
    assert_int_equal(dls_linear_krylov.create(&y.self, &form, a), DLS_OK);
    return y;
}

// N = F_r + shift F_u, F = F_u, b = -F; whether the iteration takes them.
static bool set(struct system *y, double shift)
{
    double rcond;
    support_newton_blocks(y->W, y->v, shift, y->N, y->F, y->b);
    const struct dls_linear_values values = {.N = y->N, .F = y->F, .shift = shift};
    assert_int_equal(dls_linear_krylov.factor(y->self, &values, &rcond, &y->work),
                     DLS_OK);
    assert_int_equal(y->work.factorisations, 0); // it makes none and claims none
    return rcond > 0;
}

static bool solve(struct system *y)
{
    return dls_linear_krylov.solve(y->self, y->b, y->x, &y->work);
}

// |(F_r + F_u (W + shift I)) x + F| / |F|
static double defect(const struct system *y, double shift)
{
    double F, rest = support_newton_defect(y->W, y->v, shift, y->x, &F);
    return rest / F;
}

// Two digits are promised; 1e-12 for the difference between the residual that the
// recurrence carries along and the true one.
static void two_digits(void **state)
{
    (void)state;
    static const double shifts[] = {1, 0.1, 0.01};
    for (int k = 0; k < 3; k++) {
        struct dls_arena a = {0};
        struct system y = make(&a);
        assert_true(set(&y, shifts[k]));
        assert_true(solve(&y));
        double rest = defect(&y, shifts[k]);
        assert_true(rest <= 1e-2 + 1e-12);
        assert_true(rest > 1e-9); // it stops when it may
        dls_arena_free(&a);
    }
}

// Without a shift the sticking contacts make the matrix singular, and -F is not in its
// range: no accuracy is claimed.
static void failure_is_told(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct system y = make(&a);
    for (int c = 0; c < y.W->rows; c++)
        y.v[c] = (struct dls_contact_value){
            .F = {c % 2 ? 1 : -1, c % 3, 1},
            .F_u = {1, 0, 0, 0, 1, 0, 0, 0, 1},
        };
    assert_true(set(&y, 0));
    assert_false(solve(&y));
    assert_true(defect(&y, 0) > 1e-2);
    dls_arena_free(&a);
}

// A contact whose matrix has no diagonal block to precondition with is left to factors.
static void singular_blocks_are_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct system y = make(&a);
    memset(y.v, 0, sizeof *y.v);
    assert_false(set(&y, 1));
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_inverted),
        cmocka_unit_test(two_digits),
        cmocka_unit_test(failure_is_told),
        cmocka_unit_test(singular_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
