// SPDX-License-Identifier: Apache-2.0
// Vessels shaken along the vertical, height -A cos(omega t): lowest at t = 0.
//
// A block that does not bounce leaves the floor where the floor's acceleration reaches
// -g:  cos(omega t) = -1 / G,  G = A omega^2 / g, and lands where its parabola meets the
// floor again. Over any window the vertical momentum balances exactly:
//
//     impulse of floor and sides = weight x time + momentum gained
//
// Fields of displacement are taken at whole periods (a stroboscope) [Moreau1994, 2].
#include "problems/examples/shaken.h"

#include "problems/observe/stress.h"
#include "problems/preparation/place.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static struct dls_law material(const struct dls_rigid *r, int body, int other)
{
    (void)body;
    const struct dls_vessel *vessel = r->data;
    return other < 0 ? vessel->wall : vessel->grain;
}

static void add_walls(const struct dls_vessel *vessel, struct dls_rigid *r)
{
    dls_vec3 up = {0, r->dim == 2, r->dim == 3};
    dls_rigid_plane(r, (struct dls_plane){.n = up});
    if (r->dim == 3) {
        dls_rigid_obstacle(r, (struct dls_obstacle){.kind = DLS_OBSTACLE_CONTAINER,
                                                    .n = up,
                                                    .radius = 0.5 * vessel->width});
        return;
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(
        r, (struct dls_plane){.point = {vessel->width, 0, 0}, .n = {-1, 0, 0}});
}

// A sphere, a disk, or a sphere between two plates that does not touch them. Motions do
// not depend on the density: that of a grain of `unit` radius and mass 1 keeps impulses
// and velocities of one size, which the natural residual likes.
static struct dls_body grain_of(double radius, double unit, bool sphere, int dim,
                                dls_vec3 at)
{
    double x = radius / unit;
    if (dim == 3) return dls_body_sphere(0.75 / (pi * unit * unit * unit), radius, at);
    struct dls_body b = dls_body_disk(x * x, radius, at);
    if (sphere) b.inertia.z *= 0.4 / 0.5;
    return b;
}

struct dls_rigid *dls_vessel_fill(struct dls_vessel *vessel, int count,
                                  const double *radius, bool spheres, struct dls_rng *g,
                                  struct dls_arena *a)
{
    int dim = vessel->dim;
    struct dls_rigid *r = dls_rigid_new(dim, count, 3, false, a);
    struct dls_arena scratch = dls_arena_scratch(a);
    dls_vec3 *at = DLS_NEW(&scratch, dls_vec3, count);
    double half = 0.5 * vessel->width, unit = radius[count - 1];
    struct dls_rows rows = {
        .dim = dim,
        .region = {{dim == 3 ? -half : 0, dim == 3 ? -half : 0, 0},
                   {dim == 3 ? half : vessel->width, half, 0}},
        .round = dim == 3,
        .gap = 0.1,
    };
    if (!a->failed) {
        dls_place_rows(&rows, count, radius, g, at);
        for (int k = 0; k < count; k++)
            dls_rigid_body(r, grain_of(radius[k], unit, spheres, dim, at[k]),
                           dls_shape_ball(radius[k]));
        add_walls(vessel, r);
        r->gravity = (dls_vec3){0, dim == 2 ? -vessel->gravity : 0,
                                dim == 3 ? -vessel->gravity : 0};
        r->material = material;
        r->data = vessel;
    }
    dls_arena_free(&scratch);
    return a->failed ? NULL : r;
}

// Grains settle in a vessel at its mean height, then both are lowered to the start.
enum dls_status dls_vessel_start(struct dls_vessel *vessel, struct dls_rigid *r,
                                 const struct dls_asked *asked, struct dls_arena *a,
                                 struct dls_error *err)
{
    double T = 1 / vessel->frequency, A = 0.5 * vessel->peak;
    dls_vec3 down = {0, r->dim == 2 ? -A : 0, r->dim == 3 ? -A : 0};
    double d = 2 * r->shape[0].bound;
    struct dls_settling with = {
        .scheme = "moreau",
        .h = fmin(T / 200, 0.02 * d / sqrt(2 * vessel->gravity * 20 * d)),
        .most = 20 * T,
        .tol = 1e-4,
        .speed = 0.01 * sqrt(vessel->gravity * d),
        .law = {.mu = vessel->grain.mu},
    };
    enum dls_status status = dls_packed(r, &with, asked, a, err);
    for (int k = 0; !asked->from && k < r->bodies; k++)
        r->body[k].at = dls_vec3_add(r->body[k].at, down);
    vessel->motion = (struct dls_oscillation){.omega = 2 * pi / T, .cosine = down};
    dls_rigid_vessel(r, dls_motion_oscillation, &vessel->motion);
    return status;
}

// --- a run ---------------------------------------------------------------------------

static double upward(int dim, dls_vec3 x) { return dim == 2 ? x.y : x.z; }

static double momentum_of(const struct dls_observed *o)
{
    double sum = 0;
    for (int k = 0; k < o->grains; k++)
        sum += o->grain[k].mass * upward(o->dim, o->grain[k].v);
    return sum;
}

// Force of the sides towards the axis: the sum of normal components.
static double inward(const struct dls_observed *o)
{
    double sum = 0;
    for (int c = 0; c < o->forces; c++)
        if (o->force[c].obstacle > 0) sum += o->force[c].normal;
    return sum;
}

static void count_step(struct dls_shaking *s, const struct dls_sim *sim,
                       const struct dls_observed *o)
{
    double T = 1 / s->vessel->frequency, mid = sim->t - 0.5 * sim->h;
    double floor = upward(o->dim, dls_obstacle_force(o, 0, 1));
    double lift = upward(o->dim, dls_obstacle_force(o, 1, 3)), mass = 0;
    dls_tensor M = dls_internal_moment(o, NULL, NULL);
    s->floor.period = s->lift.period = s->normal.period = s->pressure.period = T;
    s->floor.bins = s->lift.bins = s->normal.bins = s->pressure.bins = 50;
    dls_window_add(&s->floor, mid, floor);
    dls_window_add(&s->lift, mid, lift);
    dls_window_add(&s->normal, mid, inward(o));
    dls_window_add(&s->pressure, mid, -(M.x[0][0] + M.x[1][1] + M.x[2][2]));
    for (int k = 0; k < o->grains; k++) mass += o->grain[k].mass;
    s->impulse += sim->h * (floor + lift);
    s->weight += sim->h * mass * s->vessel->gravity;
    s->counted++;
    s->contacts += o->forces;
    s->iterations += sim->last.iterations;
    s->unconverged += sim->last.status != DLS_OK;
}

static void watch(const struct dls_sim *sim, void *data)
{
    struct dls_shaking *s = data;
    struct dls_arena scratch = dls_arena_scratch(s->arena);
    struct dls_observed o;
    long first = (long)s->discard * s->steps;
    bool counts = sim->steps > first, start = sim->steps == first;
    if ((counts || start) && dls_observe(&o, sim, &scratch)) s->failed = true;
    if (start && !s->failed) {
        dls_centres(sim, s->from);
        s->momentum = -momentum_of(&o);
    }
    if (counts && !s->failed) {
        count_step(s, sim, &o);
        bool whole = sim->steps % s->steps == 0;
        int period = (int)(sim->steps / s->steps) - s->discard;
        if (whole && s->period) s->period(sim, period, s->data);
        if (whole && period == s->periods) {
            dls_centres(sim, s->to);
            s->momentum += momentum_of(&o);
        }
    }
    dls_arena_free(&scratch);
}

enum dls_status dls_shaking_run(struct dls_shaking *s, const struct dls_scene *scene,
                                const struct dls_asked *asked, struct dls_error *err)
{
    double T = 1 / s->vessel->frequency;
    s->grains = scene->system->bodies;
    s->from = DLS_NEW(s->arena, dls_vec3, s->grains);
    s->to = DLS_NEW(s->arena, dls_vec3, s->grains);
    if (s->arena->failed) return DLS_ENOMEM;
    struct dls_trial trial = {
        .system = scene->system,
        .scheme = scene->scheme,
        .q = scene->q,
        .v = scene->v,
        .h = T / s->steps,
        .end = T * (s->discard + s->periods),
        .each = watch,
        .data = s,
    };
    enum dls_status status = dls_trial_run(&trial, asked, s->arena, err);
    s->unbalanced = fabs(s->impulse - s->weight - s->momentum) / s->weight;
    return status ? status : s->failed ? DLS_ENOMEM : DLS_OK;
}

// --- one block -----------------------------------------------------------------------

void dls_block_flight_exact(const struct dls_vessel *vessel, double *leaves,
                            double *lands)
{
    double omega = 2 * pi * vessel->frequency, A = 0.5 * vessel->peak;
    double g = vessel->gravity, t0 = acos(-g / (A * omega * omega)) / omega;
    double z0 = -A * cos(omega * t0), v0 = A * omega * sin(omega * t0);
    // The parabola is above the floor after t0; bisection for where it comes back.
    double low = t0 + 1e-3 / omega, high = t0 + 2 * pi / omega;
    for (int k = 0; k < 60; k++) {
        double t = 0.5 * (low + high), s = t - t0;
        double height = z0 + v0 * s - 0.5 * g * s * s + A * cos(omega * t);
        *(height > 0 ? &low : &high) = t;
    }
    *leaves = t0 * vessel->frequency;
    *lands = low * vessel->frequency;
}

struct flight {
    double leaves, lands; // in periods; negative: not yet
    double period;
    int quiet; // steps without contact so far
};

static void watch_block(const struct dls_sim *sim, void *data)
{
    struct flight *f = data;
    bool touches = false;
    for (int c = 0; c < sim->last.problem.contacts; c++)
        touches |= sim->last.r[2 * c] > 0;
    double mid = (sim->t - 0.5 * sim->h) / f->period;
    if (f->leaves < 0 && !touches && mid > 0.25) f->leaves = mid;
    if (f->leaves > 0 && f->lands < 0 && touches) f->lands = mid;
}

enum dls_status dls_block_flight(const struct dls_vessel *vessel, int steps,
                                 double *leaves, double *lands,
                                 const struct dls_asked *asked, struct dls_arena *a,
                                 struct dls_error *err)
{
    double T = 1 / vessel->frequency, A = 0.5 * vessel->peak, r = 0.5 * A;
    struct dls_oscillation motion = {2 * pi / T, {0, -A, 0}, {0, 0, 0}};
    struct dls_rigid *one = dls_rigid_new(2, 1, 1, false, a);
    struct dls_scene scene = {0};
    if (!one) return DLS_ENOMEM;
    dls_rigid_body(one, dls_body_disk(1, r, (dls_vec3){0, r - A, 0}),
                   dls_shape_ball(r));
    dls_rigid_plane(one, (struct dls_plane){.n = {0, 1, 0},
                                            .motion = dls_motion_oscillation,
                                            .data = &motion});
    one->gravity.y = -vessel->gravity;
    enum dls_status status = dls_scene_rigid(&scene, one, a);
    struct flight f = {-1, -1, T, 0};
    struct dls_trial trial = {scene.system, "moreau", scene.q,     scene.v,
                              T / steps,    1.5 * T,  watch_block, &f};
    if (!status) status = dls_trial_run(&trial, asked, a, err);
    *leaves = f.leaves;
    *lands = f.lands;
    return status;
}

// --- checks --------------------------------------------------------------------------

enum dls_status dls_shaken_checks(struct dls_checks *c, const struct dls_shaking *s,
                                  const struct dls_asked *asked, struct dls_arena *a,
                                  struct dls_error *err)
{
    double omega = 2 * pi * s->vessel->frequency;
    double G = 0.5 * s->vessel->peak * omega * omega / s->vessel->gravity;
    if (G > 1) {
        double leaves, lands, exact[2];
        enum dls_status status =
            dls_block_flight(s->vessel, s->steps, &leaves, &lands, asked, a, err);
        if (status) return status;
        dls_block_flight_exact(s->vessel, &exact[0], &exact[1]);
        dls_check_near(c, "one block leaves the floor, in periods", leaves, exact[0],
                       2.0 / s->steps, "cos = -1/G; two steps");
        dls_check_near(c, "one block lands, in periods", lands, exact[1],
                       4.0 / s->steps,
                       "where the parabola meets the floor; four steps");
    }
    dls_check_most(c, "impulse - weight - momentum, over weight", s->unbalanced, 1e-9,
                   "exact: velocities follow from impulses");
    return DLS_OK;
}
