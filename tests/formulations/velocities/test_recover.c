// SPDX-License-Identifier: Apache-2.0
// Bodies recovered from W: the product is W, the velocities are as many as the bodies
// have, and matrices without bodies are refused.
#include "formulations/delassus.h"
#include "formulations/files/snapshot.h"
#include "formulations/velocities/body_graph.h"
#include "formulations/velocities/recover.h"

#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

// --- the judge ------------------------------------------------------------------------

static double *dense(const struct dls_csr *A, struct dls_arena *a)
{
    double *D = DLS_NEW(a, double, (size_t)A->rows *(size_t)A->cols);
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++)
            D[(size_t)i * (size_t)A->cols + (size_t)A->j[k]] = A->x[k];
    return D;
}

// max |W - H M^-1 H^T|_ik / sqrt(|W_aa| |W_bb|) with dense matrices.
static double defect(const struct dls_bsr *W, const struct dls_recovered *r)
{
    struct dls_arena a = {0};
    int m = W->rows * W->d, n = r->n;
    double *H = dense(r->H, &a), *M = dense(r->M, &a), worst = 0;
    double *Y = DLS_NEW(&a, double, n *m), *D = dense(dls_bsr_to_csr(W, &a), &a);
    int *pivot = DLS_NEW(&a, int, n);
    for (int k = 0; k < n * m; k++) Y[k] = H[k % m * n + k / m];
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, m, M, n, pivot, Y, m), 0);
    for (int i = 0; i < m; i++)
        for (int l = 0; l < m; l++) {
            double sum = D[i * m + l];
            for (int k = 0; k < n; k++) sum -= H[i * n + k] * Y[k * m + l];
            double size = sqrt(dls_bsr_block_norm(W, W->diag[i / W->d])
                               * dls_bsr_block_norm(W, W->diag[l / W->d]));
            worst = fmax(worst, fabs(sum) / size);
        }
    dls_arena_free(&a);
    return worst;
}

// --- random bodies --------------------------------------------------------------------

// Contacts between pairs of bodies; -1 is the ground.
struct scene {
    int d, bodies, contacts;
    const int (*pair)[2];
    double skew; // of M^-1, relative
};

// W of a scene with random H; k velocities a body.
static struct dls_bsr *make(const struct scene *s, uint64_t seed, struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed(seed);
    int d = s->d, k = dls_body_velocities(d), m = s->contacts * d, n = s->bodies * k;
    double *H = DLS_NEW(a, double, m *n), *X = DLS_NEW(a, double, n *n);
    double *HX = DLS_NEW(a, double, m *n), *W = DLS_NEW(a, double, m *m);
    for (int c = 0; c < s->contacts; c++)
        for (int side = 0; side < 2; side++)
            for (int e = 0; e < d * k && s->pair[c][side] >= 0; e++)
                H[(c * d + e / k) * n + s->pair[c][side] * k + e % k] =
                    dls_rng_normal(&g);
    for (int b = 0; b < s->bodies; b++)
        for (int e = 0; e < k * k; e++) {
            int i = e / k, j = e % k;
            double x = s->skew * dls_rng_normal(&g);
            if (i == j) X[(b * k + i) * (n + 1)] = dls_rng_range(&g, 0.5, 2);
            if (i < j) X[(b * k + i) * n + b * k + j] = x;
            if (i < j) X[(b * k + j) * n + b * k + i] = -x;
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < n; l++) HX[i * n + j] += H[i * n + l] * X[l * n + j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < n; l++) W[i * m + j] += HX[i * n + l] * H[j * n + l];
    struct dls_problem p = support_local(s->contacts, d, W, DLS_NEW(a, double, m),
                                         DLS_NEW(a, double, s->contacts), a);
    return dls_bsr_from_csr(p.W, d, a);
}

enum { MOST = 200 };

// `times` contacts between each of the pairs.
static struct scene repeat(int d, int bodies, const int (*pair)[2], int pairs,
                           int times)
{
    static int list[MOST][2];
    struct scene s = {.d = d, .bodies = bodies, .contacts = pairs * times};
    assert_true(s.contacts <= MOST);
    for (int c = 0; c < s.contacts; c++) memcpy(list[c], pair[c % pairs], sizeof *list);
    s.pair = (const int(*)[2])list;
    return s;
}

// With the bodies that the pattern tells of.
static enum dls_status recover(struct dls_recovered *r, const struct dls_bsr *W,
                               struct dls_arena *a)
{
    struct dls_body_graph graph;
    enum dls_status status = dls_body_graph_build(&graph, W, a);
    return status == DLS_OK ? dls_recover(r, W, &graph, a) : status;
}

static void recovers(const struct scene *s, int n)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct dls_arena a = {0};
        struct dls_recovered r;
        struct dls_bsr *W = make(s, seed, &a);
        assert_int_equal(recover(&r, W, &a), DLS_OK);
        assert_int_equal(r.n, n);
        assert_int_equal(r.H->rows, s->contacts * s->d);
        assert_close(r.error, 0, 1e-11);       // its promise
        assert_close(defect(W, &r), 0, 1e-11); // and the truth
        dls_arena_free(&a);
    }
}

// All touch all, and the ground: every body by rank alone.
static void a_heap_of_bodies(void **state)
{
    (void)state;
    static const int pair[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4},  {1, 2}, {1, 3},
                                  {1, 4}, {2, 3}, {2, 4}, {3, -1}, {3, 4}, {4, -1}};
    for (int d = 2; d <= 3; d++) {
        struct scene s = repeat(d, 5, pair, 12, 4);
        recovers(&s, d == 3 ? 30 : 15);
        s.skew = 0.01;
        recovers(&s, d == 3 ? 30 : 15);
    }
}

// A tower: the ground tells the first body, that the second, and the last is a leaf.
static void a_tower(void **state)
{
    (void)state;
    static const int pair[][2] = {{-1, 0}, {0, 1}, {1, 2}, {2, 3}};
    struct scene s = repeat(3, 4, pair, 4, 5);
    recovers(&s, 24);
}

// A leaf on a heap is told apart from the ground.
static void a_leaf_on_a_heap(void **state)
{
    (void)state;
    static const int pair[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2},
                                  {1, 3}, {2, 3}, {0, 4}};
    struct scene s = repeat(3, 5, pair, 7, 5);
    recovers(&s, 30);
}

// In a ring each body has two neighbours and none can be told by rank: one share of all.
static void a_ring(void **state)
{
    (void)state;
    static const int pair[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}};
    struct scene s = repeat(3, 6, pair, 6, 5);
    recovers(&s, 36);
}

// Random graphs. Where contacts of different pairs fall into one class (small parts) the
// count may be lower than that of the velocities, never above. The rare ones with long
// rings and nothing else to tell their bodies apart are refused.
static void random_graphs(void **state)
{
    (void)state;
    int found = 0;
    for (int n = 0; n < 40; n++) {
        struct dls_arena a = {0};
        struct dls_recovered r;
        struct dls_rng g = dls_rng_seed((uint64_t)n);
        int pair[24][2], bodies = 3 + dls_rng_below(&g, 6), pairs = bodies + n % 10;
        for (int k = 0; k < pairs; k++) {
            pair[k][0] = dls_rng_below(&g, bodies);
            do pair[k][1] = dls_rng_below(&g, bodies + 1) - 1;
            while (pair[k][1] == pair[k][0]);
        }
        struct scene s = repeat(2 + n % 2, bodies, (const int(*)[2])pair, pairs, 5);
        s.skew = n % 3 ? 0 : 1e-3;
        struct dls_bsr *W = make(&s, (uint64_t)n, &a);
        enum dls_status status = recover(&r, W, &a);
        if (status == DLS_OK) {
            assert_true(r.n <= bodies * dls_body_velocities(s.d));
            assert_close(defect(W, &r), 0, 1e-11);
            found++;
        } else {
            assert_int_equal(status, DLS_UNSUPPORTED);
        }
        dls_arena_free(&a);
    }
    print_message("%d of 40\n", found);
    assert_true(found >= 35);
}

// --- generators and files -------------------------------------------------------------

static void walls_and_tables(void **state)
{
    (void)state;
    static const char *const problems[][2] = {
        {"brick-wall-3d", "courses=4 bricks=4"},
        {"brick-wall-2d", "courses=4 bricks=4"},
        {"four-leg-table", ""},
    };
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        struct dls_arena a = {0};
        struct dls_delassus f;
        struct dls_recovered r;
        struct dls_problem p = support_generate(problems[k][0], problems[k][1], &a);
        assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
        assert_int_equal(recover(&r, f.W, &a), DLS_OK);
        assert_int_equal(r.n, p.n);
        assert_close(defect(f.W, &r), 0, 1e-12);
        dls_arena_free(&a);
    }
}

// The ranks of the first two were found by singular values of W.
static void snapshots(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int most;
    } files[] = {
        {"siconos3d/BrickWall10x8-00577-s00030.hdf5", 504},
        {"siconos3d/MassRatio1e3-00624-s00015.hdf5", 906},
        {"siconos3d/BrickWall10x8-00268-s00090.hdf5", 408}, // 68 bodies
        {"fc3d/KaplasTower-i1061-4.hdf5", 504},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *path = support_corpus(files[k].name);
        if (!path) {
            print_message("the corpus is not here\n");
            skip();
        }
        struct dls_arena a = {0};
        struct dls_problem p;
        struct dls_delassus f;
        struct dls_recovered r;
        assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, NULL), DLS_OK);
        assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
        assert_int_equal(recover(&r, f.W, &a), DLS_OK);
        print_message("%s: n = %d, error %.1e\n", files[k].name, r.n, r.error);
        assert_true(r.n <= files[k].most);
        dls_arena_free(&a);
    }
}

// --- refusals -------------------------------------------------------------------------

// One contact coupled to three that are not coupled to each other: no bodies.
static void a_claw_is_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_body_graph g;
    struct dls_recovered r;
    double W[64] = {0}, q[8] = {0}, mu[4] = {0};
    for (int k = 0; k < 8; k++) W[9 * k] = 4;
    for (int k = 2; k < 8; k++) W[k] = W[8 + k] = W[8 * k] = W[8 * k + 1] = 0.5;
    struct dls_problem p = support_local(4, 2, W, q, mu, &a);
    struct dls_bsr *B = dls_bsr_from_csr(p.W, 2, &a);
    assert_int_equal(dls_body_graph_build(&g, B, &a), DLS_UNSUPPORTED);
    assert_int_equal(recover(&r, B, &a), DLS_UNSUPPORTED);
    dls_arena_free(&a);
}

// The pattern of bodies with a block that no bodies give: refused, or exact all the same.
static void spoilt_blocks_are_refused_or_kept(void **state)
{
    (void)state;
    static const int pair[][2] = {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, -1}, {1, 3}};
    struct scene s = repeat(3, 4, pair, 6, 4);
    int refused = 0;
    for (uint64_t n = 0; n < 30; n++) {
        struct dls_arena a = {0};
        struct dls_recovered r;
        struct dls_bsr *W = make(&s, n, &a);
        struct dls_rng g = dls_rng_seed(n);
        W->x[dls_rng_below(&g, W->p[W->rows] * 9)] += dls_rng_normal(&g);
        enum dls_status status = recover(&r, W, &a);
        refused += status == DLS_UNSUPPORTED;
        if (status != DLS_UNSUPPORTED) {
            assert_int_equal(status, DLS_OK);
            assert_close(defect(W, &r), 0, 1e-11);
        }
        dls_arena_free(&a);
    }
    assert_true(refused > 15); // a change of one entry is rarely one of a body
}

static void no_gain_is_refused(void **state)
{
    (void)state;
    struct dls_arena a = {0};
    struct dls_delassus f;
    struct dls_recovered r;
    struct dls_problem p = support_generate("stack", "n=10", &a);
    assert_int_equal(dls_delassus_build(&f, &p, &a, NULL), DLS_OK);
    assert_int_equal(recover(&r, f.W, &a), DLS_UNSUPPORTED);
    dls_arena_free(&a);
}

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    static const int pair[][2] = {{0, 1},  {0, 2}, {1, 2}, {2, 3},
                                  {3, -1}, {0, 4}, {4, 5}, {5, 0}};
    struct scene s = repeat(3, 6, pair, 8, 4);
    struct dls_arena keep = {0};
    struct dls_bsr *W = make(&s, 1, &keep);
    enum dls_status status = DLS_ENOMEM;
    long k = 0;
    for (; status == DLS_ENOMEM && k < 1000; k++) {
        struct dls_arena a = {.fail_at = k + 1};
        struct dls_recovered r;
        status = recover(&r, W, &a);
        assert_true(status == DLS_OK || status == DLS_ENOMEM);
        dls_arena_free(&a);
    }
    assert_int_equal(status, DLS_OK);
    assert_true(k > 20);
    dls_arena_free(&keep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_of_bodies),
        cmocka_unit_test(a_tower),
        cmocka_unit_test(a_leaf_on_a_heap),
        cmocka_unit_test(a_ring),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(walls_and_tables),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(a_claw_is_refused),
        cmocka_unit_test(spoilt_blocks_are_refused_or_kept),
        cmocka_unit_test(no_gain_is_refused),
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
