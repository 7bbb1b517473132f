// SPDX-License-Identifier: Apache-2.0
// Warm starts: the impulses of an answer, found again by the identity of the contacts in
// the next problem of a sequence.
#ifndef DLS_SOLVERS_SEQUENCE_WARM_H
#define DLS_SOLVERS_SEQUENCE_WARM_H

#include "base/arena.h"

#include <stdint.h>

enum { DLS_WARM_ROWS = 5 }; // of a contact, at most

// Impulses sorted by the identity of their contacts.
struct dls_warm {
    int count, d;
    struct dls_warm_entry {
        uint64_t id;
        double r[DLS_WARM_ROWS];
    } * all;
};

// The identities of contacts, in the order of their rows: `first` and what follows it
// every `stride` bytes, in an array of their own or inside another.
struct dls_names {
    const uint64_t *first;
    size_t stride;
};

// Keeps r of `contacts` contacts with d rows, in memory from the arena; empty where that
// runs out.
struct dls_warm dls_warm_keep(struct dls_names, int contacts, int d, const double *r,
                              struct dls_arena *);

// Copies the impulses of contacts that were there before into r; others stay as they are.
void dls_warm_start(const struct dls_warm *, struct dls_names, int contacts, double *r);

// An identity as a snapshot keeps it, in two halves, and back.
void dls_identity_split(uint64_t id, int halves[2]);
uint64_t dls_identity_join(const int halves[2]);

#endif
