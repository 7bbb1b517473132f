// SPDX-License-Identifier: Apache-2.0
// One point against a plane under the A-CD2 law with quadratic potentials
// [DalPontDimnet2008, 2].
//
//     phi = k_N u_bar_N^2 / 2 + k_T |u_bar_T|^2 / 2,   no friction, nothing external
//     U_T^+ = (2 m - k_T) / (2 m + k_T) U_T^-
//     U_N^+ = max(0, (k_N - 2 m) / (k_N + 2 m)) |U_N^-|    for U_N^- < 0
//
// so that k_N acts as a restitution and k_T as friction; the product of Clausius and
// Duhem, -r . u_bar, is the energy lost and never negative.
//
// The potentials are options of the solver `uzawa-acd2`, which all checks use.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include "formulations/acd2.h"

#include <math.h>

struct point_options {
    double mass, u_n, u_t, k_N, k_T, step;
};

static const struct dls_option options[] = {
    DLS_REAL(point_options, mass, 1.5, 1e-6, 1e6, "mass"),
    DLS_REAL(point_options, u_n, -1, -1e6, 0, "normal velocity before"),
    DLS_REAL(point_options, u_t, 0.7, -1e6, 1e6, "tangential velocity before"),
    DLS_REAL(point_options, k_N, 8, 0, 1e12, "normal potential, of the checks"),
    DLS_REAL(point_options, k_T, 1, 0, 1e12, "tangential potential, of the checks"),
    DLS_REAL(point_options, step, 1e-3, 1e-12, 1, "length of a time step"),
    {0},
};

static enum dls_status make_point(struct dls_scene *scene,
                                  const struct point_options *o, double h,
                                  struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(3, 1, 1, false, a);
    if (!r) return DLS_ENOMEM;
    // A ball of radius zero: percussions do not turn it.
    struct dls_body point = {
        .mass = o->mass,
        .inertia = {1, 1, 1},
        .v = {0.6 * o->u_t, 0.8 * o->u_t, o->u_n},
    };
    dls_rigid_body(r, point, dls_shape_ball(0));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 0, 1}});
    *scene = (struct dls_scene){.h = h, .end = 10 * h, .scheme = "acd2"};
    return dls_scene_rigid(scene, r, a);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct point_options *o = asked->options;
    return make_point(scene, o, o->step, a);
}

static enum dls_status check_one(struct dls_checks *c, double k_N, double k_T,
                                 const struct dls_asked *asked, struct dls_arena *a,
                                 struct dls_error *err)
{
    const struct point_options *o = asked->options;
    struct dls_acd2_options law = {
        .k_N = dls_spoilt(asked, k_N),
        .k_T = dls_spoilt(asked, k_T),
        .friction = DLS_ACD2_COULOMB,
    };
    struct dls_asked with = *asked;
    with.setup.solver = dls_solver_find("uzawa-acd2");
    with.setup.solver_options = (struct dls_options){.formulation = &law};
    struct dls_scene scene;
    double v[6], m = o->mass;
    struct dls_kept kept = {.v = v};
    enum dls_status status = make_point(&scene, o, 1e-9, a);
    if (status) return status;
    struct dls_trial trial = {scene.system, "acd2", scene.q,        scene.v,
                              1e-9,         1e-9,   dls_trial_keep, &kept};
    status = dls_trial_run(&trial, &with, a, err);
    if (status) return status;
    double normal = fmax(0, (k_N - 2 * m) / (k_N + 2 * m)) * fabs(o->u_n);
    double tangent = (2 * m - k_T) / (2 * m + k_T) * o->u_t;
    const char *name = dls_text(a, "k_N = %g, k_T = %g", k_N, k_T);
    dls_check_near(c, dls_text(a, "%s: U_N^+", name), v[2], normal, 1e-10,
                   "closed form; solver at 1e-12");
    dls_check_near(c, dls_text(a, "%s: U_T^+", name), v[0] / 0.6, tangent, 1e-10,
                   "closed form; solver at 1e-12");
    double lost =
        0.5 * m
        * (o->u_n * o->u_n + o->u_t * o->u_t - normal * normal - tangent * tangent);
    double work = kept.ledger.normal + kept.ledger.tangential;
    dls_check_near(c, dls_text(a, "%s: product of Clausius and Duhem", name), -work,
                   lost, 1e-10, "the energy lost, by the closed form");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    const struct point_options *o = asked->options;
    enum dls_status status = check_one(c, o->k_N, o->k_T, asked, a, err);
    if (!status) status = check_one(c, 0, 0, asked, a, err);
    if (!status) status = check_one(c, 1, 10 * o->mass, asked, a, err);
    return status ? status : check_one(c, 1e3 * o->mass, 0.1, asked, a, err);
}

const struct dls_example dls_example_acd2_point = {
    .name = "acd2-point",
    .brief = "a point hits a plane under A-CD2 with quadratic potentials",
    .paper = "DalPontDimnet2008, 2",
    .options = options,
    .options_size = sizeof(struct point_options),
    .make = make,
    .check = check,
};
