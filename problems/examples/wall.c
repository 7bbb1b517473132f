// SPDX-License-Identifier: Apache-2.0
// A dry wall of rectangular blocks in running bond on quaking ground [Moreau1994, 2; 7;
// MoreauJean1996, 4], in the plane and in space.
//
// The ground oscillates along the wall, x = A (1 - cos(w t)), with the acceleration A w^2 =
// a g; no restitution. The lowest joint passes on no more than mu g, so that a wall whose
// length is above mu times its height slides on the ground and stays whole, however strong
// the quake; a more slender one rocks, and its joints open one after the other. Bodies n = 3 or 6 each, contact rows m = 2 or 3 times four or more a
// block: m > n, so that W has a kernel of at least m - n dimensions and the impulses are
// not unique (hyperstatic), while the velocities mostly are. Sizes are ours.
//
// Checks: under the weight alone two solvers agree on the velocities and on the whole
// force of the ground, but not on single impulses, and the kernel is that large; below the
// tilt threshold a < mu nothing slides, above it blocks slide; 1 % makes the difference;
// a slender wall is damaged, and more so as the quake goes on; a long one is not.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct wall_options {
    int dim, courses, bricks;
    double length, height, depth, mu, accel, frequency, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_INT(wall_options, dim, 2, 2, 3, "in the plane or in space"),
    DLS_INT(wall_options, courses, 10, 1, 1000, "courses"),
    DLS_INT(wall_options, bricks, 3, 1, 1000, "blocks in a course"),
    DLS_REAL(wall_options, length, 0.4, 1e-3, 1e3, "of a block, m"),
    DLS_REAL(wall_options, height, 0.2, 1e-3, 1e3, "of a block, m"),
    DLS_REAL(wall_options, depth, 0.2, 1e-3, 1e3, "of a block in space, m"),
    DLS_REAL(wall_options, mu, 0.5, 0, 1e3, "friction coefficient"),
    DLS_REAL(wall_options, accel, 0.6, 0, 100, "of the ground, over g"),
    DLS_REAL(wall_options, frequency, 2, 1e-3, 1e3, "of the ground, Hz"),
    DLS_REAL(wall_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(wall_options, step, 5e-4, 1e-9, 1, "length of a time step"),
    DLS_REAL(wall_options, end, 5, 1e-6, 1e6, "duration"),
    {0},
};

// Two blocks, one on the other at the start, and a point of their joint in the axes of both.
struct joint {
    int body, other;
    dls_vec3 own, other_own;
};

struct wall {
    struct wall_options o;
    struct dls_rigid *rigid;
    int joints;
    struct joint *joint;
};

// Blocks of an odd course are shifted by half a block; halves end it.
static int blocks_of(const struct wall_options *o, int course)
{
    return o->bricks + course % 2;
}

// Where block k of a course begins and ends, in blocks.
static double begin_of(const struct wall_options *o, int course, int k)
{
    return course % 2 ? fmin(o->bricks, fmax(0, k - 0.5)) : k;
}
static double end_of(const struct wall_options *o, int course, int k)
{
    return begin_of(o, course, k + 1);
}

static void add_course(struct dls_rigid *r, const struct wall_options *o, int course)
{
    for (int k = 0; k < blocks_of(o, course); k++) {
        double from = begin_of(o, course, k), to = end_of(o, course, k);
        double x = 0.5 * (from + to) * o->length, up = (course + 0.5) * o->height;
        double length = (to - from) * o->length;
        bool plane = o->dim == 2;
        dls_vec3 edges = {length, plane ? o->height : o->depth, plane ? 0 : o->height};
        dls_vec3 solid = {length, edges.y, plane ? 1 : o->height};
        dls_vec3 at = {x, plane ? up : 0, plane ? 0 : up};
        dls_rigid_body(r, dls_body_box(1, solid, at), dls_shape_box(edges));
    }
}

// The middle of what block k of a course and block j of the next have in common.
static void add_joint(struct wall *w, int course, int k, int j, int body, int other)
{
    const struct wall_options *o = &w->o;
    double from = fmax(begin_of(o, course, k), begin_of(o, course + 1, j));
    double to = fmin(end_of(o, course, k), end_of(o, course + 1, j));
    if (to <= from) return;
    double x = 0.5 * (from + to) * o->length, up = (course + 1) * o->height;
    dls_vec3 point = {x, o->dim == 2 ? up : 0, o->dim == 2 ? 0 : up};
    w->joint[w->joints++] = (struct joint){
        .body = body,
        .other = other,
        .own = dls_vec3_sub(point, w->rigid->body[body].at),
        .other_own = dls_vec3_sub(point, w->rigid->body[other].at),
    };
}

static void add_joints(struct wall *w)
{
    const struct wall_options *o = &w->o;
    for (int c = 0, first = 0; c + 1 < o->courses; first += blocks_of(o, c++))
        for (int k = 0; k < blocks_of(o, c); k++)
            for (int j = 0; j < blocks_of(o, c + 1); j++)
                add_joint(w, c, k, j, first + blocks_of(o, c) + j, first + k);
}

static struct wall *make_wall(const struct wall_options *o, struct dls_arena *a)
{
    int blocks = 0;
    for (int c = 0; c < o->courses; c++) blocks += blocks_of(o, c);
    struct wall *wall = DLS_NEW(a, struct wall, 1);
    struct dls_rigid *r = dls_rigid_new(o->dim, blocks, 1, false, a);
    struct dls_oscillation *shake = DLS_NEW(a, struct dls_oscillation, 1);
    struct joint *joint =
        DLS_NEW(a, struct joint, 2 * (size_t)blocks); // two below each
    if (a->failed) return NULL;
    *wall = (struct wall){.o = *o, .rigid = r, .joint = joint};
    double w = 2 * acos(-1) * o->frequency;
    *shake = (struct dls_oscillation){
        .omega = w, .cosine = {-o->accel * o->gravity / (w * w), 0, 0}};
    for (int c = 0; c < o->courses; c++) add_course(r, o, c);
    add_joints(wall);
    bool plane = o->dim == 2;
    dls_rigid_plane(r, (struct dls_plane){
                           .n = {0, plane, !plane},
                           .motion = dls_motion_oscillation,
                           .data = shake,
                       });
    *(plane ? &r->gravity.y : &r->gravity.z) = -o->gravity;
    r->law.mu = o->mu;
    r->system.slack = 1e-9 * o->length; // joints closed whatever the rounding
    r->data = wall;
    return wall;
}

// --- the run -------------------------------------------------------------------------

// Joints whose two points are more than a centimetre apart, by opening or by slip.
static int parted(const struct wall *w, const double *q)
{
    int count = 0;
    for (int k = 0; k < w->joints; k++) {
        const struct joint *j = &w->joint[k];
        struct dls_pose body = dls_rigid_pose(w->rigid, q, j->body);
        struct dls_pose other = dls_rigid_pose(w->rigid, q, j->other);
        dls_vec3 apart = dls_vec3_sub(dls_pose_place(&body, j->own),
                                      dls_pose_place(&other, j->other_own));
        count += dls_vec3_norm(apart) > 0.01;
    }
    return count;
}

static void observe(const struct dls_sim *sim, double *values)
{
    const struct dls_rigid *r = sim->system->self;
    values[0] = parted(r->data, sim->q);
    values[1] = sim->last.problem.contacts;
    values[2] = sim->last.problem.m - sim->last.problem.n;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"joints_parted", "contacts",
                                        "rows_less_velocities", NULL};
    const struct wall_options *o = asked->options;
    struct wall *w = make_wall(o, a);
    if (!w) return DLS_ENOMEM;
    *scene = (struct dls_scene){
        .h = o->step,
        .end = o->end * asked->scale,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return dls_scene_rigid(scene, w->rigid, a);
}

// --- two solvers ---------------------------------------------------------------------

enum { MOST = 4000 };

struct answer {
    int m, n;
    double r[MOST], v[MOST], ground; // impulses, velocities, normal force of the ground
};

static void keep(const struct dls_sim *sim, void *data)
{
    struct answer *out = data;
    const struct dls_problem *p = &sim->last.problem;
    out->m = p->m < MOST ? p->m : MOST;
    out->n = p->n < MOST ? p->n : MOST;
    out->ground = 0;
    for (int i = 0; i < out->m; i++) {
        out->r[i] = sim->last.r[i];
        if (i % p->d == 0 && sim->last.contact[i / p->d].other < 0)
            out->ground += sim->last.r[i] / sim->h;
    }
    for (int i = 0; i < out->n; i++) out->v[i] = sim->v[i];
}

static double distance(int count, const double *x, const double *y)
{
    double worst = 0;
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

static enum dls_status check_solvers(struct dls_checks *c, int dim,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    static const char *const solvers[] = {"pgs", "ipm"};
    struct wall_options o = *(const struct wall_options *)asked->options;
    struct answer *out = DLS_NEW(a, struct answer, 2);
    if (!out) return DLS_ENOMEM;
    o.courses = o.bricks = 3;
    o.dim = dim;
    o.accel = 0;
    struct wall *w = make_wall(&o, a);
    struct dls_scene scene;
    if (!w || dls_scene_rigid(&scene, w->rigid, a)) return DLS_ENOMEM;
    const struct dls_rigid *r = w->rigid;
    double weight = 0;
    for (int k = 0; k < r->bodies; k++) weight += r->body[k].mass * o.gravity;
    for (int k = 0; k < 2; k++) {
        struct dls_asked with = *asked;
        if (asked->setup.settings.tol < 1e-3) { // else the solver asked for, as it is
            with.setup.solver = dls_solver_find(solvers[k]);
            with.setup.solver_options = (struct dls_options){0};
            with.setup.settings.tol = 1e-10; // the interior point gives no 1e-12
        }
        struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v,
                                  o.step,       o.step,   keep,    &out[k]};
        enum dls_status status = dls_trial_run(&trial, &with, a, err);
        if (status) return status;
    }
    const char *name = dim == 2 ? "plane" : "space";
    double largest = 0;
    for (int i = 0; i < out[0].m; i++) largest = fmax(largest, fabs(out[0].r[i]));
    dls_check_least(c,
                    dls_text(a, "%s: rows less velocities, in the kernel of W", name),
                    out[0].m - out[0].n, 1, "hyperstatic");
    dls_check_most(c, dls_text(a, "%s: difference of velocities over g h", name),
                   distance(out[0].n, out[0].v, out[1].v) / (o.gravity * o.step), 1e-7,
                   "both at 1e-10, a hundred times worse conditioned");
    dls_check_least(c, dls_text(a, "%s: difference of impulses over the largest", name),
                    distance(out[0].m, out[0].r, out[1].r) / largest, 1e-3,
                    "each solver has its own");
    dls_check_near(c, dls_text(a, "%s: force of the ground over the weight", name),
                   out[0].ground / weight, 1, 1e-7, "the whole wrench is determined");
    return DLS_OK;
}

// --- quakes --------------------------------------------------------------------------

// The way over the ground so far, by the velocities at its contacts.
static void watch(const struct dls_sim *sim, void *data)
{
    double *way = data, fastest = 0;
    const struct dls_problem *p = &sim->last.problem;
    for (int c = 0; c < p->contacts; c++)
        if (sim->last.contact[c].other < 0)
            fastest = fmax(fastest, fabs(sim->last.u[p->d * c + 1]));
    *way += sim->h * fastest;
}

struct damage {
    const struct wall *wall;
    double end;
    int middle, last; // joints parted at half of the time, and now
};

static void count(const struct dls_sim *sim, void *data)
{
    struct damage *d = data;
    if (sim->t < 0.5 * d->end + 0.5 * sim->h) d->middle = parted(d->wall, sim->q);
    d->last = parted(d->wall, sim->q);
}

// One quake; `each` sees every step with the damage, or the way over the ground.
static enum dls_status quake(struct dls_trial trial, struct damage *damage,
                             const struct wall_options *o,
                             const struct dls_asked *asked, struct dls_arena *a,
                             struct dls_error *err)
{
    struct wall *w = make_wall(o, a);
    struct dls_scene scene;
    if (!w || dls_scene_rigid(&scene, w->rigid, a)) return DLS_ENOMEM;
    trial.system = scene.system;
    trial.scheme = "moreau";
    trial.q = scene.q;
    trial.v = scene.v;
    trial.h = o->step;
    if (damage) {
        *damage = (struct damage){.wall = w, .end = trial.end};
        trial.data = damage;
    }
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_threshold(struct dls_checks *c, struct wall_options o,
                                       const struct dls_asked *asked,
                                       struct dls_arena *a, struct dls_error *err)
{
    for (int side = -1; side <= 1; side += 2) {
        double way = 0, end = 0.5 / o.frequency; // half a period
        o.accel = o.mu * (1 + 0.005 * side);
        struct dls_trial trial = {.end = end, .each = watch, .data = &way};
        enum dls_status status = quake(trial, NULL, &o, asked, a, err);
        if (status) return status;
        const char *what =
            dls_text(a, "acceleration %g mu g: way over the ground", o.accel / o.mu);
        if (side < 0)
            dls_check_most(c, what, way, 1e-7,
                           "they stick; 1e-8 of g h in every step, 50 times over");
        else
            dls_check_least(c, what, way, 1e-6, "they slide");
    }
    return DLS_OK;
}

static enum dls_status check_damage(struct dls_checks *c, struct wall_options o,
                                    const struct dls_asked *asked, struct dls_arena *a,
                                    struct dls_error *err)
{
    struct damage damage;
    struct dls_trial trial = {.end = o.end, .each = count};
    enum dls_status status = quake(trial, &damage, &o, asked, a, err);
    if (status) return status;
    dls_check_least(c, "slender wall: joints parted at half of the time", damage.middle,
                    1, "length below a / g times height: it rocks");
    dls_check_least(c, "slender wall: joints parted at the end", damage.last,
                    damage.middle, "damage grows");
    o.bricks = (int)ceil(2 * o.mu * o.courses * o.height / o.length); // twice too long
    trial.end = 0.5 / o.frequency; // both directions of the ground
    status = quake(trial, &damage, &o, asked, a, err);
    dls_check_near(c, "long wall: joints parted", damage.last, 0, 0,
                   "it slides on the ground in one piece");
    return status;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct wall_options o = *(const struct wall_options *)asked->options, small = o;
    enum dls_status status = check_solvers(c, 2, asked, a, err);
    if (!status) status = check_solvers(c, 3, asked, a, err);
    if (asked->scale < 1) { // seconds instead of minutes
        o.courses = 8;
        o.bricks = 1;
        o.step = 1e-3;
        o.end = 1;
    }
    small.courses = small.bricks = 2; // too low to tip: it slides
    if (!status)
        status = check_threshold(c, asked->scale < 1 ? small : o, asked, a, err);
    return status ? status : check_damage(c, o, asked, a, err);
}

const struct dls_example dls_example_wall = {
    .name = "wall",
    .brief = "a dry wall on quaking ground: hyperstatic, sliding, damage",
    .paper = "Moreau1994, 2 and 7; MoreauJean1996, 4",
    .solver = "auto",
    .tol = 1e-8,
    .options = options,
    .options_size = sizeof(struct wall_options),
    .make = make,
    .check = check,
};
