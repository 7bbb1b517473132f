// SPDX-License-Identifier: Apache-2.0
// The formulation `shifted`: the cone problem of the Delassus operator, with De Saxcé's
// shift (Coulomb's law) or without it (its convex relaxation); see shifted.c.
#ifndef DLS_FORMULATIONS_SHIFTED_H
#define DLS_FORMULATIONS_SHIFTED_H

#include "formulations/delassus.h"
#include "formulations/judge/cone.h"

struct dls_shifted {
    struct dls_delassus delassus;
    struct dls_cone *cones; // contacts
    bool convex;            // no shift
    const char *relaxes;    // label, or NULL
    double *u;              // m, scratch of the residual
};

extern const struct dls_formulation dls_formulation_shifted;

// F_N += shift of u at every contact; nothing where the law is convex.
void dls_shifted_add(const struct dls_shifted *, const double *u, double *F);

// |r - P_K(r - u - s e_N)| / |q| for known u = W r + q.
double dls_shifted_residual(const struct dls_shifted *, const double *r,
                            const double *u);

#endif
