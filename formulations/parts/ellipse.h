// SPDX-License-Identifier: Apache-2.0
// Elliptic friction cones as round ones in other units; see ellipse.c.
#ifndef DLS_FORMULATIONS_PARTS_ELLIPSE_H
#define DLS_FORMULATIONS_PARTS_ELLIPSE_H

#include "formulations/problem.h"

// A problem with round cones whose impulses, stretched, are those of `p`. What does not
// change is shared. False when memory runs out.
bool dls_ellipse_round(struct dls_problem *, const struct dls_problem *p,
                       struct dls_arena *);

// From impulses of the round problem to those of p, in place, and back. Nothing happens
// where p has no mu_2.
void dls_ellipse_stretch(const struct dls_problem *, double *r);
void dls_ellipse_shrink(const struct dls_problem *, double *r);

#endif
