// SPDX-License-Identifier: Apache-2.0
// Flexible sides of a sample of disks in the plane, under pressure; see membrane.c.
#ifndef DLS_PROBLEMS_MECHANICS_MEMBRANE_H
#define DLS_PROBLEMS_MECHANICS_MEMBRANE_H

#include "problems/mechanics/rigid.h"

// The outer columns, left and right, each from below.
struct dls_membrane {
    struct dls_column {
        int count;
        int *disk;
    } * side; // two
    int disks;
    double *radius; // of all disks
    double pressure;
};

// Finds the columns among all bodies as they stand. False when memory runs out.
bool dls_membrane_find(struct dls_membrane *, const struct dls_rigid *,
                       struct dls_arena *);

// Finds them again at the state q.
void dls_membrane_follow(const struct dls_membrane *, const double *q);

// Springs between neighbours of a column, at rest as they stand.
void dls_membrane_springs(const struct dls_membrane *, struct dls_rigid *,
                          double stiffness);

// Adds the pressure to the forces F at the state q: on a disk the part of the height from
// `bottom` to `top` that is nearest to it in its column, so that each side receives
// pressure times height.
void dls_membrane_press(const struct dls_membrane *, const double *q, double bottom,
                        double top, double *F);

// The mean distance between the lines through the centres of both columns.
double dls_membrane_width(const struct dls_membrane *, const double *q);

#endif
