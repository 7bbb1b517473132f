// SPDX-License-Identifier: Apache-2.0
// Scenes of rigid bodies behind a handle, for other languages; see flat.h for the manner.
//
//   open -> bodies, obstacles -> start -> { step } ... -> free
#ifndef DLS_DOORS_SCENE_H
#define DLS_DOORS_SCENE_H

#include "doors/flat.h"

struct dls_flat_scene;

// dim is 2 or 3; room for so many bodies and obstacles. rolling: every contact has rows of
// rolling resistance, bounded by mu_r r_N.
int dls_flat_scene_open(struct dls_flat_scene **, int dim, int bodies, int obstacles,
                        int rolling, char *error);
void dls_flat_scene_free(struct dls_flat_scene *); // accepts NULL

// The law of all contacts, and gravity (3 entries).
void dls_flat_scene_law(struct dls_flat_scene *, double mu, double e_n, double e_t,
                        double mu_r);
void dls_flat_scene_gravity(struct dls_flat_scene *, const double *g);

// A disk or sphere of that radius; a rectangle or box of these edges (3 entries); a convex
// polygon in the plane, `corners` points of 3 entries counterclockwise. `state` is the
// centre, the velocity and the spin, 9 entries; the density is mass per volume, in the
// plane per area. `angle` turns a body about z. Returns the number of the body, negative
// for bad input.
int dls_flat_scene_ball(struct dls_flat_scene *, double radius, double density,
                        const double *state, char *error);
int dls_flat_scene_box(struct dls_flat_scene *, const double *edges, double density,
                       const double *state, double angle, char *error);
int dls_flat_scene_polygon(struct dls_flat_scene *, int corners, const double *corner,
                           double density, const double *state, double angle,
                           char *error);
// A half-space, bodies on the side of its normal (need not be of unit length), that moves
// with a constant velocity.
int dls_flat_scene_plane(struct dls_flat_scene *, const double *point, const double *n,
                         const double *velocity, char *error);

// Fixes the scene: scheme as "moreau" or "theta:theta=1", step h. The solver must live as
// long as the scene.
int dls_flat_scene_start(struct dls_flat_scene *, const char *scheme,
                         const struct dls_flat_solver *, double tol, double max_time,
                         double h, char *error);
int dls_flat_scene_step(struct dls_flat_scene *, char *error);

// Of the last step, or of the start: time steps contacts unconverged (steps so far short of
// the tolerance) iterations natural penetration kinetic potential dissipated; NaN for an
// unknown name.
double dls_flat_scene_number(const struct dls_flat_scene *, const char *name);
// position (3 a body), velocity (n), r and u of the last step, point (3 a contact).
const double *dls_flat_scene_array(struct dls_flat_scene *, const char *name,
                                   int *count);
// Writes the last step problem with its answer.
int dls_flat_scene_record(const struct dls_flat_scene *, const char *path, char *error);

#endif
