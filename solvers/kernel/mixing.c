// SPDX-License-Identifier: Apache-2.0
// Anderson's acceleration [Anderson1965; WalkerNi2011].
//
// With f = G(s) - s and the differences dS, dF of the last steps as columns,
//
//     gamma = argmin |f - dF gamma|,     s <- s + f - (dS + dF) gamma:
//
// the point that the steps so far, taken as a linear map, predict to be fixed. It removes
// as many slow directions as it has columns, constant drifts and oscillations alike. On a
// map with kinks it may settle at a least |f| that is no fixed point: when |f| has not
// gained 10 % in PATIENCE steps the memory is emptied and some plain steps are made,
// twice as many each time. The least squares are LAPACK's with column pivoting and a rank
// tolerance, since differences become parallel near the solution.
//
// Cost: a QR of size x depth a step.
#include "solvers/kernel/mixing.h"

#include "base/contract.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double gain = 0.9, drop = 1e-8;
enum { PATIENCE = 4, SHORTEST = 4, LONGEST = 64 };

bool dls_mixing_create(struct dls_mixing *x, int size, int depth, struct dls_arena *a)
{
    DLS_ASSERT(size >= 0 && depth >= 0);
    size_t n = (size_t)size, k = (size_t)depth;
    int work = depth * 66 + 2 * depth + 1 + (size > depth ? size : depth);
    *x = (struct dls_mixing){
        .size = size,
        .depth = depth,
        .s = DLS_NEW(a, double, n),
        .f = DLS_NEW(a, double, n),
        .S = DLS_NEW(a, double, n *k),
        .F = DLS_NEW(a, double, n *k),
        .A = DLS_NEW(a, double, n *k),
        .b = DLS_NEW(a, double, n > k ? n : k),
        .work = DLS_NEW(a, double, work),
        .pivot = DLS_NEW(a, int, k),
        .work_size = work,
    };
    return !a->failed;
}

void dls_mixing_forget(struct dls_mixing *x)
{
    x->count = x->next = x->idle = x->pause = 0;
    x->started = false;
    x->length = SHORTEST;
}

// Remembers the step from the last point to (s, f).
static void remember(struct dls_mixing *x, const double *s, const double *f)
{
    size_t n = (size_t)x->size;
    double *S = x->S + (size_t)x->next * n, *F = x->F + (size_t)x->next * n;
    for (size_t k = 0; k < n; k++) S[k] = s[k] - x->s[k], F[k] = f[k] - x->f[k];
    x->next = (x->next + 1) % x->depth;
    if (x->count < x->depth) x->count++;
}

void dls_mixing_step(struct dls_mixing *x, double *s, const double *f)
{
    int n = x->size, rank = 0;
    double norm = 0;
    for (int k = 0; k < n; k++) norm += f[k] * f[k];
    norm = sqrt(norm);
    bool gains = !x->started || norm < gain * x->best;
    x->idle = gains ? 0 : x->idle + 1;
    if (!x->started || norm < x->best) x->best = norm;
    if (x->idle >= PATIENCE && x->pause == 0) {
        x->count = x->next = x->idle = 0;
        x->best = norm;
        x->pause = x->length;
        x->length = x->length < LONGEST ? 2 * x->length : LONGEST;
    } else if (x->pause > 0) {
        x->pause--;
    }
    if (x->started && x->depth && !x->pause) remember(x, s, f);
    x->started = true;
    memcpy(x->s, s, (size_t)n * sizeof *s);
    memcpy(x->f, f, (size_t)n * sizeof *f);
    for (int k = 0; k < n; k++) s[k] += f[k];
    if (!x->count || !n) return;
    memcpy(x->A, x->F, (size_t)n * (size_t)x->count * sizeof *x->A);
    memcpy(x->b, f, (size_t)n * sizeof *x->b);
    memset(x->pivot, 0, (size_t)x->count * sizeof *x->pivot);
    int ldb = n > x->count ? n : x->count;
    if (LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, x->count, 1, x->A, n, x->b, ldb,
                            x->pivot, drop, &rank, x->work, x->work_size))
        return;
    for (int c = 0; c < x->count; c++)
        for (int k = 0; k < n; k++)
            s[k] -= x->b[c] * (x->S[c * n + k] + x->F[c * n + k]);
}
