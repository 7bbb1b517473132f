// SPDX-License-Identifier: Apache-2.0
// The backward error of an answer: exact for which data?
//
// Redundant contacts contradict each other by the round-off of W and q. Then no impulses take
// the residual to zero, and its size says more of the file than of the answer. With a pair
// r', u' next to the answer that obeys the law exactly,
//
//     open   r' = 0,  u'_N = max(u_N, 0)         stick  u' = 0
//     slip   r'_T = mu r_N t,  u'_N = 0,  u'_T = -|u'_T| t,      t = y_T / |y_T|,
//
// the change of the data that makes u' = W r' + q is, by blocks [OettliPrager1964],
//
//     omega = max_a  |u' - W r' - q|_a / ( sum_b |W_ab| |r'_b| + |q_a| ) :
//
// there are dW, dq with |dW_ab| <= omega |W_ab|, |dq_a| <= omega |q_a| for which the answer is
// exact, and no smaller ones. At omega <= 2^-53 the data of the file, rounded as they are,
// do not tell this answer from an exact one. Blocks, because the frame of a contact may be
// turned in its plane.
//
// Cost: a product with W in 113 bits.
#include "solvers/reference/backward.h"

#include "base/vector.h"

#include <math.h>

// --- the exact pair -------------------------------------------------------------------

// The impulse r' of contact a, and the direction t of its friction: d entries each, t_N = 0.
static void exact_impulse(const struct dls_refinement *s, int a, dls_quad *to,
                          dls_quad *t)
{
    int d = s->form->d;
    const dls_quad *r = s->r + a * d, *u = s->extended->u + a * d;
    dls_quad bound = s->form->mu[a] * (r[0] > 0 ? r[0] : 0), shrink = 1;
    for (int i = 1; i < d; i++) t[i] = r[i] - u[i] / s->extended->l[a];
    dls_quad length = dls_quad_norm(t + 1, d - 1), pull = dls_quad_norm(r + 1, d - 1);
    for (int i = 1; i < d && length > 0; i++) t[i] /= length;
    t[0] = 0;
    if (pull > bound) shrink = bound / pull;
    for (int i = 0; i < d; i++) {
        if (!s->status[a])
            to[i] = 0;
        else if (i == 0)
            to[i] = r[0] > 0 ? r[0] : 0;
        else
            to[i] = s->status[a] & DLS_REFINE_SLIPS ? bound * t[i] : shrink * r[i];
    }
}

// |u' - u|, u those of the impulses r'.
static double defect(const struct dls_refinement *s, int a, const dls_quad *t)
{
    int d = s->form->d, status = s->status[a];
    const dls_quad *u = s->extended->u + a * d;
    dls_quad off[DLS_LARGEST_D] = {0}, speed = 0;
    off[0] = status || u[0] < 0 ? u[0] : 0;
    for (int i = 1; i < d; i++) speed -= u[i] * t[i];
    if (speed < 0) speed = 0;
    for (int i = 1; i < d && status; i++) {
        bool slips = status & DLS_REFINE_SLIPS, smooth = s->form->mu[a] == 0;
        off[i] = smooth ? 0 : slips ? u[i] + speed * t[i] : u[i];
    }
    return (double)dls_quad_norm(off, d);
}

// --- the data -------------------------------------------------------------------------

// sum_b |W_ab| |r_b| + |q_a|
static double size(const struct dls_delassus *f, int a, const dls_quad *r)
{
    int d = f->d;
    double sum = dls_norm(d, f->q + a * d);
    for (int k = f->W->p[a]; k < f->W->p[a + 1]; k++)
        sum +=
            dls_bsr_block_norm(f->W, k) * (double)dls_quad_norm(r + f->W->j[k] * d, d);
    return sum;
}

enum dls_status dls_backward_error(double *omega, const struct dls_refinement *s,
                                   struct dls_arena *arena)
{
    const struct dls_delassus *f = s->form;
    struct dls_arena a = dls_arena_scratch(arena);
    dls_quad *r = DLS_NEW(&a, dls_quad, f->m), *t = DLS_NEW(&a, dls_quad, f->m);
    bool failed = a.failed;
    *omega = NAN;
    if (!failed && !dls_problem_is_global(f->problem) && !f->problem->rolling) {
        for (int c = 0; c < f->contacts; c++)
            exact_impulse(s, c, r + c * f->d, t + c * f->d);
        dls_extended_measure(s->extended, r);
        *omega = 0;
        for (int c = 0; c < f->contacts; c++) {
            double off = defect(s, c, t + c * f->d);
            if (off > 0) *omega = fmax(*omega, off / size(f, c, r));
        }
    }
    dls_arena_free(&a);
    return failed ? DLS_ENOMEM : DLS_OK;
}
