// SPDX-License-Identifier: Apache-2.0
// Contact functions made of projections.
//
//     Alart-Curnier [AlartCurnier1991]     F_N = r_N - [r_N - u_N]+
//                                          F_T = r_T - P_D(g)(r_T - u_T),
//                                          g = mu [r_N - u_N]+
//     Jean-Moreau [JeanMoreau1987]         the same with g = mu [r_N]+
//     natural map [Acary2018]              F = r - P_K(r - u - mu |u_T| e_N)
//
// Notation: [.]+ the positive part, D(g) the disk of radius g. At a kink the derivatives are
// those of one side: of open where open meets stick or slip, of stick where stick meets
// slip. With mu = 0 all three functions are r_N - [r_N - u_N]+ and r_T.
#include "solvers/contact/contact_function.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double tangent_norm(int d, const double *x)
{
    return d == 1 ? 0 : d == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

static double *open_row(int d, int i, const double *r, struct dls_contact_value *v)
{
    v->F[i] = r[i]; // the row of an impulse that vanishes
    v->F_r[i * d + i] = 1;
    return v->F_r + i * d;
}

static void closed_row(int d, int i, const double *u, struct dls_contact_value *v)
{
    v->F[i] = u[i]; // the row of a velocity that vanishes
    v->F_u[i * d + i] = 1;
}

// F_T = r_T - g t, t = z_T / |z_T|, z = r - u; the caller adds the derivatives of g.
static void slip_rows(int d, double g, const double *z, const double *r,
                      struct dls_contact_value *v)
{
    double length = tangent_norm(d, z);
    for (int i = 1; i < d; i++) {
        v->F[i] = r[i] - g * z[i] / length;
        for (int l = 1; l < d; l++) {
            double turn = // g dt/dz = g (I - t t^T) / |z_T|
                g / length * ((i == l) - z[i] * z[l] / (length * length));
            v->F_r[i * d + l] = (i == l) - turn;
            v->F_u[i * d + l] = turn;
        }
    }
}

// The normal row and the friction disk of radius mu [n]+, where n = r_N - c u_N.
static void disk_function(int d, double mu, double c, const double *r, const double *u,
                          struct dls_contact_value *v)
{
    double z[3], n = r[0] - c * u[0];
    for (int i = 0; i < d; i++) z[i] = r[i] - u[i];
    memset(v, 0, sizeof *v);
    if (z[0] > 0)
        closed_row(d, 0, u, v);
    else
        open_row(d, 0, r, v);
    if (!(mu * n > 0)) {
        for (int i = 1; i < d; i++) open_row(d, i, r, v);
        return;
    }
    double length = tangent_norm(d, z);
    if (length <= mu * n) {
        for (int i = 1; i < d; i++) closed_row(d, i, u, v);
        return;
    }
    slip_rows(d, mu * n, z, r, v);
    for (int i = 1; i < d; i++) { // dg = mu (dr_N - c du_N)
        v->F_r[i * d] = -mu * z[i] / length;
        v->F_u[i * d] = c * mu * z[i] / length;
    }
}

void dls_contact_alart_curnier(int d, double mu, const double *r, const double *u,
                               struct dls_contact_value *v)
{
    disk_function(d, mu, 1, r, u, v);
}

void dls_contact_jean_moreau(int d, double mu, const double *r, const double *u,
                             struct dls_contact_value *v)
{
    disk_function(d, mu, 0, r, u, v);
}

// p = P_K(z) and its derivative D for mu > 0, d > 1.
static void project(int d, double mu, const double *z, double *p, double *D)
{
    double a = tangent_norm(d, z), one = 1 + mu * mu;
    memset(p, 0, (size_t)d * sizeof *p);
    memset(D, 0, (size_t)(d * d) * sizeof *D);
    if (z[0] + mu * a <= 0) return;
    if (a <= mu * z[0]) {
        memcpy(p, z, (size_t)d * sizeof *p);
        for (int i = 0; i < d; i++) D[i * d + i] = 1;
        return;
    }
    double n = (z[0] + mu * a) / one, edge[3] = {1, mu * z[1] / a};
    if (d == 3) edge[2] = mu * z[2] / a;
    for (int i = 0; i < d; i++) {
        p[i] = n * edge[i];
        for (int l = 0; l < d; l++) {
            D[i * d + l] = edge[i] * edge[l] / one;
            if (i && l) // the turn of the edge
                D[i * d + l] += mu * n / a * ((i == l) - z[i] * z[l] / (a * a));
        }
    }
}

void dls_contact_slip_direction(int d, const double *r, const double *u, double *t)
{
    double slip = tangent_norm(d, u), push = tangent_norm(d, r);
    for (int i = 1; i < d; i++)
        t[i - 1] = slip > 0 ? u[i] / slip : push > 0 ? -r[i] / push : i == 1;
}

void dls_contact_natural_map(int d, double mu, const double *r, const double *u,
                             struct dls_contact_value *v)
{
    if (d == 1 || mu == 0) {
        disk_function(d, mu, 1, r, u, v);
        return;
    }
    double z[3], p[3], t[2], *D = v->F_u;
    for (int i = 0; i < d; i++) z[i] = r[i] - u[i];
    z[0] -= mu * tangent_norm(d, u);
    project(d, mu, z, p, D);
    dls_contact_slip_direction(d, r, u, t);
    for (int i = 0; i < d; i++) {
        v->F[i] = r[i] - p[i];
        for (int l = 0; l < d; l++) v->F_r[i * d + l] = (i == l) - D[i * d + l];
        for (int l = 1; l < d; l++) D[i * d + l] += D[i * d] * mu * t[l - 1];
    }
}

dls_contact_function *dls_contact_function_of(enum dls_contact_function_kind kind)
{
    switch (kind) {
    case DLS_ALART_CURNIER:
        return dls_contact_alart_curnier;
    case DLS_JEAN_MOREAU:
        return dls_contact_jean_moreau;
    case DLS_FISCHER_BURMEISTER:
        return dls_contact_fischer_burmeister;
    case DLS_NATURAL_MAP:
        break;
    }
    return dls_contact_natural_map;
}

// Largest eigenvalue of the symmetric part of W_TT.
static double largest_tangential(int d, const double *W)
{
    if (d == 2) return W[3];
    double mean = 0.5 * (W[4] + W[8]), half = 0.5 * (W[4] - W[8]),
           off = 0.5 * (W[5] + W[7]);
    return mean + sqrt(half * half + off * off);
}

void dls_contact_scales(int d, const double *W, double factor, double *s)
{
    double largest = 0;
    for (int k = 0; k < d * d; k++) largest = fmax(largest, fabs(W[k]));
    s[0] = sqrt(factor / (W[0] > 0 ? W[0] : largest));
    if (d == 1) return;
    double tangential = largest_tangential(d, W);
    for (int i = 1; i < d; i++)
        s[i] = sqrt(factor / (tangential > 0 ? tangential : largest));
}
