// SPDX-License-Identifier: Apache-2.0
// The glued contacts of a run: one bond each; see bonds.c.
#ifndef DLS_PROBLEMS_MECHANICS_BONDS_H
#define DLS_PROBLEMS_MECHANICS_BONDS_H

#include "problems/mechanics/cohesion.h"
#include "problems/mechanics/system.h"

// A contact that was closed when the run began and whose law has cohesion. No pointers:
// a checkpoint keeps it.
struct dls_bond {
    uint64_t id; // of the contact
    int body, other, obstacle;
    dls_vec3 at, other_at; // the point that was common, seen from either side
    dls_vec3 axis[3];      // normal and tangents, seen from the other side
    double beta, drive;    // after the last step
    struct dls_cohesion law;
};

// Sorted by identity.
struct dls_bonds {
    int count;
    struct dls_bond *all;
};

struct dls_sim;
struct dls_step;

// Glues what touches at the start of a run, where the system has bonds. DLS_ENOMEM;
// DLS_UNSUPPORTED where bodies come and go.
enum dls_status dls_bonds_open(struct dls_sim *);

// What the bonds do in a step that is taken at (t, q): s->glue, and the friction of the
// contacts that are still glued in part. DLS_ENOMEM.
enum dls_status dls_bonds_pull(struct dls_step *, const struct dls_sim *, double t,
                               const double *q);

// The step is over, at (t, q): keeps its damage and books the energies.
void dls_bonds_advance(struct dls_sim *, const struct dls_step *, double t,
                       const double *q);

#endif
