// SPDX-License-Identifier: Apache-2.0
// A = M + sum_a H_a^T D_a H_a, contact by contact.
//
// The columns of H that a contact touches are numbered, H_a is written out densely on
// them, and a table tells where each pair of columns goes in A. The pattern holds all of
// them, whatever D is: it is symmetric and analysed once.
//
// Cost of an assembly: d columns^2 a contact, 12 columns for two bodies in space.
#include "solvers/linear/condensed_matrix.h"

#include <string.h>

// Numbers the columns of each contact; `mark` has an entry per velocity, below zero.
// Returns the largest count.
static int number_columns(struct dls_condensed *s, int *mark)
{
    const struct dls_csr *H = s->H;
    int most = 0;
    size_t places = 0;
    for (int a = 0; a < s->contacts; a++) {
        int first = H->p[a * s->d], last = H->p[(a + 1) * s->d], count = 0;
        for (int k = first; k < last; k++) {
            if (mark[H->j[k]] < 0) mark[H->j[k]] = count++;
            s->column[k] = mark[H->j[k]];
        }
        for (int k = first; k < last; k++) mark[H->j[k]] = -1;
        s->count[a] = count;
        s->start[a] = places;
        places += (size_t)count * (size_t)count;
        if (count > most) most = count;
    }
    s->start[s->contacts] = places;
    return most;
}

// Who touches what. The columns of contact a are the velocities velocity[first[a]] and
// following; velocity v is column number[k] of contact[k], k = p[v], ..., p[v + 1] - 1.
struct incidence {
    int *first, *velocity;
    int *p, *contact, *number;
};

static bool find_incidence(struct incidence *t, const struct dls_condensed *s,
                           struct dls_arena *a)
{
    const struct dls_csr *H = s->H;
    int n = s->M->rows, total = 0;
    for (int c = 0; c < s->contacts; c++) total += s->count[c];
    *t = (struct incidence){
        .first = DLS_NEW(a, int, s->contacts + 1),
        .velocity = DLS_RAW(a, int, total),
        .p = DLS_NEW(a, int, n + 2),
        .contact = DLS_RAW(a, int, total),
        .number = DLS_RAW(a, int, total),
    };
    if (a->failed) return false;
    for (int c = 0; c < s->contacts; c++) {
        t->first[c + 1] = t->first[c] + s->count[c];
        for (int k = H->p[c * s->d]; k < H->p[(c + 1) * s->d]; k++)
            t->velocity[t->first[c] + s->column[k]] = H->j[k];
    }
    for (int k = 0; k < total; k++) t->p[t->velocity[k] + 2]++;
    for (int v = 0; v < n; v++) t->p[v + 2] += t->p[v + 1];
    for (int c = 0; c < s->contacts; c++)
        for (int k = 0; k < s->count[c]; k++) {
            int to = t->p[t->velocity[t->first[c] + k] + 1]++;
            t->contact[to] = c;
            t->number[to] = k;
        }
    return true;
}

// Appends those of `count` columns to row v whose mark is not yet v.
static int append(int v, int count, const int *columns, int *mark, int *to)
{
    int added = 0;
    for (int k = 0; k < count; k++)
        if (mark[columns[k]] != v) {
            mark[columns[k]] = v;
            to[added++] = columns[k];
        }
    return added;
}

// The rows of M + M^T + H^T H one by one, unsorted. The pattern is symmetric, so that its
// transpose is the same with sorted rows.
static struct dls_csr *find_pattern(const struct dls_condensed *s,
                                    const struct incidence *t, int *mark,
                                    struct dls_arena *scratch, struct dls_arena *a)
{
    const struct dls_csr *M = s->M, *T = dls_csr_transpose(M, scratch);
    size_t most = s->start[s->contacts] + 2 * (size_t)dls_csr_count(M);
    struct dls_csr rows = {
        .rows = M->rows,
        .cols = M->rows,
        .p = DLS_NEW(scratch, int, M->rows + 1),
        .j = DLS_RAW(scratch, int, most),
    };
    if (scratch->failed) return NULL;
    for (int v = 0, to = 0; v < M->rows; v++) {
        to += append(v, M->p[v + 1] - M->p[v], M->j + M->p[v], mark, rows.j + to);
        to += append(v, T->p[v + 1] - T->p[v], T->j + T->p[v], mark, rows.j + to);
        for (int k = t->p[v]; k < t->p[v + 1]; k++) {
            int c = t->contact[k];
            to += append(v, s->count[c], t->velocity + t->first[c], mark, rows.j + to);
        }
        rows.p[v + 1] = to;
    }
    rows.x = DLS_NEW(scratch, double, rows.p[rows.rows]);
    return rows.x ? dls_csr_transpose(&rows, a) : NULL;
}

// Where everything goes in A; `place` has an entry per velocity.
static void find_places(struct dls_condensed *s, const struct incidence *t, int *place)
{
    const struct dls_csr *M = s->M;
    for (int v = 0; v < M->rows; v++) {
        for (int k = s->A->p[v]; k < s->A->p[v + 1]; k++) place[s->A->j[k]] = k;
        for (int k = M->p[v]; k < M->p[v + 1]; k++) s->M_place[k] = place[M->j[k]];
        for (int k = t->p[v]; k < t->p[v + 1]; k++) {
            int c = t->contact[k], count = s->count[c];
            int *to = s->place + s->start[c] + (size_t)t->number[k] * (size_t)count;
            const int *velocity = t->velocity + t->first[c];
            for (int l = 0; l < count; l++) to[l] = place[velocity[l]];
        }
    }
}

enum dls_status dls_condensed_create(struct dls_condensed *s, const struct dls_csr *H,
                                     const struct dls_csr *M, int d,
                                     struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct incidence touch = {0};
    int contacts = H->rows / d, *mark = DLS_NEW(&scratch, int, M->rows);
    *s = (struct dls_condensed){
        .H = H,
        .M = M,
        .contacts = contacts,
        .d = d,
        .D = DLS_NEW(a, double, contacts *d *d),
        .M_place = DLS_NEW(a, int, dls_csr_count(M)),
        .column = DLS_NEW(a, int, dls_csr_count(H)),
        .count = DLS_NEW(a, int, contacts),
        .start = DLS_NEW(a, size_t, (size_t)contacts + 1),
    };
    if (!a->failed && mark) {
        for (int k = 0; k < M->rows; k++) mark[k] = -1;
        size_t most = (size_t)number_columns(s, mark);
        s->G = DLS_NEW_TABLE(a, double, most, d);
        s->DG = DLS_NEW_TABLE(a, double, most, d);
        s->place = DLS_RAW(a, int, s->start[contacts]);
        if (!a->failed && find_incidence(&touch, s, &scratch))
            s->A = find_pattern(s, &touch, mark, &scratch, a);
    }
    if (s->A) find_places(s, &touch, mark);
    dls_arena_free(&scratch);
    return s->A ? DLS_OK : DLS_ENOMEM;
}

// G = H_a on its columns, DG = D_a G.
static void expand(const struct dls_condensed *s, int a)
{
    const struct dls_csr *H = s->H;
    int count = s->count[a], d = s->d;
    const double *D = s->D + (size_t)a * (size_t)(d * d);
    memset(s->G, 0, (size_t)(count * d) * sizeof *s->G);
    memset(s->DG, 0, (size_t)(count * d) * sizeof *s->DG);
    for (int i = 0; i < d; i++)
        for (int k = H->p[a * d + i]; k < H->p[a * d + i + 1]; k++)
            s->G[i * count + s->column[k]] = H->x[k];
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++)
            for (int c = 0; c < count; c++)
                s->DG[i * count + c] += D[i * d + l] * s->G[l * count + c];
}

// Whether D_a = 0, as at open contacts.
static bool is_zero(const double *D, int count)
{
    for (int k = 0; k < count; k++)
        if (D[k] != 0) return false;
    return true;
}

// A += G^T DG at the places of the pairs of columns.
static inline void add_pairs(int d, int count, const double *G, const double *DG,
                             const int *place, double *A)
{
    for (int c = 0; c < count; c++)
        for (int e = 0; e < count; e++) {
            double sum = 0;
            for (int i = 0; i < d; i++) sum += G[i * count + c] * DG[i * count + e];
            A[*place++] += sum;
        }
}

void dls_condensed_assemble(struct dls_condensed *s)
{
    double *A = s->A->x;
    int d = s->d;
    memset(A, 0, (size_t)dls_csr_count(s->A) * sizeof *A);
    for (int k = 0; k < dls_csr_count(s->M); k++) A[s->M_place[k]] += s->M->x[k];
    for (int a = 0; a < s->contacts; a++) {
        int count = s->count[a];
        const int *place = s->place + s->start[a];
        if (is_zero(s->D + (size_t)a * (size_t)(d * d), d * d)) continue;
        expand(s, a);
        if (d == 3)
            add_pairs(3, count, s->G, s->DG, place, A);
        else
            add_pairs(d, count, s->G, s->DG, place, A);
    }
}
