// SPDX-License-Identifier: Apache-2.0
// A solver inside a solver: as many steps as asked for, fewer where the time is over or the
// run is cancelled, although the clock is not read after each of them.
#include "solvers/kernel/nested.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

#include "tests/support/support.h"

static long readings;

double __real_dls_clock(void);
double __wrap_dls_clock(void);
double __wrap_dls_clock(void)
{
    readings++;
    return __real_dls_clock();
}

struct nest {
    struct dls_arena a;
    struct dls_problem p;
    struct dls_nested pgs;
    struct dls_work work;
};

static void open_nest_of(struct nest *n, const char *options)
{
    *n = (struct nest){.work.deadline = INFINITY};
    n->p = support_generate("stack", options, &n->a);
    assert_int_equal(dls_nested_create(&n->pgs, "pgs", NULL, &n->p, NULL, &n->a, NULL),
                     DLS_OK);
    dls_nested_start(&n->pgs, DLS_NEW(&n->a, double, n->p.m));
}

// Of 400 contacts: a sweep is longer than reading the clock.
static void open_nest(struct nest *n) { open_nest_of(n, "n=400"); }

static void close_nest(struct nest *n)
{
    dls_nested_destroy(&n->pgs);
    dls_arena_free(&n->a);
}

// 500 steps at once and one by one are the same steps.
static void steps_are_counted(void **state)
{
    (void)state;
    struct nest one, many;
    open_nest(&one);
    open_nest(&many);
    assert_int_equal(dls_nested_run(&one.pgs, 500, &one.work), DLS_OK);
    for (int k = 0; k < 500; k++)
        assert_int_equal(dls_nested_run(&many.pgs, 1, &many.work), DLS_OK);
    assert_int_equal(one.pgs.steps, 500);
    assert_int_equal(many.pgs.steps, 500);
    assert_memory_equal(one.pgs.z, many.pgs.z, (size_t)one.p.m * sizeof *one.pgs.z);
    close_nest(&one);
    close_nest(&many);
}

// Where the time is over, or the run is cancelled, one step is made and no more.
static void ends_early(void **state)
{
    (void)state;
    volatile sig_atomic_t cancel = 1;
    struct nest late, cancelled;
    open_nest(&late);
    late.work.deadline = dls_clock();
    assert_int_equal(dls_nested_run(&late.pgs, 1000, &late.work), DLS_OK);
    assert_int_equal(late.pgs.steps, 1);
    close_nest(&late);
    open_nest(&cancelled);
    cancelled.work.cancel = &cancel;
    assert_int_equal(dls_nested_run(&cancelled.pgs, 1000, &cancelled.work), DLS_OK);
    assert_int_equal(cancelled.pgs.steps, 1);
    close_nest(&cancelled);
}

// A deadline some steps ahead ends a run that would be endless.
static void deadlines_are_seen_between_steps(void **state)
{
    (void)state;
    struct nest n;
    open_nest(&n);
    n.work.deadline = dls_clock() + 1e-3;
    assert_int_equal(dls_nested_run(&n.pgs, 1000000000, &n.work), DLS_OK);
    assert_in_range(n.pgs.steps, 1, 999999999);
    close_nest(&n);
}

// Sweeps over one contact: the clock is read once in 200 of them at most.
static void short_sweeps_do_not_read_the_clock(void **state)
{
    (void)state;
    struct nest n;
    open_nest_of(&n, "n=1");
    readings = 0;
    assert_int_equal(dls_nested_run(&n.pgs, 10000, &n.work), DLS_OK);
    assert_int_equal(n.pgs.steps, 10000);
    assert_in_range(readings, 1, 50);
    close_nest(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_counted),
        cmocka_unit_test(ends_early),
        cmocka_unit_test(deadlines_are_seen_between_steps),
        cmocka_unit_test(short_sweeps_do_not_read_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
