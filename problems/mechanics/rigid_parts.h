// SPDX-License-Identifier: Apache-2.0
// What the files of rigid bodies share; others include rigid.h.
#ifndef DLS_PROBLEMS_MECHANICS_RIGID_PARTS_H
#define DLS_PROBLEMS_MECHANICS_RIGID_PARTS_H

#include "problems/mechanics/rigid.h"

// Velocities of a body.
static inline int dls_rigid_dof(const struct dls_rigid *r)
{
    return r->dim == 2 ? 3 : 6;
}

// The diagonal of M of a body, and its initial state into q and v of all.
void dls_rigid_mass(const struct dls_rigid *, int body, double *m);
void dls_rigid_state_of(const struct dls_rigid *, int body, double *q, double *v);

// Where a body is at time 0.
struct dls_pose dls_rigid_start(const struct dls_rigid *, int body);

// Entries of the row that takes the velocity of a body along `a` plus its spin along
// `lever`, at that pose; held velocities and zeros are left out.
struct dls_half_row {
    int row, body;
    const struct dls_pose *pose;
    dls_vec3 a, lever;
};
void dls_rigid_row(const struct dls_rigid *, struct dls_entries *,
                   const struct dls_half_row *);

// rigid_contacts.c: dls_system.contacts of rigid bodies.
void dls_rigid_contacts(const struct dls_system *, double t, const double *q,
                        struct dls_contacts *);

// Adds a force on a body at a point of space to F; held velocities do not feel it.
void dls_rigid_push(const struct dls_rigid *, const double *q, int body, dls_vec3 point,
                    dls_vec3 force, double *F);

// springs.c: adds the forces of all springs; their potential energy.
void dls_springs_force(const struct dls_rigid *, const double *q, const double *v,
                       double *F);
double dls_springs_potential(const struct dls_rigid *, const double *q);

// joints.c: dls_system.joint of rigid bodies.
void dls_joints_rows(const struct dls_system *, double t, const double *q,
                     struct dls_entries *G, double *g, double *b);

#endif
