// SPDX-License-Identifier: Apache-2.0
// Rigid bodies and contact points in, a step problem out: what the generators share.
// See build.c for the formulas.
#ifndef DLS_PROBLEMS_MECHANICS_BUILD_H
#define DLS_PROBLEMS_MECHANICS_BUILD_H

#include "formulations/problem.h"

#include "base/option.h"
#include "base/vec3.h"

// In the plane a body has v.x, v.y, spin.z and inertia.z; the other members do not
// count. Inertia, spin and torque are along the principal axes of inertia.
struct dls_body {
    double mass;
    dls_vec3 inertia, at;   // about the centre of mass, and where that is
    dls_vec3 v, spin;       // before the step
    dls_vec3 force, torque; // external ones, beside gravity
    // The principal axes of a body of a generator, a right-handed frame; all zero: those
    // of space. Bodies that move in time have their rotation in their state instead.
    dls_vec3 axis[3];
};

struct dls_cohesion;
struct dls_law {
    double mu, e_n, e_t;
    // Glue of a contact that is closed at the start of a run (cohesion.h), or NULL.
    // Read when the run begins; step problems of generators have none.
    const struct dls_cohesion *cohesion;
};

struct dls_touch {
    int body, other;   // `other` is -1 for an obstacle
    dls_vec3 point, n; // unit normal, from `other` towards `body`
    dls_vec3 surface;  // velocity of the obstacle's surface
    double gap;
    struct dls_law law;
};

struct dls_build {
    int dim;          // 2 or 3
    int bodies, room; // how many there are, how many there may be
    int contacts, touch_room;
    double gravity, step; // gravity pulls along -y in the plane, -z in space
    struct dls_body *body;
    struct dls_touch *touch;
    struct dls_arena scratch; // holds both until close
};

// Where a problem comes from: becomes its title, description and provenance.
struct dls_origin {
    const char *name;
    const struct dls_option *options;
    const void *opt;
    const char *description;
};

// Rows that most option tables share; the struct has members of these names.
#define DLS_ROWS_LAW(S, mu_def)                                                        \
    DLS_REAL(S, mu, mu_def, 0, 1e3, "friction coefficient"),                           \
        DLS_REAL(S, e_n, 0, 0, 1, "normal restitution"),                               \
        DLS_REAL(S, e_t, 0, 0, 1, "tangential restitution")
#define DLS_ROWS_STEP(S)                                                               \
    DLS_REAL(S, gravity, 9.81, 0, 1e6, "gravity"),                                     \
        DLS_REAL(S, step, 0.01, 0, 1e3, "length of the time step")

// Room for `bodies` and `contacts`; false when memory runs out.
bool dls_build_open(struct dls_build *, int dim, int bodies, int contacts,
                    struct dls_arena *);

// Both copy what they are given and return its number.
int dls_build_body(struct dls_build *, struct dls_body);
int dls_build_touch(struct dls_build *, struct dls_touch);

// Four contacts like this one, at the corners of a horizontal rectangle of edges x and y
// around its point, with the normal upward. Returns the number of the first.
int dls_build_corners(struct dls_build *, struct dls_touch, double x, double y);

// A disk on top of those that are there, all of this radius, and its contact with the
// last one or the ground. The body, to give it more.
struct dls_body *dls_build_stacked(struct dls_build *, double mass, double radius,
                                   struct dls_law);

// Fills all of the problem that rigid bodies know, and releases the build.
enum dls_status dls_build_close(struct dls_build *, struct dls_problem *,
                                const struct dls_origin *, struct dls_arena *);

// u^- = H v^- + w_ob, w = w_ob + E u^-, f = M v^- + hF, from the other members.
void dls_problem_set_step(struct dls_problem *);

// Title, description and provenance.
void dls_problem_set_origin(struct dls_problem *, const struct dls_origin *,
                            struct dls_arena *);

// Solid bodies: a sphere and a box of density rho (in the plane, edges.z = 1 makes rho
// the mass per area), and a disk of the given mass.
struct dls_body dls_body_sphere(double rho, double radius, dls_vec3 at);
struct dls_body dls_body_box(double rho, dls_vec3 edges, dls_vec3 at);
struct dls_body dls_body_disk(double mass, double radius, dls_vec3 at);

#endif
