// SPDX-License-Identifier: Apache-2.0
// The diagonal bound of W: above W by LAPACK's eigenvalues, and not far above.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

#include "formulations/delassus.h"
#include "formulations/parts/contact_bound.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "tests/support/support.h"

// D of a problem; W dense beside it.
static double *bound_of(const struct dls_problem *p, double *W, struct dls_arena *a)
{
    struct dls_inertia *in = NULL;
    struct dls_delassus f;
    struct dls_error err = {""};
    double *D = DLS_NEW(a, double, p->contacts);
    assert_int_equal(dls_inertia_create(&in, p, a, &err), DLS_OK);
    assert_true(dls_contact_bound(p, in, D, a));
    assert_int_equal(dls_delassus_build(&f, p, a, &err), DLS_OK);
    for (int c = 0; c < f.W->rows; c++)
        for (int k = f.W->p[c]; k < f.W->p[c + 1]; k++)
            for (int i = 0; i < p->d * p->d; i++)
                W[(c * p->d + i / p->d) * p->m + f.W->j[k] * p->d + i % p->d] =
                    dls_bsr_block(f.W, k)[i];
    dls_inertia_destroy(in);
    return D;
}

// Extreme eigenvalues of D^(-1/2) W D^(-1/2).
static double largest_share(const struct dls_problem *p, const double *D, double *W,
                            struct dls_arena *a)
{
    double *l = DLS_NEW(a, double, p->m);
    for (int i = 0; i < p->m; i++)
        for (int j = 0; j < p->m; j++)
            W[i * p->m + j] /= sqrt(D[i / p->d] * D[j / p->d]);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', p->m, W, p->m, l), 0);
    return l[p->m - 1];
}

static void is_above_w(void **state)
{
    (void)state;
    static const char *const names[] = {"sphere-packing", "brick-wall-2d",
                                        "brick-wall-3d", "heavy-on-light", "rod"};
    for (int k = 0; k < 5; k++) {
        const struct dls_generator *g = dls_generator_find(names[k]);
        struct dls_arena a = {0};
        struct dls_problem p;
        struct dls_error err = {""};
        char *opt = DLS_NEW(&a, char, g->options_size);
        dls_option_defaults(g->options, opt);
        assert_int_equal(g->make(&p, opt, &a, &err), DLS_OK);
        double *W = DLS_NEW(&a, double, (size_t)p.m *(size_t)p.m);
        double *D = bound_of(&p, W, &a);
        double share = largest_share(&p, D, W, &a);
        assert_true(share <= 1 + 1e-12); // above W
        assert_true(share >= 0.25);      // the halves of two bodies rarely meet fully
        dls_arena_free(&a);
    }
}

// A disk on the ground: W = diag(1, 3) / m, so D is 3 / m up to the 3^(1/16) of the norm.
static void disk_by_hand(void **state)
{
    (void)state;
    static const struct dls_option none[] = {{0}};
    struct dls_arena a = {0};
    struct dls_problem p;
    struct dls_build b;
    struct dls_origin origin = {"disk", none, NULL, "A disk on the ground."};
    assert_true(dls_build_open(&b, 2, 1, 1, &a));
    dls_build_body(&b, dls_body_disk(2, 0.5, (dls_vec3){0, 0.5, 0}));
    dls_build_touch(&b, (struct dls_touch){.other = -1, .n = {0, 1, 0}});
    assert_int_equal(dls_build_close(&b, &p, &origin, &a), DLS_OK);
    double W[4] = {0}, D = *bound_of(&p, W, &a);
    assert_close(W[0], 0.5, 1e-14);
    assert_close(W[3], 1.5, 1e-14);
    assert_true(D >= 1.5 && D <= 1.5 * pow(3, 1.0 / 16));
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_above_w),
        cmocka_unit_test(disk_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
