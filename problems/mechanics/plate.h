// SPDX-License-Identifier: Apache-2.0
// An elastic rectangle of linear triangles that may touch a rigid ground; see plate.c.
#ifndef DLS_PROBLEMS_MECHANICS_PLATE_H
#define DLS_PROBLEMS_MECHANICS_PLATE_H

#include "problems/mechanics/system.h"

struct dls_plate {
    struct dls_system system;
    int across, up; // cells along x and y, two triangles each
    double width, height, young, poisson, density;
    double curvature; // of the ground: its gap is curvature x^2 / 2 at rest; or 0
    struct dls_law law;
    // Traction on the upper edge at time t, per length; NULL: none.
    void (*traction)(const struct dls_plate *, double t, double *normal,
                     double *tangential);
    const void *data;  // for the traction
    struct dls_csr *K; // stiffness
    double *x, *y;     // of the nodes, at rest
    double *lever;     // of the nodes of the upper edge: length that each carries
};

// q = displacements (x, y) of the nodes, row by row from below, x = 0 in the middle. Fills
// `system` and what follows from the other members; memory from the arena.
enum dls_status dls_plate_open(struct dls_plate *, struct dls_arena *);

// Number of the node of column i and row k.
int dls_plate_node(const struct dls_plate *, int i, int k);

#endif
