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

// The velocity of each column of contact a.
static void list_columns(const struct dls_condensed *s, int a, int *list)
{
    for (int k = s->H->p[a * s->d]; k < s->H->p[(a + 1) * s->d]; k++)
        list[s->column[k]] = s->H->j[k];
}

// Of an entry that is there.
static int place_of(const struct dls_csr *A, int row, int column)
{
    return dls_sorted_from(A->j, A->p[row], A->p[row + 1], column);
}

// The pattern of M + M^T + H^T H.
static struct dls_csr *find_pattern(const struct dls_condensed *s, int *list,
                                    struct dls_arena *a)
{
    const struct dls_csr *M = s->M;
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t count = s->start[s->contacts] + 2 * (size_t)dls_csr_count(M), to = 0;
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = DLS_NEW(&scratch, double, count);
    struct dls_csr *A = NULL;
    if (!scratch.failed) {
        for (int row = 0; row < M->rows; row++)
            for (int k = M->p[row]; k < M->p[row + 1]; k++) {
                i[to] = row, j[to++] = M->j[k];
                i[to] = M->j[k], j[to++] = row;
            }
        for (int c = 0; c < s->contacts; c++) {
            list_columns(s, c, list);
            for (int k = 0; k < s->count[c] * s->count[c]; k++)
                i[to] = list[k / s->count[c]], j[to++] = list[k % s->count[c]];
        }
        A = dls_csr_from_triplets(M->rows, M->rows, (int)count, i, j, x, a);
    }
    dls_arena_free(&scratch);
    return A;
}

// Where everything goes in A.
static void find_places(struct dls_condensed *s, int *list)
{
    const struct dls_csr *M = s->M;
    for (int row = 0; row < M->rows; row++)
        for (int k = M->p[row]; k < M->p[row + 1]; k++)
            s->M_place[k] = place_of(s->A, row, M->j[k]);
    for (int c = 0; c < s->contacts; c++) {
        int count = s->count[c];
        list_columns(s, c, list);
        for (int k = 0; k < count * count; k++)
            s->place[s->start[c] + (size_t)k] =
                place_of(s->A, list[k / count], list[k % count]);
    }
}

enum dls_status dls_condensed_create(struct dls_condensed *s, const struct dls_csr *H,
                                     const struct dls_csr *M, int d,
                                     struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    int contacts = H->rows / d, *list = DLS_NEW(&scratch, int, M->rows);
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
    if (!a->failed) {
        for (int k = 0; k < M->rows; k++) list[k] = -1;
        size_t most = (size_t)number_columns(s, list);
        s->G = DLS_NEW_TABLE(a, double, most, d);
        s->DG = DLS_NEW_TABLE(a, double, most, d);
        s->place = DLS_NEW(a, int, s->start[contacts]);
        s->A = a->failed ? NULL : find_pattern(s, list, a);
    }
    if (s->A) find_places(s, list);
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
