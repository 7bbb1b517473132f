// SPDX-License-Identifier: Apache-2.0
// Springs between bodies, and between a body and space.
//
//   d = p - p',  l = |d|,  e = d / l        p, p': the points of both bodies
//   force on the first body  -(k (l - l_0) + c l') e  at p, its opposite at p'
//   potential  k (l - l_0)^2 / 2
//
// Damping is no part of the potential; the ledger books it with the applied forces.
// Fails: explicit schemes need h below 2 sqrt(m / k). Where l = 0 and l_0 > 0 the
// direction is unknown, and the spring does not pull.
#include "problems/mechanics/rigid_parts.h"

#include <math.h>
#include <string.h>

void dls_rigid_spring(struct dls_rigid *r, struct dls_spring spring)
{
    if (r->springs == r->spring_room) {
        int room = r->spring_room ? 2 * r->spring_room : 8;
        struct dls_spring *all = DLS_NEW(r->arena, struct dls_spring, room);
        if (!all) return;
        if (r->springs) memcpy(all, r->spring, (size_t)r->springs * sizeof *all);
        r->spring = all;
        r->spring_room = room;
    }
    struct dls_pose pose = dls_rigid_start(r, spring.body);
    spring.at = dls_pose_local(&pose, dls_vec3_sub(spring.at, pose.at));
    if (spring.other >= 0) {
        pose = dls_rigid_start(r, spring.other);
        spring.other_at = dls_pose_local(&pose, dls_vec3_sub(spring.other_at, pose.at));
    }
    r->spring[r->springs++] = spring;
}

// One end of a spring: where it is, and how it moves.
struct end {
    int body;
    dls_vec3 at, velocity;
};

static struct end end_of(const struct dls_rigid *r, int body, dls_vec3 at,
                         const double *q, const double *v)
{
    if (body < 0) return (struct end){.body = -1, .at = at};
    struct dls_pose pose = dls_rigid_pose(r, q, body);
    struct end e = {.body = body, .at = dls_pose_place(&pose, at)};
    dls_vec3 arm = dls_vec3_sub(e.at, pose.at);
    if (!v) return e;
    v += body * dls_rigid_dof(r);
    dls_vec3 spin = {0, 0, v[2]};
    if (r->dim == 3) {
        pose.at = (dls_vec3){0};
        spin = dls_pose_place(&pose, (dls_vec3){v[3], v[4], v[5]});
    }
    e.velocity = dls_vec3_add((dls_vec3){v[0], v[1], r->dim == 3 ? v[2] : 0},
                              dls_vec3_cross(spin, arm));
    return e;
}

void dls_springs_force(const struct dls_rigid *r, const double *q, const double *v,
                       double *F)
{
    for (int k = 0; k < r->springs; k++) {
        const struct dls_spring *s = &r->spring[k];
        struct end a = end_of(r, s->body, s->at, q, v);
        struct end b = end_of(r, s->other, s->other_at, q, v);
        dls_vec3 d = dls_vec3_sub(a.at, b.at);
        double length = dls_vec3_norm(d);
        if (!(length > 0)) continue;
        dls_vec3 e = dls_vec3_scale(1 / length, d);
        double rate = dls_vec3_dot(e, dls_vec3_sub(a.velocity, b.velocity));
        double tension = s->stiffness * (length - s->rest) + s->damping * rate;
        dls_rigid_push(r, q, a.body, a.at, dls_vec3_scale(-tension, e), F);
        if (b.body >= 0)
            dls_rigid_push(r, q, b.body, b.at, dls_vec3_scale(tension, e), F);
    }
}

double dls_springs_potential(const struct dls_rigid *r, const double *q)
{
    double sum = 0;
    for (int k = 0; k < r->springs; k++) {
        const struct dls_spring *s = &r->spring[k];
        struct end a = end_of(r, s->body, s->at, q, NULL);
        struct end b = end_of(r, s->other, s->other_at, q, NULL);
        double more = dls_vec3_norm(dls_vec3_sub(a.at, b.at)) - s->rest;
        sum += 0.5 * s->stiffness * more * more;
    }
    return sum;
}
