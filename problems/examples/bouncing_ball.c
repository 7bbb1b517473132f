// SPDX-License-Identifier: Apache-2.0
// A ball dropped on a plane, rigid with restitution e, and on a stiff spring instead
// [AcarySlides, compliant against rigid models].
//
//     rigid:      m x'' = -m g + lambda,  0 <= x ⟂ lambda >= 0,  x'^+ = -e x'^-
//     compliant:  m x'' = -m g + k max(0, -x)
//
// Closed form: impacts at t_1 = sqrt(2 h0 / g) and then after
// 2 e^n t_1 each, so the ball is at rest from t* = t_1 (1 + e) / (1 - e) on; the n-th
// height is e^(2n) h0. Between t_n and t_{n+1} it flies a parabola.
//
// Checks: t* is reached; first order in h of the position, in the L1 norm over time,
// since the impact is placed within one step; the step that the compliant model needs
// shrinks like 1 / sqrt(k) (an explicit step is unstable above 2 / sqrt(k/m)), while
// the rigid one, which is its limit with e = 1, keeps its energy at the largest step.
//
// Stiffness [AcarySlides, (10)]: pressed on its spring the ball obeys a linear map in a
// step of length h, with determinant 1 and trace 2 - k h^2 (explicit Euler's as the slides
// write it, and the midpoint scheme's). Above k h^2 = 4 its eigenvalues g_1, g_2 = 1 / g_1
// are real, g_1 / g_2 = g_1^2 goes to infinity with k like (k h^2)^2: the problem is stiff.
// The map is read off the scheme itself, from two steps with unit states.
#include "problems/examples/example.h"

#include <math.h>

struct bouncing_options {
    double height, e, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(bouncing_options, height, 1, 1e-6, 1e6, "height of the drop"),
    DLS_REAL(bouncing_options, e, 0.5, 0, 1, "restitution"),
    DLS_REAL(bouncing_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(bouncing_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(bouncing_options, end, 2, 1e-6, 1e6, "duration"),
    {0},
};

// --- the system ----------------------------------------------------------------------

struct ball {
    struct dls_system system;
    double gravity, e, stiffness; // stiffness 0: rigid
    double height;                // of the drop, for the closed form
};

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)v;
    const struct ball *b = s->self;
    F[0] = -b->gravity + b->stiffness * fmax(0, -q[0]);
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    const struct ball *b = s->self;
    double depth = fmax(0, -q[0]);
    return b->gravity * q[0] + 0.5 * b->stiffness * depth * depth;
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct ball *b = s->self;
    if (b->stiffness > 0) return;
    int row = dls_contacts_add(c,
                               (struct dls_contact){
                                   .body = 0,
                                   .other = -1,
                                   .gap = q[0],
                                   .law = {.e_n = b->e},
                                   .n = {0, 1, 0},
                               },
                               NULL);
    if (row >= 0) dls_entries_add(&c->H, row, 0, 1);
}

static void make_ball(struct ball *b, double gravity, double e, double stiffness)
{
    *b = (struct ball){
        .system =
            {
                .n = 1,
                .nq = 1,
                .d = 1,
                .bodies = 1,
                .self = b,
                .mass = dls_unit_mass,
                .force = force,
                .potential = potential,
                .contacts = contacts,
            },
        .gravity = gravity,
        .e = e,
        .stiffness = stiffness,
    };
}

// The exact height at time t.
static double exact(const struct bouncing_options *o, double t)
{
    double g = o->gravity, flight = sqrt(2 * o->height / g);
    if (t <= flight) return o->height - 0.5 * g * t * t;
    t -= flight;
    double speed = o->e * g * flight;
    while (speed > 1e-12 * g * flight) {
        double duration = 2 * speed / g;
        if (t <= duration) return speed * t - 0.5 * g * t * t;
        t -= duration;
        speed *= o->e;
    }
    return 0;
}

// --- the main run --------------------------------------------------------------------

static void observe(const struct dls_sim *sim, double *values)
{
    const struct ball *b = sim->system->self;
    struct bouncing_options o = {.height = b->height, .e = b->e, .gravity = b->gravity};
    values[0] = sim->q[0];
    values[1] = sim->v[0];
    values[2] = exact(&o, sim->t);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x", "v", "x_exact", NULL};
    const struct bouncing_options *o = asked->options;
    struct ball *b = DLS_NEW(a, struct ball, 1);
    double *q = DLS_NEW(a, double, 1), *v = DLS_NEW(a, double, 1);
    if (a->failed) return DLS_ENOMEM;
    make_ball(b, o->gravity, o->e, 0);
    b->height = q[0] = o->height;
    *scene = (struct dls_scene){
        .system = &b->system,
        .q = q,
        .v = v,
        .h = o->step,
        .end = o->end * asked->scale,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

// Mean error of the position over the run, and the last time it moved.
struct outcome {
    const struct bouncing_options *o;
    double error, rest, energy;
};

static void follow(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    out->error += sim->h * fabs(sim->q[0] - exact(out->o, sim->t));
    if (fabs(sim->v[0]) > 2 * out->o->gravity * sim->h) out->rest = sim->t;
    out->energy = sim->ledger.kinetic + sim->ledger.potential;
}

// The mean error over steps around h, since it varies with the phase of the impacts.
static enum dls_status mean_error(struct outcome *out, struct dls_trial trial,
                                  const struct dls_asked *asked, struct dls_arena *a,
                                  struct dls_error *err)
{
    // The phases of many bounces average within one run.
    int phases = (out->o->e < 0.8 ? 20 : 5) / (asked->scale < 1 ? 2 : 1);
    double h = trial.h, sum = 0;
    enum dls_status status = DLS_OK;
    for (int k = phases - 1; k >= 0 && !status; k--) { // ends with the step h itself
        trial.h = h * (1 - 0.5 * k / phases);
        out->error = 0;
        status = dls_trial_run(&trial, asked, a, err);
        sum += out->error / (phases * trial.end);
    }
    out->error = sum;
    return status;
}

static enum dls_status check_rigid(struct dls_checks *c, double e, const char *scheme,
                                   const struct dls_asked *asked, struct dls_arena *a,
                                   struct dls_error *err)
{
    struct bouncing_options o = *(const struct bouncing_options *)asked->options;
    struct ball b;
    double v = 0, h[3], error[3], flight = sqrt(2 * o.height / o.gravity);
    o.e = e;
    double zeno = flight * (1 + e) / (1 - e);
    make_ball(&b, o.gravity, e, 0);
    struct outcome out = {.o = &o};
    enum dls_status status = DLS_OK;
    for (int k = 0; k < 3 && !status; k++) {
        h[k] = 4 * o.step * pow(2, -k);
        struct dls_trial trial = {&b.system, scheme,     &o.height, &v,
                                  h[k],      1.2 * zeno, follow,    &out};
        status = mean_error(&out, trial, asked, a, err);
        error[k] = out.error;
    }
    if (status) return status;
    // Bounces with a speed below 2 g h are under the resolution of a step; they last
    // 2 * 2 h / (1 - e) at most, and each bounce before is late by up to a step.
    double bounces = e > 0 ? log(2 * h[2] / flight) / log(e) : 0;
    dls_check_near(c, dls_text(a, "%s, e = %g: time of rest", scheme, e), out.rest,
                   zeno, (4 / (1 - e) + 2 * bounces + 2) * h[2],
                   "bounces below 2 g h are not resolved; one step per bounce");
    dls_check_near(c, dls_text(a, "%s, e = %g: order of the position", scheme, e),
                   dls_order_fit(3, h, error), 1, 0.2,
                   "order 1, the impact falls within a step; mean over its phases");
    return DLS_OK;
}

// The largest of the steps 2^-j at which the ball keeps its energy within 10 % over one
// second; stiffness 0: the rigid one.
static enum dls_status stable_step(double *largest, double stiffness,
                                   const struct dls_asked *asked, struct dls_arena *a,
                                   struct dls_error *err)
{
    const struct bouncing_options *o = asked->options;
    struct ball b;
    double v = 0, start = o->gravity * o->height;
    make_ball(&b, o->gravity, 1, stiffness);
    for (double h = 0.25; h > 1e-6; h *= 0.5) {
        struct outcome out = {.o = o};
        struct dls_trial trial = {&b.system, "moreau", &o->height, &v,
                                  h,         1,        follow,     &out};
        enum dls_status status = dls_trial_run(&trial, asked, a, err);
        if (status) return status;
        *largest = h;
        if (fabs(out.energy - start) < 0.1 * start) return DLS_OK;
    }
    return DLS_OK;
}

static enum dls_status check_compliant(struct dls_checks *c,
                                       const struct dls_asked *asked,
                                       struct dls_arena *a, struct dls_error *err)
{
    double period[4], step[4];
    for (int k = 0; k < 4; k++) {
        double stiffness = pow(16, k + 2);
        period[k] = 1 / sqrt(stiffness);
        enum dls_status status = stable_step(&step[k], stiffness, asked, a, err);
        if (status) return status;
    }
    dls_check_near(c, "compliant: exponent of the usable step in 1/sqrt(k)",
                   dls_order_fit(4, period, step), 1, 0.25,
                   "step halved until usable, so known within a factor 2 over 64");
    double rigid;
    enum dls_status status = stable_step(&rigid, 0, asked, a, err);
    if (status) return status;
    dls_check_near(c, "rigid, e = 1: largest usable step", rigid, 0.25, 0,
                   "the first that is tried: the impact turns the velocity exactly");
    dls_check_least(c, "steps of the stiffest compliant ball for one rigid step",
                    rigid / step[3], 64, "2 / sqrt(k) = 1/512 is the stable bound");
    return DLS_OK;
}

// The ratio of the eigenvalues of one step of the scheme, pressed on a spring, and their
// product.
static enum dls_status measure_stiffness(double *ratio, double *det, double stiffness,
                                         double h, const struct dls_asked *asked,
                                         struct dls_arena *a, struct dls_error *err)
{
    struct ball b;
    double column[2][2]; // images of (-1, 0) and of (-1, h), from which (0, h)
    make_ball(&b, 0, 0, dls_spoilt(asked, stiffness));
    for (int k = 0; k < 2; k++) {
        double q = -1, v = k ? h : 0, to_q, to_v;
        struct dls_kept kept = {.q = &to_q, .v = &to_v};
        struct dls_trial trial = {&b.system, "moreau",       &q,   &v, h,
                                  h,         dls_trial_keep, &kept};
        enum dls_status status = dls_trial_run(&trial, asked, a, err);
        if (status) return status;
        column[k][0] = to_q;
        column[k][1] = to_v;
    }
    // In (q, v): A (1, 0) = -column 0, A (0, 1) = (column 1 - column 0) / h.
    double trace = -column[0][0] + (column[1][1] - column[0][1]) / h;
    *det = (column[1][0] * column[0][1] - column[0][0] * column[1][1]) / h;
    double large = fabs(0.5 * trace) + sqrt(fmax(0, 0.25 * trace * trace - 1));
    *ratio = large * large; // g_1 / g_2 where g_1 g_2 = 1
    return DLS_OK;
}

static enum dls_status check_stiffness(struct dls_checks *c,
                                       const struct dls_asked *asked,
                                       struct dls_arena *a, struct dls_error *err)
{
    double h = 1, product[3], ratio[3], det;
    for (int k = 0; k < 3; k++) {
        product[k] = 10 * pow(10, k); // k h^2
        double half = 0.5 * product[k] - 1, large = half + sqrt(half * half - 1);
        enum dls_status status =
            measure_stiffness(&ratio[k], &det, product[k] / (h * h), h, asked, a, err);
        if (status) return status;
        dls_check_near(c, dls_text(a, "compliant, k h^2 = %g: g_1 g_2", product[k]),
                       det, 1, 1e-15 * product[k] * product[k] + 1e-14,
                       "areas are kept; rounding of terms of that size");
        dls_check_near(c, dls_text(a, "compliant, k h^2 = %g: g_1 / g_2", product[k]),
                       ratio[k] / (large * large), 1, 1e-12,
                       "over the closed form; rounding");
    }
    // (x - 2)^2 between x = 100 and 1000: the slope is 2 + 4 / x at most.
    dls_check_near(c, "compliant: exponent of g_1 / g_2 in k",
                   dls_order_fit(2, product + 1, ratio + 1), 2, 0.04,
                   "(k h^2 - 2)^2 from k h^2 = 100 on");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    static const double e[] = {0, 0.5, 0.9};
    static const char *const schemes[] = {"moreau", "schatzman-paoli"};
    enum dls_status status = DLS_OK;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3 && !status; k++)
            status = check_rigid(c, e[k], schemes[s], asked, a, err);
    if (!status) status = check_compliant(c, asked, a, err);
    return status ? status : check_stiffness(c, asked, a, err);
}

const struct dls_example dls_example_bouncing_ball = {
    .name = "bouncing-ball",
    .brief = "a ball on a plane, rigid with restitution and on a stiff spring",
    .paper = "AcarySlides, compliant and rigid models",
    .options = options,
    .options_size = sizeof(struct bouncing_options),
    .make = make,
    .check = check,
};
