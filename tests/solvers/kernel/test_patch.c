// SPDX-License-Identifier: Apache-2.0
// Patches: the nearest contacts, the problem they make on their own, and that the rest is
// left alone.
#include "solvers/kernel/patch.h"

#include "formulations/judge/cone.h"

#include "base/rng.h"

#include <math.h>

#include "tests/support/support.h"

static struct dls_problem packing(struct dls_delassus *D, struct dls_arena *a)
{
    struct dls_problem p =
        support_generate("sphere-packing", "across=4 layers=4 near=0.2", a);
    assert_int_equal(dls_delassus_build(D, &p, a, NULL), DLS_OK);
    return p;
}

// Whether contact c shares a block of W with a contact of the patch.
static bool touches(const struct dls_patch *p, const struct dls_bsr *W, int c)
{
    for (int k = W->p[c]; k < W->p[c + 1]; k++)
        if (W->j[k] != c && p->number[W->j[k]]) return true;
    return false;
}

// A patch has as many contacts as asked for, hangs together and holds all neighbours of
// the first contact; asked for more than there are, it holds all.
static void nearest(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_delassus D;
    struct dls_patch patch;
    packing(&D, &a);
    const struct dls_bsr *W = D.W;
    assert_true(dls_patch_create(&patch, &D, &a));
    int seed = D.contacts / 2, neighbours = W->p[seed + 1] - W->p[seed];
    dls_patch_grow(&patch, seed, 2 * neighbours);
    assert_int_equal(patch.count, 2 * neighbours);
    for (int c = 0; c < patch.count; c++) {
        assert_int_equal(patch.number[patch.list[c]], c + 1);
        assert_true(touches(&patch, W, patch.list[c]));
    }
    for (int k = W->p[seed]; k < W->p[seed + 1]; k++)
        assert_true(patch.number[W->j[k]] > 0);
    dls_patch_grow(&patch, seed, 1);
    assert_int_equal(patch.count, 1);
    assert_int_equal(patch.list[0], seed);
    dls_patch_grow(&patch, seed, D.contacts + 10);
    assert_int_equal(patch.count, D.contacts);
    for (int c = 0; c < D.contacts; c++) {
        assert_int_equal(patch.list[c], c);
        assert_int_equal(patch.number[c], c + 1);
    }
    dls_arena_free(&a);
}

// After the solve the contacts of the patch obey the law with the others as they were,
// measured here by the residual of the whole.
static void solved_alone(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_delassus D;
    struct dls_patch patch;
    struct dls_rng g = dls_rng_seed(3);
    struct dls_work work = {.deadline = INFINITY};
    bool solved;
    packing(&D, &a);
    double *r = DLS_NEW(&a, double, D.m), *before = DLS_NEW(&a, double, D.m),
           *u = DLS_NEW(&a, double, D.m);
    assert_true(dls_patch_create(&patch, &D, &a));
    for (int k = 0; k < D.m; k++) r[k] = before[k] = dls_rng_real(&g);
    dls_patch_grow(&patch, 7, 20);
    dls_bsr_multiply(D.W, r, D.q, u);
    assert_int_equal(
        dls_patch_solve(&patch, "pgs", 1e-10, 1000000, u, r, &solved, &work, &a),
        DLS_OK);
    assert_true(solved);
    assert_true(work.local_solves >= patch.count); // the patch's work is counted
    dls_bsr_multiply(D.W, r, D.q, u);
    for (int c = 0; c < D.contacts; c++) {
        double z[3], error = 0, moved = 0;
        struct dls_cone K = dls_cone_make(3, false, D.mu[c], 0);
        for (int i = 0; i < 3; i++) {
            z[i] = r[3 * c + i] - u[3 * c + i];
            moved = fmax(moved, fabs(r[3 * c + i] - before[3 * c + i]));
        }
        z[0] -= dls_cone_shift(&K, u + 3 * c);
        dls_cone_project(&K, z, z);
        for (int i = 0; i < 3; i++) error = fmax(error, fabs(r[3 * c + i] - z[i]));
        if (patch.number[c])
            assert_true(error < 1e-9);
        else
            assert_true(moved == 0);
    }
    dls_arena_free(&a);
}

// Out of steps: nothing changes.
static void unsolved(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_delassus D;
    struct dls_patch patch;
    struct dls_work work = {.deadline = INFINITY};
    bool solved;
    packing(&D, &a);
    double *r = DLS_NEW(&a, double, D.m);
    assert_true(dls_patch_create(&patch, &D, &a));
    dls_patch_grow(&patch, 7, 20);
    assert_int_equal(
        dls_patch_solve(&patch, "pgs", 1e-14, 1, D.q, r, &solved, &work, &a), DLS_OK);
    assert_false(solved);
    for (int k = 0; k < D.m; k++) assert_true(r[k] == 0);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest),
        cmocka_unit_test(solved_alone),
        cmocka_unit_test(unsolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
