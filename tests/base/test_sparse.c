// SPDX-License-Identifier: Apache-2.0
// Sparse and block-sparse matrices against dense arithmetic.
#include "base/bsr.h"

#include <math.h>

#include "tests/support/support.h"
#include "tests/support/support_problem.h"

enum { TRIALS = 60 };

// --- compressed rows --------------------------------------------------------------------

static double *dense_of(const struct dls_csr *A, struct dls_arena *a)
{
    double *D = DLS_NEW(a, double, A->rows * A->cols);
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) D[i * A->cols + A->j[k]] += A->x[k];
    return D;
}

static void assert_canonical(const struct dls_csr *A)
{
    assert_int_equal(A->p[0], 0);
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            assert_in_range(A->j[k], 0, A->cols - 1);
            if (k > A->p[i]) assert_true(A->j[k - 1] < A->j[k]);
        }
}

// Whole numbers, so that sums are exact in every order.
static void triplets_are_sorted_and_summed(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(1);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct dls_arena a = {0};
        int rows = 1 + dls_rng_below(&rng, 9), cols = 1 + dls_rng_below(&rng, 9);
        int count = dls_rng_below(&rng, 80);
        int *i = DLS_NEW(&a, int, count), *j = DLS_NEW(&a, int, count);
        double *x = DLS_NEW(&a, double, count), *D = DLS_NEW(&a, double, rows *cols);
        for (int k = 0; k < count; k++) {
            i[k] = dls_rng_below(&rng, rows);
            j[k] = dls_rng_below(&rng, cols);
            x[k] = 1 + dls_rng_below(&rng, 9);
            D[i[k] * cols + j[k]] += x[k];
        }
        struct dls_csr *A = dls_csr_from_triplets(rows, cols, count, i, j, x, &a);
        assert_canonical(A);
        assert_memory_equal(dense_of(A, &a), D, (size_t)(rows * cols) * sizeof *D);
        int stored = 0; // x > 0: as many entries as positions were hit
        for (int k = 0; k < rows * cols; k++) stored += D[k] != 0;
        assert_int_equal(dls_csr_count(A), stored);
        dls_arena_free(&a);
    }
}

static void transposing_twice_changes_nothing(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(2);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct dls_arena a = {0};
        int rows = dls_rng_below(&rng, 12), cols = dls_rng_below(&rng, 12);
        struct dls_csr *A = support_random_csr(&rng, rows, cols, 40, &a);
        struct dls_csr *T = dls_csr_transpose(A, &a);
        assert_canonical(T);
        double *D = dense_of(A, &a), *E = dense_of(T, &a);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++)
                assert_close(D[i * cols + j], E[j * rows + i], 0);
        support_same_csr(A, dls_csr_transpose(T, &a), "A");
        support_same_csr(A, dls_csr_canonical(A, &a), "A");
        dls_arena_free(&a);
    }
}

static void products_match_dense_ones(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(3);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct dls_arena a = {0};
        int rows = 1 + dls_rng_below(&rng, 12), cols = 1 + dls_rng_below(&rng, 12);
        struct dls_csr *A = support_random_csr(&rng, rows, cols, 40, &a);
        const double *D = dense_of(A, &a);
        const double *x = support_random_vector(&rng, cols, -1, 1, &a);
        const double *z = support_random_vector(&rng, rows, -1, 1, &a);
        double *y = support_random_vector(&rng, rows, -1, 1, &a);
        double *t = support_random_vector(&rng, cols, -1, 1, &a);
        const double *y0 = dls_copy(&a, y, (size_t)rows, sizeof *y);
        const double *t0 = dls_copy(&a, t, (size_t)cols, sizeof *t);
        dls_csr_add(A, -2, x, y);
        dls_csr_add_transposed(A, 3, z, t);
        // At most 12 terms below 3 in size: round-off stays under 12 * 36 eps = 1e-13.
        for (int i = 0; i < rows; i++) {
            double sum = y0[i];
            for (int j = 0; j < cols; j++) sum -= 2 * D[i * cols + j] * x[j];
            assert_close(y[i], sum, 1e-13);
        }
        for (int j = 0; j < cols; j++) {
            double sum = t0[j];
            for (int i = 0; i < rows; i++) sum += 3 * D[i * cols + j] * z[i];
            assert_close(t[j], sum, 1e-13);
        }
        dls_arena_free(&a);
    }
}

static void asymmetry_is_relative(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    const int i[] = {0, 0, 1, 2}, j[] = {0, 1, 0, 1};
    const double x[] = {8, 2, 2, 4};
    struct dls_csr *A = dls_csr_from_triplets(3, 3, 3, i, j, x, &a);
    assert_close(dls_csr_asymmetry(A, &a), 0, 0);
    A = dls_csr_from_triplets(3, 3, 4, i, j, x, &a); // (2, 1) alone: 4 of 8
    assert_close(dls_csr_asymmetry(A, &a), 0.5, 0);
    assert_close(dls_bsr_asymmetry(dls_bsr_from_csr(A, 1, &a)), 0.5, 0);
    assert_close(dls_bsr_asymmetry(dls_bsr_from_csr(A, 3, &a)), 0.5, 0);
    A = dls_csr_from_triplets(3, 3, 0, i, j, x, &a);
    assert_close(dls_csr_asymmetry(A, &a), 0, 0);
    dls_arena_free(&a);
}

// --- blocks -----------------------------------------------------------------------------

static void blocks_hold_the_same_matrix(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(4);
    for (int d = 1; d <= 6; d++)
        for (int trial = 0; trial < 10; trial++) {
            struct dls_arena a = {0};
            int rows = dls_rng_below(&rng, 8), m = rows * d;
            struct dls_csr *A = support_random_csr(&rng, m, m, 5 * m, &a);
            struct dls_bsr *B = dls_bsr_from_csr(A, d, &a);
            struct dls_csr *C = dls_bsr_to_csr(B, &a);
            assert_canonical(C);
            if (m)
                assert_memory_equal(dense_of(A, &a), dense_of(C, &a),
                                    (size_t)(m * m) * sizeof(double));
            for (int row = 0; row < rows; row++) {
                assert_int_equal(B->j[B->diag[row]], row);
                for (int k = B->p[row] + 1; k < B->p[row + 1]; k++)
                    assert_true(B->j[k - 1] < B->j[k]);
            }
            dls_arena_free(&a);
        }
}

static void block_products_match_scalar_ones(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(5);
    for (int d = 1; d <= 6; d++) {
        struct dls_arena a = {0};
        int rows = 7, m = rows * d;
        struct dls_csr *A = support_random_csr(&rng, m, m, 5 * m, &a);
        struct dls_bsr *B = dls_bsr_from_csr(A, d, &a);
        const double *x = support_random_vector(&rng, m, -1, 1, &a);
        const double *q = support_random_vector(&rng, m, -1, 1, &a);
        double *y = DLS_NEW(&a, double, m), *z = dls_copy(&a, q, (size_t)m, sizeof *q);
        double row[6];
        dls_bsr_multiply(B, x, q, y);
        dls_csr_add(A, 1, x, z);
        // Below 42 terms under 5 in size: 42 * 42 * 5 eps < 2e-12.
        for (int k = 0; k < m; k++) assert_close(y[k], z[k], 2e-12);
        dls_bsr_row(B, 3, q, x, row);
        assert_memory_equal(row, y + 3 * d, (size_t)d * sizeof *row);
        dls_bsr_multiply(B, x, NULL, z);
        for (int k = 0; k < m; k++) assert_close(y[k], z[k] + q[k], 2e-12);
        for (int k = 0; k < rows && d == 3; k++) // to the last bit
            assert_true(dls_bsr_first3(B, k, q, x) == y[3 * k]);
        dls_arena_free(&a);
    }
}

static void lack_of_memory_gives_null(void **state)
{
    (void)state;
    struct dls_arena good = {0};
    struct dls_rng rng = dls_rng_seed(6);
    struct dls_csr *A = support_random_csr(&rng, 12, 12, 40, &good);
    long k = 1;
    for (bool done = false; !done; k++) {
        struct dls_arena a = {.fail_at = k};
        struct dls_csr *C = dls_csr_canonical(A, &a);
        struct dls_bsr *B = C ? dls_bsr_from_csr(C, 3, &a) : NULL;
        struct dls_csr *D = B ? dls_bsr_to_csr(B, &a) : NULL;
        done = D;
        assert_int_equal(a.failed, !D);
        dls_arena_free(&a);
        assert_int_equal(a.bytes, 0);
    }
    assert_true(k > 10); // two transposes, a block matrix and a matrix
    dls_arena_free(&good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triplets_are_sorted_and_summed),
        cmocka_unit_test(transposing_twice_changes_nothing),
        cmocka_unit_test(products_match_dense_ones),
        cmocka_unit_test(asymmetry_is_relative),
        cmocka_unit_test(blocks_hold_the_same_matrix),
        cmocka_unit_test(block_products_match_scalar_ones),
        cmocka_unit_test(lack_of_memory_gives_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
