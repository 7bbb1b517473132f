// SPDX-License-Identifier: Apache-2.0
// Anderson's mixing on linear maps, and without memory.
#include "solvers/kernel/mixing.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

enum { N = 6 };

// A linear map with factors near one and minus one, slow or never convergent by itself,
// is solved in N + 1 steps; 1e-9 since the least squares drop what is below 1e-8.
static void mixing_solves_linear_maps(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_mixing x;
    const double factor[N] = {0.999, -0.99, 0.9, 0.5, 1.5, -3};
    double s[N] = {0}, f[N], error = 0;
    assert_true(dls_mixing_create(&x, N, N, &a));
    dls_mixing_forget(&x);
    for (int n = 0; n < N + 2; n++) {
        for (int k = 0; k < N; k++) f[k] = factor[k] * (s[k] - k) + k - s[k];
        dls_mixing_step(&x, s, f);
    }
    for (int k = 0; k < N; k++) error += fabs(s[k] - k);
    assert_close(error, 0, 1e-7);
    dls_arena_free(&a);
}

// Without memory it is the plain iteration, bit for bit.
static void mixing_without_memory(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_mixing x;
    double s[2] = {1, 2};
    const double f[2] = {0.25, -0.5};
    assert_true(dls_mixing_create(&x, 2, 0, &a));
    dls_mixing_forget(&x);
    for (int n = 0; n < 3; n++) dls_mixing_step(&x, s, f);
    assert_close(s[0], 1.75, 0);
    assert_close(s[1], 0.5, 0);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixing_solves_linear_maps),
        cmocka_unit_test(mixing_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
