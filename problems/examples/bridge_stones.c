// SPDX-License-Identifier: Apache-2.0
// The stones of a bridge: voussoirs, courses above them, springings, and the object that
// forces the key stone down; bridge.c tells what becomes of them.
#include "problems/examples/bridge_stones.h"

#include "problems/mechanics/shape_mass.h"

#include <math.h>

static void add_block(struct dls_bridge *b, int corners, const dls_vec3 *corner)
{
    b->blocks++;
    if (!b->rigid) return;
    dls_vec3 *own = dls_copy(b->arena, corner, (size_t)corners, sizeof *own);
    struct dls_shape shape;
    if (!own) return;
    dls_vec3 at = dls_polygon_centre(corners, own);
    if (!dls_shape_polygon(&shape, corners, own, NULL))
        dls_rigid_body(b->rigid, dls_body_polygon(b->o.density, &shape, at), shape);
}

// A point at a distance from the centre, at the angle of joint k.
static dls_vec3 at_joint(const struct dls_bridge_options *o, double side, int k)
{
    double half = o->opening * acos(-1) / 180;
    double phi = -half + 2 * half * k / o->stones;
    double radius = o->radius * (1 + 0.5 * side * o->thickness);
    return (dls_vec3){radius * sin(phi), radius * cos(phi), 0};
}

static void add_arch(struct dls_bridge *b)
{
    const struct dls_bridge_options *o = &b->o;
    for (int k = 0; k < o->stones; k++) {
        const dls_vec3 corner[] = {at_joint(o, -1, k), at_joint(o, -1, k + 1),
                                   at_joint(o, 1, k + 1), at_joint(o, 1, k)};
        add_block(b, 4, corner);
    }
}

// The top of course c, counted from the springing, and its height.
static double course_height(const struct dls_bridge_options *o)
{
    return 0.12 * o->radius;
}
static double course_top(const struct dls_bridge_options *o, int c)
{
    double crown = at_joint(o, 1, o->stones / 2).y;
    return crown + course_height(o) * (o->courses - c);
}

// How many courses of rectangles stand on strip k, the others being in its lowest block:
// which is as high as a third of a course at least.
static int full_courses(const struct dls_bridge_options *o, int k)
{
    double back = fmax(at_joint(o, 1, k).y, at_joint(o, 1, k + 1).y);
    int count = 0;
    while (course_top(o, count + 1) >= back + course_height(o) / 3) count++;
    return count;
}

static bool in_slot(const struct dls_bridge_options *o, int k)
{
    return k == o->stones / 2;
}

static void add_spandrels(struct dls_bridge *b)
{
    const struct dls_bridge_options *o = &b->o;
    for (int k = 0; k < o->stones; k++) {
        if (in_slot(o, k) || !o->courses) continue;
        dls_vec3 left = at_joint(o, 1, k), right = at_joint(o, 1, k + 1);
        double top = course_top(o, full_courses(o, k));
        const dls_vec3 corner[] = {left, right, {right.x, top, 0}, {left.x, top, 0}};
        add_block(b, 4, corner);
    }
    // Rectangles, from the top: two strips together where both have the course.
    for (int c = 0; c < o->courses + o->stones && o->courses; c++)
        for (int k = 0; k < o->stones; k++) {
            if (in_slot(o, k) || full_courses(o, k) <= c) continue;
            int last = k;
            if (k + 1 < o->stones && k % 2 == c % 2 && !in_slot(o, k + 1)
                && full_courses(o, k + 1) > c)
                last = k + 1;
            double x0 = at_joint(o, 1, k).x, x1 = at_joint(o, 1, last + 1).x;
            double top = course_top(o, c), low = course_top(o, c + 1);
            const dls_vec3 corner[] = {
                {x0, low, 0}, {x1, low, 0}, {x1, top, 0}, {x0, top, 0}};
            add_block(b, 4, corner);
            k = last;
        }
}

// The springings; the courses end freely.
static void add_ground(struct dls_bridge *b)
{
    const struct dls_bridge_options *o = &b->o;
    for (int side = 0; side < 2; side++) { // both springings
        dls_vec3 p = at_joint(o, 1, side ? o->stones : 0);
        double length = hypot(p.x, p.y);
        dls_rigid_plane(b->rigid, (struct dls_plane){
                                      .n = {(side ? -p.y : p.y) / length,
                                            (side ? p.x : -p.x) / length, 0},
                                  });
    }
}

static void add_object(struct dls_bridge *b)
{
    const struct dls_bridge_options *o = &b->o;
    dls_vec3 left = at_joint(o, 1, o->stones / 2);
    double width = -left.x, height = course_height(o);
    b->push = (struct dls_ramp){.velocity = {0, -o->speed, 0}};
    struct dls_obstacle object = {
        .kind = DLS_OBSTACLE_SHAPE,
        .shape = dls_shape_box((dls_vec3){width, height, 0}),
        .pose = {{0, left.y + 0.5 * height, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        .motion = dls_motion_ramp,
        .data = &b->push,
    };
    if (o->speed > 0) dls_rigid_obstacle(b->rigid, object);
}

struct dls_bridge *dls_bridge_make(const struct dls_bridge_options *o,
                                   struct dls_arena *a)
{
    struct dls_bridge *b = DLS_NEW(a, struct dls_bridge, 1);
    if (!b) return NULL;
    b->o = *o;
    b->o.stones |= 1;
    b->arena = a;
    add_arch(b);
    add_spandrels(b);
    b->rigid = dls_rigid_new(2, b->blocks, 3, false, a);
    if (!b->rigid) return NULL;
    b->rigid->gravity.y = -o->gravity;
    b->rigid->law.mu = o->mu;
    b->rigid->system.slack = 1e-9 * o->radius; // joints closed whatever the rounding
    add_arch(b);
    add_spandrels(b);
    add_ground(b);
    add_object(b);
    return a->failed ? NULL : b;
}
