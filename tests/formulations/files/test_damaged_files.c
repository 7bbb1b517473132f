// SPDX-License-Identifier: Apache-2.0
// Files with damaged bytes, files that are cut, files that promise more than they hold or
// point elsewhere: a status and one sentence, never a crash or a hang of ours.
#define _GNU_SOURCE
#include "formulations/files/formats.h"
#include "formulations/files/snapshot.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/support/support.h"
#include "tests/support/support_bad_file.h"
#include "tests/support/support_hdf5.h"
#include "tests/support/support_problem.h"

enum { SEED = 20240229, PATIENCE = 2 };

// --- damage without aim -----------------------------------------------------------------

// How many corruptions to try: a few each time, more by DLS_CORRUPTIONS=20000.
static int corruptions(void)
{
    const char *asked = getenv("DLS_CORRUPTIONS");
    return asked ? atoi(asked) : 500;
}

// The state that the children share with the parent.
struct progress {
    int next;      // the corruption being tried
    int accepted;  // of those tried, how many still gave a problem
    bool misspoke; // a status without a proper sentence
};

// Tries corruptions from `next` on; a hang inside HDF5 ends the child by SIGALRM.
static void try_corruptions(struct progress *shared, char *bytes, size_t count)
{
    for (int total = corruptions(); shared->next < total; shared->next++) {
        struct dls_rng rng = dls_rng_seed(SEED + (uint64_t)shared->next);
        size_t at = (size_t)dls_rng_below(&rng, (int)count);
        char was = bytes[at];
        bytes[at] = (char)(was ^ (1 + dls_rng_below(&rng, 255)));
        support_bad_put(bytes, count);
        bytes[at] = was;
        struct dls_error err;
        alarm(PATIENCE);
        enum dls_status status = support_bad_read(&err);
        alarm(0);
        if (!status) shared->accepted++;
        if (!support_behaves(status, &err, support_bad_path)) {
            print_error("corruption %d: %d %s\n", shared->next, status, err.text);
            shared->misspoke = true;
        }
    }
    _exit(0); // HDF5 keeps memory of files it failed on; that is not ours to free
}

static void corrupted_bytes_are_survived(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_rng rng = dls_rng_seed(1);
    struct dls_problem p = support_random_global(2, 3, 1, 1, &a);
    support_add_history(&p, &rng, &a);
    support_bad_choose("corrupt.hdf5");
    assert_int_equal(dls_fclib_write(&p, support_bad_path, NULL, NULL), DLS_OK);
    size_t count;
    char *bytes = support_bad_get(&count, &a);
    struct progress *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int hangs = 0, total = corruptions();
    while (shared->next < total) {
        pid_t child = fork();
        if (!child) try_corruptions(shared, bytes, count);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) && !WEXITSTATUS(status)) continue;
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM)
            fail_msg("corruption %d (seed %d) ended the reader", shared->next, SEED);
        hangs++;
        shared->next++;
    }
    print_message("# %d corruptions (seed %d): %d accepted, %d hangs inside HDF5\n",
                  total, SEED, shared->accepted, hangs);
    assert_false(shared->misspoke);
    assert_true(shared->accepted < total);  // some bytes matter
    assert_true(hangs <= 1 + total / 1000); // HDF5 1.10.8: about 1 in 6000
    munmap(shared, sizeof *shared);
    dls_arena_free(&a);
}

static void truncated_files_are_survived(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_bad_local(&a);
    support_bad_choose("cut.hdf5");
    assert_int_equal(dls_fclib_write(&p, support_bad_path, NULL, NULL), DLS_OK);
    size_t count;
    char *bytes = support_bad_get(&count, &a);
    // Every byte near both ends, every 13th between: each object header gets cut.
    for (size_t cut = 0; cut < count; cut += cut < 1024 || cut + 64 > count ? 1 : 13) {
        struct dls_error err;
        support_bad_put(bytes, cut);
        alarm(30); // this one would be ours: HDF5 refuses short files at once
        enum dls_status status = support_bad_read(&err);
        alarm(0);
        if (!status || !support_behaves(status, &err, support_bad_path))
            fail_msg("cut at %zu of %zu: %d %s", cut, count, status, err.text);
    }
    dls_arena_free(&a);
}

// The friction coefficients somewhere else than in the file: by a link inside it, by a
// link to a file or a pipe, by external storage, by a virtual dataset that is its own
// source. Nothing of that is followed; the last one would crash HDF5.
static void put_elsewhere(hid_t file, const char *name, int way)
{
    hsize_t two = 2;
    hid_t space = H5Screate_simple(1, &two, NULL);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    support_h5_remove(file, name);
    if (way == 0) H5Lcreate_soft("/fclib_local/vectors/q", file, name, 0, 0);
    if (way == 1) H5Lcreate_external("other.hdf5", "/mu", file, name, 0, 0);
    if (way == 2) H5Pset_external(list, "/etc/hostname", 0, 16);
    if (way == 3) H5Pset_virtual(list, space, support_bad_path, name, space);
    if (way >= 2) {
        hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, 0);
        assert_true(set >= 0);
        H5Dclose(set);
    }
    H5Pclose(list);
    H5Sclose(space);
}

static void numbers_from_elsewhere_are_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_bad_local(&a);
    static const char *const sentence[] = {"link", "link", "outside", "outside"};
    for (int way = 0; way < 4; way++) {
        struct dls_error err;
        support_bad_choose("elsewhere.hdf5");
        assert_int_equal(dls_fclib_write(&p, support_bad_path, NULL, NULL), DLS_OK);
        hid_t file = support_h5_open(support_bad_path, false);
        put_elsewhere(file, "fclib_local/vectors/mu", way);
        H5Fclose(file);
        enum dls_status status = support_bad_read(&err);
        assert_int_equal(status, DLS_EINVAL);
        assert_true(support_behaves(status, &err, support_bad_path));
        assert_non_null(strstr(err.text, "fclib_local/vectors/mu"));
        assert_non_null(strstr(err.text, sentence[way]));
    }
    support_bad_choose("pipe.hdf5"); // nobody writes to it: opening it would block
    assert_int_equal(mkfifo(support_bad_path, 0600), 0);
    struct dls_error err;
    assert_int_equal(support_bad_read(&err), DLS_EIO);
    assert_non_null(strstr(err.text, "not a file"));
    dls_arena_free(&a);
}

// The two friction coefficients in the header of their dataset, or in one chunk of which
// so many bytes are kept.
static void put_mu(H5D_layout_t layout, const double mu[2], size_t kept)
{
    const char *name = "fclib_local/vectors/mu";
    hsize_t two = 2, start = 0;
    Bytef packed[64];
    uLongf size = sizeof packed;
    hid_t file = support_h5_open(support_bad_path, false),
          space = H5Screate_simple(1, &two, NULL);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (layout == H5D_COMPACT) H5Pset_layout(list, layout);
    if (layout == H5D_CHUNKED) H5Pset_chunk(list, 1, &two), H5Pset_deflate(list, 1);
    support_h5_remove(file, name);
    hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, 0);
    if (layout == H5D_COMPACT)
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, 0, mu) >= 0);
    assert_int_equal(compress(packed, &size, (const Bytef *)mu, kept), Z_OK);
    if (layout == H5D_CHUNKED)
        assert_true(H5Dwrite_chunk(set, H5P_DEFAULT, 0, &start, size, packed) >= 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    H5Fclose(file);
}

static void short_chunks_are_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_bad_local(&a);
    struct dls_error err;
    const double mu[3] = {0.1234, 0.4321, 0};
    support_bad_choose("chunk.hdf5");
    for (int entries = 1; entries <= 3; entries++) { // two are right
        assert_int_equal(dls_fclib_write(&p, support_bad_path, NULL, NULL), DLS_OK);
        put_mu(H5D_CHUNKED, mu, (size_t)entries * sizeof *mu);
        enum dls_status status = support_bad_read(&err);
        assert_int_equal(status, entries == 2 ? DLS_OK : DLS_EIO);
        assert_true(!status || support_behaves(status, &err, support_bad_path));
    }
    dls_arena_free(&a);
}

// Numbers that stand in the header of their dataset, fewer of them than the dataset has
// entries: HDF5 would read on behind them. The bytes that say how many follow version (3)
// and class (0, compact) of the layout, in front of the numbers themselves.
static void short_numbers_in_a_header_are_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_bad_local(&a);
    struct dls_error err;
    const double mu[2] = {0.1234, 0.4321};
    support_bad_choose("compact.hdf5");
    assert_int_equal(dls_fclib_write(&p, support_bad_path, NULL, NULL), DLS_OK);
    put_mu(H5D_COMPACT, mu, sizeof mu);
    assert_int_equal(support_bad_read(&err), DLS_OK);
    size_t count;
    const unsigned char head[] = {3, 0, sizeof mu, 0};
    char *bytes = support_bad_get(&count, &a);
    size_t at = 0;
    while (at + sizeof head + sizeof mu <= count
           && (memcmp(bytes + at, head, sizeof head)
               || memcmp(bytes + at + sizeof head, mu, sizeof mu)))
        at++;
    assert_true(at + sizeof head + sizeof mu <= count);
    bytes[at + 2] = 8;
    support_bad_put(bytes, count);
    enum dls_status status = support_bad_read(&err);
    assert_int_equal(status, DLS_EIO);
    assert_true(support_behaves(status, &err, support_bad_path));
    assert_non_null(strstr(err.text, "fclib_local/vectors/mu"));
    dls_arena_free(&a);
}

// A title of which fewer bytes are stored than its type has. The size stored follows
// version (3), class (1, contiguous) and address of the layout.
static void a_short_title_is_not_read(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_bad_local(&a), back;
    char title[] = "a title of fifty-one bytes that stand in one block";
    p.title = title;
    support_bad_choose("title.hdf5");
    assert_int_equal(dls_fclib_write(&p, support_bad_path, NULL, NULL), DLS_OK);
    assert_int_equal(dls_fclib_read(&back, support_bad_path, &a, NULL), DLS_OK);
    assert_string_equal(back.title, title);
    size_t count;
    const char size[8] = {sizeof title};
    char *bytes = support_bad_get(&count, &a);
    size_t at = 0;
    while (
        at + 18 <= count
        && (bytes[at] != 3 || bytes[at + 1] != 1 || memcmp(bytes + at + 10, size, 8)))
        at++;
    assert_true(at + 18 <= count);
    bytes[at + 10] = 8;
    support_bad_put(bytes, count);
    assert_int_equal(dls_fclib_read(&back, support_bad_path, &a, NULL), DLS_OK);
    assert_null(back.title);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corrupted_bytes_are_survived),
        cmocka_unit_test(truncated_files_are_survived),
        cmocka_unit_test(numbers_from_elsewhere_are_refused),
        cmocka_unit_test(short_chunks_are_refused),
        cmocka_unit_test(short_numbers_in_a_header_are_refused),
        cmocka_unit_test(a_short_title_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
