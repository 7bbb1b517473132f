// SPDX-License-Identifier: Apache-2.0
// Dense packings of disks by four walls that close in; see compact.c.
#ifndef DLS_PROBLEMS_PREPARATION_COMPACT_H
#define DLS_PROBLEMS_PREPARATION_COMPACT_H

#include "problems/preparation/settle.h"

struct dls_compaction {
    int count;
    const double *radius;
    double density, pressure; // per unit depth; of all four walls
};

// Moves the centres from loose places to where the walls bring them. Solver and limits as
// in `setup`.
enum dls_status dls_compact(const struct dls_compaction *, dls_vec3 *at,
                            const struct dls_setup *, struct dls_arena *,
                            struct dls_error *);

// Adds the disks as bodies.
void dls_compaction_bodies(const struct dls_compaction *, const dls_vec3 *at,
                           struct dls_rigid *);

#endif
