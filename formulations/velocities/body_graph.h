// SPDX-License-Identifier: Apache-2.0
// Which bodies may stand behind a Delassus matrix, told by its pattern. See body_graph.c.
#ifndef DLS_FORMULATIONS_VELOCITIES_BODY_GRAPH_H
#define DLS_FORMULATIONS_VELOCITIES_BODY_GRAPH_H

#include "base/bsr.h"

// Velocities of a rigid body whose contacts have d rows: 6 in space, 3 in the plane.
static inline int dls_body_velocities(int d) { return d == 3 ? 6 : 3; }

// Contacts that are coupled to the same contacts form a class: the contacts of one pair
// of bodies, or of one body and the ground. A body is a set of classes.
struct dls_body_graph {
    int contacts, classes, bodies;
    int *class_p;    // classes + 1: first member of each class
    int *member;     // contacts, class by class, ascending within a class
    int *body_p;     // bodies + 1: first entry of each body
    int *body_class; // the class of each entry
    int *class_body; // 2 a class: its bodies; the second is -1 where no other is seen
};

// DLS_UNSUPPORTED where the pattern is not that of rigid bodies in contact, DLS_ENOMEM
// where memory runs out.
enum dls_status dls_body_graph_build(struct dls_body_graph *, const struct dls_bsr *W,
                                     struct dls_arena *);

#endif
