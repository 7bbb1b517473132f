// SPDX-License-Identifier: Apache-2.0
// Forces on obstacles: by annuli or strips of the ground, and over a window of time; see
// pressure.c.
#ifndef DLS_PROBLEMS_OBSERVE_PRESSURE_H
#define DLS_PROBLEMS_OBSERVE_PRESSURE_H

#include "problems/observe/observed.h"

// Pressure on the ground in `count` bins of equal width from `from` on: annuli of radius
// in space, strips of x (per unit depth) in the plane. Contacts with obstacles
// first <= number < last count, at the projection of the contact point.
struct dls_bins {
    double axis; // x of the axis in the plane
    double from, width;
    int count, first, last;
};
// p[k]; returns the force beyond the bins, which the sum p_k A_k then lacks.
double dls_ground_pressure(const struct dls_observed *, const struct dls_bins *,
                           double *p);
double dls_bin_area(const struct dls_bins *, int dim, int k);

// Total force of the obstacles first <= number < last on the grains.
dls_vec3 dls_obstacle_force(const struct dls_observed *, int first, int last);

// A periodic quantity averaged in bins of the phase: add one value a step.
enum { DLS_PHASES = 100 };
struct dls_window {
    double period;
    int bins;
    double sum[DLS_PHASES];
    long count[DLS_PHASES];
};
void dls_window_add(struct dls_window *, double t, double value);
// Mean of a bin; over all of a window of phases [from, to) of the period.
double dls_window_mean(const struct dls_window *, double from, double to);

#endif
