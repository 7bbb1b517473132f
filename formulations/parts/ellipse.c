// SPDX-License-Identifier: Apache-2.0
// Anisotropic friction, Moreau's law (31) with an elliptic section of the cone:
//
//     K = { (r_1 / mu)^2 + (r_2 / mu_2)^2 <= r_N^2 },   phi(u_T) = |(mu u_1, mu_2 u_2)|.
//
// With s = mu_2 / mu put r_2 = s r_2', u_2' = s u_2. Then r . u = r' . u', K is the round
// cone of coefficient mu, phi = mu |u_T'|, and
//
//     u' = S W S r' + S q,     S = diag(1, 1, s) at each contact:
//
// this is exactly Coulomb's law, and every method for Coulomb's law solves it. In the
// global form H' = S H, w' = S w. The axes of the ellipse are the tangents of the contact's
// frame.
#include "formulations/parts/ellipse.h"

#include "formulations/parts/frames.h"

// s of a row.
static double stretch(const struct dls_problem *p, int row)
{
    int contact = row / p->d;
    return row % p->d == 2 ? p->mu_2[contact] / p->mu[contact] : 1;
}

static double *scaled(const struct dls_problem *p, const double *x, struct dls_arena *a)
{
    double *to = dls_copy(a, x, (size_t)p->m, sizeof *x);
    for (int i = 0; x && to && i < p->m; i++) to[i] *= stretch(p, i);
    return x ? to : NULL;
}

// S A, and S A S where A maps impulses.
static struct dls_csr *scaled_rows(const struct dls_problem *p, const struct dls_csr *A,
                                   bool columns, struct dls_arena *a)
{
    struct dls_csr *to = A ? DLS_NEW(a, struct dls_csr, 1) : NULL;
    if (!to) return NULL;
    *to = *A; // the pattern is shared
    to->x = dls_copy(a, A->x, (size_t)dls_csr_count(A), sizeof *A->x);
    for (int i = 0; to->x && i < A->rows; i++)
        for (int k = A->p[i]; k < A->p[i + 1]; k++)
            to->x[k] *= stretch(p, i) * (columns ? stretch(p, A->j[k]) : 1);
    return to;
}

bool dls_ellipse_round(struct dls_problem *to, const struct dls_problem *p,
                       struct dls_arena *a)
{
    *to = *p;
    if (!p->mu_2) return true;
    if (!dls_problem_rows(to, a)) return false;
    to->H = scaled_rows(p, to->H, false, a);
    to->W = scaled_rows(p, p->W, true, a);
    to->V = scaled_rows(p, p->V, false, a);
    to->frames = NULL;
    to->w = scaled(p, p->w, a);
    to->q = scaled(p, p->q, a);
    to->u_minus = scaled(p, p->u_minus, a);
    to->w_ob = scaled(p, p->w_ob, a);
    to->solution_r = to->guess_r = NULL;
    to->mu_2 = NULL;
    to->velocities = NULL; // those behind the other W
    return !a->failed;
}

void dls_ellipse_stretch(const struct dls_problem *p, double *r)
{
    for (int i = 0; p->mu_2 && i < p->m; i++) r[i] *= stretch(p, i);
}

void dls_ellipse_shrink(const struct dls_problem *p, double *r)
{
    for (int i = 0; p->mu_2 && i < p->m; i++) r[i] /= stretch(p, i);
}
