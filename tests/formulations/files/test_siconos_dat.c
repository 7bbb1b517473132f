// SPDX-License-Identifier: Apache-2.0
// Siconos text files: every storage and kind, guessed or given; what is written comes
// back bit for bit; MatrixMarket files; damaged texts.
#include "formulations/files/formats.h"
#include "formulations/files/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/support_problem.h"

static char path[128];

static void choose(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", support_folder(), name);
}

static void put_bytes(const char *bytes, size_t count)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    fclose(out);
}

static struct dls_problem read_text(const char *text, enum dls_dat_kind kind,
                                    struct dls_arena *a)
{
    struct dls_error err = {""};
    struct dls_problem p;
    choose("text.dat");
    put_bytes(text, strlen(text));
    if (dls_snapshot_read(&p, path, kind, a, &err)) fail_msg("%s", err.text);
    return p;
}

static double entry(const struct dls_csr *A, int i, int j)
{
    for (int k = A->p[i]; k < A->p[i + 1]; k++)
        if (A->j[k] == j) return A->x[k];
    return 0;
}

// --- what the formats mean --------------------------------------------------------------

static void dense_values_run_down_the_columns(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p =
        read_text("2 0 2 2 2 2 1 2 3 4 -5 -6 and words", DLS_DAT_GUESS, &a);
    assert_int_equal(p.d, 1);
    assert_close(entry(p.W, 1, 0), 2, 0);
    assert_close(entry(p.W, 0, 1), 3, 0);
    assert_close(p.q[1], -6, 0);
    assert_close(p.mu[1], 0, 0);
    dls_arena_free(&a);
}

static void blocks_of_any_size_are_placed(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    // Block rows and columns of 1 and 2; blocks (0,0), (1,0), (1,1).
    struct dls_problem p =
        read_text("3 1 3 3 3 2 2 1 3 1 3 3 3 0 1 3 0 0 1\n0 1\n1 2 3\n2 4 5 6 7\n"
                  "-1 -2 -3",
                  DLS_DAT_GUESS, &a);
    const double W[3][3] = {{1, 0, 0}, {2, 4, 6}, {3, 5, 7}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) assert_close(entry(p.W, i, j), W[i][j], 0);
    assert_close(p.q[2], -3, 0);
    dls_arena_free(&a);
}

static const char *const triplets =
    "2\n1\n2\n2\n2\n1\nCSparse Version 3.2.0, 2017.  Copyright (c)\n"
    "triplet: 2-by-2, nzmax: 8 nnz: 3\n    0 0 : 1.25\n    1 0 : -0.1\n"
    "    1 0 : 1\n  1.0e+00   2.0e+00 \n  0.5 \n1\n";

static const char *const columns =
    "2\n1\n2\n2\n2\n2\nCSparse Version 3.2.0, 2017.  Copyright (c)\n"
    "2-by-2, nzmax: 5 nnz: 3, 1-norm: 3.25\n    col 0 : locations 0 to 1\n"
    "      0 : 1.25\n      1 : 0.9\n    col 1 : locations 2 to 2\n"
    "      1 : 0\n  1 2\n 0.5\n";

static void sparse_matrices_come_as_triplets_or_columns(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    for (int k = 0; k < 2; k++) {
        struct dls_problem p = read_text(k ? columns : triplets, DLS_DAT_GUESS, &a);
        assert_int_equal(p.contacts, 1);
        assert_int_equal(p.d, 2);
        assert_close(entry(p.W, 0, 0), 1.25, 0);
        assert_close(entry(p.W, 1, 0), 0.9, 0); // -0.1 + 1, in that order
        assert_close(entry(p.W, 0, 1), 0, 0);
        assert_close(p.q[1], 2, 0);
        assert_close(p.mu[0], 0.5, 0);
    }
    dls_arena_free(&a);
}

// A global problem whose M happens to have the size of W is told from a local one.
static void a_global_problem_is_recognised(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = read_text(
        "2 1 0 2 2 2 2 1 0 0 1 0 2 2 2 2 1 2 3 4 5 6 7 8 0.5 0\n", DLS_DAT_GUESS, &a);
    assert_non_null(p.M);
    assert_close(entry(p.H, 0, 1), 2, 0); // stored n x m, ours is m x n
    assert_close(entry(p.H, 1, 0), 3, 0);
    assert_close(p.f[0], 5, 0);
    assert_close(p.w[1], 8, 0);
    p = read_text("2 1 0 2 2 2 2 1 0 0 1 0 2 2 2 2 1 2\n", DLS_DAT_FC, &a);
    assert_non_null(p.W); // read as the user says: q = (0, 2), mu = 2, free text
    assert_close(p.q[1], 2, 0);
    p = read_text("2 0 0 2 2 2 2 1 0 0 1 0 2 0 2 0 5 6\n", DLS_DAT_GUESS, &a);
    assert_int_equal(p.contacts, 0); // no contact, two velocities
    assert_close(p.f[1], 6, 0);
    dls_arena_free(&a);
}

static void planar_rolling_needs_the_kind(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    const char *text = "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 2 3 0.5 0.25\n";
    struct dls_problem p = read_text(text, DLS_DAT_GUESS, &a);
    assert_false(p.rolling);
    p = read_text(text, DLS_DAT_RFC, &a);
    assert_true(p.rolling);
    assert_close(p.mu_r[0], 0.25, 0);
    dls_arena_free(&a);
}

static void wrong_kinds_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum dls_dat_kind kind;
        const char *sentence;
    } cases[] = {
        {"4 1 0 4 4 4 4", DLS_DAT_GUESS, "head: neither an LCP nor a contact problem"},
        {"", DLS_DAT_GUESS, "head: neither"},
        {"", DLS_DAT_LCP, "n: a whole number is missing"},
        {"-1 0", DLS_DAT_LCP, "n: a size is negative"},
        {"2 0 2 3 2 3 1 1 1 1 1 1", DLS_DAT_LCP, "A: its sizes do not fit"},
        {"2 7 2 2 1 1 1 1 1 1 1 1", DLS_DAT_LCP, "A: storage is none of"},
        {"2 0 2 2 2 2 1 0 0 1 nan 1", DLS_DAT_LCP, "q: entry 0 is nan"},
        {"2 0 2 2 2 2 1 0 0 x 1 1", DLS_DAT_LCP, "A: a number is missing"},
        {"4 1 0 4 4 4 4 1 1 1 1 1 1 1 1", DLS_DAT_FC, "dim: not 2, 3"},
        {"2 1 0 2 2 2 2 1 0 0 1 1 2 -0.5", DLS_DAT_FC, "mu: entry 0 is -0.5"},
        {"2 1 0 2 2 2 2 1 0 0 1 1 2", DLS_DAT_FC, "mu: a number is missing"},
        {"3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 2 3 1", DLS_DAT_RFC, "mu_r: a number"},
        {"2 1 0 2 2 2 2 1 0 0 1 1 2 3 4 5 6", DLS_DAT_GFC, "H: "},
    };
    choose("wrong.dat");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct dls_arena a = {0};
        struct dls_error err = {""};
        struct dls_problem p;
        put_bytes(cases[k].text, strlen(cases[k].text));
        enum dls_status status = dls_dat_read(&p, path, cases[k].kind, &a, &err);
        assert_int_equal(status, DLS_EINVAL);
        assert_true(support_behaves(status, &err, path));
        const char *what = err.text + strlen(path) + 2;
        if (strncmp(what, cases[k].sentence, strlen(cases[k].sentence)) != 0)
            fail_msg("'%s'; expected '%s'", what, cases[k].sentence);
        dls_arena_free(&a);
    }
}

static void classical_lcps_are_not_transposed(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p;
    const char *file = support_corpus("lcp/lcp_exp_murty.dat");
    if (!file) skip();
    assert_int_equal(dls_dat_read(&p, file, DLS_DAT_GUESS, &a, NULL), DLS_OK);
    assert_close(entry(p.W, 0, 5), 2, 0); // Murty's matrix is upper triangular
    assert_close(entry(p.W, 5, 0), 0, 0);
    file = support_corpus("lcp/lcp_ortiz.dat");
    assert_int_equal(dls_dat_read(&p, file, DLS_DAT_GUESS, &a, NULL), DLS_OK);
    assert_close(entry(p.W, 0, 1), 1, 0); // as Siconos 4.4 itself reads it
    assert_close(entry(p.W, 1, 0), -1, 0);
    dls_arena_free(&a);
}

// --- writing ----------------------------------------------------------------------------

static void what_is_written_comes_back(void **state)
{
    (void)state;
    static const enum dls_dat_kind local[] = {
        0, DLS_DAT_LCP, DLS_DAT_FC, DLS_DAT_FC, 0, DLS_DAT_RFC,
    };
    choose("trip.dat");
    for (int d = 1; d <= 5; d++)
        for (int contacts = 0; contacts < 20; contacts = 3 * contacts + 1) {
            if (d == 4) continue;
            struct dls_arena a = {0};
            struct dls_problem p = support_random_local(contacts, d, 1, &a), back;
            if (d == 1) memset(p.mu, 0, (size_t)contacts * sizeof *p.mu);
            assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
            assert_int_equal(dls_dat_read(&back, path, local[d], &a, NULL), DLS_OK);
            support_same_problem(&p, &back);
            if (contacts) { // an empty text may be anything
                assert_int_equal(dls_dat_read(&back, path, DLS_DAT_GUESS, &a, NULL),
                                 DLS_OK);
                support_same_problem(&p, &back);
            }
            p = support_random_global(contacts, d, 0, 2, &a);
            if (d > 1) {
                assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
                assert_int_equal(dls_dat_read(&back, path, DLS_DAT_GUESS, &a, NULL),
                                 DLS_OK);
                support_same_problem(&p, &back);
            }
            dls_arena_free(&a);
        }
}

static void joints_have_no_place(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_error err;
    struct dls_problem p = support_random_global(2, 3, 1, 1, &a);
    choose("joints.dat");
    assert_int_equal(dls_snapshot_write(&p, path, NULL, &err), DLS_EINVAL);
    assert_true(support_behaves(DLS_EINVAL, &err, path));
    assert_non_null(strstr(err.text, ": G: "));
    assert_int_not_equal(access(path, F_OK), 0);
    dls_arena_free(&a);
}

static void matrix_market_keeps_every_bit(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_problem p = support_random_global(3, 3, 2, 1, &a);
    choose("out.mtx");
    assert_int_equal(dls_snapshot_write(&p, path, NULL, NULL), DLS_OK);
    choose("out-H.mtx");
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    int rows, cols, count, i, j;
    double x;
    assert_int_equal(fscanf(in,
                            "%%%%MatrixMarket matrix coordinate real general %d %d %d",
                            &rows, &cols, &count),
                     3);
    assert_true(rows == p.m && cols == p.n && count == dls_csr_count(p.H));
    for (int k = 0; k < count; k++) {
        assert_int_equal(fscanf(in, "%d %d %lf", &i, &j, &x), 3);
        assert_close(entry(p.H, i - 1, j - 1), x, 0);
    }
    fclose(in);
    choose("out-f.mtx");
    in = fopen(path, "r");
    assert_non_null(in);
    assert_int_equal(
        fscanf(in, "%%%%MatrixMarket matrix array real general %d %d", &rows, &cols),
        2);
    assert_true(rows == p.n && cols == 1);
    for (int k = 0; k < rows; k++) {
        assert_int_equal(fscanf(in, "%lf", &x), 1);
        assert_close(p.f[k], x, 0);
    }
    fclose(in);
    static const char *const rest[] = {"M", "w", "mu", "G", "b"};
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) {
        char name[16];
        snprintf(name, sizeof name, "out-%s.mtx", rest[k]);
        choose(name);
        assert_int_equal(access(path, R_OK), 0);
    }
    dls_arena_free(&a);
}

// --- damage -----------------------------------------------------------------------------

static enum dls_status read_it(struct dls_error *err)
{
    struct dls_arena a = {0};
    struct dls_problem p;
    *err = (struct dls_error){""};
    enum dls_status status = dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, err);
    dls_arena_free(&a);
    return status;
}

static const char *const texts[] = {
    "3 0 3 3 3 3 1 2 3 4 5 6 7 8 9 -1 -1 -1\n\nfree text\n",
    "2 1 2 2 2 2 2 1 2 1 2 3 2 0 1 2 0 1 0 5 1 6 -1 -2\n",
    "2\n1\n2\n2\n2\n1\nCSparse Version 3\ntriplet: 2-by-2, nzmax: 4 nnz: 2\n"
    "  0 0 : 4\n  1 1 : 5\n -1 -2\n 0.5\n",
    "3\n1\n2\n3\n3\n2\nCSparse\n3-by-3, nzmax: 5 nnz: 3, 1-norm: 3\n  col 0 : "
    "locations 0"
    " to 0\n  0 : 1\n  col 1 : locations 1 to 1\n  1 : 2\n  col 2 : locations 2 to 2\n"
    "  2 : 3\n 1 2 3\n 0.5\n",
    "3 1 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 4 3 4 3 1 0 0 0 0 1 0 0 0 0 1 0 "
    "1 2 3 4 5 6 7 0.5\n",
};

static void truncated_texts_are_survived(void **state)
{
    (void)state;
    choose("cut.dat");
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct dls_error err;
        put_bytes(texts[k], strlen(texts[k]));
        if (read_it(&err)) fail_msg("text %zu: %s", k, err.text);
        for (size_t cut = 0; cut < strlen(texts[k]); cut++) {
            put_bytes(texts[k], cut);
            enum dls_status status = read_it(&err);
            if (!support_behaves(status, &err, path))
                fail_msg("text %zu cut at %zu: %d %s", k, cut, status, err.text);
        }
    }
}

static void garbled_texts_are_survived(void **state)
{
    (void)state;
    static const char *const garbage[] = {
        "x",   "-1",   "2000000000", "99999999999999999999",
        "nan", "-inf", "1e999",      "0.5",
        "---", "\xff", "\n\n",       "",
        ":",   "7",
    };
    enum { KINDS = sizeof garbage / sizeof *garbage };
    struct dls_rng rng = dls_rng_seed(20240229);
    choose("garbled.dat");
    for (int trial = 0; trial < 1000; trial++) {
        const char *text = texts[dls_rng_below(&rng, sizeof texts / sizeof *texts)];
        size_t at = (size_t)dls_rng_below(&rng, (int)strlen(text));
        size_t end = at + strcspn(text + at, " \n"); // the rest of a token
        char changed[1024];
        int length = snprintf(changed, sizeof changed, "%.*s%s%s", (int)at, text,
                              garbage[dls_rng_below(&rng, KINDS)], text + end);
        put_bytes(changed, (size_t)length);
        struct dls_error err;
        enum dls_status status = read_it(&err);
        if (!support_behaves(status, &err, path))
            fail_msg("trial %d: %d %s\n%s", trial, status, err.text, changed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_values_run_down_the_columns),
        cmocka_unit_test(blocks_of_any_size_are_placed),
        cmocka_unit_test(sparse_matrices_come_as_triplets_or_columns),
        cmocka_unit_test(a_global_problem_is_recognised),
        cmocka_unit_test(planar_rolling_needs_the_kind),
        cmocka_unit_test(wrong_kinds_are_refused),
        cmocka_unit_test(classical_lcps_are_not_transposed),
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(joints_have_no_place),
        cmocka_unit_test(matrix_market_keeps_every_bit),
        cmocka_unit_test(truncated_texts_are_survived),
        cmocka_unit_test(garbled_texts_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
