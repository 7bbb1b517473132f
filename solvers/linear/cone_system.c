// SPDX-License-Identifier: Apache-2.0
// Two ways to solve  (W + S Theta) dx = b,  S = I - e_N g^T,  S^-1 = I + e_N g^T.
//
// 1. In the contacts: the pattern is that of W for good. With g = 0 the matrix is positive
//    definite for every positive semidefinite W, singular or not; where W is unsymmetric,
//    or g is not zero, UMFPACK takes the place of CHOLMOD.
// 2. Condensed to the velocities, where W = H M^-1 H^T and D = Theta^-1 S^-1:
//
//        (M + H^T D H) v = H^T D b,      dx = D (b - H v),
//
//    of size n: far smaller and sparser where contacts outnumber bodies. The difference
//    cancels where D is large, which refinement with W itself repairs for a while. With
//    g = 0 that repairs, too, what the symmetric part of M lacks of a slightly unsymmetric
//    M: an error less than |M - M^T| / |M| whatever T is.
//
// Both determinants have one sign: det S = 1 and Theta, M have positive ones.
//
// At a sliding contact T^2 has eigenvalues far above and far below one. What dx lacks along
// the eigenvector of the smallest is what T^-2 magnifies, so vectors of the contacts are
// kept in the frames of these eigenvectors, where every entry has its own accuracy.
//
// The one with fewer predicted operations is taken. Iterative refinement stops when the
// residual is below 1e-12 of b or does not halve; where it leaves the condensed form above
// 1e-6 the other one, if its factors fit, takes over until the next scaling.
#include "solvers/linear/cone_system.h"

#include "base/block.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 4 };
static const double small_rest = 1e-12, large_rest = 1e-6;
static const double most_entries = 5e8; // of the factors: 4 GB

// --- in the frames --------------------------------------------------------------------

// The frames, T^2, Theta^-1, e_N and g in them.
static void find_frames(struct dls_cone_system *s, const struct dls_scaling *scaling,
                        const struct dls_cone_shift *shift)
{
    int d = s->form->d, contacts = s->form->contacts;
    for (int a = 0; a < contacts; a++) {
        double *Q = s->Q + a * d * d;
        dls_scaling_frame(scaling + a, d, Q, s->square + a * d);
        for (int i = 0; i < d; i++) s->unit[a * d + i] = Q[i * d];
    }
    memcpy(s->inverse, s->square, (size_t)s->form->m * sizeof *s->inverse);
    if (!s->shifts) return;
    dls_block_apply(d, contacts, s->Q, shift->g, s->slope);
    for (int k = 0; k < s->form->m; k++)
        s->inverse[k] = s->square[k] / (1 + shift->alpha + shift->beta * s->square[k]);
}

// slope_a . x_a
static double along_slope(const struct dls_cone_system *s, int a, const double *x)
{
    double sum = 0;
    for (int k = a * s->form->d; k < (a + 1) * s->form->d; k++)
        sum += s->slope[k] * x[k];
    return sum;
}

// x <- D x = Theta^-1 (I + e_N g^T) x
static void apply_D(const struct dls_cone_system *s, double *x)
{
    int d = s->form->d;
    for (int a = 0; a < s->form->contacts; a++) {
        double along = along_slope(s, a, x);
        for (int k = a * d; k < (a + 1) * d; k++)
            x[k] = s->inverse[k] * (x[k] + s->unit[k] * along);
    }
}

// block (d x d by rows) = Q^T N Q, with N = D, or its inverse S Theta, at contact a.
static void block_of(const struct dls_cone_system *s, int a, bool inverse,
                     double *block)
{
    int d = s->form->d;
    const double *Q = s->Q + a * d * d, *theta = s->inverse + a * d;
    const double *e = s->unit + a * d, *g = s->slope + a * d;
    double N[9], NQ[9];
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++)
            N[i * d + l] = inverse ? ((i == l) - e[i] * g[l]) / theta[l]
                                   : theta[i] * ((i == l) + e[i] * g[l]);
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) {
            NQ[i * d + l] = 0;
            for (int k = 0; k < d; k++) NQ[i * d + l] += N[i * d + k] * Q[k * d + l];
        }
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) {
            block[i * d + l] = 0;
            for (int k = 0; k < d; k++)
                block[i * d + l] += Q[k * d + i] * NQ[k * d + l];
        }
}

// --- in the contacts ------------------------------------------------------------------

// A <- W + S Theta; dls_bsr_to_csr keeps whole blocks, so an entry's place follows from the
// number of its block.
static void assemble_contacts(struct dls_cone_system *s)
{
    const struct dls_bsr *W = &s->form->W;
    const struct dls_csr *A = s->in_contacts.A;
    int d = W->d;
    for (int a = 0; a < W->rows; a++) {
        double theta[9];
        block_of(s, a, true, theta);
        for (int i = 0; i < d; i++) {
            double *to = A->x + A->p[a * d + i];
            for (int k = W->p[a]; k < W->p[a + 1]; k++)
                for (int l = 0; l < d; l++) *to++ = dls_bsr_block(W, k)[i * d + l];
            to = A->x + A->p[a * d + i] + (W->diag[a] - W->p[a]) * d;
            for (int l = 0; l < d; l++) to[l] += theta[i * d + l];
        }
    }
}

static bool solve_contacts(struct dls_cone_system *s, const double *b, double *x)
{
    int d = s->form->d, contacts = s->form->contacts;
    dls_block_apply_transposed(d, contacts, s->Q, b, s->work);
    if (!dls_sparse_factor_solve(&s->in_contacts, s->work, x)) return false;
    dls_block_apply(d, contacts, s->Q, x, x);
    return true;
}

// --- condensed ------------------------------------------------------------------------

static void assemble_condensed(struct dls_cone_system *s)
{
    const struct dls_socp *f = s->form;
    for (int a = 0; a < f->contacts; a++)
        block_of(s, a, false, s->velocities.D + a * f->d * f->d);
    dls_condensed_assemble(&s->velocities);
}

static bool solve_condensed(struct dls_cone_system *s, const double *b, double *x)
{
    const struct dls_socp *f = s->form;
    size_t m = (size_t)f->m * sizeof *x;
    memcpy(s->work, b, m);
    apply_D(s, s->work);
    dls_block_apply_transposed(f->d, f->contacts, s->Q, s->work, s->work);
    memset(s->f, 0, (size_t)f->M->rows * sizeof *s->f);
    dls_csr_add_transposed(f->H, 1, s->work, s->f); // H^T D b
    if (!dls_sparse_factor_solve(&s->in_velocities, s->f, s->v)) return false;
    memset(s->work, 0, m);
    dls_csr_add(f->H, 1, s->v, s->work);
    dls_block_apply(f->d, f->contacts, s->Q, s->work, s->work);
    for (int k = 0; k < f->m; k++) x[k] = b[k] - s->work[k]; // b - H v
    apply_D(s, x);
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
    const struct dls_csr *M = s->shifts ? s->form->M : symmetric_part(s->form->M, a);
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
                                    s->shifts ? DLS_FACTOR_NEARLY : DLS_FACTOR_POSITIVE,
                                    a);
}

enum dls_status dls_cone_system_create(struct dls_cone_system *s,
                                       const struct dls_socp *f, bool shifts,
                                       struct dls_arena *a, struct dls_error *err)
{
    struct dls_csr *A = dls_bsr_to_csr(&f->W, a);
    size_t m = (size_t)f->m;
    double *vectors = DLS_NEW(a, double, 9 * m);
    *s = (struct dls_cone_system){
        .form = f,
        .shifts = shifts,
        .Q = DLS_NEW_TABLE(a, double, m, f->d),
    };
    if (a->failed) return DLS_ENOMEM;
    double **to[] = {&s->square, &s->inverse, &s->unit, &s->slope, &s->b,
                     &s->x,      &s->rest,    &s->fix,  &s->work};
    for (size_t k = 0; k < 9; k++) *to[k] = vectors + k * m;
    bool symmetric = f->symmetric && !shifts;
    enum dls_status status = dls_sparse_factor_create(
        &s->in_contacts, A, symmetric ? DLS_FACTOR_POSITIVE : DLS_FACTOR_NEARLY, a);
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
                                       const struct dls_scaling *scaling,
                                       const struct dls_cone_shift *shift)
{
    find_frames(s, scaling, shift);
    s->condensed = s->cheaper;
    if (!s->condensed) return factor_contacts(s);
    assemble_condensed(s);
    return dls_sparse_factor_update(&s->in_velocities);
}

int dls_cone_system_sign(const struct dls_cone_system *s)
{
    return dls_sparse_factor_sign(s->condensed ? &s->in_velocities : &s->in_contacts);
}

// rest = b - (W + S Theta) x in the frames; returns its norm.
static double find_rest(struct dls_cone_system *s)
{
    const struct dls_socp *f = s->form;
    int d = f->d;
    double sum = 0;
    dls_block_apply_transposed(d, f->contacts, s->Q, s->x, s->work);
    dls_bsr_multiply(&f->W, s->work, NULL, s->rest);
    dls_block_apply(d, f->contacts, s->Q, s->rest, s->rest);
    for (int k = 0; k < f->m; k++) s->work[k] = s->x[k] / s->inverse[k];
    for (int a = 0; a < f->contacts; a++) {
        double along = along_slope(s, a, s->work);
        for (int k = a * d; k < (a + 1) * d; k++) {
            s->rest[k] = s->b[k] - s->rest[k] - s->work[k] + s->unit[k] * along;
            sum += s->rest[k] * s->rest[k];
        }
    }
    return sqrt(sum);
}

static bool solve_once(struct dls_cone_system *s, const double *b, double *x)
{
    return s->condensed ? solve_condensed(s, b, x) : solve_contacts(s, b, x);
}

// Solves for x and refines; returns the residual relative to b, or infinity.
static double solve_refined(struct dls_cone_system *s)
{
    int m = s->form->m;
    double size = 0, before = INFINITY, rest = 0;
    for (int k = 0; k < m; k++) size += s->b[k] * s->b[k];
    size = sqrt(size);
    if (!solve_once(s, s->b, s->x)) return INFINITY;
    for (int n = 0; n <= REFINEMENTS; n++) {
        rest = find_rest(s);
        if (!(rest > small_rest * size && rest < 0.5 * before)) break;
        before = rest;
        if (!solve_once(s, s->rest, s->fix)) return INFINITY;
        for (int k = 0; k < m; k++) s->x[k] += s->fix[k];
    }
    return size > 0 ? rest / size : 0;
}

bool dls_cone_system_solve(struct dls_cone_system *s, const double *b, double *dx,
                           double *theta_dx)
{
    const struct dls_socp *f = s->form;
    dls_block_apply(f->d, f->contacts, s->Q, b, s->b);
    double rest = solve_refined(s);
    if (s->condensed && !(rest < large_rest) && s->in_contacts.entries < most_entries) {
        if (factor_contacts(s) != DLS_OK) return false;
        rest = solve_refined(s);
    }
    dls_block_apply_transposed(f->d, f->contacts, s->Q, s->x, dx);
    if (theta_dx) {
        for (int k = 0; k < f->m; k++) theta_dx[k] = s->x[k] / s->square[k];
        dls_block_apply_transposed(f->d, f->contacts, s->Q, theta_dx, theta_dx);
    }
    return isfinite(rest);
}
