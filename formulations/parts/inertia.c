// SPDX-License-Identifier: Apache-2.0
// The factor of M, by the structure that M has.
//
// 1. Rigid bodies: M is block diagonal, and each block is factored densely by LAPACK (LU). A
//    diagonal block is kept as it is, and a diagonal M needs no blocks. Blocks are the bodies
//    that the file names, else consecutive groups of 6 (3D) or 3 (2D) velocities, else the
//    components of the pattern of M where they are small.
// 2. Otherwise a sparse factor: CHOLMOD where M is symmetric to 1e-14, UMFPACK where it
//    is not, where Cholesky breaks down, and with joints, for the saddle-point matrix
//
//        [ M  -G^T ] [   v    ]   [ f ]
//        [ G    0  ] [ lambda ] = [ g ].
#include "formulations/parts/inertia.h"

#include "base/contract.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGEST_BODY = 64, // above this a component goes to the sparse factor
    DIAGONAL = -1,     // stands in place of the first pivot of a diagonal block
};

// --- bodies ---------------------------------------------------------------------------

// True when no entry of M couples two of the groups start[0 ... count].
static bool groups_hold(const struct dls_csr *M, int count, const int *start)
{
    for (int b = 0; b < count; b++)
        for (int k = M->p[start[b]]; k < M->p[start[b + 1]]; k++)
            if (M->j[k] < start[b] || M->j[k] >= start[b + 1]) return false;
    return true;
}

// Consecutive velocities that M couples, directly or through others: the smallest
// intervals that no entry leaves. Returns their number.
static int intervals(const struct dls_csr *M, int *start)
{
    int count = 0, reach = 0;
    for (int i = 0; i < M->rows; i++) {
        if (i >= reach) start[count++] = i;
        for (int k = M->p[i]; k < M->p[i + 1]; k++)
            if (M->j[k] + 1 > reach) reach = M->j[k] + 1;
        if (i + 1 > reach) reach = i + 1;
    }
    start[count] = M->rows;
    return groups_hold(M, count, start) ? count : 0;
}

static int largest_group(int count, const int *start)
{
    int largest = 0;
    for (int b = 0; b < count; b++)
        if (start[b + 1] - start[b] > largest) largest = start[b + 1] - start[b];
    return largest;
}

// Fills inertia->start and ->bodies; leaves bodies = 0 where M is not block diagonal.
static void find_bodies(struct dls_inertia *in, const struct dls_problem *p)
{
    if (p->joints) return;
    if (p->bodies && groups_hold(p->M, p->bodies, p->body_start)) {
        memcpy(in->start, p->body_start, ((size_t)p->bodies + 1) * sizeof(int));
        in->bodies = p->bodies;
    } else {
        int spatial = p->d - (p->rolling ? (p->d - 1) / 2 : 0),
            size = spatial < 3 ? 3 : 6;
        int count = p->n / size;
        for (int b = 0; b <= count; b++) in->start[b] = b * size;
        if (p->n % size || !groups_hold(p->M, count, in->start))
            count = intervals(p->M, in->start);
        in->bodies = count;
    }
    if (largest_group(in->bodies, in->start) > LARGEST_BODY) in->bodies = 0;
}

static enum dls_status factor_body(struct dls_inertia *in, int b, struct dls_error *err)
{
    const struct dls_csr *M = in->M;
    int first = in->start[b], k = in->start[b + 1] - first, info = 0;
    double *F = in->factor + in->at[b];
    bool diagonal = true;
    for (int i = 0; i < k; i++)
        for (int e = M->p[first + i]; e < M->p[first + i + 1]; e++) {
            F[(M->j[e] - first) * k + i] = M->x[e]; // by columns
            diagonal &= M->j[e] == first + i || M->x[e] == 0;
        }
    if (diagonal)
        for (int i = k; i > 0; i--) info = F[(i - 1) * (k + 1)] == 0 ? i : info;
    else
        info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k, k, F, k, in->pivot + first);
    if (diagonal) in->pivot[first] = DIAGONAL;
    if (!info) return DLS_OK;
    return dls_fail(err, DLS_EINVAL, "M is singular at row %d", first + info - 1);
}

void dls_inertia_solve_body(const struct dls_inertia *in, int b, double *x)
{
    int first = in->start[b], k = in->start[b + 1] - first;
    if (in->diagonal) {
        for (int i = 0; i < k; i++) x[i] /= in->diagonal[first + i];
        return;
    }
    const double *F = in->factor + in->at[b];
    if (in->pivot[first] == DIAGONAL)
        for (int i = 0; i < k; i++) x[i] /= F[i * (k + 1)];
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', k, 1, F, k, in->pivot + first, x, k);
}

static bool is_diagonal(const struct dls_csr *M)
{
    for (int i = 0; i < M->rows; i++)
        if (M->p[i + 1] != i + 1 || M->j[i] != i) return false;
    return true;
}

static enum dls_status copy_diagonal(struct dls_inertia *in, struct dls_arena *a,
                                     struct dls_error *err)
{
    in->diagonal = dls_copy(a, in->M->x, (size_t)in->n, sizeof *in->diagonal);
    if (a->failed) return DLS_ENOMEM;
    for (int i = 0; i < in->n; i++)
        if (in->diagonal[i] == 0)
            return dls_fail(err, DLS_EINVAL, "M is singular at row %d", i);
    return DLS_OK;
}

static enum dls_status factor_bodies(struct dls_inertia *in, struct dls_arena *a,
                                     struct dls_error *err)
{
    if (is_diagonal(in->M)) return copy_diagonal(in, a, err);
    size_t total = 0;
    in->at = DLS_NEW(a, size_t, in->bodies);
    if (a->failed) return DLS_ENOMEM;
    for (int b = 0; b < in->bodies; b++) {
        size_t k = (size_t)(in->start[b + 1] - in->start[b]);
        in->at[b] = total;
        total += k * k;
    }
    in->factor = DLS_NEW(a, double, total);
    in->pivot = DLS_NEW(a, int, in->n);
    if (a->failed) return DLS_ENOMEM;
    enum dls_status status = DLS_OK;
    for (int b = 0; b < in->bodies && status == DLS_OK; b++)
        status = factor_body(in, b, err);
    return status;
}

// --- sparse ---------------------------------------------------------------------------

// The saddle-point matrix, or M itself without joints.
static struct dls_csr *saddle(const struct dls_problem *p, struct dls_arena *a)
{
    if (!p->joints) return p->M;
    int g = dls_csr_count(p->G), count = dls_csr_count(p->M) + 2 * g, to = 0;
    struct dls_arena scratch = dls_arena_scratch(a);
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = DLS_NEW(&scratch, double, count);
    if (scratch.failed) return dls_arena_free(&scratch), NULL;
    for (int row = 0; row < p->n; row++)
        for (int k = p->M->p[row]; k < p->M->p[row + 1]; k++, to++)
            i[to] = row, j[to] = p->M->j[k], x[to] = p->M->x[k];
    for (int row = 0; row < p->joints; row++)
        for (int k = p->G->p[row]; k < p->G->p[row + 1]; k++) {
            i[to] = p->n + row, j[to] = p->G->j[k], x[to++] = p->G->x[k];
            i[to] = p->G->j[k], j[to] = p->n + row, x[to++] = -p->G->x[k];
        }
    int size = p->n + p->joints;
    struct dls_csr *K = dls_csr_from_triplets(size, size, count, i, j, x, a);
    dls_arena_free(&scratch);
    return K;
}

static enum dls_status factor_sparse(struct dls_inertia *in,
                                     const struct dls_problem *p, struct dls_arena *a,
                                     struct dls_error *err)
{
    const struct dls_csr *K = saddle(p, a);
    in->rhs = DLS_NEW(a, double, 2 * (p->n + p->joints));
    if (a->failed) return DLS_ENOMEM;
    bool positive = in->symmetric && !p->joints;
    enum dls_status status = DLS_ENUMERIC;
    if (positive) {
        status = dls_sparse_factor_create(&in->sparse, K, DLS_FACTOR_POSITIVE, a);
        if (status == DLS_OK) status = dls_sparse_factor_update(&in->sparse);
    }
    if (status == DLS_ENUMERIC) { // not tried, or not positive definite
        dls_sparse_factor_destroy(&in->sparse);
        status = dls_sparse_factor_create(&in->sparse, K, DLS_FACTOR_GENERAL, a);
        if (status == DLS_OK) status = dls_sparse_factor_update(&in->sparse);
    }
    if (status == DLS_ENUMERIC)
        return dls_fail(err, DLS_EINVAL, "M%s is singular",
                        p->joints ? " with the joints G" : "");
    return status;
}

// --- interface ------------------------------------------------------------------------

enum dls_status dls_inertia_create(struct dls_inertia **out,
                                   const struct dls_problem *p, struct dls_arena *a,
                                   struct dls_error *err)
{
    DLS_ASSERT(dls_problem_is_global(p) && p->n >= 0);
    struct dls_inertia *in = *out = DLS_NEW(a, struct dls_inertia, 1);
    int *start = DLS_NEW(a, int, (size_t)p->n + 1), *body_of = DLS_NEW(a, int, p->n);
    if (a->failed) return DLS_ENOMEM;
    double asymmetry = is_diagonal(p->M) ? 0 : dls_csr_asymmetry(p->M, a);
    if (asymmetry < 0) return DLS_ENOMEM;
    *in = (struct dls_inertia){
        .M = p->M,
        .G = p->G,
        .n = p->n,
        .joints = p->joints,
        .start = start,
        .body_of = body_of,
        .symmetric = asymmetry <= 1e-14,
    };
    find_bodies(in, p);
    for (int b = 0; b < in->bodies; b++)
        for (int i = start[b]; i < start[b + 1]; i++) body_of[i] = b;
    return in->bodies || !p->n ? factor_bodies(in, a, err)
                               : factor_sparse(in, p, a, err);
}

void dls_inertia_destroy(struct dls_inertia *in)
{
    if (in) dls_sparse_factor_destroy(&in->sparse);
}

enum dls_status dls_inertia_take(struct dls_inertia **out, const struct dls_problem *p,
                                 struct dls_arena *a, struct dls_error *err)
{
    if (!p->inertia) return dls_inertia_create(out, p, a, err);
    *out = p->inertia;
    return DLS_OK;
}

void dls_inertia_drop(struct dls_inertia *in, const struct dls_problem *p)
{
    if (in != p->inertia) dls_inertia_destroy(in);
}

void dls_inertia_solve(const struct dls_inertia *in, const double *f, const double *g,
                       double *v, double *lambda)
{
    size_t n = (size_t)in->n, joints = (size_t)in->joints;
    if (!in->rhs) {
        memmove(v, f, n * sizeof *v);
        for (int b = 0; b < in->bodies; b++)
            dls_inertia_solve_body(in, b, v + in->start[b]);
        return;
    }
    memcpy(in->rhs, f, n * sizeof *f);
    for (size_t k = 0; k < joints; k++) in->rhs[n + k] = g ? g[k] : 0;
    double *x = in->rhs + n + joints;
    dls_sparse_factor_solve(&in->sparse, in->rhs, x);
    memcpy(v, x, n * sizeof *v);
    if (lambda) memcpy(lambda, x + n, joints * sizeof *lambda);
}

// x <- M^-1 x for a right-hand side that lives on the columns of one row of H.
static void solve_row(const struct dls_inertia *in, const struct dls_csr *H, int row,
                      double *x)
{
    if (!in->bodies) {
        dls_inertia_solve(in, x, NULL, x, NULL);
        return;
    }
    for (int k = H->p[row], last = -1; k < H->p[row + 1]; k++) {
        int b = in->body_of[H->j[k]];
        if (b != last) dls_inertia_solve_body(in, b, x + in->start[b]);
        last = b;
    }
}

static void clear_row(const struct dls_inertia *in, const struct dls_csr *H, int row,
                      double *x)
{
    if (!in->bodies) memset(x, 0, (size_t)in->n * sizeof *x);
    for (int k = H->p[row]; in->bodies && k < H->p[row + 1]; k++) {
        int b = in->body_of[H->j[k]], first = in->start[b];
        memset(x + first, 0, (size_t)(in->start[b + 1] - first) * sizeof *x);
    }
}

void dls_inertia_diagonal(const struct dls_inertia *in, const struct dls_problem *p,
                          int contact, double *work, double *W)
{
    const struct dls_csr *H = p->H;
    int d = p->d;
    for (int l = 0; l < d; l++) { // column l of W_aa
        int row = contact * d + l;
        for (int k = H->p[row]; k < H->p[row + 1]; k++) work[H->j[k]] = H->x[k];
        solve_row(in, H, row, work);
        for (int i = 0; i < d; i++)
            W[i * d + l] = dls_csr_row_product(H, contact * d + i, work);
        clear_row(in, H, row, work);
    }
}
