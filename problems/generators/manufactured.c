// SPDX-License-Identifier: Apache-2.0
// A mixture of open, sticking and slipping contacts with a known answer.
//
// Method
//   1. a contact graph of random rigid bodies, frames and lever arms. Rank `full`: one
//      body per contact, joined to an earlier body or to the ground, so that H is block
//      triangular with blocks of full row rank and W is positive definite. Rank
//      `deficient`: random pairs of half as many velocities as contact rows;
//   2. r and u of each contact from known.c, v random, v^- = v - M^-1 H^T r: an impact
//      without external percussion, which for e_n = e_t = 0 dissipates
//      -A = sum mu r_N |u_T| + 1/2 r.W r;
//   3. w = u - H v and f = M v^- make (v, r, u) a solution, to round-off; surfaces that
//      move carry w:  w_ob = (1 + E)^-1 (w - E H v^-).
//
// The answer is stored as solution_r. It is the only one for mu small enough against
// the conditioning of a full-rank W; with a deficient W others exist.
#include "problems/generators/generator.h"
#include "problems/generators/known.h"
#include "problems/generators/random.h"

struct manufactured_options {
    int contacts, d, rank, seed;
    double open, stick, decades;
    double mu, e_n, e_t;
};

static const struct dls_option options[] = {
    DLS_INT(manufactured_options, contacts, 100, 1, 10000000, "number of contacts"),
    DLS_INT(manufactured_options, d, 3, 2, 3, "rows per contact"),
    DLS_CHOICE(manufactured_options, rank, 0, "full|deficient", "rank of W"),
    DLS_INT(manufactured_options, seed, 1, 0, 2147483647, "of the random numbers"),
    DLS_REAL(manufactured_options, open, 0.3, 0, 1, "share of opening contacts"),
    DLS_REAL(manufactured_options, stick, 0.4, 0, 1, "share of sticking contacts"),
    DLS_REAL(manufactured_options, decades, 0, 0, 12, "of the masses, around 1"),
    DLS_REAL(manufactured_options, mu, 0.3, 1e-6, 1e3, "friction coefficient"),
    DLS_REAL(manufactured_options, e_n, 0, 0, 1, "normal restitution"),
    DLS_REAL(manufactured_options, e_t, 0, 0, 1, "tangential restitution"),
    {0},
};

static dls_vec3 unit(struct dls_rng *g, int dim)
{
    dls_vec3 v = dls_random_normals(g, dim);
    double size = dls_vec3_norm(v);
    for (; size < 1e-3; size = dls_vec3_norm(v)) v = dls_random_normals(g, dim);
    return dls_vec3_scale(1 / size, v);
}

// The bodies of contact k: see step 1 above.
static void pair(struct dls_rng *g, const struct manufactured_options *o, int bodies,
                 int k, struct dls_touch *c)
{
    c->body = o->rank ? dls_rng_below(g, bodies) : k;
    do c->other = dls_rng_below(g, (o->rank ? bodies : k) + 1) - 1;
    while (c->other == c->body);
}

// Overwrites v^- and w_ob so that solution_r, u and random velocities v solve the step.
static enum dls_status impose(struct dls_problem *p, const double *u, struct dls_rng *g,
                              struct dls_arena *a)
{
    double *v = DLS_NEW(a, double, p->n), *Hv = DLS_NEW(a, double, p->m);
    double *push = DLS_NEW(a, double, p->n), *before = DLS_NEW(a, double, p->m);
    if (a->failed) return DLS_ENOMEM;
    dls_csr_add_transposed(p->H, 1, p->solution_r, push);
    for (int i = 0; i < p->n; i++) {
        v[i] = dls_rng_normal(g);
        p->v_minus[i] = v[i] - push[i] / p->M->x[i]; // v^- = v - M^-1 H^T r
    }
    dls_csr_add(p->H, 1, v, Hv);
    dls_csr_add(p->H, 1, p->v_minus, before);
    for (int i = 0; i < p->m; i++) {
        double e = (i % p->d ? p->e_t : p->e_n)[i / p->d];
        p->w_ob[i] = (u[i] - Hv[i] - e * before[i]) / (1 + e);
    }
    dls_problem_set_step(p);
    return DLS_OK;
}

// Chooses the answer and makes it one.
static enum dls_status answer(struct dls_problem *p,
                              const struct manufactured_options *o, struct dls_rng *g,
                              struct dls_arena *a)
{
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_mixture mix = {o->open, o->stick, p->d};
    double *u = DLS_NEW(&scratch, double, p->m), *r = DLS_NEW(a, double, p->m);
    enum dls_status status = a->failed ? DLS_ENOMEM : DLS_OK;
    for (int k = 0; !status && k < p->contacts; k++)
        dls_known_contact(&mix, k, o->mu, g, r + k * p->d, u + k * p->d);
    p->solution_r = r;
    p->time = p->step = NAN;
    if (!status) status = impose(p, u, g, &scratch);
    dls_arena_free(&scratch);
    return status;
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    const struct manufactured_options *o = opt;
    if (o->open + o->stick > 1)
        return dls_fail(err, DLS_EINVAL, "manufactured: open + stick is above 1");
    int half = (int)((long)o->contacts * o->d / (o->d == 2 ? 6 : 12));
    int bodies = o->rank ? (half > 1 ? half : 1) : o->contacts;
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    struct dls_build b;
    if (!dls_build_open(&b, o->d, bodies, o->contacts, a)) return DLS_ENOMEM;
    for (int k = 0; k < bodies; k++)
        dls_build_body(&b, dls_random_body(&g, o->d, o->decades));
    for (int k = 0; k < o->contacts; k++) {
        struct dls_touch c = {.law = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t}};
        pair(&g, o, bodies, k, &c);
        c.n = unit(&g, o->d);
        c.point = dls_vec3_add(b.body[c.body].at, unit(&g, o->d));
        dls_build_touch(&b, c);
    }
    struct dls_origin origin = {"manufactured", options, opt,
                                "Random bodies and contacts with a chosen answer."};
    enum dls_status status = dls_build_close(&b, p, &origin, a);
    return status ? status : answer(p, o, &g, a);
}

const struct dls_generator dls_generator_manufactured = {
    .name = "manufactured",
    .brief = "open, sticking and slipping contacts with a known answer",
    .options = options,
    .options_size = sizeof(struct manufactured_options),
    .make = make,
};
