// SPDX-License-Identifier: Apache-2.0
// Reading campaigns: whole ones, half-written ones, and files that lie.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/campaign/campaign_read.h"
#include "tests/support/support.h"

static const char *write_bytes(const char *name, const char *bytes, size_t length,
                               struct dls_arena *a)
{
    const char *path = dls_text(a, "%s/%s", support_folder(), name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void test_json(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_facts facts;
    assert_true(
        dls_json_flatten(&facts,
                         "{\"suite\": \"a \\\"b\\\" \\u00e9\", \"tols\": [1e-4, "
                         "1e-8], \"machine\": {\"cores\": 2, \"gpu\": null}, "
                         "\"none\": [], \"yes\": true}\n",
                         &a));
    assert_string_equal(dls_facts_find(&facts, "suite"), "a \"b\" \xC3\xA9");
    assert_string_equal(dls_facts_find(&facts, "tols"), "1e-4, 1e-8");
    assert_string_equal(dls_facts_find(&facts, "machine.cores"), "2");
    assert_string_equal(dls_facts_find(&facts, "yes"), "true");
    assert_null(dls_facts_find(&facts, "none"));
    static const char *const bad[] = {
        "",   "{",        "{\"a\": }", "[1, 2", "{\"a\": 1} x", "{\"a\": \"\\u12",
        "\"", "{\"a\" 1}"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(dls_json_flatten(&facts, bad[k], &a));
    char deep[200] = {0};
    memset(deep, '[', sizeof deep - 1);
    assert_false(dls_json_flatten(&facts, deep, &a));
    dls_arena_free(&a);
}

static void read_rows(struct dls_ledger *c, const char *rows, struct dls_arena *a)
{
    struct dls_error err;
    write_bytes("results.csv", rows, strlen(rows), a);
    assert_int_equal(dls_ledger_read(c, support_folder(), a, &err), DLS_OK);
}

// Whatever byte a write stopped at, whole rows are kept and the rest is not.
static void test_every_truncation(void **state)
{
    (void)state;
    const char head[] = "problem,solver,tol,status\np,a,1,stalled\n";
    const char rest[] = "q,\"b,c\",1,max_time\nr,d,1,stalled\n";
    size_t first = strlen("q,\"b,c\",1,max_time\n");
    for (size_t length = 0; length < sizeof rest; length++) {
        struct dls_arena a = {0};
        struct dls_ledger c;
        char text[sizeof head + sizeof rest];
        snprintf(text, sizeof text, "%s%.*s", head, (int)length, rest);
        read_rows(&c, text, &a);
        bool whole = length == 0 || length == first || length == sizeof rest - 1;
        int rows = 1 + (length >= first) + (length == sizeof rest - 1);
        assert_int_equal(c.rows, rows);
        assert_int_equal(c.dropped, !whole);
        if (rows > 1) assert_string_equal(c.solver[1], "b,c");
        dls_arena_free(&a);
    }
}

// A row cut inside a quoted cell, and rows that a resumed campaign wrote after it.
static void test_rows_after_a_cut(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_ledger c;
    read_rows(
        &c, "problem,solver,tol,status\np,\"ha\nq,b,1,stalled\nq\nr,b,1,stalled\n", &a);
    assert_int_equal(c.rows, 2);
    assert_string_equal(c.problem[1].name, "r");
    dls_arena_free(&a);
}

static void test_keys_and_lies(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_ledger c;
    read_rows(&c,
              "problem,solver,options,tol,measure,status,natural,merit,time\n"
              "b,pgs,,1e-8,natural,converged,1e-9,1e-3,2\n"
              "b,pgs,,1e-4,natural,converged,1e-5,,1\n"
              "a,pgs,omega=1.2,1e-8,both,converged,1e-9,1e-3,2\n"
              "b,liar,,1e-8,natural,converged,1e-9,,1\n"
              "b,liar,,1e-8,natural,converged,1e-3,,1\n"
              "b,mute,,1e-8,natural,converged,,,1\n"
              "b,mute,,none,natural,converged,1e-9,,1\n",
              &a);
    assert_int_equal(c.problems, 2);
    assert_string_equal(c.problem[0].name, "a");
    assert_int_equal(c.solvers, 4);
    assert_string_equal(c.solver[3], "pgs omega=1.2");
    assert_int_equal(c.tols, 2);
    assert_close(c.tol[1], 1e-8, 0); // from loose to tight
    assert_int_equal(c.rows, 5);
    assert_true(c.dropped);                           // a row without tolerance
    assert_true(dls_ledger_at(&c, 1, 2, 1)->solved);  // pgs
    assert_false(dls_ledger_at(&c, 0, 3, 1)->solved); // `both`: merit is too large
    assert_false(dls_ledger_at(&c, 1, 0, 1)->solved); // the last row of the liar
    assert_false(dls_ledger_at(&c, 1, 1, 1)->solved); // no residual, no success
    assert_null(dls_ledger_at(&c, 0, 2, 1));
    assert_false(dls_ledger_complete(&c, 1, 0));
    assert_true(isnan(c.problem[0].density)); // no such column
    dls_arena_free(&a);
}

static void test_histories(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_ledger c;
    const char *history =
        "iteration,time,natural,merit\n0,0.1,1,\n1,0.2,0.5,\n2,0.3,0.7,"
        "\n3,0.4,0.499,\n4,0.5,0.1,\n5,0.6,0.2,\n";
    write_bytes("h.csv", history, strlen(history), &a);
    read_rows(&c,
              "problem,solver,tol,status,natural,history\n"
              "p,one,1e-8,max_time,0.1,h.csv\n"
              "p,out,1e-8,max_time,0.1,../h.csv\n"
              "p,lost,1e-8,max_time,0.1,none.csv\n",
              &a);
    const struct dls_track *t = &dls_ledger_at(&c, 0, 1, 0)->track;
    assert_int_equal(t->count, 4); // the start, two improvements above 5 %, the end
    assert_close(t->residual[1], 0.5, 0);
    assert_close(t->residual[2], 0.1, 0);
    assert_close(t->time[3], 0.6, 0);
    assert_close(t->residual[3], 0.1, 0);
    assert_int_equal(dls_ledger_at(&c, 0, 0, 0)->track.count, 0);
    assert_int_equal(dls_ledger_at(&c, 0, 2, 0)->track.count, 0);
    dls_arena_free(&a);
}

static void test_what_is_no_campaign(void **state)
{
    (void)state;
    static const char *const files[] = {"", "problem,solver,tol\na,b,1\n",
                                        "problem,solver,tol,status\n",
                                        "problem,solver,tol,status\na,b,x,converged\n"};
    struct dls_arena a = {0};
    struct dls_ledger c;
    struct dls_error err;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        write_bytes("results.csv", files[k], strlen(files[k]), &a);
        err.text[0] = 0;
        assert_int_not_equal(dls_ledger_read(&c, support_folder(), &a, &err), DLS_OK);
        assert_non_null(strstr(err.text, "results.csv"));
    }
    assert_int_equal(dls_ledger_read(&c, "/nonexistent", &a, &err), DLS_EIO);
    dls_arena_free(&a);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    struct dls_arena files = {0};
    struct dls_ledger c;
    struct dls_error err;
    read_rows(&c, "problem,solver,tol,status\np,s,1e-8,stalled\n", &files);
    dls_arena_free(&files);
    bool done = false;
    for (int k = 1; k < 100 && !done; k++) {
        struct dls_arena a = {.fail_at = k};
        enum dls_status status = dls_ledger_read(&c, support_folder(), &a, &err);
        done = status == DLS_OK;
        dls_arena_free(&a);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_every_truncation),
        cmocka_unit_test(test_rows_after_a_cut),
        cmocka_unit_test(test_keys_and_lies),
        cmocka_unit_test(test_histories),
        cmocka_unit_test(test_what_is_no_campaign),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
