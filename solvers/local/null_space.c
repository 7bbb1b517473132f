// SPDX-License-Identifier: Apache-2.0
// How many impulses share the velocities of a solution.
//
//     N = { x : W B x = 0 },      dr = B x,   B_a = 0 (open), I (stick), r_a / r_N (slip)
//
// open where u_N > 0, slip where u_T is not zero (the rolling rows likewise), stick
// elsewhere: the columns of B span the impulses that the law allows at these velocities,
// whichever of them r* is. u does not change along N, nor does the law, until a contact
// reaches the edge of its cone. Where W = H M^-1 H^T
// with M^-1 positive definite, x is in N exactly when S x = 0, S the symmetric part of
// B^T W B, which is positive semidefinite.
//
// Method: S scaled to unit contacts (W_ab / sqrt(l_a l_b)), Cholesky's factor with
// complete pivoting by LAPACK. Pivots below 1e-10 of the largest are zero; the last one
// that counts and the first that does not are reported.
//
// Cost: k^3 / 3 operations and k^2 numbers for k unknowns.
// Fails: where W is no such product (a plain LCP) the dimension is that of S and means
// nothing; the caller looks at that.
#include "solvers/local/null_space.h"

#include "formulations/cone.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { LARGEST = 6000, LARGEST_D = 5 };
static const double zero_pivot = 1e-10;

// r_g / r_N of a group that slips, by the direction of y where r_N vanishes.
static void slip_direction(const struct dls_refinement *s, int a, int first, int count,
                           double mu, double *to)
{
    int d = s->form->d;
    const dls_quad *r = s->r + a * d, *u = s->extended->u + a * d;
    dls_quad y[2], sum = 0;
    for (int i = 0; i < count; i++) {
        y[i] = r[first + i] - u[first + i] / s->extended->l[a];
        sum += y[i] * y[i];
    }
    dls_quad length = dls_quad_sqrt(sum);
    for (int i = 0; i < count; i++)
        to[i] = length > 0 ? mu * (double)(y[i] / length) : 0;
}

int dls_null_space_directions(const struct dls_refinement *s, int a, double *B)
{
    const struct dls_problem *p = s->form->problem;
    struct dls_cone K =
        dls_cone_make(p->d, p->rolling, p->mu[a], p->rolling ? p->mu_r[a] : 0);
    int bits = s->freedom[a], d = K.d, count = bits != DLS_REFINE_OPEN;
    double normal[LARGEST_D] = {1};
    memset(B, 0, (size_t)(d * d) * sizeof *B);
    if (bits & DLS_REFINE_SLIPS) slip_direction(s, a, 1, K.tangents, K.mu, normal + 1);
    if (bits & DLS_REFINE_ROLLS)
        slip_direction(s, a, 1 + K.tangents, K.rolls, K.mu_r, normal + 1 + K.tangents);
    for (int i = 0; i < d && count; i++) B[i * d] = normal[i];
    for (int i = 1; i < d && bits; i++)
        if (!(bits & (i > K.tangents ? DLS_REFINE_ROLLS : DLS_REFINE_SLIPS)))
            B[i * d + count++] = 1;
    return count;
}

// Adds half of B_a^T W_ab B_b to S and its transpose, k x k.
static void add_block(double *S, int k, const double *block, int d, const int *start,
                      const double *B_a, const double *B_b, const int *count,
                      double scale)
{
    for (int i = 0; i < count[0]; i++)
        for (int j = 0; j < count[1]; j++) {
            double sum = 0;
            for (int l = 0; l < d; l++)
                for (int n = 0; n < d; n++)
                    sum += B_a[l * d + i] * block[l * d + n] * B_b[n * d + j];
            size_t row = (size_t)(start[0] + i), column = (size_t)(start[1] + j);
            S[row * (size_t)k + column] += 0.5 * scale * sum;
            S[column * (size_t)k + row] += 0.5 * scale * sum;
        }
}

static void assemble(double *S, int k, const struct dls_refinement *s, const int *start)
{
    const struct dls_bsr *W = s->form->W;
    int d = s->form->d;
    double B_a[LARGEST_D * LARGEST_D], B_b[LARGEST_D * LARGEST_D];
    for (int a = 0; a < W->rows; a++) {
        int count[2] = {dls_null_space_directions(s, a, B_a), 0};
        for (int n = W->p[a]; n < W->p[a + 1] && count[0]; n++) {
            int b = W->j[n];
            count[1] = dls_null_space_directions(s, b, B_b);
            add_block(S, k, dls_bsr_block(W, n), d, (const int[]){start[a], start[b]},
                      B_a, B_b, count, 1 / sqrt(s->extended->l[a] * s->extended->l[b]));
        }
    }
}

enum dls_status dls_null_space_measure(struct dls_null_space *out,
                                       const struct dls_refinement *s,
                                       struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    double B[LARGEST_D * LARGEST_D];
    *out = (struct dls_null_space){.dimension = -1, .kept = NAN, .dropped = NAN};
    int *start = DLS_NEW(&scratch, int, s->form->contacts);
    if (scratch.failed) return dls_arena_free(&scratch), DLS_ENOMEM;
    for (int c = 0; c < s->form->contacts; c++) {
        start[c] = out->unknowns;
        out->unknowns += dls_null_space_directions(s, c, B);
    }
    int k = out->unknowns, rank = 0, size = 0;
    if (k > LARGEST) return dls_arena_free(&scratch), DLS_OK;
    double *S = DLS_NEW(&scratch, double, (size_t)k *(size_t)k);
    double *work = DLS_NEW(&scratch, double, 2 * k);
    int *pivot = DLS_NEW(&scratch, int, k);
    if (!scratch.failed) {
        assemble(S, k, s, start);
        if (k)
            LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', k, S, k, pivot, &rank, -1, work);
        double first = k ? S[0] * S[0] : 0;
        for (int i = 0; i < rank; i++) {
            double root = S[(size_t)i * (size_t)k + (size_t)i];
            double relative = root * root / first;
            if (relative > zero_pivot)
                out->kept = relative, size = i + 1;
            else if (i == size)
                out->dropped = relative;
        }
        if (size == rank && rank < k) out->dropped = 0;
        out->dimension = k - size;
    }
    bool failed = scratch.failed;
    dls_arena_free(&scratch);
    return failed ? DLS_ENOMEM : DLS_OK;
}
