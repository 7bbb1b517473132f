// SPDX-License-Identifier: Apache-2.0
// A stone bridge without mortar, its key stone forced down [Moreau2004, 9].
//
// A segmental arch of voussoirs between fixed abutments carries horizontal courses, each
// strip of which stands on one voussoir: the lowest block fits the back of the arch, those
// above are rectangles, joined two by two in alternation. Above the key stone the courses
// leave a slot, in which an object comes down at a given speed. All contacts are dry, with
// one friction coefficient and no restitution. Sizes, number of stones and speed are ours:
// the paper gives the friction, 0.6 and 0.3.
//
// What a joint does is told by the work in it. Hinge: the joint opens by more than 1e-3
// rad, its edge stays closed and friction does little. Slide: the friction of the joint
// dissipates more than 5 % of all that is dissipated.
//
// Checks: without the object nothing moves; with friction 0.6 joints of the arch open
// about hinges and hardly slide, with 0.3 they slide; a bare semicircle of 27 stones stands
// 3 % above the least thickness and falls 3 % below it, for that thickness a linear
// program has 0.106721 (tests/solvers/reference/test_limit_load.sh, the same blocks); a
// thick one stands and falls with 0.5 % more and less friction than 0.308988, for many
// stones 0.3092, below which no thickness helps [CocchettiRizzi2020].
#include "problems/examples/bridge_stones.h"
#include "problems/examples/example.h"

#include <math.h>

static const struct dls_option options[] = {
    DLS_INT(dls_bridge_options, stones, 15, 3, 101, "voussoirs, an odd number"),
    DLS_INT(dls_bridge_options, courses, 2, 0, 20,
            "courses above the crown of the arch"),
    DLS_REAL(dls_bridge_options, radius, 3, 0.1, 1e3, "radius of the middle line, m"),
    DLS_REAL(dls_bridge_options, thickness, 0.07, 0.01, 0.5,
             "of the arch, over the radius"),
    DLS_REAL(dls_bridge_options, opening, 65, 5, 90, "half of the angle, degrees"),
    DLS_REAL(dls_bridge_options, mu, 0.6, 0, 1e3, "friction coefficient"),
    DLS_REAL(dls_bridge_options, speed, 0.05, 0, 10,
             "of the object, m/s; 0 = no object"),
    DLS_REAL(dls_bridge_options, density, 2000, 1e-3, 1e6, "mass per area"),
    DLS_REAL(dls_bridge_options, gravity, 9.81, 0, 1e6, "gravity"),
    DLS_REAL(dls_bridge_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(dls_bridge_options, end, 1.5, 1e-6, 1e6, "duration"),
    {0},
};

static void observe(const struct dls_sim *sim, double *values)
{
    const struct dls_ledger *l = &sim->ledger;
    const struct dls_system *s = sim->system;
    int key = 0; // its velocity is the fastest downwards
    for (int k = 0; k < s->bodies; k++)
        if (sim->v[3 * k + 1] < sim->v[3 * key + 1]) key = k;
    values[0] = sim->v[3 * key + 1];
    values[1] = -l->tangential;
    values[2] = -l->normal;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"v_down", "friction", "impacts", NULL};
    const struct dls_bridge_options *o = asked->options;
    struct dls_bridge *b = dls_bridge_make(o, a);
    if (!b) return DLS_ENOMEM;
    *scene = (struct dls_scene){
        .h = o->step,
        .end = o->end * asked->scale,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return dls_scene_rigid(scene, b->rigid, a);
}

// --- what joints do ------------------------------------------------------------------

enum { JOINTS = 102 };

struct outcome {
    const struct dls_bridge *bridge;
    double friction[JOINTS]; // work of friction in each joint of the arch
    double opening[JOINTS];  // rotation across it at the end
    double slip[JOINTS];     // way that its loaded points slid, both directions added
    double all;              // work of all friction and all impacts
    double fall;             // way down of the voussoir that moved most
    double speed;            // largest velocity of the last step
    double start[JOINTS];    // heights of the voussoirs
};

// The joint of the arch between two bodies, obstacles being -1; -1 for another contact.
static int joint_of(const struct outcome *out, const struct dls_contact *c)
{
    int stones = out->bridge->o.stones, low = c->body, high = c->other;
    if (high < 0) {
        if (c->obstacle == 0 && low == 0) return 0;
        return c->obstacle == 1 && low == stones - 1 ? stones : -1;
    }
    if (low > high) low = c->other, high = c->body;
    return high == low + 1 && high < stones ? high : -1;
}

static void follow(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    const struct dls_problem *p = &sim->last.problem;
    int stones = out->bridge->o.stones;
    for (int c = 0; c < p->contacts; c++) {
        int joint = joint_of(out, &sim->last.contact[c]);
        double work = sim->last.r[2 * c + 1] * 0.5
                      * (p->u_minus[2 * c + 1] + sim->last.u[2 * c + 1]);
        if (joint < 0) continue;
        out->friction[joint] -= work;
        // Of the two points of a joint each counts for one half.
        out->slip[joint] +=
            0.5 * sim->h * fabs(sim->last.u[2 * c + 1]) * (sim->last.r[2 * c] > 0);
    }
    out->all = -sim->ledger.tangential - sim->ledger.normal;
    out->speed = out->fall = 0;
    for (int k = 0; k <= stones; k++) {
        double before = k ? sim->q[3 * (k - 1) + 2] : 0;
        out->opening[k] = (k < stones ? sim->q[3 * k + 2] : 0) - before;
    }
    for (int i = 0; i < sim->system->n; i++)
        out->speed = fmax(out->speed, fabs(sim->v[i]));
    for (int k = 0; k < stones; k++) {
        if (sim->steps == 1) out->start[k] = sim->q[3 * k + 1];
        out->fall = fmax(out->fall, out->start[k] - sim->q[3 * k + 1]);
    }
}

static enum dls_status load(struct outcome *out, const struct dls_bridge_options *o,
                            double end, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    struct dls_scene scene;
    struct dls_bridge *b = dls_bridge_make(o, a);
    if (!b || dls_scene_rigid(&scene, b->rigid, a)) return DLS_ENOMEM;
    *out = (struct outcome){.bridge = b};
    struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v,
                              o->step,      end,      follow,  out};
    return dls_trial_run(&trial, asked, a, err);
}

// --- checks --------------------------------------------------------------------------

static int hinges(const struct outcome *out)
{
    int count = 0;
    for (int k = 0; k <= out->bridge->o.stones; k++)
        count += fabs(out->opening[k]) > 1e-3 && out->friction[k] < 0.05 * out->all;
    return count;
}

static double sliding_share(const struct outcome *out)
{
    double sum = 0;
    for (int k = 0; k <= out->bridge->o.stones; k++) sum += out->friction[k];
    return sum / out->all;
}

static double most_slip(const struct outcome *out)
{
    double most = 0;
    for (int k = 0; k <= out->bridge->o.stones; k++) most = fmax(most, out->slip[k]);
    return most;
}

static enum dls_status check_pushed(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    struct dls_bridge_options o = *(const struct dls_bridge_options *)asked->options;
    struct outcome out;
    double share[2], slip[2], end = asked->scale < 1 ? 0.2 : o.end;
    if (asked->scale < 1) o.courses = 0; // the arch alone, for seconds instead of hours
    for (int k = 0; k < 2; k++) {
        o.mu = k ? 0.3 : 0.6;
        enum dls_status status = load(&out, &o, end, asked, a, err);
        if (status) return status;
        share[k] = sliding_share(&out);
        slip[k] = most_slip(&out) / (o.speed * end);
        dls_check_least(
            c, dls_text(a, "mu = %g: way of the key stone over the object's", o.mu),
            out.fall / (o.speed * end), 0.9, "it is pushed down");
        if (!k)
            dls_check_least(c, "mu = 0.6: hinges in the arch", hinges(&out), 3,
                            "three and the object make a mechanism");
    }
    dls_check_most(c, "mu = 0.6: share of sliding in the arch", share[0], 0.05,
                   "joints open without sliding");
    dls_check_least(c, "mu = 0.3: share of sliding in the arch", share[1],
                    2 * fabs(share[0]), "joints slide");
    dls_check_most(c, "mu = 0.6: slip of a joint over the object's way", slip[0], 1e-3,
                   "hinges alone");
    dls_check_least(c, "mu = 0.3: slip of a joint over the object's way", slip[1], 0.01,
                    "and slides");
    o.speed = 0;
    o.mu = 0.6;
    enum dls_status status = load(&out, &o, 0.05, asked, a, err);
    if (status) return status;
    dls_check_most(c, "no object: largest velocity", out.speed, 1e-8,
                   "nothing moves; solver at 1e-8 of h g, 100 times over");
    return DLS_OK;
}

// The bare semicircle, alone for a short while: how far its stones fall.
static enum dls_status drop(double *fall, double thickness, double mu,
                            const struct dls_asked *asked, struct dls_arena *a,
                            struct dls_error *err)
{
    const struct dls_bridge_options bare = {.stones = 27,
                                            .radius = 1,
                                            .thickness = thickness,
                                            .opening = 90,
                                            .mu = mu,
                                            .density = 2000,
                                            .gravity = 9.81,
                                            .step = 1e-3};
    struct outcome out;
    double end = asked->scale < 1 ? 0.05 : 0.1;
    enum dls_status status = load(&out, &bare, end, asked, a, err);
    *fall = out.fall;
    return status;
}

// Stands a little above a limit of the linear program, falls a little below it.
static enum dls_status check_bare(struct dls_checks *c, const struct dls_asked *asked,
                                  struct dls_arena *a, struct dls_error *err)
{
    static const struct {
        const char *what;
        double thickness, mu, off; // limits of the linear program
        bool by_mu;                // which of the two is varied
        double falls;
        const char *why;
    } cases[] = {
        {"bare arch, thickness", 0.106721, 2, 0.03, false, 1e-5,
         "it falls: g t^2 / 2 is 0.01 at least"},
        {"thick arch, friction", 0.3, 0.308988, 0.005, true, 1e-6,
         "it slides at both springings"},
    };
    for (int k = 0; k < 4; k++) {
        double fall, share = 1 + (k % 2 ? -1 : 1) * cases[k / 2].off;
        double thickness = cases[k / 2].thickness * (cases[k / 2].by_mu ? 1 : share);
        double mu = cases[k / 2].mu * (cases[k / 2].by_mu ? share : 1);
        enum dls_status status = drop(&fall, thickness, mu, asked, a, err);
        if (status) return status;
        const char *what =
            dls_text(a, "%s %g of the least: fall", cases[k / 2].what, share);
        if (k % 2)
            dls_check_least(c, what, fall, cases[k / 2].falls, cases[k / 2].why);
        else
            dls_check_most(c, what, fall, 1e-7,
                           "it stands; g t^2 / 2 at 1e-8 a step, 100 times over");
    }
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_bare(c, asked, a, err);
    return status ? status : check_pushed(c, asked, a, err);
}

const struct dls_example dls_example_bridge = {
    .name = "bridge",
    .brief = "a stone bridge whose key stone is forced down: hinges or sliding joints",
    .paper = "Moreau2004, 9",
    .solver = "auto",
    .tol = 1e-8,
    .options = options,
    .options_size = sizeof(struct dls_bridge_options),
    .make = make,
    .check = check,
};
