// SPDX-License-Identifier: Apache-2.0
// A block torn off the table, or off the block, to which it is glued: cohesion as a law of
// contacts between rigid bodies (problems/mechanics/cohesion.c, bonds.c), in the plane and
// in space, in opening, in shear and in both, with friction after failure.
//
// The block of mass m has N glued corners, 2 or 4, which all open alike since it does not
// turn. It starts at the speed v_0 and slows down: with y = C_N u_N^2 + C_T |u_T|^2 of a
// corner beyond y = w, beta = w / y and whatever the path
//     T_0 - T = N w (1 - beta / 2),  of which  N w (1 - beta)  is dissipated, the rest stored.
// Along a straight path of stiffness C the area under the curve of force over opening is
// N (w - w^2 / (2 C u^2)). Pressed by P and sheared from u_0 = sqrt(w / C_T) on, friction
// mu (1 - beta) P takes  mu P (u - 2 u_0 + u_0^2 / u)  besides.
//
// Checks: these, in the plane and in space; two free blocks, whose momentum and angular
// momentum stay; a table that is pulled away, which is the same seen from the table.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct glued_options {
    int dim;
    double normal, tangential, energy, viscosity, mu, press, angle, speed, step, end;
};

static const struct dls_option options[] = {
    DLS_INT(glued_options, dim, 2, 2, 3, "2: in the plane, 3: in space"),
    DLS_REAL(glued_options, normal, 100, 1e-6, 1e12,
             "C_N, stiffness of a glued corner"),
    DLS_REAL(glued_options, tangential, 100, 0, 1e12, "C_T, the same in shear"),
    DLS_REAL(glued_options, energy, 1, 1e-9, 1e12, "w, that breaking a corner costs"),
    DLS_REAL(glued_options, viscosity, 0, 0, 1e12, "b of the damage; 0: none"),
    DLS_REAL(glued_options, mu, 0.3, 0, 1e3, "friction where the glue is gone"),
    DLS_REAL(glued_options, press, 0, 0, 1e6, "force that presses the block down"),
    DLS_REAL(glued_options, angle, 45, 0, 90, "of the pull: 0 = up, 90 = along"),
    DLS_REAL(glued_options, speed, 4, 0, 1e6, "of the block at the start"),
    DLS_REAL(glued_options, step, 1e-4, 1e-9, 1, "length of a time step"),
    DLS_REAL(glued_options, end, 0.4, 1e-6, 1e6, "duration"),
    {0},
};

// What is torn off what.
enum base { TABLE, BLOCK, LEAVING_TABLE };

struct glued {
    struct glued_options o;
    enum base base;
    double spin; // of the upper block, which turns freely then
    // Made
    struct dls_cohesion glue;
    struct dls_ramp ramp;
    struct dls_rigid *rigid;
};

static void make_velocity(const struct glued_options *o, dls_vec3 *along, dls_vec3 *up)
{
    double angle = o->angle * acos(-1) / 180;
    double v_t = o->speed * sin(angle), v_n = o->speed * cos(angle);
    // Oblique in the plane of contact: 3-4-5.
    *along = o->dim == 2 ? (dls_vec3){v_t, 0, 0} : (dls_vec3){0.6 * v_t, 0.8 * v_t, 0};
    *up = o->dim == 2 ? (dls_vec3){0, v_n, 0} : (dls_vec3){0, 0, v_n};
}

static void hold(struct glued *g, int body)
{
    if (g->base != BLOCK)
        g->rigid->held[body] = g->o.dim == 2 ? DLS_HELD_SPIN_2D : DLS_HELD_SPIN;
}

static bool fill(struct glued *g, struct dls_arena *a)
{
    const struct glued_options *o = &g->o;
    bool flat = o->dim == 2;
    struct dls_rigid *r = g->rigid =
        dls_rigid_new(o->dim, 1 + (g->base == BLOCK), 1, false, a);
    if (!r) return false;
    dls_vec3 edges = {1, 1, 1}, along, up, n = {0, flat, !flat};
    make_velocity(o, &along, &up);
    struct dls_body block = dls_body_box(1, edges, dls_vec3_scale(0.5, n));
    dls_vec3 v = dls_vec3_add(along, up);
    struct dls_shape shape = dls_shape_box((dls_vec3){1, 1, flat ? 0 : 1});
    if (g->base != LEAVING_TABLE) block.v = v;
    block.spin.z = g->spin;
    block.force = dls_vec3_scale(-o->press, n);
    hold(g, dls_rigid_body(r, block, shape));
    if (g->base == BLOCK) {
        block = dls_body_box(3, edges, dls_vec3_scale(-0.5, n)); // three times as heavy
        dls_rigid_body(r, block, shape);
    } else {
        struct dls_plane table = {.n = n};
        g->ramp = (struct dls_ramp){.velocity = dls_vec3_scale(-1, v)};
        if (g->base == LEAVING_TABLE)
            table.motion = dls_motion_ramp, table.data = &g->ramp;
        dls_rigid_plane(r, table);
    }
    g->glue = (struct dls_cohesion){o->normal, o->tangential, o->energy, o->viscosity};
    r->law = (struct dls_law){.mu = o->mu, .cohesion = &g->glue};
    dls_rigid_glue(r);
    return !a->failed;
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = 1;
    for (int k = 0; k < sim->bonds.count; k++)
        values[0] = fmin(values[0], sim->bonds.all[k].beta);
    values[1] = sim->bonds.count;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"least_beta", "bonds", NULL};
    struct glued *g = DLS_NEW(a, struct glued, 1);
    if (!g) return DLS_ENOMEM;
    g->o = *(const struct glued_options *)asked->options;
    if (!fill(g, a)) return DLS_ENOMEM;
    *scene = (struct dls_scene){
        .h = g->o.step,
        .end = g->o.end,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return dls_scene_rigid(scene, g->rigid, a);
}

// --- checks --------------------------------------------------------------------------

struct course {
    double start[14], q[14], v[12]; // positions before, state after
    struct dls_ledger ledger;
    int bonds;
    double beta, grown;       // of the first bond; largest increase in a step
    double area, peak;        // under force over way of the first block; largest force
    double momentum, turning; // how far both have strayed, of free blocks in the plane
    double momentum_start, turning_start;
};

static double norm_of(int dim, const double *x)
{
    double sum = 0;
    for (int i = 0; i < dim; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

// Upwards, and about the origin: sum m v_y,  sum m x x v + I w.
static void balance(const struct dls_sim *sim, double *momentum, double *turning)
{
    const double *q = sim->q, *v = sim->v, *m = sim->M->x;
    *momentum = *turning = 0;
    for (int k = 0; k < 2; k++, q += 3, v += 3, m += 3) {
        *momentum += m[1] * v[1];
        *turning += m[0] * (q[0] * v[1] - q[1] * v[0]) + m[2] * v[2];
    }
}

static void follow(const struct dls_sim *sim, void *data)
{
    struct course *c = data;
    const struct dls_system *s = sim->system;
    const struct dls_bond *bond = sim->bonds.all;
    double force = norm_of(s->d, sim->last.glue) / sim->h;
    c->area += force * norm_of(s->d, sim->last.v_bar) * sim->h;
    c->peak = fmax(c->peak, force);
    if (sim->steps > 1) c->grown = fmax(c->grown, bond->beta - c->beta);
    c->beta = bond->beta;
    c->bonds = sim->bonds.count;
    c->ledger = sim->ledger;
    for (int i = 0; i < s->nq; i++) c->q[i] = sim->q[i];
    for (int i = 0; i < s->n; i++) c->v[i] = sim->v[i];
    if (s->bodies < 2 || s->d > 2) return;
    double momentum, turning;
    balance(sim, &momentum, &turning);
    if (sim->steps == 1) c->momentum_start = momentum, c->turning_start = turning;
    c->momentum = fmax(c->momentum, fabs(momentum - c->momentum_start));
    c->turning = fmax(c->turning, fabs(turning - c->turning_start));
}

static enum dls_status tear(struct course *c, struct glued *g,
                            const struct dls_asked *asked, struct dls_arena *a,
                            struct dls_error *err)
{
    struct dls_scene scene;
    if (!fill(g, a) || dls_scene_rigid(&scene, g->rigid, a)) return DLS_ENOMEM;
    *c = (struct course){.grown = -1};
    for (int i = 0; i < scene.system->nq; i++) c->start[i] = scene.q[i];
    struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v,
                              g->o.step,    g->o.end, follow,  c};
    return dls_trial_run(&trial, asked, a, err);
}

// The opening of all corners at the end: normal, and along the table.
static void opening(const struct course *c, const struct glued *g, double u[2])
{
    int dim = g->o.dim, other = dim == 2 ? 3 : 7;
    double x[3] = {0},
           w[3] = {g->ramp.velocity.x, g->ramp.velocity.y, g->ramp.velocity.z};
    for (int i = 0; i < dim; i++) {
        x[i] = c->q[i] - c->start[i];
        if (g->base == BLOCK) x[i] -= c->q[other + i] - c->start[other + i];
        if (g->base == LEAVING_TABLE) x[i] -= w[i] * g->o.end;
    }
    u[0] = x[dim - 1];
    u[1] = norm_of(dim - 1, x);
}

// Energy that the motion gave to glue and friction, and how much of it damage took, over
// N w: checked against the opening at the end.
static void check_energy(struct dls_checks *c, const char *what,
                         const struct course *run, const struct glued *g, double lost)
{
    const struct glued_options *o = &g->o;
    double u[2], works = run->bonds * o->energy;
    opening(run, g, u);
    double beta = o->energy / (o->normal * u[0] * u[0] + o->tangential * u[1] * u[1]);
    double u_0 = sqrt(o->energy / o->tangential);
    double slid = o->press > 0 ? u[1] - 2 * u_0 + u_0 * u_0 / u[1] : 0;
    struct dls_arena *a = c->arena;
    const char *reason = "order 2 in the opening of a step over that of the peak";
    double order = 2 * pow(o->speed * o->step / u_0, 2);
    dls_check_near(c, dls_text(a, "%s: motion lost over N w", what), lost / works,
                   1 - 0.5 * beta + o->mu * o->press * slid / works, order, reason);
    dls_check_near(c, dls_text(a, "%s: damage over N w", what),
                   run->ledger.cohesion_lost / works, 1 - beta, order, reason);
    dls_check_near(
        c, dls_text(a, "%s: work of the glue and its energies", what),
        (run->ledger.cohesion + run->ledger.cohesion_stored + run->ledger.cohesion_lost)
            / works,
        0, order, reason);
    dls_check_most(c, dls_text(a, "%s: largest increase of beta", what), run->grown, 0,
                   "damage does not heal");
}

static double motion_lost(const struct course *run)
{
    return run->ledger.kinetic_start - run->ledger.kinetic;
}

// Off a table: what is varied.
static enum dls_status check_table(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    static const struct {
        const char *what;
        double angle, tangential, mu, press;
    } modes[] = {
        {"opening", 0, 100, 0.3, 0},
        {"shear", 90, 100, 0, 0},
        {"both", 45, 100, 0.3, 0},
        {"both, softer in shear", 45, 25, 0.3, 0},
        {"shear under pressure", 90, 100, 0.3, 5},
    };
    for (int k = 0; k < 10; k++) {
        struct glued g = {.o = *(const struct glued_options *)asked->options};
        struct course run;
        g.o.dim = 2 + k % 2;
        g.o.angle = modes[k / 2].angle;
        g.o.tangential = modes[k / 2].tangential;
        g.o.mu = modes[k / 2].mu;
        g.o.press = modes[k / 2].press;
        const char *what = dls_text(a, "%s, %dD", modes[k / 2].what, g.o.dim);
        enum dls_status status = tear(&run, &g, asked, a, err);
        if (status) return status;
        check_energy(c, what, &run, &g, motion_lost(&run));
        if (k >= 6) continue; // a straight path of one stiffness before
        double u[2], w = g.o.energy, u_0 = sqrt(w / g.o.normal);
        opening(&run, &g, u);
        double tail = w * w / (2 * g.o.normal * (u[0] * u[0] + u[1] * u[1]));
        dls_check_near(c, dls_text(a, "%s: area under the force, over N w", what),
                       run.area / (run.bonds * w), 1 - tail / w,
                       2 * pow(g.o.speed * g.o.step / u_0, 2),
                       "rectangles at the middle of the steps: order 2");
        dls_check_near(c, dls_text(a, "%s: peak over N sqrt(w C)", what),
                       run.peak / (run.bonds * sqrt(w * g.o.normal)), 1,
                       g.o.speed * g.o.step / u_0, "a step of opening");
    }
    return DLS_OK;
}

// Off another block, and off a table that leaves.
static enum dls_status check_bases(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    for (int dim = 2; dim <= 3; dim++) {
        struct glued g = {.o = *(const struct glued_options *)asked->options};
        struct course run;
        g.o.dim = dim;
        g.o.angle = 0;
        g.base = BLOCK;
        enum dls_status status = tear(&run, &g, asked, a, err);
        if (status) return status;
        check_energy(c, dls_text(a, "two blocks, %dD", dim), &run, &g,
                     motion_lost(&run));
        g.base = LEAVING_TABLE;
        g.o.angle = 45;
        status = tear(&run, &g, asked, a, err);
        if (status) return status;
        double gone[3],
            V[3] = {g.ramp.velocity.x, g.ramp.velocity.y, g.ramp.velocity.z};
        double work = 0, before = norm_of(dim, V);
        for (int i = 0; i < dim; i++) {
            gone[i] = run.v[i] - V[i];
            work += run.v[i] * V[i]; // the impulse on the block, mass 1, from rest
        }
        double after = norm_of(dim, gone);
        check_energy(c, dls_text(a, "leaving table, %dD", dim), &run, &g,
                     0.5 * (before * before - after * after));
        dls_check_near(c, dls_text(a, "leaving table, %dD: its work over p . V", dim),
                       run.ledger.obstacles / work, 1, 1e-9, "an identity; rounding");
    }
    return DLS_OK;
}

// A block that turns as it is torn off: nothing from outside.
static enum dls_status check_turning(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    struct glued g = {.o = *(const struct glued_options *)asked->options};
    struct course run;
    g.base = BLOCK;
    g.spin = 3;
    g.o.dim = 2;
    g.o.angle = 20;
    enum dls_status status = tear(&run, &g, asked, a, err);
    if (status) return status;
    dls_check_most(c, "turning blocks: change of momentum", run.momentum, 1e-11,
                   "rounding of some thousand steps");
    dls_check_most(c, "turning blocks: change of angular momentum", run.turning, 1e-11,
                   "likewise: forces of a bond are opposite at one point");
    dls_check_near(
        c, "turning blocks: work of the glue and its energies, over N w",
        (run.ledger.cohesion + run.ledger.cohesion_stored + run.ledger.cohesion_lost)
            / (run.bonds * g.o.energy),
        0, 2 * g.o.normal * pow(g.o.speed * g.o.step, 2) / g.o.energy,
        "order 2 in the opening of a step over that of the peak");
    return DLS_OK;
}

static enum dls_status check_viscous(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    double lost[2];
    for (int k = 0; k < 2; k++) {
        struct glued g = {.o = *(const struct glued_options *)asked->options};
        struct course run;
        g.o.dim = 2;
        g.o.angle = 0;
        g.o.viscosity = k * 0.05;
        enum dls_status status = tear(&run, &g, asked, a, err);
        if (status) return status;
        lost[k] = run.ledger.cohesion_lost;
    }
    dls_check_least(c, "viscous: damage over the rate-independent one",
                    lost[1] / lost[0], 1.02, "viscosity dissipates too");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_table(c, asked, a, err);
    if (!status) status = check_bases(c, asked, a, err);
    if (!status) status = check_turning(c, asked, a, err);
    return status ? status : check_viscous(c, asked, a, err);
}

const struct dls_example dls_example_glued_blocks = {
    .name = "glued-blocks",
    .brief = "a block torn off what it is glued to: cohesion as a law of contacts",
    .paper = "RaousCangemiCocou1999",
    .options = options,
    .options_size = sizeof(struct glued_options),
    .make = make,
    .check = check,
};
