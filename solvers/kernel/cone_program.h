// SPDX-License-Identifier: Apache-2.0
// Interior point for one convex problem between Lorentz cones, with or without a margin
// to be made as large as possible; see cone_program.c.
#ifndef DLS_SOLVERS_KERNEL_CONE_PROGRAM_H
#define DLS_SOLVERS_KERNEL_CONE_PROGRAM_H

#include "solvers/linear/cone_system.h"
#include "solvers/solver.h"

struct dls_cone_program {
    const struct dls_socp *form; // W; its q takes no part
    const double *q;             // m
    bool margin;                 // tau is unknown; else it is 0
    double longest;              // step: 1, or less where the owner says so
    struct dls_cone_system system;
    struct dls_scaling *scaling;        // contacts
    double *x, *y;                      // m: the iterate
    double tau, pi;                     // the margin and the multiplier of tau <= 1
    double nu, off;                     // mean of x.y, and of the residual of y
    double *dx, *dy, *rho, *rhs, *unit; // m; unit = (W + T^-2)^-1 e_N
    double dtau, dpi;
};

// Takes memory and analyses W + T^-2; values of W and q may change between solves. Errors
// are those of dls_cone_system_create.
enum dls_status dls_cone_program_create(struct dls_cone_program *,
                                        const struct dls_socp *, const double *q,
                                        bool margin, struct dls_arena *,
                                        struct dls_error *);
void dls_cone_program_destroy(struct dls_cone_program *);

// The start: x and y are multiples of e_N, and tau is as far below zero as that asks for.
void dls_cone_program_start(struct dls_cone_program *);

// Computes rho, nu, off and the scalings at x, y; false where a point has left its cone by
// round-off.
bool dls_cone_program_look(struct dls_cone_program *);

// A predictor and corrector step from a point that was looked at; `t` receives its length,
// 0 where the algebra failed.
enum dls_status dls_cone_program_iterate(struct dls_cone_program *, double *t,
                                         struct dls_work *);

// Both: DLS_OK, or DLS_FINISHED where nu is below 1e-20 and off below 1e-14, or nothing
// moves any more.
enum dls_status dls_cone_program_step(struct dls_cone_program *, struct dls_work *);

#endif
