// SPDX-License-Identifier: Apache-2.0
// (N + C W) x = b  condensed to the velocities behind W, as condensed.c has it:
//
//     (M + H^T D H) v = H^T N^-1 b,    x = N^-1 (b - C H v),    D = N^-1 C.
//
// N is as small as 1e-15 of W here, and W has a null space: the matrix in the contacts is
// singular in doubles, whatever its factors. Condensed, it is a sum of large and small
// terms, of which 64 bits keep enough. H and M were recovered from W and answer for it up
// to round-off, which N lets grow by as much as 0.1; so x is refined with W itself.
//
// Cost: wide_lu.c; size n, so that it is small where contacts are many for their bodies.
#include "solvers/reference/wide_system.h"

#include "formulations/velocities/velocities.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4, WIDEST = DLS_LARGEST_D };
static const double small_rest = 1e-8; // Newton's method gains no more from less

enum dls_status dls_wide_system_create(struct dls_wide_system *s,
                                       const struct dls_delassus *form,
                                       struct dls_arena *a)
{
    *s = (struct dls_wide_system){.form = form};
    enum dls_status status = dls_velocities_find(form);
    if (status) return status;
    s->H = form->velocities->H;
    s->M = form->velocities->M;
    status = dls_condensed_create(&s->condensed, s->H, s->M, form->d, a);
    if (!status) status = dls_wide_lu_create(&s->lu, s->condensed.A, a);
    if (status) return status;
    size_t m = (size_t)form->m, blocks = m * (size_t)form->d, most = 0;
    for (int c = 0; c < form->contacts; c++)
        if ((size_t)s->condensed.count[c] > most) most = (size_t)s->condensed.count[c];
    dls_wide **to[] = {&s->N, &s->C, &s->inverse, &s->D};
    for (size_t k = 0; k < 4; k++) *to[k] = DLS_NEW(a, dls_wide, blocks);
    s->A = DLS_NEW(a, dls_wide, dls_csr_count(s->condensed.A));
    s->G = DLS_NEW_TABLE(a, dls_wide, most, 2 * form->d);
    s->v = DLS_NEW(a, dls_wide, s->M->rows);
    s->rest = DLS_NEW(a, dls_wide, m);
    s->fix = DLS_NEW(a, dls_wide, m);
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

// --- blocks -----------------------------------------------------------------------------

// to = N^-1, both d x d, by Gauss and Jordan with pivots from the column; false where N is
// singular.
static bool invert(int d, const dls_wide *N, dls_wide *to)
{
    dls_wide work[WIDEST * WIDEST];
    memcpy(work, N, (size_t)(d * d) * sizeof *work);
    for (int k = 0; k < d * d; k++) to[k] = k / d == k % d;
    for (int k = 0; k < d; k++) {
        int p = k;
        for (int i = k + 1; i < d; i++)
            if (fabsl(work[i * d + k]) > fabsl(work[p * d + k])) p = i;
        dls_wide pivot = work[p * d + k];
        if (pivot == 0) return false;
        for (int j = 0; j < d; j++) {
            dls_wide w = work[p * d + j], t = to[p * d + j];
            work[p * d + j] = work[k * d + j], to[p * d + j] = to[k * d + j];
            work[k * d + j] = w / pivot, to[k * d + j] = t / pivot;
        }
        for (int i = 0; i < d; i++) {
            dls_wide factor = work[i * d + k];
            for (int j = 0; j < d && i != k; j++) {
                work[i * d + j] -= factor * work[k * d + j];
                to[i * d + j] -= factor * to[k * d + j];
            }
        }
    }
    return true;
}

// y = B x of one contact
static void apply(int d, const dls_wide *B, const dls_wide *x, dls_wide *y)
{
    for (int i = 0; i < d; i++) {
        y[i] = 0;
        for (int j = 0; j < d; j++) y[i] += B[i * d + j] * x[j];
    }
}

// --- the matrix -------------------------------------------------------------------------

// A += H_a^T D_a H_a
static void add_contact(struct dls_wide_system *s, int a, const dls_wide *D)
{
    const struct dls_condensed *c = &s->condensed;
    const struct dls_csr *H = s->H;
    int d = c->d, count = c->count[a];
    const int *place = c->place + c->start[a];
    dls_wide *G = s->G, *DG = s->G + d * count;
    memset(G, 0, (size_t)(2 * d * count) * sizeof *G);
    for (int i = 0; i < d; i++)
        for (int k = H->p[a * d + i]; k < H->p[a * d + i + 1]; k++)
            G[i * count + c->column[k]] = H->x[k];
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++)
            for (int k = 0; k < count; k++)
                DG[i * count + k] += D[i * d + l] * G[l * count + k];
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++, place++)
            for (int i = 0; i < d; i++)
                s->A[*place] += G[i * count + k] * DG[i * count + l];
}

bool dls_wide_system_factor(struct dls_wide_system *s)
{
    int d = s->form->d, dd = d * d;
    memset(s->A, 0, (size_t)dls_csr_count(s->condensed.A) * sizeof *s->A);
    for (int k = 0; k < dls_csr_count(s->M); k++)
        s->A[s->condensed.M_place[k]] += s->M->x[k];
    for (int a = 0; a < s->form->contacts; a++) {
        dls_wide *D = s->D + a * dd, *inverse = s->inverse + a * dd;
        bool closed = false;
        if (!invert(d, s->N + a * dd, inverse)) return false;
        for (int k = 0; k < dd; k++) {
            D[k] = 0;
            for (int l = 0; l < d; l++)
                D[k] += inverse[k / d * d + l] * s->C[a * dd + l * d + k % d];
            closed |= D[k] != 0;
        }
        if (closed) add_contact(s, a, D);
    }
    return dls_wide_lu_factor(&s->lu, s->A);
}

// --- solves -----------------------------------------------------------------------------

// x = N^-1 (b - C H v)
static void solve_once(struct dls_wide_system *s, const dls_wide *b, dls_wide *x)
{
    const struct dls_csr *H = s->H;
    int d = s->form->d, dd = d * d;
    memset(s->v, 0, (size_t)s->M->rows * sizeof *s->v);
    for (int a = 0; a < s->form->contacts; a++)
        apply(d, s->inverse + a * dd, b + a * d, x + a * d);
    for (int k = 0; k < H->rows; k++)
        for (int e = H->p[k]; e < H->p[k + 1]; e++) s->v[H->j[e]] += H->x[e] * x[k];
    dls_wide_lu_solve(&s->lu, s->v);
    for (int a = 0; a < s->form->contacts; a++) {
        dls_wide u[WIDEST], Du[WIDEST];
        for (int i = 0, k = a * d; i < d; i++, k++) {
            u[i] = 0;
            for (int e = H->p[k]; e < H->p[k + 1]; e++) u[i] += H->x[e] * s->v[H->j[e]];
        }
        apply(d, s->D + a * dd, u, Du);
        for (int i = 0; i < d; i++) x[a * d + i] -= Du[i];
    }
}

static void multiply(const struct dls_bsr *W, const dls_wide *x, dls_wide *y)
{
    int d = W->d;
    for (int a = 0; a < W->rows; a++) {
        dls_wide sum[WIDEST] = {0};
        for (int k = W->p[a]; k < W->p[a + 1]; k++) {
            const double *block = dls_bsr_block(W, k);
            const dls_wide *from = x + W->j[k] * d;
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++) sum[i] += block[i * d + j] * from[j];
        }
        memcpy(y + a * d, sum, (size_t)d * sizeof *y);
    }
}

// rest = b - (N + C W) x; returns its length.
static double find_rest(struct dls_wide_system *s, const dls_wide *b, const dls_wide *x,
                        dls_wide *Wx)
{
    int d = s->form->d, dd = d * d;
    dls_wide sum = 0;
    multiply(s->form->W, x, Wx);
    for (int a = 0; a < s->form->contacts; a++) {
        dls_wide Nx[WIDEST], CWx[WIDEST];
        apply(d, s->N + a * dd, x + a * d, Nx);
        apply(d, s->C + a * dd, Wx + a * d, CWx);
        for (int i = 0, k = a * d; i < d; i++, k++) {
            s->rest[k] = b[k] - Nx[i] - CWx[i];
            sum += s->rest[k] * s->rest[k];
        }
    }
    return (double)sqrtl(sum);
}

double dls_wide_system_solve(struct dls_wide_system *s, const dls_wide *b, dls_wide *x,
                             dls_wide *Wx)
{
    int m = s->form->m;
    dls_wide size = 0;
    for (int k = 0; k < m; k++) size += b[k] * b[k];
    double first = (double)sqrtl(size), before = INFINITY;
    solve_once(s, b, x);
    double rest = find_rest(s, b, x, Wx);
    for (int n = 0; n < ROUNDS && rest > small_rest * first && rest < 0.5 * before;
         n++) {
        solve_once(s, s->rest, s->fix);
        for (int k = 0; k < m; k++) x[k] += s->fix[k];
        before = rest;
        rest = find_rest(s, b, x, Wx);
    }
    return first > 0 ? rest / first : 0;
}
