// SPDX-License-Identifier: Apache-2.0
// Contact with friction as a linear complementarity problem, 0 <= z ⟂ A z + b >= 0.
//
// The disk |r_T| <= mu r_N becomes the polygon of directions d_1 ... d_k,
//
//     r_T = sum_i beta_i d_i,   beta >= 0,   sum_i beta_i <= mu r_N,
//
// and each contact with friction has the k + 2 unknowns z = (r_N, beta, lambda):
//
//     0 <= r_N    ⟂  u_N                        >= 0
//     0 <= beta_i ⟂  d_i . u_T + lambda         >= 0,    i = 1 ... k
//     0 <= lambda ⟂  mu r_N - sum_i beta_i      >= 0
//
// where lambda ends as max_i(-d_i . u_T), the speed of sliding. A contact with mu = 0
// has the unknown r_N alone, and d = 1 is the plain LCP A = W, b = q.
//
// Two directions, +1 and -1, make the law of plane friction *exact*, whatever W_NT is.
// In space it is a relaxation: r_T ends at a corner of the polygon, at an angle up to
// pi / k from -u_T, so that the natural residual falls like 1 / k and the bipotential
// gap r . u + mu r_N |u_T| = mu r_N |u_T| (1 - cos angle) like 1 / k^2. The corners lie
// on the circle (`inscribed`, the usual choice: never more friction than Coulomb's) or
// the sides touch it (`circumscribed`, |d_i| = 1 / cos(pi / k): it is never too weak).
//
// Method: the two classical ways to write the velocities.
//   stewart-trinkle [StewartTrinkle1996]: eliminated. With the rows of P, e_N and the
//     (0, d_i), A has the blocks P W P^T bordered by the rows of lambda; b = (P q, 0).
//   anitescu-potra [AnitescuPotra1997]: kept as unknowns without sign, W never formed:
//         M v - G^T g - H^T P^T z = f,   G v = -b_G,   P u = P (H v + w).
// z^T A z = sum mu r_N lambda + r . W r, or v . M v: A is copositive where W or M is
// positive semidefinite; Lemke's method then ends at an answer if bodies can have q.
//
// Cost: (k + 1)^2 entries for each block of W, or 2 (k + 1) for each row of H.
#include "formulations/lcp.h"

#include "base/vector.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const struct dls_option lcp_options[] = {
    DLS_INT(dls_lcp_options, facets, 8, 3, 99, "corners of the friction polygon (3D)"),
    DLS_CHOICE(dls_lcp_options, form, DLS_LCP_STEWART_TRINKLE,
               "stewart-trinkle|anitescu-potra",
               "velocities eliminated, or kept as unknowns"),
    DLS_CHOICE(dls_lcp_options, polygon, DLS_LCP_INSCRIBED, "inscribed|circumscribed",
               "polygon inside or around the circle (3D)"),
    DLS_REAL(dls_lcp_options, rotation, 0, -7, 7, "turns every polygon, radians (3D)"),
    DLS_INT(dls_lcp_options, seed, 0, 0, INT_MAX,
            "above 0: turns each contact's polygon by a random angle (3D)"),
    {0},
};

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_lcp *f = *form = DLS_NEW(a, struct dls_lcp, 1);
    return f ? dls_lcp_build(f, p, opt, a, err) : DLS_ENOMEM;
}

static void destroy(void *form)
{
    dls_inertia_destroy(((struct dls_lcp *)form)->inertia);
}

static int size(const void *form) { return ((const struct dls_lcp *)form)->n; }

static const char *relaxes(const void *form)
{
    return ((const struct dls_lcp *)form)->label;
}

// u of the impulses r; anitescu-potra leaves v and the multipliers of joints in z.
static void velocities(const struct dls_lcp *f, const double *r, double *z, double *u)
{
    const struct dls_problem *p = f->problem;
    if (!f->inertia) {
        dls_bsr_multiply(f->delassus.W, r, f->delassus.q, u);
        return;
    }
    double *rhs = f->work + p->m, *g = rhs + p->n;
    memcpy(rhs, p->f, (size_t)p->n * sizeof *rhs);
    dls_csr_add_transposed(p->H, 1, r, rhs); // f + H^T r
    for (int i = 0; i < p->joints; i++) g[i] = -p->b[i];
    dls_inertia_solve(f->inertia, rhs, g, z, z + p->n);
    memcpy(u, p->w, (size_t)p->m * sizeof *u);
    dls_csr_add(p->H, 1, z, u); // u = H v + w
}

// beta >= 0 with sum beta_i d_i = r_T: one or two neighbouring directions.
static void spread(const struct dls_lcp *f, int a, const double *r_T, double *beta)
{
    int k = f->facets;
    if (f->problem->d == 2) {
        beta[0] = fmax(0, r_T[0]), beta[1] = fmax(0, -r_T[0]);
        return;
    }
    memset(beta, 0, (size_t)k * sizeof *beta);
    for (int i = 0; i < k; i++) {
        int next = (i + 1) % k;
        const double *d = dls_lcp_direction(f, a, i),
                     *e = dls_lcp_direction(f, a, next);
        double det = d[0] * e[1] - d[1] * e[0];
        double s = (r_T[0] * e[1] - r_T[1] * e[0]) / det;
        double t = (d[0] * r_T[1] - d[1] * r_T[0]) / det;
        if (s < 0 || t < 0) continue;
        beta[i] = s, beta[next] = t;
        return;
    }
}

static void start(const void *form, const double *r, double *z)
{
    const struct dls_lcp *f = form;
    int d = f->problem->d;
    double *u = f->work;
    velocities(f, r, z, u);
    for (int a = 0; a < f->problem->contacts; a++) {
        double *z_a = z + f->first[a], *lambda = z_a + f->facets + 1;
        z_a[0] = fmax(0, r[a * d]);
        if (!dls_lcp_facets(f, a)) continue;
        spread(f, a, r + a * d + 1, z_a + 1);
        *lambda = 0;
        for (int i = 0; i < f->facets; i++) {
            double speed = 0; // -d_i . u_T
            for (int l = 1; l < d; l++)
                speed -= dls_lcp_direction(f, a, i)[l - 1] * u[a * d + l];
            *lambda = fmax(*lambda, speed);
        }
    }
}

static void lift(const void *form, const double *z, double *r)
{
    const struct dls_lcp *f = form;
    int d = f->problem->d;
    for (int a = 0; a < f->problem->contacts; a++) {
        const double *z_a = z + f->first[a];
        double p[DLS_LCP_LARGEST_D];
        for (int l = 0; l < d; l++) r[a * d + l] = 0;
        for (int i = 0; i <= dls_lcp_facets(f, a); i++) { // r = P^T z
            dls_lcp_row(f, a, i, p);
            for (int l = 0; l < d; l++) r[a * d + l] += p[l] * z_a[i];
        }
    }
}

void dls_lcp_slack(const struct dls_lcp *f, const double *z, double *w)
{
    memcpy(w, f->b, (size_t)f->n * sizeof *w);
    dls_csr_add_transposed(f->columns, 1, z, w);
}

// |min(z, A z + b)| / |b|, rows of free unknowns as equations; absolute where b = 0.
static double residual(const void *form, const double *z)
{
    const struct dls_lcp *f = form;
    double norm = dls_norm(f->n, f->b), *w = f->work;
    dls_lcp_slack(f, z, w);
    for (int i = f->free; i < f->n; i++) w[i] = fmin(z[i], w[i]);
    return dls_norm(f->n, w) / (norm > 1e-300 ? norm : 1);
}

const struct dls_formulation dls_formulation_lcp = {
    .name = "lcp",
    .brief = "0 <= z _|_ A z + b >= 0: exact in the plane, friction by facets in space",
    .options = lcp_options,
    .options_size = sizeof(struct dls_lcp_options),
    .build = build,
    .size = size,
    .start = start,
    .lift = lift,
    .residual = residual,
    .relaxes = relaxes,
    .destroy = destroy,
};
