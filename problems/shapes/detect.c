// SPDX-License-Identifier: Apache-2.0
// Where shapes touch: dispatch by kind, balls, and obstacles.
//
// Ball and plane, corner and plane: gap = n . (x - plane) - R.
// Ball in a container of radius R about the line (o, a): rho = |x - o| across a,
// gap = R - r - rho, n from the ball towards the axis.
// Two balls: gap = |x - x'| - R - R', n = (x - x') / |x - x'|, the point in the middle
// of the gap; concentric balls part along the first axis.
// Against an obstacle the point lies on the body, so that the lever arm of a ball is its
// radius whatever the gap. The rest: detect_polygon.c, detect_hull.c, detect_round.c, detect_cylinder.c.
//
// A wall is a polygon of two corners, so that it has two sides and no thickness. Shapes
// are handed on in the order of their kinds; exchange of body and other turns n around
// and swaps features, and nothing else.
#include "problems/shapes/detect_pairs.h"

#include <assert.h>
#include <math.h>

int dls_feature_swap(int feature)
{
    int kind = feature & 0xc000, rest = feature & 0x3fff;
    if (kind == DLS_FEATURE_CROSSING)
        return dls_feature_crossing(rest & 127, rest >> 7);
    if (kind == DLS_FEATURE_RIM) return feature ^ 1;
    return feature ^ DLS_FEATURE_SECOND;
}

struct dls_meeting dls_meeting_between(dls_vec3 on_first, dls_vec3 on_second,
                                       dls_vec3 n, int feature)
{
    return (struct dls_meeting){
        .point = dls_vec3_scale(0.5, dls_vec3_add(on_first, on_second)),
        .n = n,
        .gap = dls_vec3_dot(n, dls_vec3_sub(on_first, on_second)),
        .feature = feature,
    };
}

int dls_detect_balls(const struct dls_placed *a, const struct dls_placed *b,
                     double reach, struct dls_meeting *meeting)
{
    return dls_balls_meet(a->pose.at, a->shape->radius, b->pose.at, b->shape->radius,
                          reach, meeting);
}

// a is of the kind that comes first.
static int detect_ordered(const struct dls_placed *a, const struct dls_placed *b,
                          double reach, struct dls_meeting *meeting)
{
    enum dls_shape_kind first = a->shape->kind, second = b->shape->kind;
    struct dls_solid solid[2];
    dls_vec3 room[2][DLS_SOLID_ROOM];
    if (first == DLS_SHAPE_BALL && second == DLS_SHAPE_BALL)
        return dls_detect_balls(a, b, reach, meeting);
    if (first == DLS_SHAPE_BALL && second == DLS_SHAPE_CYLINDER)
        return dls_detect_ball_cylinder(a, b, reach, meeting);
    if (first == DLS_SHAPE_CYLINDER) return dls_detect_cylinder(a, b, reach, meeting);
    dls_solid_place(&solid[1], b->shape, &b->pose, room[1]);
    if (first == DLS_SHAPE_BALL)
        return dls_detect_ball_solid(a, &solid[1], reach, meeting);
    dls_solid_place(&solid[0], a->shape, &a->pose, room[0]);
    return dls_detect_solids(&solid[0], &solid[1], reach, (unsigned char[2]){0, 0},
                             meeting);
}

int dls_detect_solids(const struct dls_solid *body, const struct dls_solid *other,
                      double reach, unsigned char hint[2],
                      struct dls_meeting meeting[DLS_MEETINGS])
{
    return body->hull ? dls_detect_hulls(body, other, reach, hint, meeting)
                      : dls_detect_polygons(body, other, reach, hint, meeting);
}

static int kind_dim(enum dls_shape_kind kind, int dim)
{
    return kind == DLS_SHAPE_BALL ? dim : kind == DLS_SHAPE_POLYGON ? 2 : 3;
}

int dls_detect_pair(const struct dls_placed *body, const struct dls_placed *other,
                    int dim, double reach, struct dls_meeting meeting[DLS_MEETINGS])
{
    assert(kind_dim(body->shape->kind, dim) == dim);
    assert(kind_dim(other->shape->kind, dim) == dim);
    dls_vec3 across = dls_vec3_sub(body->pose.at, other->pose.at);
    double far = body->shape->bound + other->shape->bound + reach;
    if (!(dls_vec3_dot(across, across) <= far * far)) return 0;
    if (body->shape->kind <= other->shape->kind)
        return detect_ordered(body, other, reach, meeting);
    int count = detect_ordered(other, body, reach, meeting);
    for (int k = 0; k < count; k++) {
        meeting[k].n = dls_vec3_scale(-1, meeting[k].n);
        meeting[k].feature = dls_feature_swap(meeting[k].feature);
    }
    return count;
}

// --- obstacles ------------------------------------------------------------------------

static int detect_plane(const struct dls_placed *b, dls_vec3 origin, dls_vec3 n,
                        double reach, struct dls_meeting meeting[DLS_MEETINGS])
{
    const struct dls_shape *s = b->shape;
    double away = dls_vec3_dot(n, dls_vec3_sub(b->pose.at, origin));
    if (!(away - s->bound <= reach)) return 0;
    if (s->kind == DLS_SHAPE_CYLINDER)
        return dls_detect_cylinder_plane(b, origin, n, reach, meeting);
    bool ball = s->kind == DLS_SHAPE_BALL;
    struct dls_manifold all = {.reach = reach, .meeting = meeting};
    for (int k = 0; k < (ball ? 1 : s->corners); k++) {
        dls_vec3 x =
            ball ? b->pose.at : dls_pose_place(&b->pose, dls_shape_corner(s, k));
        double height = dls_vec3_dot(n, dls_vec3_sub(x, origin));
        double gap = height - s->radius;
        dls_vec3 point = dls_vec3_sub(x, dls_vec3_scale(s->radius, n));
        dls_manifold_keep(&all,
                          (struct dls_meeting){point, n, .gap = gap, .feature = k});
    }
    return all.count;
}

static int detect_wall(const struct dls_placed *b, dls_vec3 from, dls_vec3 to,
                       double reach, struct dls_meeting meeting[DLS_MEETINGS])
{
    struct dls_solid wall, body;
    dls_vec3 room[DLS_SOLID_ROOM], ends[4];
    dls_solid_segment(&wall, from, to, ends);
    if (b->shape->kind == DLS_SHAPE_BALL)
        return dls_detect_ball_solid(b, &wall, reach, meeting);
    dls_solid_place(&body, b->shape, &b->pose, room);
    return dls_detect_polygons(&body, &wall, reach, (unsigned char[2]){0, 0}, meeting);
}

static int detect_container(const struct dls_facing *f, double reach,
                            struct dls_meeting *meeting)
{
    const struct dls_placed *b = f->body;
    dls_vec3 axis = dls_drive_turn(f->drive, f->obstacle->n);
    assert(b->shape->kind == DLS_SHAPE_BALL);
    dls_vec3 arm =
        dls_vec3_sub(b->pose.at, dls_drive_point(f->drive, f->obstacle->point));
    dls_vec3 across = dls_vec3_sub(arm, dls_vec3_scale(dls_vec3_dot(arm, axis), axis));
    double rho = dls_vec3_norm(across);
    double gap = f->obstacle->radius - b->shape->radius - rho;
    if (!(gap <= reach) || rho <= 0) return 0; // on the axis all sides are as near
    dls_vec3 n = dls_vec3_scale(-1 / rho, across);
    dls_vec3 point = dls_vec3_sub(b->pose.at, dls_vec3_scale(b->shape->radius, n));
    *meeting = (struct dls_meeting){.point = point, .n = n, .gap = gap};
    return 1;
}

struct dls_placed dls_obstacle_place(const struct dls_obstacle *o,
                                     const struct dls_drive *d)
{
    struct dls_placed placed = {&o->shape, o->pose};
    placed.pose.at = dls_drive_point(d, o->pose.at);
    for (int i = 0; i < 3; i++)
        placed.pose.axis[i] = dls_drive_turn(d, o->pose.axis[i]);
    return placed;
}

static int detect_kind(const struct dls_facing *f, int dim, double reach,
                       struct dls_meeting meeting[DLS_MEETINGS])
{
    const struct dls_obstacle *o = f->obstacle;
    struct dls_placed placed;
    switch (o->kind) {
    case DLS_OBSTACLE_PLANE:
        return detect_plane(f->body, dls_drive_point(f->drive, o->point),
                            dls_drive_turn(f->drive, o->n), reach, meeting);
    case DLS_OBSTACLE_WALL:
        return detect_wall(f->body, dls_drive_point(f->drive, o->point),
                           dls_drive_point(f->drive, o->end), reach, meeting);
    case DLS_OBSTACLE_CONTAINER:
        return detect_container(f, reach, meeting);
    case DLS_OBSTACLE_SHAPE:
        placed = dls_obstacle_place(o, f->drive);
        return dls_detect_pair(f->body, &placed, dim, reach, meeting);
    }
    return 0;
}

int dls_detect_obstacle(const struct dls_facing *f, int dim, double reach,
                        struct dls_meeting meeting[DLS_MEETINGS])
{
    enum dls_obstacle_kind kind = f->obstacle->kind;
    bool middle = kind == DLS_OBSTACLE_WALL || kind == DLS_OBSTACLE_SHAPE;
    int count = detect_kind(f, dim, reach, meeting);
    for (int k = 0; k < count; k++) {
        struct dls_meeting *m = &meeting[k];
        // The obstacle's own point, as far from the body's as the gap is wide.
        double below = middle ? -0.5 * m->gap : -m->gap;
        dls_vec3 own = dls_vec3_add(m->point, dls_vec3_scale(below, m->n));
        m->surface = dls_drive_velocity(f->drive, own);
        if (middle)
            m->point = dls_vec3_add(m->point, dls_vec3_scale(0.5 * m->gap, m->n));
    }
    return count;
}
