// SPDX-License-Identifier: Apache-2.0
// Where shapes touch.
//
// Ball and plane, corner and plane: gap = n . (x - plane) - R, the point on the body,
// so that the lever arm of a ball is its radius whatever the gap.
// Two balls: gap = |x - x'| - R - R', n = (x - x') / |x - x'|, the point in the middle
// of the gap.
#include "problems/detect.h"

struct dls_shape dls_shape_ball(double radius)
{
    return (struct dls_shape){.kind = DLS_SHAPE_BALL, .radius = radius};
}

struct dls_shape dls_shape_box(dls_vec3 edges)
{
    struct dls_shape s = {.kind = DLS_SHAPE_CORNERS};
    for (int k = 0; k < (edges.z > 0 ? 8 : 4); k++)
        s.corner[s.corners++] = (dls_vec3){
            (k & 1 ? 0.5 : -0.5) * edges.x,
            (k & 2 ? 0.5 : -0.5) * edges.y,
            (k & 4 ? 0.5 : -0.5) * edges.z,
        };
    return s;
}

// A point of body axes in space.
static dls_vec3 place(const struct dls_pose *p, dls_vec3 x)
{
    dls_vec3 y = dls_vec3_add(p->at, dls_vec3_scale(x.x, p->axis[0]));
    y = dls_vec3_add(y, dls_vec3_scale(x.y, p->axis[1]));
    return dls_vec3_add(y, dls_vec3_scale(x.z, p->axis[2]));
}

int dls_detect_plane(const struct dls_shape *s, const struct dls_pose *pose,
                     const struct dls_plane *plane, double t, double reach,
                     struct dls_meeting meeting[DLS_MEETINGS])
{
    dls_vec3 shift = {0}, velocity = {0}, n = plane->n;
    if (plane->motion) plane->motion(t, &shift, &velocity);
    dls_vec3 origin = dls_vec3_add(plane->point, shift);
    int count = 0, points = s->kind == DLS_SHAPE_BALL ? 1 : s->corners;
    for (int k = 0; k < points; k++) {
        dls_vec3 x = s->kind == DLS_SHAPE_BALL ? pose->at : place(pose, s->corner[k]);
        double height = dls_vec3_dot(n, dls_vec3_sub(x, origin));
        double gap = s->kind == DLS_SHAPE_BALL ? height - s->radius : height;
        if (gap > reach) continue;
        dls_vec3 point = dls_vec3_sub(x, dls_vec3_scale(s->radius, n));
        meeting[count++] = (struct dls_meeting){point, n, velocity, gap, k};
    }
    return count;
}

int dls_detect_balls(const struct dls_shape *s, const struct dls_pose *pose,
                     const struct dls_shape *other, const struct dls_pose *other_pose,
                     double reach, struct dls_meeting *meeting)
{
    dls_vec3 across = dls_vec3_sub(pose->at, other_pose->at);
    double distance = dls_vec3_norm(across);
    double gap = distance - s->radius - other->radius;
    if (gap > reach || distance <= 0) return 0;
    dls_vec3 n = dls_vec3_scale(1 / distance, across);
    double to_middle = other->radius + 0.5 * gap;
    dls_vec3 point = dls_vec3_add(other_pose->at, dls_vec3_scale(to_middle, n));
    *meeting = (struct dls_meeting){.point = point, .n = n, .gap = gap};
    return 1;
}
