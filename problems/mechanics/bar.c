// SPDX-License-Identifier: Apache-2.0
// An elastic bar in the small: rho S u_tt = (E S u_x)_x, linear finite elements.
//
//     per element of length d:  M_e = rho S d / 6 [2, 1; 1, 2]   (consistent)
//                               K_e = E S / d [1, -1; -1, 1]
//     F = -K q (+ pull on the last node),   V = q . K q / 2
//
// The wall is on the side of node 0: gap = gap_0 + q_0, one frictionless contact.
// Cost: everything is tridiagonal and sparse.
#include "problems/mechanics/bar.h"

#include <math.h>
#include <string.h>

double dls_bar_mass(const struct dls_bar *b)
{
    return b->density * b->section * b->length;
}

static void mass(const struct dls_system *s, const double *q, struct dls_entries *M)
{
    (void)q;
    const struct dls_bar *b = s->self;
    double share = dls_bar_mass(b) / b->elements / 6;
    for (int e = 0; e < b->elements; e++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                dls_entries_add(M, e + i, e + j, i == j ? 2 * share : share);
}

static double spring(const struct dls_bar *b)
{
    return b->young * b->section * b->elements / b->length;
}

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)v;
    const struct dls_bar *b = s->self;
    double k = spring(b);
    memset(F, 0, (size_t)s->n * sizeof *F);
    for (int e = 0; e < b->elements; e++) {
        double tension = k * (q[e + 1] - q[e]);
        F[e] += tension;
        F[e + 1] -= tension;
    }
    if (b->pull) F[b->elements] += b->pull(b, t);
}

static void tangent(const struct dls_system *s, double t, const double *q,
                    const double *v, struct dls_entries *K, struct dls_entries *C)
{
    (void)t, (void)q, (void)v, (void)C;
    const struct dls_bar *b = s->self;
    double k = spring(b);
    for (int e = 0; e < b->elements; e++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                dls_entries_add(K, e + i, e + j, i == j ? k : -k);
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    const struct dls_bar *b = s->self;
    double sum = 0;
    for (int e = 0; e < b->elements; e++)
        sum += 0.5 * spring(b) * (q[e + 1] - q[e]) * (q[e + 1] - q[e]);
    return sum;
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct dls_bar *b = s->self;
    struct dls_contact wall = {
        .other = -1, .gap = b->gap + q[0], .law = b->law, .n = {1, 0, 0}};
    int row = dls_contacts_add(c, wall, NULL);
    if (row >= 0) dls_entries_add(&c->H, row, 0, 1);
}

void dls_bar_open(struct dls_bar *b)
{
    b->system = (struct dls_system){
        .n = b->elements + 1,
        .nq = b->elements + 1,
        .d = 1,
        .slack = 1e-12 * b->length,
        .self = b,
        .mass = mass,
        .force = force,
        .tangent = tangent,
        .potential = potential,
        .contacts = contacts,
    };
}
