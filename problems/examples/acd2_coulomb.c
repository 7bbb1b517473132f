// SPDX-License-Identifier: Apache-2.0
// A collision of several disks under A-CD2 with Tresca's and Coulomb's friction
// [DalPontDimnet2008, 3.1.4, 4.2.2].
//
// Three disks rest on the ground, a fourth falls on two of them. The percussions are
// found by Uzawa's iteration with the thresholds frozen in an outer loop (nested), with
// thresholds renewed in every iteration (single), and along the paper's paths (stick
// first, then slip). Below the bound of uniqueness all must find the same velocities,
// and without potentials those of `pgs` for the restitution (0, 1).
//
// A sphere with a given threshold (Tresca) loses exactly (7/2) G / m of sliding speed.
//
// Negative test: the paper prints the stick condition as u_T^+ = 0 instead of
// u_bar_T = 0. On the rod of energy_creation.c with k_N = 16.25, mu = 0.6 the printed
// condition has r = (0.98661, -0.39196), that is restitution (0.878571, 0), and gains
// 0.0381; the law of 3.1.4 loses 0.040625.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include "formulations/acd2.h"
#include "formulations/parts/uniqueness.h"

#include <math.h>

struct coulomb_options {
    double mu, speed, spin, step;
};

static const struct dls_option options[] = {
    DLS_REAL(coulomb_options, mu, 0.1, 0, 1e3, "friction coefficient"),
    DLS_REAL(coulomb_options, speed, 1, 0, 1e6, "speed of the falling disk"),
    DLS_REAL(coulomb_options, spin, 3, -1e6, 1e6, "spin of the falling disk"),
    DLS_REAL(coulomb_options, step, 1e-3, 1e-12, 1, "length of a time step"),
    {0},
};

enum { DISKS = 4, N = 3 * DISKS };

static enum dls_status make_disks(struct dls_scene *scene,
                                  const struct coulomb_options *o, double h,
                                  struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(2, DISKS, 1, false, a);
    if (!r) return DLS_ENOMEM;
    double height = 0.5 + sqrt(1 - 0.55 * 0.55);
    static const double x[] = {-0.55, 0.55, 1.7};
    for (int k = 0; k < 3; k++)
        dls_rigid_body(r, dls_body_disk(1 + 0.3 * k, 0.5, (dls_vec3){x[k], 0.5, 0}),
                       dls_shape_ball(0.5));
    struct dls_body top = dls_body_disk(0.8, 0.5, (dls_vec3){0, height, 0});
    top.v = (dls_vec3){0.4 * o->speed, -o->speed, 0};
    top.spin.z = o->spin;
    dls_rigid_body(r, top, dls_shape_ball(0.5));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->law.mu = o->mu;
    *scene = (struct dls_scene){.h = h, .end = 10 * h, .scheme = "acd2"};
    return dls_scene_rigid(scene, r, a);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct coulomb_options *o = asked->options;
    return make_disks(scene, o, o->step, a);
}

// --- the disks -----------------------------------------------------------------------

struct outcome {
    double v[N], work, bound;
    int contacts;
};

static void look(const struct dls_sim *sim, void *data)
{
    struct outcome *out = data;
    struct dls_arena scratch = {0};
    struct dls_delassus W;
    for (int i = 0; i < N; i++) out->v[i] = sim->v[i];
    out->work = sim->ledger.normal + sim->ledger.tangential;
    out->contacts = sim->last.problem.contacts;
    out->bound = NAN;
    if (!dls_delassus_build(&W, &sim->last.problem, &scratch, NULL))
        out->bound = dls_uniqueness_bound(&W, &scratch);
    dls_arena_free(&scratch);
}

static enum dls_status collide(struct outcome *out, const struct dls_asked *asked,
                               struct dls_arena *a, struct dls_error *err)
{
    struct dls_scene scene;
    enum dls_status status = make_disks(&scene, asked->options, 1e-11, a);
    if (status) return status;
    struct dls_trial trial = {scene.system, "acd2", scene.q, scene.v,
                              1e-11,        1e-11,  look,    out};
    return dls_trial_run(&trial, asked, a, err);
}

// The asked run with `uzawa-acd2` in one of its loops.
static enum dls_status with_loop(struct dls_asked *with, const char *loop,
                                 struct dls_arena *a, struct dls_error *err)
{
    const struct dls_solver *solver = dls_solver_find("uzawa-acd2");
    void *own = dls_alloc(a, 1, solver->options_size);
    if (!own) return DLS_ENOMEM;
    dls_option_defaults(solver->options, own);
    with->setup.solver = solver;
    with->setup.solver_options = (struct dls_options){.solver = own};
    return dls_option_set(solver->options, own, "loop", loop, solver->name, err);
}

static enum dls_status check_loops(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    static const char *const loops[] = {"nested", "single", "paths"};
    struct outcome reference, out;
    struct dls_asked with = *asked;
    with.setup.solver = dls_solver_find("pgs");
    with.setup.solver_options = (struct dls_options){0};
    enum dls_status status = collide(&reference, &with, a, err);
    if (status) return status;
    dls_check_near(c, "disks: contacts", reference.contacts, 5, 0,
                   "three on the ground, two under the fourth");
    dls_check_most(c, "disks: mu_max sqrt(l((W^-1)_NN) l(W_TT))", reference.bound, 1,
                   "below 1 the velocity is unique, so agreement can be asked for");
    dls_check_most(c, "disks: contact work, pgs with (0, 1)", reference.work, -1e-3,
                   "the collision dissipates");
    for (int k = 0; k < 3; k++) {
        double worst = 0;
        status = with_loop(&with, loops[k], a, err);
        if (!status) status = collide(&out, &with, a, err);
        if (status) return status;
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs(out.v[i] - reference.v[i]));
        dls_check_most(c,
                       dls_text(a, "disks: %s loop against pgs, velocities", loops[k]),
                       worst, 1e-10, "both at 1e-12, condition of W below 1e2");
    }
    return DLS_OK;
}

// --- Tresca --------------------------------------------------------------------------

static enum dls_status check_tresca(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    double G = 0.1, v[6], start[] = {2, 0, -1, 0, 0, 0};
    double q[] = {0, 0, 0.5 - 1e-12, 1, 0, 0, 0};
    struct dls_acd2_options law = {.G = dls_spoilt(asked, G),
                                   .friction = DLS_ACD2_TRESCA};
    struct dls_asked with = *asked;
    with.setup.solver = dls_solver_find("uzawa-acd2");
    with.setup.solver_options = (struct dls_options){.formulation = &law};
    struct dls_rigid *r = dls_rigid_new(3, 1, 1, false, a);
    if (!r) return DLS_ENOMEM;
    dls_rigid_body(r, dls_body_sphere(6 / acos(-1), 0.5, (dls_vec3){0, 0, 0.5}),
                   dls_shape_ball(0.5));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    struct dls_kept kept = {.v = v};
    struct dls_trial trial = {&r->system, "acd2",         q,    start, 1e-12,
                              1e-12,      dls_trial_keep, &kept};
    enum dls_status status = dls_trial_run(&trial, &with, a, err);
    if (status) return status;
    dls_check_near(c, "Tresca, sphere of unit mass: sliding speed lost",
                   2 - (v[0] - 0.5 * v[4]), 3.5 * G, 1e-10,
                   "closed form; solver at 1e-12");
    return DLS_OK;
}

// --- the printed stick condition -----------------------------------------------------

static enum dls_status strike_rod(struct dls_kept *kept, const char *scheme,
                                  struct dls_law law, const struct dls_asked *asked,
                                  struct dls_arena *a, struct dls_error *err)
{
    double d = sqrt(0.5), r_n = -1.75 / 4, r_t = 0.25 / 4;
    struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, a);
    if (!r) return DLS_ENOMEM;
    struct dls_body rod = {.mass = 1, .inertia = {0, 0, 1.0 / 3}, .at = {0, d, 0}};
    dls_rigid_body(r, rod, dls_shape_rod((dls_vec3){d, -d, 0}));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->law = law;
    double q[] = {0, d, 0}, v[] = {r_t, r_n, 3 * d * (r_n + r_t)};
    struct dls_trial trial = {&r->system, scheme,         q,   v, 1e-10,
                              1e-10,      dls_trial_keep, kept};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_printed(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    struct dls_acd2_options law = {.k_N = dls_spoilt(asked, 16.25),
                                   .friction = DLS_ACD2_COULOMB};
    struct dls_asked with = *asked;
    with.setup.solver = dls_solver_find("uzawa-acd2");
    with.setup.solver_options = (struct dls_options){.formulation = &law};
    double v[3], d = sqrt(0.5);
    struct dls_kept kept = {.v = v};
    enum dls_status status =
        strike_rod(&kept, "acd2", (struct dls_law){.mu = 0.6}, &with, a, err);
    if (status) return status;
    double gain = kept.ledger.normal + kept.ledger.tangential;
    dls_check_near(c, "rod, k_N = 16.25: energy gained by the law", gain, -0.040625,
                   1e-8, "closed form; a step of 1e-10");
    // The end of the rod at (d, -d) has u = (v_y + d w, v_x + d w).
    dls_check_near(c, "rod, k_N = 16.25: mean sliding speed",
                   0.5 * (-0.5 + v[0] + d * v[2]), 0, 1e-8,
                   "the law of 3.1.4 sticks: u_bar_T = 0");
    // r_N = k_N (0.85 - 0.8 r_N), u_N^+ = -1 + 2.5 r_N + 1.5 r_T, r_T = 0.2 - 0.6 r_N.
    double r_n = 13.8125 / 14, e = -1 + 2.5 * r_n + 1.5 * (0.2 - 0.6 * r_n);
    status = strike_rod(&kept, "moreau", (struct dls_law){.mu = 0.6, .e_n = e}, asked,
                        a, err);
    if (status) return status;
    dls_check_near(c, "rod, printed condition: r_N + k_N u_bar_N",
                   kept.r[0] + 16.25 * 0.5 * (-1 + v[1] + d * v[2]), 0, 1e-7,
                   "the answer obeys the printed law: its normal part");
    dls_check_near(c, "rod, printed condition: sliding speed after", v[0] + d * v[2], 0,
                   1e-8, "and its tangential part, u_T^+ = 0");
    gain = kept.ledger.normal + kept.ledger.tangential;
    dls_check_near(c, "rod, printed condition u_T^+ = 0: energy gained", gain,
                   0.0380899, 1e-6,
                   "r . u_bar = -0.986607 * 0.060714 + 0.391964 * 0.25");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_loops(c, asked, a, err);
    if (!status) status = check_tresca(c, asked, a, err);
    return status ? status : check_printed(c, asked, a, err);
}

const struct dls_example dls_example_acd2_coulomb = {
    .name = "acd2-coulomb",
    .brief = "disks collide under A-CD2 with Tresca's and Coulomb's friction",
    .paper = "DalPontDimnet2008, 3.1.4 and 4.2.2",
    .options = options,
    .options_size = sizeof(struct coulomb_options),
    .make = make,
    .check = check,
};
