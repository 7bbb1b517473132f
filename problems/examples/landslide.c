// SPDX-License-Identifier: Apache-2.0
// A landslide of polygons under the A-CD2 law [DalPontDimnet2008, 5.1, figs 5-6].
//
// Given: 300 regular polygons, random number of sides and rotation, radius 0.25 m,
// 2500 kg/m3, K_N = K_T = 78 kg/m (k = 4 K = 312 here), step 1e-4 s; settled behind a
// gate, the gate removed; frames at 1, 2.5, 5 and 10 s.
// Chosen: circumradius, 4 to 8 sides, reservoir 8 m wide, flat ground, the same law on
// it, no Coulomb friction, gate gone in one step; the packing settles under Moreau's law
// with friction 0.5. Scale s: 300 s polygons behind a gate at 8 sqrt(s) m; below s = 1/4,
// 4 s times the duration, and the checks of the final heap are left out.
//
// The paper saw a stable heap, with small penetrations that shrink with the step. Its
// K_T acts as a viscosity 4 K / h, so that the heap creeps: m g h / 4 K = 1.3e-3 m/s for
// a hexagon on one contact. A quadratic K_N also pulls (r_N < 0) on pairs that separate.
//
// Checks: the inequality of Clausius and Duhem at every contact that was approached;
// penetration; the kinetic energy at the end; a heap of more than one layer. Twin without
// K_T, --solver uzawa-acd2:k_N=312:k_T=0: nothing holds the heap, the energy stays.
#include "problems/examples/packed.h"
#include "problems/mechanics/rigid.h"
#include "problems/mechanics/shape_mass.h"
#include "problems/observe/observed.h"
#include "problems/preparation/place.h"

#include <math.h>

struct landslide_options {
    int polygons, least, most, seed;
    double radius, density, width, duration, step;
};

static const struct dls_option options[] = {
    DLS_INT(landslide_options, polygons, 300, 1, 10000000, "how many at scale 1"),
    DLS_INT(landslide_options, least, 4, 3, 16, "least number of sides"),
    DLS_INT(landslide_options, most, 8, 3, 16, "largest number of sides"),
    DLS_REAL(landslide_options, radius, 0.25, 1e-6, 1e6, "circumradius, m"),
    DLS_REAL(landslide_options, density, 2500, 1e-9, 1e9, "kg/m2 per unit depth"),
    DLS_REAL(landslide_options, width, 8, 1e-6, 1e6, "of the reservoir, m"),
    DLS_REAL(landslide_options, duration, 10, 0, 1e6, "after the gate is gone, s"),
    DLS_REAL(landslide_options, step, 1e-4, 1e-12, 1, "time step, s"),
    DLS_INT(landslide_options, seed, 1, 0, 2147483647, "of sides and places"),
    {0},
};

enum { FLOOR, BACK, GATE, OBSTACLES };

static enum dls_status add_polygon(struct dls_rigid *r,
                                   const struct landslide_options *o, dls_vec3 at,
                                   struct dls_rng *g, struct dls_arena *a,
                                   struct dls_error *err)
{
    struct dls_shape shape;
    int more = o->most > o->least ? o->most - o->least : 0;
    int sides = o->least + dls_rng_below(g, more + 1);
    enum dls_status status = dls_regular_polygon(&shape, sides, o->radius, a, err);
    if (status) return status;
    int k = dls_rigid_body(r, dls_body_polygon(o->density, &shape, at), shape);
    r->angle[k] = dls_rng_range(g, 0, 2 * acos(-1));
    return DLS_OK;
}

static enum dls_status settle(struct dls_rigid *r, const struct dls_asked *asked,
                              struct dls_arena *a, struct dls_error *err)
{
    struct dls_settling with = {
        .scheme = "moreau",
        .solver = "pgs-bodies",
        .h = 2e-3, // a fall from 10 m moves 3 cm in it, an eighth of the radius
        .most = 6,
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
    enum dls_status status = DLS_OK;
    for (int k = 0; k < count && !status; k++)
        status = add_polygon(r, o, at[k], &g, a, err);
    if (status) return status;
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(r, (struct dls_plane){.point = {width, 0, 0}, .n = {-1, 0, 0}});
    r->gravity.y = -9.81;
    status = settle(r, asked, a, err);
    r->obstacles = GATE; // gone
    *scene = (struct dls_scene){
        .h = o->step, .end = o->duration * fmin(1, 4 * asked->scale), .scheme = "acd2"};
    return status ? status : dls_scene_rigid(scene, r, a);
}

struct watch {
    double worst; // largest r . u_bar of an approached contact, over the work of all
    double total; // |work| of all contacts
    double kinetic, penetration, top;
    long pulls, contacts;
    bool rests; // the run is long enough for a heap at rest
    struct dls_arena *arena;
    bool failed;
};

static void look(const struct dls_sim *sim, void *data)
{
    struct watch *w = data;
    struct dls_arena scratch = dls_arena_scratch(w->arena);
    struct dls_observed o;
    if (dls_observe(&o, sim, &scratch)) w->failed = true;
    for (int c = 0; !w->failed && c < o.forces; c++) {
        const struct dls_force *f = &o.force[c];
        w->total += fabs(f->work);
        if (f->approach <= 0) w->worst = fmax(w->worst, f->work);
        w->pulls += f->normal < 0;
        w->contacts++;
    }
    w->top = 0;
    for (int k = 0; !w->failed && k < o.grains; k++)
        w->top = fmax(w->top, o.grain[k].pose.at.y);
    w->kinetic = sim->ledger.kinetic;
    w->penetration = sim->worst_penetration;
    dls_arena_free(&scratch);
}

static void compare(struct dls_checks *c, const struct watch *w,
                    const struct landslide_options *o, int count)
{
    double mass = 0.5 * 6 * o->radius * o->radius * sin(acos(-1) / 3) * o->density;
    dls_check_most(c, "r . u_bar of approached contacts, over their work",
                   w->worst / w->total, 1e-9,
                   "Clausius and Duhem; solver at 1e-8 of the free velocity");
    dls_check_most(c, "deepest penetration, in radii", w->penetration / o->radius, 0.01,
                   "small, and of the order of the step");
    dls_check_most(c, "share of contacts that pull",
                   (double)w->pulls / (double)w->contacts, 0.5,
                   "K_N holds back pairs that separate: counted, not hidden");
    if (!w->rests) return;
    dls_check_most(c, "kinetic energy a polygon at the end, over m (3 mm/s)^2 / 2",
                   w->kinetic / count / (0.5 * mass * 9e-6), 1,
                   "the creep of a heap under K_T is 1.3e-3 m/s");
    dls_check_least(c, "height of the highest centre, in radii", w->top / o->radius, 2,
                    "a heap of more than one layer stands");
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_scene scene;
    enum dls_status status = make(&scene, asked, a, err);
    if (status) return status;
    struct watch w = {.rests = asked->scale >= 0.25, .arena = a};
    struct dls_trial trial = {scene.system, scene.scheme, scene.q, scene.v,
                              scene.h,      scene.end,    look,    &w};
    status = dls_trial_run(&trial, asked, a, err);
    if (!status && w.failed) status = DLS_ENOMEM;
    if (!status) compare(c, &w, asked->options, scene.system->bodies);
    return status;
}

const struct dls_example dls_example_landslide = {
    .name = "landslide",
    .brief = "polygons released from behind a gate, under the A-CD2 law",
    .paper = "DalPontDimnet2008, 5.1, figs 5-6",
    .solver = "uzawa-acd2:k_N=312:k_T=312",
    .tol = 1e-8,
    .max_iter = 20000,
    .may_fall_short = 0.01,
    .why_short = "contacts may come and go in the first fall",
    .packs = true,
    .options = options,
    .options_size = sizeof(struct landslide_options),
    .make = make,
    .check = check,
};
