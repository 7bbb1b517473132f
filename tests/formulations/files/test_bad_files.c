// SPDX-License-Identifier: Apache-2.0
// Bad files end in a status and one sentence that names the file and the field; never in
// a crash, a hang of ours, an open handle, or HDF5's own words on the terminal.
#define _GNU_SOURCE
#include "formulations/files/snapshot.h"

#include <math.h>
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
#include "tests/support/support_hdf5.h"
#include "tests/support/support_problem.h"

enum { SEED = 20240229, PATIENCE = 2 };

static char path[128];

static void choose(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", support_folder(), name);
}

static enum dls_status read_it(struct dls_error *err)
{
    struct dls_arena a = {0};
    struct dls_problem p;
    *err = (struct dls_error){""};
    enum dls_status status = dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, err);
    dls_arena_free(&a);
    return status;
}

static void put_bytes(const char *bytes, size_t count)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    fclose(out);
}

static char *get_bytes(size_t *count, struct dls_arena *a)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *bytes = DLS_NEW(a, char, 1 << 20);
    *count = fread(bytes, 1, 1 << 20, in);
    fclose(in);
    return bytes;
}

// --- one bad field at a time ------------------------------------------------------------

// A field to replace: `count` numbers (a negative count removes the field).
struct damage {
    const char *field;
    int count;
    double x[4];
    const char *sentence; // behind "FILE: "
};

// The good problems: W = diag(1 ... 6), two contacts in 3D; M = I (3 x 3), H = I.
static struct dls_problem good_local(struct dls_arena *a)
{
    static const int at[] = {0, 1, 2, 3, 4, 5};
    static const double x[] = {1, 2, 3, 4, 5, 6}, mu[] = {0.5, 0.5};
    struct dls_problem p = {.contacts = 2, .d = 3, .m = 6, .time = NAN, .step = NAN};
    p.W = dls_csr_from_triplets(6, 6, 6, at, at, x, a);
    p.q = dls_copy(a, x, 6, sizeof *x);
    p.mu = dls_copy(a, mu, 2, sizeof *mu);
    return p;
}

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
    hid_t file = support_h5_open(path, false);
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
    enum dls_status status = read_it(&err);
    if (!status) fail_msg("accepted; expected '%s'", sentence);
    if (!support_behaves(status, &err, path)) fail_msg("%d: %s", status, err.text);
    const char *what = err.text + strlen(path) + 2;
    if (strncmp(what, sentence, strlen(sentence)) != 0)
        fail_msg("'%s'; expected '%s'", what, sentence);
    assert_int_equal(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void every_bad_field_is_named(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem local = good_local(&a), global = good_global(&a);
    choose("field.hdf5");
    for (size_t k = 0; k < sizeof local_damage / sizeof *local_damage; k++) {
        assert_int_equal(dls_fclib_write(&local, path, NULL, NULL), DLS_OK);
        inflict(&local_damage[k]);
        expect(local_damage[k].sentence);
    }
    for (size_t k = 0; k < sizeof global_damage / sizeof *global_damage; k++) {
        assert_int_equal(dls_fclib_write(&global, path, NULL, NULL), DLS_OK);
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
    struct dls_problem p = good_local(&a);
    choose("odd.hdf5");
    unlink(path);
    expect("cannot be opened: No such file");
    put_bytes("no HDF5 at all", 14);
    expect("not an HDF5 file");
    H5Fclose(support_h5_open(path, true));
    expect("fclib_local: missing");
    assert_int_equal(dls_fclib_write(&p, path, NULL, NULL), DLS_OK);
    hid_t file = support_h5_open(path, false);
    support_h5_text(file, "fclib_local/vectors/q", "words", false);
    H5Fclose(file);
    expect("fclib_local/vectors/q: does not hold numbers");
    // A length that the file cannot hold, never written: nothing may be allocated for it.
    file = support_h5_open(path, false);
    support_h5_put(file, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                   NULL, 2000000000);
    H5Fclose(file);
    expect("fclib_local/vectors/q: 2000000000 entries do not fit");
    file = support_h5_open(path, false);
    support_h5_remove(file, "fclib_local/vectors/q");
    hid_t group = H5Gcreate2(file, "fclib_local/vectors/q", 0, 0, 0);
    H5Gclose(group);
    H5Fclose(file);
    expect("fclib_local/vectors/q: damaged, or not a dataset");
    choose("odd.xyz");
    put_bytes("text", 4);
    expect("ending unknown");
    dls_arena_free(&a);
}

static void a_bad_problem_is_not_written(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_error err;
    struct dls_problem p = good_local(&a);
    choose("unwritten.hdf5");
    p.mu[1] = -1;
    assert_int_equal(dls_snapshot_write(&p, path, NULL, &err), DLS_EINVAL);
    assert_non_null(strstr(err.text, ": mu: entry 1 is -1"));
    assert_int_not_equal(access(path, F_OK), 0);
    p.mu[1] = 0;
    choose("no/such/folder.hdf5");
    assert_int_equal(dls_snapshot_write(&p, path, NULL, &err), DLS_EIO);
    assert_true(support_behaves(DLS_EIO, &err, path));
    dls_arena_free(&a);
}

// HDF5 prints its error stack unless told not to, and its printer is left as it was.
static void hdf5_keeps_quiet(void **state)
{
    (void)state;
    struct dls_error err;
    H5E_auto2_t before, after;
    void *data;
    choose("quiet.hdf5");
    put_bytes("\211HDF\r\n\032\n and nothing more", 24);
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    assert_non_null(before);
    fflush(stderr);
    int terminal = dup(STDERR_FILENO);
    FILE *caught = tmpfile();
    dup2(fileno(caught), STDERR_FILENO);
    enum dls_status status = read_it(&err);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    fseek(caught, 0, SEEK_END);
    assert_int_equal(ftell(caught), 0);
    fclose(caught);
    assert_true(status && support_behaves(status, &err, path));
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    assert_true(before == after);
}

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
        put_bytes(bytes, count);
        bytes[at] = was;
        struct dls_error err;
        alarm(PATIENCE);
        enum dls_status status = read_it(&err);
        alarm(0);
        if (!status) shared->accepted++;
        if (!support_behaves(status, &err, path)) {
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
    choose("corrupt.hdf5");
    assert_int_equal(dls_fclib_write(&p, path, NULL, NULL), DLS_OK);
    size_t count;
    char *bytes = get_bytes(&count, &a);
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
    struct dls_problem p = good_local(&a);
    choose("cut.hdf5");
    assert_int_equal(dls_fclib_write(&p, path, NULL, NULL), DLS_OK);
    size_t count;
    char *bytes = get_bytes(&count, &a);
    // Every byte near both ends, every 13th between: each object header gets cut.
    for (size_t cut = 0; cut < count; cut += cut < 1024 || cut + 64 > count ? 1 : 13) {
        struct dls_error err;
        put_bytes(bytes, cut);
        alarm(30); // this one would be ours: HDF5 refuses short files at once
        enum dls_status status = read_it(&err);
        alarm(0);
        if (!status || !support_behaves(status, &err, path))
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
    if (way == 3) H5Pset_virtual(list, space, path, name, space);
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
    struct dls_problem p = good_local(&a);
    static const char *const sentence[] = {"link", "link", "outside", "outside"};
    for (int way = 0; way < 4; way++) {
        struct dls_error err;
        choose("elsewhere.hdf5");
        assert_int_equal(dls_fclib_write(&p, path, NULL, NULL), DLS_OK);
        hid_t file = support_h5_open(path, false);
        put_elsewhere(file, "fclib_local/vectors/mu", way);
        H5Fclose(file);
        enum dls_status status = read_it(&err);
        assert_int_equal(status, DLS_EINVAL);
        assert_true(support_behaves(status, &err, path));
        assert_non_null(strstr(err.text, "fclib_local/vectors/mu"));
        assert_non_null(strstr(err.text, sentence[way]));
    }
    choose("pipe.hdf5"); // nobody writes to it: opening it would block
    assert_int_equal(mkfifo(path, 0600), 0);
    struct dls_error err;
    assert_int_equal(read_it(&err), DLS_EIO);
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
    hid_t file = support_h5_open(path, false), space = H5Screate_simple(1, &two, NULL);
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
    struct dls_problem p = good_local(&a);
    struct dls_error err;
    const double mu[3] = {0.1234, 0.4321, 0};
    choose("chunk.hdf5");
    for (int entries = 1; entries <= 3; entries++) { // two are right
        assert_int_equal(dls_fclib_write(&p, path, NULL, NULL), DLS_OK);
        put_mu(H5D_CHUNKED, mu, (size_t)entries * sizeof *mu);
        enum dls_status status = read_it(&err);
        assert_int_equal(status, entries == 2 ? DLS_OK : DLS_EIO);
        assert_true(!status || support_behaves(status, &err, path));
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
    struct dls_problem p = good_local(&a);
    struct dls_error err;
    const double mu[2] = {0.1234, 0.4321};
    choose("compact.hdf5");
    assert_int_equal(dls_fclib_write(&p, path, NULL, NULL), DLS_OK);
    put_mu(H5D_COMPACT, mu, sizeof mu);
    assert_int_equal(read_it(&err), DLS_OK);
    size_t count;
    const unsigned char head[] = {3, 0, sizeof mu, 0};
    char *bytes = get_bytes(&count, &a);
    size_t at = 0;
    while (at + sizeof head + sizeof mu <= count
           && (memcmp(bytes + at, head, sizeof head)
               || memcmp(bytes + at + sizeof head, mu, sizeof mu)))
        at++;
    assert_true(at + sizeof head + sizeof mu <= count);
    bytes[at + 2] = 8;
    put_bytes(bytes, count);
    enum dls_status status = read_it(&err);
    assert_int_equal(status, DLS_EIO);
    assert_true(support_behaves(status, &err, path));
    assert_non_null(strstr(err.text, "fclib_local/vectors/mu"));
    dls_arena_free(&a);
}

// A title of which fewer bytes are stored than its type has. The size stored follows
// version (3), class (1, contiguous) and address of the layout.
static void a_short_title_is_not_read(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = good_local(&a), back;
    char title[] = "a title of fifty-one bytes that stand in one block";
    p.title = title;
    choose("title.hdf5");
    assert_int_equal(dls_fclib_write(&p, path, NULL, NULL), DLS_OK);
    assert_int_equal(dls_fclib_read(&back, path, &a, NULL), DLS_OK);
    assert_string_equal(back.title, title);
    size_t count;
    const char size[8] = {sizeof title};
    char *bytes = get_bytes(&count, &a);
    size_t at = 0;
    while (
        at + 18 <= count
        && (bytes[at] != 3 || bytes[at + 1] != 1 || memcmp(bytes + at + 10, size, 8)))
        at++;
    assert_true(at + 18 <= count);
    bytes[at + 10] = 8;
    put_bytes(bytes, count);
    assert_int_equal(dls_fclib_read(&back, path, &a, NULL), DLS_OK);
    assert_null(back.title);
    dls_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_field_is_named),
        cmocka_unit_test(odd_files_are_named),
        cmocka_unit_test(a_bad_problem_is_not_written),
        cmocka_unit_test(hdf5_keeps_quiet),
        cmocka_unit_test(corrupted_bytes_are_survived),
        cmocka_unit_test(truncated_files_are_survived),
        cmocka_unit_test(numbers_from_elsewhere_are_refused),
        cmocka_unit_test(short_chunks_are_refused),
        cmocka_unit_test(short_numbers_in_a_header_are_refused),
        cmocka_unit_test(a_short_title_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
