// SPDX-License-Identifier: Apache-2.0
// The friction cone K = { |r_T| <= mu r_N } and, with rolling resistance,
// K = { |r_T| <= mu r_N, |r_R| <= mu_r r_N }; Euclidean projections. Elliptic:
// K = { (r_1 / mu)^2 + (r_2 / (s mu))^2 <= r_N^2 }, s = stretch.
#ifndef DLS_FORMULATIONS_JUDGE_CONE_H
#define DLS_FORMULATIONS_JUDGE_CONE_H

#include "formulations/problem.h"

#include <stdbool.h>

// The cone of one contact. T rows are 1 ... 1 + tangents, R rows follow.
struct dls_cone {
    int d, tangents, rolls; // d = 1 + tangents + rolls
    double mu, mu_r;
    double stretch; // of the second tangent; 1 = round
};

// Which part of the cone a projection lands on.
enum dls_contact_status { DLS_OPEN, DLS_STICK, DLS_SLIP };

// d = 1, 2, 3, or 3 and 5 with rolling.
struct dls_cone dls_cone_make(int d, bool rolling, double mu, double mu_r);

// p = P_K(y), in place allowed. Open: the apex. Stick: y was inside. Slip: a face.
enum dls_contact_status dls_cone_project(const struct dls_cone *, const double *y,
                                         double *p);

// mu |u_T| + mu_r |u_R|, De Saxcé's shift of the normal velocity; of an ellipse
// mu |(u_1, s u_2)|.
double dls_cone_shift(const struct dls_cone *, const double *u);

// |r - P_K(r - rho u~)|, u~ = u + shift e_N: zero where r and u obey the law. `status`
// is that of the projection.
double dls_cone_natural(const struct dls_cone *, const double *r, const double *u,
                        double rho, enum dls_contact_status *status);

// True where the tangential part of that projection lies on its face. A contact with
// rolling resistance may be at slip by its rolling rows alone.
bool dls_cone_slides(const struct dls_cone *, const double *r, const double *u,
                     double rho);

// max(|r_T| - mu r_N, |r_R| - mu_r r_N, -r_N): positive outside the cone.
double dls_cone_excess(const struct dls_cone *, const double *r);

#endif
