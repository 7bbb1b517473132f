// SPDX-License-Identifier: Apache-2.0
// The share of each body in a Delassus matrix,  W = sum_i C_i.  See body_shares.c.
#ifndef DLS_FORMULATIONS_VELOCITIES_BODY_SHARES_H
#define DLS_FORMULATIONS_VELOCITIES_BODY_SHARES_H

#include "formulations/velocities/body_graph.h"

// What one body, or several that cannot be told apart, add to W.
struct dls_share {
    int contacts, rows;
    const int *contact; // their contacts
    const double *C;    // rows x rows by columns, d rows a contact
};

struct dls_shares {
    int count;
    struct dls_share *share;
};

// Shares that add up to W up to round-off; most of them have rank 6 (3 in the plane).
// W has diagonal blocks of norm one. DLS_UNSUPPORTED where too many bodies cannot be told
// apart, DLS_ENOMEM where memory runs out.
enum dls_status dls_body_shares(struct dls_shares *, const struct dls_bsr *W,
                                const struct dls_body_graph *, struct dls_arena *);

#endif
