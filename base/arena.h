// SPDX-License-Identifier: Apache-2.0
// Memory that is freed as a whole. A function allocates all it needs, looks at `failed`
// once, then fills; freeing the arena is the only destructor. A zeroed struct is an empty
// arena.
//
// Each allocation is a block of its own, so that the address sanitizer sees its bounds.
// A solve makes a few dozen allocations and none inside `step`. Loops that need the same
// memory again and again (time steps) take scratch arenas from a pool, which hands the same
// blocks out again.
#ifndef DLS_BASE_ARENA_H
#define DLS_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct dls_arena_block;

struct dls_arena {
    struct dls_arena_block *blocks;
    struct dls_arena *parent; // of a scratch arena: where its allocations are counted
    struct dls_spare *spare;  // of a pool: blocks to hand out again
    size_t bytes, peak;       // held now, and the most ever held (scratch included)
    long count;               // allocations so far
    long fail_at; // the allocation of this number fails; 0 = none (for tests)
    bool failed;  // sticky: some allocation failed
};

// `count` zeroed items of `size` bytes, 64-byte aligned; NULL and a->failed on failure.
// Zero items give a valid pointer.
void *dls_alloc(struct dls_arena *a, size_t count, size_t size);
#define DLS_NEW(a, type, count) ((type *)dls_alloc((a), (size_t)(count), sizeof(type)))

// The same without zeros, for what is filled at once.
void *dls_alloc_raw(struct dls_arena *a, size_t count, size_t size);
#define DLS_RAW(a, type, count)                                                        \
    ((type *)dls_alloc_raw((a), (size_t)(count), sizeof(type)))

// The same for rows x columns items.
#define DLS_NEW_TABLE(a, type, rows, columns)                                          \
    ((type *)dls_alloc((a), (size_t)(rows) * (size_t)(columns), sizeof(type)))

// A copy of `count` items; NULL for a NULL source.
void *dls_copy(struct dls_arena *a, const void *source, size_t count, size_t size);

// A formatted string; NULL on failure.
char *dls_text(struct dls_arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// An arena for temporaries of one function, counted in (and failing with) its parent;
// dls_arena_free it before the function returns.
struct dls_arena dls_arena_scratch(struct dls_arena *parent);

// A pool that lives in its parent and is freed with it. What its scratch arenas (and
// theirs) free, it keeps and hands out again. NULL on failure.
struct dls_arena *dls_arena_pool(struct dls_arena *parent);

void dls_arena_free(struct dls_arena *a);

#endif
