// SPDX-License-Identifier: Apache-2.0
// Ritz values against matrices whose spectrum is known.
#include "base/lanczos.h"

#include <math.h>

#include "tests/support/support.h"

static void diagonal(void *data, const double *x, double *y)
{
    const double *lambda = data;
    for (int i = 0; i < 8; i++) y[i] = lambda[i] * x[i];
}

// As many steps as eigenvalues: both ends to round-off.
static void small_spectrum_is_exact(void **state)
{
    (void)state;
    double lambda[8] = {3, -2, 0.5, 11, 7, 1, 0, 4};
    struct dls_arena a = {0};
    struct dls_ritz ritz;
    assert_int_equal(dls_lanczos(&ritz, 8, diagonal, lambda, &a), DLS_OK);
    assert_close(ritz.largest, 11, 1e-12);
    assert_close(ritz.smallest, -2, 1e-12);
    assert_close(ritz.error, 0,
                 1e-8); // sqrt of round-off: it bounds the vector's error
    assert_int_equal(dls_lanczos(&ritz, 0, diagonal, lambda, &a), DLS_OK);
    assert_close(ritz.largest, 0, 0);
    dls_arena_free(&a);
}

// The chain tridiag(-1, 2, -1) of n nodes in blocks of d rows, 2 - 2 cos(k pi / (n +
// 1)), plus a skew part that the symmetric part does not see.
static struct dls_bsr *chain(int n, int d, double skew, struct dls_arena *a)
{
    int count = 0;
    int *i = DLS_NEW(a, int, 3 * n), *j = DLS_NEW(a, int, 3 * n);
    double *x = DLS_NEW(a, double, 3 * n);
    for (int k = 0; k < n; k++) {
        i[count] = k, j[count] = k, x[count++] = 2;
        if (k == n - 1) continue;
        i[count] = k, j[count] = k + 1, x[count++] = -1 + skew;
        i[count] = k + 1, j[count] = k, x[count++] = -1 - skew;
    }
    return dls_bsr_from_csr(dls_csr_from_triplets(n, n, count, i, j, x, a), d, a);
}

static void ends_of_a_long_chain(void **state)
{
    (void)state;
    for (int d = 1; d <= 3; d++) {
        struct dls_arena a = {0};
        struct dls_ritz plain, skew;
        int n = 600;
        assert_int_equal(dls_bsr_ritz(&plain, chain(n, d, 0, &a), &a), DLS_OK);
        assert_int_equal(dls_bsr_ritz(&skew, chain(n, d, 0.75, &a), &a), DLS_OK);
        double top = 2 - 2 * cos(n * 3.14159265358979 / (n + 1));
        // 32 steps see the dense end of this spectrum to (2 / 32)^2; `error` covers it.
        assert_true(plain.largest <= top + 1e-12 && plain.largest > 0.99 * top);
        assert_true(plain.largest + plain.error >= top);
        assert_true(plain.smallest >= 0 && plain.smallest < 0.04);
        assert_close(plain.largest, skew.largest, 1e-12);
        dls_arena_free(&a);
    }
}

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    double lambda[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int k = 1; k <= 3; k++) {
        struct dls_arena a = {.fail_at = k};
        struct dls_ritz ritz;
        assert_int_equal(dls_lanczos(&ritz, 8, diagonal, lambda, &a), DLS_ENOMEM);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_spectrum_is_exact),
        cmocka_unit_test(ends_of_a_long_chain),
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests_name("lanczos", tests, NULL, NULL);
}
