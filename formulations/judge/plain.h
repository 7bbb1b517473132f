// SPDX-License-Identifier: Apache-2.0
// The natural maps of a plain contact for one or two rho at once: a round cone with
// mu <= 1, one tangent or two, no rolling rows.
//
// These are the formulas of cone.c with one part T and w = (1, mu), term by term, so that
// both give the same bits. What is the same for each rho is computed once, and there are
// no branches on the state of the contact, which no processor foresees. Squares that leave
// the range of numbers are left to cone.c: then `plain` is false.
#ifndef DLS_FORMULATIONS_JUDGE_PLAIN_H
#define DLS_FORMULATIONS_JUDGE_PLAIN_H

#include "formulations/judge/cone.h"

#include <math.h>

struct dls_plain {
    bool plain;       // the rest is right
    double u_T, r_T;  // |u_T|, |r_T|
    double length[2]; // |r - P_K(r - rho u~)| for each rho
    enum dls_contact_status status[2];
};

// |x|; `plain` falls where the square is not within the range of dls_norm, or not zero.
static inline double dls_plain_norm(int n, const double *x, bool *plain)
{
    if (n == 1) return fabs(x[0]);
    double square = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        square += x[i] * x[i];
        largest += fabs(x[i]);
    }
    *plain &= (square > 0x1p-900 && square < 0x1p1000) || largest == 0;
    return sqrt(square);
}

// `tangents` 1 or 2, `maps` 1 or 2: constants in the call.
static inline struct dls_plain dls_plain_natural(int tangents, int maps, double mu,
                                                 const double *r, const double *u,
                                                 const double *rho)
{
    struct dls_plain to = {.plain = true};
    to.u_T = dls_plain_norm(tangents, u + 1, &to.plain);
    to.r_T = dls_plain_norm(tangents, r + 1, &to.plain);
    for (int k = 0; k < maps; k++) {
        double y[2], C[3], d = 0, u_N = rho[k] * u[0], N = r[0] - u_N;
        for (int i = 0; i < tangents; i++) y[i] = r[1 + i] - rho[k] * u[1 + i];
        double a = dls_plain_norm(tangents, y, &to.plain), s = rho[k] * to.u_T;
        double sum = a + s;
        for (int i = 0; i < tangents; i++)
            d += r[1 + i] * ((y[i] - rho[k] * u[1 + i]) / sum);
        d = sum > 0 ? d : 0;
        double outside = a + mu * mu * s - mu * N; // (a - mu n) D
        bool opens = N + mu * d <= 0, slips = outside > 0;
        double square = slips ? mu * mu : 0, D = 1 + square;
        double e = slips && a > 0 ? outside / D / a : 0;
        C[0] = (square * r[0] + (u_N - mu * (slips ? d : -s))) / D;
        for (int i = 0; i < tangents; i++) C[1 + i] = rho[k] * u[1 + i] + e * y[i];
        for (int i = 0; i <= tangents; i++) C[i] = opens ? r[i] : C[i];
        to.length[k] = dls_plain_norm(1 + tangents, C, &to.plain);
        to.status[k] = opens ? DLS_OPEN : slips ? DLS_SLIP : DLS_STICK;
    }
    return to;
}

#endif
