// SPDX-License-Identifier: Apache-2.0
// Multifrontal LU without pivots from outside of a front.
//
//     S A S = L U,      S = |diag A|^-1/2 in powers of two
//
// Method [DuffReid1983]. CHOLMOD orders the rows and finds the fronts: groups of rows that
// are eliminated together. With its own rows first a front is
//
//     [ P1  U ]    P1 = L1 U1,   P2 <- P2 U1^-1,   U <- L1^-1 U,   C <- C - P2 U,
//     [ P2  C ]
//
// and C is added to the front of its parent. Rows are exchanged within P1 only, so that the
// pattern of the factors is that of the analysis whatever the values are; the callers refine
// their answers. The matrices of contacts are near to positive definite ones, whose diagonals
// are good pivots in any order; S makes pivots of bodies and contacts of every size alike.
//
// Threads share subtrees first, then the columns of the large fronts above. Parts and ranges
// of columns depend on the pattern alone, and every sum is taken in one order: the factors
// are the same to the last bit for any number of threads.
//
// The C of children that wait for their parent lie on two stacks, one for even and one for odd
// depths: when a front is made, its children are on top of one stack, and its own place is
// on top of the other.
//
// Cost: nearly all of it in dense kernels.
// Fails: where P1 is singular though A is not.
#include "base/fronts.h"

#include "base/lower_view.h"
#include "base/threads.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    COLUMNS =
        256,    // of a range that one thread works on; large enough for dense kernels
    SPLIT = 16, // a subtree of more than this part of the operations is split
};
static const double worth_sharing = 1e8; // operations, some 5 ms: less is left whole

struct dls_front {
    int first, own, all;     // its first pivot; pivots; rows
    int parent, child, next; // -1 = none
    int depth;
    const int *rows, *above; // all rows; of those not its own, the places in the parent
    int entry, entries;      // entries of A: the first of them, and how many
    size_t at;               // in `values`: P, all x own, then U, own x rest
    size_t update;           // in `updates`: C, rest x rest
    double work;             // operations of its subtree
    int part;                // 0: above all other parts
    double least, most;      // sizes of pivots
    int sign;                // of det P1; 0 where it was singular
};

static size_t rest_of(const struct dls_front *f) { return (size_t)(f->all - f->own); }

// Entries of C, and of P and U.
static size_t square_of(const struct dls_front *f) { return rest_of(f) * rest_of(f); }

static size_t size_of(const struct dls_front *f)
{
    return (size_t)f->own * ((size_t)f->all + rest_of(f));
}

static double *panel_of(const struct dls_fronts *s, const struct dls_front *f)
{
    return s->values + f->at;
}

static double *right_of(const struct dls_fronts *s, const struct dls_front *f)
{
    return panel_of(s, f) + (size_t)f->all * (size_t)f->own;
}

// --- analysis ---------------------------------------------------------------------------

static cholmod_factor *order_rows(const struct dls_csr *A, cholmod_common *common)
{
    cholmod_sparse graph = dls_lower_view(A->rows, A->p, A->j, NULL);
    cholmod_start(common);
    common->print = 0;
    common->supernodal = CHOLMOD_SUPERNODAL;
    return cholmod_analyze(&graph, common);
}

// Copies order, fronts and rows out of CHOLMOD's analysis.
static bool take_over(struct dls_fronts *s, const cholmod_factor *L,
                      struct dls_arena *a)
{
    const int *super = L->super, *start = L->pi;
    s->count = (int)L->nsuper;
    s->front = DLS_NEW(a, struct dls_front, s->count);
    s->order = dls_copy(a, L->Perm, L->n, sizeof *s->order);
    s->rows = dls_copy(a, L->s, L->ssize, sizeof *s->rows);
    s->above = DLS_NEW(a, int, L->ssize);
    if (a->failed) return false;
    for (int k = 0; k < s->count; k++)
        s->front[k] = (struct dls_front){
            .first = super[k],
            .own = super[k + 1] - super[k],
            .all = start[k + 1] - start[k],
            .parent = -1,
            .child = -1,
            .next = -1,
            .rows = s->rows + start[k],
            .above = s->above + start[k],
        };
    return true;
}

// The front whose own row each row is.
static void find_owners(const struct dls_fronts *s, int *owner)
{
    for (int k = 0; k < s->count; k++)
        for (int i = 0; i < s->front[k].own; i++) owner[s->front[k].first + i] = k;
}

static double operations(const struct dls_front *f)
{
    double own = f->own, rest = f->all - f->own;
    return own * own * (2 * own / 3 + 2 * rest) + 2 * own * rest * rest;
}

// Parents, children in ascending order, places in the parents, depths and costs.
static void grow_tree(struct dls_fronts *s, const int *owner)
{
    for (int k = s->count - 1; k >= 0; k--) {
        struct dls_front *f = s->front + k;
        if (f->all == f->own) continue;
        f->parent = owner[f->rows[f->own]];
        struct dls_front *up = s->front + f->parent;
        f->next = up->child;
        up->child = k;
        f->depth = up->depth + 1;
        int *above = s->above + (f->above - s->above), at = 0;
        for (int i = f->own; i < f->all; i++) {
            at = dls_sorted_from(up->rows, at, up->all, f->rows[i]);
            above[i - f->own] = at;
        }
    }
    for (int k = 0; k < s->count; k++) {
        struct dls_front *f = s->front + k;
        f->work += operations(f);
        s->flops += operations(f);
        s->entries += (double)f->own * (2.0 * f->all - f->own);
        if (f->parent >= 0) s->front[f->parent].work += f->work;
    }
}

// Where entry (i, j) of A goes, both in the order of elimination, j in the front or behind.
static size_t place_of(const struct dls_front *f, int i, int j)
{
    bool right = j >= f->first + f->own;
    int other = right ? j : i, in = other - f->first;
    if (in >= f->own) in = dls_sorted_from(f->rows, f->own, f->all, other);
    size_t all = (size_t)f->all, own = (size_t)f->own;
    if (right)
        return f->at + all * own + (size_t)(in - f->own) * own + (size_t)(i - f->first);
    return f->at + (size_t)(j - f->first) * all + (size_t)in;
}

// The entries of A by fronts, and the places of all of them; `rank` is the inverse of the
// order.
static void place_entries(struct dls_fronts *s, const int *owner, const int *rank)
{
    const struct dls_csr *A = s->A;
    for (int pass = 0; pass < 2; pass++) {
        for (int row = 0; row < A->rows; row++)
            for (int k = A->p[row]; k < A->p[row + 1]; k++) {
                int i = rank[row], j = rank[A->j[k]];
                struct dls_front *f = s->front + owner[i < j ? i : j];
                if (pass) {
                    s->entry[f->entry + f->entries] = k;
                    s->place[f->entry + f->entries] = place_of(f, i, j);
                }
                f->entries++;
            }
        for (int k = 0, at = 0; k < s->count && !pass; k++) {
            s->front[k].entry = at;
            at += s->front[k].entries;
            s->front[k].entries = 0;
        }
    }
}

// Parts: subtrees that are small enough, and last what is above them.
static void divide(struct dls_fronts *s)
{
    double most = s->flops > worth_sharing ? s->flops / SPLIT : 0;
    s->parts = 1;
    for (int k = s->count - 1; k >= 0; k--) {
        struct dls_front *f = s->front + k;
        const struct dls_front *up = s->front + f->parent;
        bool below = f->parent >= 0 && up->part > 0;
        f->part = f->work > most ? 0 : below ? up->part : s->parts++;
    }
}

// Fronts by parts, in their order; the part 0 above all others comes last.
static bool list_members(struct dls_fronts *s, struct dls_arena *a)
{
    s->first = DLS_NEW(a, int, (size_t)s->parts + 1);
    s->members = DLS_NEW(a, int, s->count);
    if (a->failed) return false;
    for (int p = 1, at = 0; p <= s->parts; p++) {
        for (int k = 0; k < s->count; k++)
            if (s->front[k].part == p % s->parts) s->members[at++] = k;
        s->first[p] = at;
    }
    return true;
}

// Places of the C of a part from `base` on; returns how much room they need.
static size_t stack_updates(struct dls_fronts *s, int part, size_t base)
{
    size_t top[2] = {0}, peak[2] = {0};
    for (int l = s->first[part]; l < s->first[part + 1]; l++) {
        struct dls_front *f = s->front + s->members[l];
        int odd = f->depth % 2;
        f->update = top[odd];
        top[odd] += square_of(f);
        if (top[odd] > peak[odd]) peak[odd] = top[odd];
        for (int c = f->child; c >= 0; c = s->front[c].next)
            if (s->front[c].part == f->part) top[!odd] -= square_of(s->front + c);
    }
    for (int l = s->first[part]; l < s->first[part + 1]; l++) {
        struct dls_front *f = s->front + s->members[l];
        f->update += base + (f->depth % 2 ? peak[0] : 0);
    }
    return peak[0] + peak[1];
}

static enum dls_status analyse(struct dls_fronts *s, const cholmod_factor *L,
                               struct dls_arena *a, struct dls_arena *scratch)
{
    const struct dls_csr *A = s->A;
    size_t n = (size_t)A->rows, size = 0, room = 0;
    int *owner = DLS_NEW(scratch, int, n), *rank = DLS_NEW(scratch, int, n);
    s->entry = DLS_NEW(a, int, dls_csr_count(A));
    s->place = DLS_NEW(a, size_t, dls_csr_count(A));
    s->pivot = DLS_NEW(a, int, n);
    s->scale = DLS_NEW(a, double, n);
    s->scaled = DLS_NEW(a, double, dls_csr_count(A));
    s->x = DLS_NEW(a, double, n);
    s->y = DLS_NEW(a, double, n);
    if (scratch->failed || !take_over(s, L, a)) return DLS_ENOMEM;
    find_owners(s, owner);
    for (int k = 0; k < A->rows; k++) rank[s->order[k]] = k;
    for (int k = 0; k < s->count; k++) {
        s->front[k].at = size;
        size += size_of(s->front + k);
    }
    grow_tree(s, owner);
    place_entries(s, owner, rank);
    divide(s);
    if (!list_members(s, a)) return DLS_ENOMEM;
    for (int p = 0; p < s->parts; p++) room += stack_updates(s, p, room);
    s->values = DLS_RAW(a, double, size);
    s->updates = DLS_RAW(a, double, room);
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

enum dls_status dls_fronts_create(struct dls_fronts *s, const struct dls_csr *A,
                                  int threads, struct dls_arena *a)
{
    cholmod_common common;
    *s = (struct dls_fronts){.A = A, .threads = threads};
    cholmod_factor *L = order_rows(A, &common);
    struct dls_arena scratch = dls_arena_scratch(a);
    enum dls_status status = L ? analyse(s, L, a, &scratch) : DLS_ENOMEM;
    dls_arena_free(&scratch);
    cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
    return status;
}

// --- factors ----------------------------------------------------------------------------

// S, so that S A S has diagonal entries between 1/4 and 4, and S A S.
static void scale_values(struct dls_fronts *s)
{
    const struct dls_csr *A = s->A;
    for (int row = 0; row < A->rows; row++) {
        int k = dls_sorted_from(A->j, A->p[row], A->p[row + 1], row), exponent = 0;
        if (isfinite(A->x[k]) && A->x[k] != 0) frexp(A->x[k], &exponent);
        s->scale[row] = ldexp(1, -exponent / 2);
    }
    for (int row = 0; row < A->rows; row++)
        for (int k = A->p[row]; k < A->p[row + 1]; k++)
            s->scaled[k] = s->scale[row] * A->x[k] * s->scale[A->j[k]];
}

// Adds the C of a child to its parent's front.
static void add_child(struct dls_fronts *s, const struct dls_front *f,
                      const struct dls_front *child)
{
    const double *from = s->updates + child->update;
    double *P = panel_of(s, f), *U = right_of(s, f), *C = s->updates + f->update;
    size_t own = (size_t)f->own, all = (size_t)f->all, rest = rest_of(f);
    const int *to = child->above;
    int count = child->all - child->own, inside = dls_sorted_from(to, 0, count, f->own);
    for (int j = 0; j < count; j++, from += count) {
        size_t column = (size_t)to[j];
        if (j < inside) {
            double *p = P + column * all;
            for (int i = 0; i < count; i++) p[to[i]] += from[i];
            continue;
        }
        double *u = U + (column - own) * own, *c = C + (column - own) * rest;
        for (int i = 0; i < inside; i++) u[to[i]] += from[i];
        for (int i = inside; i < count; i++) c[to[i] - f->own] += from[i];
    }
}

static void assemble(struct dls_fronts *s, const struct dls_front *f)
{
    double *values = s->values;
    memset(values + f->at, 0, size_of(f) * sizeof *values);
    memset(s->updates + f->update, 0, square_of(f) * sizeof *values);
    for (int e = f->entry; e < f->entry + f->entries; e++)
        values[s->place[e]] = s->scaled[s->entry[e]];
    for (int c = f->child; c >= 0; c = s->front[c].next) add_child(s, f, s->front + c);
}

// A front in ranges of columns of U and C, or of rows of P2.
struct ranges {
    struct dls_fronts *s;
    const struct dls_front *f;
};

static int range_length(const struct dls_front *f, int range)
{
    int left = f->all - f->own - range * COLUMNS;
    return left < COLUMNS ? left : COLUMNS;
}

// P2 <- P2 U1^-1 in a range of rows.
static void divide_rows(void *data, int range)
{
    const struct ranges *r = data;
    const struct dls_front *f = r->f;
    double *P = panel_of(r->s, f);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit,
                range_length(f, range), f->own, 1, P, f->all,
                P + f->own + (size_t)range * COLUMNS, f->all);
}

// U <- L1^-1 U and C <- C - P2 U in a range of columns.
static void update_columns(void *data, int range)
{
    const struct ranges *r = data;
    const struct dls_front *f = r->f;
    int own = f->own, rest = f->all - own, length = range_length(f, range);
    size_t at = (size_t)range * COLUMNS;
    const double *P = panel_of(r->s, f);
    double *U = right_of(r->s, f) + at * (size_t)own;
    double *C = r->s->updates + f->update + at * (size_t)rest;
    LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, length, U, own, 1, own,
                        r->s->pivot + f->first, 1);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, own,
                length, 1, P, f->all, U, own);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rest, length, own, -1,
                P + own, f->all, U, own, 1, C, rest);
}

// What the pivots of a front tell.
static void note_pivots(const struct dls_fronts *s, struct dls_front *f, bool regular)
{
    const double *P = panel_of(s, f);
    f->sign = regular;
    f->least = INFINITY;
    f->most = 0;
    for (int i = 0; i < f->own; i++) {
        double u = P[(size_t)i * ((size_t)f->all + 1)];
        f->least = fmin(f->least, fabs(u));
        f->most = fmax(f->most, fabs(u));
        if ((u < 0) != (s->pivot[f->first + i] != i + 1)) f->sign = -f->sign;
        if (!isfinite(u)) f->sign = 0;
    }
}

static void eliminate(struct dls_fronts *s, struct dls_front *f, int threads)
{
    struct ranges r = {s, f};
    int ranges = (f->all - f->own + COLUMNS - 1) / COLUMNS;
    assemble(s, f);
    int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, f->own, f->own, panel_of(s, f),
                                   f->all, s->pivot + f->first);
    note_pivots(s, f, info == 0);
    if (!f->sign) return;
    dls_each(ranges > 1 ? threads : 1, ranges, divide_rows, &r);
    dls_each(ranges > 1 ? threads : 1, ranges, update_columns, &r);
}

static void eliminate_part(void *data, int part)
{
    struct dls_fronts *s = data;
    for (int l = s->first[part]; l < s->first[part + 1]; l++)
        eliminate(s, s->front + s->members[l], 1);
}

bool dls_fronts_factor(struct dls_fronts *s)
{
    double least = INFINITY, most = 0;
    int above = s->parts - 1;
    scale_values(s);
    dls_each(s->threads, above, eliminate_part, s);
    for (int l = s->first[above]; l < s->first[above + 1]; l++)
        eliminate(s, s->front + s->members[l], s->threads);
    s->sign = 1;
    for (int k = 0; k < s->count; k++) {
        least = fmin(least, s->front[k].least);
        most = fmax(most, s->front[k].most);
        s->sign *= s->front[k].sign;
    }
    s->rcond = s->sign ? least / most : 0;
    return s->rcond > 0;
}

// --- solves -----------------------------------------------------------------------------

// x <- L^-1 x
static void forwards(const struct dls_fronts *s, const struct dls_front *f)
{
    int own = f->own, rest = f->all - own;
    const double *P = panel_of(s, f);
    double *x = s->x + f->first;
    for (int i = 0; i < own; i++) {
        int other = s->pivot[f->first + i] - 1;
        double kept = x[i];
        x[i] = x[other];
        x[other] = kept;
    }
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, own, P, f->all, x,
                1);
    if (!rest) return;
    cblas_dgemv(CblasColMajor, CblasNoTrans, rest, own, 1, P + own, f->all, x, 1, 0,
                s->y, 1);
    for (int i = 0; i < rest; i++) s->x[f->rows[own + i]] -= s->y[i];
}

// x <- U^-1 x
static void backwards(const struct dls_fronts *s, const struct dls_front *f)
{
    int own = f->own, rest = f->all - own;
    double *x = s->x + f->first;
    for (int i = 0; i < rest; i++) s->y[i] = s->x[f->rows[own + i]];
    if (rest)
        cblas_dgemv(CblasColMajor, CblasNoTrans, own, rest, -1, right_of(s, f), own,
                    s->y, 1, 1, x, 1);
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, own,
                panel_of(s, f), f->all, x, 1);
}

void dls_fronts_solve(struct dls_fronts *s, const double *b, double *x)
{
    int n = s->A->rows;
    for (int k = 0; k < n; k++) s->x[k] = s->scale[s->order[k]] * b[s->order[k]];
    for (int k = 0; k < s->count; k++) forwards(s, s->front + k);
    for (int k = s->count - 1; k >= 0; k--) backwards(s, s->front + k);
    for (int k = 0; k < n; k++) x[s->order[k]] = s->scale[s->order[k]] * s->x[k];
}
