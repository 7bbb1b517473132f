// SPDX-License-Identifier: Apache-2.0
// A bar is pulled off a wall to which it is glued: a cohesive layer with damage
// [AcarySlides, nonsmooth cohesive zone model]; the law is that of
// problems/mechanics/cohesion.c. Implicit in the layer, which schemes take by its
// tangent: bonds.c, for glued contacts of rigid bodies, is explicit.
//
// With b = 0 the layer is elastic up to u_0 = sqrt(w / C), then R = w^2 / (C u^3). The area
// under the curve up to the opening u is
//     w - w^2 / (2 C u^2),  of which  w^2 / (2 C u^2)  is stored, the rest dissipated,
// In contact, u = 0, the law of the wall holds as without glue.
//
// The far end moves at a given slow speed (a joint with a rheonomic term). beta is the
// last entry of q and follows the opening whenever positions move, so every scheme and
// every checkpoint carries it.
//
// Checks: the curve of force over opening and the energies of the rate-independent
// layer in closed form; what viscosity adds; a bar pressed on the wall instead feels
// the wall and no glue.
#include "problems/mechanics/cohesion.h"

#include "problems/examples/example.h"
#include "problems/mechanics/bar.h"

#include <math.h>
#include <string.h>

struct cohesion_options {
    int elements;
    double C, w, viscosity, speed, opening, step;
};

static const struct dls_option options[] = {
    DLS_INT(cohesion_options, elements, 8, 1, 10000, "finite elements of the bar"),
    DLS_REAL(cohesion_options, C, 1, 1e-6, 1e12, "stiffness of the whole layer"),
    DLS_REAL(cohesion_options, w, 1, 1e-6, 1e12, "energy of decohesion"),
    DLS_REAL(cohesion_options, viscosity, 0, 0, 1e12, "b; 0 = rate-independent"),
    DLS_REAL(cohesion_options, speed, 0.05, 1e-6, 1e6, "speed of the far end"),
    DLS_REAL(cohesion_options, opening, 4, 1e-3, 1e6, "how far it is pulled"),
    DLS_REAL(cohesion_options, step, 0.02, 1e-9, 10, "length of a time step"),
    {0},
};

struct layer {
    struct dls_system system;
    struct dls_bar bar; // stiff, so that it opens without a snap
    struct dls_cohesion law;
    double speed; // of the far end
};

// y and R of the layer; beta is the last entry of q.
static double drive(const struct layer *l, const double *q)
{
    return dls_cohesion_drive(&l->law, 1, q);
}
static double pull_of(const struct layer *l, const double *q)
{
    double R;
    dls_cohesion_force(&l->law, q[l->system.n], 1, q, &R);
    return R;
}

// Displacements move, then beta follows the new opening: implicit in beta.
static void move(const struct dls_system *s, double h, const double *v, double *q)
{
    const struct layer *l = s->self;
    double *beta = q + s->n;
    for (int i = 0; i < s->n; i++) q[i] += h * v[i];
    *beta = dls_cohesion_damage(&l->law, *beta, drive(l, q), h);
}

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    const struct layer *l = s->self;
    l->bar.system.force(&l->bar.system, t, q, v, F);
    F[0] += pull_of(l, q);
}

static void mass(const struct dls_system *s, const double *q, struct dls_entries *M)
{
    const struct layer *l = s->self;
    l->bar.system.mass(&l->bar.system, q, M);
}

// The secant stiffness of the layer; beta counts as given.
static void tangent(const struct dls_system *s, double t, const double *q,
                    const double *v, struct dls_entries *K, struct dls_entries *C)
{
    const struct layer *l = s->self;
    double beta = q[s->n];
    l->bar.system.tangent(&l->bar.system, t, q, v, K, C);
    if (q[0] > 0) dls_entries_add(K, 0, 0, beta * beta * l->law.normal);
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    const struct layer *l = s->self;
    return l->bar.system.potential(&l->bar.system, t, q)
           + dls_cohesion_stored(q[s->n], drive(l, q));
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    const struct layer *l = s->self;
    l->bar.system.contacts(&l->bar.system, t, q, c);
}

// The far end at `speed`.
static void joint(const struct dls_system *s, double t, const double *q,
                  struct dls_entries *G, double *g, double *b)
{
    const struct layer *l = s->self;
    dls_entries_add(G, 0, s->n - 1, 1);
    g[0] = q[s->n - 1] - l->speed * t;
    b[0] = -l->speed;
}

static void observe(const struct dls_sim *sim, double *values)
{
    const struct layer *l = sim->system->self;
    values[0] = fmax(0, sim->q[0]);
    values[1] = sim->q[sim->system->n];
    values[2] = -pull_of(l, sim->q);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"opening", "beta", "force", NULL};
    const struct cohesion_options *o = asked->options;
    int n = o->elements + 1;
    struct layer *l = DLS_NEW(a, struct layer, 1);
    double *q = DLS_NEW(a, double, n + 1), *v = DLS_NEW(a, double, n);
    if (a->failed) return DLS_ENOMEM;
    l->speed = o->speed;
    l->law = (struct dls_cohesion){
        .normal = o->C, .energy = dls_spoilt(asked, o->w), .viscosity = o->viscosity};
    // A hundred times stiffer than the steepest softening, 3 C, and light.
    l->bar = (struct dls_bar){.elements = o->elements,
                              .length = 1,
                              .section = 1,
                              .young = 300 * o->C,
                              .density = 0.01};
    dls_bar_open(&l->bar);
    l->system = l->bar.system;
    l->system.nq = n + 1;
    l->system.joints = 1;
    l->system.self = l;
    l->system.move = move;
    l->system.mass = mass;
    l->system.force = force;
    l->system.tangent = tangent;
    l->system.potential = potential;
    l->system.contacts = contacts;
    l->system.joint = joint;
    q[n] = 1;
    for (int i = 0; i < n; i++) v[i] = o->speed * i / o->elements;
    *scene = (struct dls_scene){
        .system = &l->system,
        .q = q,
        .v = v,
        .h = o->step,
        .end = o->opening / fabs(o->speed),
        .scheme = "theta:theta=1",
        .names = names,
        .observe = observe,
    };
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

struct curve {
    double u, beta, force, area; // at the end
    double peak, peak_at;        // largest force
    double growth, least, most;  // of beta: largest increase, and its range
    double pulled, energy;       // work of the puller; T + V
    double damage;               // energy lost in the layer
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct curve *c = data;
    const struct layer *l = sim->system->self;
    double values[3], before = c->beta;
    observe(sim, values);
    c->area += 0.5 * (c->force + values[2]) * (values[0] - c->u);
    // Energy that the layer loses as beta falls at the opening reached.
    c->damage += 0.5 * l->law.normal * values[0] * values[0]
                 * (before * before - values[1] * values[1]);
    c->u = values[0];
    c->beta = values[1];
    c->force = values[2];
    if (c->force > c->peak) c->peak = c->force, c->peak_at = c->u;
    c->growth = fmax(c->growth, c->beta - before);
    c->least = fmin(c->least, c->beta);
    c->most = fmax(c->most, c->beta);
    c->pulled = sim->ledger.joints;
    c->energy = sim->ledger.kinetic + sim->ledger.potential;
}

static enum dls_status pull(struct curve *c, double viscosity, double h,
                            const struct dls_asked *asked, struct dls_arena *a,
                            struct dls_error *err)
{
    struct cohesion_options o = *(const struct cohesion_options *)asked->options;
    struct dls_asked with = *asked;
    struct dls_scene scene;
    o.viscosity = viscosity;
    with.options = &o;
    enum dls_status status = make(&scene, &with, a, err);
    if (status) return status;
    *c = (struct curve){.beta = 1, .least = 1, .growth = -1};
    struct dls_trial trial = {scene.system, scene.scheme, scene.q, scene.v, h,
                              scene.end,    follow,       c};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_independent(struct dls_checks *c,
                                         const struct dls_asked *asked,
                                         struct dls_arena *a, struct dls_error *err)
{
    const struct cohesion_options *o = asked->options;
    double h[3], error[3], u_0 = sqrt(o->w / o->C);
    struct curve curve = {0};
    for (int k = 0; k < 3; k++) {
        h[k] = 4 * o->step / (1 << k);
        enum dls_status status = pull(&curve, 0, h[k], asked, a, err);
        if (status) return status;
        double exact = o->w - o->w * o->w / (o->C * curve.u * curve.u);
        error[k] = fabs(curve.damage - exact);
    }
    double step = o->speed * h[2], exact = o->w * o->w / (o->C * pow(curve.u, 3));
    dls_check_near(c, "area under the curve plus the tail, over w",
                   (curve.area + o->w * o->w / (2 * o->C * curve.u * curve.u)) / o->w,
                   1, 1e-4, "trapezoids of the curve, one of them across its kink");
    dls_check_near(c, "order in h of the energy lost in the layer",
                   dls_order_fit(3, h, error), 1, 0.3, "order 1 of theta = 1");
    dls_check_near(c, "opening at the peak, over sqrt(w / C)", curve.peak_at / u_0, 1,
                   3 * step / u_0,
                   "steps of opening; the layer accelerates past the peak");
    dls_check_near(c, "peak force over sqrt(w C)", curve.peak / sqrt(o->w * o->C), 1,
                   3 * step / u_0, "likewise");
    dls_check_near(c, "final force over w^2 / (C u^3)", curve.force / exact, 1, 1e-9,
                   "beta follows the opening exactly");
    dls_check_near(c, "energy lost in the layer over area less what is stored",
                   curve.damage / (curve.area - 0.5 * curve.force * curve.u), 1,
                   10 * step, "the area between curve and secant; order h");
    dls_check_most(c, "largest increase of beta", curve.growth, 0,
                   "damage does not heal");
    dls_check_least(c, "least beta", curve.least, 0, "stays in [0, 1]");
    dls_check_most(c, "largest beta", curve.most, 1, "stays in [0, 1]");
    return DLS_OK;
}

static enum dls_status check_viscous(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    const struct cohesion_options *o = asked->options;
    struct curve slow, viscous;
    enum dls_status status = pull(&slow, 0, o->step, asked, a, err);
    if (!status) status = pull(&viscous, 5, o->step, asked, a, err);
    if (status) return status;
    dls_check_least(c, "viscous: energy lost over the rate-independent one",
                    viscous.damage / slow.damage, 1.02, "viscosity dissipates too");
    dls_check_least(c, "viscous: peak force over the rate-independent one",
                    viscous.peak / slow.peak, 1.02, "the damage comes late");
    dls_check_most(c, "viscous: largest increase of beta", viscous.growth, 0,
                   "damage does not heal");
    dls_check_least(c, "viscous: least beta", viscous.least, 0, "stays in [0, 1]");
    double balance = viscous.pulled - viscous.energy - viscous.damage;
    dls_check_near(c, "viscous: work of the puller less what is stored and lost",
                   balance, 0, 0.02 * o->w, "the scheme's own damping, order h");
    return DLS_OK;
}

// The impulse of the wall in the last step, over h, and the intensity of adhesion.
static void feel(const struct dls_sim *sim, void *data)
{
    double *felt = data;
    felt[0] = sim->last.problem.m ? sim->last.r[0] / sim->h : 0;
    felt[1] = sim->q[sim->system->n];
}

// The far end comes nearer by `opening`: the wall carries E S / L times that.
static enum dls_status check_pressed(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    struct cohesion_options o = *(const struct cohesion_options *)asked->options;
    struct dls_asked with = *asked;
    struct dls_scene scene;
    double felt[2] = {0, 0}, depth = 0.1 * o.opening;
    o.speed = -o.speed;
    o.opening = depth;
    with.options = &o;
    enum dls_status status = make(&scene, &with, a, err);
    if (status) return status;
    const struct layer *l = scene.system->self;
    struct dls_trial trial = {scene.system, scene.scheme, scene.q, scene.v,
                              scene.h,      scene.end,    feel,    felt};
    status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    dls_check_near(c, "pressed: force of the wall over E S / L times the way",
                   felt[0] / (l->bar.young * depth), 1, 1e-6,
                   "the bar at rest but for its slow end");
    dls_check_near(c, "pressed: beta", felt[1], 1, 0, "nothing opened");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_independent(c, asked, a, err);
    if (!status) status = check_viscous(c, asked, a, err);
    return status ? status : check_pressed(c, asked, a, err);
}

const struct dls_example dls_example_cohesion = {
    .name = "cohesion",
    .brief =
        "a bar is pulled off a cohesive layer with damage, with and without viscosity",
    .paper = "AcarySlides, nonsmooth cohesive zone model",
    .options = options,
    .options_size = sizeof(struct cohesion_options),
    .make = make,
    .check = check,
};
