// SPDX-License-Identifier: Apache-2.0
// The step problem as a variational inequality on cones: u = W r + q and, per contact,
//
//     K* ∋ u + s e_N  ⟂  r ∈ K,    s = mu |u_T| + mu_r |u_R|   (coulomb)
//                                  s = 0                       (convex).
//
// With s the problem is Coulomb's [DeSaxce1998]. Without it, or with s frozen, and W
// symmetric it is the optimality condition of a convex program,
//
//     minimise 1/2 r . W r + q . r   over r in K,
//
// whose answer dilates where it slips: u_N = mu |u_T| instead of 0 [TasoraAnitescu2011].
// That is a relaxation: it is labelled, and has a residual of its own beside Coulomb's.
#include "formulations/shifted.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

struct shifted_options {
    int law;
};

static const struct dls_option options[] = {
    DLS_CHOICE(
        shifted_options, law, 0, "coulomb|convex",
        "with De Saxcé's shift of the normal velocity, or without: a relaxation"),
    {0},
};

// Without friction both laws are one, and nothing is relaxed.
static bool has_friction(const struct dls_problem *p)
{
    for (int a = 0; p->d > 1 && a < p->contacts; a++)
        if (p->mu[a] > 0 || (p->rolling && p->mu_r[a] > 0)) return true;
    return false;
}

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct shifted_options *o = opt;
    struct dls_shifted *f = *form = DLS_NEW(a, struct dls_shifted, 1);
    if (!f) return DLS_ENOMEM;
    enum dls_status status = dls_delassus_build(&f->delassus, p, a, err);
    if (status != DLS_OK) return status;
    f->cones = DLS_NEW(a, struct dls_cone, p->contacts);
    f->u = DLS_NEW(a, double, p->m);
    if (a->failed) return DLS_ENOMEM;
    for (int c = 0; c < p->contacts; c++)
        f->cones[c] =
            dls_cone_make(p->d, p->rolling, p->mu[c], p->rolling ? p->mu_r[c] : 0);
    f->convex = o->law;
    f->relaxes = f->convex && has_friction(p) ? "no shift" : NULL;
    return DLS_OK;
}

void dls_shifted_add(const struct dls_shifted *f, const double *u, double *F)
{
    int d = f->delassus.d;
    if (f->convex) return;
    for (int a = 0; a < f->delassus.contacts; a++)
        F[a * d] += dls_cone_shift(f->cones + a, u + a * d);
}

static int size(const void *form)
{
    return ((const struct dls_shifted *)form)->delassus.m;
}

static void copy(const void *form, const double *from, double *to)
{
    memcpy(to, from, (size_t)size(form) * sizeof *to);
}

double dls_shifted_residual(const struct dls_shifted *f, const double *r,
                            const double *u)
{
    const struct dls_delassus *D = &f->delassus;
    double sum = 0, norm = dls_norm(D->m, D->q), unit = norm > 1e-300 ? 1 / norm : 1;
    for (int a = 0; a < D->contacts; a++) {
        double y[5];
        const double *r_a = r + a * D->d, *u_a = u + a * D->d;
        for (int i = 0; i < D->d; i++) y[i] = r_a[i] - u_a[i];
        if (!f->convex) y[0] -= dls_cone_shift(f->cones + a, u_a);
        dls_cone_project(f->cones + a, y, y);
        for (int i = 0; i < D->d; i++) y[i] = unit * (r_a[i] - y[i]);
        sum += dls_dot(D->d, y, y); // of numbers of order 1: squares stay in range
    }
    return sqrt(sum);
}

static double residual(const void *form, const double *r)
{
    const struct dls_shifted *f = form;
    dls_bsr_multiply(f->delassus.W, r, f->delassus.q, f->u);
    return dls_shifted_residual(f, r, f->u);
}

static const char *relaxes(const void *form)
{
    return ((const struct dls_shifted *)form)->relaxes;
}

const struct dls_formulation dls_formulation_shifted = {
    .name = "shifted",
    .brief = "u = W r + q on cones, De Saxcé's shift in it or left out",
    .options = options,
    .options_size = sizeof(struct shifted_options),
    .build = build,
    .size = size,
    .start = copy,
    .lift = copy,
    .residual = residual,
    .relaxes = relaxes,
};
