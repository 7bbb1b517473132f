// SPDX-License-Identifier: Apache-2.0
// One sweep of Moreau's nonlinear Gauss-Seidel, the map that pgs repeats and that others
// accelerate; see gauss_seidel.c.
#ifndef DLS_SOLVERS_CONTACT_GAUSS_SEIDEL_H
#define DLS_SOLVERS_CONTACT_GAUSS_SEIDEL_H

#include "solvers/contact/contact.h"
#include "solvers/contact/stages.h"
#include "solvers/contact/sweep.h"
#include "solvers/solver.h"

#include "formulations/delassus.h"

struct dls_gauss_seidel {
    const struct dls_delassus *form; // borrowed
    dls_contact_solver *solve;
    struct dls_local_contact *contacts;
    struct dls_sweep sweep;
    bool staged;              // several threads may share a sweep, in the order
    struct dls_stages stages; // of these stages
    double omega, inverse;    // 1 / omega
    bool plain;               // no rolling rows
    bool small;               // W stays in a core's own cache from sweep to sweep
};

// Prepares all contacts; memory from the arena. DLS_UNSUPPORTED with a sentence for
// rolling rows and where W_NN <= 0.
enum dls_status dls_gauss_seidel_create(struct dls_gauss_seidel *,
                                        const struct dls_delassus *, double omega,
                                        enum dls_sweep_order, struct dls_arena *,
                                        struct dls_error *);

// Visits every contact once and counts the work. No allocation. r may start outside the
// cones; it ends inside.
void dls_gauss_seidel_sweep(struct dls_gauss_seidel *, double *r, struct dls_work *);

#endif
