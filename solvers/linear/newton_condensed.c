// SPDX-License-Identifier: Apache-2.0
// Newton's system in the velocities.
//
//     (F_r + F_u (W + shift I)) x = b,      W = H M^-1 H^T
//
// With K = F_r + shift F_u, regular for shift > 0 but in exceptional points, and the
// velocities v = M^-1 H^T x the unknowns of the contacts are eliminated one by one:
//
//     (M + H^T D H) v = H^T K^-1 b,    x = K^-1 b - D H v,     D = K^-1 F_u,
//
// of size n and of a pattern that never changes: analysed once. H and M are recovered from
// W (formulations/velocities/recover.c). D is of order 1 / shift at sticking contacts, where the
// difference cancels; iterative refinement with the matrix itself repairs that.
//
// Cost: a factorisation of size n, some 10 to 80 times cheaper than in the contacts where
// bodies lie on each other by faces; some products with W and H.
#include "solvers/linear/newton_condensed.h"

#include "formulations/velocities/recover.h"

#include "base/block.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 5 };
static const double small_rest = 1e-13, large_rest = 1e-8; // relative to F
static const double round_off = 1e-14;                     // relative to |W| |x|

// --- creation -------------------------------------------------------------------------

static double norm_of(const struct dls_bsr *W)
{
    double largest = 0;
    for (int a = 0; a < W->rows; a++) {
        double sum = 0;
        for (int k = W->p[a]; k < W->p[a + 1]; k++) sum += dls_bsr_block_norm(W, k);
        largest = fmax(largest, sum);
    }
    return largest;
}

enum dls_status dls_newton_condensed_create(struct dls_newton_condensed *s,
                                            const struct dls_bsr *W, bool symmetric,
                                            struct dls_arena *a)
{
    struct dls_recovered bodies;
    bool cheaper;
    *s = (struct dls_newton_condensed){.A.W = W, .norm = norm_of(W)};
    enum dls_status status = dls_recover(&bodies, W, a);
    if (status != DLS_OK) return status;
    status = dls_condensed_create(&s->velocities, bodies.H, bodies.M, W->d, a);
    if (status != DLS_OK) return status;
    size_t m = (size_t)bodies.H->rows, n = (size_t)bodies.n;
    s->inverse = DLS_NEW_TABLE(a, double, m, W->d);
    s->f = DLS_NEW(a, double, n);
    s->v = DLS_NEW(a, double, n);
    s->rest = DLS_NEW(a, double, m);
    s->fix = DLS_NEW(a, double, m);
    s->Hv = DLS_NEW(a, double, m);
    if (a->failed) return DLS_ENOMEM;
    status = dls_condensed_compare(&s->velocities, W, &cheaper, a);
    if (status != DLS_OK) return status;
    if (!cheaper) return DLS_UNSUPPORTED;
    return dls_sparse_factor_create(&s->factor, s->velocities.A,
                                    symmetric ? DLS_FACTOR_POSITIVE : DLS_FACTOR_NEARLY,
                                    a);
}

void dls_newton_condensed_destroy(struct dls_newton_condensed *s)
{
    dls_sparse_factor_destroy(&s->factor);
}

// --- factorisation --------------------------------------------------------------------

bool dls_newton_condensed_factor(struct dls_newton_condensed *s,
                                 const struct dls_contact_value *value, double shift)
{
    int d = s->A.W->d;
    s->A.value = value;
    s->A.shift = shift;
    for (int a = 0; a < s->A.W->rows; a++) {
        const struct dls_contact_value *v = value + a;
        double K[9], *inverse = s->inverse + a * d * d;
        double *D = s->velocities.D + a * d * d;
        for (int k = 0; k < d * d; k++) K[k] = v->F_r[k] + shift * v->F_u[k];
        if (!dls_block_invert(d, K, inverse)) return false;
        for (int i = 0; i < d; i++)
            for (int l = 0; l < d; l++) {
                D[i * d + l] = 0;
                for (int k = 0; k < d; k++)
                    D[i * d + l] += inverse[i * d + k] * v->F_u[k * d + l];
            }
    }
    dls_condensed_assemble(&s->velocities);
    return dls_sparse_factor_update(&s->factor) == DLS_OK;
}

// --- solution -------------------------------------------------------------------------

// x = K^-1 b - D H v with (M + H^T D H) v = H^T K^-1 b; x may be b.
static bool solve_once(struct dls_newton_condensed *s, const double *b, double *x)
{
    const struct dls_csr *H = s->velocities.H;
    int d = s->A.W->d, contacts = s->A.W->rows;
    dls_block_apply(d, contacts, s->inverse, b, x);
    memset(s->f, 0, (size_t)H->cols * sizeof *s->f);
    dls_csr_add_transposed(H, 1, x, s->f);
    if (!dls_sparse_factor_solve(&s->factor, s->f, s->v)) return false;
    memset(s->Hv, 0, (size_t)H->rows * sizeof *s->Hv);
    dls_csr_add(H, 1, s->v, s->Hv);
    dls_block_apply(d, contacts, s->velocities.D, s->Hv, s->Hv);
    for (int k = 0; k < H->rows; k++) x[k] -= s->Hv[k];
    return true;
}

// rest = -F - A x; returns its norm.
static double find_rest(struct dls_newton_condensed *s, const double *x)
{
    int d = s->A.W->d, m = s->A.W->rows * d;
    double sum = 0;
    for (int k = 0; k < m; k++) s->rest[k] = -s->A.value[k / d].F[k % d];
    dls_newton_matrix_add(&s->A, -1, x, s->Hv, s->rest);
    for (int k = 0; k < m; k++) sum += s->rest[k] * s->rest[k];
    return sqrt(sum);
}

bool dls_newton_condensed_solve(struct dls_newton_condensed *s, double *x)
{
    int m = s->A.W->rows * s->A.W->d;
    double size, before = INFINITY, rest = 0;
    memset(x, 0, (size_t)m * sizeof *x);
    size = find_rest(s, x); // |F|
    if (!solve_once(s, s->rest, x)) return false;
    for (int n = 0; n <= REFINEMENTS; n++) {
        rest = find_rest(s, x);
        if (!(rest > small_rest * size && rest < 0.5 * before)) break;
        before = rest;
        if (!solve_once(s, s->rest, s->fix)) return false;
        for (int k = 0; k < m; k++) x[k] += s->fix[k];
    }
    double sum = 0;
    for (int k = 0; k < m; k++) sum += x[k] * x[k];
    return rest <= large_rest * size + round_off * s->norm * sqrt(sum);
}
