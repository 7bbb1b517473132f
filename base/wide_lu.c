// SPDX-License-Identifier: Apache-2.0
// LU without pivoting, one entry after the other.
//
//     P A P^T = L U,     L of unit diagonal
//
// Method. CHOLMOD orders the rows. The pattern of column k of L is that
// of column k of A below the diagonal, with those of the columns whose first row is k. Row k
// of U has the same pattern. Right-looking: the entries that column k changes in column i
// are among those of column i, in the same order.
//
// Fails: matrices that need pivots from elsewhere; those of fronts.c do not.
//
// Cost: a second for 5e8 operations, twenty times what dense kernels take in doubles. For
// systems that doubles cannot tell from singular ones.
#include "base/wide_lu.h"

#include "base/lower_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000000 };      // entries of L: 3.2 GB with those of U
static const double rate = 5e8; // operations a second

double dls_wide_lu_seconds(const struct dls_wide_lu *s) { return s->flops / rate; }

// --- analysis ---------------------------------------------------------------------------

static bool find_order(struct dls_wide_lu *s, const struct dls_csr *A,
                       struct dls_arena *a)
{
    cholmod_common common;
    cholmod_sparse graph = dls_lower_view(A->rows, A->p, A->j, NULL);
    cholmod_start(&common);
    common.print = 0;
    common.supernodal = CHOLMOD_SIMPLICIAL;
    cholmod_factor *L = cholmod_analyze(&graph, &common);
    if (L) s->order = dls_copy(a, L->Perm, L->n, sizeof *s->order);
    cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
    return s->order;
}

// The columns of L as they grow.
struct columns {
    int *child,
        *next; // the first column whose first row is k; another one of its parent
    int *mark;
};

// Row i becomes one of column k, once.
static void add_row(struct columns *c, int k, int i, int *rows, int *count)
{
    if (i <= k || c->mark[i] == k) return;
    c->mark[i] = k;
    rows[(*count)++] = i;
}

// The rows of column k, unsorted, from those of A and of the columns that are its children.
static int gather(struct dls_wide_lu *s, const struct dls_csr *A, struct columns *c,
                  int k, int *rows)
{
    int count = 0, row = s->order[k];
    for (int e = A->p[row]; e < A->p[row + 1]; e++)
        add_row(c, k, s->rank[A->j[e]], rows, &count);
    for (int j = c->child[k]; j >= 0; j = c->next[j])
        for (int e = s->p[j]; e < s->p[j + 1]; e++)
            add_row(c, k, s->rows[e], rows, &count);
    return count;
}

static int ascending(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

// Columns of L one after the other; the room for their rows doubles where it ends.
static enum dls_status find_pattern(struct dls_wide_lu *s, const struct dls_csr *A,
                                    struct dls_arena *scratch, struct dls_arena *a)
{
    int n = s->n;
    size_t room = 2 * (size_t)A->p[n] + (size_t)n;
    struct columns c = {
        .child = DLS_NEW(scratch, int, n),
        .next = DLS_NEW(scratch, int, n),
        .mark = DLS_NEW(scratch, int, n),
    };
    s->rows = DLS_RAW(scratch, int, room);
    if (scratch->failed) return DLS_ENOMEM;
    for (int k = 0; k < n; k++) c.child[k] = c.mark[k] = -1;
    for (int k = 0; k < n; k++) {
        if (s->p[k] > MOST) return DLS_UNSUPPORTED;
        if ((size_t)s->p[k] + (size_t)n > room) {
            int *more = DLS_RAW(scratch, int, 2 * room);
            if (!more) return DLS_ENOMEM;
            s->rows = memcpy(more, s->rows, (size_t)s->p[k] * sizeof *more);
            room *= 2;
        }
        int *rows = s->rows + s->p[k], count = gather(s, A, &c, k, rows);
        qsort(rows, (size_t)count, sizeof *rows, ascending);
        s->p[k + 1] = s->p[k] + count;
        s->flops += 3.0 * count * count;
        if (count) c.next[k] = c.child[rows[0]], c.child[rows[0]] = k;
    }
    s->rows = dls_copy(a, s->rows, (size_t)s->p[n], sizeof *s->rows);
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

// Where entry (i, j) of A goes.
static void find_places(struct dls_wide_lu *s, const struct dls_csr *A)
{
    for (int row = 0; row < s->n; row++)
        for (int e = A->p[row]; e < A->p[row + 1]; e++) {
            int i = s->rank[row], j = s->rank[A->j[e]], k = i < j ? i : j;
            int at = dls_sorted_from(s->rows, s->p[k], s->p[k + 1], i < j ? j : i);
            s->place[e] = i == j ? i : s->n + at + (i < j ? s->p[s->n] : 0);
        }
}

enum dls_status dls_wide_lu_create(struct dls_wide_lu *s, const struct dls_csr *A,
                                   struct dls_arena *a)
{
    size_t n = (size_t)A->rows;
    *s = (struct dls_wide_lu){
        .n = A->rows,
        .entries = A->p[n],
        .rank = DLS_NEW(a, int, n),
        .p = DLS_NEW(a, int, n + 1),
        .place = DLS_NEW(a, int, A->p[n]),
        .x = DLS_NEW(a, dls_wide, n),
    };
    if (a->failed || !find_order(s, A, a)) return DLS_ENOMEM;
    for (int k = 0; k < s->n; k++) s->rank[s->order[k]] = k;
    struct dls_arena scratch = dls_arena_scratch(a);
    enum dls_status status = find_pattern(s, A, &scratch, a);
    dls_arena_free(&scratch);
    if (status) return status;
    s->values = DLS_NEW(a, dls_wide, n + 2 * (size_t)s->p[n]);
    if (a->failed) return DLS_ENOMEM;
    s->lower = s->values + n;
    s->upper = s->lower + s->p[n];
    find_places(s, A);
    return DLS_OK;
}

// --- factors ----------------------------------------------------------------------------

// Takes what column k of L and row k of U make out of the entries behind them.
static void eliminate(struct dls_wide_lu *s, int k)
{
    int from = s->p[k], to = s->p[k + 1];
    dls_wide pivot = s->values[k];
    for (int e = from; e < to; e++) s->lower[e] /= pivot;
    for (int e = from; e < to; e++) {
        int i = s->rows[e], at = s->p[i];
        dls_wide l = s->lower[e], u = s->upper[e];
        s->values[i] -= l * u;
        for (int f = e + 1; f < to; f++, at++) {
            while (s->rows[at] < s->rows[f]) at++;
            s->lower[at] -= s->lower[f] * u;
            s->upper[at] -= l * s->upper[f];
        }
    }
}

bool dls_wide_lu_factor(struct dls_wide_lu *s, const dls_wide *A)
{
    int n = s->n;
    size_t size = (size_t)n + 2 * (size_t)s->p[n];
    memset(s->values, 0, size * sizeof *s->values);
    for (int e = 0; e < s->entries; e++) s->values[s->place[e]] = A[e];
    for (int k = 0; k < n; k++) {
        if (s->values[k] == 0 || !isfinite(s->values[k])) return false;
        eliminate(s, k);
    }
    return true;
}

void dls_wide_lu_solve(struct dls_wide_lu *s, dls_wide *x)
{
    for (int k = 0; k < s->n; k++) s->x[k] = x[s->order[k]];
    for (int k = 0; k < s->n; k++)
        for (int e = s->p[k]; e < s->p[k + 1]; e++)
            s->x[s->rows[e]] -= s->lower[e] * s->x[k];
    for (int k = s->n - 1; k >= 0; k--) {
        for (int e = s->p[k]; e < s->p[k + 1]; e++)
            s->x[k] -= s->upper[e] * s->x[s->rows[e]];
        s->x[k] /= s->values[k];
    }
    for (int k = 0; k < s->n; k++) x[s->order[k]] = s->x[k];
}
