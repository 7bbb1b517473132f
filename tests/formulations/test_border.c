// SPDX-License-Identifier: Apache-2.0
// What can be NULL in the public interface is checked: a status and a sentence, no crash.
#include "solvers/reference/certify.h"
#include "solvers/reference/existence.h"
#include "solvers/solver.h"

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
    dls_judge_destroy(NULL);
    dls_option_defaults(pgs->options, NULL);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_by_no_name),
        cmocka_unit_test(null_gets_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
