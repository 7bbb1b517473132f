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
#include "problems/shapes/neighbours.h"

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
    // The law between a body and another (-1 - k: the obstacle k); NULL: `law`. This and
    // `meets` may be called by several threads at once.
    struct dls_law (*material)(const struct dls_rigid *, int body, int other);
    // Whether these two can touch at all, `other` as above; NULL: all can.
    bool (*meets)(const struct dls_rigid *, int body, int other);
    // Adds forces that depend on time, place and speed to F (n entries); NULL: none.
    // The ledger books their work as that of applied forces.
    void (*load)(const struct dls_rigid *, double t, const double *q, const double *v,
                 double *F);
    const void *data;    // for the three functions above
    const int *tag;      // of each body, for pictures: 0 = none; or NULL
    unsigned char *held; // of each body: enum dls_held
    int *carrier;        // of each obstacle: the body that carries it, or -1
    int springs, spring_room, joints, joint_room;
    struct dls_spring *spring;
    struct dls_joint *joint;
    struct dls_neighbours
        near;               // of bodies and shaped obstacles, kept from call to call
    double crowd;           // contacts a pair of neighbours, at most so far
    struct dls_arena *pool; // for the work of detection
    struct dls_arena *arena;
};

// Velocities that stay zero whatever pushes (bit i: the velocity i of the body), and
// bodies that touch nothing themselves.
enum dls_held {
    DLS_HELD_X = 1,
    DLS_HELD_Y = 2,
    DLS_HELD_Z = 4,       // in space
    DLS_HELD_SPIN_2D = 4, // in the plane
    DLS_HELD_SPIN = 8 + 16 + 32,
    DLS_SILENT = 64,
};

// Room for so many bodies and obstacles; NULL when memory runs out. Rolling resistance
// (rolling = true) adds rows to every contact.
struct dls_rigid *dls_rigid_new(int dim, int bodies, int obstacles, bool rolling,
                                struct dls_arena *);
int dls_rigid_body(struct dls_rigid *, struct dls_body, struct dls_shape);
int dls_rigid_plane(struct dls_rigid *, struct dls_plane);
int dls_rigid_obstacle(struct dls_rigid *, struct dls_obstacle);

// A wall of that mass which only translates along its normal (an axis of space), under
// the force along n besides gravity and contacts. Takes room for one body, which has the
// number that is returned, and one obstacle. The motion of the plane, if any, adds to it.
int dls_rigid_wall(struct dls_rigid *, struct dls_plane, double mass, double force);

// All obstacles so far move together: a vessel.
void dls_rigid_vessel(struct dls_rigid *, dls_motion *, const void *data);

// A spring between a point of a body and one of another body (-1: fixed in space):
// force -stiffness (length - rest) - damping (rate of length) along it. Points are given
// in space at time 0. Schemes take it explicitly.
struct dls_spring {
    int body, other;
    dls_vec3 at, other_at;
    double stiffness, rest, damping;
};
void dls_rigid_spring(struct dls_rigid *, struct dls_spring);

// A joint between two bodies (other = -1: space) at a point given in space at time 0.
enum dls_joint_kind {
    DLS_JOINT_PIN,    // the point is common: revolute in the plane, a ball in space
    DLS_JOINT_HINGE,  // in space: and the axis is common
    DLS_JOINT_SLIDER, // the point slides along the axis of the other, no turning
    DLS_JOINT_WELD,   // nothing moves
};
struct dls_joint {
    enum dls_joint_kind kind;
    int body, other;
    dls_vec3 at, axis;              // axis of hinge and slider, a unit vector
    struct dls_pose own, other_own; // set by dls_rigid_joint: its frame in both bodies
};
// Bodies may still touch where the joint is; see `meets`.
void dls_rigid_joint(struct dls_rigid *, struct dls_joint);

// Contacts that are closed when a run begins, and whose law has cohesion, are glued then
// (bonds.h): contacts that come later are not. Not for bodies that come and go.
void dls_rigid_glue(struct dls_rigid *);

// The initial state; q has system.nq entries, v has system.n.
void dls_rigid_state(const struct dls_rigid *, double *q, double *v);

// Where the obstacle k is at time t: by its own motion, then by what carries it.
struct dls_drive dls_rigid_drive(const struct dls_rigid *, int k, double t,
                                 const double *q);

// Bodies may come and go (population.h). Those that are there have places 0 to
// bodies - 1, which change then, and a number, which does not: the one that
// dls_rigid_body returned. How many numbers there are; the number of a body.
int dls_rigid_all(const struct dls_rigid *);
static inline int dls_rigid_number(const struct dls_rigid *r, int body)
{
    return r->system.population ? r->system.population->number[body] : body;
}

// What is known of the body of a number, whether it is there or not.
struct dls_made {
    const struct dls_shape *shape;
    unsigned char held; // enum dls_held
    int tag;
};
struct dls_made dls_rigid_made(const struct dls_rigid *, int number);

struct dls_pose dls_rigid_pose(const struct dls_rigid *, const double *q, int body);

// The rigid bodies behind a system, NULL where it is another one; and the number of the
// obstacle that a contact of such a system is with (its `other` is -1).
const struct dls_rigid *dls_rigid_of(const struct dls_system *);
int dls_rigid_obstacle_of(const struct dls_contact *);

#endif
