// SPDX-License-Identifier: Apache-2.0
// The order in which a Gauss-Seidel sweep visits the contacts.
#ifndef DLS_SOLVERS_CONTACT_SWEEP_H
#define DLS_SOLVERS_CONTACT_SWEEP_H

#include "base/arena.h"
#include "base/rng.h"

#include <stdint.h>

enum dls_sweep_order { DLS_SWEEP_GIVEN, DLS_SWEEP_SYMMETRIC, DLS_SWEEP_SHUFFLED };
#define DLS_SWEEP_CHOICES "given|symmetric|shuffled"

struct dls_sweep {
    int count, *order;
    enum dls_sweep_order kind;
    struct dls_rng rng;
    long sweeps;
};

// Starts in the given order; false when memory runs out.
bool dls_sweep_create(struct dls_sweep *, int count, enum dls_sweep_order,
                      struct dls_arena *);

// The order of the next sweep: as given; reversed every other time; or shuffled anew from
// the seed.
const int *dls_sweep_next(struct dls_sweep *, uint64_t seed);

#endif
