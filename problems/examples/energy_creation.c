// SPDX-License-Identifier: Apache-2.0
// Collisions in which Newton's restitution creates energy [Moreau1994, 6; Moreau2004,
// 7.5, 8].
//
// 1. A slender rod, m = 1, half-length 1, strikes the ground at 45 degrees with
//    u^- = (-1, -1/2); W = [2.5, 1.5; 1.5, 2.5], mu = 0.6:
//      (e_n, e_t) = (.9, 0)    r = (1, -.4),          Delta T = +0.05
//      (.9, 1)                 r = (.8125, -.0875),   Delta T = -0.040625
//      (.9, .9)                r = (.83125, -.11875), Delta T = -0.03859375, uniform
//    restitution never creates energy [Moreau1994, 6.5];
//      A-CD2, (0, 1) on mean velocities: slides, r_T = -mu r_N with the sign of u_bar.
// 2. The double pendulum of Kane: two rods hang from a ceiling, the free end hits the
//    ground with friction; M(q) is full. Newton's rule gains energy there too, A-CD2
//    loses some.
//
// In all cases Delta T = r . (u^- + u^+) / 2 = A, which the ledger finds and flags.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct creation_options {
    double e_n, e_t, mu, step;
};

static const struct dls_option options[] = {
    DLS_REAL(creation_options, e_n, 0.9, 0, 1, "normal restitution"),
    DLS_REAL(creation_options, e_t, 0, 0, 1, "tangential restitution"),
    DLS_REAL(creation_options, mu, 0.6, 0, 1e3, "friction coefficient"),
    DLS_REAL(creation_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    {0},
};

// The rod above the ground such that its lower end arrives within the first step, with
// the least energy that gives u^- = (-1, -1/2): v^- = M^-1 H^T W^-1 u^-.
static enum dls_status make_rod(struct dls_scene *scene, struct dls_law law, double h,
                                struct dls_arena *a)
{
    double c = sqrt(0.5), I = 1.0 / 3;
    struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, a);
    if (!r) return DLS_ENOMEM;
    // Rows: N = (0, 1, c), T = (1, 0, c); the end is at (c, -c) from the centre.
    double r_n = (2.5 * -1 - 1.5 * -0.5) / 4, r_t = (2.5 * -0.5 - 1.5 * -1) / 4;
    struct dls_body rod = {
        .mass = 1,
        .inertia = {0, 0, I},
        .at = {0, c, 0},
        .v = {r_t, r_n, 0},
        .spin = {0, 0, c * (r_n + r_t) / I},
    };
    dls_rigid_body(r, rod, dls_shape_rod((dls_vec3){c, -c, 0}));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->law = law;
    *scene = (struct dls_scene){.h = h, .end = 20 * h, .scheme = "moreau"};
    return dls_scene_rigid(scene, r, a);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct creation_options *o = asked->options;
    return make_rod(scene, (struct dls_law){.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
                    o->step, a);
}

// One step of length 1e-9, in which the rod turns by nothing.
static enum dls_status strike(struct dls_kept *kept, const char *scheme,
                              struct dls_law law, const struct dls_asked *asked,
                              struct dls_arena *a, struct dls_error *err)
{
    struct dls_scene scene;
    enum dls_status status = make_rod(&scene, law, 1e-9, a);
    if (status) return status;
    struct dls_trial trial = {scene.system, scheme, scene.q,        scene.v,
                              1e-9,         1e-9,   dls_trial_keep, kept};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_rod(struct dls_checks *c, const struct dls_asked *asked,
                                 struct dls_arena *a, struct dls_error *err)
{
    static const struct {
        double e_n, e_t, r_n, r_t, gain;
    } rows[] = {
        {0.9, 0, 1, -0.4, 0.05},
        {0.9, 1, 0.8125, -0.0875, -0.040625},
        {0.9, 0.9, 0.83125, -0.11875, -0.03859375},
    };
    const char *why = "a step of 1e-9 turns the rod by 1e-9, solver at 1e-12";
    for (int k = 0; k < 3; k++) {
        struct dls_kept kept = {0};
        struct dls_law law = {.mu = 0.6, .e_n = rows[k].e_n, .e_t = rows[k].e_t};
        enum dls_status status = strike(&kept, "moreau", law, asked, a, err);
        if (status) return status;
        const char *name = dls_text(a, "rod, (e_n, e_t) = (%g, %g)", law.e_n, law.e_t);
        double gain = kept.ledger.kinetic - kept.ledger.kinetic_start;
        dls_check_near(c, dls_text(a, "%s: r_N", name), kept.r[0], rows[k].r_n, 1e-8,
                       why);
        dls_check_near(c, dls_text(a, "%s: r_T", name), kept.r[1], rows[k].r_t, 1e-8,
                       why);
        dls_check_near(c, dls_text(a, "%s: energy gained", name), gain, rows[k].gain,
                       1e-8, why);
        dls_check_near(c, dls_text(a, "%s: steps flagged", name),
                       (double)kept.ledger.flagged, rows[k].gain > 0, 0,
                       "the verdict of the ledger, a count");
    }
    struct dls_kept kept = {0};
    enum dls_status status =
        strike(&kept, "acd2", (struct dls_law){.mu = 0.6, .e_n = 0.9, .e_t = 0}, asked,
               a, err);
    if (status) return status;
    double gain = kept.ledger.kinetic - kept.ledger.kinetic_start;
    // u_N^+ = 0 and slip along +t: 2.5 r_N + 1.5 (0.6 r_N) = 1, hence r_N = 1 / 3.4.
    double r_n = 1 / 3.4, r_t = 0.6 / 3.4;
    double u_t = -0.5 + 0.5 * (1.5 * r_n + 2.5 * r_t);
    dls_check_near(c, "rod, A-CD2: energy gained", gain, -0.5 * r_n + r_t * u_t, 1e-8,
                   why);
    dls_check_near(c, "rod, A-CD2: steps flagged", (double)kept.ledger.flagged, 0, 0,
                   "the law dissipates");
    return DLS_OK;
}

// --- Kane's double pendulum ----------------------------------------------------------

// Two unit rods of unit mass; q = angles from the vertical, the free end at height
// 2 - cos q1 - cos q2 above a ground that it touches at the start.
struct kane {
    double ground;
    struct dls_law law;
};

static void kane_mass(const struct dls_system *s, const double *q,
                      struct dls_entries *M)
{
    (void)s;
    double coupling = 0.5 * cos(q[0] - q[1]);
    dls_entries_add(M, 0, 0, 4.0 / 3);
    dls_entries_add(M, 0, 1, coupling);
    dls_entries_add(M, 1, 0, coupling);
    dls_entries_add(M, 1, 1, 1.0 / 3);
}

static void kane_force(const struct dls_system *s, double t, const double *q,
                       const double *v, double *F)
{
    (void)s, (void)t;
    double g = 9.81, coupling = 0.5 * sin(q[0] - q[1]);
    F[0] = -1.5 * g * sin(q[0]) - coupling * v[1] * v[1];
    F[1] = -0.5 * g * sin(q[1]) + coupling * v[0] * v[0];
}

static void kane_contacts(const struct dls_system *s, double t, const double *q,
                          struct dls_contacts *c)
{
    (void)t;
    const struct kane *k = s->self;
    struct dls_contact tip = {
        .other = -1,
        .gap = k->ground - cos(q[0]) - cos(q[1]),
        .law = k->law,
        .n = {0, 1, 0},
    };
    int row = dls_contacts_add(c, tip, NULL);
    for (int i = 0; i < 2 && row >= 0; i++) {
        dls_entries_add(&c->H, row, i, sin(q[i]));
        dls_entries_add(&c->H, row + 1, i, cos(q[i]));
    }
}

// The end slides outwards and strikes; with enough friction it sticks, and Newton's
// rule sends it up. The impact in closed form for e_n u_N^- + u_N^+ = 0 and Coulomb's
// friction on e_t u_T^- + u_T^+: stick where that stays in the cone, else slip in the
// direction that agrees with itself. A-CD2 without potentials is (e_n, e_t) = (0, 1).
// Returns Delta T = r . u_bar.
static double kane_gain(const double *q, const double *v, struct dls_law law)
{
    double m = 0.5 * cos(q[0] - q[1]), det = 4.0 / 9 - m * m;
    double N[] = {sin(q[0]), sin(q[1])}, T[] = {cos(q[0]), cos(q[1])};
    double inv[2][2] = {{1.0 / 3 / det, -m / det}, {-m / det, 4.0 / 3 / det}};
    double W[3] = {0}, u_n = 0, u_t = 0;
    for (int i = 0; i < 2; i++) {
        u_n += N[i] * v[i];
        u_t += T[i] * v[i];
        for (int j = 0; j < 2; j++) {
            W[0] += N[i] * inv[i][j] * N[j];
            W[1] += N[i] * inv[i][j] * T[j];
            W[2] += T[i] * inv[i][j] * T[j];
        }
    }
    double jump[] = {-(1 + law.e_n) * u_n, -(1 + law.e_t) * u_t};
    double D = W[0] * W[2] - W[1] * W[1];
    double r_n = (W[2] * jump[0] - W[1] * jump[1]) / D;
    double r_t = (W[0] * jump[1] - W[1] * jump[0]) / D;
    for (int s = -1; s <= 1 && !(fabs(r_t) <= law.mu * r_n); s += 2) {
        r_n = jump[0] / (W[0] - s * law.mu * W[1]);
        r_t = -s * law.mu * r_n;
        if (!(r_n > 0 && s * (W[1] * r_n + W[2] * r_t - jump[1]) > 0)) r_n = -1;
    }
    double mean_n = u_n + 0.5 * (W[0] * r_n + W[1] * r_t);
    double mean_t = u_t + 0.5 * (W[1] * r_n + W[2] * r_t);
    return r_n * mean_n + r_t * mean_t;
}

static enum dls_status check_kane(struct dls_checks *c, const struct dls_asked *asked,
                                  struct dls_arena *a, struct dls_error *err)
{
    double q[] = {0.35, 0.52}, v[] = {-0.1, -0.2}; // 20 and 30 degrees
    struct kane kane = {
        .ground = cos(q[0]) + cos(q[1]),
        .law = {.mu = 5, .e_n = 0.7},
    };
    struct dls_system system = {
        .n = 2,
        .nq = 2,
        .d = 2,
        .bodies = 1,
        .self = &kane,
        .mass = kane_mass,
        .force = kane_force,
        .contacts = kane_contacts,
    };
    struct dls_kept kept = {0};
    struct dls_trial trial = {&system, "moreau",       q,    v, 1e-9,
                              1e-9,    dls_trial_keep, &kept};
    enum dls_status status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    double gain = kept.ledger.normal + kept.ledger.tangential;
    dls_check_near(c, "double pendulum: energy gained", gain, kane_gain(q, v, kane.law),
                   1e-8, "a step of 1e-9");
    dls_check_least(c, "double pendulum: energy gained over the energy before",
                    gain / kept.ledger.kinetic_start, 0.01, "it is a gain");
    dls_check_near(c, "double pendulum: steps flagged", (double)kept.ledger.flagged, 1,
                   0, "a count");
    trial.scheme = "acd2";
    status = dls_trial_run(&trial, asked, a, err);
    if (status) return status;
    gain = kept.ledger.normal + kept.ledger.tangential;
    dls_check_near(
        c, "double pendulum, A-CD2: energy gained", gain,
        kane_gain(q, v, (struct dls_law){.mu = kane.law.mu, .e_n = 0, .e_t = 1}), 1e-8,
        "a step of 1e-9");
    dls_check_most(c, "double pendulum, A-CD2: energy gained over the energy before",
                   gain / kept.ledger.kinetic_start, -0.01, "it is a loss");
    dls_check_near(c, "double pendulum, A-CD2: steps flagged",
                   (double)kept.ledger.flagged, 0, 0, "the law dissipates");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_rod(c, asked, a, err);
    return status ? status : check_kane(c, asked, a, err);
}

const struct dls_example dls_example_energy_creation = {
    .name = "energy-creation",
    .brief = "collisions where Newton's restitution creates energy and A-CD2 does not",
    .paper = "Moreau1994, 6; Moreau2004, 7.5 and 8",
    .options = options,
    .options_size = sizeof(struct creation_options),
    .make = make,
    .check = check,
};
