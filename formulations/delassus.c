// SPDX-License-Identifier: Apache-2.0
// The Delassus operator W = H M^-1 H^T and the free velocity q = H M^-1 f + w.
//
// Body by body, for block-diagonal M: contacts a and c are coupled through the bodies
// they share,
//
//     W_ac = sum over bodies b of a and c:  H_ab M_b^-1 H_cb^T,
//
// so the work is one small product per pair of contacts on a body: linear in contacts
// times neighbours. For symmetric M only blocks with c >= a are computed and mirrored, so
// that W is symmetric to the last bit.
//
// By a sparse factor otherwise: column block c of W is H (M^-1 H_c^T), with the factor of
// inertia.c (joints included). Blocks that are zero are dropped.
//
// From W itself where the file gives it.
#include "formulations/delassus.h"

#include "formulations/bodies.h"
#include "formulations/parts/inertia.h"
#include "formulations/velocities/velocities.h"

#include "base/threads.h"

#include <string.h>

// --- body by body ---------------------------------------------------------------------

// Lists the contacts that share a body with contact a, each once; returns how many.
// `mark` has an entry per contact and never repeats a value between rows.
static int neighbours(const struct dls_bodies *f, int a, int *mark, int *list)
{
    int count = 0;
    mark[a] = a + 1;
    list[count++] = a;
    for (int e = f->p[a]; e < f->p[a + 1]; e++)
        for (int k = f->body_p[f->body[e]]; k < f->body_p[f->body[e] + 1]; k++) {
            int c = f->body_contact[k];
            if (mark[c] == a + 1) continue;
            mark[c] = a + 1;
            list[count++] = c;
        }
    return count;
}

// The pattern is symmetric, so transposing the unsorted lists sorts them.
static enum dls_status pattern(struct dls_bsr *W, const struct dls_bodies *f,
                               struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    int rows = W->rows;
    int *mark = DLS_NEW(&scratch, int, rows), *list = DLS_NEW(&scratch, int, rows);
    W->p = DLS_NEW(a, int, (size_t)rows + 1);
    W->diag = DLS_NEW(a, int, rows);
    if (a->failed) return dls_arena_free(&scratch), DLS_ENOMEM;
    for (int r = 0; r < rows; r++) W->p[r + 1] = W->p[r] + neighbours(f, r, mark, list);
    W->j = DLS_NEW(a, int, W->p[rows]);
    W->x = DLS_NEW(a, double, (size_t)W->p[rows] * (size_t)(W->d * W->d));
    if (a->failed) return dls_arena_free(&scratch), DLS_ENOMEM;
    memset(mark, 0, (size_t)rows * sizeof *mark);
    int *used = W->diag; // blocks that each row has so far
    for (int r = 0; r < rows; r++)
        for (int k = neighbours(f, r, mark, list) - 1; k >= 0; k--)
            W->j[W->p[list[k]] + used[list[k]]++] = r;
    for (int r = 0; r < rows; r++)
        for (int k = W->p[r]; k < W->p[r + 1]; k++)
            if (W->j[k] == r) W->diag[r] = k;
    dls_arena_free(&scratch);
    return DLS_OK;
}

// block += H_e X_g^T, the share of one body in W_ac.
static void add_product(const struct dls_bodies *f, int e, int g, double *block)
{
    int d = f->problem->d, k = dls_bodies_size(f, f->body[e]);
    const double *H = f->H + f->at[e], *X = f->X + f->at[g];
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) {
            double sum = 0;
            for (int s = 0; s < k; s++) sum += H[i * k + s] * X[l * k + s];
            block[i * d + l] += sum;
        }
}

// Fills the blocks W_ac of row a with c >= first. where[c] tells the block's position.
static void fill_row(struct dls_bsr *W, const struct dls_bodies *f, int a, int first,
                     int *where)
{
    size_t dd = (size_t)(W->d * W->d);
    for (int k = W->p[a]; k < W->p[a + 1]; k++) where[W->j[k]] = k;
    for (int e = f->p[a]; e < f->p[a + 1]; e++)
        for (int k = f->body_p[f->body[e]]; k < f->body_p[f->body[e] + 1]; k++) {
            int c = f->body_contact[k];
            if (c >= first)
                add_product(f, e, f->body_entry[k], W->x + (size_t)where[c] * dd);
        }
}

// W_ca = W_ac^T for c > a, and the lower triangle of W_aa from the upper one. Rows come
// in order, so in row c the next empty block is W_ca.
static void mirror_row(struct dls_bsr *W, int a, int *next)
{
    int d = W->d;
    size_t dd = (size_t)(d * d);
    double *W_aa = W->x + (size_t)W->diag[a] * dd;
    for (int i = 0; i < d; i++)
        for (int l = 0; l < i; l++) W_aa[i * d + l] = W_aa[l * d + i];
    for (int k = W->diag[a] + 1; k < W->p[a + 1]; k++) {
        int c = W->j[k];
        double *to = W->x + (size_t)(W->p[c] + next[c]++) * dd;
        const double *from = dls_bsr_block(W, k);
        for (int i = 0; i < d; i++)
            for (int l = 0; l < d; l++) to[l * d + i] = from[i * d + l];
    }
}

// Every parts-th row of W, with work of its own.
struct filling {
    struct dls_bsr *W;
    const struct dls_bodies *form;
    bool symmetric;
    int parts, *where; // parts * rows
};

static void fill_part(void *data, int part)
{
    const struct filling *all = data;
    int rows = all->W->rows, *where = all->where + (size_t)part * (size_t)rows;
    for (int r = part; r < rows; r += all->parts)
        fill_row(all->W, all->form, r, all->symmetric ? r : 0, where);
}

static enum dls_status assemble_bodies(struct dls_bsr *W, const struct dls_problem *p,
                                       struct dls_inertia *in, struct dls_arena *a,
                                       struct dls_error *err)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_bodies *f = NULL;
    int parts = dls_team(p->threads, W->rows);
    int *where = DLS_NEW_TABLE(&scratch, int, parts, W->rows),
        *next = DLS_NEW(&scratch, int, W->rows);
    enum dls_status status = a->failed ? DLS_ENOMEM : DLS_OK;
    if (status == DLS_OK) status = dls_bodies_build(&f, p, in, &scratch, err);
    if (status == DLS_OK) status = pattern(W, f, a);
    if (status == DLS_OK) {
        struct filling all = {W, f, in->symmetric, parts, where};
        dls_each(parts, parts, fill_part, &all);
        for (int r = 0; in->symmetric && r < W->rows; r++) mirror_row(W, r, next);
    }
    dls_arena_free(&scratch);
    return status;
}

// --- by a sparse factor ---------------------------------------------------------------

// The d columns of W that belong to contact c, dense, in column l of `W_c` (m x d by
// columns); y and x are work of n entries, y zero on entry and exit.
static void column_block(const struct dls_problem *p, const struct dls_inertia *in,
                         int c, double *y, double *x, double *W_c)
{
    memset(W_c, 0, (size_t)(p->m * p->d) * sizeof *W_c);
    for (int l = 0; l < p->d; l++) {
        int row = c * p->d + l;
        for (int k = p->H->p[row]; k < p->H->p[row + 1]; k++)
            y[p->H->j[k]] = p->H->x[k];
        dls_inertia_solve(in, y, NULL, x, NULL);
        dls_csr_add(p->H, 1, x, W_c + (size_t)l * (size_t)p->m);
        for (int k = p->H->p[row]; k < p->H->p[row + 1]; k++) y[p->H->j[k]] = 0;
    }
}

// True when block a of the columns W_c has an entry other than zero.
static bool block_present(const double *W_c, int a, int m, int d)
{
    for (int l = 0; l < d; l++)
        for (int i = 0; i < d; i++)
            if (W_c[l * m + a * d + i] != 0) return true;
    return false;
}

// Gathers W as the scalar matrix of its transpose (columns become rows), row by row.
struct columns {
    struct dls_csr W;
    int room;
};

static bool grow(struct columns *to, int more, struct dls_arena *scratch)
{
    int used = to->W.p[to->W.rows];
    if (used + more <= to->room) return true;
    int room = 2 * to->room + more;
    int *j = DLS_NEW(scratch, int, room);
    double *x = DLS_NEW(scratch, double, room);
    if (scratch->failed) return false;
    if (used) memcpy(j, to->W.j, (size_t)used * sizeof *j);
    if (used) memcpy(x, to->W.x, (size_t)used * sizeof *x);
    to->W.j = j, to->W.x = x, to->room = room;
    return true;
}

static void append(struct columns *to, const double *W_c, int contacts, int m, int d)
{
    for (int l = 0; l < d; l++) {
        int row = to->W.rows++, at = to->W.p[row];
        for (int a = 0; a < contacts; a++) {
            if (!block_present(W_c, a, m, d)) continue;
            for (int i = 0; i < d; i++, at++) {
                to->W.j[at] = a * d + i;
                to->W.x[at] = W_c[l * m + a * d + i];
            }
        }
        to->W.p[row + 1] = at;
    }
}

static struct dls_bsr *assemble_sparse(const struct dls_problem *p,
                                       struct dls_inertia *in, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct columns W = {.W = {.cols = p->m, .p = DLS_NEW(&scratch, int, p->m + 1)}};
    double *y = DLS_NEW(&scratch, double, p->n), *x = DLS_NEW(&scratch, double, p->n);
    double *W_c = DLS_NEW(&scratch, double, p->m * p->d);
    bool good = !scratch.failed;
    for (int c = 0; good && c < p->contacts; c++) {
        column_block(p, in, c, y, x, W_c);
        good = grow(&W, p->m * p->d, &scratch);
        if (good) append(&W, W_c, p->contacts, p->m, p->d);
    }
    struct dls_csr *rows = good ? dls_csr_transpose(&W.W, &scratch) : NULL;
    struct dls_bsr *B = rows ? dls_bsr_from_csr(rows, p->d, a) : NULL;
    dls_arena_free(&scratch);
    return B;
}

// --- interface ------------------------------------------------------------------------

static enum dls_status build_global(struct dls_delassus *f, const struct dls_problem *p,
                                    struct dls_arena *a, struct dls_error *err)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_inertia *in = NULL;
    double *q = DLS_NEW(a, double, p->m), *v = DLS_NEW(&scratch, double, p->n);
    double *g = DLS_NEW(&scratch, double, p->joints);
    f->W = DLS_NEW(a, struct dls_bsr, 1);
    enum dls_status status = a->failed ? DLS_ENOMEM : DLS_OK;
    if (status == DLS_OK) status = dls_inertia_take(&in, p, &scratch, err);
    if (status == DLS_OK) {
        for (int k = 0; k < p->joints; k++) g[k] = -p->b[k];
        dls_inertia_solve(in, p->f, g, v, NULL);
        memcpy(q, p->w, (size_t)p->m * sizeof *q);
        dls_csr_add(p->H, 1, v, q); // q = H M^-1 f + w
        f->q = q;
        *f->W = (struct dls_bsr){.rows = p->contacts, .d = p->d};
        if (in->bodies || !p->n)
            status = assemble_bodies(f->W, p, in, a, err);
        else if (!(f->W = assemble_sparse(p, in, a)))
            status = DLS_ENOMEM;
    }
    dls_inertia_drop(in, p);
    dls_arena_free(&scratch);
    return status;
}

enum dls_status dls_delassus_build(struct dls_delassus *f, const struct dls_problem *p,
                                   struct dls_arena *a, struct dls_error *err)
{
    *f = (struct dls_delassus){
        .problem = p, .contacts = p->contacts, .d = p->d, .m = p->m, .mu = p->mu};
    f->velocities = p->velocities ? p->velocities : dls_velocities_new(a);
    if (!f->velocities) return DLS_ENOMEM;
    if (p->V)
        return dls_fail(err, DLS_UNSUPPORTED, "bilateral rows in a local problem");
    enum dls_status status = DLS_OK;
    if (dls_problem_is_global(p)) {
        status = build_global(f, p, a, err);
    } else {
        f->q = p->q;
        f->W = dls_bsr_from_csr(p->W, p->d, a);
    }
    if (status == DLS_OK && !f->W) status = DLS_ENOMEM;
    if (status == DLS_OK) f->W->threads = p->threads;
    return status;
}

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    struct dls_delassus *f = *form = DLS_NEW(a, struct dls_delassus, 1);
    return f ? dls_delassus_build(f, p, a, err) : DLS_ENOMEM;
}

static int size(const void *form) { return ((const struct dls_delassus *)form)->m; }

static void copy(const void *form, const double *from, double *to)
{
    memcpy(to, from, (size_t)size(form) * sizeof *to);
}

const struct dls_formulation dls_formulation_delassus = {
    .name = "delassus",
    .brief = "u = W r + q, W in block-sparse rows",
    .build = build,
    .size = size,
    .start = copy,
    .lift = copy,
};
