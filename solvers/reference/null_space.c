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
#include "solvers/reference/null_space.h"

#include "formulations/judge/cone.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { LARGEST = 6000 };
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
    double normal[DLS_LARGEST_D] = {1};
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

// The columns of one contact in S.
struct columns {
    int start, count;
    double B[DLS_LARGEST_D * DLS_LARGEST_D]; // d by rows
    double root;                             // of l_a
};

static struct columns columns_of(const struct dls_refinement *s, int a,
                                 const int *start)
{
    struct columns c = {.start = start[a], .root = sqrt(s->extended->l[a])};
    c.count = dls_null_space_directions(s, a, c.B);
    return c;
}

// Adds half of B_a^T W_ab B_b to S and to its transpose.
static void add_block(double *S, int k, const double *W_ab, int d,
                      const struct columns *a, const struct columns *b)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            double sum = 0;
            for (int l = 0; l < d * d; l++)
                sum += a->B[l / d * d + i] * W_ab[l] * b->B[l % d * d + j];
            sum *= 0.5 / (a->root * b->root);
            size_t row = (size_t)(a->start + i), column = (size_t)(b->start + j);
            S[row * (size_t)k + column] += sum;
            S[column * (size_t)k + row] += sum;
        }
}

// S, k x k, zero before.
static void assemble(double *S, int k, const struct dls_refinement *s, const int *start)
{
    const struct dls_bsr *W = s->form->W;
    for (int row = 0; row < W->rows; row++) {
        struct columns a = columns_of(s, row, start);
        for (int n = W->p[row]; n < W->p[row + 1] && a.count; n++) {
            struct columns b = columns_of(s, W->j[n], start);
            add_block(S, k, dls_bsr_block(W, n), W->d, &a, &b);
        }
    }
}

enum dls_status dls_null_space_measure(struct dls_null_space *out,
                                       const struct dls_refinement *s,
                                       struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    double B[DLS_LARGEST_D * DLS_LARGEST_D];
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
