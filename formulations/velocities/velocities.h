// SPDX-License-Identifier: Apache-2.0
// The owner of the velocities behind W,
//
//     W = H M^-1 H^T :
//
// given by a global problem, or recovered from W. Recovering them costs as much as many
// sweeps, and several parts of one run may want them. So the driver makes one empty owner
// for each run, which costs nothing; every formulation of the problem points to it; the
// first part that asks has them recovered, and the others find them here.
#ifndef DLS_FORMULATIONS_VELOCITIES_VELOCITIES_H
#define DLS_FORMULATIONS_VELOCITIES_VELOCITIES_H

#include "formulations/delassus.h"

struct dls_body_graph;

struct dls_velocities {
    // m x n, n x n; NULL before they were asked for, and where there are none.
    const struct dls_csr *H, *M;
    // What has been done so far.
    struct dls_arena *arena;      // where everything found is kept
    struct dls_body_graph *graph; // the bodies that the pattern of W shows
    bool looked;                  // at the pattern of W, with the result `seen`
    bool sought;                  // H and M were, with the result `found`
    enum dls_status seen, found;  // DLS_OK or DLS_UNSUPPORTED
};

// An empty one, whose findings live in the arena; NULL where memory runs out.
struct dls_velocities *dls_velocities_new(struct dls_arena *);

// Finds H and M of a formulation; they are in f->velocities afterwards. DLS_UNSUPPORTED where
// W is not of this form, or H and M cannot be told from it; DLS_ENOMEM.
enum dls_status dls_velocities_find(const struct dls_delassus *f);

// `bodies` receives the number of bodies that the pattern of W shows, 0 where it does not.
// `density` receives m / n, n being the velocities of the problem, or else those of the
// bodies; NAN where neither is known. DLS_ENOMEM.
enum dls_status dls_velocities_density(const struct dls_delassus *f, int *bodies,
                                       double *density);

// H with row i multiplied by t[i], which stands behind the scaled t W t = (t H) M^-1 (t H)^T.
// NULL where memory runs out.
struct dls_csr *dls_velocities_scaled(const struct dls_velocities *, const double *t,
                                      struct dls_arena *);

// A new owner for the part of W that belongs to the `count` contacts of an ascending list:
// the velocities of the bodies that these contacts move. It is empty where f has no
// velocities. DLS_ENOMEM.
enum dls_status dls_velocities_restrict(struct dls_velocities **out,
                                        const struct dls_delassus *f, const int *list,
                                        int count, struct dls_arena *);

#endif
