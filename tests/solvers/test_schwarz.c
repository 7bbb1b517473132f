// SPDX-License-Identifier: Apache-2.0
// Schwarz with several patches against Gauss-Seidel.
#include <math.h>

#include "tests/support/support.h"
#include "tests/support/support_run.h"

// Patches that are a small part of the whole come to the answer of Gauss-Seidel where there
// is one alone: W of full rank and little friction. 1e-8 of the residual times the
// condition, below 100, in units of the largest velocity.
static void small_patches(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("manufactured", "contacts=60 d=3", &a);
    struct support_run patches =
        support_run("schwarz", "contacts=15 sweeps=5", &p, NULL, &a);
    struct support_run plain = support_run("pgs", "", &p, NULL, &a);
    double size = 0;
    assert_int_equal(patches.stats.status, DLS_OK);
    assert_int_equal(plain.stats.status, DLS_OK);
    assert_true(patches.stats.iterations > 1);
    assert_true(patches.stats.work.local_solves // patches beside the sweeps
                > patches.stats.iterations * 5 * p.contacts);
    for (int k = 0; k < p.m; k++) size = fmax(size, fabs(plain.u[k]));
    for (int k = 0; k < p.m; k++) assert_close(patches.u[k], plain.u[k], 1e-6 * size);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_patches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
