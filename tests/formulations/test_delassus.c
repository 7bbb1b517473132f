// SPDX-License-Identifier: Apache-2.0
// W and q, assembled by bodies, by CHOLMOD, by UMFPACK and with joints, against dense
// algebra by LAPACK and against files that other programs condensed.
#include "formulations/bodies.h"
#include "formulations/delassus.h"
#include "formulations/files/snapshot.h"
#include "formulations/parts/inertia.h"

#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

static struct dls_delassus assemble(const struct dls_problem *p, struct dls_arena *a)
{
    struct dls_delassus f;
    struct dls_error err = {""};
    if (dls_delassus_build(&f, p, a, &err) != DLS_OK) fail_msg("%s", err.text);
    return f;
}

static void fill(const struct dls_csr *A, double *x, int stride, double s)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++)
            x[i * stride + A->j[k]] += s * A->x[k];
}

// W and q by dense LU of [M, -G^T; G, 0]: the definition.
static void dense(const struct dls_problem *p, double *W, double *q)
{
    struct dls_arena a = {0};
    int n = p->n, size = n + p->joints, m = p->m;
    double *K = DLS_NEW(&a, double, size *size),
           *X = DLS_NEW(&a, double, size *(m + 1));
    double *H = DLS_NEW(&a, double, m *n);
    int *pivot = DLS_NEW(&a, int, size);
    fill(p->M, K, size, 1);
    fill(p->H, H, n, 1);
    for (int i = 0; i < p->joints; i++)
        for (int k = p->G->p[i]; k < p->G->p[i + 1]; k++) {
            K[(n + i) * size + p->G->j[k]] = p->G->x[k];
            K[p->G->j[k] * size + n + i] = -p->G->x[k];
        }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) X[i * (m + 1) + j] = H[j * n + i];
        X[i * (m + 1) + m] = p->f[i];
    }
    for (int i = 0; i < p->joints; i++) X[(n + i) * (m + 1) + m] = -p->b[i];
    assert_int_equal(
        LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, m + 1, K, size, pivot, X, m + 1), 0);
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= m; j++) {
            double sum = j == m ? p->w[i] : 0;
            for (int k = 0; k < n; k++) sum += H[i * n + k] * X[k * (m + 1) + j];
            *(j == m ? q + i : W + i * m + j) = sum;
        }
    dls_arena_free(&a);
}

// Largest difference of two vectors relative to the largest entry.
static double relative(const double *x, const double *y, size_t n)
{
    double largest = 0, worst = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
        worst = fmax(worst, fabs(x[i] - y[i]));
    }
    return largest > 0 ? worst / largest : worst;
}

static void agrees_with_dense(const struct dls_problem *p, double tol)
{
    struct dls_arena a = {0};
    size_t m = (size_t)p->m;
    double *W = DLS_NEW(&a, double, m *m), *q = DLS_NEW(&a, double, m);
    double *x = DLS_NEW(&a, double, m *m);
    struct dls_delassus f = assemble(p, &a);
    dense(p, W, q);
    fill(dls_bsr_to_csr(f.W, &a), x, p->m, 1);
    assert_close(relative(W, x, m * m), 0, tol);
    assert_close(relative(q, f.q, m), 0, tol);

    // The judge's way to the diagonal blocks leads to the same numbers.
    struct dls_inertia *in;
    struct dls_error err;
    double *work = DLS_NEW(&a, double, p->n), block[25];
    assert_int_equal(dls_inertia_create(&in, p, &a, &err), DLS_OK);
    for (int c = 0; c < p->contacts; c++) {
        dls_inertia_diagonal(in, p, c, work, block);
        assert_close(relative(dls_bsr_diagonal(f.W, c), block, (size_t)(p->d * p->d)),
                     0, tol);
    }
    dls_inertia_destroy(in);
    dls_arena_free(&a);
}

// Rigid bodies: M diagonal, sums of at most 12 products.
static void by_bodies(void **state)
{
    (void)state;
    static const char *const runs[][2] = {
        {"sphere-packing", "across=3 layers=3"},
        {"brick-wall-2d", ""},
        {"brick-wall-3d", ""},
        {"stack", "n=7"},
        {"conveyor", ""},
        {"manufactured", "contacts=20"},
    };
    for (int k = 0; k < 6; k++) {
        struct dls_arena a = {0};
        struct dls_problem p = support_generate(runs[k][0], runs[k][1], &a);
        agrees_with_dense(&p, 1e-13);
        // Symmetric to the last bit.
        assert_true(dls_csr_asymmetry(dls_bsr_to_csr(assemble(&p, &a).W, &a), &a) == 0);
        dls_arena_free(&a);
    }
}

// A random problem with n velocities whose M has the given half-bandwidth.
static struct dls_problem banded(int n, int band, double asymmetry, int joints,
                                 struct dls_arena *a)
{
    struct dls_rng g = dls_rng_seed((uint64_t)(n + band));
    int contacts = 5, m = 3 * contacts, count = 0;
    int *i = DLS_NEW(a, int, n *n), *j = DLS_NEW(a, int, n *n);
    double *x = DLS_NEW(a, double, n *n);
    for (int r = 0; r < n; r++)
        for (int c = r - band; c <= r + band; c++) {
            if (c < 0 || c >= n) continue;
            i[count] = r, j[count] = c;
            x[count++] = r == c ? 2.0 * band + 1 : c > r ? -1 - asymmetry : -1;
        }
    struct dls_problem p = {
        .contacts = contacts,
        .d = 3,
        .m = m,
        .n = n,
        .joints = joints,
        .mu = DLS_NEW(a, double, contacts),
        .f = DLS_NEW(a, double, n),
        .w = DLS_NEW(a, double, m),
        .b = DLS_NEW(a, double, joints),
        .M = dls_csr_from_triplets(n, n, count, i, j, x, a),
    };
    for (int k = 0; k < n; k++) p.f[k] = dls_rng_normal(&g);
    for (int k = 0; k < m; k++) p.w[k] = dls_rng_normal(&g);
    for (int k = 0; k < joints; k++) p.b[k] = dls_rng_normal(&g);
    for (int pass = 0; pass < 2; pass++) { // H, then G
        int rows = pass ? joints : m;
        for (count = 0; count < 4 * rows; count++) {
            i[count] = count / 4, j[count] = dls_rng_below(&g, n);
            x[count] = dls_rng_normal(&g);
        }
        *(pass ? &p.G : &p.H) = dls_csr_from_triplets(rows, n, count, i, j, x, a);
    }
    if (!joints) p.G = NULL;
    return p;
}

static void by_sparse_factors(void **state)
{
    (void)state;
    static const struct {
        int n, band, joints;
        double asymmetry;
    } runs[] = {
        {90, 1, 0, 0},    // one component of 90: CHOLMOD
        {90, 3, 0, 0},    // wider
        {90, 2, 0, 1e-3}, // unsymmetric: UMFPACK
        {12, 1, 0, 0},    // small: one dense block
        {12, 1, 0, 0.1},  // small and unsymmetric
        {60, 2, 4, 0},    // joints: the saddle-point matrix
        {60, 0, 3, 0},    // joints on a diagonal M
    };
    for (int k = 0; k < 7; k++) {
        struct dls_arena a = {0};
        struct dls_problem p =
            banded(runs[k].n, runs[k].band, runs[k].asymmetry, runs[k].joints, &a);
        // The condition of these matrices is below 1e3.
        agrees_with_dense(&p, 1e-12);
        dls_arena_free(&a);
    }
}

// The global files of the corpus, condensed by another program.
static void agrees_with_condensed_files(void **state)
{
    (void)state;
    static const char *const names[] = {
        "3d/Box_Stacks-i0122-82-5",
        "3d/CubeH8",
        "3d/GFC3D_Example0",
        "3d/GFC3D_Example00",
        "3d/GFC3D_Example00_badly_scaled",
        "3d/GFC3D_OneContact",
        "3d/GFC3D_TwoRods1",
        "3d/LMGC_GFC3D-i00001-1-00000",
        "3d/LMGC_GlobalFrictionContactProblem00046",
        "3d/Spheres-i099-356-679",
        "2d/gfc2d_granularflowonwall_00069_00350",
    };
    for (int k = 0; k < 11; k++) {
        char global[96], local[96];
        struct dls_arena a = {0};
        struct dls_problem p, c;
        struct dls_error err = {""};
        snprintf(global, sizeof global, "gfc%s.hdf5", names[k]);
        snprintf(local, sizeof local, "fc%s-cond.hdf5", names[k]);
        const char *path = support_corpus(global);
        if (!path) skip();
        assert_int_equal(dls_snapshot_read(&p, path, DLS_DAT_GUESS, &a, &err), DLS_OK);
        path = support_corpus(local);
        assert_int_equal(dls_snapshot_read(&c, path, DLS_DAT_GUESS, &a, &err), DLS_OK);
        struct dls_delassus f = assemble(&p, &a), g = assemble(&c, &a);
        size_t m = (size_t)p.m;
        double *x = DLS_NEW(&a, double, m *m), *y = DLS_NEW(&a, double, m *m);
        fill(dls_bsr_to_csr(f.W, &a), x, p.m, 1);
        fill(dls_bsr_to_csr(g.W, &a), y, p.m, 1);
        print_message("%-45s W off by %.1e, q by %.1e\n", names[k],
                      relative(y, x, m * m), relative(g.q, f.q, m));
        assert_close(relative(y, x, m * m), 0, 1e-12);
        assert_close(relative(g.q, f.q, m), 0, 1e-12);
        dls_arena_free(&a);
    }
}

// Work grows like the contacts: blocks per row stay the same from 10^3 to 10^5 contacts.
static void size_is_linear_in_contacts(void **state)
{
    (void)state;
    double first = 0;
    for (int layers = 6; layers <= 54; layers *= 3) {
        struct dls_arena a = {0};
        char options[64];
        snprintf(options, sizeof options, "across=12 layers=%d", layers);
        struct dls_problem p = support_generate("sphere-packing", options, &a);
        struct dls_delassus f = assemble(&p, &a);
        double blocks = (double)f.W->p[f.contacts] / f.contacts;
        print_message("%d contacts, %.2f blocks per row\n", f.contacts, blocks);
        if (!(first > 0)) first = blocks;
        assert_true(blocks < 1.3 * first);
        dls_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_bodies),
        cmocka_unit_test(by_sparse_factors),
        cmocka_unit_test(agrees_with_condensed_files),
        cmocka_unit_test(size_is_linear_in_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
