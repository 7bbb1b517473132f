// SPDX-License-Identifier: Apache-2.0
// An elastic bar of linear finite elements that may touch a wall; see bar.c.
#ifndef DLS_PROBLEMS_MECHANICS_BAR_H
#define DLS_PROBLEMS_MECHANICS_BAR_H

#include "problems/mechanics/system.h"

struct dls_bar {
    struct dls_system system;
    int elements;
    double length, section, young, density;
    double gap; // of node 0 from the wall, in the undeformed position
    struct dls_law law;
    // Pull on the last node at time t; NULL: none.
    double (*pull)(const struct dls_bar *, double t);
};

// q = displacements of the elements + 1 nodes. Fills `system` from the other members.
void dls_bar_open(struct dls_bar *);

double dls_bar_mass(const struct dls_bar *);

#endif
