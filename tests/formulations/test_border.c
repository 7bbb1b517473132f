// SPDX-License-Identifier: Apache-2.0
// What can be NULL in the public interface is checked: a status and a sentence, no crash.
#include "solvers/reference/certify.h"
#include "solvers/reference/existence.h"
#include "solvers/sequence/sequence.h"
#include "solvers/solver.h"

#include "formulations/arrays.h"
#include "formulations/files/snapshot.h"

#include <string.h>

#include "tests/support/support.h"

static struct dls_error err;

// The call refused its arguments and said why; `err` is empty again.
static void refused(enum dls_status status)
{
    assert_int_equal(status, DLS_EINVAL);
    assert_true(strlen(err.text) > 0);
    err.text[0] = 0;
}

static void nothing_is_found_by_no_name(void **state)
{
    (void)state;
    assert_null(dls_solver_find(NULL));
    assert_null(dls_solver_find("nope"));
    assert_null(dls_missing_find(NULL));
    assert_null(dls_option_find(NULL, "omega"));
    assert_null(dls_option_find(dls_solver_find("pgs")->options, NULL));
}

static void null_gets_a_status(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("stack", "n=2", &a);
    struct dls_judge *judge = NULL;
    const struct dls_solver *pgs = dls_solver_find("pgs");
    double opt[16];
    refused(dls_problem_check(NULL, &err));
    refused(dls_judge_create(NULL, &p, &a, &err));
    refused(dls_judge_create(&judge, NULL, &a, &err));
    refused(dls_judge_create(&judge, &p, NULL, &err));
    refused(dls_snapshot_read(NULL, "x.hdf5", DLS_DAT_GUESS, &a, &err));
    refused(dls_snapshot_read(&p, NULL, DLS_DAT_GUESS, &a, &err));
    refused(dls_snapshot_read(&p, "x.hdf5", DLS_DAT_GUESS, NULL, &err));
    refused(dls_snapshot_write(NULL, "x.hdf5", NULL, &err));
    refused(dls_snapshot_write(&p, NULL, NULL, &err));
    refused(dls_option_set(pgs->options, NULL, "omega", "1", "pgs", &err));
    refused(dls_option_set(pgs->options, opt, NULL, "1", "pgs", &err));
    refused(dls_option_set(pgs->options, opt, "omega", NULL, "pgs", &err));
    refused(dls_option_set(NULL, opt, "omega", "1", "pgs", &err));
    refused(dls_certify(NULL, &p, NULL, &a, &err));
    refused(dls_existence_check(NULL, &p, NULL, &a, &err));
    struct dls_certificate c;
    bool there;
    refused(dls_certificate_read(NULL, &there, "x.hdf5", &p, &a, &err));
    refused(dls_certificate_read(&c, NULL, "x.hdf5", &p, &a, &err));
    refused(dls_certificate_read(&c, &there, NULL, &p, &a, &err));
    refused(dls_certificate_read(&c, &there, "x.hdf5", NULL, &a, &err));
    refused(dls_certificate_read(&c, &there, "x.hdf5", &p, NULL, &err));
    dls_judge_destroy(NULL);
    dls_option_defaults(pgs->options, NULL);
    dls_arena_free(&a);
}

// Every argument of the two ways to make a problem from arrays in turn.
static void arrays_that_are_not_there(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p;
    const double one = 1, mu = 0;
    const struct dls_matrix W = {.rows = 1, .cols = 1, .dense = &one},
                            none = {.rows = 1, .cols = 1};
    const struct dls_frictions c = {1, 1, &mu, NULL}, no_mu = {1, 1, NULL, NULL};
    refused(dls_problem_from_w(NULL, &W, &one, c, &a, &err));
    refused(dls_problem_from_w(&p, NULL, &one, c, &a, &err));
    refused(dls_problem_from_w(&p, &none, &one, c, &a, &err));
    refused(dls_problem_from_w(&p, &W, NULL, c, &a, &err));
    refused(dls_problem_from_w(&p, &W, &one, no_mu, &a, &err));
    refused(dls_problem_from_w(&p, &W, &one, c, NULL, &err));
    refused(dls_problem_from_m(NULL, &W, &W, &one, NULL, c, &a, &err));
    refused(dls_problem_from_m(&p, NULL, &W, &one, NULL, c, &a, &err));
    refused(dls_problem_from_m(&p, &W, NULL, &one, NULL, c, &a, &err));
    refused(dls_problem_from_m(&p, &W, &W, NULL, NULL, c, &a, &err));
    assert_int_equal(dls_problem_from_m(&p, &W, &W, &one, NULL, c, &a, &err), DLS_OK);
    dls_arena_free(&a);
}

// What a run needs: the sentence is in its statistics, and r stays as it was.
static void runs_of_nothing(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_generate("stack", "n=2", &a);
    const struct dls_solver *pgs = dls_solver_find("pgs");
    double *r = DLS_NEW(&a, double, p.m);
    struct dls_stats stats;
    struct dls_sequence s;
    r[0] = 0.5;
    const struct {
        const struct dls_solver *solver;
        const struct dls_problem *problem;
        double *r;
    } lacks[] = {{NULL, &p, r}, {pgs, NULL, r}, {pgs, &p, NULL}};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(dls_solve(lacks[k].solver, NULL, lacks[k].problem, NULL,
                                   lacks[k].r, &stats),
                         DLS_EINVAL);
        assert_int_equal(stats.status, DLS_EINVAL);
        assert_true(strlen(stats.message) > 0);
    }
    assert_int_equal(dls_solve(pgs, NULL, &p, NULL, r, NULL), DLS_EINVAL);
    assert_close(r[0], 0.5, 0);
    dls_sequence_open(&s, NULL);
    assert_int_equal(dls_sequence_solve(NULL, pgs, NULL, &p, NULL, r, &stats),
                     DLS_EINVAL);
    assert_int_equal(dls_sequence_solve(&s, pgs, NULL, &p, NULL, r, &stats), DLS_OK);
    dls_sequence_close(&s);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_by_no_name),
        cmocka_unit_test(null_gets_a_status),
        cmocka_unit_test(arrays_that_are_not_there),
        cmocka_unit_test(runs_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
