// SPDX-License-Identifier: Apache-2.0
// Convex quadratic programs whose outer fixed point is Coulomb's law.
//
//     dual     minimise 1/2 r.W r + (q + s e_N).r      r in K_k, or in a cylinder
//     primal   minimise 1/2 v.M v - f.v (+ s.t)        H v + w + s e_N in K_k*, G v = -b
//
// Notation: s = shift or threshold of a contact, frozen; K_k = cone over a polygon with k
// sides in place of the disk; n_i, p_i = normals and vertices of the polygon of radius 1;
// t = bound of |u_T|.
//
// Outer loops [Acary2018]
//   De Saxcé   s = mu |u_T|: cone n_i.r_T <= mu r_N; primal u_N + s + mu p_i.u_T >= 0.
//   Tresca     s = mu r_N: cylinder r_N >= 0, n_i.r_T <= s; primal u_N >= 0,
//              t + p_i.u_T >= 0 with the cost s t.
//   convex     the first with s = 0, one program [TasoraAnitescu2011].
// In 2D the disk is a segment, so the fixed points of the first two are Coulomb's. In 3D
// facets and boxes relax the disk and |u_T| becomes the support of the polygon at -u_T.
// The adapted square lies around the disk with one side tangent at the direction of
// r_T - u_T / W_TT, turned at each outer iteration: at a fixed point r_T is that tangent
// point and opposite to u_T, hence Coulomb's law without relaxation. In the dual form P
// gains the bend of the disk, |u_T| / (mu r_N) across that direction, as in sequential
// quadratic programming: without it the direction overshoots where contacts slip fast.
// The skew part of W or M has no place in a program: its product with the last x stands
// in the linear cost, and fixed points stay exact.
//
// Cost: one product with W, or with H, per outer iteration besides the program.
// Fails: rolling rows; primal form without M and H.
#include "formulations/qp.h"

#include "formulations/judge/cone.h"
#include "formulations/parts/qp_rows.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

static const struct dls_option options[] = {
    DLS_CHOICE(dls_qp_options, form, 0, "dual|primal",
               "the unknowns: impulses or velocities"),
    DLS_CHOICE(dls_qp_options, outer, DLS_QP_TRESCA,
               "tresca|desaxce|convex|frictionless", "what the outer loop freezes"),
    DLS_CHOICE(dls_qp_options, cone, DLS_QP_ADAPTED, "adapted|facets|box",
               "square or polygon in place of the disk in 3D"),
    DLS_INT(dls_qp_options, facets, 8, 4, DLS_POLYGON_SIDES,
            "sides of the polygon with cone=facets, an even number"),
    {0},
};

// --- lift and start -------------------------------------------------------------------

// Impulse of contact a from the multipliers of its rows: r = -sum of y_k g_k.
static void gather(const struct dls_qp *f, const double *z, int a, double r[3])
{
    double g[3];
    r[0] = r[1] = r[2] = 0;
    for (int i = f->first[a]; i < f->first[a + 1]; i++) {
        dls_qp_row(f, a, i - f->first[a], dls_qp_turn_of(f, z, a), g);
        for (int c = 0; c < f->problem->d; c++)
            r[c] -= f->impulse * z[f->x_size + i] * g[c];
    }
}

// p = projection on the law's own cone.
static void project(const struct dls_qp *f, const double *z, int a, const double *y,
                    double *p)
{
    int d = f->problem->d;
    if (dls_qp_kind_of(f, a) == DLS_QP_PLAIN || f->round) {
        double mu = dls_qp_kind_of(f, a) == DLS_QP_PLAIN ? 0 : f->problem->mu[a];
        struct dls_cone K = dls_cone_make(d, false, mu, 0);
        dls_cone_project(&K, y, p);
        return;
    }
    dls_polygon_project(&f->polygon, dls_qp_turn_of(f, z, a), f->problem->mu[a], y, p);
}

// The impulse of the program, brought into the cone that it respects in the limit only.
static void lift(const void *form, const double *z, double *r)
{
    const struct dls_qp *f = form;
    int d = f->problem->d;
    for (int a = 0; a < f->problem->contacts; a++) {
        double y[3];
        if (f->primal)
            gather(f, z, a, y);
        else
            for (int i = 0; i < d; i++) y[i] = f->impulse * z[a * d + i];
        project(f, z, a, y, r + a * d);
    }
}

// u = W r + q, with M's factor in the primal form; v stays in f->work there.
static void velocity_of(const struct dls_qp *f, const double *r, double *u)
{
    const struct dls_problem *p = f->problem;
    if (!f->primal) {
        dls_bsr_multiply(f->dual.W, r, f->q, u);
        return;
    }
    memcpy(f->work, p->f, (size_t)p->n * sizeof *f->work);
    dls_csr_add_transposed(p->H, 1, r, f->work);
    double *g = f->work + p->n;
    for (int k = 0; k < p->joints; k++) g[k] = -p->b[k];
    dls_inertia_solve(f->inertia, f->work, g, f->work, NULL);
    memcpy(u, p->w, (size_t)p->m * sizeof *u);
    dls_csr_add(p->H, 1, f->work, u);
}

// De Saxcé's shift, with the polygon's support in place of the norm where that is the law.
static double shift(const struct dls_qp *f, const double *z, int a, const double *u)
{
    double mu = f->problem->mu[a];
    if (dls_qp_kind_of(f, a) == DLS_QP_PLAIN || f->outer == DLS_QP_CONVEX) return 0;
    if (f->problem->d == 2) return mu * fabs(u[1]);
    if (f->round) return mu * sqrt(u[1] * u[1] + u[2] * u[2]);
    double back[2] = {-u[1], -u[2]};
    return mu * dls_polygon_support(&f->polygon, dls_qp_turn_of(f, z, a), back);
}

// Turns the polygon of contact a towards r_T - u_T / W_TT.
static void turn(const struct dls_qp *f, double *z, int a)
{
    const double *r = f->r + 3 * a, *u = f->u + 3 * a;
    double *e = z + f->x_size + f->y_size + 2 * a;
    double t1 = r[1] - u[1] / f->W_TT[a], t2 = r[2] - u[2] / f->W_TT[a];
    double norm = sqrt(t1 * t1 + t2 * t2);
    if (norm > 0) e[0] = t1 / norm, e[1] = t2 / norm;
}

// Weights >= 0 of the directions x, turned, with (N, T) = sum of weights times (normal,
// direction); what T leaves of N goes to all alike.
static void spread(const struct dls_qp *f, const double e[2], const double x[][2],
                   double normal, const double *N_T, double *weights)
{
    int sides = f->polygon.sides;
    double T[2] = {N_T[1], f->problem->d == 3 ? N_T[2] : 0}, ab[2];
    int i = dls_polygon_split(&f->polygon, e, x, T, ab);
    double rest = fmax(0, N_T[0] / normal - ab[0] - ab[1]) / sides;
    for (int k = 0; k < sides; k++) weights[k] = rest;
    weights[i] += ab[0];
    weights[(i + 1) % sides] += ab[1];
}

// Multipliers y of contact a for the impulse r and velocity u in f->r and f->u.
static void start_rows(const struct dls_qp *f, double *z, int a)
{
    const struct dls_polygon *P = &f->polygon;
    int d = f->problem->d, sides = P->sides;
    const double *r = f->r + a * d, *u = f->u + a * d, *e = dls_qp_turn_of(f, z, a);
    double *y = z + f->x_size + f->first[a], weights[DLS_POLYGON_SIDES];
    double mu = f->problem->mu[a];
    enum dls_qp_kind kind = dls_qp_kind_of(f, a);
    if (kind == DLS_QP_PLAIN) {
        for (int k = 0; k < f->first[a + 1] - f->first[a]; k++)
            y[k] = f->primal ? -fmax(0, r[k]) / f->impulse : -u[k] / f->velocity;
        return;
    }
    double N_T[3] = {0};
    for (int i = 1; i < d; i++) N_T[i] = f->primal ? r[i] : -u[i];
    if (f->primal) {
        N_T[0] = mu * r[0];
        spread(f, e, P->vertex, 1, N_T, weights);
        double unit = kind == DLS_QP_CONE ? mu * f->impulse : f->impulse;
        if (kind == DLS_QP_CYLINDER) *y++ = -fmax(0, r[0]) / f->impulse;
        for (int k = 0; k < sides; k++) y[k] = -weights[k] / unit;
        return;
    }
    N_T[0] = kind == DLS_QP_CONE ? u[0] + shift(f, z, a, u) : 0;
    spread(f, e, P->normal, mu * P->apothem, N_T, weights);
    if (kind == DLS_QP_CONE) {
        for (int k = 0; k < sides; k++) y[k] = weights[k] / f->velocity;
        return;
    }
    *y++ = -fmax(0, u[0]) / f->velocity;
    for (int k = 0; k < sides / 2; k++)
        y[k] = (weights[k] - weights[k + sides / 2]) / f->velocity;
}

static void start(const void *form, const double *r, double *z)
{
    const struct dls_qp *f = form;
    const struct dls_problem *p = f->problem;
    memset(z, 0, (size_t)(f->x_size + f->y_size) * sizeof *z);
    memcpy(f->r, r, (size_t)p->m * sizeof *r);
    velocity_of(f, r, f->u);
    for (int i = 0; !f->primal && i < p->m; i++) z[i] = r[i] / f->impulse;
    for (int i = 0; f->primal && i < p->n; i++) z[i] = f->work[i] / f->velocity;
    memset(f->work, 0, (size_t)f->x_size * sizeof *f->work);
    for (int a = 0; a < p->contacts; a++) {
        if (f->adapted) {
            z[f->x_size + f->y_size + 2 * a] = 1;
            z[f->x_size + f->y_size + 2 * a + 1] = 0;
            turn(f, z, a);
        }
        if (f->slack[a] >= 0) {
            double back[2] = {-f->u[a * p->d + 1], p->d == 3 ? -f->u[a * p->d + 2] : 0};
            z[f->slack[a]] =
                dls_polygon_support(&f->polygon, dls_qp_turn_of(f, z, a), back)
                / f->velocity;
        }
        start_rows(f, z, a);
    }
}

// --- the outer iteration --------------------------------------------------------------

bool dls_qp_frozen_create(struct dls_qp_frozen *to, const struct dls_qp *f,
                          struct dls_arena *a)
{
    *to = (struct dls_qp_frozen){
        .c = DLS_NEW(a, double, f->x_size),
        .l = DLS_NEW(a, double, f->y_size),
        .h = DLS_NEW(a, double, f->y_size),
        .P = DLS_NEW(a, double, dls_csr_count(f->P)),
        .A = DLS_NEW(a, double, dls_csr_count(f->A)),
    };
    return !a->failed;
}

// The linear cost without shift or thresholds.
static void free_cost(const struct dls_qp *f, const double *z, double *c)
{
    const struct dls_problem *p = f->problem;
    memset(c, 0, (size_t)f->x_size * sizeof *c);
    for (int i = 0; f->primal && i < p->n; i++) c[i] = -p->f[i] / f->impulse;
    for (int i = 0; !f->primal && i < p->m; i++) c[i] = f->q[i] / f->velocity;
    if (f->skew) dls_csr_add(f->skew, 1, z, c);
}

// P += kappa t t^T at contact a, t across its direction e, kappa = |u_T| / (mu r_N): the
// bend of the disk that the tangent side lacks.
static void add_bend(const struct dls_qp *f, const double *z, int a, double *P)
{
    const double *e = dls_qp_turn_of(f, z, a), *r = f->r + 3 * a, *u = f->u + 3 * a;
    double slip = sqrt(u[1] * u[1] + u[2] * u[2]), radius = f->problem->mu[a] * r[0];
    if (!(slip > 0) || !(radius > 0)) return;
    double kappa = fmin(slip / radius, 10 * f->W_TT[a]) * f->impulse / f->velocity;
    double t[2] = {-e[1], e[0]};
    for (int i = 0; i < 2; i++)
        for (int k = f->P->p[3 * a + 1 + i]; k < f->P->p[3 * a + 2 + i]; k++) {
            int l = f->P->j[k] - 3 * a - 1;
            if (l == 0 || l == 1) P[k] += kappa * t[i] * t[l];
        }
}

void dls_qp_freeze(const struct dls_qp *f, double *z, struct dls_qp_frozen *to)
{
    const struct dls_problem *p = f->problem;
    int d = p->d;
    lift(f, z, f->r);
    if (f->primal) { // u = H v + w of the program's own v
        memcpy(f->u, p->w, (size_t)p->m * sizeof *f->u);
        dls_csr_add(p->H, f->velocity, z, f->u);
    } else {
        velocity_of(f, f->r, f->u);
    }
    free_cost(f, z, to->c);
    memcpy(to->P, f->P->x, (size_t)dls_csr_count(f->P) * sizeof *to->P);
    for (int a = 0; a < p->contacts; a++) {
        if (f->adapted) turn(f, z, a);
        if (f->adapted && !f->primal) add_bend(f, z, a, to->P);
        double s = dls_qp_kind_of(f, a) == DLS_QP_CYLINDER
                       ? p->mu[a] * f->r[a * d]
                       : shift(f, z, a, f->u + a * d);
        if (f->slack[a] >= 0) to->c[f->slack[a]] = s / f->impulse;
        if (!f->primal && dls_qp_kind_of(f, a) == DLS_QP_CONE)
            to->c[a * d] += s / f->velocity;
        for (int i = f->first[a]; i < f->first[a + 1]; i++) {
            double g[3], bound[2];
            dls_qp_row(f, a, i - f->first[a], dls_qp_turn_of(f, z, a), g);
            dls_qp_bounds(f, a, i - f->first[a], s, g, bound);
            to->l[i] = bound[0];
            to->h[i] = bound[1];
        }
    }
    for (int k = 0; f->primal && k < p->joints; k++)
        to->l[f->first[p->contacts] + k] = to->h[f->first[p->contacts] + k] =
            -p->b[k] / f->velocity;
    dls_qp_fill(f, z, to->A);
}

// |r - P(r - u~)| / |q| with the cone and the shift of this formulation.
static double residual(const void *form, const double *z)
{
    const struct dls_qp *f = form;
    int d = f->problem->d;
    double norm = dls_norm(f->problem->m, f->q);
    lift(f, z, f->r);
    velocity_of(f, f->r, f->u);
    memset(f->work, 0, (size_t)f->x_size * sizeof *f->work);
    for (int a = 0; a < f->problem->contacts; a++) {
        double y[3], p[3], *r = f->r + a * d, *u = f->u + a * d;
        for (int i = 0; i < d; i++) y[i] = r[i] - u[i];
        y[0] -= shift(f, z, a, u);
        project(f, z, a, y, p);
        dls_axpy(d, -1, p, r);
    }
    return dls_norm(f->problem->m, f->r) / (norm > 1e-300 ? norm : 1);
}

// --- interface ------------------------------------------------------------------------

static enum dls_status build(void **form, const struct dls_problem *p, const void *opt,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_qp *f = *form = DLS_NEW(a, struct dls_qp, 1);
    return f ? dls_qp_build(f, p, opt, a, err) : DLS_ENOMEM;
}

static int size(const void *form)
{
    const struct dls_qp *f = form;
    return f->x_size + f->y_size + (f->adapted ? 2 * f->problem->contacts : 0);
}

static const char *relaxes(const void *form)
{
    return ((const struct dls_qp *)form)->relaxes;
}

static void destroy(void *form)
{
    dls_inertia_destroy(((struct dls_qp *)form)->inertia);
}

const struct dls_formulation dls_formulation_qp = {
    .name = "qp",
    .brief = "convex quadratic programs with shift or thresholds outside",
    .options = options,
    .options_size = sizeof(struct dls_qp_options),
    .build = build,
    .size = size,
    .start = start,
    .lift = lift,
    .residual = residual,
    .relaxes = relaxes,
    .destroy = destroy,
};
