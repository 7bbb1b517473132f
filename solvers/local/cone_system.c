// SPDX-License-Identifier: Apache-2.0
// Two ways to solve  (W + T^-2) dx = b.
//
// 1. In the contacts: the pattern is that of W for good. W + T^-2 is positive definite
//    for every positive semidefinite W, singular or not; where W is unsymmetric UMFPACK
//    takes the place of CHOLMOD.
// 2. Condensed to the velocities, where W = H M^-1 H^T:
//
//        (M + H^T T^2 H) v = H^T T^2 b,      dx = T^2 (b - H v),
//
//    of size n: far smaller and sparser where contacts outnumber bodies. The difference
//    cancels where T^2 is large, which refinement with W itself repairs for a while. So
//    it repairs what the symmetric part of M lacks of a slightly unsymmetric M: an error
//    less than |M - M^T| / |M| whatever T is.
//
// The one with fewer predicted operations is taken. Iterative refinement stops when the
// residual is below 1e-12 of b or does not halve; where it leaves the condensed form above
// 1e-6 the other one, if its factors fit, takes over until the next scaling.
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
    const struct dls_csr *A = s->in_contacts.A;
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

static void assemble_condensed(struct dls_cone_system *s)
{
    const struct dls_socp *f = s->form;
    for (int a = 0; a < f->contacts; a++)
        dls_scaling_square(s->scaling + a, f->d, s->velocities.D + a * f->d * f->d);
    dls_condensed_assemble(&s->velocities);
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
    memset(s->f, 0, (size_t)f->M->rows * sizeof *s->f);
    dls_csr_add_transposed(f->H, 1, dx, s->f); // H^T T^2 b
    if (!dls_sparse_factor_solve(&s->in_velocities, s->f, s->v)) return false;
    memcpy(dx, b, m);
    dls_csr_add(f->H, -1, s->v, dx); // b - H v
    apply_square(s, dx);
    return true;
}

// --- interface ------------------------------------------------------------------------

// (M + M^T) / 2; NULL when memory runs out.
static struct dls_csr *symmetric_part(const struct dls_csr *M, struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    size_t count = 2 * (size_t)dls_csr_count(M), to = 0;
    int *i = DLS_NEW(&scratch, int, count), *j = DLS_NEW(&scratch, int, count);
    double *x = DLS_NEW(&scratch, double, count);
    struct dls_csr *S = NULL;
    if (!scratch.failed) {
        for (int row = 0; row < M->rows; row++)
            for (int k = M->p[row]; k < M->p[row + 1]; k++) {
                i[to] = row, j[to] = M->j[k], x[to++] = 0.5 * M->x[k];
                i[to] = M->j[k], j[to] = row, x[to++] = 0.5 * M->x[k];
            }
        S = dls_csr_from_triplets(M->rows, M->rows, (int)count, i, j, x, a);
    }
    dls_arena_free(&scratch);
    return S;
}

// Analyses the condensed form and prefers it if it is cheaper.
static enum dls_status try_condensed(struct dls_cone_system *s, struct dls_arena *a)
{
    const struct dls_csr *M = symmetric_part(s->form->M, a);
    if (!M) return DLS_ENOMEM;
    s->v = DLS_NEW(a, double, M->rows);
    s->f = DLS_NEW(a, double, M->rows);
    if (dls_condensed_create(&s->velocities, s->form->H, M, s->form->d, a))
        return DLS_ENOMEM;
    enum dls_status status =
        dls_condensed_compare(&s->velocities, &s->form->W, &s->cheaper, a);
    s->condensed = s->cheaper;
    if (status != DLS_OK || !s->cheaper) return status;
    return dls_sparse_factor_create(&s->in_velocities, s->velocities.A,
                                    DLS_FACTOR_POSITIVE, a);
}

enum dls_status dls_cone_system_create(struct dls_cone_system *s,
                                       const struct dls_socp *f, struct dls_arena *a,
                                       struct dls_error *err)
{
    struct dls_csr *A = dls_bsr_to_csr(&f->W, a);
    *s = (struct dls_cone_system){
        .form = f,
        .rest = DLS_NEW(a, double, f->m),
        .fix = DLS_NEW(a, double, f->m),
    };
    if (a->failed) return DLS_ENOMEM;
    enum dls_status status = dls_sparse_factor_create(
        &s->in_contacts, A, f->symmetric ? DLS_FACTOR_POSITIVE : DLS_FACTOR_NEARLY, a);
    if (status == DLS_OK && f->H) status = try_condensed(s, a);
    double entries = s->cheaper ? s->in_velocities.entries : s->in_contacts.entries;
    if (status == DLS_OK && entries > most_entries)
        return dls_fail(err, DLS_UNSUPPORTED, "the factors would have %.1e entries",
                        entries);
    return status;
}

void dls_cone_system_destroy(struct dls_cone_system *s)
{
    dls_sparse_factor_destroy(&s->in_contacts);
    dls_sparse_factor_destroy(&s->in_velocities);
}

static enum dls_status factor_contacts(struct dls_cone_system *s)
{
    s->condensed = false;
    assemble_contacts(s);
    return dls_sparse_factor_update(&s->in_contacts);
}

enum dls_status dls_cone_system_factor(struct dls_cone_system *s,
                                       const struct dls_scaling *scaling)
{
    s->scaling = scaling;
    s->condensed = s->cheaper;
    if (!s->condensed) return factor_contacts(s);
    assemble_condensed(s);
    return dls_sparse_factor_update(&s->in_velocities);
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
                        : dls_sparse_factor_solve(&s->in_contacts, b, dx);
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
    if (s->condensed && !(rest < large_rest) && s->in_contacts.entries < most_entries) {
        if (factor_contacts(s) != DLS_OK) return false;
        rest = solve_refined(s, b, dx);
    }
    return isfinite(rest);
}
