// SPDX-License-Identifier: Apache-2.0
// A rectangular block rocking on a plane [MoreauJean1996, 5; Moreau1994, 6; Moreau2004,
// 7.4].
//
// Half sides b, h, tan(alpha) = b / h, t = b / h. The block turns about one corner and
// strikes with the other, inelastically, both contacts treated together:
//   friction mu >= 3 t / (4 + t^2):  w^+ / w^- = 1 - 3/2 sin^2(alpha)   (Housner),
//                                    positive for t < sqrt 2;
//   no friction:                     w^+ / w^- = (h^2 - 2 b^2) / (h^2 + 4 b^2),
//                                    positive for t < 1 / sqrt 2.
// Without friction the centre only moves up and down: before the impact its velocity is
// b w^- upwards at the old pivot; the impulse acts at the new one.
// Beyond the critical ratio the projection on the admissible velocities closes both
// contacts: one episode, then rest. If Newton's rule u^+ = -e u^- with e = 0 were
// applied to each corner by itself, both would have u_N^+ = 0 and no block would rock
// at all. Moreau's law asks u_N^+ >= -e u_N^-, with equality where r_N > 0: the old
// pivot leaves the ground. Without friction W = [s, p; p, s], p / s = the ratio above:
//   w^+ / w^- = (1 + e) p / s - e,     u_N^+ of the old pivot = (1 + e) (p / s) 2 b w^-.
//
// Checks: the ratio, exact in one step for several aspect ratios; a whole rocking
// motion whose swings lose the factor of Housner each; friction below the bound slides.
#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

#include <math.h>

struct rocking_options {
    double half_width, half_height, mu, angle, gravity, step, end;
};

static const struct dls_option options[] = {
    DLS_REAL(rocking_options, half_width, 0.1, 1e-6, 1e6, "half the base"),
    DLS_REAL(rocking_options, half_height, 0.5, 1e-6, 1e6, "half the height"),
    DLS_REAL(rocking_options, mu, 0.8, 0, 1e3, "friction coefficient"),
    DLS_REAL(rocking_options, angle, 5, 0, 89, "initial inclination, degrees"),
    DLS_REAL(rocking_options, gravity, 9.81, 0, 1e6, "gravity"),
    DLS_REAL(rocking_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    DLS_REAL(rocking_options, end, 4, 1e-6, 1e6, "duration"),
    {0},
};

static struct dls_rigid *make_block(const struct rocking_options *o,
                                    struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(2, 1, 1, false, a);
    if (!r) return NULL;
    double phi = o->angle * acos(-1) / 180, b = o->half_width, h = o->half_height;
    dls_vec3 edges = {2 * b, 2 * h, 0};
    // Turned by phi about its right corner, which stays at (b, 0).
    dls_vec3 at = {b - b * cos(phi) + h * sin(phi), b * sin(phi) + h * cos(phi), 0};
    struct dls_body block = dls_body_box(1, (dls_vec3){edges.x, edges.y, 1}, at);
    dls_rigid_body(r, block, dls_shape_box(edges));
    r->angle[0] = -phi;
    dls_rigid_plane(r, (struct dls_plane){.n = {0, 1, 0}});
    r->gravity.y = -o->gravity;
    r->law.mu = o->mu;
    return r;
}

static void observe(const struct dls_sim *sim, double *values)
{
    values[0] = sim->q[2];
    values[1] = sim->v[2];
    values[2] = sim->q[0];
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    static const char *const names[] = {"angle", "spin", "x", NULL};
    const struct rocking_options *o = asked->options;
    struct dls_rigid *r = make_block(o, a);
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

// --- one impact ----------------------------------------------------------------------

// The block upright, turning about its right corner with spin 1: w^+ / w^-.
static enum dls_status strike(double ratio, struct dls_law law,
                              const struct dls_asked *asked, struct dls_arena *a,
                              double v[3], struct dls_error *err)
{
    struct rocking_options o = {.half_width = ratio, .half_height = 1};
    struct dls_rigid *r = make_block(&o, a);
    struct dls_scene scene;
    if (!r || dls_scene_rigid(&scene, r, a)) return DLS_ENOMEM;
    r->law = law;
    // Velocity of the centre at (-b, h) from the pivot: spin x arm = (-h, -b).
    double start[] = {-1, -ratio, 1};
    double q[] = {0, 1 - 1e-10, 0}; // both corners closed whatever the rounding
    struct dls_kept kept = {.v = v};
    struct dls_trial trial = {&r->system, "moreau",       q,    start, 1e-12,
                              1e-12,      dls_trial_keep, &kept};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_ratios(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    static const double ratios[] = {0.2, 0.4, 1, 1.6};
    double v[3];
    for (int k = 0; k < 4; k++) {
        double t = ratios[k], bound = 3 * t / (4 + t * t);
        double housner = fmax(0, 1 - 1.5 * t * t / (1 + t * t));
        double free = fmax(0, (1 - 2 * t * t) / (1 + 4 * t * t));
        enum dls_status status =
            strike(t, (struct dls_law){.mu = 1.01 * bound}, asked, a, v, err);
        if (status) return status;
        dls_check_near(c, dls_text(a, "b/h = %g, friction: ratio of spins", t), v[2],
                       housner, 1e-9, "positions off by 1e-10, solver at 1e-12");
        status = strike(t, (struct dls_law){0}, asked, a, v, err);
        if (status) return status;
        dls_check_near(c, dls_text(a, "b/h = %g, no friction: ratio of spins", t), v[2],
                       free, 1e-9, "likewise");
    }
    enum dls_status status =
        strike(0.4, (struct dls_law){.mu = 0.9 * 3 * 0.4 / 4.16}, asked, a, v, err);
    if (status) return status;
    dls_check_least(c, "b/h = 0.4, friction below the bound: slip of the new pivot",
                    fabs(v[0] + v[2]), 1e-3, "u_T = v_x + h w is not zero");
    return DLS_OK;
}

static enum dls_status check_restitution(struct dls_checks *c,
                                         const struct dls_asked *asked,
                                         struct dls_arena *a, struct dls_error *err)
{
    double v[3], t = 0.2, e = 0.5, share = (1 - 2 * t * t) / (1 + 4 * t * t);
    enum dls_status status = strike(t, (struct dls_law){.e_n = e}, asked, a, v, err);
    if (status) return status;
    dls_check_near(c, "b/h = 0.2, e = 0.5, no friction: ratio of spins", v[2],
                   (1 + e) * share - e, 1e-9, "closed form; solver at 1e-12");
    dls_check_near(c, "b/h = 0.2, e = 0.5: the old pivot's velocity", v[1] + t * v[2],
                   (1 + e) * share * 2 * t, 1e-9,
                   "it rises, where Newton's rule at each corner would hold it");
    return DLS_OK;
}

// --- a whole motion ------------------------------------------------------------------

// Successive impacts: the spin just before each and just after it.
struct motion {
    double previous, before[8], after[8];
    int impacts, contacts;
};

// An impact is a step that finds the second corner closed too.
static void follow(const struct dls_sim *sim, void *data)
{
    struct motion *m = data;
    int contacts = sim->last.problem.contacts;
    if (contacts == 2 && m->contacts < 2 && m->impacts < 8
        && fabs(m->previous) > 1e-2) {
        m->before[m->impacts] = m->previous;
        m->after[m->impacts++] = sim->v[2];
    }
    m->previous = sim->v[2];
    m->contacts = contacts;
}

static enum dls_status rock(struct motion *m, const struct rocking_options *o, double h,
                            const struct dls_asked *asked, struct dls_arena *a,
                            struct dls_error *err)
{
    struct dls_rigid *r = make_block(o, a);
    struct dls_scene scene;
    if (!r || dls_scene_rigid(&scene, r, a)) return DLS_ENOMEM;
    *m = (struct motion){0};
    struct dls_trial trial = {&r->system, "moreau", scene.q, scene.v,
                              h,          o->end,   follow,  m};
    return dls_trial_run(&trial, asked, a, err);
}

static enum dls_status check_motion(struct dls_checks *c, const struct dls_asked *asked,
                                    struct dls_arena *a, struct dls_error *err)
{
    struct rocking_options o = *(const struct rocking_options *)asked->options;
    struct motion m;
    o.end = 1.5;
    enum dls_status status = rock(&m, &o, o.step, asked, a, err);
    if (status) return status;
    double t = o.half_width / o.half_height, expected = 1 - 1.5 * t * t / (1 + t * t);
    dls_check_least(c, "slender block: impacts in 1.5 s", m.impacts, 3, "it rocks on");
    for (int k = 0; k < 3 && k < m.impacts; k++)
        dls_check_near(c, dls_text(a, "slender block: spins at impact %d", k + 1),
                       m.after[k] / m.before[k], expected, 0.01,
                       "the spin changes by under 1 % in a step of free swing");
    o.half_width = 0.8;
    o.half_height = 0.5;
    o.mu = 1;
    o.end = 2;
    status = rock(&m, &o, o.step, asked, a, err);
    if (status) return status;
    dls_check_near(c, "b/h = 1.6: impacts", m.impacts, 1, 0, "one episode, then rest");
    dls_check_most(c, "b/h = 1.6: spin after it", fabs(m.previous), 1e-9,
                   "rest, solver at 1e-12");
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_ratios(c, asked, a, err);
    if (!status) status = check_restitution(c, asked, a, err);
    return status ? status : check_motion(c, asked, a, err);
}

const struct dls_example dls_example_rocking_block = {
    .name = "rocking-block",
    .brief = "a block rocking on a plane: spins before and after the impact",
    .paper = "MoreauJean1996, 5; Moreau1994, 6; Moreau2004, 7.4",
    .options = options,
    .options_size = sizeof(struct rocking_options),
    .make = make,
    .check = check,
};
