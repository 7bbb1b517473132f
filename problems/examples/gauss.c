// SPDX-License-Identifier: Apache-2.0
// The acceleration of a system with several frictionless contacts, by complementarity and
// by Gauss's principle of least deviation [Moreau2004, 5.3].
//
// From rest, all contacts closed and G_i a = u_i' the accelerations of the gaps:
//     0 <= lambda  ⟂  W lambda + G M^-1 F >= 0,   M a = F + G^T lambda,
// and a minimises 1/2 (a - M^-1 F) . M (a - M^-1 F) over G a >= 0. A step of length h from
// rest is this problem times h.
//
// Which contacts open is not told by the signs of the forces that would hold all of them
// [Delassus1917]: a particle between two walls with normals n_1, n_2, n_1 . n_2 = -c, under
// F = alpha n_1 + n_2 with alpha < c needs lambda = (-alpha, -1) to hold both, pulls at both;
// yet it leaves the second wall only, pressing on the first:
//     lambda = (c - alpha, 0),   n_2 . a = 1 - c^2.
//
// Checks: that particle; a system of six velocities and eight contacts with a full M against
// all 256 sets of active contacts, one by one.
#include "problems/examples/example.h"

#include "base/rng.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MOST_N = 6, MOST_CONTACTS = 8 };

struct gauss_options {
    double c, alpha, step;
};

static const struct dls_option options[] = {
    DLS_REAL(gauss_options, c, 0.5, 0, 0.99, "minus the cosine between the normals"),
    DLS_REAL(gauss_options, alpha, 0.2, -10, 10, "force along the first normal"),
    DLS_REAL(gauss_options, step, 1e-3, 1e-9, 1, "length of a time step"),
    {0},
};

struct corner {
    struct dls_system system;
    int contacts;
    double M[MOST_N][MOST_N], F[MOST_N], G[MOST_CONTACTS][MOST_N];
};

static void mass(const struct dls_system *s, const double *q, struct dls_entries *M)
{
    (void)q;
    const struct corner *p = s->self;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) dls_entries_add(M, i, j, p->M[i][j]);
}

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)t, (void)q, (void)v;
    const struct corner *p = s->self;
    memcpy(F, p->F, (size_t)s->n * sizeof *F);
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct corner *p = s->self;
    for (int k = 0; k < p->contacts; k++) {
        double gap = 0;
        for (int i = 0; i < s->n; i++) gap += p->G[k][i] * q[i];
        struct dls_contact wall = {.id = (uint64_t)k, .other = -1, .gap = gap};
        int row = dls_contacts_add(c, wall, NULL);
        for (int i = 0; row >= 0 && i < s->n; i++)
            dls_entries_add(&c->H, row, i, p->G[k][i]);
    }
}

static void open_corner(struct corner *p, int n, int count)
{
    p->contacts = count;
    p->system = (struct dls_system){.n = n,
                                    .nq = n,
                                    .d = 1,
                                    .bodies = 1,
                                    .self = p,
                                    .mass = mass,
                                    .force = force,
                                    .contacts = contacts};
}

// The particle between two walls.
static void make_particle(struct corner *p, double c, double alpha)
{
    *p = (struct corner){.G = {{1, 0}, {-c, sqrt(1 - c * c)}}};
    for (int i = 0; i < 2; i++) {
        p->M[i][i] = 1;
        p->F[i] = alpha * p->G[0][i] + p->G[1][i];
    }
    open_corner(p, 2, 2);
}

static enum dls_status make(struct dls_scene *scene, const struct dls_asked *asked,
                            struct dls_arena *a, struct dls_error *err)
{
    (void)err;
    const struct gauss_options *o = asked->options;
    struct corner *p = DLS_NEW(a, struct corner, 1);
    double *zero = DLS_NEW(a, double, MOST_N);
    if (a->failed) return DLS_ENOMEM;
    make_particle(p, o->c, o->alpha);
    *scene = (struct dls_scene){.system = &p->system,
                                .q = zero,
                                .v = zero,
                                .h = o->step,
                                .end = 100 * o->step,
                                .scheme = "moreau"};
    return DLS_OK;
}

// --- checks --------------------------------------------------------------------------

// a and lambda of one step from rest.
static enum dls_status accelerate(double *acceleration, double *lambda,
                                  const struct corner *p, const struct dls_asked *asked,
                                  struct dls_arena *a, struct dls_error *err)
{
    double zero[MOST_N] = {0}, h = 1e-3;
    struct dls_kept kept = {.v = acceleration};
    struct dls_trial trial = {&p->system, "moreau", zero,           zero,
                              h,          h,        dls_trial_keep, &kept};
    enum dls_status status = dls_trial_run(&trial, asked, a, err);
    for (int i = 0; i < p->system.n; i++) acceleration[i] /= h;
    for (int k = 0; k < p->contacts; k++) lambda[k] = kept.r[k] / h;
    return status;
}

static enum dls_status check_particle(struct dls_checks *c,
                                      const struct dls_asked *asked,
                                      struct dls_arena *a, struct dls_error *err)
{
    const struct gauss_options *o = asked->options;
    struct corner p;
    double x[MOST_N], lambda[MOST_CONTACTS];
    make_particle(&p, dls_spoilt(asked, o->c), o->alpha); // nothing else to be wrong
    enum dls_status status = accelerate(x, lambda, &p, asked, a, err);
    if (status) return status;
    double leaves = p.G[1][0] * x[0] + p.G[1][1] * x[1];
    const char *reason = "closed form; solver at 1e-12";
    dls_check_near(c, "particle: force of the first wall", lambda[0], o->c - o->alpha,
                   1e-9, reason);
    dls_check_near(c, "particle: force of the second wall", lambda[1], 0, 1e-9, reason);
    dls_check_near(c, "particle: acceleration off the second wall", leaves,
                   1 - o->c * o->c, 1e-9, reason);
    return DLS_OK;
}

// The deviation of the best acceleration that keeps the contacts of the set closed; x is
// that acceleration. INFINITY where there is none or another contact would be entered.
static double deviation(const struct corner *p, unsigned set, double *x)
{
    enum { SIZE = MOST_N + MOST_CONTACTS };
    double K[SIZE * SIZE] = {0}, rhs[SIZE] = {0}, sum = 0;
    int n = p->system.n, size = n, pivot[SIZE], rows[MOST_CONTACTS];
    for (int k = 0; k < p->contacts; k++)
        if (set >> k & 1) rows[size++ - n] = k;
    if (size > 2 * n) return INFINITY; // more rows than velocities: dependent
    for (int i = 0; i < n; i++) {      // M x - G^T lambda = F, G x = 0
        rhs[i] = p->F[i];
        for (int j = 0; j < n; j++) K[i * size + j] = p->M[i][j];
        for (int k = n; k < size; k++) {
            K[i * size + k] = -p->G[rows[k - n]][i];
            K[k * size + i] = p->G[rows[k - n]][i];
        }
    }
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, 1, K, size, pivot, rhs, 1))
        return INFINITY;
    memcpy(x, rhs, (size_t)n * sizeof *x);
    for (int k = 0; k < p->contacts; k++) {
        double opens = 0;
        for (int i = 0; i < n; i++) opens += p->G[k][i] * x[i];
        if (opens < -1e-9) return INFINITY;
    }
    // The deviation, up to the constant F . M^-1 F / 2: x . M x / 2 - F . x.
    for (int i = 0; i < n; i++) {
        sum -= p->F[i] * x[i];
        for (int j = 0; j < n; j++) sum += 0.5 * x[i] * p->M[i][j] * x[j];
    }
    return sum;
}

static enum dls_status check_sets(struct dls_checks *c, const struct dls_asked *asked,
                                  struct dls_arena *a, struct dls_error *err)
{
    for (int seed = 1; seed <= 3; seed++) {
        struct corner p = {.contacts = 0};
        struct dls_rng g = dls_rng_seed((uint64_t)seed);
        double L[MOST_N][MOST_N], x[MOST_N], lambda[MOST_CONTACTS], best[MOST_N] = {0};
        double least = INFINITY, apart = 0, y[MOST_N];
        open_corner(&p, MOST_N, MOST_CONTACTS);
        for (int i = 0; i < MOST_N; i++) {
            p.F[i] = dls_rng_normal(&g);
            for (int j = 0; j < MOST_N; j++) L[i][j] = dls_rng_normal(&g);
        }
        for (int i = 0; i < MOST_N; i++)
            for (int j = 0; j < MOST_N; j++) {
                p.M[i][j] = i == j ? 2 : 0; // L L^T + 2
                for (int k = 0; k < MOST_N; k++) p.M[i][j] += L[i][k] * L[j][k];
            }
        for (int k = 0; k < MOST_CONTACTS; k++)
            for (int i = 0; i < MOST_N; i++) p.G[k][i] = dls_rng_normal(&g);
        enum dls_status status = accelerate(x, lambda, &p, asked, a, err);
        if (status) return status;
        for (unsigned set = 0; set < 1u << MOST_CONTACTS; set++) {
            double value = deviation(&p, set, y);
            if (value < least) least = value, memcpy(best, y, sizeof best);
        }
        for (int i = 0; i < MOST_N; i++) apart = fmax(apart, fabs(x[i] - best[i]));
        dls_check_most(c, dls_text(a, "system %d: distance from the best of 256", seed),
                       apart, 1e-8, "least deviation is unique; solver at 1e-12");
    }
    return DLS_OK;
}

static enum dls_status check(struct dls_checks *c, const struct dls_asked *asked,
                             struct dls_arena *a, struct dls_error *err)
{
    enum dls_status status = check_particle(c, asked, a, err);
    return status ? status : check_sets(c, asked, a, err);
}

const struct dls_example dls_example_gauss = {
    .name = "gauss",
    .brief = "which contacts open: complementarity of accelerations, Gauss's principle",
    .paper = "Moreau2004, 5.3",
    .options = options,
    .options_size = sizeof(struct gauss_options),
    .make = make,
    .check = check,
};
