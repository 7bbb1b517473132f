// SPDX-License-Identifier: Apache-2.0
// Answers chosen before the problem: a pair (r, u) that satisfies Coulomb's law
// exactly,
//
//   open   r = 0                          u_N in [0.1, 1], u_T any
//   stick  r_N in [0.5, 1.5], |r_T| <= 0.9 mu r_N       u = 0
//   slip   r_N in [0.5, 1.5], r_T = -mu r_N u_T/|u_T|   u_N = 0, |u_T| in [0.1, 1]
//
// with strict complementarity: no contact sits between two states. Whoever then sets
// q = u - W r has a problem with a known answer. States are spread by the fractional
// parts of k times the golden ratio, so that the shares hold for any number of contacts
// to within a few of them.
#include "problems/generators/known.h"

#include <stdbool.h>
#include <string.h>

// A random direction of size 1 in the d - 1 tangential rows of x.
static void direction(struct dls_rng *g, int d, double *x)
{
    double angle = dls_rng_range(g, 0, 6.283185307179586);
    if (d == 2) x[1] = angle < 3.141592653589793 ? 1 : -1;
    if (d == 3) x[1] = cos(angle), x[2] = sin(angle);
}

void dls_known_contact(const struct dls_mixture *mix, int k, double mu,
                       struct dls_rng *g, double *r, double *u)
{
    int d = mix->d;
    double turn = fmod(0.5 + k * 0.6180339887498949, 1);
    double normal = dls_rng_real(g), tangential = dls_rng_real(g), t[3] = {0};
    bool open = turn < mix->open, stick = !open && turn < mix->open + mix->stick;
    direction(g, d, t);
    memset(r, 0, (size_t)d * sizeof *r);
    memset(u, 0, (size_t)d * sizeof *u);
    if (open)
        u[0] = 0.1 + 0.9 * normal;
    else
        r[0] = 0.5 + normal;
    for (int i = 1; i < d; i++) {
        if (!stick) u[i] = (0.1 + 0.9 * tangential) * t[i];
        if (stick) r[i] = 0.9 * tangential * mu * r[0] * t[i];
        if (!open && !stick) r[i] = -mu * r[0] * t[i];
    }
}
