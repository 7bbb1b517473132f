// SPDX-License-Identifier: Apache-2.0
// The formulation `bodies`: M^-1 and H by bodies, W never formed; see bodies.c.
#ifndef DLS_FORMULATIONS_BODIES_H
#define DLS_FORMULATIONS_BODIES_H

#include "formulations/formulation.h"
#include "formulations/parts/frames.h"
#include "formulations/parts/inertia.h"

// Entry e is one body touched by one contact; its blocks are H_ab (d x k by rows) and
// X_ab = M_b^-1 H_ab^T (kept transposed, d x k by rows), k the body's velocities.
struct dls_bodies {
    const struct dls_problem *problem;
    struct dls_inertia *inertia;
    const struct dls_frames *frames; // where given, there are no blocks; else NULL
    int *p;                          // contacts + 1: first entry of each contact
    int *body;                       // body of each entry, ascending within a contact
    size_t *at;                      // where each entry's blocks start in H and X
    double *H, *X;
    int *body_p;       // bodies + 1: first of each body's entries in the list
    int *body_entry;   // entries of each body, by ascending contact
    int *body_contact; // and their contacts
};

extern const struct dls_formulation dls_formulation_bodies;

// The same data without the formulation's frame; DLS_UNSUPPORTED with a sentence where M
// is not block diagonal. `in` is borrowed.
enum dls_status dls_bodies_build(struct dls_bodies **, const struct dls_problem *,
                                 struct dls_inertia *in, struct dls_arena *,
                                 struct dls_error *);

static inline int dls_bodies_size(const struct dls_bodies *f, int body)
{
    return f->inertia->start[body + 1] - f->inertia->start[body];
}

#endif
