// SPDX-License-Identifier: Apache-2.0
// LU factors front by front: answers, signs, singular matrices, threads.
#include "base/fronts.h"
#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

// A grid of side^3 points with d unknowns each that depend on their neighbours, entries
// over several decades, not symmetric; diagonals dominate where `heavy` is 1.
static struct dls_csr *grid(int side, int d, double heavy, struct dls_rng *rng,
                            struct dls_arena *a)
{
    int points = side * side * side, most = 4 * points * d * d, count = 0;
    int step[] = {0, 1, side, side * side};
    int *i = DLS_NEW(a, int, 2 * most), *j = DLS_NEW(a, int, 2 * most);
    double *x = DLS_NEW(a, double, 2 * most);
    double *size = DLS_NEW(a, double, points *d);
    for (int k = 0; k < points * d; k++) size[k] = pow(10, dls_rng_range(rng, -3, 3));
    for (int p = 0; p < points; p++)
        for (int n = 0; n < 4 && p + step[n] < points; n++)
            for (int k = 0; k < d * d; k++)
                for (int way = 0; way < (n ? 2 : 1); way++) {
                    int row = p * d + k / d, column = (p + step[n]) * d + k % d;
                    i[count] = way ? column : row;
                    j[count] = way ? row : column;
                    x[count] = dls_rng_range(rng, -1, 1);
                    if (row == column) x[count] += heavy * 7 * d;
                    x[count++] *= size[row] * size[column];
                }
    return dls_csr_from_triplets(points * d, points * d, count, i, j, x, a);
}

// |A x - b|_i against the sum of |A_il x_l|.
static double error_of(const struct dls_csr *A, const double *x, const double *b)
{
    double worst = 0;
    for (int i = 0; i < A->rows; i++) {
        double sum = -b[i], size = fabs(b[i]);
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            sum += A->x[k] * x[A->j[k]];
            size += fabs(A->x[k] * x[A->j[k]]);
        }
        worst = fmax(worst, fabs(sum) / size);
    }
    return worst;
}

static void answers_are_exact(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(1);
    for (int side = 1; side <= 6; side++)
        for (int d = 1; d <= 6; d += 5) {
            struct dls_arena a = {0};
            struct dls_csr *A = grid(side, d, 1, &rng, &a);
            struct dls_fronts s;
            double *b = DLS_NEW(&a, double, A->rows), *x = DLS_NEW(&a, double, A->rows);
            for (int k = 0; k < A->rows; k++) b[k] = dls_rng_range(&rng, -1, 1);
            assert_int_equal(dls_fronts_create(&s, A, 1, &a), DLS_OK);
            for (int again = 0; again < 2; again++) {
                assert_true(dls_fronts_factor(&s));
                dls_fronts_solve(&s, b, x);
                assert_true(error_of(A, x, b) < 1e-12);
                for (int k = 0; k < dls_csr_count(A); k++) A->x[k] *= 2; // other values
            }
            dls_arena_free(&a);
        }
}

// The sign of the determinant by LAPACK, 0 where it is singular.
static int dense_sign(const struct dls_csr *A, struct dls_arena *a)
{
    int n = A->rows, sign = 1, *pivot = DLS_NEW(a, int, n);
    double *D = DLS_NEW(a, double, n *n);
    for (int i = 0; i < n; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) D[i * n + A->j[k]] = A->x[k];
    LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, D, n, pivot);
    for (int i = 0; i < n; i++) {
        if (pivot[i] != i + 1) sign = -sign;
        if (D[i * n + i] < 0) sign = -sign;
    }
    return sign;
}

static void the_sign_is_that_of_the_determinant(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(2);
    int negative = 0;
    for (int trial = 0; trial < 40; trial++) {
        struct dls_arena a = {0};
        struct dls_csr *A = grid(2, 3, 0.02, &rng, &a);
        struct dls_fronts s;
        assert_int_equal(dls_fronts_create(&s, A, 1, &a), DLS_OK);
        assert_true(dls_fronts_factor(&s));
        assert_int_equal(s.sign, dense_sign(A, &a));
        negative += s.sign < 0;
        dls_arena_free(&a);
    }
    assert_in_range(negative, 5, 35);
}

static void a_singular_matrix_has_no_factors(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(3);
    struct dls_arena a = {0};
    struct dls_csr *A = grid(3, 2, 1, &rng, &a);
    struct dls_fronts s;
    assert_int_equal(dls_fronts_create(&s, A, 1, &a), DLS_OK);
    for (int k = A->p[5]; k < A->p[6]; k++) A->x[k] = 0;
    assert_false(dls_fronts_factor(&s));
    for (int k = A->p[5]; k < A->p[6]; k++) A->x[k] = NAN;
    assert_false(dls_fronts_factor(&s));
    dls_arena_free(&a);
}

// Large enough for several parts, and for fronts with several ranges of columns.
static void threads_change_no_bit(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(4);
    struct dls_arena a = {0};
    struct dls_csr *A = grid(10, 4, 1, &rng, &a);
    size_t bytes = (size_t)A->rows * sizeof(double);
    double *x[3], *b = DLS_NEW(&a, double, A->rows);
    for (int k = 0; k < A->rows; k++) b[k] = dls_rng_range(&rng, -1, 1);
    for (int n = 0; n < 3; n++) {
        struct dls_fronts s;
        x[n] = DLS_NEW(&a, double, A->rows);
        assert_int_equal(dls_fronts_create(&s, A, 1 << n, &a), DLS_OK);
        assert_true(s.parts > 2);
        assert_true(dls_fronts_factor(&s));
        dls_fronts_solve(&s, b, x[n]);
        assert_memory_equal(x[n], x[0], bytes);
    }
    assert_true(error_of(A, x[0], b) < 1e-12);
    dls_arena_free(&a);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(5);
    struct dls_arena a = {0};
    struct dls_csr *A = grid(3, 2, 1, &rng, &a);
    struct dls_fronts s;
    enum dls_status status = DLS_ENOMEM;
    for (int calls = 1; status == DLS_ENOMEM && calls < 100; calls++) {
        struct dls_arena short_of = {.fail_at = calls};
        status = dls_fronts_create(&s, A, 1, &short_of);
        dls_arena_free(&short_of);
    }
    assert_int_equal(status, DLS_OK);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_exact),
        cmocka_unit_test(the_sign_is_that_of_the_determinant),
        cmocka_unit_test(a_singular_matrix_has_no_factors),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
