// SPDX-License-Identifier: Apache-2.0
// The formulation `lcp`: 0 <= z ⟂ A z + b >= 0, friction by facets; see lcp.c.
#ifndef DLS_FORMULATIONS_LCP_H
#define DLS_FORMULATIONS_LCP_H

#include "formulations/delassus.h"
#include "formulations/formulation.h"
#include "formulations/inertia.h"

enum dls_lcp_form { DLS_LCP_STEWART_TRINKLE, DLS_LCP_ANITESCU_POTRA };
enum dls_lcp_polygon { DLS_LCP_INSCRIBED, DLS_LCP_CIRCUMSCRIBED };

struct dls_lcp_options {
    int facets; // of the polygon that stands for the circle, 3D only
    int form, polygon;
    double rotation; // of every polygon, radians
    int seed;        // above 0: each contact's polygon is turned further, at random
};

// The first `free` unknowns have no sign, and their rows are equations.
struct dls_lcp {
    const struct dls_problem *problem;
    int n, free;
    struct dls_csr *columns;      // A^T: row j holds column j of A
    double *b;                    // n
    int facets;                   // directions per contact with friction: 0, 2 or k
    int *first;                   // contacts + 1: first unknown of each contact
    double *directions;           // contacts x facets x (d - 1): d_i
    double *work;                 // n + m
    const char *label;            // of the relaxation, or NULL
    struct dls_delassus delassus; // Stewart-Trinkle: W and q
    struct dls_inertia *inertia;  // Anitescu-Potra: the factor of M
};

extern const struct dls_formulation dls_formulation_lcp;

// Directions of contact a: 0 where it has no friction.
static inline int dls_lcp_facets(const struct dls_lcp *f, int a)
{
    return f->first[a + 1] - f->first[a] > 1 ? f->facets : 0;
}

// w = A z + b.
void dls_lcp_slack(const struct dls_lcp *, const double *z, double *w);

#endif
