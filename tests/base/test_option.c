// SPDX-License-Identifier: Apache-2.0
// Option tables: defaults, what is taken and what is refused; names of statuses.
#include "base/option.h"

#include <string.h>

#include "tests/support/support.h"

struct test_options {
    double omega;
    int sweeps, order;
};
static const struct dls_option test_table[] = {
    DLS_REAL(test_options, omega, 1, 0, 2, "over-relaxation"),
    DLS_INT(test_options, sweeps, 10, 1, 1000, "sweeps"),
    DLS_CHOICE(test_options, order, 1, "given|symmetric|shuffled", "order"),
    {0},
};

static void options_take_what_the_table_allows(void **state)
{
    (void)state;
    struct test_options opt;
    char text[64];
    dls_option_defaults(test_table, &opt);
    assert_true(opt.omega == 1 && opt.sweeps == 10 && opt.order == 1);
    assert_int_equal(dls_option_set(test_table, &opt, "omega", "1.5", "t", NULL),
                     DLS_OK);
    assert_int_equal(dls_option_set(test_table, &opt, "sweeps", "3", "t", NULL),
                     DLS_OK);
    assert_int_equal(dls_option_set(test_table, &opt, "order", "shuffled", "t", NULL),
                     DLS_OK);
    assert_true(opt.omega == 1.5 && opt.sweeps == 3 && opt.order == 2);
    assert_string_equal(dls_option_value(&test_table[0], &opt, text), "1.5");
    assert_string_equal(dls_option_value(&test_table[2], &opt, text), "shuffled");
    assert_string_equal(dls_option_range(&test_table[0], text), "0 ... 2");
    assert_null(dls_option_find(test_table, "omeg"));
    assert_null(dls_option_find(NULL, "omega"));
    dls_option_defaults(NULL, NULL);
}

static void options_refuse_the_rest(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"omega", "2.5"},    {"omega", "-0.1"}, {"omega", "nan"},   {"omega", ""},
        {"omega", "1x"},     {"sweeps", "0"},   {"sweeps", "1.5"},  {"sweeps", "1001"},
        {"order", "given|"}, {"order", ""},     {"order", "shuff"}, {"order", "1"},
        {"unknown", "1"},
    };
    struct test_options opt, before;
    dls_option_defaults(test_table, &opt);
    before = opt;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct dls_error err = {""};
        if (dls_option_set(test_table, &opt, bad[k][0], bad[k][1], "pgs", &err)
            != DLS_EINVAL)
            fail_msg("%s = '%s' was accepted", bad[k][0], bad[k][1]);
        assert_non_null(strstr(err.text, "pgs"));
        assert_non_null(strstr(err.text, bad[k][0]));
        assert_true(opt.omega == before.omega && opt.sweeps == before.sweeps
                    && opt.order == before.order);
    }
}

static void statuses_have_names(void **state)
{
    (void)state;
    struct dls_error err;
    assert_string_equal(dls_status_name(DLS_OK), "converged");
    assert_string_equal(dls_status_name(DLS_EIO), "io");
    assert_string_equal(dls_status_name((enum dls_status)99), "unknown");
    assert_string_equal(dls_status_text(DLS_MAX_TIME), "out of time");
    assert_int_equal(dls_fail(&err, DLS_EINVAL, "%0300d", 1), DLS_EINVAL);
    assert_int_equal(strlen(err.text), sizeof err.text - 1); // cut, not overrun
    assert_int_equal(dls_fail(NULL, DLS_EIO, "unheard"), DLS_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_take_what_the_table_allows),
        cmocka_unit_test(options_refuse_the_rest),
        cmocka_unit_test(statuses_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
