// SPDX-License-Identifier: Apache-2.0
// One sweep of Gauss-Seidel over contacts of rigid bodies given by frames; see
// frame_sweep.c.
#ifndef DLS_SOLVERS_CONTACT_FRAME_SWEEP_H
#define DLS_SOLVERS_CONTACT_FRAME_SWEEP_H

#include "solvers/contact/contact.h"
#include "solvers/contact/stages.h"
#include "solvers/solver.h"

#include "formulations/bodies.h"

struct dls_frame_sweep {
    const struct dls_bodies *form;
    dls_contact_solver *solve;
    double omega;
    bool staged;                 // several threads may share a sweep, in the order
    struct dls_stages stages;    // of these stages
    struct dls_sweep_body *body; // bodies, and behind them what stands for obstacles
    double *rhs;                 // f + H^T r
    // By places in the order of the sweep: which contacts are full, NULL where none is;
    // what a visit of a round one reads, and of a full one beside its frame and W_aa.
    bool *full;
    struct dls_sweep_round *round;
    struct dls_local_contact *local;
    const double *W; // W_aa of full contacts, by contacts
    const struct dls_body_inverse
        *inverse; // one a body; read where there are full ones
};

// Memory from the arena. DLS_UNSUPPORTED with a sentence where W_NN <= 0.
enum dls_status dls_frame_sweep_create(struct dls_frame_sweep *,
                                       const struct dls_bodies *, double omega,
                                       bool staged, struct dls_arena *,
                                       struct dls_error *);

// Velocities of the bodies from the impulses z: M v = f + H^T r.
void dls_frame_sweep_reset(struct dls_frame_sweep *, const double *z);

// Visits the contacts in the given order (NULL: 0, 1, 2, ..., or that of the stages);
// returns how many have several admissible answers.
long dls_frame_sweep_run(struct dls_frame_sweep *, const int *order, double *z);

#endif
