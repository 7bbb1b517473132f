// SPDX-License-Identifier: Apache-2.0
// Two ways to solve  (W + T^-2) dx = b.
//
// 1. In the contacts: the pattern is that of W for good. W + T^-2 is positive definite
//    for every positive semidefinite W, singular or not; where W is unsymmetric UMFPACK
//    takes the place of CHOLMOD.
// 2. Condensed to the velocities, where W = H M^-1 H^T with M symmetric:
//
//        (M + H^T T^2 H) v = H^T T^2 b,      dx = T^2 (b - H v),
//
//    of size n: far smaller and sparser where contacts outnumber bodies. The difference
//    cancels where T^2 is large, which refinement with W itself repairs for a while.
//
// The one with fewer predicted operations is taken first. Iterative refinement stops when
// the residual is below 1e-12 of b or does not halve; where it leaves the condensed form
// above 1e-6 the other one, if its factors fit, takes over for good.
#include "solvers/local/cone_system.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 4 };
static const double small_rest = 1e-12, large_rest = 1e-6;
static const double most_entries = 5e8; // of the factors: 4 GB

// --- in the contacts ------------------------------------------------------------------

// A <- W + T^-2; dls_bsr_to_csr keeps whole blocks, so an entry's place follows from the
// number of its block.
static void assemble_contacts(struct dls_cone_system *s)
{
    const struct dls_bsr *W = &s->form->W;
    const struct dls_csr *A = s->factor.A;
    int d = W->d;
    for (int a = 0; a < W->rows; a++) {
        double theta[9];
        dls_scaling_inverse_square(s->scaling + a, d, theta);
        for (int i = 0; i < d; i++) {
            double *to = A->x + A->p[a * d + i];
            for (int k = W->p[a]; k < W->p[a + 1]; k++)
                for (int l = 0; l < d; l++) *to++ = dls_bsr_block(W, k)[i * d + l];
            to = A->x + A->p[a * d + i] + (W->diag[a] - W->p[a]) * d;
            for (int l = 0; l < d; l++) to[l] += theta[i * d + l];
        }
    }
}

// --- condensed ------------------------------------------------------------------------

// Numbers the columns of each contact; `mark` has an entry per velocity, below zero.
// Returns the largest count.
static int number_columns(struct dls_cone_map *map, const struct dls_socp *f, int *mark)
{
    const struct dls_csr *H = f->H;
    int most = 0;
    size_t places = 0;
    for (int a = 0; a < f->contacts; a++) {
        int first = H->p[a * f->d], last = H->p[(a + 1) * f->d], count = 0;
        for (int k = first; k < last; k++) {
            if (mark[H->j[k]] < 0) mark[H->j[k]] = count++;
            map->column[k] = mark[H->j[k]];
        }
        for (int k = first; k < last; k++) mark[H->j[k]] = -1;
        map->count[a] = count;
        map->start[a] = places;
        places += (size_t)count * (size_t)count;
        if (count > most) most = count;
    }
    map->start[f->contacts] = places;
    return most;
}

// The velocity of each column of contact a.
static void list_columns(const struct dls_cone_map *map, const struct dls_socp *f,
                         int a, int *list)
{
    for (int k = f->H->p[a * f->d]; k < f->H->p[(a + 1) * f->d]; k++)
        list[map->column[k]] = f->H->j[k];
}

static int place_of(const struct dls_csr *A, int row, int column)
{
    int low = A->p[row], high = A->p[row + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (A->j[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The pattern of M + H^T H.
static struct dls_csr *condensed_pattern(const struct dls_cone_map *map,
                                         const struct dls_socp *f, int *list,
                                         struct dls_arena *a)
{
    const struct dls_csr *M = f->problem->M;
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t count = map->start[f->contacts] + (size_t)dls_csr_count(M), to = 0;
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = DLS_NEW(&scratch, double, count);
    struct dls_csr *A = NULL;
    if (!scratch.failed) {
        for (int row = 0; row < M->rows; row++)
            for (int k = M->p[row]; k < M->p[row + 1]; k++)
                i[to] = row, j[to++] = M->j[k];
        for (int c = 0; c < f->contacts; c++) {
            list_columns(map, f, c, list);
            for (int k = 0; k < map->count[c] * map->count[c]; k++)
                i[to] = list[k / map->count[c]], j[to++] = list[k % map->count[c]];
        }
        A = dls_csr_from_triplets(M->rows, M->rows, (int)count, i, j, x, a);
    }
    dls_arena_free(&scratch);
    return A;
}

// The matrix M + H^T T^2 H with the places of all contributions; NULL when memory runs
// out.
static struct dls_csr *create_condensed(struct dls_cone_map *map,
                                        const struct dls_socp *f, struct dls_arena *a)
{
    const struct dls_csr *M = f->problem->M;
    struct dls_arena scratch = dls_arena_scratch(a);
    int n = f->problem->n, *list = DLS_NEW(&scratch, int, n);
    *map = (struct dls_cone_map){
        .M = DLS_NEW(a, int, dls_csr_count(M)),
        .column = DLS_NEW(a, int, dls_csr_count(f->H)),
        .count = DLS_NEW(a, int, f->contacts),
        .start = DLS_NEW(a, size_t, (size_t)f->contacts + 1),
    };
    struct dls_csr *A = NULL;
    if (!a->failed) {
        for (int k = 0; k < n; k++) list[k] = -1;
        size_t most = (size_t)number_columns(map, f, list);
        map->G = DLS_NEW(a, double, most *(size_t)f->d);
        map->T2G = DLS_NEW(a, double, most *(size_t)f->d);
        map->place = DLS_NEW(a, int, map->start[f->contacts]);
        A = a->failed ? NULL : condensed_pattern(map, f, list, a);
    }
    for (int row = 0; A && row < n; row++)
        for (int k = M->p[row]; k < M->p[row + 1]; k++)
            map->M[k] = place_of(A, row, M->j[k]);
    for (int c = 0; A && c < f->contacts; c++) {
        list_columns(map, f, c, list);
        int count = map->count[c];
        for (int k = 0; k < count * count; k++)
            map->place[map->start[c] + (size_t)k] =
                place_of(A, list[k / count], list[k % count]);
    }
    dls_arena_free(&scratch);
    return A;
}

// A <- M + sum_a H_a^T T_a^2 H_a
static void assemble_condensed(struct dls_cone_system *s)
{
    const struct dls_socp *f = s->form;
    const struct dls_csr *M = f->problem->M, *H = f->H, *A = s->factor.A;
    const struct dls_cone_map *map = &s->map;
    int d = f->d;
    memset(A->x, 0, (size_t)dls_csr_count(A) * sizeof *A->x);
    for (int k = 0; k < dls_csr_count(M); k++) A->x[map->M[k]] += M->x[k];
    for (int a = 0; a < f->contacts; a++) {
        int count = map->count[a];
        double T2[9], *G = map->G, *T2G = map->T2G;
        dls_scaling_square(s->scaling + a, d, T2);
        memset(G, 0, (size_t)(count * d) * sizeof *G);
        for (int i = 0; i < d; i++)
            for (int k = H->p[a * d + i]; k < H->p[a * d + i + 1]; k++)
                G[i * count + map->column[k]] = H->x[k];
        for (int i = 0; i < d; i++)
            for (int c = 0; c < count; c++) {
                T2G[i * count + c] = 0;
                for (int l = 0; l < d; l++)
                    T2G[i * count + c] += T2[i * d + l] * G[l * count + c];
            }
        const int *place = map->place + map->start[a];
        for (int c = 0; c < count; c++)
            for (int e = 0; e < count; e++)
                for (int i = 0; i < d; i++)
                    A->x[place[c * count + e]] += G[i * count + c] * T2G[i * count + e];
    }
}

// x <- T^2 x
static void apply_square(const struct dls_cone_system *s, double *x)
{
    int d = s->form->d;
    double y[3];
    for (int a = 0; a < s->form->contacts; a++) {
        dls_scaling_apply(s->scaling + a, d, x + a * d, y);
        dls_scaling_apply(s->scaling + a, d, y, x + a * d);
    }
}

static bool solve_condensed(struct dls_cone_system *s, const double *b, double *dx)
{
    const struct dls_socp *f = s->form;
    size_t m = (size_t)f->m * sizeof *dx;
    memcpy(dx, b, m);
    apply_square(s, dx);
    memset(s->f, 0, (size_t)f->problem->n * sizeof *s->f);
    dls_csr_add_transposed(f->H, 1, dx, s->f); // H^T T^2 b
    if (!dls_sparse_factor_solve(&s->factor, s->f, s->v)) return false;
    memcpy(dx, b, m);
    dls_csr_add(f->H, -1, s->v, dx); // b - H v
    apply_square(s, dx);
    return true;
}

// --- interface ------------------------------------------------------------------------

// Whether the problem gives a symmetric M and no joints.
static enum dls_status can_condense(const struct dls_socp *f, bool *can,
                                    struct dls_arena *a)
{
    *can = false;
    if (!f->H || f->problem->joints || !f->symmetric) return DLS_OK;
    double asymmetry = dls_csr_asymmetry(f->problem->M, a);
    *can = asymmetry <= 1e-14;
    return asymmetry < 0 ? DLS_ENOMEM : DLS_OK;
}

// Replaces the system in the contacts by the condensed one if that is cheaper.
static enum dls_status try_condensed(struct dls_cone_system *s, struct dls_arena *a)
{
    struct dls_sparse_factor factor;
    struct dls_csr *A = create_condensed(&s->map, s->form, a);
    if (!A) return DLS_ENOMEM;
    enum dls_status status =
        dls_sparse_factor_create(&factor, A, DLS_FACTOR_POSITIVE, a);
    if (status == DLS_OK && factor.flops < s->factor.flops) {
        s->spare = s->factor;
        s->factor = factor;
        s->condensed = true;
    } else {
        dls_sparse_factor_destroy(&factor);
    }
    return status;
}

enum dls_status dls_cone_system_create(struct dls_cone_system *s,
                                       const struct dls_socp *f, struct dls_arena *a,
                                       struct dls_error *err)
{
    bool can;
    struct dls_csr *A = dls_bsr_to_csr(&f->W, a);
    *s = (struct dls_cone_system){
        .form = f,
        .rest = DLS_NEW(a, double, f->m),
        .fix = DLS_NEW(a, double, f->m),
        .v = DLS_NEW(a, double, f->problem->n),
        .f = DLS_NEW(a, double, f->problem->n),
    };
    if (a->failed) return DLS_ENOMEM;
    enum dls_status status = dls_sparse_factor_create(
        &s->factor, A, f->symmetric ? DLS_FACTOR_POSITIVE : DLS_FACTOR_NEARLY, a);
    if (status == DLS_OK) status = can_condense(f, &can, a);
    if (status == DLS_OK && can) status = try_condensed(s, a);
    if (status == DLS_OK && s->factor.entries > most_entries)
        return dls_fail(err, DLS_UNSUPPORTED, "the factors would have %.1e entries",
                        s->factor.entries);
    return status;
}

void dls_cone_system_destroy(struct dls_cone_system *s)
{
    dls_sparse_factor_destroy(&s->factor);
    dls_sparse_factor_destroy(&s->spare);
}

enum dls_status dls_cone_system_factor(struct dls_cone_system *s,
                                       const struct dls_scaling *scaling)
{
    s->scaling = scaling;
    if (s->condensed)
        assemble_condensed(s);
    else
        assemble_contacts(s);
    return dls_sparse_factor_update(&s->factor);
}

// rest = b - (W + T^-2) dx; returns its norm.
static double find_rest(struct dls_cone_system *s, const double *b, const double *dx)
{
    int d = s->form->d;
    double sum = 0, y[3], z[3];
    dls_bsr_multiply(&s->form->W, dx, NULL, s->rest);
    for (int a = 0; a < s->form->contacts; a++) {
        dls_scaling_undo(s->scaling + a, d, dx + a * d, y);
        dls_scaling_undo(s->scaling + a, d, y, z);
        for (int i = 0, k = a * d; i < d; i++, k++) {
            s->rest[k] = b[k] - s->rest[k] - z[i];
            sum += s->rest[k] * s->rest[k];
        }
    }
    return sqrt(sum);
}

static bool solve_once(struct dls_cone_system *s, const double *b, double *dx)
{
    return s->condensed ? solve_condensed(s, b, dx)
                        : dls_sparse_factor_solve(&s->factor, b, dx);
}

// Solves and refines; returns the residual relative to b, or infinity.
static double solve_refined(struct dls_cone_system *s, const double *b, double *dx)
{
    int m = s->form->m;
    double size = 0, before = INFINITY, rest = 0;
    for (int k = 0; k < m; k++) size += b[k] * b[k];
    size = sqrt(size);
    if (!solve_once(s, b, dx)) return INFINITY;
    for (int n = 0; n <= REFINEMENTS; n++) {
        rest = find_rest(s, b, dx);
        if (!(rest > small_rest * size && rest < 0.5 * before)) break;
        before = rest;
        if (!solve_once(s, s->rest, s->fix)) return INFINITY;
        for (int k = 0; k < m; k++) dx[k] += s->fix[k];
    }
    return size > 0 ? rest / size : 0;
}

bool dls_cone_system_solve(struct dls_cone_system *s, const double *b, double *dx)
{
    double rest = solve_refined(s, b, dx);
    if (s->condensed && !(rest < large_rest) && s->spare.entries < most_entries) {
        struct dls_sparse_factor condensed = s->factor;
        s->factor = s->spare;
        s->spare = condensed;
        s->condensed = false;
        if (dls_cone_system_factor(s, s->scaling) != DLS_OK) return false;
        rest = solve_refined(s, b, dx);
    }
    return isfinite(rest);
}
