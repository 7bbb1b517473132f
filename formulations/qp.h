// SPDX-License-Identifier: Apache-2.0
// The formulation `qp`: one convex quadratic program per outer iteration; see qp.c.
#ifndef DLS_FORMULATIONS_QP_H
#define DLS_FORMULATIONS_QP_H

#include "formulations/delassus.h"
#include "formulations/formulation.h"
#include "formulations/parts/inertia.h"
#include "formulations/parts/polygon.h"

enum dls_qp_outer {
    DLS_QP_TRESCA,      // the thresholds mu r_N are frozen
    DLS_QP_DESAXCE,     // the shift mu |u_T| is frozen
    DLS_QP_CONVEX,      // no shift: the convex relaxation
    DLS_QP_FRICTIONLESS // no friction
};

enum dls_qp_cone {
    DLS_QP_ADAPTED, // a square around the disk that touches it where the contact slips
    DLS_QP_FACETS,  // a fixed polygon with its vertices on the disk
    DLS_QP_BOX      // |r_T1|, |r_T2| <= mu r_N
};

struct dls_qp_options {
    int form, outer, cone, facets;
};

// What does not change between outer iterations. The program in nondimensional unknowns
//     minimise 1/2 x.P x + c.x   subject to   l <= A x <= h
// has z = (x, y, e): y the multipliers (P x + c + A^T y = 0) and, with an adapted cone in
// 3D, e the unit vectors that turn the polygons.
struct dls_qp {
    const struct dls_problem *problem;
    bool primal, adapted; // adapted: e is part of z
    enum dls_qp_outer outer;
    struct dls_polygon polygon;
    double turn[2]; // of polygons that are not adapted
    bool round;     // the law itself has a disk: adapted, or no facets in 2D
    const char *relaxes;

    int x_size, y_size;
    int *first;           // contacts + 1: first row of each contact in A; joints follow
    int *slack;           // contacts: unknown t of a contact, -1 where it has none
    struct dls_csr *P;    // symmetric, both triangles
    struct dls_csr *skew; // the skew part of W or M, which P does not have; or NULL
    struct dls_csr *A;    // its pattern; the values are dls_qp_frozen's
    double impulse, velocity; // units: r = impulse * r^, u = velocity * u^
    double *W_TT;             // contacts: mean of the tangential diagonal of W_aa
    const double *q;          // free local velocity

    struct dls_delassus dual;
    struct dls_inertia *inertia; // of a global problem
    struct dls_csr *local; // local velocities or impulses of x: H, or the identity
    double *r, *u, *work;  // scratch; work has n + joints or x_size, zero between calls
};

// The data of one outer iteration, owned by the solver.
struct dls_qp_frozen {
    double *c, *l, *h;
    double *P, *A; // values in the order of P and A; they move only where `adapted`
};

extern const struct dls_formulation dls_formulation_qp;

// Sizes, units, P, the pattern of A, the label.
enum dls_status dls_qp_build(struct dls_qp *, const struct dls_problem *,
                             const struct dls_qp_options *, struct dls_arena *,
                             struct dls_error *);

// Room for the data of one iteration; false when memory runs out.
bool dls_qp_frozen_create(struct dls_qp_frozen *, const struct dls_qp *,
                          struct dls_arena *);

// Freezes shift or thresholds at z and turns the adapted polygons (in z too).
void dls_qp_freeze(const struct dls_qp *, double *z, struct dls_qp_frozen *);

#endif
