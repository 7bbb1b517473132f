// SPDX-License-Identifier: Apache-2.0
// Arrays of a page: integers and floats, compressed, as base64 in a script element; see
// packed.c.
#ifndef DLS_BENCHMARKS_FILM_PACKED_H
#define DLS_BENCHMARKS_FILM_PACKED_H

#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>

struct dls_packed {
    struct dls_arena *arena; // says when memory ran out
    unsigned char *byte;
    size_t count, room;
};

// An empty array; its bytes come from the arena.
struct dls_packed dls_packed_open(struct dls_arena *);
// So many low bytes of the value, the lowest first.
void dls_packed_put(struct dls_packed *, uint32_t value, int bytes);
void dls_packed_float(struct dls_packed *, float);
// The lowest bytes of all values, then the next ones, ...
void dls_packed_planes(struct dls_packed *, const uint32_t *value, int count,
                       int bytes);
// Writes the element; false when it could not be compressed.
bool dls_packed_close(struct dls_packed *, FILE *, const char *id);

// A small number for a small change of either sign, of values of so many bits.
uint32_t dls_packed_change(uint32_t from, uint32_t to, int bits);

#endif
