// SPDX-License-Identifier: Apache-2.0
// The rate of Gauss-Seidel sweeps near an answer.
//
// A sweep that starts from r* + e ends at r* + G e up to second order. With the smooth
// system J = A + C W of the frozen statuses (refine.c) the contacts in turn take
//
//     e_a <- -(A_a + C_a W_aa)^-1 C_a sum_{b != a} W_ab e_b,
//
// 0 where they are open: the derivative of the exact answer of one contact alone. Along
// impulses that W does not see G is the identity and nothing happens. The rate is the
// modulus of the largest other eigenvalue [OrtegaRheinboldt1970, 10.1]. Above 1 the answer
// repels: no run of Gauss-Seidel ends there, however near it starts. Friction makes J
// unsymmetric, which can bring that about.
//
// Method: powers of G on a random e. The change of e in a sweep shows no neutral part; it
// is compared over windows of 32, 64, 128, ... sweeps, and two that agree to 2 % in
// log(rate) settle it. Where the change has become small beside e it takes the place of
// e, before round-off does.
//
// Cost: a product with W a sweep. Fails: one rate for all directions, so that a pair of
// eigenvalues close to each other settles late; at contacts between two statuses
// (weakly active ones) the derivative is that of one side.
#include "solvers/reference/attraction.h"

#include "formulations/judge/cone.h"

#include "base/rng.h"
#include "base/vector.h"

#include <lapacke.h>
#include <math.h>

enum { FIRST = 32, LONGEST = 40000 }; // sweeps of the first window, and in all
static const double alike = 0.02, small = 1e-8, large = 1e100;

struct linear_sweep {
    const struct dls_refinement *at;
    double *S;      // contacts: -(A_a + C_a W_aa)^-1 C_a, d x d by rows
    double *e, *de; // m: the error and its change by the last sweep
};

// S of a closed contact; false where its own matrix is singular.
static bool prepare(struct linear_sweep *s, int a)
{
    const struct dls_bsr *W = s->at->form->W;
    int d = W->d, pivot[DLS_LARGEST_D];
    double A[DLS_LARGEST_D * DLS_LARGEST_D], *S = s->S + (size_t)a * (size_t)(d * d);
    dls_quad F[DLS_LARGEST_D];
    const double *W_aa = dls_bsr_diagonal(W, a);
    dls_refine_contact(s->at, a, F, A, S);
    for (int k = 0; k < d * d; k++)
        for (int j = 0; j < d; j++) A[k] += S[k / d * d + j] * W_aa[j * d + k % d];
    for (int k = 0; k < d * d; k++) S[k] = -S[k];
    return LAPACKE_dgesv(LAPACK_ROW_MAJOR, d, d, A, d, pivot, S, d) == 0;
}

// e <- G e; returns |G e - e|, in roots of energies.
static double sweep(struct linear_sweep *s)
{
    const struct dls_bsr *W = s->at->form->W;
    int d = W->d;
    double y[DLS_LARGEST_D], sum = 0;
    for (int a = 0; a < W->rows; a++) {
        const double *S = s->S + (size_t)a * (size_t)(d * d);
        const double *W_aa = dls_bsr_diagonal(W, a);
        double *e = s->e + a * d, *de = s->de + a * d;
        if (!s->at->status[a]) continue;
        dls_bsr_row(W, a, NULL, s->e, y);
        for (int k = 0; k < d * d; k++) y[k / d] -= W_aa[k] * e[k % d];
        for (int i = 0; i < d; i++) {
            double next = 0;
            for (int j = 0; j < d; j++) next += S[i * d + j] * y[j];
            de[i] = next - e[i];
            sum += s->at->extended->l[a] * de[i] * de[i];
        }
        for (int i = 0; i < d; i++) e[i] += de[i];
    }
    return sqrt(sum);
}

// |e|, in roots of energies.
static double size(const struct linear_sweep *s)
{
    int d = s->at->form->d;
    double sum = 0;
    for (int k = 0; k < s->at->form->m; k++)
        sum += s->at->extended->l[k / d] * s->e[k] * s->e[k];
    return sqrt(sum);
}

// Some `longest` sweeps, fewer where the change becomes too small or too large; returns
// its rate, NAN where it is too small at once. It is e of the next window then.
static double window(struct linear_sweep *s, int longest, int *made,
                     struct dls_work *work)
{
    int m = s->at->form->m;
    double first = sweep(s), last = 1;
    int k = 0;
    *made = 1;
    if (first == 0) return 0;
    dls_scale(m, 1 / first, s->e, s->e);
    dls_scale(m, 1 / first, s->de, s->de);
    while (k < longest && last > small * size(s) && last < large
           && !dls_work_expired(work))
        last = sweep(s), k++;
    *made += k;
    if (last > 0 && last <= small * size(s)) dls_scale(m, 1 / last, s->de, s->e);
    return k ? pow(last, 1.0 / k) : NAN;
}

static void find_rate(struct dls_attraction *out, struct linear_sweep *s,
                      struct dls_work *work)
{
    double before = NAN;
    for (int longest = FIRST; out->sweeps < LONGEST && !dls_work_expired(work);) {
        int made;
        double rate = window(s, longest, &made, work);
        out->sweeps += made;
        out->rate = rate;
        out->settled = rate == 0 || fabs(log(rate / before)) <= alike * fabs(log(rate));
        if (out->settled) return;
        if (made > longest) longest *= 2;
        before = rate;
    }
}

enum dls_status dls_attraction_measure(struct dls_attraction *out,
                                       const struct dls_refinement *at,
                                       struct dls_work *work, struct dls_arena *arena)
{
    struct dls_arena a = dls_arena_scratch(arena);
    const struct dls_delassus *f = at->form;
    struct linear_sweep s = {
        .at = at,
        .S = DLS_NEW_TABLE(&a, double, f->m, f->d),
        .e = DLS_NEW(&a, double, f->m),
        .de = DLS_NEW(&a, double, f->m),
    };
    struct dls_rng rng = dls_rng_seed(1);
    bool regular = true;
    *out = (struct dls_attraction){.rate = NAN};
    if (a.failed) return dls_arena_free(&a), DLS_ENOMEM;
    for (int c = 0; c < f->contacts && regular; c++) {
        if (!at->status[c]) continue;
        regular = prepare(&s, c);
        for (int i = 0; i < f->d; i++)
            s.e[c * f->d + i] = dls_rng_normal(&rng) / sqrt(at->extended->l[c]);
    }
    if (regular) find_rate(out, &s, work);
    dls_arena_free(&a);
    return DLS_OK;
}
