// SPDX-License-Identifier: Apache-2.0
// Smooth motion while contacts are closed; see closed.c.
#ifndef DLS_PROBLEMS_SCHEMES_CLOSED_H
#define DLS_PROBLEMS_SCHEMES_CLOSED_H

#include "problems/mechanics/scheme.h"

// Contacts that are held: they may open, but not be entered.
struct dls_closed {
    int count, room;
    uint64_t *id;
    double *lambda; // their forces, and
    double *opens;  // u_N', at the last evaluation
    struct dls_arena *arena;
};

// Whether the contact is one of them.
bool dls_closed_has(const struct dls_closed *, uint64_t id);
// False when memory runs out.
bool dls_closed_add(struct dls_closed *, uint64_t id);
// Forgets the one at this place; the last one takes it.
void dls_closed_drop(struct dls_closed *, int at);

// What is asked for, and the answer.
struct dls_motion_at {
    double t;
    const double *q, *v;
    double *a;    // n, out: accelerations
    double power; // out: of the joints
};
// Errors of dls_step_open and dls_inertia_create; DLS_ENUMERIC where the forces are not
// found.
enum dls_status dls_closed_accelerate(struct dls_closed *, struct dls_sim *,
                                      struct dls_motion_at *, struct dls_error *);

#endif
