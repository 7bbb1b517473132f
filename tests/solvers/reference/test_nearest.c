// SPDX-License-Identifier: Apache-2.0
// The answer nearest to given impulses: that it is one, that it is the nearest, and where
// Newton's method on frozen statuses does not find any.
#include "solvers/reference/nearest.h"

#include "formulations/velocities/velocities.h"

#include <lapacke.h>
#include <math.h>

#include "tests/support/support.h"
#include "tests/support/support_refine.h"

// A table on four legs as W and q: 12 impulses, of which 6 change no velocity.
static struct dls_problem table(const char *options, struct dls_arena *a)
{
    struct dls_problem p = support_generate("four-leg-table", options, a);
    return support_condensed(&p, a);
}

// Pushed so that it slides and turns; from sweeps to 1e-8. Frozen statuses stay where the
// sweeps were.
static void statuses_need_not_be_right(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct support_bench b;
    struct dls_problem p = table("load=1 load_x=0.1 push=0.4 mu=0.2", &a);
    double *r = support_solve(&p, 1e-8, &a);
    support_bench_open(&b, &p);
    support_bench_refine(&b, r);
    assert_true(b.extended.natural > 1e-10);
    assert_int_equal(dls_refine_begin(&b.refinement, &b.form, &b.extended, r, &b.a),
                     DLS_OK);
    assert_int_equal(dls_nearest_find(&b.refinement, 1e-14, &b.work, &b.a), DLS_OK);
    assert_true(dls_refine_measure(&b.refinement, b.refinement.r) <= 1e-14);
    for (int c = 0; c < p.contacts; c++)
        assert_int_equal(b.refinement.status[c], DLS_REFINE_CLOSED | DLS_REFINE_SLIPS);
    support_bench_close(&b);
    dls_arena_free(&a);
}

// All legs stick, in the interior of their cones (mu = 2). The change of r, weighted by l, has
// no part in the null space of W: it is of the form H v, up to the round-off of W, 1e-16, over
// the residual that is left, 1e-8.
static void it_is_the_nearest(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct support_bench b;
    struct dls_problem p = table("load=1 load_x=0.1 load_y=0.05 push=0.2 mu=2", &a);
    double *r = support_solve(&p, 1e-8, &a), change[12], H[12 * 6] = {0}, size = 0;
    for (int k = 0; k < 12; k++) r[k] *= 1 + 1e-3 * sin(k + 1.0);
    support_bench_open(&b, &p);
    assert_int_equal(dls_refine_begin(&b.refinement, &b.form, &b.extended, r, &b.a),
                     DLS_OK);
    assert_int_equal(dls_nearest_find(&b.refinement, 1e-8, &b.work, &b.a), DLS_OK);
    assert_true(dls_refine_measure(&b.refinement, b.refinement.r) <= 1e-8);
    for (int k = 0; k < 12; k++) {
        change[k] = b.extended.l[k / 3] * (double)(b.refinement.r[k] - r[k]);
        size += change[k] * change[k];
    }
    assert_true(size > 0);
    const struct dls_csr *known = b.form.velocities->H;
    assert_int_equal(known->cols, 6);
    for (int i = 0; i < 12; i++)
        for (int k = known->p[i]; k < known->p[i + 1]; k++)
            H[known->j[k] * 12 + i] = known->x[k];
    assert_int_equal(LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', 12, 6, 1, H, 12, change, 12),
                     0);
    double left = 0; // of the least squares: entries behind the answer
    for (int k = 6; k < 12; k++) left += change[k] * change[k];
    assert_true(sqrt(left) <= 1e-6 * sqrt(size));
    support_bench_close(&b);
    dls_arena_free(&a);
}

// A global problem has no data of its own for W; without time nothing moves.
static void what_is_not_done(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct support_bench b;
    struct dls_problem p = support_generate("four-leg-table", "", &a);
    double *r = support_solve(&p, 1e-8, &a);
    support_bench_open(&b, &p);
    assert_int_equal(dls_refine_begin(&b.refinement, &b.form, &b.extended, r, &b.a),
                     DLS_OK);
    assert_int_equal(dls_nearest_find(&b.refinement, 1e-14, &b.work, &b.a),
                     DLS_UNSUPPORTED);
    support_bench_close(&b);
    p = support_condensed(&p, &a);
    support_bench_open(&b, &p);
    b.work.deadline = 0;
    assert_int_equal(dls_refine_begin(&b.refinement, &b.form, &b.extended, r, &b.a),
                     DLS_OK);
    assert_int_equal(dls_nearest_find(&b.refinement, 0, &b.work, &b.a), DLS_MAX_TIME);
    for (int k = 0; k < p.m; k++) assert_true(b.refinement.r[k] == r[k]);
    support_bench_close(&b);
    dls_arena_free(&a);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct support_bench b;
    struct dls_problem p = table("load=1 load_x=0.1 push=0.4 mu=0.2", &a);
    double *r = support_solve(&p, 1e-8, &a);
    support_bench_open(&b, &p);
    assert_int_equal(dls_refine_begin(&b.refinement, &b.form, &b.extended, r, &b.a),
                     DLS_OK);
    // Found before, so that what fails is this search's own memory.
    assert_int_equal(dls_velocities_find(&b.form), DLS_OK);
    enum dls_status status = DLS_ENOMEM;
    int calls = 0;
    while (status == DLS_ENOMEM && calls < 1000) {
        struct dls_arena short_of = {.fail_at = ++calls};
        status = dls_nearest_find(&b.refinement, 1e-14, &b.work, &short_of);
        dls_arena_free(&short_of);
    }
    assert_int_equal(status, DLS_OK);
    assert_true(calls > 20);
    support_bench_close(&b);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_need_not_be_right),
        cmocka_unit_test(it_is_the_nearest),
        cmocka_unit_test(what_is_not_done),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
