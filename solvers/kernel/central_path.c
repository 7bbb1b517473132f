// SPDX-License-Identifier: Apache-2.0
// The central path of Coulomb's law:
//
//     rest = W x + q + s(y) e_N - y - theta rho_0 = 0,    x o y = nu e,     x, y in L
//
// Notation: x, y, W, q of the formulation `socp`; o the Jordan product, e its unit;
// s = sqrt(|y_T|^2 + nu^2) - nu, De Saxcé's shift |y_T| made smooth, g its derivative by y;
// theta = nu / nu_0 = exp p; T the scaling of Nesterov and Todd, T^-1 x = T y = lambda.
//
// Newton's step at a fixed nu, with x o y = nu e linearised in the scaled space,
//
//     S dy = W dx + rest,   T^-1 dx + T dy = c,    lambda o c = nu e - lambda o lambda,
//
// S = I - e_N g^T, gives  (W + S T^-2) dx = S T^-1 c - rest,  dy = T^-1 c - T^-2 dx. The
// derivative by p has d rest / dp in place of rest and lambda o c = nu e. With
// Theta = (1 + alpha) T^-2 + beta I in place of T^-2 in the matrix, the first one is an
// implicit step of a flow (solvers/homotopy.c).
#include "solvers/kernel/central_path.h"

#include <math.h>
#include <string.h>

enum dls_status dls_central_path_create(struct dls_central_path *s,
                                        const struct dls_socp *f, struct dls_arena *a,
                                        struct dls_error *err)
{
    size_t m = (size_t)f->m;
    double *vectors = DLS_NEW(a, double, 6 * m);
    *s = (struct dls_central_path){
        .form = f,
        .scaling = DLS_NEW(a, struct dls_scaling, f->contacts),
    };
    if (a->failed) return DLS_ENOMEM;
    double **to[] = {&s->rho_0, &s->rest, &s->rest_p, &s->g, &s->c, &s->rhs};
    for (size_t k = 0; k < 6; k++) *to[k] = vectors + k * m;
    return dls_cone_system_create(&s->system, f, true, a, err);
}

void dls_central_path_destroy(struct dls_central_path *s)
{
    dls_cone_system_destroy(&s->system);
}

bool dls_central_path_start(struct dls_central_path *s, double distance,
                            struct dls_path_point *z)
{
    const struct dls_socp *f = s->form;
    size_t size = (size_t)f->m * sizeof *z->x;
    memset(z->x, 0, size);
    memset(z->y, 0, size);
    memset(s->rho_0, 0, size);
    for (int k = 0; k < f->m; k += f->d) z->x[k] = z->y[k] = distance;
    z->p = 0;
    s->nu_0 = distance * distance;
    if (!dls_central_path_look(s, z)) return false;
    memcpy(s->rho_0, s->rest, size);
    return true;
}

void dls_central_path_move(const struct dls_central_path *s,
                           const struct dls_path_point *z, double t,
                           const struct dls_path_point *d, struct dls_path_point *to)
{
    for (int k = 0; k < s->form->m; k++) {
        to->x[k] = z->x[k] + t * d->x[k];
        to->y[k] = z->y[k] + t * d->y[k];
    }
    to->p = z->p + t * d->p;
}

void dls_central_path_bend(const struct dls_central_path *s,
                           const struct dls_path_point *z, double t,
                           const struct dls_path_point *change,
                           struct dls_path_point *to)
{
    int d = s->form->d;
    double nu = dls_central_path_nu(s, z), ahead[3];
    for (int k = 0; k < s->form->m; k += d) {
        double rho = pow(dls_lorentz_determinant(d, z->x + k)
                             / dls_lorentz_determinant(d, z->y + k),
                         0.25);
        for (int i = 0, l = k; i < d; i++, l++)
            ahead[i] = z->x[l] + t * change->x[l] - rho * (z->y[l] + t * change->y[l]);
        dls_lorentz_pair(d, rho, nu, ahead, to->x + k, to->y + k);
    }
    to->p = z->p;
}

double dls_central_path_reach(const struct dls_central_path *s,
                              const struct dls_path_point *z,
                              const struct dls_path_point *change)
{
    int d = s->form->d, m = s->form->m;
    return fmin(dls_lorentz_reach_all(d, m, z->x, change->x),
                dls_lorentz_reach_all(d, m, z->y, change->y));
}

void dls_central_path_rest(struct dls_central_path *s, const struct dls_path_point *z)
{
    const struct dls_socp *f = s->form;
    double theta = exp(z->p), nu = dls_central_path_nu(s, z);
    dls_bsr_multiply(&f->W, z->x, f->q, s->rest);
    for (int k = 0; k < f->m; k++) s->rest[k] -= z->y[k] + theta * s->rho_0[k];
    for (int k = 0; k < f->m; k += f->d) {
        double speed = dls_lorentz_norm(f->d, z->y + k), root = hypot(speed, nu);
        s->rest[k] += speed * speed / (root + nu); // s(y)
    }
}

bool dls_central_path_scale(struct dls_central_path *s, const struct dls_path_point *z)
{
    const struct dls_socp *f = s->form;
    int d = f->d;
    double theta = exp(z->p), nu = dls_central_path_nu(s, z);
    for (int k = 0; k < f->m; k++) s->rest_p[k] = -theta * s->rho_0[k];
    for (int a = 0; a < f->contacts; a++) {
        const double *y = z->y + a * d;
        double root = hypot(dls_lorentz_norm(d, y), nu);
        s->rest_p[a * d] += nu * (nu / root - 1);
        s->g[a * d] = 0;
        for (int i = 1; i < d; i++) s->g[a * d + i] = y[i] / root;
        if (!dls_scaling_make(s->scaling + a, d, z->x + a * d, y)) return false;
    }
    return true;
}

bool dls_central_path_look(struct dls_central_path *s, const struct dls_path_point *z)
{
    dls_central_path_rest(s, z);
    return dls_central_path_scale(s, z);
}

bool dls_central_path_factor(struct dls_central_path *s, double alpha, double beta,
                             struct dls_work *work)
{
    struct dls_cone_shift shift = {s->g, alpha, beta};
    if (dls_cone_system_factor(&s->system, s->scaling, &shift, work)) return false;
    s->sign = dls_cone_system_sign(&s->system);
    return true;
}

bool dls_central_path_direct(struct dls_central_path *s, double nu, bool tangent,
                             struct dls_path_point *out, struct dls_work *work)
{
    int d = s->form->d;
    const double *rest = tangent ? s->rest_p : s->rest;
    for (int a = 0; a < s->form->contacts; a++) {
        const struct dls_scaling *T = s->scaling + a;
        double *v = s->c + a * d, along = 0;
        if (tangent)
            dls_cone_centre(T, d, nu, v);
        else
            dls_cone_newton(T, d, nu, NULL, NULL, v);
        for (int i = 1; i < d; i++) along += s->g[a * d + i] * v[i];
        for (int i = 0, k = a * d; i < d; i++, k++)
            s->rhs[k] = v[i] - (i == 0) * along - rest[k]; // S T^-1 c - rest
    }
    if (!dls_cone_system_solve(&s->system, s->rhs, out->x, out->y, work)) return false;
    for (int k = 0; k < s->form->m; k++) out->y[k] = s->c[k] - out->y[k];
    return true;
}

double dls_central_path_inner(const struct dls_central_path *s,
                              const struct dls_path_point *a,
                              const struct dls_path_point *b, double nu,
                              double *largest)
{
    int d = s->form->d;
    double sum = 0, most = 0;
    for (int k = 0; k < s->form->m; k += d) {
        const struct dls_scaling *T = s->scaling + k / d;
        double u[3], v[3], one = 0;
        dls_scaling_undo(T, d, a->x + k, u);
        dls_scaling_undo(T, d, b->x + k, v);
        for (int i = 0; i < d; i++) one += u[i] * v[i];
        dls_scaling_apply(T, d, a->y + k, u);
        dls_scaling_apply(T, d, b->y + k, v);
        for (int i = 0; i < d; i++) one += u[i] * v[i];
        most = fmax(most, one / nu);
        sum += one / nu;
    }
    if (largest) *largest = most;
    return sum / s->form->contacts;
}
