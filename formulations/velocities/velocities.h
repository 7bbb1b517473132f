// SPDX-License-Identifier: Apache-2.0
// The owner of the velocities behind W,
//
//     W = H M^-1 H^T :
//
// given by a global problem, or recovered from W. To recover them costs as much as many
// sweeps, and several parts of one run want them. So whoever solves a problem makes one of
// these, an empty one costs nothing; all formulations of the problem carry it; the first
// part that asks pays and the others find the answer here.
#ifndef DLS_FORMULATIONS_VELOCITIES_VELOCITIES_H
#define DLS_FORMULATIONS_VELOCITIES_VELOCITIES_H

#include "formulations/delassus.h"

struct dls_body_graph;

struct dls_velocities {
    const struct dls_csr *H,
        *M; // m x n, n x n; NULL before somebody asked, and if none
    // What has been done so far.
    struct dls_arena *arena;      // where everything found is kept
    struct dls_body_graph *graph; // what the pattern of W tells
    bool looked, sought;          // at the pattern; for H and M
    enum dls_status seen, found;  // DLS_OK or DLS_UNSUPPORTED, once that is done
};

// An empty one, whose findings live in the arena; NULL where memory runs out.
struct dls_velocities *dls_velocities_new(struct dls_arena *);

// Finds H and M of a formulation, which are then in f->velocities. DLS_UNSUPPORTED where
// W is not of this form, or does not tell; DLS_ENOMEM.
enum dls_status dls_velocities_find(const struct dls_delassus *f);

// The number of bodies where the pattern of W tells, else 0, and m / n: by the velocities
// of the problem, or by those of the bodies; NAN without either. DLS_ENOMEM.
enum dls_status dls_velocities_density(const struct dls_delassus *f, int *bodies,
                                       double *density);

// H with row i times t[i], for a W whose rows and columns are: t W t = (t H) M^-1 (t H)^T.
// NULL where memory runs out.
struct dls_csr *dls_velocities_scaled(const struct dls_velocities *, const double *t,
                                      struct dls_arena *);

// The velocities behind the rows and columns of W that belong to the `count` contacts of
// an ascending list; an owner without any where f has none. DLS_ENOMEM.
enum dls_status dls_velocities_restrict(struct dls_velocities **out,
                                        const struct dls_delassus *f, const int *list,
                                        int count, struct dls_arena *);

#endif
