// SPDX-License-Identifier: Apache-2.0
// Projection steps for the variational inequality of the step problem; see vi.c.
//
//     z = P(z - rho D F(z)),   F(z) = W z + q (+ De Saxcé's shift)
#ifndef DLS_SOLVERS_KERNEL_VI_H
#define DLS_SOLVERS_KERNEL_VI_H

#include "formulations/delassus.h"
#include "formulations/judge/cone.h"

#include <stdbool.h>

// Where z is projected, and whether F carries the shift (mu |u_T| + mu_r |u_R|) e_N.
enum dls_vi_set {
    DLS_VI_CONES,      // K, with the shift: the Coulomb problem itself
    DLS_VI_CYLINDERS,  // r_N >= 0, |r_T| <= mu s_N, s_N frozen: Tresca's problem
    DLS_VI_THRESHOLDS, // r_N >= 0, then |r_T| <= mu r_N: Uzawa's update
};

struct dls_vi {
    const struct dls_delassus *form;
    enum dls_vi_set set;
    struct dls_cone *cone;     // contacts
    double *frozen;            // contacts: s_N of the cylinders, zero at first
    double *D;                 // contacts: metric of each contact's rows
    double rho;                // the step; the caller may set it
    double rho_min;            // below it the ratio test holds by theory
    double defect;             // |z - P(z - rho D F)| / rho in the metric, last call
    double *F, *F_bar, *z_bar; // m each
};

// Takes all memory from the arena; rho starts at the inverse of the largest diagonal
// block. Scaled: D_a = 1 / |W_aa|; else D = 1.
enum dls_status dls_vi_create(struct dls_vi *, const struct dls_delassus *,
                              enum dls_vi_set, bool scaled, struct dls_arena *);

// One iteration with the step adapted (predictor, ratio test, corrector). No
// allocation. Returns the number of products with W.
int dls_vi_step(struct dls_vi *, double *z);

// One plain projection with rho as it stands: z <- P(z - rho D F(z)); one product.
void dls_vi_step_fixed(struct dls_vi *, double *z);

// Cylinders: s_N <- max(0, z_N).
void dls_vi_freeze(struct dls_vi *, const double *z);

#endif
