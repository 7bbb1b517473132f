// SPDX-License-Identifier: Apache-2.0
// Warm starts: the impulses of an answer, found again by the identity of the contacts in
// the next problem of a sequence.
#ifndef DLS_SOLVERS_SEQUENCE_WARM_H
#define DLS_SOLVERS_SEQUENCE_WARM_H

#include "formulations/problem.h"

#include "base/arena.h"

#include <stdint.h>

// Impulses sorted by the identity of their contacts.
struct dls_warm {
    int count, d;
    struct dls_warm_entry {
        uint64_t id;
        double r[DLS_LARGEST_D];
    } * all;
};

// The identities of contacts, in the order of their rows: one at `first`, and one every
// `stride` bytes behind it. So they may be an array, or a member of the structs of an array.
struct dls_names {
    const uint64_t *first;
    size_t stride;
};

// Keeps r of `contacts` contacts with d rows each, in memory from the arena; the result is
// empty where memory runs out.
struct dls_warm dls_warm_keep(struct dls_names, int contacts, int d, const double *r,
                              struct dls_arena *);

// Copies the impulses that were kept into r, by identity. Contacts without one keep what r
// has.
void dls_warm_start(const struct dls_warm *, struct dls_names, int contacts, double *r);

// An identity as a snapshot keeps it, in two halves, and back.
void dls_identity_split(uint64_t id, int halves[2]);
uint64_t dls_identity_join(const int halves[2]);

#endif
