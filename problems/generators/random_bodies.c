// SPDX-License-Identifier: Apache-2.0
// Bodies thrown together at random: a family in which to look for failures of solvers.
//
// Method
//   1. as many bodies as make m / n the density asked for; masses over so many decades,
//      moments of inertia of the same order;
//   2. every contact joins a random body to another one or to the ground. Geometry
//        frames    points and normals at random,
//        parallel  all normals alike, points of a body in one plane: W is singular,
//        repeated  every second contact stands where an earlier one does, with an own mu:
//                  rows of W are repeated,
//        central   points at the centres: no contact sees a rotation,
//        gaussian  H with normal random numbers in place of the geometry;
//   3. friction: `mixed` draws mu for each contact, 0 for every fourth; `equal` and `zero`
//      do as they say;
//   4. v^- at random; obstacles rest or recede, so that v = 0 does not penetrate. Where all
//      recede an answer exists [Acary2011].
//
// The answer is not known. Whether it is unique is not either.
#include "problems/generators/generator.h"
#include "problems/generators/random.h"

#include "formulations/velocities/body_graph.h"

enum geometry { FRAMES, PARALLEL, REPEATED, CENTRAL, GAUSSIAN };
enum friction { MIXED, EQUAL, ZERO };

struct random_bodies_options {
    int contacts, d, seed, geometry, friction;
    double density, decades, mu, recede;
};

static const struct dls_option options[] = {
    DLS_INT(random_bodies_options, contacts, 20, 1, 1000000, "number of contacts"),
    DLS_INT(random_bodies_options, d, 3, 2, 3, "rows per contact"),
    DLS_REAL(random_bodies_options, density, 2, 0.1, 100,
             "m / n, rounded to whole bodies"),
    DLS_REAL(random_bodies_options, decades, 2, 0, 12, "of the masses, around 1"),
    DLS_CHOICE(random_bodies_options, geometry, FRAMES,
               "frames|parallel|repeated|central|gaussian", "of the contacts"),
    DLS_CHOICE(random_bodies_options, friction, MIXED, "mixed|equal|zero",
               "coefficients: at random up to mu, all mu, or none"),
    DLS_REAL(random_bodies_options, mu, 0.8, 0, 1e3, "largest friction coefficient"),
    DLS_REAL(random_bodies_options, recede, 0, 0, 1e3,
             "largest velocity at which obstacles leave"),
    DLS_INT(random_bodies_options, seed, 1, 0, 2147483647, "of the random numbers"),
    {0},
};

static struct dls_body body(struct dls_rng *g, const struct random_bodies_options *o)
{
    struct dls_body b = dls_random_body(g, o->d, o->decades);
    b.v = dls_random_normals(g, o->d);
    b.spin = o->d == 3 ? dls_random_normals(g, 3) : (dls_vec3){0, 0, dls_rng_normal(g)};
    return b;
}

static double friction(struct dls_rng *g, const struct random_bodies_options *o)
{
    if (o->friction == EQUAL) return o->mu;
    return o->friction == ZERO || dls_rng_below(g, 4) == 0 ? 0
                                                           : o->mu * dls_rng_real(g);
}

// Point and normal of a contact of body k.
static void place(struct dls_rng *g, const struct random_bodies_options *o,
                  const struct dls_build *b, struct dls_touch *c)
{
    dls_vec3 up = {0, o->d == 2, o->d == 3}, arm = dls_random_normals(g, o->d),
             n = dls_random_normals(g, o->d);
    c->n = dls_vec3_scale(1 / dls_vec3_norm(n), n);
    if (o->geometry == PARALLEL) {
        c->n = up;
        arm = dls_vec3_sub(arm, dls_vec3_scale(dls_vec3_dot(arm, up) + 1, up));
    }
    if (o->geometry == CENTRAL) arm = (dls_vec3){0};
    c->point = dls_vec3_add(b->body[c->body].at, arm);
    c->surface = dls_vec3_scale(-o->recede * dls_rng_real(g), c->n); // leaves
}

static struct dls_touch touch(struct dls_rng *g, const struct random_bodies_options *o,
                              const struct dls_build *b)
{
    struct dls_touch c = {.body = dls_rng_below(g, b->bodies)};
    do c.other = dls_rng_below(g, b->bodies + 1) - 1;
    while (c.other == c.body);
    place(g, o, b, &c);
    if (o->geometry == REPEATED && b->contacts % 2)
        c = b->touch[dls_rng_below(g, b->contacts)];
    c.law.mu = friction(g, o);
    return c;
}

static int bodies_of(const struct random_bodies_options *o)
{
    int dof = dls_body_velocities(o->d);
    double bodies = round(o->contacts * o->d / (o->density * dof));
    return bodies < 1 ? 1 : (int)bodies;
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    (void)err;
    const struct random_bodies_options *o = opt;
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    struct dls_build b;
    int bodies = bodies_of(o);
    if (!dls_build_open(&b, o->d, bodies, o->contacts, a)) return DLS_ENOMEM;
    for (int k = 0; k < bodies; k++) dls_build_body(&b, body(&g, o));
    for (int k = 0; k < o->contacts; k++) dls_build_touch(&b, touch(&g, o, &b));
    struct dls_origin origin = {"random-bodies", options, opt,
                                "Bodies thrown together at random."};
    enum dls_status status = dls_build_close(&b, p, &origin, a);
    if (status != DLS_OK) return status;
    p->time = p->step = NAN;
    for (int k = 0; o->geometry == GAUSSIAN && k < p->H->p[p->m]; k++)
        p->H->x[k] = dls_rng_normal(&g);
    dls_problem_set_step(p);
    return DLS_OK;
}

const struct dls_generator dls_generator_random_bodies = {
    .name = "random-bodies",
    .brief = "bodies thrown together at random, degenerate ones among them",
    .options = options,
    .options_size = sizeof(struct random_bodies_options),
    .make = make,
};
