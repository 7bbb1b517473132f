// SPDX-License-Identifier: Apache-2.0
// The dissipation index of a multiple collision [Moreau1994, (6.5)].
//
// Where all contacts have the same e = e_n = e_t, the energy that a collision loses is
//
//     T^- - T^+ = delta 1/2 (v^+ - v^-) . M (v^+ - v^-) - sum_a U_a . r_a,
//     delta = (1 - e) / (1 + e),     U_a = (e u_a^- + u_a^+) / (1 + e),
//
// and by Coulomb's law -U . r = mu r_N |U_T|: both terms are losses. Without friction
// the index alone is left. A cluster of disks on the ground is struck from above; every
// contact of it collides at once.
//
// Checks: delta without friction, from energies and velocities alone; with friction the
// loss is delta's part plus sum mu r_N |U_T|; e = 1 without friction loses nothing.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct index_options {
    double e, mu, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(index_options, e, 0.4, 0, 1, "normal and tangential restitution"),
    DLS_REAL(index_options, mu, 0.3, 0, 1e3, "friction coefficient"),
    DLS_REAL(index_options, step, 1e-9, 1e-12, 1, "length of a time step"),
    DLS_REAL(index_options, end, 1e-9, 1e-12, 1e6, "duration"),
    {0},
};

// Three disks on the ground in a row, two in the hollows above, all in touch, with
// velocities that close every contact in its own way.
static enum dls_status make_cluster(struct dls_scene *scene, double e, double mu,
                                    struct dls_arena *a)
{
    static const double place[5][2] = {
        {0, 1}, {2, 1}, {4, 1}, {1, 2.7320508075688772}, {3, 2.7320508075688772}};
    static const double velocity[5][3] = {
        {0.4, -0.3, 0.5}, {0.1, -0.2, -1}, {-0.6, -0.5, 0.2},
        {0.2, -2, 3},     {-0.3, -1, 1},
    };
    struct dls_rigid *r = dls_rigid_new(2, 5, 1, false, a);
    if (!r) return DLS_ENOMEM;
    for (int k = 0; k < 5; k++) {
        // Nearer by 1e-7, so that all contacts are closed whatever the rounding.
        dls_vec3 at = {place[k][0] * (1 - 1e-7), place[k][1] * (1 - 1e-7), 0};
        struct dls_body disk = dls_body_disk(1 + 0.5 * k, 1, at);
        disk.v = (dls_vec3){velocity[k][0], velocity[k][1], 0};
        disk.spin.z = velocity[k][2];
        dls_rigid_body(r, disk, dls_shape_ball(1));
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->law = (struct dls_law){.mu = mu, .e_n = e, .e_t = e};
    *scene = (struct dls_scene){.scheme = "moreau"};
    return dls_scene_rigid(scene, r, a);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct index_options *o = asked->options;
    enum dls_status status = make_cluster(scene, o->e, o->mu, a);
    scene->h = o->step;
    scene->end = o->end;
    return status;
}

// Energies of the one step of a collision.
struct outcome {
    const double *v_minus;
    double loss, jump, friction; // T^- - T^+, 1/2 |v^+ - v^-|_M^2, sum mu r_N |U_T|
    double e, mu;
    int struck; // contacts with an impulse
};

static void look(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    const struct dls_step *s = &sim->last;
    double change[15];
    for (int i = 0; i < s->problem.n; i++) change[i] = sim->v[i] - out->v_minus[i];
    out->loss = sim->ledger.kinetic_start - sim->ledger.kinetic;
    out->jump = dls_kinetic_energy(s->M, change);
    for (int k = 0; k < s->problem.contacts; k++) {
        double U_T = s->u[2 * k + 1] / (1 + out->e); // u = u^+ + e u^-
        out->friction += out->mu * s->r[2 * k] * fabs(U_T);
        out->struck += s->r[2 * k] > 1e-6;
    }
}

static enum dls_status collide(struct outcome *out, double e, double mu,
                               const struct dls_asked *asked, struct dls_arena *a,
                               struct dls_error *err)
{
    struct dls_scene scene;
    enum dls_status status = make_cluster(&scene, e, mu, a);
    if (status) return status;
    *out = (struct outcome){.v_minus = scene.v, .e = e, .mu = mu};
    struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v,
                              1e-9,         1e-9,     look,    out};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    static const double all_e[] = {0, 0.4, 0.8, 1};
    const struct index_options *o = asked->options;
    const char *reason = "an identity where the law holds; solver at 1e-12";
    struct outcome out;
    for (int k = 0; k < 4; k++) {
        double e = all_e[k], delta = (1 - e) / (1 + e);
        enum dls_status status = collide(&out, e, 0, asked, a, err);
        if (status) return status;
        dls_check_near(c, dls_text(a, "e = %g, no friction: dissipation index", e),
                       out.loss / out.jump, delta, 1e-9, reason);
        if (!k)
            dls_check_least(c, "contacts that are struck", out.struck, 5,
                            "most of the nine: a multiple collision");
        status = collide(&out, e, o->mu, asked, a, err);
        if (status) return status;
        dls_check_near(c, dls_text(a, "e = %g, friction: index from both losses", e),
                       (out.loss - out.friction) / out.jump, delta, 1e-9, reason);
        dls_check_least(c, dls_text(a, "e = %g, friction: its share of the loss", e),
                        out.friction / out.loss, 0.01, "contacts slide");
    }
    return DLS_OK;
}

const struct dls_example dls_example_dissipation_index = {
    .name = "dissipation-index",
    .brief =
        "the energy that a multiple collision loses, by Moreau's dissipation index",
    .paper = "Moreau1994, (6.5)",
    .options = options,
    .options_size = sizeof(struct index_options),
    .make = make,
    .check = check,
};
