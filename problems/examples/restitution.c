// SPDX-License-Identifier: Apache-2.0
// A ball whose restitution and friction depend on the velocity before the impact
// [Moreau1994, 6: "there is no algorithmic difficulty in making all these coefficients
// depend on circumstances"].
//
// Fast impacts leave a plastic dent, and with v = |u_N^-|
//
//     e(v) = e_0 for v <= v_y,     e_0 (v_y / v)^(1/4) above    [Johnson1985, 11.5]
//
// A collision (v > v_y) has the friction coefficient mu_c, a lasting contact mu.
//
// Closed form: while all impacts are above v_y, x = v / v_y obeys x_{n+1} = e_0 x_n^(3/4),
//     ln x_n = (3/4)^n ln x_0 + 4 (1 - (3/4)^n) ln e_0,      apex v_n^2 / (2 g).
//
// Checks: five apexes by the event-driven scheme and three by Moreau's; a collision that
// slides changes u_T by mu_c (1 + e(v)) v; a lasting contact holds a slope
// between mu_c and mu.
#include "problems/examples/example.h"

#include <math.h>
#include <string.h>

struct restitution_options {
    double height, e, yield, mu, impact_mu, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(restitution_options, height, 5, 1e-6, 1e6, "height of the drop"),
    DLS_REAL(restitution_options, e, 0.9, 0, 1, "e_0: restitution of slow impacts"),
    DLS_REAL(restitution_options, yield, 0.1, 1e-9, 1e6, "v_y: speed of first yield"),
    DLS_REAL(restitution_options, mu, 0.6, 0, 1e3, "friction of lasting contacts"),
    DLS_REAL(restitution_options, impact_mu, 0.2, 0, 1e3, "friction of collisions"),
    DLS_REAL(restitution_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(restitution_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(restitution_options, end, 8, 1e-6, 1e6, "duration"),
    {0},
};

// --- the system: a point of mass 1 above a rough plane -------------------------------

struct ball {
    struct dls_system system;
    struct restitution_options o;
    double slope; // gravity pulls along -(sin, cos)
};

static void impact(const struct dls_system *system, const struct dls_contact *contact,
                   const double *u_minus, struct dls_law *law)
{
    (void)contact;
    const struct ball *b = system->self;
    double speed = -u_minus[0];
    if (speed <= b->o.yield) return;
    law->e_n *= pow(b->o.yield / speed, 0.25);
    if (b->o.mu > 0) law->mu *= b->o.impact_mu / b->o.mu;
}

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)q, (void)v;
    const struct ball *b = s->self;
    F[0] = -b->o.gravity * sin(b->slope);
    F[1] = -b->o.gravity * cos(b->slope);
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    const struct ball *b = s->self;
    return b->o.gravity * (sin(b->slope) * q[0] + cos(b->slope) * q[1]);
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct ball *b = s->self;
    struct dls_contact contact = {.other = -1,
                                  .gap = q[1],
                                  .law = {.mu = b->o.mu, .e_n = b->o.e},
                                  .n = {0, 1, 0}};
    int row = dls_contacts_add(c, contact, NULL);
    if (row < 0) return;
    dls_entries_add(&c->H, row, 1, 1);
    dls_entries_add(&c->H, row + 1, 0, 1);
}

static struct ball *make_ball(const struct restitution_options *o, double slope,
                              struct dls_arena *a)
{
    struct ball *b = DLS_NEW(a, struct ball, 1);
    if (!b) return NULL;
    *b = (struct ball){
        .system = {.n = 2,
                   .nq = 2,
                   .d = 2,
                   .bodies = 1,
                   .constant_mass = true,
                   .self = b,
                   .mass = dls_unit_mass,
                   .force = force,
                   .potential = potential,
                   .contacts = contacts,
                   .impact = impact},
        .o = *o,
        .slope = slope,
    };
    return b;
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = sim->q[1];
    values[1] = sim->v[1];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"height", "v", NULL};
    const struct restitution_options *o = asked->options;
    struct ball *b = make_ball(o, 0, a);
    double *q = DLS_NEW(a, double, 2), *v = DLS_NEW(a, double, 2);
    if (a->failed) return DLS_ENOMEM;
    q[1] = o->height;
    *scene = (struct dls_scene){.system = &b->system,
                                .q = q,
                                .v = v,
                                .h = o->step,
                                .end = o->end * asked->scale,
                                .scheme = "moreau",
                                .names = names,
                                .observe = observe};
    return DLS_OK;
}

// --- heights -------------------------------------------------------------------------

// Apexes between impacts, from the velocity right after each.
struct apexes {
    double gravity, previous, height[8];
    int count;
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct apexes *s = data;
    double v = sim->v[1], above = sim->q[1];
    // Energy is kept in flight, so that any point of it tells the apex.
    if (v > 0 && s->previous < 0 && s->count < 8)
        s->height[s->count++] = above + 0.5 * v * v / s->gravity;
    s->previous = v;
}

// The speed after n impacts, all above v_y.
static double speed_after(const struct restitution_options *o, int n)
{
    double x_0 = sqrt(2 * o->gravity * o->height) / o->yield, share = pow(0.75, n);
    return o->yield * exp(share * log(x_0) + 4 * (1 - share) * log(o->e));
}

static enum dls_status check_heights(struct dls_checks *c, const char *scheme,
                                     int bounces, const struct dls_asked *asked,
                                     struct dls_arena *a, struct dls_error *err)
{
    struct restitution_options o = *(const struct restitution_options *)asked->options;
    o.mu = o.impact_mu = 0; // the event-driven scheme takes no friction
    struct ball *b = make_ball(&o, 0, a);
    if (!b) return DLS_ENOMEM;
    double q[] = {0, o.height}, v[] = {0, 0};
    struct apexes s = {.gravity = o.gravity};
    double end = 0;
    for (int n = 0; n <= bounces; n++) end += (n ? 2 : 1) * speed_after(&o, n);
    end /= o.gravity; // when the last of them is up again
    struct dls_trial trial = {&b->system, scheme, q, v, o.step, end, follow, &s};
    enum dls_status status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    // The integrator of events works to 1e-12. Moreau's scheme finds an impact up to a step
    // late and v h too deep, which the next apex lacks; the errors of the bounces add up.
    bool events = !strcmp(scheme, "event");
    double tolerance = events ? 1e-9 : 0;
    for (int n = 1; n <= bounces; n++) {
        double exact = 0.5 * pow(speed_after(&o, n), 2) / o.gravity;
        if (!events) tolerance += speed_after(&o, n - 1) * o.step / exact;
        dls_check_near(c, dls_text(a, "%s: apex %d over the closed form", scheme, n),
                       n <= s.count ? s.height[n - 1] / exact : NAN, 1, tolerance,
                       events ? "integrator at 1e-12" : "v h too deep, each bounce");
    }
    return DLS_OK;
}

// --- friction ------------------------------------------------------------------------

static enum dls_status check_friction(struct dls_checks *c,
                                      const struct dls_asked *asked,
                                      struct dls_arena *a, struct dls_error *err)
{
    const struct restitution_options *o = asked->options;
    double v[2], start[] = {100, -4}, q[] = {0, 0}, still[] = {0, 0}, h = 1e-9;
    double e = o->e * pow(o->yield / 4, 0.25);
    struct ball *b = make_ball(o, 0, a);
    struct ball *on_slope = make_ball(o, atan(0.5 * (o->mu + o->impact_mu)), a);
    if (a->failed) return DLS_ENOMEM;
    struct dls_kept kept = {.v = v};
    struct dls_trial trial = {&b->system, "moreau",       q,    start, h,
                              h,          dls_trial_keep, &kept};
    enum dls_status status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    dls_check_near(c, "fast and sliding: velocity after the impact over e(4) 4",
                   v[1] / (4 * e), 1, 1e-8, "g h; solver at 1e-12");
    dls_check_near(c, "fast and sliding: loss of u_T over mu_c (1 + e) 4",
                   (100 - v[0]) / (o->impact_mu * (1 + e) * 4), 1, 1e-8, "likewise");
    trial = (struct dls_trial){&on_slope->system, "moreau", q, still, o->step, 0.1,
                               dls_trial_keep,    &kept};
    status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    dls_check_near(c, "lasting: speed after 0.1 s on a slope between mu_c and mu", v[0],
                   0, 1e-10, "the friction of lasting contacts holds; solver at 1e-12");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_heights(c, "event", 5, asked, a, err);
    if (!status) status = check_heights(c, "moreau", 3, asked, a, err);
    return status ? status : check_friction(c, asked, a, err);
}

const struct dls_example dls_example_restitution = {
    .name = "restitution",
    .brief = "restitution and friction that depend on the velocity before the impact",
    .paper = "Moreau1994, 6",
    .options = options,
    .options_size = sizeof(struct restitution_options),
    .make = make,
    .check = check,
};
