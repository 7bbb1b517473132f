// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in the plane and in space as a mechanical system; see rigid.c.
//
//   struct dls_rigid *r = dls_rigid_new(2, bodies, obstacles, false, arena);
//   int ball = dls_rigid_body(r, dls_body_disk(1, 0.5, at), dls_shape_ball(0.5));
//   dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
//   r->gravity = (dls_vec3){0, -9.81, 0};   r->law = ...;
//   dls_rigid_state(r, q, v);  ... dls_sim_open(&sim, &r->system, ...)
#ifndef DLS_PROBLEMS_MECHANICS_RIGID_H
#define DLS_PROBLEMS_MECHANICS_RIGID_H

#include "problems/mechanics/system.h"
#include "problems/shapes/detect.h"

struct dls_rigid {
    struct dls_system system;
    int dim, bodies, room, obstacles, obstacle_room;
    struct dls_body *body;   // at, v, spin: the initial state; spin in principal axes
    double *angle;           // initial rotation, about z
    struct dls_shape *shape; // of each body
    struct dls_obstacle *obstacle;
    dls_vec3 gravity;
    struct dls_law law; // of every contact, unless `material` is set
    double mu_r;        // with system.rolling
    // The law between a body and another (-1 - k: the obstacle k); NULL: `law`.
    struct dls_law (*material)(const struct dls_rigid *, int body, int other);
};

// Room for so many bodies and obstacles; NULL when memory runs out. Rolling resistance
// (rolling = true) adds rows to every contact.
struct dls_rigid *dls_rigid_new(int dim, int bodies, int obstacles, bool rolling,
                                struct dls_arena *);
int dls_rigid_body(struct dls_rigid *, struct dls_body, struct dls_shape);
int dls_rigid_plane(struct dls_rigid *, struct dls_plane);
int dls_rigid_obstacle(struct dls_rigid *, struct dls_obstacle);

// The initial state; q has system.nq entries, v has system.n.
void dls_rigid_state(const struct dls_rigid *, double *q, double *v);

struct dls_pose dls_rigid_pose(const struct dls_rigid *, const double *q, int body);

// The rigid bodies behind a system, NULL where it is another one; and the number of the
// obstacle that a contact of such a system is with (its `other` is -1).
const struct dls_rigid *dls_rigid_of(const struct dls_system *);
int dls_rigid_obstacle_of(const struct dls_contact *);

#endif
