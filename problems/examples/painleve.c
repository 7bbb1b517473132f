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
// A rod that slides below mu_P and turns towards the critical angle theta_c, where
// a = W_NN - mu W_NT is zero, obeys in the time s with ds = dt / a
//     theta' = a w,     w' = 3 (mu sin - cos)(g - w^2 sin),     r_N / h = (g - w^2 sin) / a
// (theta grows with w; m = 1, half-length 1). The point theta_c, w_c = sqrt(g / sin
// theta_c) attracts with the rates l_1 = a'(theta_c) w_c and l_2 = -6 (mu sin - cos) sin w_c,
// both negative, and is reached in a finite time t [GenotBrogliato1999]. For mu above
// 8 / (3 sqrt 3), |l_1| > |l_2|: the rod arrives in contact, its force grows like
// a^(l_2 / l_1 - 1), and a jump follows. For less friction the force changes sign before:
// the rod lifts off.
//
// Checks: half a percent below mu_P the rod slides on, half a percent above it jams;
// below mu_P the impulse of a step shrinks like h (a force); above it the
// impulse is finite as h -> 0 and ends the sliding in that one step; energy is lost,
// not gained; the bound and its minimum from the assembled W; a rod that starts well below
// the bound arrives at (theta_c, w_c), or lifts off with less friction.
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

// --- a rod that reaches the catastrophe -----------------------------------------------

struct arrival {
    double mu, start;                 // start: angle at time 0
    double angle, spin, slide;        // before the last step
    double jam_angle, jam_spin, jump; // where the sliding ended; jump: u_T before it
    double lift_angle;                // where the contact was first without force
    double a[400], force[400];        // on the way
    int samples;
};

static double slope_of_a(double mu, double angle)
{
    double c = cos(angle), s = sin(angle);
    return -6 * c * s - 3 * mu * (c * c - s * s);
}

static void approach(const struct dls_sim *sim, void *data)
{
    struct arrival *p = data;
    const struct dls_step *s = &sim->last;
    double angle = p->start - sim->q[2], r_n = s->problem.contacts ? s->r[0] : 0;
    double slide = s->problem.contacts ? s->u[1] : p->slide;
    double middle = 0.5 * (angle + p->angle), c = cos(middle);
    double a = 1 + 3 * c * c - 3 * p->mu * sin(middle) * c;
    bool over = p->jam_angle > 0 || p->lift_angle > 0;
    if (!over && slide < 1e-9 && p->slide > 0)
        p->jam_angle = p->angle, p->jam_spin = p->spin, p->jump = p->slide;
    if (!over && r_n <= 0 && sim->steps > 1) p->lift_angle = angle;
    // The power law holds near the point, and the step must resolve the way there.
    if (!over && r_n > 0 && a > 0.005 && a < 0.05 && p->samples < 400) {
        p->a[p->samples] = a;
        p->force[p->samples++] = r_n / sim->h;
    }
    p->angle = angle;
    p->spin = -sim->v[2];
    p->slide = slide;
}

static enum dls_status arrive(struct arrival *p, double mu, double critical,
                              const struct dls_asked *asked, struct dls_arena *a,
                              struct dls_error *err)
{
    struct painleve_options o = *(const struct painleve_options *)asked->options;
    double start = critical - 0.1; // radians before the point
    struct dls_scene scene;
    o.mu = mu;
    o.angle = start * 180 / acos(-1);
    o.speed = 8; // fast enough to slide all the way
    o.spin = -0.3 * sqrt(o.gravity / sin(critical));
    enum dls_status status = make_rod(&scene, &o, a);
    if (status) return status;
    struct dls_rigid *r = scene.system->self;
    r->system.slack = 1e-6; // closed although the end rises by h^2 in half a step
    *p = (struct arrival){.mu = mu, .start = start, .angle = start, .slide = o.speed};
    struct dls_trial trial = {scene.system, "moreau", scene.q,  scene.v,
                              1e-5,         0.06,     approach, p};
    return dls_trial_run(&trial, asked, a, err);
}

// The smaller root of a: tan^2 - 3 mu tan + 4 = 0.
static double critical_angle(double mu)
{
    return atan(0.5 * (3 * mu - sqrt(9 * mu * mu - 16)));
}

static enum dls_status check_reached(struct dls_checks *c,
                                     const struct dls_asked *asked, struct dls_arena *a,
                                     struct dls_error *err)
{
    const struct painleve_options *o = asked->options;
    double mu = 1.8, angle = critical_angle(mu), spin = sqrt(o->gravity / sin(angle));
    double l_1 = slope_of_a(mu, angle) * spin;
    double l_2 = -6 * (mu * sin(angle) - cos(angle)) * sin(angle) * spin;
    struct arrival *p = DLS_NEW(a, struct arrival, 1);
    if (!p) return DLS_ENOMEM;
    enum dls_status status = arrive(p, mu, angle, asked, a, err);
    if (status) return status;
    dls_check_near(c, "mu = 1.8: angle of the jump over theta_c", p->jam_angle / angle,
                   1, 1e-3, "a few steps of h w = 4e-5 around the point");
    dls_check_near(c, "mu = 1.8: spin before the jump over sqrt(g / sin)",
                   p->jam_spin / spin, 1, 0.02,
                   "the force is so large that w changes by 1 % in the last steps");
    dls_check_near(c, "mu = 1.8: exponent of the force over a",
                   dls_order_fit(p->samples, p->a, p->force), l_2 / l_1 - 1, 0.05,
                   "the next term of the expansion, over one decade of a");
    dls_check_least(c, "mu = 1.8: sliding that the jump ends", p->jump, 1,
                    "finite, without a collision");
    mu = 1.45;
    angle = critical_angle(mu);
    status = arrive(p, mu, angle, asked, a, err);
    if (status) return status;
    dls_check_near(c, "mu = 1.45 < 8 / (3 sqrt 3): jumps", p->jam_angle > 0, 0, 0,
                   "the force changes sign before the point");
    dls_check_near(c, "mu = 1.45: angle of lift-off over theta_c",
                   p->lift_angle / angle, 0.995, 0.005, "just before the point");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_jumps(c, asked, a, err);
    if (!status) status = check_bound(c, asked, a, err);
    return status ? status : check_reached(c, asked, a, err);
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
