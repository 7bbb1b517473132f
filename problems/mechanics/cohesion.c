// SPDX-License-Identifier: Apache-2.0
// A cohesive zone with damage, in opening, in shear and in both [RaousCangemiCocou1999].
//
//     R_N = -beta^2 C_N <u_N>,   R_T = -beta^2 C_T u_T,   <x> = max(0, x)
//     y = C_N <u_N>^2 + C_T |u_T|^2,       stored energy  beta^2 y / 2
//     b beta' = -max(0, beta y - w),       beta(0) = 1,  0 <= beta <= 1
//
// Notation: u = opening, R = force of the layer, beta = intensity of adhesion (1 whole,
// 0 broken), y = drive, w = energy, b = viscosity, C_N, C_T = normal, tangential.
//
// With b = 0 beta is the least that was asked for, min(beta, w / y): elastic up to
// y = w, where the force along a straight path is greatest, sqrt(w C); then it falls as
// w^2 / (C u^3). Damage takes -beta y dbeta = -w dbeta: on any path
//     dissipated  w (1 - beta),    stored  w beta / 2  once damage has begun,
// so w is the energy that breaking costs, whatever the mode. Viscosity adds to it. A
// step of length h is implicit in beta:  b (beta - beta_0) / h = -(beta y - w). Its damage
// loses  (beta_0^2 - beta^2) / 2  times the mean of y where damage begins and of y at the
// end, which is w (beta_0 - beta) to second order.
#include "problems/mechanics/cohesion.h"

#include <math.h>

double dls_cohesion_drive(const struct dls_cohesion *law, int d, const double *u)
{
    double opened = fmax(0, u[0]), y = law->normal * opened * opened;
    for (int i = 1; i < d; i++) y += law->tangential * u[i] * u[i];
    return y;
}

double dls_cohesion_damage(const struct dls_cohesion *law, double beta, double drive,
                           double h)
{
    if (beta * drive <= law->energy) return beta;
    double b = law->viscosity / h;
    return (b * beta + law->energy) / (b + drive);
}

double dls_cohesion_lost(const struct dls_cohesion *law, const double beta[2],
                         const double drive[2])
{
    if (beta[1] == beta[0]) return 0;
    double begins = fmax(drive[0], law->energy / beta[0]); // beta y = w
    return 0.25 * (beta[0] * beta[0] - beta[1] * beta[1]) * (begins + drive[1]);
}

void dls_cohesion_force(const struct dls_cohesion *law, double beta, int d,
                        const double *u, double *R)
{
    R[0] = -beta * beta * law->normal * fmax(0, u[0]);
    for (int i = 1; i < d; i++) R[i] = -beta * beta * law->tangential * u[i];
}

double dls_cohesion_stored(double beta, double drive)
{
    return 0.5 * beta * beta * drive;
}
