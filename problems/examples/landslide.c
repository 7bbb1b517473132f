// SPDX-License-Identifier: Apache-2.0
// A landslide of polygons under the A-CD2 law [DalPontDimnet2008, 5.1, figs 5-6].
//
// Given: 300 regular polygons, random number of sides and rotation, radius 0.25 m,
// 2500 kg/m3, K_N = K_T = 78 kg/m (k = 4 K = 312 here), step 1e-4 s; settled behind a
// gate, the gate removed; frames at 1, 2.5, 5 and 10 s.
// Chosen: circumradius, 4 to 8 sides, reservoir 8 m wide, flat ground, the same law on
// it, no Coulomb friction, gate gone in one step; the packing settles under Moreau's law
// with friction 0.5, in steps of 0.25 ms: polygons fall at up to 5 m/s, and what they
// penetrate in half a step, 0.6 mm, stays. Steps are solved to 1e-6 of the free velocity:
// 3e-8 m/s at rest, 0.3 micrometres in 10 s. Scale s: 300 s polygons behind a gate at
// 8 sqrt(s) m; below s = 1/4, 4 s times the duration, and the checks of the final heap
// are left out.
//
// The paper saw a stable heap, with small penetrations that shrink with the step. Its
// K_T acts as a viscosity 4 K / h, so that the heap creeps: m g h / 4 K = 1.3e-3 m/s for
// a hexagon on one contact. A quadratic K_N also pulls (r_N < 0) on pairs that separate.
//
// Checks: the inequality of Clausius and Duhem at every contact that was approached, and
// summed; penetration; the speed at the end, that of creep; a heap with a slope; half the
// creep with half the step. A contact creeps by m g h / 4 K under one hexagon, and N times
// as fast under N of them: the heap of 300 rests at 8 mm/s, 4 J/m, not at 1.3 mm/s. Twin
// without K_T, --solver uzawa-acd2:k_N=312:k_T=0: it spreads for ever.
#include "problems/examples/packed.h"
#include "problems/mechanics/rigid.h"
#include "problems/observe/clausius.h"
#include "problems/preparation/place.h"

#include <math.h>
#include <stdlib.h>

struct landslide_options {
    int polygons, least, most, seed;
    double radius, density, width, slope, duration, step;
};

static const struct dls_option options[] = {
    DLS_INT(landslide_options, polygons, 300, 1, 10000000, "how many at scale 1"),
    DLS_INT(landslide_options, least, 4, 3, 16, "least number of sides"),
    DLS_INT(landslide_options, most, 8, 3, 16, "largest number of sides"),
    DLS_REAL(landslide_options, radius, 0.25, 1e-6, 1e6, "circumradius, m"),
    DLS_REAL(landslide_options, density, 2500, 1e-9, 1e9, "kg/m2 per unit depth"),
    DLS_REAL(landslide_options, width, 8, 1e-6, 1e6, "of the reservoir, m"),
    DLS_REAL(landslide_options, slope, 0, -45, 45, "of the ground, downwards, degrees"),
    DLS_REAL(landslide_options, duration, 10, 0, 1e6, "after the gate is gone, s"),
    DLS_REAL(landslide_options, step, 1e-4, 1e-12, 1, "time step, s"),
    DLS_INT(landslide_options, seed, 1, 0, 2147483647, "of sides and places"),
    {0},
};

enum { FLOOR, BACK, GATE, OBSTACLES };
static const double stiffness = 4 * 78; // k = 4 K, kg/m

// --- the heap ------------------------------------------------------------------------

struct heap {
    double top, front; // highest centre; distance from the back that 95 % stay within
    struct dls_clausius law;
    bool failed;
};

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The last step as it is looked at.
static struct heap heap_of(const struct dls_sim *sim)
{
    struct heap heap = {0};
    struct dls_arena scratch = dls_arena_scratch(sim->arena);
    struct dls_observed o;
    double *x = DLS_NEW(&scratch, double, sim->system->bodies);
    heap.failed = !x || dls_observe(&o, sim, &scratch);
    for (int k = 0; !heap.failed && k < o.grains; k++) {
        x[k] = o.grain[k].pose.at.x;
        heap.top = fmax(heap.top, o.grain[k].pose.at.y);
    }
    if (!heap.failed) {
        qsort(x, (size_t)o.grains, sizeof *x, compare_numbers);
        heap.front = x[(int)(0.95 * (o.grains - 1))];
        heap.law = dls_clausius_of(&o);
    }
    dls_arena_free(&scratch);
    return heap;
}

static const char *const names[] = {
    "top", "front", "clausius_worst", "clausius_sum", "pulling", "approached", NULL};

static void observe(const struct dls_sim *sim, double *values)
{
    struct heap heap = sim->steps ? heap_of(sim) : (struct heap){0};
    values[0] = heap.top;
    values[1] = heap.front;
    values[2] = heap.law.worst;
    values[3] = heap.law.sum;
    values[4] = heap.law.pulls;
    values[5] = heap.law.approached;
}

// --- the scene -----------------------------------------------------------------------

static enum dls_status settle(struct dls_rigid *r, const struct dls_asked *asked,
                              struct dls_arena *a, struct dls_error *err)
{
    struct dls_settling with = {
        .scheme = "moreau",
        .solver = "pgs-bodies",
        .h = 2.5e-4,
        .most = 12,
        .tol = 1e-3,
        .speed = 0.02,
        .law = {.mu = 0.5},
    };
    return dls_packed(r, &with, asked, a, err);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    const struct landslide_options *o = asked->options;
    int count = dls_scaled(asked, o->polygons, 10);
    double shrink = sqrt((double)count / o->polygons), width = o->width * shrink;
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    struct dls_rigid *r = dls_rigid_new(2, count, OBSTACLES, false, a);
    dls_vec3 *at = DLS_NEW(a, dls_vec3, count);
    double *radius = DLS_NEW(a, double, count);
    if (a->failed) return DLS_ENOMEM;
    dls_random_radii(count, 2 * o->radius, 2 * o->radius, &g, radius);
    dls_place_rows(&(struct dls_rows){2, {{0, 0, 0}, {width, 0, 0}}, false, 0.02},
                   count, radius, &g, at);
    enum dls_status status = dls_random_polygons(
        r, &(struct dls_polygons){count, o->least, o->most, o->radius, o->density}, at,
        &g, a, err);
    if (status) return status;
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = {width, 0, 0}, .n = {-1, 0, 0}});
    double down = o->slope * acos(-1) / 180; // the ground stays y = 0, gravity leans
    r->gravity = (dls_vec3){9.81 * sin(down), -9.81 * cos(down), 0};
    status = settle(r, asked, a, err);
    r->obstacles = GATE; // gone
    *scene = (struct dls_scene){
        .h = o->step,
        .end = o->duration * fmin(1, 4 * asked->scale),
        .scheme = "acd2",
        .names = names,
        .observe = observe,
    };
    return status ? status : dls_scene_rigid(scene, r, a);
}

// --- checks --------------------------------------------------------------------------

struct watch {
    double worst, sum; // of Clausius and Duhem: the largest share, the largest sum
    double penetration, from; // m, s
    double speed; // root mean square over the steps after `from`, times their count
    long counted, pulls, contacts;
    double mass;
    struct heap heap;
    struct dls_kept kept;
    bool failed;
};

static void look(const struct dls_sim *sim, void *data)
{
    struct watch *w = data;
    struct heap heap = w->heap = heap_of(sim);
    dls_trial_keep(sim, &w->kept);
    w->failed |= heap.failed;
    w->worst = fmax(w->worst, heap.law.worst);
    w->sum = fmax(w->sum, heap.law.sum);
    w->pulls += heap.law.pulls;
    w->contacts += sim->last.problem.contacts;
    w->penetration = sim->worst_penetration;
    if (sim->t < w->from) return;
    w->speed += sqrt(2 * sim->ledger.kinetic / w->mass);
    w->counted++;
}

static double mass_of(const struct dls_system *system)
{
    const struct dls_rigid *r = dls_rigid_of(system);
    double sum = 0;
    for (int k = 0; k < r->bodies; k++) sum += r->body[k].mass;
    return sum;
}

// The mean speed of the heap that was kept, over a tenth of a second after another tenth,
// with a step `part` times the example's.
static enum dls_status creep(double *speed, const struct watch *w,
                             const struct dls_scene *scene, double part,
                             const struct dls_asked *asked, struct dls_arena *a,
                             struct dls_error *err)
{
    struct watch after = {.mass = w->mass, .from = 0.1};
    struct dls_trial trial = {scene->system,   scene->scheme, w->kept.q, w->kept.v,
                              part * scene->h, 0.2,           look,      &after};
    enum dls_status status = dls_trial_run(&trial, asked, a, err);
    *speed = after.speed / (double)after.counted;
    return status;
}

static void compare(struct dls_checks *c, const struct watch *w,
                    const struct dls_asked *asked)
{
    const struct landslide_options *o = asked->options;
    dls_check_most(c, "r . u_bar of approached contacts, over |r| |q|", w->worst,
                   10 * asked->setup.settings.tol,
                   "Clausius and Duhem, to ten times the tolerance of a step");
    dls_check_most(c, "the same summed over a step, J", w->sum, 1e-9,
                   "never positive; 1e-9 J lifts no polygon by 1e-12 m");
    dls_check_most(c, "deepest penetration, in radii", w->penetration / o->radius, 0.01,
                   "10 m/s over half a step is 0.002");
    dls_check_most(c, "share of contacts that pull",
                   (double)w->pulls / (double)w->contacts, 0.5,
                   "K_N holds back pairs that separate: counted, not hidden");
}

// How fast a contact under so many polygons creeps: their weight times h / k.
static double expected_creep(const struct watch *w, const struct dls_scene *scene,
                             double radius)
{
    double layers = 1 + w->heap.top / (radius * sqrt(3)); // hexagons lie on their sides
    double mass = w->mass / scene->system->bodies;
    return layers * mass * 9.81 * scene->h / stiffness;
}

static void compare_heap(struct dls_checks *c, const struct watch *w,
                         const double *speed, const struct dls_scene *scene,
                         const struct dls_asked *asked)
{
    const struct landslide_options *o = asked->options;
    dls_check_most(c, "speed at the end, over N m g h / 4 K of N layers",
                   speed[0] / expected_creep(w, scene, o->radius), 1,
                   "contacts creep under what lies above them, no faster");
    dls_check_least(c, "highest centre over the front of the heap",
                    w->heap.top / w->heap.front, 0.1,
                    "a heap has a slope; without K_T it goes to 0");
    dls_check_near(c, "creep with half the step over creep", speed[1] / speed[0], 0.5,
                   0.1, "the creep is of the order of the step");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_scene scene;
    enum dls_status status = make(&scene, asked, a, err);
    if (status) return status;
    struct watch w = {
        .mass = mass_of(scene.system),
        .kept = {.q = DLS_NEW(a, double, scene.system->nq),
                 .v = DLS_NEW(a, double, scene.system->n)},
    };
    if (a->failed) return DLS_ENOMEM;
    struct dls_trial trial = {scene.system, scene.scheme, scene.q, scene.v,
                              scene.h,      scene.end,    look,    &w};
    status = dls_trial_run(&trial, asked, a, err);
    if (!status && w.failed) status = DLS_ENOMEM;
    if (!status) compare(c, &w, asked);
    if (status || asked->scale < 0.25) return status;
    double speed[2] = {0};
    for (int k = 0; k < 2 && !status; k++)
        status = creep(&speed[k], &w, &scene, k ? 0.5 : 1, asked, a, err);
    if (!status) compare_heap(c, &w, speed, &scene, asked);
    return status;
}

const struct dls_example dls_example_landslide = {
    .name = "landslide",
    .brief = "polygons released from behind a gate, under the A-CD2 law",
    .paper = "DalPontDimnet2008, 5.1, figs 5-6",
    .solver = "uzawa-acd2:k_N=312:k_T=312",
    .tol = 1e-6,
    .max_iter = 20000,
    .packs = true,
    .options = options,
    .options_size = sizeof(struct landslide_options),
    .make = make,
    .check = check,
};
