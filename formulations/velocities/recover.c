// SPDX-License-Identifier: Apache-2.0
// Rigid bodies from the Delassus matrix alone.
//
//     W = H M^-1 H^T,   H sparse (m x n), M block diagonal
//
// A local problem file gives W and not the bodies behind it, though with n < m a linear
// system with W plus a diagonal is far cheaper in the velocities. H and M are not unique,
// (H Q)(Q^T M Q)^-1 (H Q)^T = W for every regular block-diagonal Q, and any will do.
//
// Method
//   1. Scale the contacts so that the diagonal blocks have norm 1.
//   2. The pattern of W tells which contacts touch which bodies (body_graph.c).
//   3. The share of each body in W follows from its rank (body_shares.c).
//   4. The symmetric part of a share C is factored by Cholesky with diagonal pivoting up to
//      its rank: H = its columns. Siconos' M is slightly unsymmetric where bodies spin:
//      with the rows p of the pivots C = H X H^T,  X = H_p^-1 C_pp H_p^-T,  M = X^-1, which
//      is the identity where C is symmetric.
//   5. The product is compared with W block by block. Nothing that fails is returned.
//
// Cost: linear in the blocks of W.
// Fails: where most bodies touch less than about seven others by one point each, so that
// ranks tell too little: loose packings of spheres. There n > 0.6 m and little is lost.
#include "formulations/velocities/recover.h"

#include "formulations/velocities/body_shares.h"

#include "base/contract.h"
#include "base/vector.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double truncation = 1e-12; // pivots below count as zero
static const double largest_error = 1e-11;
static const double unsymmetric = 1e-12; // of X beyond round-off
static const double worthwhile = 0.6;    // n / m above which there is little to gain

// One factored share: H is rows x rank, X rank x rank, both by columns.
struct factor {
    const struct dls_share *share;
    int rank, first; // columns of H, and the number of the first of them
    double *H, *X;
};

// --- factors --------------------------------------------------------------------------

// A = (C + C^T) / 2 and its factor; `pivot` receives the rows of the pivots.
static int factor_symmetric(const struct dls_share *share, double *A, int *pivot)
{
    int N = share->rows, rank = 0;
    size_t n = (size_t)N;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            A[j * n + i] = 0.5 * (share->C[j * n + i] + share->C[i * n + j]);
    LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', N, A, N, pivot, &rank, truncation);
    for (int k = 0; k < N; k++) pivot[k]--;
    return rank;
}

// X = L^-1 C_pp L^-T with the unit upper part of A holding L; the identity up to round-off
// where C is symmetric.
static void find_middle(const struct factor *f, const double *A, const int *pivot)
{
    int r = f->rank, N = f->share->rows;
    size_t n = (size_t)N;
    double *X = f->X;
    for (int k = 0; k < r * r; k++)
        X[k] = f->share->C[(size_t)pivot[k / r] * n + (size_t)pivot[k % r]];
    for (int twice = 0; twice < 2; twice++) { // X <- (L^-1 X)^T
        LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', r, r, A, N, X, r);
        for (int j = 0; j < r; j++)
            for (int i = 0; i < j; i++) {
                double swap = X[j * r + i];
                X[j * r + i] = X[i * r + j];
                X[i * r + j] = swap;
            }
    }
    double asymmetry = 0;
    for (int k = 0; k < r * r; k++)
        asymmetry = fmax(asymmetry, fabs(X[k] - X[k % r * r + k / r]));
    for (int k = 0; k < r * r && asymmetry <= unsymmetric; k++) X[k] = k % (r + 1) == 0;
}

static enum dls_status factor_share(struct factor *f, double *A, int *pivot,
                                    struct dls_arena *a)
{
    size_t N = (size_t)f->share->rows;
    f->rank = factor_symmetric(f->share, A, pivot);
    size_t r = (size_t)f->rank;
    f->H = DLS_NEW_TABLE(a, double, N, r);
    f->X = DLS_NEW_TABLE(a, double, r, r);
    if (a->failed) return DLS_ENOMEM;
    for (size_t j = 0; j < r; j++)
        for (size_t i = j; i < N; i++) f->H[j * N + (size_t)pivot[i]] = A[j * N + i];
    if (r) find_middle(f, A, pivot);
    return DLS_OK;
}

static enum dls_status factor_all(struct factor *f, const struct dls_shares *shares,
                                  int *n, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    enum dls_status status = DLS_OK;
    size_t most = 0;
    for (int k = 0; k < shares->count; k++)
        if ((size_t)shares->share[k].rows > most) most = (size_t)shares->share[k].rows;
    double *A = DLS_NEW(&scratch, double, most *most);
    int *pivot = DLS_NEW(&scratch, int, most);
    if (a->failed) status = DLS_ENOMEM;
    *n = 0;
    for (int k = 0; k < shares->count && status == DLS_OK; k++) {
        f[k] = (struct factor){.share = shares->share + k, .first = *n};
        status = factor_share(f + k, A, pivot, a);
        *n += f[k].rank;
    }
    dls_arena_free(&scratch);
    return status;
}

// --- comparison -----------------------------------------------------------------------

// Y = H X
static void multiply_middle(const struct factor *f, double *Y)
{
    size_t N = (size_t)f->share->rows, r = (size_t)f->rank;
    memset(Y, 0, N * r * sizeof *Y);
    for (size_t j = 0; j < r; j++)
        for (size_t k = 0; k < r; k++)
            for (size_t i = 0; i < N && f->X[j * r + k] != 0; i++)
                Y[j * N + i] += f->H[k * N + i] * f->X[j * r + k];
}

// block -= Y_x H_y^T for contacts x and y of the share.
static void subtract_product(const struct factor *f, const double *Y, const int *pair,
                             int d, double *block)
{
    size_t N = (size_t)f->share->rows;
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++)
            for (size_t k = 0; k < (size_t)f->rank; k++)
                block[i * d + l] -= Y[k * N + (size_t)(pair[0] * d + i)]
                                    * f->H[k * N + (size_t)(pair[1] * d + l)];
}

// E <- E - H X H^T on the pattern of W; returns the largest block outside it. `where` has
// an entry per contact, -1.
static double subtract_share(const struct factor *f, const struct dls_bsr *E,
                             const double *Y, int *where)
{
    const struct dls_share *share = f->share;
    int d = E->d;
    double outside = 0;
    for (int x = 0; x < share->contacts; x++) {
        int a = share->contact[x];
        for (int k = E->p[a]; k < E->p[a + 1]; k++) where[E->j[k]] = k;
        for (int y = 0; y < share->contacts; y++) {
            double none[9] = {0};
            int k = where[share->contact[y]];
            double *block = k < 0 ? none : E->x + (size_t)k * (size_t)(d * d);
            subtract_product(f, Y, (int[]){x, y}, d, block);
            if (k < 0) outside = fmax(outside, dls_norm(d * d, none));
        }
        for (int k = E->p[a]; k < E->p[a + 1]; k++) where[E->j[k]] = -1;
    }
    return outside;
}

// The largest block of W - sum H X H^T, W being overwritten; negative when memory runs
// out.
static double compare(struct dls_bsr *W, const struct factor *f, int count,
                      struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    int *where = DLS_NEW(&scratch, int, W->rows);
    size_t most = 0;
    double worst = 0;
    for (int k = 0; k < count; k++) {
        size_t size = (size_t)f[k].share->rows * (size_t)f[k].rank;
        if (size > most) most = size;
    }
    double *Y = DLS_NEW(&scratch, double, most);
    if (!scratch.failed) {
        for (int c = 0; c < W->rows; c++) where[c] = -1;
        for (int k = 0; k < count; k++) {
            multiply_middle(f + k, Y);
            worst = fmax(worst, subtract_share(f + k, W, Y, where));
        }
        for (int k = 0; k < W->p[W->rows]; k++)
            worst = fmax(worst, dls_bsr_block_norm(W, k));
    }
    bool failed = scratch.failed;
    dls_arena_free(&scratch);
    return failed ? -1 : worst;
}

// --- assembly -------------------------------------------------------------------------

struct triplets {
    int count, *i, *j;
    double *x;
};

static void put(struct triplets *t, int i, int j, double x)
{
    t->i[t->count] = i;
    t->j[t->count] = j;
    t->x[t->count++] = x;
}

static bool make_room(struct triplets *t, size_t count, struct dls_arena *a)
{
    *t = (struct triplets){.i = DLS_NEW(a, int, count),
                           .j = DLS_NEW(a, int, count),
                           .x = DLS_NEW(a, double, count)};
    return !a->failed;
}

// M_k = X^-1, destroying X.
static void put_inertia(struct triplets *t, const struct factor *f, double *inverse,
                        int *pivot)
{
    int r = f->rank;
    for (int k = 0; k < r * r; k++) inverse[k] = k % (r + 1) == 0;
    LAPACKE_dgesv(LAPACK_COL_MAJOR, r, r, f->X, r, pivot, inverse, r);
    for (int k = 0; k < r * r; k++)
        if (inverse[k] != 0) put(t, f->first + k % r, f->first + k / r, inverse[k]);
}

// H = the factors with the scaling of the contacts undone; M = their X^-1.
static enum dls_status assemble(struct dls_recovered *out, const struct factor *f,
                                int count, const double *size, const struct dls_bsr *W,
                                struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t entries = 0, squares = 0, most = 0;
    struct triplets H, M;
    for (int k = 0; k < count; k++) {
        size_t r = (size_t)f[k].rank;
        entries += (size_t)f[k].share->rows * r;
        squares += r * r;
        if (r > most) most = r;
    }
    double *inverse = DLS_NEW(&scratch, double, most *most);
    int *pivot = DLS_NEW(&scratch, int, most), d = W->d;
    if (make_room(&H, entries, &scratch) && make_room(&M, squares, &scratch)) {
        for (int k = 0; k < count; k++) {
            const struct dls_share *share = f[k].share;
            for (int i = 0; i < share->rows * f[k].rank; i++) {
                int row = i % share->rows, c = share->contact[row / d];
                if (f[k].H[i] != 0)
                    put(&H, c * d + row % d, f[k].first + i / share->rows,
                        f[k].H[i] * size[c]);
            }
            put_inertia(&M, f + k, inverse, pivot);
        }
        out->H = dls_csr_from_triplets(W->rows * d, out->n, H.count, H.i, H.j, H.x, a);
        out->M = dls_csr_from_triplets(out->n, out->n, M.count, M.i, M.j, M.x, a);
    }
    dls_arena_free(&scratch);
    return out->H && out->M ? DLS_OK : DLS_ENOMEM;
}

// --- interface ------------------------------------------------------------------------

// A copy of W with diagonal blocks of norm 1; size_a = |W_aa|^(1/2). False where one is
// zero or memory runs out.
static bool scale(struct dls_bsr *to, const struct dls_bsr *W, double *size,
                  struct dls_arena *a)
{
    size_t dd = (size_t)(W->d * W->d);
    *to = *W;
    to->x = dls_copy(a, W->x, (size_t)W->p[W->rows] * dd, sizeof *W->x);
    for (int c = 0; c < W->rows && to->x; c++) {
        size[c] = sqrt(dls_bsr_block_norm(W, W->diag[c]));
        if (!(size[c] > 0)) return false;
    }
    for (int c = 0; c < W->rows && to->x; c++)
        for (int k = W->p[c]; k < W->p[c + 1]; k++)
            for (size_t i = 0; i < dd; i++)
                to->x[(size_t)k * dd + i] /= size[c] * size[W->j[k]];
    return to->x;
}

static enum dls_status recover(struct dls_recovered *out, const struct dls_bsr *W,
                               const struct dls_body_graph *graph,
                               struct dls_arena *scratch, struct dls_arena *a)
{
    struct dls_shares shares;
    struct dls_bsr scaled;
    double *size = DLS_NEW(scratch, double, W->rows);
    double most = worthwhile * W->rows * W->d;
    if (!size) return DLS_ENOMEM;
    if (dls_body_velocities(W->d) * (double)graph->bodies > most)
        return DLS_UNSUPPORTED;
    if (!scale(&scaled, W, size, scratch))
        return scratch->failed ? DLS_ENOMEM : DLS_UNSUPPORTED;
    enum dls_status status = dls_body_shares(&shares, &scaled, graph, scratch);
    if (status != DLS_OK) return status;
    struct factor *f = DLS_NEW(scratch, struct factor, shares.count);
    if (!f) return DLS_ENOMEM;
    status = factor_all(f, &shares, &out->n, scratch);
    if (status != DLS_OK) return status;
    out->error = compare(&scaled, f, shares.count, scratch);
    if (out->error < 0) return DLS_ENOMEM;
    if (!(out->error <= largest_error) || out->n > most) return DLS_UNSUPPORTED;
    return assemble(out, f, shares.count, size, W, a);
}

enum dls_status dls_recover(struct dls_recovered *out, const struct dls_bsr *W,
                            const struct dls_body_graph *graph, struct dls_arena *a)
{
    DLS_ASSERT((W->d == 2 || W->d == 3) && W->rows && graph->contacts == W->rows);
    *out = (struct dls_recovered){0};
    struct dls_arena scratch = dls_arena_scratch(a);
    enum dls_status status = recover(out, W, graph, &scratch, a);
    dls_arena_free(&scratch);
    return status;
}
