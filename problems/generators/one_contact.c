// SPDX-License-Identifier: Apache-2.0
// Many problems of one contact in one file: W is block diagonal, in local form.
//
//   spd          W_aa = Q diag(lambda) Q^T, Q random, lambda in [0.1, 1]
//   unsymmetric  the same plus a skew part of size up to `skew`: still x.W x > 0, so
//                that the problem has a solution
//   singular     the smallest lambda is 10^-decades: nearly singular
//   mixed        the three in turn
//
// r and u of each contact come from known.c, q = u - W r; the answer is solution_r.
// Where W_aa couples normal and tangent strongly and mu is large, others may exist.
#include "problems/generators/generator.h"
#include "problems/generators/known.h"
#include "problems/mechanics/build.h"

enum kind { SPD, UNSYMMETRIC, SINGULAR, MIXED };

struct one_contact_options {
    int contacts, d, kind, seed;
    double open, stick, mu, skew, decades;
};

static const struct dls_option options[] = {
    DLS_INT(one_contact_options, contacts, 90, 1, 10000000, "number of contacts"),
    DLS_INT(one_contact_options, d, 3, 2, 3, "rows per contact"),
    DLS_CHOICE(one_contact_options, kind, MIXED, "spd|unsymmetric|singular|mixed",
               "blocks of W"),
    DLS_INT(one_contact_options, seed, 1, 0, 2147483647, "of the random numbers"),
    DLS_REAL(one_contact_options, open, 0.3, 0, 1, "share of opening contacts"),
    DLS_REAL(one_contact_options, stick, 0.3, 0, 1, "share of sticking contacts"),
    DLS_REAL(one_contact_options, mu, 0.5, 1e-6, 1e3, "largest friction coefficient"),
    DLS_REAL(one_contact_options, skew, 0.2, 0, 1e3, "size of the skew part"),
    DLS_REAL(one_contact_options, decades, 8, 0, 15, "of a nearly singular block"),
    {0},
};

// The rows of Q are random, of size 1 and orthogonal (Gram and Schmidt).
static void random_basis(struct dls_rng *g, int d, double Q[3][3])
{
    for (int i = 0; i < d; i++) {
        double size = 0;
        for (int k = 0; k < d; k++) Q[i][k] = dls_rng_normal(g);
        for (int j = 0; j < i; j++) {
            double along = 0;
            for (int k = 0; k < d; k++) along += Q[i][k] * Q[j][k];
            for (int k = 0; k < d; k++) Q[i][k] -= along * Q[j][k];
        }
        for (int k = 0; k < d; k++) size += Q[i][k] * Q[i][k];
        if (size < 1e-4)
            i--; // too close to the rows before: draw again
        else
            for (int k = 0; k < d; k++) Q[i][k] /= sqrt(size);
    }
}

// One block of W, by rows.
static void random_block(struct dls_rng *g, const struct one_contact_options *o, int k,
                         double *W)
{
    enum kind kind = o->kind == MIXED ? (enum kind)(k % 3) : (enum kind)o->kind;
    int d = o->d;
    double Q[3][3], lambda[3];
    random_basis(g, d, Q);
    for (int i = 0; i < d; i++) lambda[i] = dls_rng_range(g, 0.1, 1);
    if (kind == SINGULAR) lambda[0] = pow(10, -o->decades);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            W[i * d + j] = 0;
            for (int l = 0; l < d; l++) W[i * d + j] += Q[l][i] * lambda[l] * Q[l][j];
        }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < i; j++) {
            double skew = kind == UNSYMMETRIC ? o->skew * dls_rng_range(g, -1, 1) : 0;
            W[i * d + j] += skew;
            W[j * d + i] -= skew;
        }
}

static struct dls_csr *block_diagonal(int contacts, int d, struct dls_arena *a)
{
    int m = contacts * d;
    struct dls_csr *W = DLS_NEW(a, struct dls_csr, 1);
    int *p = DLS_NEW(a, int, (size_t)m + 1), *j = DLS_NEW_TABLE(a, int, m, d);
    double *x = DLS_NEW_TABLE(a, double, m, d);
    if (a->failed) return NULL;
    for (int i = 0; i < m; i++) {
        p[i + 1] = d * (i + 1);
        for (int k = 0; k < d; k++) j[i * d + k] = i / d * d + k;
    }
    *W = (struct dls_csr){.rows = m, .cols = m, .p = p, .j = j, .x = x};
    return W;
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    const struct one_contact_options *o = opt;
    if (o->open + o->stick > 1)
        return dls_fail(err, DLS_EINVAL, "one-contact: open + stick is above 1");
    int d = o->d, m = o->contacts * d;
    *p = (struct dls_problem){
        .contacts = o->contacts,
        .d = d,
        .m = m,
        .mu = DLS_NEW(a, double, o->contacts),
        .W = block_diagonal(o->contacts, d, a),
        .q = DLS_NEW(a, double, m),
        .time = NAN,
        .step = NAN,
        .solution_r = DLS_NEW(a, double, m),
    };
    if (a->failed) return DLS_ENOMEM;
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    struct dls_mixture mix = {o->open, o->stick, d};
    for (int k = 0; k < o->contacts; k++) {
        double *W = p->W->x + (size_t)k * (size_t)(d * d), *r = p->solution_r + k * d;
        p->mu[k] = o->mu * dls_rng_range(&g, 0.1, 1);
        random_block(&g, o, k, W);
        dls_known_contact(&mix, k, p->mu[k], &g, r, p->q + k * d);
    }
    dls_csr_add(p->W, -1, p->solution_r, p->q); // q = u - W r
    struct dls_origin origin = {"one-contact", options, opt,
                                "Independent contacts with chosen answers."};
    dls_problem_set_origin(p, &origin, a);
    return a->failed ? DLS_ENOMEM : DLS_OK;
}

const struct dls_generator dls_generator_one_contact = {
    .name = "one-contact",
    .brief = "many problems of one contact: SPD, unsymmetric, nearly singular",
    .options = options,
    .options_size = sizeof(struct one_contact_options),
    .make = make,
};
