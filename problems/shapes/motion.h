// SPDX-License-Identifier: Apache-2.0
// Prescribed motions of obstacles; see motion.c.
//
//   static const struct dls_oscillation shaken = {.omega = 300, .cosine = {0, 0, -1e-3}};
//   plane.motion = dls_motion_oscillation;   plane.data = &shaken;
#ifndef DLS_PROBLEMS_SHAPES_MOTION_H
#define DLS_PROBLEMS_SHAPES_MOTION_H

#include "problems/shapes/shape.h"

// Where a motion has brought an obstacle, and how fast: the point that was at x is at
// to.at + sum_i (x - about)_i to.axis[i] now.
struct dls_drive {
    dls_vec3 about;
    struct dls_pose to;
    dls_vec3 velocity; // of to.at
    dls_vec3 spin;     // angular velocity, in space
};

// Fills the drive at time t; it comes in as the obstacle at rest (about the origin), so
// that a translation sets to.at and velocity only.
typedef void dls_motion(double t, const void *data, struct dls_drive *);

// The drive of a motion at time t; NULL: at rest.
struct dls_drive dls_drive_at(dls_motion *, const void *data, double t);

// Images of a point and of a direction, and the velocity of what is at x now.
dls_vec3 dls_drive_point(const struct dls_drive *, dls_vec3 x);
dls_vec3 dls_drive_turn(const struct dls_drive *, dls_vec3 direction);
dls_vec3 dls_drive_velocity(const struct dls_drive *, dls_vec3 x);

// The drive seen from a carrier that has moved from `start` to `now`.
void dls_drive_carry(struct dls_drive *, const struct dls_pose *start,
                     const struct dls_pose *now);

// Shift  cosine cos(omega t) + sine sin(omega t): a line, a circle or an ellipse.
struct dls_oscillation {
    double omega;
    dls_vec3 cosine, sine;
};
// Shift  velocity (t - start) between `start` and `end` (0: for ever), then at rest.
struct dls_ramp {
    dls_vec3 velocity;
    double start, end;
};
// Turns about the line (about, axis) by  rate t + swing sin(omega t); the axis is a unit
// vector, that of z in the plane.
struct dls_rotation {
    dls_vec3 about, axis;
    double rate, swing, omega;
};

// Motions whose data are those.
void dls_motion_oscillation(double t, const void *data, struct dls_drive *);
void dls_motion_ramp(double t, const void *data, struct dls_drive *);
void dls_motion_rotation(double t, const void *data, struct dls_drive *);

#endif
