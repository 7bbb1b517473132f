// SPDX-License-Identifier: Apache-2.0
// Plane elasticity in the small, plane strain and unit thickness, linear triangles:
//
//     M_e = rho A / 12 [2 1 1; 1 2 1; 1 1 2] for x and for y      (consistent)
//     K_e = A B^T D B,   D of E and nu in plane strain
//     F = -K q + traction on the upper edge,   V = q . K q / 2
//
// The diagonals of the cells alternate, so that no direction is preferred. Nodes of the
// lower edge may touch the ground, each with a normal row (y) and a tangential one (x).
// M and K are sparse and general: blocks of no body.
#include "problems/mechanics/plate.h"

#include <math.h>
#include <string.h>

int dls_plate_node(const struct dls_plate *p, int i, int k)
{
    return k * (p->across + 1) + i;
}

// The three nodes of triangle e, counterclockwise.
static void nodes_of(const struct dls_plate *p, int e, int node[3])
{
    int cell = e / 2, i = cell % p->across, k = cell / p->across;
    int a = dls_plate_node(p, i, k), b = dls_plate_node(p, i + 1, k);
    int c = dls_plate_node(p, i + 1, k + 1), d = dls_plate_node(p, i, k + 1);
    const int straight[2][3] = {{a, b, c}, {a, c, d}};
    const int crossed[2][3] = {{a, b, d}, {b, c, d}};
    memcpy(node, (i + k) % 2 ? crossed[e % 2] : straight[e % 2], 3 * sizeof *node);
}

static int triangles(const struct dls_plate *p) { return 2 * p->across * p->up; }

static double area(const struct dls_plate *p)
{
    return 0.5 * p->width * p->height / (p->across * p->up);
}

static void mass(const struct dls_system *s, const double *q, struct dls_entries *M)
{
    (void)q;
    const struct dls_plate *p = s->self;
    double share = p->density * area(p) / 12;
    int node[3];
    for (int e = 0; e < triangles(p); e++) {
        nodes_of(p, e, node);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int c = 0; c < 2; c++)
                    dls_entries_add(M, 2 * node[i] + c, 2 * node[j] + c,
                                    i == j ? 2 * share : share);
    }
}

// B of a triangle: strains (xx, yy, 2 xy) from the six displacements.
static void strains(const struct dls_plate *p, const int node[3], double B[3][6])
{
    memset(B, 0, 18 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        int j = node[(i + 1) % 3], k = node[(i + 2) % 3];
        double dx = (p->y[j] - p->y[k]) / (2 * area(p));
        double dy = (p->x[k] - p->x[j]) / (2 * area(p));
        B[0][2 * i] = B[2][2 * i + 1] = dx;
        B[1][2 * i + 1] = B[2][2 * i] = dy;
    }
}

static void add_stiffness(const struct dls_plate *p, int e, struct dls_entries *K)
{
    double nu = p->poisson, scale = p->young / ((1 + nu) * (1 - 2 * nu)), B[3][6];
    const double D[3][3] = {{scale * (1 - nu), scale * nu, 0},
                            {scale * nu, scale * (1 - nu), 0},
                            {0, 0, scale * (0.5 - nu)}};
    int node[3];
    nodes_of(p, e, node);
    strains(p, node, B);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) sum += B[k][i] * D[k][l] * B[l][j];
            dls_entries_add(K, 2 * node[i / 2] + i % 2, 2 * node[j / 2] + j % 2,
                            area(p) * sum);
        }
}

static void force(const struct dls_system *s, double t, const double *q,
                  const double *v, double *F)
{
    (void)v;
    const struct dls_plate *p = s->self;
    double normal = 0, tangential = 0;
    memset(F, 0, (size_t)s->n * sizeof *F);
    dls_csr_add(p->K, -1, q, F);
    if (p->traction) p->traction(p, t, &normal, &tangential);
    for (int i = 0; i <= p->across; i++) {
        int node = dls_plate_node(p, i, p->up);
        F[2 * node] += tangential * p->lever[i];
        F[2 * node + 1] += normal * p->lever[i];
    }
}

static void tangent(const struct dls_system *s, double t, const double *q,
                    const double *v, struct dls_entries *K, struct dls_entries *C)
{
    (void)t, (void)q, (void)v, (void)C;
    const struct dls_plate *p = s->self;
    for (int i = 0; i < s->n; i++)
        for (int k = p->K->p[i]; k < p->K->p[i + 1]; k++)
            dls_entries_add(K, i, p->K->j[k], p->K->x[k]);
}

static double potential(const struct dls_system *s, double t, const double *q)
{
    (void)t;
    const struct dls_plate *p = s->self;
    return 0.5 * dls_csr_square(p->K, q);
}

static void contacts(const struct dls_system *s, double t, const double *q,
                     struct dls_contacts *c)
{
    (void)t;
    const struct dls_plate *p = s->self;
    for (int i = 0; i <= p->across; i++) {
        double x = p->x[i];
        struct dls_contact ground = {
            .id = (uint64_t)i,
            .other = -1,
            .gap = 0.5 * p->curvature * x * x + q[2 * i + 1],
            .law = p->law,
            .point = {x + q[2 * i], q[2 * i + 1], 0},
            .n = {0, 1, 0},
            .t = {1, 0, 0},
        };
        int row = dls_contacts_add(c, ground, NULL);
        if (row < 0) continue;
        dls_entries_add(&c->H, row, 2 * i + 1, 1);
        dls_entries_add(&c->H, row + 1, 2 * i, 1);
    }
}

enum dls_status dls_plate_open(struct dls_plate *p, struct dls_arena *a)
{
    int nodes = (p->across + 1) * (p->up + 1);
    struct dls_arena scratch = dls_arena_scratch(a);
    struct dls_entries K = {.arena = &scratch};
    p->x = DLS_NEW(a, double, nodes);
    p->y = DLS_NEW(a, double, nodes);
    p->lever = DLS_NEW(a, double, p->across + 1);
    if (a->failed) return DLS_ENOMEM;
    for (int k = 0; k <= p->up; k++)
        for (int i = 0; i <= p->across; i++) {
            int node = dls_plate_node(p, i, k);
            p->x[node] = p->width * ((double)i / p->across - 0.5);
            p->y[node] = p->height * k / p->up;
        }
    for (int i = 0; i <= p->across; i++)
        p->lever[i] = p->width / p->across * (i == 0 || i == p->across ? 0.5 : 1);
    for (int e = 0; e < triangles(p); e++) add_stiffness(p, e, &K);
    p->K = dls_entries_close(&K, 2 * nodes, 2 * nodes, a);
    dls_arena_free(&scratch);
    p->system = (struct dls_system){
        .n = 2 * nodes,
        .nq = 2 * nodes,
        .d = 2,
        .constant_mass = true,
        .slack =
            1e-8 * p->height, // what a solver leaves of u_N, times h, opens nothing
        .self = p,
        .mass = mass,
        .force = force,
        .tangent = tangent,
        .potential = potential,
        .contacts = contacts,
    };
    return p->K ? DLS_OK : DLS_ENOMEM;
}
