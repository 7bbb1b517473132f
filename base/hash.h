// SPDX-License-Identifier: Apache-2.0
// A checksum against accidents (cut, mixed up or damaged files), not against intent: the
// 64-bit hash of Fowler, Noll and Vo, h <- (h xor byte) * prime, over bytes in sequence.
// For what a run writes again and again (checkpoints): sha256.h, by which campaigns name
// files whose contents others may compare, takes 8 times as long.
#ifndef DLS_BASE_HASH_H
#define DLS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t dls_hash_start = 0xcbf29ce484222325; // their offset basis

// Goes on from `hash`, so that pieces may be handed in one after the other.
static inline uint64_t dls_hash_add(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t k = 0; k < bytes; k++) hash = (hash ^ byte[k]) * 0x100000001b3;
    return hash;
}

#endif
