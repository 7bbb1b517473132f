// SPDX-License-Identifier: Apache-2.0
// LU factors in more digits than doubles have.
#include "base/rng.h"
#include "base/wide_lu.h"

#include <float.h>
#include <math.h>

#include "tests/support/support.h"

// n rows, each tied to `ties` others, diagonals larger than what stands beside them.
static struct dls_csr *web(int n, int ties, struct dls_rng *rng, struct dls_arena *a)
{
    int *i = DLS_NEW(a, int, n *(2 * ties + 1)),
        *j = DLS_NEW(a, int, n *(2 * ties + 1));
    double *x = DLS_NEW(a, double, n *(2 * ties + 1));
    int count = 0;
    for (int row = 0; row < n; row++) {
        i[count] = j[count] = row, x[count++] = 4 * n;
        for (int k = 0; k < ties; k++, count += 2) {
            i[count] = j[count + 1] = row;
            j[count] = i[count + 1] = (int)dls_rng_range(rng, 0, n);
            x[count] = dls_rng_range(rng, -1, 1);
            x[count + 1] = dls_rng_range(rng, -1, 1);
        }
    }
    return dls_csr_from_triplets(n, n, count, i, j, x, a);
}

static dls_wide *wide(const struct dls_csr *A, struct dls_arena *a)
{
    dls_wide *x = DLS_NEW(a, dls_wide, dls_csr_count(A));
    for (int k = 0; k < dls_csr_count(A); k++) x[k] = A->x[k];
    return x;
}

// A x = b where x is known: off by the unit of the type and a factor for the sums.
static void answers_have_all_digits(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(1);
    for (int n = 1; n <= 200; n = 3 * n + 1) {
        struct dls_arena a = {0};
        struct dls_wide_lu s;
        struct dls_csr *A = web(n, 3, &rng, &a);
        dls_wide *b = DLS_NEW(&a, dls_wide, n);
        for (int row = 0; row < n; row++)
            for (int k = A->p[row]; k < A->p[row + 1]; k++)
                b[row] += (dls_wide)A->x[k] * (A->j[k] + 1);
        assert_int_equal(dls_wide_lu_create(&s, A, &a), DLS_OK);
        assert_true(dls_wide_lu_factor(&s, wide(A, &a)));
        dls_wide_lu_solve(&s, b);
        for (int k = 0; k < n; k++)
            assert_true(fabsl(b[k] - (k + 1)) <= 100 * n * LDBL_EPSILON);
        dls_arena_free(&a);
    }
}

// 1 + e and 1 apart by fewer digits than a double has: e shows up in the answer.
static void tells_what_doubles_do_not(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_wide_lu s;
    const int i[] = {0, 0, 1, 1}, j[] = {0, 1, 0, 1};
    const double pattern[] = {1, 1, 1, 1};
    struct dls_csr *A = dls_csr_from_triplets(2, 2, 4, i, j, pattern, &a);
    const dls_wide e = 64 * LDBL_EPSILON, values[] = {1, 1, 1, 1 + e};
    dls_wide b[] = {1, 1 + e};
    assert_int_equal(dls_wide_lu_create(&s, A, &a), DLS_OK);
    assert_true(dls_wide_lu_factor(&s, values));
    dls_wide_lu_solve(&s, b);
    assert_true(b[0] == 0 && b[1] == 1);
    assert_false(dls_wide_lu_factor(&s, (const dls_wide[]){1, 1, 1, 1}));
    dls_arena_free(&a);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    struct dls_rng rng = dls_rng_seed(2);
    struct dls_arena a = {0};
    struct dls_csr *A = web(20, 3, &rng, &a);
    struct dls_wide_lu s;
    enum dls_status status = DLS_ENOMEM;
    for (int calls = 1; status == DLS_ENOMEM && calls < 100; calls++) {
        struct dls_arena short_of = {.fail_at = calls};
        status = dls_wide_lu_create(&s, A, &short_of);
        dls_arena_free(&short_of);
    }
    assert_int_equal(status, DLS_OK);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_have_all_digits),
        cmocka_unit_test(tells_what_doubles_do_not),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
