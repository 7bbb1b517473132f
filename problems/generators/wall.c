// SPDX-License-Identifier: Apache-2.0
// A brick wall in running bond, dry joints, on the ground.
//
// Even courses have `bricks` whole bricks; odd ones are shifted by half a brick and end
// with half bricks, so that the wall has straight ends. Lengths are counted in bricks:
// between two courses the bed joint falls into 2 `bricks` segments [s/2, (s+1)/2], each
// under one brick and above one brick. A joint carries contacts at its corners: 2
// points in the plane, 4 in space; with more rows than velocities the wall is
// hyperstatic. Acceleration of the ground acts as a force on each brick in the moving
// frame.
//
// Bodies are numbered by courses from the ground, then from the left; contacts by
// joints in the same order, bed joints first. Cost: linear.
#include "problems/generators/wall.h"

// A rectangular joint: `body` lies above `other`, or right of it in a head joint.
struct joint {
    int body, other;
    double left, right, low, high; // the rectangle, in bricks and in courses
};

// Number of the first brick of a course: odd courses hold one brick more.
static int first_of(const struct dls_wall *w, int course)
{
    return course * w->bricks + course / 2;
}

// The brick of a course that covers the segment [s/2, (s+1)/2].
static int covering(const struct dls_wall *w, int course, int s)
{
    return first_of(w, course) + (course % 2 ? (s + 1) / 2 : s / 2);
}

// Left end of brick i of a course (i = its number of bricks: the right end of the
// wall).
static double left_of(const struct dls_wall *w, int course, int i)
{
    if (course % 2 == 0 || i == 0) return i;
    return i > w->bricks ? w->bricks : i - 0.5;
}

static void add_bricks(struct dls_build *b, const struct dls_wall *w, int dim)
{
    for (int c = 0; c < w->courses; c++)
        for (int i = 0, last = w->bricks - 1 + c % 2; i <= last; i++) {
            double from = left_of(w, c, i), to = left_of(w, c, i + 1);
            double x = w->length * (from + to) / 2, up = (c + 0.5) * w->height;
            double l = w->length * (to - from);
            dls_vec3 at = dim == 2 ? (dls_vec3){x, up, 0} : (dls_vec3){x, 0, up};
            dls_vec3 edges = dim == 2 ? (dls_vec3){l, w->height, 1}
                                      : (dls_vec3){l, w->depth, w->height};
            struct dls_body brick = dls_body_box(w->density, edges, at);
            double weight = brick.mass * w->gravity;
            double push = c == w->courses / 2 && i == 0 ? w->push : 0;
            brick.force.x = (push - w->accel_x) * weight;
            if (dim == 3) brick.force.y = 0 - w->accel_y * weight;
            dls_build_body(b, brick);
        }
}

static void add_joint(struct dls_build *b, const struct dls_wall *w, struct joint j)
{
    bool head = j.left == j.right, space = b->dim == 3;
    for (int k = 0; k < (space ? 4 : 2); k++) {
        double x = w->length * (k % 2 && !head ? j.right : j.left);
        double up = w->height * (k % 2 && head ? j.high : j.low);
        double y = !space ? 0 : k / 2 ? w->depth / 2 : -w->depth / 2;
        dls_build_touch(b, (struct dls_touch){
                               .body = j.body,
                               .other = j.other,
                               .point = {x, space ? y : up, space ? up : 0},
                               .n = {head, !head && !space, !head && space},
                               .law = {.mu = w->mu, .e_n = w->e_n, .e_t = w->e_t},
                           });
    }
}

static void add_bed_joints(struct dls_build *b, const struct dls_wall *w)
{
    for (int i = 0; i < w->bricks; i++)
        add_joint(b, w, (struct joint){i, -1, i, i + 1, 0, 0});
    for (int c = 1; c < w->courses; c++)
        for (int s = 0; s < 2 * w->bricks; s++)
            add_joint(b, w,
                      (struct joint){
                          .body = covering(w, c, s),
                          .other = covering(w, c - 1, s),
                          .left = s / 2.0,
                          .right = (s + 1) / 2.0,
                          .low = c,
                          .high = c,
                      });
}

static void add_head_joints(struct dls_build *b, const struct dls_wall *w)
{
    for (int c = 0; c < w->courses; c++)
        for (int i = 1; i < w->bricks + c % 2; i++) {
            int brick = first_of(w, c) + i;
            double x = left_of(w, c, i);
            add_joint(b, w, (struct joint){brick, brick - 1, x, x, c, c + 1});
        }
}

enum dls_status dls_wall_make(const struct dls_wall *w, int dim, struct dls_problem *p,
                              const struct dls_origin *origin, struct dls_arena *a)
{
    int beds = w->bricks * (2 * w->courses - 1);
    int bricks = first_of(w, w->courses), heads = w->heads ? bricks - w->courses : 0;
    struct dls_build b;
    if (!dls_build_open(&b, dim, bricks, (beds + heads) * (dim == 2 ? 2 : 4), a))
        return DLS_ENOMEM;
    b.gravity = w->gravity;
    b.step = w->step;
    add_bricks(&b, w, dim);
    add_bed_joints(&b, w);
    if (w->heads) add_head_joints(&b, w);
    return dls_build_close(&b, p, origin, a);
}
