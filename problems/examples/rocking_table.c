// SPDX-License-Identifier: Apache-2.0
// A slender block on a table that moves sideways [Moreau2004, 7.5; Moreau1994, 6].
//
// Half sides b and h, tan(alpha) = b / h, R = sqrt(b^2 + h^2), I = 4/3 m R^2 about a corner.
// Seen from the table the block feels -a beside gravity:
//   it begins to rock where |a| > g tan(alpha), not before;
//   under a constant a it turns about a corner with the energy integral
//     1/2 I w^2 = m R [ a (sin alpha - sin(alpha - phi)) - g (cos(alpha - phi) - cos alpha) ]
//   while a acts; after a pulse of duration T it overturns iff it comes upright about the
//   corner with speed left:
//     1/2 I w_T^2 > m g R [ 1 - cos(alpha - phi_T) ].
// For small angles the pulse that just overturns lasts p T = acosh(1 + 1 / (2 s (s - 1))),
// p = sqrt(3 g / (4 R)), s = a / (g alpha)  [Housner1963]; here the duration is found from
// the equation of motion itself by a Runge-Kutta integration of the two formulas above.
//
// Checks: thresholds of a table that oscillates, 1 % below and above; the spin at the end
// of a pulse against the energy integral; pulses 2 % shorter and longer than the critical
// one, the longer one overturns.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct table_options {
    double half_width, half_height, mu, share, frequency, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(table_options, half_width, 0.1, 1e-6, 1e6, "half the base"),
    DLS_REAL(table_options, half_height, 0.5, 1e-6, 1e6, "half the height"),
    DLS_REAL(table_options, mu, 0.8, 0, 1e3, "friction coefficient"),
    DLS_REAL(table_options, share, 1.5, 0, 1e3,
             "peak acceleration of the table over that at which the block rocks"),
    DLS_REAL(table_options, frequency, 2, 1e-3, 1e3, "of the table, Hz"),
    DLS_REAL(table_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(table_options, step, 5e-4, 1e-9, 1, "length of a time step"),
    DLS_REAL(table_options, end, 4, 1e-6, 1e6, "duration"),
    {0},
};

// --- the table -----------------------------------------------------------------------

// Either x = A (w t - sin(w t)) / w^2, from rest, or a pulse a until T, then steady.
struct table {
    double peak, omega;  // acceleration peak sin(omega t)
    double pulse, until; // or this
};

static void move_table(double t, const void *data, struct dls_drive *drive)
{
    const struct table *s = data;
    double x, v, on = fmin(t, s->until);
    if (s->omega > 0) {
        v = s->peak * (1 - cos(s->omega * t)) / s->omega;
        x = s->peak * (s->omega * t - sin(s->omega * t)) / (s->omega * s->omega);
    } else {
        v = s->pulse * on;
        x = 0.5 * s->pulse * on * on + v * (t - on);
    }
    drive->to.at.x = x;
    drive->velocity.x = v;
}

static struct dls_rigid *make_block(const struct table_options *o, struct table motion,
                                    struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, a);
    struct table *own = DLS_NEW(a, struct table, 1);
    if (!r || !own) return NULL;
    *own = motion;
    dls_vec3 edges = {2 * o->half_width, 2 * o->half_height, 0};
    // Corners closed whatever the rounding.
    dls_vec3 at = {0, o->half_height * (1 - 1e-12), 0};
    dls_rigid_body(r, dls_body_box(1, (dls_vec3){edges.x, edges.y, 1}, at),
                   dls_shape_box(edges));
    dls_rigid_plane(
        r, (struct dls_plane){.n = {0, 1, 0}, .motion = move_table, .data = own});
    r->gravity.y = -o->gravity;
    r->law.mu = o->mu;
    return r;
}

// g tan(alpha), with the error that was asked for: nothing else could be wrong here.
static double threshold(const struct table_options *o, const struct dls_asked *asked)
{
    return dls_spoilt(asked, o->gravity * o->half_width / o->half_height);
}

static void observe(const struct dls_sim *sim, double *values)
{
    const struct dls_rigid *r = sim->system->self;
    struct dls_drive d = dls_rigid_drive(r, 0, sim->t, sim->q);
    values[0] = sim->q[2];
    values[1] = sim->q[0] - d.to.at.x;
    values[2] = d.to.at.x;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"angle", "x_on_table", "x_table", NULL};
    const struct table_options *o = asked->options;
    struct table motion = {.peak = o->share * threshold(o, asked),
                           .omega = 2 * acos(-1) * o->frequency};
    struct dls_rigid *r = make_block(o, motion, a);
    if (!r) return DLS_ENOMEM;
    *scene = (struct dls_scene){.h = o->step,
                                .end = o->end * asked->scale,
                                .scheme = "moreau",
                                .names = names,
                                .observe = observe};
    return dls_scene_rigid(scene, r, a);
}

// --- checks --------------------------------------------------------------------------

struct motion {
    double largest;            // |angle|
    double angle, spin, until; // at the end of the pulse
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct motion *m = data;
    m->largest = fmax(m->largest, fabs(sim->q[2]));
    if (sim->t <= m->until * (1 + 1e-9)) m->angle = sim->q[2], m->spin = sim->v[2];
}

static enum dls_status shake(struct motion *m, struct table motion, double h,
                             double end, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct table_options *o = asked->options;
    struct dls_rigid *r = make_block(o, motion, a);
    struct dls_scene scene;
    if (!r || dls_scene_rigid(&scene, r, a)) return DLS_ENOMEM;
    *m = (struct motion){.until = motion.until};
    struct dls_trial trial = {&r->system, "moreau", scene.q, scene.v,
                              h,          end,      follow,  m};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_threshold(struct dls_checks *c,
                                       const struct dls_asked *asked,
                                       struct dls_arena *a, struct dls_error *err)
{
    const struct table_options *o = asked->options;
    double omega = 2 * acos(-1) * o->frequency, period = 1 / o->frequency;
    for (int side = -1; side <= 1; side += 2) {
        double share = 1 + 0.008 * side;
        struct motion m;
        struct table motion = {.peak = share * threshold(o, asked), .omega = omega};
        enum dls_status status = shake(&m, motion, o->step, period, asked, a, err);
        if (status) return status;
        const char *what = dls_text(a, "peak %g g tan(alpha): largest angle", share);
        if (side < 0)
            dls_check_most(c, what, m.largest, 1e-9, "stays upright; solver at 1e-12");
        else
            dls_check_least(c, what, m.largest, 1e-6, "rocks");
    }
    return DLS_OK;
}

// 1/2 w^2 of the energy integral at the angle phi, for m = 1 and I = 4/3 R^2.
static double half_square(const struct table_options *o, double pull, double phi)
{
    double b = o->half_width, h = o->half_height, R = hypot(b, h), alpha = atan2(b, h);
    double work = pull * (sin(alpha) - sin(alpha - phi))
                  - o->gravity * (cos(alpha - phi) - cos(alpha));
    return 0.75 * work / R;
}

// The block under a constant pull until it would overturn when let go: phi'' =
// 3 / (4 R) (a cos(alpha - phi) - g sin(alpha - phi)), by steps of order 4.
static double critical_pulse(const struct table_options *o, double pull)
{
    double b = o->half_width, h = o->half_height, R = hypot(b, h), alpha = atan2(b, h);
    double phi = 0, w = 0, t = 0, dt = 1e-5;
    while (0.5 * w * w * R / 0.75 < o->gravity * (1 - cos(alpha - phi))) {
        double k[4][2], x[2] = {phi, w}; // Runge and Kutta's
        for (int i = 0; i < 4; i++) {
            double d = i ? (i < 3 ? 0.5 : 1) * dt : 0;
            double y = x[0] + (i ? d * k[i - 1][0] : 0);
            k[i][0] = x[1] + (i ? d * k[i - 1][1] : 0);
            k[i][1] = 0.75 / R * (pull * cos(alpha - y) - o->gravity * sin(alpha - y));
        }
        phi += dt / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        w += dt / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
        t += dt;
    }
    return t;
}

static enum dls_status check_pulse(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    const struct table_options *o = asked->options;
    double b = o->half_width, h = o->half_height, alpha = atan2(b, h);
    double exact = o->gravity * b / h * 2, p = sqrt(0.75 * o->gravity / hypot(b, h));
    double T = critical_pulse(o, exact), s = exact / (o->gravity * alpha);
    double pull = 2 * threshold(o, asked);
    dls_check_near(c, "critical pulse over Housner's for small angles",
                   p * T / acosh(1 + 0.5 / (s * (s - 1))), 1, alpha * alpha,
                   "terms of order alpha^2");
    for (int side = -1; side <= 1; side += 2) {
        struct motion m;
        struct table motion = {.pulse = pull, .until = T * (1 + 0.007 * side)};
        double step = motion.until / 500; // the pulse ends with a step
        enum dls_status status = shake(&m, motion, step, 10 / p, asked, a, err);
        if (status) return status;
        if (side < 0)
            dls_check_near(c, "spin at the end of the pulse over the energy integral",
                           fabs(m.spin)
                               / sqrt(2 * half_square(o, exact, fabs(m.angle))),
                           1, 3e-3, "order h: 1/500 of the pulse");
        dls_check_near(c,
                       dls_text(a, "pulse of %g times T: overturns", 1 + 0.007 * side),
                       m.largest > 0.5 * acos(-1) - 2 * alpha, side > 0, 0,
                       "the way to the ground, or back");
    }
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_threshold(c, asked, a, err);
    return status ? status : check_pulse(c, asked, a, err);
}

const struct dls_example dls_example_rocking_table = {
    .name = "rocking-table",
    .brief = "a slender block on a table that oscillates or is pulled away",
    .paper = "Moreau2004, 7.5; Moreau1994, 6",
    .options = options,
    .options_size = sizeof(struct table_options),
    .make = make,
    .check = check,
};
