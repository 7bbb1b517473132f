// SPDX-License-Identifier: Apache-2.0
// Piles: grains come one after the other to paved ground, then all rest.
//
// Forces are exact to rounding whatever the solver's accuracy, because velocities follow
// from impulses:  ground reaction = weight + sum m a.  At rest the last term vanishes.
#include "problems/examples/pile.h"

#include "problems/preparation/state.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// Walls are smooth, all else has the same friction; restitution is 0 everywhere.
static struct dls_law material(const struct dls_rigid *r, int body, int other)
{
    (void)body;
    const struct dls_pile *p = r->data;
    return (struct dls_law){.mu = -1 - other >= p->ground ? 0 : p->mu};
}

// Mean area or volume of a grain with a diameter uniform in [a, b].
static double mean_volume(const struct dls_pile *p)
{
    double a = p->least, b = p->most, n = p->dim + 1;
    double moment = b > a ? (pow(b, n) - pow(a, n)) / (n * (b - a)) : pow(a, p->dim);
    return p->dim == 2 ? pi / 4 * moment : pi / 6 * moment;
}

static void add_grains(struct dls_pile *p, const double *radius, int *tag)
{
    struct dls_rigid *r = p->rigid;
    for (int k = 0; k < p->grains; k++) {
        dls_vec3 none = {0};
        double area = pi * radius[k] * radius[k];
        dls_rigid_body(r,
                       p->dim == 2 ? dls_body_disk(p->density * area, radius[k], none)
                                   : dls_body_sphere(p->density, radius[k], none),
                       dls_shape_ball(radius[k]));
        tag[k] = 1 + k / p->layer;
    }
    r->tag = tag;
}

// Columns of the CSV file: height of the highest grain, largest speed.
static const char *const names[] = {"top", "fastest", NULL};

static void observe(const struct dls_sim *sim, double *values)
{
    const struct dls_rigid *r = dls_rigid_of(sim->system);
    int dof = r->dim == 2 ? 3 : 6, positions = r->dim == 2 ? 3 : 7;
    values[0] = values[1] = 0;
    for (int k = 0; k < r->bodies; k++) {
        const double *v = sim->v + k * dof;
        double z = sim->q[k * positions + r->dim - 1] + r->shape[k].radius;
        double speed = hypot(hypot(v[0], v[1]), r->dim == 3 ? v[2] : 0);
        values[0] = fmax(values[0], z);
        values[1] = fmax(values[1], speed);
    }
}

// Who is there at the start.
static enum dls_status start(struct dls_pile *p, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    int *number = DLS_NEW(a, int, p->grains);
    if (!number) return DLS_ENOMEM;
    enum dls_status status = DLS_OK;
    if (asked->from) // when resumed too: the duration follows from who is there
        status = dls_state_read_some(p->rigid, asked->from, number, &p->there, err);
    if (status) return status;
    p->deposit.first = p->there ? number[p->there - 1] + 1 : 0;
    if (!dls_deposit_begin(p->rigid, &p->deposit, &p->state, p->seed)
        || !dls_rigid_there(p->rigid, p->there, number))
        return DLS_ENOMEM;
    p->end = (p->grains - p->deposit.first) / p->deposit.rate + p->rest;
    return DLS_OK;
}

enum dls_status dls_pile_make(struct dls_pile *p, struct dls_scene *scene,
                              const struct dls_asked *asked, struct dls_arena *a,
                              struct dls_error *err)
{
    struct dls_rng g = dls_rng_seed((uint64_t)p->seed);
    struct dls_pavement pavement = {p->reach, p->least, p->most};
    int room = dls_pavement_room(&pavement, p->dim) + 2;
    p->rigid = dls_rigid_new(p->dim, p->grains, room, false, a);
    double *radius = DLS_NEW(a, double, p->grains);
    int *tag = DLS_NEW(a, int, p->grains);
    if (a->failed) return DLS_ENOMEM;
    p->density = 1 / mean_volume(p);
    p->ground = dls_pave(p->rigid, &pavement, &g);
    for (int k = 0; p->walls > 0 && k < 2; k++) {
        double way = k ? -1 : 1;
        dls_rigid_plane(p->rigid, (struct dls_plane){.point = {-way * p->walls, 0, 0},
                                                     .n = {way, 0, 0}});
    }
    dls_random_radii(p->grains, p->least, p->most, &g, radius);
    add_grains(p, radius, tag);
    p->rigid->gravity =
        (dls_vec3){0, p->dim == 2 ? -p->gravity : 0, p->dim == 3 ? -p->gravity : 0};
    p->rigid->material = material;
    p->rigid->data = p;
    p->deposit.bottom = -p->most; // they rolled off the pavement
    enum dls_status status = start(p, asked, a, err);
    *scene = (struct dls_scene){
        .h = p->h,
        .end = p->end,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return status ? status : dls_scene_rigid(scene, p->rigid, a);
}

// --- what is seen ----------------------------------------------------------------------

static double up(int dim, dls_vec3 x) { return dim == 2 ? x.y : x.z; }

// The end of a run.
struct look {
    const struct dls_pile *p;
    struct dls_pile_seen *seen;
    struct dls_arena *arena;
    bool failed;
};

static void look(const struct dls_sim *sim, void *data)
{
    struct look *l = data;
    struct dls_pile_seen *s = l->seen;
    if (sim->t < l->p->end - 0.75 * l->p->h) return;
    if (dls_observe(&s->o, sim, l->arena)) {
        l->failed = true;
        return;
    }
    s->ledger = sim->ledger;
    for (int k = 0; k < s->o.grains; k++) {
        const struct dls_grain *g = &s->o.grain[k];
        double gained = up(s->o.dim, g->v) - up(s->o.dim, g->v_minus);
        s->speed = fmax(s->speed, dls_vec3_norm(g->v));
        s->weight += g->mass * l->p->gravity;
        s->momentum += g->mass * gained / s->o.h;
    }
    s->reaction = up(s->o.dim, dls_obstacle_force(&s->o, 0, l->p->ground));
    s->deepest = 2 * sim->worst_penetration / (l->p->least + l->p->most);
    s->left = dls_rigid_all(l->p->rigid) - s->o.grains;
    s->heap = dls_heap_shape(&s->o, l->p->middle, 0);
}

static void check(struct dls_checks *c, const struct dls_pile *p,
                  const struct dls_pile_seen *s)
{
    const struct dls_ledger *l = &s->ledger;
    double works = l->normal + l->tangential + l->external + l->obstacles
                   + l->gyroscopic + l->inertia + l->defect;
    double balance = l->kinetic - l->kinetic_start - l->kinetic_brought - works;
    double size = fabs(l->potential_brought) + s->weight * s->heap.height;
    dls_check_most(c, "speed of the fastest grain, cm/s", s->speed, 1e-3,
                   "at rest; free fall gains 0.1 to 0.2 in one step");
    dls_check_near(c, "reaction of the ground - weight - m a, over the weight",
                   (s->reaction - s->weight - s->momentum) / s->weight, 0, 1e-10,
                   "exact: velocities follow from impulses");
    dls_check_near(c, "reaction of the ground over the weight", s->reaction / s->weight,
                   1, 1e-3, "at rest; a thousandth of g is left to motion");
    dls_check_most(c, "energy not accounted for, over what the grains brought",
                   fabs(balance) / size, 1e-9, "rounding of some 1e5 steps");
    dls_check_most(c, "worst penetration, in mean diameters", s->deepest, 0.05,
                   "a grain at 1 m/s goes 0.03 diameters a step");
    dls_check_most(c, "share of the grains that rolled off the pavement",
                   (double)s->left / p->grains, 0.01,
                   "the pavement is wider than the pile");
}

enum dls_status dls_pile_check(const struct dls_pile **pile, struct dls_pile_seen *seen,
                               struct dls_checks *c, const struct dls_asked *asked,
                               struct dls_arena *a, struct dls_error *err)
{
    const struct dls_scene *scene = asked->scene;
    const struct dls_pile *p = *pile = dls_rigid_of(scene->system)->data;
    struct look l = {p, seen, a, false};
    struct dls_watched nothing = {0}; // only the last step is looked at
    *seen = (struct dls_pile_seen){0};
    struct dls_trial trial = dls_trial_of(scene, look, &l);
    enum dls_status status = dls_trial_main(&trial, &nothing, asked, a, err);
    if (!status && l.failed) status = dls_fail(err, DLS_ENOMEM, "out of memory");
    if (!status) check(c, p, seen);
    return status;
}
