// SPDX-License-Identifier: Apache-2.0
// Local strain between two instants, and the band in which it gathers; see strain.c.
#ifndef DLS_PROBLEMS_OBSERVE_STRAIN_H
#define DLS_PROBLEMS_OBSERVE_STRAIN_H

#include "problems/observe/field.h"

// Deviatoric strain about each grain, from the displacements of those that start within
// `reach` of it: half the difference of the principal strains. NAN where fewer than three
// are there, or all on one line.
void dls_local_shear(const struct dls_displaced *, double reach, double *shear);

// The displacement gradient that fits all of them best: u = mean + gradient (x - mean x).
// False where the places lie on one line.
struct dls_affine {
    dls_vec3 from, mean;
    double gradient[2][2];
};
bool dls_affine_fit(const struct dls_displaced *, struct dls_affine *);
dls_vec3 dls_affine_at(const struct dls_affine *, dls_vec3 from);

// A straight band among points of the plane.
struct dls_band {
    double angle,
        error; // from the x axis, degrees in (-90, 90]; atan(width / 2 length)
    dls_vec3 through;
    double length;
    int count; // points in it
};
// The strip of that width with most of the points chosen, then the line with the least
// squares of distances from those in it. False with fewer than three points.
bool dls_band_fit(int count, const dls_vec3 *at, double width, struct dls_band *);

#endif
