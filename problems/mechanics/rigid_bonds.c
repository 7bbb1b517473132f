// SPDX-License-Identifier: Apache-2.0
// Where the bonds of rigid bodies are, and what their impulses do.
//
//     p = place of the body's point,   p' = place of the point of the other side
//     u_i = e_i . (p - p'),            e_i = axes that turn with the other side
//
// The other side is a body, an obstacle, or an obstacle that a body carries. The force
// sum R_i e_i acts on the body at p and its opposite on the other one at p, not at p':
// this is the gradient of the energy where e_i turns, and the moments cancel.
#include "problems/mechanics/bonds.h"
#include "problems/mechanics/rigid_parts.h"

// The frame of the other side; that of an obstacle with its velocity.
static struct dls_drive other_side(const struct dls_rigid *r, double t, const double *q,
                                   const struct dls_bond *b)
{
    if (b->obstacle >= 0) return dls_rigid_drive(r, b->obstacle, t, q);
    return (struct dls_drive){.to = dls_rigid_pose(r, q, b->other)};
}

static void bind(const struct dls_system *system, double t, const double *q,
                 const struct dls_contact *c, struct dls_bond *b)
{
    const struct dls_rigid *r = system->self;
    struct dls_pose own = dls_rigid_pose(r, q, c->body);
    struct dls_drive other = other_side(r, t, q, b);
    dls_vec3 axis[3] = {c->n};
    dls_tangents(r->dim, c->n, axis + 1);
    b->at = dls_pose_local(&own, dls_vec3_sub(c->point, own.at));
    b->other_at = dls_pose_local(&other.to, dls_vec3_sub(c->point, other.to.at));
    for (int i = 0; i < r->dim; i++) b->axis[i] = dls_pose_local(&other.to, axis[i]);
}

static void stretch(const struct dls_system *system, double t, const double *q,
                    const struct dls_bond *b, struct dls_stretch *to)
{
    const struct dls_rigid *r = system->self;
    struct dls_pose own = dls_rigid_pose(r, q, b->body);
    struct dls_drive other = other_side(r, t, q, b);
    dls_vec3 p = dls_pose_place(&own, b->at);
    dls_vec3 apart = dls_vec3_sub(p, dls_pose_place(&other.to, b->other_at));
    dls_vec3 surface = dls_drive_velocity(&other, p);
    *to = (struct dls_stretch){{0}, {0}};
    for (int i = 0; i < r->dim; i++) {
        dls_vec3 axis = dls_drive_turn(&other, b->axis[i]);
        to->u[i] = dls_vec3_dot(axis, apart);
        if (b->obstacle >= 0) to->w[i] = -dls_vec3_dot(axis, surface);
    }
}

static void pull(const struct dls_system *system, double t, const double *q,
                 const struct dls_bond *b, const double *impulse, double *F)
{
    const struct dls_rigid *r = system->self;
    struct dls_pose own = dls_rigid_pose(r, q, b->body);
    struct dls_drive other = other_side(r, t, q, b);
    dls_vec3 p = dls_pose_place(&own, b->at), sum = {0, 0, 0};
    for (int i = 0; i < r->dim; i++) {
        dls_vec3 axis = dls_drive_turn(&other, b->axis[i]);
        sum = dls_vec3_add(sum, dls_vec3_scale(impulse[i], axis));
    }
    dls_rigid_push(r, q, b->body, p, sum, F);
    if (b->other >= 0) dls_rigid_push(r, q, b->other, p, dls_vec3_scale(-1, sum), F);
}

void dls_rigid_glue(struct dls_rigid *r)
{
    static const struct dls_bonding bonds = {bind, stretch, pull};
    r->system.bonds = &bonds;
}
