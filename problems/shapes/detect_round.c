// SPDX-License-Identifier: Apache-2.0
// A ball against a polygon, a polyhedron or a cylinder block.
//
// Outside, with p the nearest point of the other: gap = |c - p| - R, n = (c - p) / |c - p|.
// Inside, the nearest face decides: gap = height - R with height <= 0, n its normal.
//
// The nearest point of a solid: on a face, if the centre projects into it, else on an
// edge. Of a cylinder block: clamp the distance from the axis and the height. Cost:
// linear in faces and edges.
#include "problems/shapes/detect_pairs.h"

#include <math.h>

static int round_meeting(const struct dls_placed *ball, dls_vec3 p, dls_vec3 n,
                         double distance, double reach, struct dls_meeting *meeting)
{
    double gap = distance - ball->shape->radius;
    if (!(gap <= reach)) return 0;
    dls_vec3 skin = dls_vec3_sub(ball->pose.at, dls_vec3_scale(ball->shape->radius, n));
    *meeting = dls_meeting_between(skin, p, n, 0);
    meeting->gap = gap;
    return 1;
}

// The nearest point on edges, or on the faces that the point is above.
static dls_vec3 nearest_outside(const struct dls_solid *s, dls_vec3 x)
{
    int edges = s->hull ? s->hull->edges : s->corners;
    double least = INFINITY;
    dls_vec3 nearest = s->x[0];
    for (int f = 0; s->hull && f < s->faces; f++) {
        dls_vec3 on = s->x[s->hull->face[f].corner[0]];
        double height = dls_vec3_dot(s->n[f], dls_vec3_sub(x, on));
        if (height > 0 && dls_solid_above(s, f, x))
            return dls_vec3_sub(x, dls_vec3_scale(height, s->n[f]));
    }
    for (int e = 0; e < edges; e++) {
        int a = s->hull ? s->hull->edge[e].corner[0] : e;
        int b = s->hull ? s->hull->edge[e].corner[1] : (e + 1) % s->corners;
        dls_vec3 p = dls_segment_nearest((dls_vec3[]){s->x[a], s->x[b]}, x);
        double distance = dls_vec3_norm(dls_vec3_sub(x, p));
        if (distance < least) least = distance, nearest = p;
    }
    return nearest;
}

int dls_detect_ball_solid(const struct dls_placed *ball, const struct dls_solid *s,
                          double reach, struct dls_meeting *meeting)
{
    dls_vec3 c = ball->pose.at;
    double highest = -INFINITY;
    int face = 0;
    for (int f = 0; f < s->faces; f++) {
        dls_vec3 on = s->x[s->hull ? s->hull->face[f].corner[0] : f];
        double height = dls_vec3_dot(s->n[f], dls_vec3_sub(c, on));
        if (height > highest) highest = height, face = f;
    }
    if (highest - ball->shape->radius > reach) return 0;
    dls_vec3 n = s->n[face], p = dls_vec3_sub(c, dls_vec3_scale(highest, n));
    if (highest <= 0 && s->corners > 2) // a wall has no inside
        return round_meeting(ball, p, n, highest, reach, meeting);
    p = nearest_outside(s, c);
    dls_vec3 across = dls_vec3_sub(c, p);
    double distance = dls_vec3_norm(across);
    if (distance > 0) n = dls_vec3_scale(1 / distance, across);
    return round_meeting(ball, p, n, distance, reach, meeting);
}

int dls_detect_ball_cylinder(const struct dls_placed *ball,
                             const struct dls_placed *cylinder, double reach,
                             struct dls_meeting *meeting)
{
    const struct dls_pose *pose = &cylinder->pose;
    double R = cylinder->shape->radius, half = cylinder->shape->half.z;
    dls_vec3 c = dls_pose_local(pose, dls_vec3_sub(ball->pose.at, pose->at));
    double rho = hypot(c.x, c.y), side = rho - R, cap = fabs(c.z) - half;
    dls_vec3 radial =
        rho > 0 ? (dls_vec3){c.x / rho, c.y / rho, 0} : (dls_vec3){1, 0, 0};
    dls_vec3 n = side > cap ? radial : (dls_vec3){0, 0, c.z < 0 ? -1 : 1};
    double distance = fmax(side, cap);
    dls_vec3 p = dls_vec3_sub(c, dls_vec3_scale(distance, n));
    if (side > 0 && cap > 0) { // nearest to the rim
        p = dls_vec3_scale(R, radial);
        p.z = copysign(half, c.z);
        dls_vec3 across = dls_vec3_sub(c, p);
        distance = dls_vec3_norm(across);
        n = dls_vec3_scale(1 / distance, across);
    }
    struct dls_pose turn = {{0}, {pose->axis[0], pose->axis[1], pose->axis[2]}};
    return round_meeting(ball, dls_pose_place(pose, p), dls_pose_place(&turn, n),
                         distance, reach, meeting);
}
