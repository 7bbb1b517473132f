// SPDX-License-Identifier: Apache-2.0
// The bodies behind a Delassus matrix:  W = H M^-1 H^T  from W alone. See recover.c.
#ifndef DLS_FORMULATIONS_VELOCITIES_RECOVER_H
#define DLS_FORMULATIONS_VELOCITIES_RECOVER_H

#include "formulations/velocities/body_graph.h"

#include "base/bsr.h"

#include <stdbool.h>

struct dls_recovered {
    int n;             // velocities
    struct dls_csr *H; // m x n, sparse
    struct dls_csr *M; // n x n, block diagonal; the identity where W is symmetric
    double error;      // largest |W - H M^-1 H^T|_ab / sqrt(|W_aa| |W_bb|)
};

// H and M of a matrix with d = 2 or 3 rows a contact, whose bodies are known from its
// pattern. DLS_UNSUPPORTED where W is not of this form to 1e-11, where its bodies cannot be
// told apart, and where they have so many velocities that a system of these would be no
// smaller than one of the impulses.
enum dls_status dls_recover(struct dls_recovered *, const struct dls_bsr *W,
                            const struct dls_body_graph *, struct dls_arena *);

#endif
