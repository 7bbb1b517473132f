// SPDX-License-Identifier: Apache-2.0
// Files with one bad field end in a status and one sentence that names the file and the
// field; never in a crash, an open handle, or HDF5's own words on the terminal.
#define _GNU_SOURCE
#include "formulations/files/formats.h"
#include "formulations/files/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/support_bad_file.h"
#include "tests/support/support_hdf5.h"
#include "tests/support/support_problem.h"

// --- one bad field at a time ------------------------------------------------------------

// A field to replace: `count` numbers (a negative count removes the field).
struct damage {
    const char *field;
    int count;
    double x[4];
    const char *sentence; // behind "FILE: "
};

// M = I (3 x 3), H = I.
static struct dls_problem good_global(struct dls_arena *a)
{
    static const int at[] = {0, 1, 2}, start[] = {0, 3}, pair[] = {0, -1};
    static const double x[] = {1, 1, 1}, mu[] = {0.5};
    struct dls_problem p = {.contacts = 1, .d = 3, .m = 3, .n = 3};
    p.M = dls_csr_from_triplets(3, 3, 3, at, at, x, a);
    p.H = dls_csr_from_triplets(3, 3, 3, at, at, x, a);
    p.G = dls_csr_from_triplets(1, 3, 1, at, at, x, a);
    p.joints = 1;
    p.b = p.f = p.w = p.v_minus = p.u_minus = p.hF = dls_copy(a, x, 3, sizeof *x);
    p.mu = p.e_n = p.gap = dls_copy(a, mu, 1, sizeof *mu);
    p.bodies = 1;
    p.body_start = dls_copy(a, start, 2, sizeof *start);
    p.body_pair = dls_copy(a, pair, 2, sizeof *pair);
    return p;
}

static const struct damage local_damage[] = {
    {"fclib_local", -1, {0}, "fclib_local: missing"},
    {"fclib_local/spacedim", -1, {0}, "fclib_local/spacedim: missing"},
    {"fclib_local/spacedim", 1, {4}, "fclib_local/spacedim: 4, should be 1, 2 or 3"},
    {"fclib_local/spacedim", 1, {2.5}, "fclib_local/spacedim: 2.5 is not"},
    {"fclib_local/spacedim", 1, {-3}, "fclib_local/spacedim: -3"},
    {"fclib_local/spacedim", 2, {3, 3}, "fclib_local/spacedim: 2 entries"},
    {"fclib_local/W", -1, {0}, "fclib_local/W/m: missing"},
    {"fclib_local/W/m", 1, {12}, "fclib_local/W: 12 rows but q has 6 entries"},
    {"fclib_local/W/n", 1, {5}, "fclib_local/W: 5 columns but q has 6 entries"},
    {"fclib_local/W/m", 1, {2e9}, "fclib_local/W: 2000000000 rows"},
    {"fclib_local/W/m", 1, {-6}, "fclib_local/W: -6 rows"},
    {"fclib_local/W/m", 1, {1e30}, "fclib_local/W/m: 1e+30 is not"},
    {"fclib_local/W/m", 1, {NAN}, "fclib_local/W/m: nan is not"},
    {"fclib_local/W/nz", 1, {-7}, "fclib_local/W/nz: -7"},
    {"fclib_local/W/nz", 1, {2e9}, "fclib_local/W/p: 7 entries for 2000000000"},
    {"fclib_local/W/nz", -1, {0}, "fclib_local/W/nz: missing"},
    {"fclib_local/W/p", -1, {0}, "fclib_local/W/p: missing"},
    {"fclib_local/W/p", 3, {0, 1, 2}, "fclib_local/W/p: "},
    {"fclib_local/W/i", 3, {0, 1, 2}, "fclib_local/W/i: "},
    {"fclib_local/W/x", 2, {1, 2}, "fclib_local/W/x: 2 entries, 6 needed"},
    {"fclib_local/vectors", -1, {0}, "fclib_local/vectors/q: missing"},
    {"fclib_local/vectors/q", 3, {1, 2, 3}, "fclib_local/W: 6 rows but q has 3"},
    {"fclib_local/vectors/q", 4, {1, 2, 3, 4}, "fclib_local/W: 6 rows but q has 4"},
    {"fclib_local/vectors/mu", -1, {0}, "fclib_local/vectors/mu: missing"},
    {"fclib_local/vectors/mu", 3, {1, 1, 1}, "fclib_local/vectors/mu: 3 entries"},
    {"fclib_local/vectors/mu", 2, {1, -0.25}, "mu: entry 1 is -0.25"},
    {"fclib_local/vectors/mu", 2, {NAN, 1}, "mu: entry 0 is "},
    {"fclib_local/vectors/mu", 2, {1, INFINITY}, "mu: entry 1 is inf"},
    {"delassus/format", 1, {2}, "delassus/format: version 2"},
    {"delassus/format", -1, {0}, "delassus/format: missing"},
    {"delassus/gap", 1, {0}, "delassus/gap: 1 entries but the contacts are 2"},
    {"delassus/e_n", 2, {0, 1.5}, "e_n: entry 1 is 1.5"},
};

static const struct damage global_damage[] = {
    {"fclib_global/M/m", 1, {4}, "fclib_global/M: 4 rows but f has 3 entries"},
    {"fclib_global/H/m", 1, {4}, "fclib_global/H: 4 rows but f has 3 entries"},
    {"fclib_global/H/n", 1, {6}, "fclib_global/H: 6 columns but w has 3 entries"},
    {"fclib_global/M", -1, {0}, "fclib_global/M/m: missing"},
    {"fclib_global/H", -1, {0}, "fclib_global/H/m: missing"},
    {"fclib_global/M/p", 4, {0, 2, 1, 3}, "fclib_global/M/p: "},
    {"fclib_global/M/p", 4, {1, 1, 2, 3}, "fclib_global/M/p: starts at 1"},
    {"fclib_global/M/p", 4, {0, 1, 2, 9}, "fclib_global/M/i: 3 entries, 9 needed"},
    {"fclib_global/M/p", 4, {0, 1, 2, 2e9}, "fclib_global/M/i: 3 entries, 2000"},
    {"fclib_global/M/i", 3, {0, 3, 1}, "fclib_global/M/i: index 3 at entry 1"},
    {"fclib_global/M/i", 3, {0, 1, -1}, "fclib_global/M/i: index -1 at entry 2"},
    {"fclib_global/M/x", 3, {1, NAN, 1}, "M: entry (1, 1) is "},
    {"fclib_global/H/x", 3, {1, 1, -INFINITY}, "H: entry (2, 2) is -inf"},
    {"fclib_global/vectors/f", 3, {0, NAN, 0}, "f: entry 1 is "},
    {"fclib_global/vectors/w", 3, {0, 0, INFINITY}, "w: entry 2 is inf"},
    {"fclib_global/vectors/w", 2, {0, 0}, "fclib_global/H: 3 columns but w has 2"},
    {"fclib_global/vectors/b", -1, {0}, "fclib_global/vectors/b: missing"},
    {"fclib_global/vectors/b", 2, {0, 0}, "fclib_global/G: 1 columns but b has 2"},
    {"fclib_global/G", -1, {0}, "fclib_global/G/m: missing"},
    {"delassus/v_minus", 2, {0, 0}, "delassus/v_minus: 2 entries but n is 3"},
    {"delassus/hF", 3, {0, NAN, 0}, "hF: entry 1 is "},
    {"delassus/bodies", 2, {0, 2}, "bodies: the last ends at 2 of 3"},
    {"delassus/bodies", 3, {0, 4, 3}, "bodies: body 1 ends before"},
    {"delassus/bodies", 0, {0}, "delassus/bodies: empty"},
    {"delassus/body_pair", 2, {0, 1}, "body_pair: contact 0 has body 1"},
    {"delassus/body_pair", 1, {0}, "delassus/body_pair: 1 entries"},
    {"delassus/time", 1, {INFINITY}, "time: inf"},
};

// Index arrays stay integers; sizes go through as real numbers, which HDF5 allows.
static void inflict(const struct damage *d)
{
    hid_t file = support_h5_open(support_bad_path, false);
    size_t length = strlen(d->field);
    bool whole = !strcmp(d->field + length - 2, "/p")
                 || !strcmp(d->field + length - 2, "/i") || strstr(d->field, "bod");
    if (d->count < 0)
        support_h5_remove(file, d->field);
    else
        support_h5_put(file, d->field, whole ? H5T_STD_I32LE : H5T_IEEE_F64LE,
                       H5T_NATIVE_DOUBLE, d->x, d->count);
    H5Fclose(file);
}

static void expect(const char *sentence)
{
    struct dls_error err;
    enum dls_status status = support_bad_read(&err);
    if (!status) fail_msg("accepted; expected '%s'", sentence);
    if (!support_behaves(status, &err, support_bad_path))
        fail_msg("%d: %s", status, err.text);
    const char *what = err.text + strlen(support_bad_path) + 2;
    if (strncmp(what, sentence, strlen(sentence)) != 0)
        fail_msg("'%s'; expected '%s'", what, sentence);
    assert_int_equal(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void every_bad_field_is_named(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem local = support_bad_local(&a), global = good_global(&a);
    support_bad_choose("field.hdf5");
    for (size_t k = 0; k < sizeof local_damage / sizeof *local_damage; k++) {
        assert_int_equal(dls_fclib_write(&local, support_bad_path, NULL, NULL), DLS_OK);
        inflict(&local_damage[k]);
        expect(local_damage[k].sentence);
    }
    for (size_t k = 0; k < sizeof global_damage / sizeof *global_damage; k++) {
        assert_int_equal(dls_fclib_write(&global, support_bad_path, NULL, NULL),
                         DLS_OK);
        inflict(&global_damage[k]);
        expect(global_damage[k].sentence);
    }
    dls_arena_free(&a);
}

// What no table of numbers can express.
static void odd_files_are_named(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_bad_local(&a);
    support_bad_choose("odd.hdf5");
    unlink(support_bad_path);
    expect("cannot be opened: No such file");
    support_bad_put("no HDF5 at all", 14);
    expect("not an HDF5 file");
    H5Fclose(support_h5_open(support_bad_path, true));
    expect("fclib_local: missing");
    assert_int_equal(dls_fclib_write(&p, support_bad_path, NULL, NULL), DLS_OK);
    hid_t file = support_h5_open(support_bad_path, false);
    support_h5_text(file, "fclib_local/vectors/q", "words", false);
    H5Fclose(file);
    expect("fclib_local/vectors/q: does not hold numbers");
    // A length that the file cannot hold, never written: nothing may be allocated for it.
    file = support_h5_open(support_bad_path, false);
    support_h5_put(file, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                   NULL, 2000000000);
    H5Fclose(file);
    expect("fclib_local/vectors/q: 2000000000 entries do not fit");
    file = support_h5_open(support_bad_path, false);
    support_h5_remove(file, "fclib_local/vectors/q");
    hid_t group = H5Gcreate2(file, "fclib_local/vectors/q", 0, 0, 0);
    H5Gclose(group);
    H5Fclose(file);
    expect("fclib_local/vectors/q: damaged, or not a dataset");
    support_bad_choose("odd.xyz");
    support_bad_put("text", 4);
    expect("ending unknown");
    dls_arena_free(&a);
}

static void a_bad_problem_is_not_written(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_error err;
    struct dls_problem p = support_bad_local(&a);
    support_bad_choose("unwritten.hdf5");
    p.mu[1] = -1;
    assert_int_equal(dls_snapshot_write(&p, support_bad_path, NULL, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, ": mu: entry 1 is -1"));
    assert_int_not_equal(access(support_bad_path, F_OK), 0);
    p.mu[1] = 0;
    support_bad_choose("no/such/folder.hdf5");
    assert_int_equal(dls_snapshot_write(&p, support_bad_path, NULL, &err), DLS_EIO);
    assert_true(support_behaves(DLS_EIO, &err, support_bad_path));
    dls_arena_free(&a);
}

// HDF5 prints its error stack unless told not to, and its printer is left as it was.
static void hdf5_keeps_quiet(void **state)
{
    (void)state;
    struct dls_error err;
    H5E_auto2_t before, after;
    void *data;
    support_bad_choose("quiet.hdf5");
    support_bad_put("\211HDF\r\n\032\n and nothing more", 24);
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    assert_non_null(before);
    fflush(stderr);
    int terminal = dup(STDERR_FILENO);
    FILE *caught = tmpfile();
    dup2(fileno(caught), STDERR_FILENO);
    enum dls_status status = support_bad_read(&err);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    fseek(caught, 0, SEEK_END);
    assert_int_equal(ftell(caught), 0);
    fclose(caught);
    assert_true(status && support_behaves(status, &err, support_bad_path));
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    assert_true(before == after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_field_is_named),
        cmocka_unit_test(odd_files_are_named),
        cmocka_unit_test(a_bad_problem_is_not_written),
        cmocka_unit_test(hdf5_keeps_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
