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
    struct dls_sweep_contact *contact;      // one a contact
    struct dls_sweep_block *block;          // of the contacts whose W_aa is full
    const struct dls_body_inverse *inverse; // one a body; read where there are blocks
    int *place; // of a contact in `block` or -1; NULL where there are no blocks
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
