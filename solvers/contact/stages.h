// SPDX-License-Identifier: Apache-2.0
// An order of the contacts that several threads can share; see stages.c.
#ifndef DLS_SOLVERS_CONTACT_STAGES_H
#define DLS_SOLVERS_CONTACT_STAGES_H

#include "formulations/bodies.h"

#include "base/bsr.h"

// Stage s is the groups first[s] ... first[s + 1] - 1; group g is the places start[g] ...
// start[g + 1] - 1 of `order`.
struct dls_stages {
    int stages, groups, contacts;
    int *first, *start, *order;
    int *block; // for each body its group in the first stage; NULL without such groups
};

// Problems with fewer contacts are swept in the given order, whatever `threads` says.
enum { DLS_LEAST_STAGED = 2000 };
static inline bool dls_stages_wanted(const struct dls_problem *p)
{
    return p->threads > 0 && p->contacts >= DLS_LEAST_STAGED;
}

// Three ways to make the stages: of contacts given by frames (blocks of bodies first, then
// colours), of contacts given by blocks of H, and of rows of W (colours alone). False when
// memory runs out.
bool dls_stages_of_frames(struct dls_stages *, const struct dls_frames *,
                          struct dls_arena *);
bool dls_stages_of_bodies(struct dls_stages *, const struct dls_bodies *,
                          struct dls_arena *);
bool dls_stages_of_rows(struct dls_stages *, const struct dls_bsr *,
                        struct dls_arena *);

// Calls `visit` for every group, stage after stage; it visits the places from ... to - 1
// of the order and returns a count. Returns the sum of the counts.
long dls_stages_run(const struct dls_stages *, int threads,
                    long (*visit)(void *self, int from, int to), void *self);

#endif
