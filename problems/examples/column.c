// SPDX-License-Identifier: Apache-2.0
// A column of cylindrical drums and a capital, dry joints, on ground that oscillates along
// an oblique ellipse [MoreauJean1996, 6, figure 1].
//
// Ground: x = s A_x sin(w t), z = s A_z (1 - cos(w t)), s a smooth start over one period;
// accelerations A w^2 are given as shares of g. The drums rock where the acceleration,
// seen from the ground, leaves the base: for a column of height H and width D in one piece
// a_x / (g + a_z) > D / H. Sizes, friction and ground motion are ours; the paper gives the
// number of blocks.
//
// The energies: T + V at the end, from the state alone, against what the ground put in,
// what contacts took and what the explicit gyroscopic term added.
//
// Checks: far below the threshold no joint opens, above it some do; on ground whose peak
// acceleration is 1.005 mu g the column slides; the balance closes.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"
#include "problems/mechanics/shape_mass.h"

#include <math.h>

struct column_options {
    int drums;
    double width, height, mu, along, up, frequency, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_INT(column_options, drums, 10, 1, 100, "drums under the capital"),
    DLS_REAL(column_options, width, 1, 1e-3, 1e3, "diameter of a drum, m"),
    DLS_REAL(column_options, height, 0.8, 1e-3, 1e3, "height of a drum, m"),
    DLS_REAL(column_options, mu, 0.6, 0, 1e3, "friction coefficient"),
    DLS_REAL(column_options, along, 0.25, 0, 10, "horizontal acceleration over g"),
    DLS_REAL(column_options, up, 0.1, 0, 10, "vertical acceleration over g"),
    DLS_REAL(column_options, frequency, 1.5, 1e-3, 1e3, "of the ground, Hz"),
    DLS_REAL(column_options, gravity, 9.81, 1e-6, 1e6, "gravity"),
    DLS_REAL(column_options, step, 5e-4, 1e-9, 1, "length of a time step"),
    DLS_REAL(column_options, end, 10, 1e-6, 1e6, "duration"),
    {0},
};

// --- the ground ----------------------------------------------------------------------

struct ground {
    double omega, along, up; // amplitudes
};

// s = 3 p^2 - 2 p^3 over the first period, p the share of it, then 1.
static void move_ground(double t, const void *data, struct dls_drive *drive)
{
    const struct ground *g = data;
    double w = g->omega, period = 2 * acos(-1) / w, p = fmin(1, t / period);
    double s = p * p * (3 - 2 * p), rate = p < 1 ? 6 * p * (1 - p) / period : 0;
    double x = g->along * sin(w * t), z = g->up * (1 - cos(w * t));
    drive->to.at = (dls_vec3){s * x, 0, s * z};
    drive->velocity = (dls_vec3){rate * x + s * g->along * w * cos(w * t), 0,
                                 rate * z + s * g->up * w * sin(w * t)};
}

static struct dls_rigid *make_column(const struct column_options *o,
                                     struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(3, o->drums + 1, 1, false, a);
    struct ground *ground = DLS_NEW(a, struct ground, 1);
    if (!r || !ground) return NULL;
    double w = 2 * acos(-1) * o->frequency, scale = o->gravity / (w * w), z = 0;
    *ground = (struct ground){w, o->along * scale, o->up * scale};
    for (int k = 0; k <= o->drums; k++) {
        bool capital = k == o->drums; // wider, half as high
        double height = capital ? 0.5 * o->height : o->height;
        struct dls_shape drum =
            dls_shape_cylinder(0.5 * o->width * (capital ? 1.4 : 1), height);
        dls_vec3 at = {0, 0, z + 0.5 * height};
        dls_rigid_body(r, dls_body_cylinder(1, &drum, at), drum);
        z += height;
    }
    dls_rigid_plane(
        r, (struct dls_plane){.n = {0, 0, 1}, .motion = move_ground, .data = ground});
    r->gravity.z = -o->gravity;
    r->law.mu = o->mu;
    r->system.slack = 1e-9 * o->width; // joints closed whatever the rounding
    return r;
}

static void observe(const struct dls_sim *sim, double *values)
{
    const double *top = sim->q + 7 * (sim->system->bodies - 1);
    values[0] = top[0];
    values[1] = top[1];
    values[2] = top[2];
    values[3] = sim->last.problem.contacts;
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"x_top", "y_top", "z_top", "contacts", NULL};
    const struct column_options *o = asked->options;
    struct dls_rigid *r = make_column(o, a);
    if (!r) return DLS_ENOMEM;
    *scene = (struct dls_scene){
        .h = o->step,
        .end = o->end * asked->scale,
        .scheme = "moreau",
        .names = names,
        .observe = observe,
    };
    return dls_scene_rigid(scene, r, a);
}

// --- checks --------------------------------------------------------------------------

struct outcome {
    int fewest, most;   // contacts
    double apart;       // most that neighbours have turned against each other
    double gained, put; // change of T + V; work of ground, contacts, gyroscopic terms
    double input;       // of the ground: all that went in, steps of either sign
    double obstacles;   // so far
    double from, slip;  // way over the ground from a time on
};

// 1 - |<a, b>| of two unit quaternions: half of the square of half the angle between.
static double turned(const double *a, const double *b)
{
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += a[i] * b[i];
    return 2 * sqrt(2 * fmax(0, 1 - fabs(dot)));
}

static void follow(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    const struct dls_ledger *l = &sim->ledger;
    int contacts = sim->last.problem.contacts;
    out->fewest = sim->steps == 1 || contacts < out->fewest ? contacts : out->fewest;
    out->most = contacts > out->most ? contacts : out->most;
    for (int k = 0; k + 1 < sim->system->bodies; k++)
        out->apart =
            fmax(out->apart, turned(sim->q + 7 * k + 3, sim->q + 7 * (k + 1) + 3));
    out->gained = l->kinetic + l->potential - l->kinetic_start - l->potential_start;
    out->put = l->obstacles + l->normal + l->tangential + l->gyroscopic;
    out->input += fabs(l->obstacles - out->obstacles);
    out->obstacles = l->obstacles;
    double fastest = 0;
    for (int c = 0; c < contacts && sim->t > out->from; c++)
        if (sim->last.contact[c].other < 0)
            fastest =
                fmax(fastest, hypot(sim->last.u[3 * c + 1], sim->last.u[3 * c + 2]));
    out->slip += sim->h * fastest;
}

static enum dls_status shake(struct outcome *out, const struct column_options *o,
                             double end, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct dls_scene scene;
    struct dls_rigid *r = make_column(o, a);
    if (!r || dls_scene_rigid(&scene, r, a)) return DLS_ENOMEM;
    *out = (struct outcome){.from = 1 / o->frequency}; // the start is over
    struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v,
                              o->step,      end,      follow,  out};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    struct column_options o = *(const struct column_options *)asked->options;
    struct outcome out;
    double end = o.end;
    if (asked->scale < 1) { // for seconds instead of hours
        o.drums = 2;
        o.frequency = 4;
        o.step = 1e-3;
        end = 0.6;
    }
    double height = (o.drums + 0.5) * o.height, threshold = o.width / height;
    o.up = 0;
    o.along = 0.4 * threshold; // the disk of rim points is narrower than the circle
    enum dls_status status = shake(&out, &o, 0.3 * end, asked, a, err);
    if (status) return status;
    dls_check_near(c, "below the threshold: contacts that opened",
                   out.most - out.fewest, 0, 0, "the column moves in one piece");
    dls_check_most(c, "below the threshold: rotation between drums", out.apart, 1e-6,
                   "none; rounding of quaternions is 1e-8");
    int drums = o.drums;
    o.drums = 1; // it slides in one piece
    o.mu = 0.1;
    o.along = 1.005 * o.mu;
    status = shake(&out, &o, 2 / o.frequency, asked, a, err);
    if (status) return status;
    dls_check_least(c, "mu = 0.1, acceleration 1.005 mu g: way over the ground",
                    out.slip, 1e-8, "it slides near the peaks; sticking leaves 1e-13");
    o.drums = drums;
    o.mu = 0.6;
    o.along = 2 * threshold;
    o.up = 0.4 * o.along;
    status = shake(&out, &o, end, asked, a, err);
    if (status) return status;
    dls_check_least(c, "above the threshold: contacts that opened",
                    out.most - out.fewest, 1, "some joint opens");
    dls_check_least(c, "above the threshold: rotation between drums", out.apart, 1e-4,
                    "they rock");
    dls_check_near(c, "energy gained less what was put in, over the input",
                   (out.gained - out.put) / out.input, 0, 1e-6,
                   "the ledger closes; gravity is exact in the scheme");
    return DLS_OK;
}

const struct dls_example dls_example_column = {
    .name = "column",
    .brief = "drums and a capital on ground in oblique elliptic oscillation",
    .paper = "MoreauJean1996, 6",
    .solver = "auto",
    .tol = 1e-8,
    .options = options,
    .options_size = sizeof(struct column_options),
    .make = make,
    .check = check,
};
