// SPDX-License-Identifier: Apache-2.0
// A dry wall of rectangular blocks in running bond on quaking ground [Moreau1994, 2; 7;
// MoreauJean1996, 4], in the plane and in space.
//
// The ground oscillates along the wall, x = A (1 - cos(w t)), with the acceleration A w^2 =
// a g; no restitution. Bodies n = 3 or 6 each, contact rows m = 2 or 3 times four or more a
// block: m > n, so that W has a kernel of at least m - n dimensions and the impulses are
// not unique (hyperstatic), while the velocities mostly are. Sizes are ours.
//
// Checks: under the weight alone two solvers agree on the velocities and on the whole
// force of the ground, but not on single impulses, and the kernel is that large; below the
// tilt threshold a < mu nothing slides, above it blocks part; 1 % makes the difference.
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
    DLS_INT(wall_options, bricks, 8, 1, 1000, "blocks in a course"),
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

// Blocks of an odd course are shifted by half a block; halves end it.
static int blocks_of(const struct wall_options *o, int course)
{
    return o->bricks + course % 2;
}

static void add_course(struct dls_rigid *r, const struct wall_options *o, int course)
{
    for (int k = 0; k < blocks_of(o, course); k++) {
        double from = course % 2 ? fmax(0, k - 0.5) : k;
        double to = course % 2 ? fmin(o->bricks, k + 0.5) : k + 1;
        double x = 0.5 * (from + to) * o->length, up = (course + 0.5) * o->height;
        double length = (to - from) * o->length;
        bool plane = o->dim == 2;
        dls_vec3 edges = {length, plane ? o->height : o->depth, plane ? 0 : o->height};
        dls_vec3 solid = {length, edges.y, plane ? 1 : o->height};
        dls_vec3 at = {x, plane ? up : 0, plane ? 0 : up};
        dls_rigid_body(r, dls_body_box(1, solid, at), dls_shape_box(edges));
    }
}

static struct dls_rigid *make_wall(const struct wall_options *o, struct dls_arena *a)
{
    int blocks = 0;
    for (int c = 0; c < o->courses; c++) blocks += blocks_of(o, c);
    struct dls_rigid *r = dls_rigid_new(o->dim, blocks, 1, false, a);
    struct dls_oscillation *shake = DLS_NEW(a, struct dls_oscillation, 1);
    if (!r || !shake) return NULL;
    double w = 2 * acos(-1) * o->frequency;
    *shake = (struct dls_oscillation){
        .omega = w, .cosine = {-o->accel * o->gravity / (w * w), 0, 0}};
    for (int c = 0; c < o->courses; c++) add_course(r, o, c);
    bool plane = o->dim == 2;
    dls_rigid_plane(r, (struct dls_plane){
                           .n = {0, plane, !plane},
                           .motion = dls_motion_oscillation,
                           .data = shake,
                       });
    *(plane ? &r->gravity.y : &r->gravity.z) = -o->gravity;
    r->law.mu = o->mu;
    r->system.slack = 1e-9 * o->length; // joints closed whatever the rounding
    return r;
}

// --- the run -------------------------------------------------------------------------

// The most that a block has moved along the wall against the ground.
static double most_moved(const struct dls_sim *sim, const struct dls_rigid *r)
{
    struct dls_drive drive =
        dls_drive_at(r->obstacle[0].motion, r->obstacle[0].data, sim->t);
    struct dls_drive start =
        dls_drive_at(r->obstacle[0].motion, r->obstacle[0].data, 0);
    double most = 0, shift = drive.to.at.x - start.to.at.x;
    int each = sim->system->nq / sim->system->bodies;
    for (int k = 0; k < sim->system->bodies; k++)
        most = fmax(most, fabs(sim->q[each * k] - r->body[k].at.x - shift));
    return most;
}

static void observe(const struct dls_sim *sim, double *values)
{
    const struct dls_rigid *r = sim->system->self;
    values[0] = most_moved(sim, r);
    values[1] = sim->last.problem.contacts;
    values[2] = sim->last.problem.m - sim->last.problem.n;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"moved", "contacts", "rows_less_velocities",
                                        NULL};
    const struct wall_options *o = asked->options;
    struct dls_rigid *r = make_wall(o, a);
    if (!r) return DLS_ENOMEM;
    *scene = (struct dls_scene){
        .h = o->step,
        .end = o->end * asked->scale,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return dls_scene_rigid(scene, r, a);
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
    struct dls_rigid *r = make_wall(&o, a);
    struct dls_scene scene;
    if (!r || dls_scene_rigid(&scene, r, a)) return DLS_ENOMEM;
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

static enum dls_status quake(double *moved, const struct wall_options *o, double end,
                             const struct dls_asked *asked, struct dls_arena *a,
                             struct dls_error *err)
{
    struct dls_rigid *r = make_wall(o, a);
    struct dls_scene scene;
    *moved = 0;
    if (!r || dls_scene_rigid(&scene, r, a)) return DLS_ENOMEM;
    struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v,
                              o->step,      end,      watch,   moved};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct wall_options o = *(const struct wall_options *)asked->options;
    enum dls_status status = check_solvers(c, 2, asked, a, err);
    if (!status) status = check_solvers(c, 3, asked, a, err);
    if (status) return status;
    double moved, end = 0.5 / o.frequency; // half a period
    if (asked->scale < 1) {
        o.courses = o.bricks = 2;
        o.step = 1e-3;
    }
    for (int side = -1; side <= 1; side += 2) {
        o.accel = o.mu * (1 + 0.005 * side);
        status = quake(&moved, &o, end, asked, a, err);
        if (status) return status;
        const char *what =
            dls_text(a, "acceleration %g mu g: way over the ground", o.accel / o.mu);
        if (side < 0)
            dls_check_most(c, what, moved, 1e-9, "they stick; solver at 1e-12");
        else
            dls_check_least(c, what, moved, 1e-9, "they slide");
    }
    return DLS_OK;
}

const struct dls_example dls_example_wall = {
    .name = "wall",
    .brief = "a dry wall on quaking ground: hyperstatic, sliding from mu g on",
    .paper = "Moreau1994, 2 and 7; MoreauJean1996, 4",
    .options = options,
    .options_size = sizeof(struct wall_options),
    .make = make,
    .check = check,
};
