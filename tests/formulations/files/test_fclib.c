// SPDX-License-Identifier: Apache-2.0
// FCLIB files: what is written comes back bit for bit, every way to store a matrix gives
// the same matrix, and every file of the corpus opens.
#define _GNU_SOURCE
#include "formulations/files/formats.h"
#include "formulations/files/snapshot.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"
#include "tests/support/support_hdf5.h"
#include "tests/support/support_problem.h"

static const char *file_named(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", support_folder(), name);
    return path;
}

// Writes, reads, compares; returns what was read.
static struct dls_problem round_trip(const struct dls_problem *p, struct dls_arena *a)
{
    const char *path = file_named("trip.hdf5");
    struct dls_error err = {""};
    struct dls_problem back;
    if (dls_snapshot_write(p, path, NULL, &err)) fail_msg("%s", err.text);
    if (dls_snapshot_read(&back, path, DLS_DAT_GUESS, a, &err))
        fail_msg("%s", err.text);
    support_same_problem(p, &back);
    return back;
}

static void everything_comes_back(void **state)
{
    (void)state;
    for (int d = 1; d <= 5; d++) {
        if (d == 4) continue;
        for (int contacts = 0; contacts < 60; contacts = 3 * contacts + 1) {
            struct dls_arena a = {0};
            struct dls_rng rng = dls_rng_seed(7);
            struct dls_problem p = support_random_local(contacts, d, 1, &a);
            round_trip(&p, &a);
            support_add_history(&p, &rng, &a);
            round_trip(&p, &a);
            p = support_random_global(contacts, d, 0, 2, &a);
            round_trip(&p, &a);
            p = support_random_global(contacts, d, 4, 3, &a);
            support_add_history(&p, &rng, &a);
            round_trip(&p, &a);
            dls_arena_free(&a);
        }
    }
}

static void long_vectors_come_back(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_random_local(30000, 3, 5, &a); // several chunks
    round_trip(&p, &a);
    dls_arena_free(&a);
}

static void planar_rolling_and_local_joints_come_back(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng rng = dls_rng_seed(11);
    struct dls_problem p = support_random_local(4, 3, 1, &a);
    p.rolling = true;
    p.mu_r = support_random_vector(&rng, 4, 0, 1, &a);
    assert_true(round_trip(&p, &a).rolling);
    p = support_random_local(4, 2, 1, &a);
    p.joints = 3;
    p.V = support_random_csr(&rng, p.m, 3, 7, &a);
    p.R = support_random_csr(&rng, 3, 3, 5, &a);
    p.s = support_random_vector(&rng, 3, -1, 1, &a);
    round_trip(&p, &a);
    dls_arena_free(&a);
}

static void answers_are_stored(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng rng = dls_rng_seed(3);
    struct dls_problem p = support_random_global(5, 3, 0, 2, &a), back;
    struct dls_answer answer = {
        .r = support_random_vector(&rng, p.m, -1, 1, &a),
        .u = support_random_vector(&rng, p.m, -1, 1, &a),
        .v = support_random_vector(&rng, p.n, -1, 1, &a),
    };
    p.solution_r = support_random_vector(&rng, p.m, -1, 1, &a); // an older one
    const char *path = file_named("answer.h5");
    assert_int_equal(dls_snapshot_write(&p, path, &answer, NULL), DLS_OK);
    assert_int_equal(dls_snapshot_read(&back, path, DLS_DAT_GUESS, &a, NULL), DLS_OK);
    assert_memory_equal(back.solution_r, answer.r, (size_t)p.m * sizeof(double));
    hid_t file = support_h5_open(path, false), set = H5Dopen2(file, "/solution/v", 0);
    double *v = DLS_NEW(&a, double, p.n);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
    assert_memory_equal(v, answer.v, (size_t)p.n * sizeof(double));
    H5Dclose(set);
    H5Fclose(file);
    dls_arena_free(&a);
}

// One contact in 3D with W = [4 0 1; 2 5 0; 0 0 3], stored in several ways.
struct storage {
    int nz, nzmax, p_count, count;
    int p[8], i[8];
    double x[8];
};
static const struct storage storages[] = {
    {5, 5, 5, 5, {0, 2, 0, 1, 2}, {0, 0, 1, 1, 2}, {4, 1, 2, 5, 3}},
    {6, 9, 6, 6, {2, 1, 0, 0, 2, 0}, {2, 1, 1, 0, 0, 0}, {3, 5, 2, 1, 1, 3}},
    {-1, 5, 4, 5, {0, 2, 3, 5}, {0, 1, 1, 0, 2}, {4, 2, 5, 1, 3}},
    {-1, 5, 4, 5, {0, 2, 3, 5}, {1, 0, 1, 2, 0}, {2, 4, 5, 3, 1}},
    {-1, 9, 4, 7, {0, 3, 4, 6}, {1, 0, 1, 1, 2, 0}, {1, 4, 1, 5, 3, 1, 99}},
    {-2, 5, 4, 5, {0, 2, 4, 5}, {0, 2, 0, 1, 2}, {4, 1, 2, 5, 3}},
    {-2, 8, 4, 6, {0, 3, 5, 6}, {2, 0, 0, 1, 0, 2}, {1, 1, 3, 5, 2, 3}},
};

static void put_storage(const char *path, const struct storage *s)
{
    hid_t file = support_h5_open(path, true);
    const double q[] = {-1, 0.5, 0.25}, mu[] = {0.3};
    support_h5_ints(file, "fclib_local/spacedim", &(int){3}, 1);
    support_h5_ints(file, "fclib_local/W/m", &(int){3}, 1);
    support_h5_ints(file, "fclib_local/W/n", &(int){3}, 1);
    support_h5_ints(file, "fclib_local/W/nz", &s->nz, 1);
    support_h5_ints(file, "fclib_local/W/nzmax", &s->nzmax, 1);
    support_h5_ints(file, "fclib_local/W/p", s->p, s->p_count);
    support_h5_ints(file, "fclib_local/W/i", s->i, s->count);
    support_h5_reals(file, "fclib_local/W/x", s->x, s->count);
    support_h5_reals(file, "fclib_local/vectors/q", q, 3);
    support_h5_reals(file, "fclib_local/vectors/mu", mu, 1);
    H5Fclose(file);
}

static void all_storages_give_the_same_matrix(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    const double W[] = {4, 0, 1, 2, 5, 0, 0, 0, 3};
    for (size_t k = 0; k < sizeof storages / sizeof *storages; k++) {
        struct dls_error err = {""};
        struct dls_problem p;
        const char *path = file_named("storage.hdf5");
        put_storage(path, &storages[k]);
        if (dls_fclib_read(&p, path, &a, &err)) fail_msg("%zu: %s", k, err.text);
        assert_int_equal(dls_csr_count(p.W), 5);
        double dense[9] = {0};
        for (int i = 0; i < 3; i++)
            for (int l = p.W->p[i]; l < p.W->p[i + 1]; l++)
                dense[3 * i + p.W->j[l]] = p.W->x[l];
        assert_memory_equal(dense, W, sizeof W);
    }
    dls_arena_free(&a);
}

static void other_types_and_texts_are_understood(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p;
    const char *path = file_named("types.hdf5");
    put_storage(path, &storages[0]);
    hid_t file = support_h5_open(path, false);
    const double three = 3;
    const float q[] = {-1, 0.5, 0.25};
    support_h5_put(file, "fclib_local/spacedim", H5T_STD_I64BE, H5T_NATIVE_DOUBLE,
                   &three, 1);
    support_h5_put(file, "fclib_local/W/m", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &three,
                   1);
    support_h5_put(file, "fclib_local/vectors/q", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, q,
                   3);
    support_h5_text(file, "fclib_local/info/title", "caf\xe9 \x01\x90", false);
    support_h5_text(file, "fclib_local/info/description", "of any length", true);
    support_h5_ints(file, "fclib_local/info/math_info", &(int){1}, 1);
    support_h5_reals(file, "solution/r", (double[]){1, 2}, 2);
    support_h5_reals(file, "guesses/1/r", (double[]){1, NAN, 2}, 3);
    H5Fclose(file);
    assert_int_equal(dls_fclib_read(&p, path, &a, NULL), DLS_OK);
    assert_close(p.q[2], 0.25, 0);
    assert_string_equal(p.title, "café ??");
    assert_string_equal(p.description, "of any length");
    assert_null(p.math_info);  // not a text: nothing to say, no reason to fail
    assert_null(p.solution_r); // does not fit
    assert_null(p.guess_r);    // holds a NaN
    dls_arena_free(&a);
}

static void equal_problems_give_equal_bytes(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_random_global(40, 3, 2, 9, &a);
    char *bytes[2];
    size_t sizes[2];
    for (int k = 0; k < 2; k++) {
        const char *path = file_named(k ? "b.hdf5" : "a.hdf5");
        assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
        FILE *in = fopen(path, "rb");
        bytes[k] = DLS_NEW(&a, char, 1 << 20);
        sizes[k] = fread(bytes[k], 1, 1 << 20, in);
        fclose(in);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    dls_arena_free(&a);
}

static void every_lack_of_memory_is_survived(void **state)
{
    (void)state;
    struct dls_arena good = {0};
    struct dls_rng rng = dls_rng_seed(1);
    struct dls_problem p = support_random_global(3, 3, 2, 9, &good);
    support_add_history(&p, &rng, &good);
    const char *path = file_named("memory.hdf5");
    assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
    enum dls_status status = DLS_ENOMEM;
    long k = 1;
    for (; status == DLS_ENOMEM; k++) {
        struct dls_arena a = {.fail_at = k};
        struct dls_problem back;
        status = dls_fclib_read(&back, path, &a, NULL);
        assert_true(status == DLS_OK || status == DLS_ENOMEM);
        dls_arena_free(&a);
    }
    assert_int_equal(status, DLS_OK);
    assert_true(k > 20); // a global problem with its history takes more than that
    dls_arena_free(&good);
}

static int read_folder(const char *root, const char *name)
{
    char folder[640], path[1024];
    snprintf(folder, sizeof folder, "%s/%s", root, name);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int count = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        const char *ending = strrchr(e->d_name, '.');
        if (!ending || (strcmp(ending, ".hdf5") != 0 && strcmp(ending, ".dat") != 0))
            continue;
        struct dls_arena a = {0};
        struct dls_error err = {""};
        struct dls_problem p;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, &err))
            fail_msg("%s", err.text);
        assert_int_equal(p.rolling, !strcmp(name, "rolling"));
        if (p.m < 2000) round_trip(&p, &a); // the large ones would only take time
        dls_arena_free(&a);
        count++;
    }
    closedir(dir);
    return count;
}

static void the_corpus_opens(void **state)
{
    (void)state;
    static const char *const folders[] = {"fc2d",    "fc3d",      "gfc2d", "gfc3d",
                                          "rolling", "siconos3d", "lcp"};
    const char *found = support_corpus(".");
    if (!found) skip();
    char root[512];
    snprintf(root, sizeof root, "%s", found);
    int count = 0;
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        count += read_folder(root, folders[k]);
    print_message("# %d corpus files read\n", count);
    assert_true(count > 0);
}

// h5py, which shares no code with us above the HDF5 library, sees the same numbers.
static void h5py_reads_rolling_files(void **state)
{
    (void)state;
    if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null")) {
        print_message("# no h5py for /usr/bin/python3\n");
        skip();
    }
    struct dls_arena a = {0};
    struct dls_problem p = support_random_global(2, 5, 0, 4, &a);
    const char *path = file_named("rolling.hdf5");
    assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
    char command[1024];
    snprintf(command, sizeof command,
             "/usr/bin/python3 -c 'import h5py\n"
             "g = h5py.File(\"%s\")[\"fclib_global_rolling\"]\n"
             "H = g[\"H\"]\n"
             "print(g[\"spacedim\"][0], H[\"m\"][0], H[\"n\"][0], H[\"nz\"][0])\n"
             "for x in g[\"vectors/mu_r\"]: print(float(x).hex())\n"
             "for j in range(H[\"n\"][0]):\n"
             "    for k in range(H[\"p\"][j], H[\"p\"][j + 1]):\n"
             "        print(j, H[\"i\"][k], float(H[\"x\"][k]).hex())'",
             path);
    FILE *pipe = popen(command, "r");
    int d, rows, cols, nz;
    assert_int_equal(fscanf(pipe, "%d %d %d %d", &d, &rows, &cols, &nz), 4);
    assert_true(d == 5 && rows == p.n && cols == p.m && nz == -1);
    double x;
    for (int k = 0; k < p.contacts; k++) {
        assert_int_equal(fscanf(pipe, "%lf", &x), 1);
        assert_close(x, p.mu_r[k], 0);
    }
    for (int i = 0; i < p.m; i++)
        for (int k = p.H->p[i]; k < p.H->p[i + 1]; k++) {
            int row, column;
            assert_int_equal(fscanf(pipe, "%d %d %lf", &row, &column, &x), 3);
            assert_true(row == i && column == p.H->j[k]);
            assert_close(x, p.H->x[k], 0);
        }
    assert_int_equal(pclose(pipe), 0);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(long_vectors_come_back),
        cmocka_unit_test(planar_rolling_and_local_joints_come_back),
        cmocka_unit_test(answers_are_stored),
        cmocka_unit_test(all_storages_give_the_same_matrix),
        cmocka_unit_test(other_types_and_texts_are_understood),
        cmocka_unit_test(equal_problems_give_equal_bytes),
        cmocka_unit_test(every_lack_of_memory_is_survived),
        cmocka_unit_test(the_corpus_opens),
        cmocka_unit_test(h5py_reads_rolling_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
