// SPDX-License-Identifier: Apache-2.0
// Coulomb's law between Lorentz cones.
//
// With P = diag(mu, 1, 1) the cone K = { |r_T| <= mu r_N } is P^-1 L and its dual is P L,
// L the Lorentz cone. So for any factor c > 0 a contact and any unit > 0
//
//     x = P r / (c unit),   y = c P^-1 u~ / unit,     u~ = u + mu |u_T| e_N,
//
//     y = W' x + q' + s e_N,   L ∋ x ⟂ y ∈ L,   s = |y_T|,
//
// with t = c (1/mu, 1, 1), W' = t W t, q' = t q / unit. The shift s is kept outside: for
// a frozen s this is a convex problem where W is positive semidefinite, the ACLM inner
// problem [Acary2011].
//
// Scaling: c makes the mean diagonal entry of W'_aa one, unit is the root mean square of
// t q. A contact without friction is a scalar of its own: its tangential t is 0, hence
// r_T = 0 and x_T, y_T take no part.
#include "formulations/socp.h"

#include "formulations/parts/lorentz.h"
#include "formulations/velocities/velocities.h"

#include "base/deadline.h"

#include <math.h>
#include <string.h>

// t of one contact from its diagonal block; a block without positive diagonal has c = 1.
static void scale_contact(int d, double mu, const double *W_aa, double *t)
{
    bool friction = d > 1 && mu > 0;
    double sum = 0;
    t[0] = friction ? 1 / mu : 1;
    for (int i = 1; i < d; i++) t[i] = friction;
    for (int i = 0; i < d; i++) sum += t[i] * t[i] * W_aa[i * d + i];
    double c = sum > 0 ? sqrt((friction ? d : 1) / sum) : 1;
    for (int i = 0; i < d; i++) t[i] *= c;
}

static void scale(struct dls_socp *f, const struct dls_delassus *D)
{
    int d = f->d;
    double sum = 0, *to = f->W.x;
    for (int a = 0; a < f->contacts; a++)
        scale_contact(d, D->mu[a], dls_bsr_diagonal(D->W, a), f->t + a * d);
    for (int a = 0; a < f->contacts; a++)
        for (int k = D->W->p[a]; k < D->W->p[a + 1]; k++)
            for (int i = 0; i < d * d; i++)
                *to++ = f->t[a * d + i / d] * dls_bsr_block(D->W, k)[i]
                        * f->t[D->W->j[k] * d + i % d];
    for (int k = 0; k < f->m; k++) {
        f->q[k] = f->t[k] * D->q[k];
        sum += f->q[k] * f->q[k];
    }
    f->unit = sum > 0 ? sqrt(sum / f->m) : 1;
    for (int k = 0; k < f->m; k++) f->q[k] /= f->unit;
}

// The matrices behind W, where the owner of the velocities has or finds them.
static enum dls_status find_velocities(struct dls_socp *f, const struct dls_delassus *D,
                                       struct dls_arena *a)
{
    enum dls_status status = dls_velocities_find(D);
    if (status != DLS_OK) return status == DLS_UNSUPPORTED ? DLS_OK : status;
    f->H = dls_velocities_scaled(D->velocities, f->t, a);
    f->M = D->velocities->M;
    return f->H ? DLS_OK : DLS_ENOMEM;
}

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    (void)opt;
    if (p->rolling)
        return dls_fail(err, DLS_UNSUPPORTED, "the cone of rolling is no Lorentz cone");
    struct dls_delassus *D = DLS_NEW(a, struct dls_delassus, 1);
    struct dls_socp *f = *form = DLS_NEW(a, struct dls_socp, 1);
    if (a->failed) return DLS_ENOMEM;
    enum dls_status status = dls_delassus_build(D, p, a, err);
    if (status != DLS_OK) return status;
    if (!dls_deadline_allows(0)) return DLS_MAX_TIME; // as much work again is to come
    *f = (struct dls_socp){
        .problem = p,
        .contacts = p->contacts,
        .d = p->d,
        .m = p->m,
        .W = *D->W,
        .q = DLS_NEW(a, double, p->m),
        .t = DLS_NEW(a, double, p->m),
    };
    f->W.x = DLS_NEW(a, double, (size_t)D->W->p[p->contacts] * (size_t)(p->d * p->d));
    if (a->failed) return DLS_ENOMEM;
    scale(f, D);
    f->symmetric = dls_bsr_asymmetry(&f->W) <= 1e-13; // round-off of a condensed W
    return find_velocities(f, D, a);
}

static int size(const void *form) { return ((const struct dls_socp *)form)->m; }

static void start(const void *form, const double *r, double *x)
{
    const struct dls_socp *f = form;
    for (int k = 0; k < f->m; k++) x[k] = f->t[k] > 0 ? r[k] / (f->unit * f->t[k]) : 0;
}

static void lift(const void *form, const double *x, double *r)
{
    const struct dls_socp *f = form;
    for (int k = 0; k < f->m; k++) r[k] = f->unit * f->t[k] * x[k];
}

void dls_socp_shift(const struct dls_socp *f, const double *y, double *s)
{
    for (int a = 0; a < f->contacts; a++) s[a] = dls_lorentz_norm(f->d, y + a * f->d);
}

const struct dls_formulation dls_formulation_socp = {
    .name = "socp",
    .brief = "y = W' x + q' + s e_N between Lorentz cones, shift s outside",
    .build = build,
    .size = size,
    .start = start,
    .lift = lift,
};
