// SPDX-License-Identifier: Apache-2.0
// The path of proximal points on which the shifts of a few contacts fall; see prox_path.c.
#ifndef DLS_SOLVERS_KERNEL_PROX_PATH_H
#define DLS_SOLVERS_KERNEL_PROX_PATH_H

#include "solvers/kernel/newton_problem.h"
#include "solvers/linear/newton_system.h"
#include "solvers/solver.h"

#include <stdbool.h>

struct dls_prox_path {
    struct dls_newton_problem *problem; // borrowed; its x is the point
    struct dls_newton_system *system;   // borrowed
    double *shifts;                     // borrowed, contacts: those of both
    bool *in;                           // contacts: whose shifts fall, set by the owner
    double *from;                       // contacts: shifts at the start
    double factor, goal;                // shift = factor from, from 1 to the goal
    double *correction, *tangent;       // m
    double *event;                      // contacts: where branches change
    double *old_x, old_factor;          // m: the last point of the path
    double longest, size;               // step, of |x|
    double cut;                         // of the longest step
    int crossed, most;        // events that the last step passed, and may pass
    int sign, first, refused; // of the determinant; steps taken back
};

enum dls_status dls_prox_path_create(struct dls_prox_path *,
                                     struct dls_newton_problem *,
                                     struct dls_newton_system *, double *shifts,
                                     struct dls_arena *);

// What |F| is measured by: the force of the shifts, |rho A (x - c)|.
double dls_prox_path_force(const struct dls_newton_problem *);

// Newton's method from x with the shifts as they are, `most` steps, until |F| is a small
// part of the force.
bool dls_prox_path_point(struct dls_newton_problem *, struct dls_newton_system *,
                         int most, struct dls_work *);

// Follows the path from x, which dls_prox_path_point has found, until the largest shift of
// the contacts that are `in` is `target` or less. At most so many events are passed. False
// where that was not enough: x and shifts are then anywhere.
bool dls_prox_path_follow(struct dls_prox_path *, double target, int events,
                          struct dls_work *);

#endif
