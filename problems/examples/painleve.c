// SPDX-License-Identifier: Apache-2.0
// A rod sliding on a rough ground: a frictional catastrophe without collision
// [Moreau1994, 6, Remark 1; Moreau2004, 7.1].
//
// A uniform rod, m = 1, half-length 1, slides at u_T > 0 with its lower end ahead at
// the angle theta to the ground: W_NN = 1 + 3 cos^2, W_NT = 3 sin cos, W_TT = 1 + 3
// sin^2. While it slides r_T = -mu r_N, so u_N' = ... + (W_NN - mu W_NT) r_N: above
//
//     mu_P(theta) = (1 + 3 cos^2 theta) / (3 sin theta cos theta),
//     least 4/3, at tan theta = 2,
//
// a push upwards accelerates the end downwards and no finite force holds it. The step
// problem still has solutions; one is a jump to rest of the contact point, of size
// independent of the step:  r = W^-1 (0, -u_T),  r_N = W_NT u_T / det W.
//
// Checks: half a percent below mu_P the rod slides on, half a percent above it jams;
// below mu_P the impulse of a step shrinks like h (a force); above it the
// impulse is finite as h -> 0 and ends the sliding in that one step; energy is lost,
// not gained; the bound and its minimum from the assembled W.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct painleve_options {
    double angle, mu, speed, spin, gravity, step;
};

static const struct dls_option options[] = {
    DLS_REAL(painleve_options, angle, 60, 1, 89, "angle to the ground, degrees"),
    DLS_REAL(painleve_options, mu, 1.6, 0, 1e3, "friction coefficient"),
    DLS_REAL(painleve_options, speed, 1, 0, 1e6, "sliding speed"),
    DLS_REAL(painleve_options, spin, 0, -1e3, 1e3, "spin"),
    DLS_REAL(painleve_options, gravity, 9.81, 0, 1e6, "gravity"),
    DLS_REAL(painleve_options, step, 1e-3, 1e-12, 1, "length of a time step"),
    {0},
};

static enum dls_status make_rod(struct dls_scene *scene,
                                const struct painleve_options *o, struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, a);
    if (!r) return DLS_ENOMEM;
    double theta = o->angle * acos(-1) / 180, c = cos(theta), s = sin(theta);
    // The contact is right of the centre and below it, and slides to the right; its
    // velocity is (v_x + s w, v_y + c w).
    struct dls_body rod = {
        .mass = 1,
        .inertia = {0, 0, 1.0 / 3},
        .at = {0, s, 0},
        .v = {o->speed - s * o->spin, -c * o->spin, 0},
        .spin = {0, 0, o->spin},
    };
    dls_rigid_body(r, rod, dls_shape_rod((dls_vec3){c, -s, 0}));
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->gravity.y = -o->gravity;
    r->law.mu = o->mu;
    *scene = (struct dls_scene){.h = o->step, .end = 100 * o->step, .scheme = "moreau"};
    return dls_scene_rigid(scene, r, a);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    return make_rod(scene, asked->options, a);
}

// One step of length h: the impulse, and the velocity of the contact after it.
struct jump {
    double r_n, r_t, u_n, u_t, work;
};

static void look(const struct dls_sim *sim, void *data)
{
    struct jump *j = data;
    const struct dls_step *s = &sim->last;
    if (!s->problem.contacts) return;
    *j = (struct jump){s->r[0], s->r[1], s->u[0], s->u[1],
                       sim->ledger.normal + sim->ledger.tangential};
}

static enum dls_status jump_in(struct jump *j, struct painleve_options o, double h,
                               const struct dls_asked *asked, struct dls_arena *a,
                               struct dls_error *err)
{
    struct dls_scene scene;
    o.step = h;
    enum dls_status status = make_rod(&scene, &o, a);
    if (status) return status;
    *j = (struct jump){0};
    struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v, h, h, look, j};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_jumps(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    struct painleve_options o = *(const struct painleve_options *)asked->options;
    double theta = o.angle * acos(-1) / 180, co = cos(theta), si = sin(theta);
    double NN = 1 + 3 * co * co, NT = 3 * si * co, TT = 1 + 3 * si * si;
    double bound = NN / NT, finite = NT * o.speed / (NN * TT - NT * NT);
    double h[3], impulse[3];
    struct jump j;
    o.mu = 0.8 * bound;
    for (int k = 0; k < 3; k++) {
        h[k] = pow(10, -3 - 2 * k);
        enum dls_status status = jump_in(&j, o, h[k], asked, a, err);
        if (status) return status;
        impulse[k] = j.r_n;
    }
    dls_check_near(c, "mu = 0.8 mu_P: exponent of the impulse in h",
                   dls_order_fit(3, h, impulse), 1, 1e-3,
                   "a force: r_N = h lambda; the rod turns by h at most");
    for (int side = -1; side <= 1; side += 2) {
        o.mu = (1 + 0.005 * side) * bound;
        enum dls_status status = jump_in(&j, o, h[2], asked, a, err);
        if (status) return status;
        dls_check_near(
            c, dls_text(a, "mu = %g mu_P: sliding after over before", o.mu / bound),
            j.u_t / o.speed, side < 0, 1e-3, "slides on below the bound, jams above");
    }
    o.mu = 1.1 * bound;
    for (int k = 0; k < 3; k++) {
        enum dls_status status = jump_in(&j, o, h[k], asked, a, err);
        if (status) return status;
        // Gravity and the turning of the rod in the step change it by a part ~ h g.
        double tolerance = 20 * o.gravity * h[k] * finite;
        dls_check_near(c, dls_text(a, "mu = 1.1 mu_P, h = %g: impulse", h[k]), j.r_n,
                       finite, tolerance + 1e-10,
                       "W^-1 (0, -u_T), up to terms of order g h");
        dls_check_near(c, dls_text(a, "mu = 1.1 mu_P, h = %g: sliding after", h[k]),
                       j.u_t, 0, 1e-10, "the jump ends the sliding; solver at 1e-12");
        dls_check_most(c, dls_text(a, "mu = 1.1 mu_P, h = %g: contact work", h[k]),
                       j.work, -0.1 * finite, "friction dissipates: r_T u_T / 2");
    }
    return DLS_OK;
}

// mu_P from the assembled step problem, least over the angles.
static void find_W(const struct dls_sim *sim, void *data)
{
    double *bound = data;
    struct dls_arena scratch = {0};
    struct dls_problem p = sim->last.problem;
    if (!p.contacts || !dls_problem_rows(&p, &scratch)) return;
    const struct dls_csr *H = p.H;
    double row[2][3] = {{0}}, inverse[] = {1, 1, 3}, NN = 0, NT = 0;
    for (int i = 0; i < 2; i++)
        for (int k = H->p[i]; k < H->p[i + 1]; k++) row[i][H->j[k]] = H->x[k];
    for (int k = 0; k < 3; k++) {
        NN += row[0][k] * inverse[k] * row[0][k];
        NT += row[0][k] * inverse[k] * row[1][k];
    }
    *bound = NN / fabs(NT);
    dls_arena_free(&scratch);
}

static enum dls_status check_bound(struct dls_checks *c, const struct dls_asked *asked,
                                   struct dls_arena *a, struct dls_error *err)
{
    struct painleve_options o = *(const struct painleve_options *)asked->options;
    double least = INFINITY, where = 0, bound = 0;
    o.speed = 0;
    o.gravity = 1;
    for (double angle = 62; angle < 65; angle += 0.01) {
        struct dls_scene scene;
        o.angle = angle;
        enum dls_status status = make_rod(&scene, &o, a);
        if (status) return status;
        struct dls_trial trial = {scene.system, "moreau", scene.q, scene.v,
                                  1e-12,        1e-12,    find_W,  &bound};
        status = dls_trial_run(&trial, asked, a, err);
        if (status) return status;
        if (bound < least) least = bound, where = angle;
    }
    dls_check_near(c, "least mu_P over the angles", least, 4.0 / 3, 1e-7,
                   "angles 0.01 degrees apart: half the curvature times 1e-8");
    dls_check_near(c, "angle of the least mu_P, degrees", where,
                   atan(2) * 180 / acos(-1), 0.01, "the spacing of the angles");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_jumps(c, asked, a, err);
    return status ? status : check_bound(c, asked, a, err);
}

const struct dls_example dls_example_painleve = {
    .name = "painleve",
    .brief = "a sliding rod jams: an impact without collision",
    .paper = "Moreau1994, 6, Remark 1; Moreau2004, 7.1",
    .options = options,
    .options_size = sizeof(struct painleve_options),
    .make = make,
    .check = check,
};
