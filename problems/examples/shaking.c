// SPDX-License-Identifier: Apache-2.0
// A run of a shaken vessel, and what every such run must show.
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

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

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

// --- a run ---------------------------------------------------------------------------

struct watch {
    struct dls_shaken_run *run;
    struct dls_arena *arena;
};

static void count_step(struct dls_shaken_run *run, const struct dls_sim *sim,
                       const struct dls_observed *o)
{
    struct dls_shaking *s = run->s;
    double T = 1 / run->vessel->frequency, mid = sim->t - 0.5 * sim->h;
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
    s->weight += sim->h * mass * run->vessel->gravity;
    s->counted++;
    s->contacts += o->forces;
    s->iterations += sim->last.iterations;
}

// Centres in the plane of the vessel, in space in the meridian plane.
static void look(const struct dls_shaken_run *run, const struct dls_sim *sim,
                 dls_vec3 *to)
{
    dls_centres(sim, to);
    if (run->vessel->dim == 3) dls_meridian_plane(run->s->grains, to, to);
}

static void count_period(struct watch *w, const struct dls_sim *sim, int period)
{
    struct dls_shaken_run *run = w->run;
    struct dls_shaking *s = run->s;
    const struct dls_vessel *v = run->vessel;
    struct dls_arena scratch = dls_arena_scratch(w->arena);
    dls_vec3 *now = DLS_NEW(&scratch, dls_vec3, s->grains);
    s->failed |= !now;
    if (!now) return;
    look(run, sim, now);
    struct dls_displaced d = {s->grains, run->last, now};
    struct dls_basin basin = {
        .right = v->dim == 3 ? 0.5 * v->width : v->width,
        .layer = fmin(2 * v->unit, 0.25 * v->width), // beside the core
        .bottom = -0.5 * v->peak,
        .surface = dls_surface(s->grains, run->last, w->arena),
        .axis = v->dim == 3,
    };
    struct dls_circulation c = dls_circulation(&d, &basin);
    // The pack as a whole rises while it loosens, which is no circulation.
    s->wall += (c.wall - c.all) / s->periods;
    s->core += (c.core - c.all) / s->periods;
    if (run->period) run->period(s, &d, period, run->piece.at);
    memcpy(run->last, now, (size_t)s->grains * sizeof *now);
    dls_arena_free(&scratch);
}

static void watch(const struct dls_sim *sim, void *data)
{
    struct watch *w = data;
    struct dls_shaken_run *run = w->run;
    struct dls_shaking *s = run->s;
    long first = (long)s->discard * s->steps;
    if (sim->steps < first || s->failed) return;
    struct dls_arena scratch = dls_arena_scratch(w->arena);
    struct dls_observed o;
    s->failed = dls_observe(&o, sim, &scratch) != DLS_OK;
    if (!s->failed && sim->steps == first) {
        look(run, sim, run->from);
        look(run, sim, run->last);
        s->momentum = -momentum_of(&o);
    }
    if (!s->failed && sim->steps > first) {
        int period = (int)(sim->steps / s->steps) - s->discard;
        count_step(run, sim, &o);
        if (sim->steps % s->steps == 0) count_period(w, sim, period);
        if (sim->steps == first + (long)s->periods * s->steps)
            s->momentum += momentum_of(&o);
    }
    dls_arena_free(&scratch);
}

// A run that counts from its first step on: places and momentum of the start.
static void start(struct dls_shaken_run *run, const struct dls_scene *scene)
{
    const struct dls_system *system = scene->system;
    const struct dls_rigid *r = system->self;
    for (int k = 0; k < run->s->grains; k++) {
        run->from[k] = system->place(system, scene->q, k);
        run->s->momentum -= r->body[k].mass * upward(r->dim, r->body[k].v);
    }
    if (r->dim == 3) dls_meridian_plane(run->s->grains, run->from, run->from);
    memcpy(run->last, run->from, (size_t)run->s->grains * sizeof *run->from);
}

static enum dls_status make_run(struct dls_shaken_run *run,
                                const struct dls_asked *asked, struct dls_arena *a,
                                struct dls_error *err)
{
    struct dls_shaking *s = run->s;
    const struct dls_scene *scene = asked->scene;
    size_t bytes = (size_t)s->grains * sizeof(dls_vec3);
    struct watch w = {run, a};
    struct dls_trial trial = dls_trial_of(scene, watch, &w);
    struct dls_watched keeps = {
        .pieces = run->piece.bytes ? 4 : 3,
        .piece = {{s, sizeof *s}, {run->from, bytes}, {run->last, bytes}, run->piece},
    };
    if (!s->discard) start(run, scene);
    enum dls_status status = dls_trial_main(&trial, &keeps, asked, a, err);
    s->unbalanced = fabs(s->impulse - s->weight - s->momentum) / s->weight;
    if (status) return status;
    return s->failed ? dls_fail(err, DLS_ENOMEM, "out of memory") : DLS_OK;
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

// Found by a run of one block.
static enum dls_status fly(const struct dls_vessel *vessel, int steps, struct flight *f,
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
    *f = (struct flight){-1, -1, T};
    struct dls_trial trial = {scene.system, "moreau", scene.q,     scene.v,
                              T / steps,    1.5 * T,  watch_block, f};
    return status ? status : dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_block(struct dls_checks *c,
                                   const struct dls_shaken_run *run,
                                   const struct dls_asked *asked, struct dls_arena *a,
                                   struct dls_error *err)
{
    const struct dls_vessel *v = run->vessel;
    double omega = 2 * pi * v->frequency, exact[2];
    if (0.5 * v->peak * omega * omega <= v->gravity) return DLS_OK; // never leaves
    struct flight f;
    int steps = run->s->steps;
    enum dls_status status = fly(v, steps, &f, asked, a, err);
    if (status) return status;
    dls_block_flight_exact(v, &exact[0], &exact[1]);
    dls_check_near(c, "one block leaves the floor, in periods", f.leaves, exact[0],
                   2.0 / steps, "cos = -1/G; two steps");
    dls_check_near(c, "one block lands, in periods", f.lands, exact[1], 4.0 / steps,
                   "where the parabola meets the floor; four steps");
    return DLS_OK;
}

// --- both ----------------------------------------------------------------------------

enum dls_status dls_shaken_run(struct dls_shaken_run *run, struct dls_checks *c,
                               const struct dls_asked *asked, struct dls_arena *a,
                               struct dls_error *err)
{
    const struct dls_shaken *o = asked->options;
    int grains = asked->scene->system->bodies;
    run->vessel = dls_shaken_vessel(asked->scene);
    run->s = DLS_NEW(a, struct dls_shaking, 1);
    run->from = DLS_NEW(a, dls_vec3, grains);
    run->last = DLS_NEW(a, dls_vec3, grains);
    if (a->failed) return DLS_ENOMEM;
    *run->s = (struct dls_shaking){
        .discard = dls_scaled_time(asked, o->discard, o->discard > 0),
        .periods = dls_scaled_time(asked, o->periods, 1),
        .steps = o->steps,
        .grains = grains,
    };
    enum dls_status status = make_run(run, asked, a, err);
    if (!status) status = check_block(c, run, asked, a, err);
    if (status) return status;
    dls_check_most(c, "impulse - weight - momentum, over weight", run->s->unbalanced,
                   1e-9, "exact: velocities follow from impulses");
    return DLS_OK;
}

void dls_check_circulation(struct dls_checks *c, const struct dls_shaken_run *run)
{
    double d = run->vessel->unit;
    dls_check_most(
        c, "displacement of a period near the walls, in grains", run->s->wall / d,
        -3e-3, "the paper: down along the walls; three times what smooth ones left");
    dls_check_least(c, "the same in the inner half", run->s->core / d, 1e-3,
                    "and up inside");
}
