// SPDX-License-Identifier: Apache-2.0
// Bodies of all shapes fall into a vessel that is shaken: disks and polygons in the
// plane, spheres, boxes and cylinder blocks in space.
//
// All obstacles move together, z = -A cos(wt), with the relative acceleration
// G = A w^2 / g. What lies on the floor stays there while z'' > -g, hence leaves it for
// the first time when cos(wt) = -1/G.
//
// Checks: that time for one ball, the gap of its first flight against the parabola, and
// with G < 1 no flight at all.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct vessel_options {
    int dim, bodies;
    double size, amplitude, ratio, mu, e_n, step, end;
};

static const struct dls_option options[] = {
    DLS_INT(vessel_options, dim, 2, 2, 3, "2 = in the plane, 3 = in space"),
    DLS_INT(vessel_options, bodies, 60, 1, 100000, "how many bodies"),
    DLS_REAL(vessel_options, size, 0.05, 1e-6, 1e3, "radius of a ball, half of a box"),
    DLS_REAL(vessel_options, amplitude, 0.01, 0, 1e3, "amplitude A of the vessel"),
    DLS_REAL(vessel_options, ratio, 1.5, 0, 1e3, "G = A w^2 / g"),
    DLS_REAL(vessel_options, mu, 0.4, 0, 1e3, "friction coefficient"),
    DLS_REAL(vessel_options, e_n, 0.2, 0, 1, "normal restitution"),
    DLS_REAL(vessel_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(vessel_options, end, 1, 1e-6, 1e6, "duration"),
    {0},
};

static const double gravity = 9.81, density = 1000;

static dls_vec3 upwards(int dim) { return (dls_vec3){0, dim == 2, dim == 3}; }

// Shapes by turns; tags tell them apart in pictures.
static void add_body(struct dls_rigid *r, const struct vessel_options *o, int k,
                     dls_vec3 at, int *tag)
{
    double s = o->size;
    dls_vec3 box = {2 * s, 1.4 * s, r->dim == 3 ? 1.2 * s : 0};
    struct dls_body body = dls_body_disk(density * s * s, s, at);
    struct dls_shape shape = dls_shape_ball(s);
    if (r->dim == 3) body = dls_body_sphere(density, s, at);
    if (k % 3 == 1) {
        body = dls_body_box(density, (dls_vec3){box.x, box.y, r->dim == 3 ? box.z : 1},
                            at);
        shape = dls_shape_box(box);
    }
    if (k % 3 == 2 && r->dim == 3) {
        shape = dls_shape_cylinder(0.8 * s, 1.6 * s);
        double mass = density * acos(-1) * 0.64 * s * s * 1.6 * s;
        double across = mass * (3 * 0.64 * s * s + 2.56 * s * s) / 12;
        body.mass = mass;
        body.inertia = (dls_vec3){across, across, 0.5 * mass * 0.64 * s * s};
    }
    r->angle[dls_rigid_body(r, body, shape)] = 0.7 * k;
    tag[r->bodies - 1] = 1 + k % 3;
}

static void add_walls(struct dls_rigid *r, double half)
{
    dls_rigid_plane(r, (struct dls_plane){.n = upwards(r->dim)});
    dls_rigid_plane(r, (struct dls_plane){.point = {-half, 0, 0}, .n = {1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = {half, 0, 0}, .n = {-1, 0, 0}});
    if (r->dim == 2) return;
    dls_rigid_plane(r, (struct dls_plane){.point = {0, -half, 0}, .n = {0, 1, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = {0, half, 0}, .n = {0, -1, 0}});
}

// The bodies on a loose lattice above the floor, in rows that fit between the walls.
static struct dls_rigid *make_vessel(const struct vessel_options *o, int bodies,
                                     struct dls_arena *a)
{
    int dim = o->dim, wide = (int)ceil(pow(bodies, 1.0 / dim));
    struct dls_rigid *r = dls_rigid_new(dim, bodies, 5, false, a);
    struct dls_oscillation *shaken = DLS_NEW(a, struct dls_oscillation, 1);
    int *tag = DLS_NEW(a, int, bodies);
    if (a->failed) return NULL;
    double pitch = 2.7 * o->size, half = 0.5 * pitch * wide;
    for (int k = 0; k < bodies; k++) {
        int x = k % wide, y = dim == 3 ? k / wide % wide : 0;
        int up = dim == 3 ? k / wide / wide : k / wide;
        double lean = 0.1 * pitch * (up % 2); // no column stands upright
        dls_vec3 at = {pitch * (x + 0.4) - half + lean,
                       pitch * (y + 0.45) - half + lean, pitch * (up + 0.5)};
        if (dim == 2) at = (dls_vec3){at.x, at.z, 0};
        add_body(r, o, k, at, tag);
    }
    r->tag = tag;
    add_walls(r, half);
    shaken->omega = o->amplitude > 0 ? sqrt(o->ratio * gravity / o->amplitude) : 0;
    shaken->cosine = dls_vec3_scale(-o->amplitude, upwards(dim));
    dls_rigid_vessel(r, dls_motion_oscillation, shaken);
    r->gravity = dls_vec3_scale(-gravity, upwards(dim));
    r->law = (struct dls_law){.mu = o->mu, .e_n = o->e_n, .e_t = 0};
    return r;
}

static void observe(const struct dls_sim *sim, double *values)
{
    const struct dls_rigid *r = sim->system->self;
    double mass = 0, height = 0;
    for (int k = 0; k < r->bodies; k++) {
        dls_vec3 x = dls_rigid_pose(r, sim->q, k).at;
        mass += r->body[k].mass;
        height += r->body[k].mass * dls_vec3_dot(upwards(r->dim), x);
    }
    struct dls_drive floor = dls_rigid_drive(r, 0, sim->t, sim->q);
    values[0] = height / mass;
    values[1] = dls_vec3_dot(upwards(r->dim), floor.to.at);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"mean height", "floor", NULL};
    const struct vessel_options *o = asked->options;
    int bodies = (int)fmax(1, round(asked->scale * o->bodies));
    struct dls_rigid *r = make_vessel(o, bodies, a);
    if (!r) return DLS_ENOMEM;
    *scene = (struct dls_scene){
        .h = o->step,
        .end = o->end,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return dls_scene_rigid(scene, r, a);
}

// --- checks --------------------------------------------------------------------------

struct flight {
    double last;   // when the ball last touched the floor before it first left it
    bool left;     // it has
    double apart;  // largest distance from the floor
    double height; // of the ball at the end
    double size;   // of the ball
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct flight *f = data;
    bool touches = sim->last.problem.contacts && sim->last.r[0] > 0;
    if (touches && !f->left) f->last = sim->t;
    if (!touches) f->left = true;
    double values[2];
    observe(sim, values);
    f->height = sim->q[1];
    f->apart = fmax(f->apart, f->height - f->size - values[1]);
}

// One ball on the floor, and the time at which it leaves.
static enum dls_status fly(struct flight *f, double ratio, double h, double end,
                           const struct dls_asked *asked, struct dls_arena *a,
                           struct dls_error *err)
{
    struct vessel_options o = *(const struct vessel_options *)asked->options;
    o.dim = 2;
    o.ratio = ratio;
    o.e_n = 0;
    struct dls_rigid *r = make_vessel(&o, 1, a);
    struct dls_scene scene = {0};
    if (!r) return DLS_ENOMEM;
    r->body[0].at = (dls_vec3){0, o.size - o.amplitude, 0};
    r->angle[0] = 0;
    if (dls_scene_rigid(&scene, r, a)) return DLS_ENOMEM;
    *f = (struct flight){.size = o.size};
    struct dls_trial trial = {&r->system, "moreau", scene.q, scene.v,
                              h,          end,      follow,  f};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct vessel_options *o = asked->options;
    static const double ratios[] = {1.2, 2, 4};
    enum dls_status status = DLS_OK;
    struct flight f;
    for (int k = 0; k < 3 && !status; k++) {
        double omega = sqrt(ratios[k] * gravity / o->amplitude);
        double leaves = acos(-1 / ratios[k]) / omega, h = leaves / 400;
        double end = leaves + 0.3 / omega;
        status = fly(&f, ratios[k], h, end, asked, a, err);
        if (status) return status;
        dls_check_near(c, dls_text(a, "G = %g: time of the first flight", ratios[k]),
                       f.last, leaves, 2 * h, "the step in which it happens");
        double from = -o->amplitude * cos(omega * leaves);
        double speed = o->amplitude * omega * sin(omega * leaves), t = 0.3 / omega;
        dls_check_near(c, dls_text(a, "G = %g: height after it has left", ratios[k]),
                       f.height - o->size, from + speed * t - 0.5 * gravity * t * t,
                       2 * h * speed, "one step of the floor's speed");
    }
    double omega = sqrt(0.9 * gravity / o->amplitude);
    status = fly(&f, 0.9, 0.01 / omega, 4 * acos(-1) / omega, asked, a, err);
    if (status) return status;
    dls_check_most(c, "G = 0.9: largest gap in two periods over the amplitude",
                   f.apart / o->amplitude, 10 * 1e-4,
                   "of order (w h)^2: the floor never falls faster than the ball");
    return DLS_OK;
}

const struct dls_example dls_example_vessel = {
    .name = "vessel",
    .brief = "bodies of all shapes fall into a shaken vessel, in the plane or in space",
    .paper = "textbook; the first flight from a shaken floor",
    .options = options,
    .options_size = sizeof(struct vessel_options),
    .make = make,
    .may_fall_short = 0.01,
    .why_short = "where floor and ball move alike their relative velocity is rounding",
    .check = check,
};
