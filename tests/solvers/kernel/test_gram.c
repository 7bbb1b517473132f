// SPDX-License-Identifier: Apache-2.0
// Least squares by products of the columns, against LAPACK's QR.
#include "solvers/kernel/gram.h"

#include "base/rng.h"
#include "base/vector.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

enum { M = 61, K = 5 };

static void random_columns(double *F, double *f, uint64_t seed)
{
    struct dls_rng g = dls_rng_seed(seed);
    for (int i = 0; i < M * K; i++) F[i] = dls_rng_range(&g, -1, 1);
    for (int i = 0; i < M; i++) f[i] = dls_rng_range(&g, -1, 1);
}

static void solve(const double *F, const double *f, double *gamma)
{
    double G[K * K], b[K];
    for (int k = 0; k < K; k++) {
        b[k] = dls_gram_dot(M, F + k * M, f);
        for (int l = 0; l < K; l++)
            G[k * K + l] = dls_gram_dot(M, F + k * M, F + l * M);
    }
    dls_gram_solve(K, G, K, b, 1e-5, gamma);
}

// |f - F gamma|
static double distance(const double *F, const double *f, const double *gamma)
{
    double rest[M];
    memcpy(rest, f, sizeof rest);
    for (int k = 0; k < K; k++) dls_axpy(M, -gamma[k], F + k * M, rest);
    return dls_norm(M, rest);
}

static void agrees_with_qr(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        double F[M * K], f[M], gamma[K];
        random_columns(F, f, seed);
        solve(F, f, gamma);
        assert_int_equal(LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', M, K, 1, F, M, f, M), 0);
        for (int k = 0; k < K; k++) assert_close(gamma[k], f[k], 1e-12);
    }
}

// A column of zeros, one that repeats another up to 1e-7, and one that is tiny: they are left
// out, and the distance is that of the columns that remain.
static void columns_that_add_nothing_are_left_out(void **state)
{
    (void)state;
    double F[M * K], f[M], gamma[K], some[K], less[M * K];
    random_columns(F, f, 7);
    memset(F, 0, M * sizeof *F);
    for (int i = 0; i < M; i++) {
        F[3 * M + i] = F[2 * M + i] * (1 + 1e-7 * (i % 2));
        F[4 * M + i] *= 1e-7;
    }
    memcpy(less, F, sizeof F);
    memset(less + 3 * M, 0, 2 * M * sizeof *less);
    solve(F, f, gamma);
    solve(less, f, some);
    assert_true(gamma[0] == 0 && gamma[4] == 0);
    assert_true(gamma[2] == 0 || gamma[3] == 0);
    assert_true(gamma[1] != 0);
    assert_close(distance(F, f, gamma), distance(less, f, some), 1e-6);
}

// No column at all, and columns without length, are no reason to divide by zero.
static void nothing_gives_nothing(void **state)
{
    (void)state;
    double F[M * K] = {0}, f[M] = {0}, gamma[K];
    f[3] = 1;
    dls_gram_solve(0, NULL, K, NULL, 1e-5, gamma);
    solve(F, f, gamma);
    for (int k = 0; k < K; k++) assert_true(gamma[k] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_qr),
        cmocka_unit_test(columns_that_add_nothing_are_left_out),
        cmocka_unit_test(nothing_gives_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
