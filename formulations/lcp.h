// SPDX-License-Identifier: Apache-2.0
// The formulation `lcp`: 0 <= z ⟂ A z + b >= 0, friction by facets; see lcp.c.
#ifndef DLS_FORMULATIONS_LCP_H
#define DLS_FORMULATIONS_LCP_H

#include "formulations/delassus.h"
#include "formulations/formulation.h"
#include "formulations/parts/inertia.h"

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

// Direction i of contact a, d - 1 numbers.
static inline const double *dls_lcp_direction(const struct dls_lcp *f, int a, int i)
{
    size_t at = (size_t)a * (size_t)f->facets + (size_t)i;
    return f->directions + at * (size_t)(f->problem->d - 1);
}

// Row i of P at contact a: e_N for i = 0, (0, d_i) behind.
enum { DLS_LCP_LARGEST_D = 3 };
static inline void dls_lcp_row(const struct dls_lcp *f, int a, int i, double *p)
{
    p[0] = i == 0;
    for (int l = 1; l < f->problem->d; l++)
        p[l] = i ? dls_lcp_direction(f, a, i - 1)[l - 1] : 0;
}

// Fills the LCP of a problem; its `inertia` may be set even on failure.
enum dls_status dls_lcp_build(struct dls_lcp *, const struct dls_problem *,
                              const struct dls_lcp_options *, struct dls_arena *,
                              struct dls_error *);

// w = A z + b.
void dls_lcp_slack(const struct dls_lcp *, const double *z, double *w);

#endif
