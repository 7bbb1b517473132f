// SPDX-License-Identifier: Apache-2.0
// Prescribed motions: obstacles that go their own way, whatever pushes them.
//
//   x(t) = to + R (x(0) - about),   x'(t) = to' + spin x (x(t) - to)
//
// R turns about a unit axis a by the angle phi [Rodrigues]:
//   R e = cos(phi) e + sin(phi) a x e + (1 - cos(phi)) (a . e) a
#include "problems/shapes/motion.h"

#include <math.h>

struct dls_drive dls_drive_at(dls_motion *motion, const void *data, double t)
{
    struct dls_drive d = {.to = {{0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    if (motion) motion(t, data, &d);
    return d;
}

dls_vec3 dls_drive_point(const struct dls_drive *d, dls_vec3 x)
{
    return dls_pose_place(&d->to, dls_vec3_sub(x, d->about));
}

dls_vec3 dls_drive_turn(const struct dls_drive *d, dls_vec3 direction)
{
    struct dls_pose turn = d->to;
    turn.at = (dls_vec3){0};
    return dls_pose_place(&turn, direction);
}

dls_vec3 dls_drive_velocity(const struct dls_drive *d, dls_vec3 x)
{
    return dls_vec3_add(d->velocity,
                        dls_vec3_cross(d->spin, dls_vec3_sub(x, d->to.at)));
}

void dls_drive_carry(struct dls_drive *d, const struct dls_pose *start,
                     const struct dls_pose *now)
{
    struct dls_pose turn = *now;
    turn.at = (dls_vec3){0};
    dls_vec3 *turned[] = {&d->to.axis[0], &d->to.axis[1], &d->to.axis[2], &d->velocity,
                          &d->spin};
    for (int k = 0; k < 5; k++)
        *turned[k] = dls_pose_place(&turn, dls_pose_local(start, *turned[k]));
    dls_vec3 arm = dls_pose_local(start, dls_vec3_sub(d->to.at, start->at));
    d->to.at = dls_pose_place(now, arm);
}

void dls_motion_oscillation(double t, const void *data, struct dls_drive *d)
{
    const struct dls_oscillation *o = data;
    double c = cos(o->omega * t), s = sin(o->omega * t);
    d->to.at = dls_vec3_add(dls_vec3_scale(c, o->cosine), dls_vec3_scale(s, o->sine));
    d->velocity = dls_vec3_add(dls_vec3_scale(-o->omega * s, o->cosine),
                               dls_vec3_scale(o->omega * c, o->sine));
}

void dls_motion_ramp(double t, const void *data, struct dls_drive *d)
{
    const struct dls_ramp *r = data;
    double end = r->end > 0 ? r->end : INFINITY;
    d->to.at = dls_vec3_scale(fmin(fmax(t, r->start), end) - r->start, r->velocity);
    if (t >= r->start && t < end) d->velocity = r->velocity;
}

void dls_motion_rotation(double t, const void *data, struct dls_drive *d)
{
    const struct dls_rotation *r = data;
    double angle = r->rate * t + r->swing * sin(r->omega * t);
    double c = cos(angle), s = sin(angle);
    dls_vec3 a = r->axis;
    d->about = d->to.at = r->about;
    for (int i = 0; i < 3; i++) {
        dls_vec3 e = {i == 0, i == 1, i == 2};
        dls_vec3 across = dls_vec3_scale(s, dls_vec3_cross(a, e));
        dls_vec3 along = dls_vec3_scale((1 - c) * dls_vec3_dot(a, e), a);
        d->to.axis[i] = dls_vec3_add(dls_vec3_scale(c, e), dls_vec3_add(across, along));
    }
    d->spin = dls_vec3_scale(r->rate + r->swing * r->omega * cos(r->omega * t), a);
}
