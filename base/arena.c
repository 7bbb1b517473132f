// SPDX-License-Identifier: Apache-2.0
// Blocks of an arena are chained; a pool has a list of spare blocks for each size class.
// Classes are an eighth of an octave apart, so that a block is at most 1/8 larger than what
// is asked for and a list that grows by a contact finds its block of the last step.
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define HIDE(x, bytes) ASAN_POISON_MEMORY_REGION(x, bytes)
#define SHOW(x, bytes) ASAN_UNPOISON_MEMORY_REGION(x, bytes)
#else
#define HIDE(x, bytes) (void)(x), (void)(bytes)
#define SHOW(x, bytes) (void)(x), (void)(bytes)
#endif

enum { ALIGNMENT = 64, STEPS = 8, CLASSES = 64 * STEPS };

struct dls_arena_block {
    struct dls_arena_block *next;
    size_t bytes;
    int class;              // in a pool
    struct dls_arena *pool; // the block holds a pool, to be freed first
};

struct dls_spare {
    struct dls_arena_block *list[CLASSES];
};

// The head of a block takes one cache line, the items start on the next.
_Static_assert(sizeof(struct dls_arena_block) <= ALIGNMENT, "block head fits a line");

static struct dls_arena *root_of(struct dls_arena *a)
{
    while (a->parent) a = a->parent;
    return a;
}

static struct dls_arena *pool_of(struct dls_arena *a)
{
    while (a && !a->spare) a = a->parent;
    return a;
}

static void *fail(struct dls_arena *a)
{
    for (; a; a = a->parent) a->failed = true;
    return NULL;
}

// The class of a block of `lines` lines, which are rounded up to it:
// lines = (8 + step) 2^octave, 8 <= 8 + step < 16, or fewer than 8.
static int class_of(size_t *lines)
{
    int octave = 0;
    while (*lines >> octave >= 2 * STEPS) octave++;
    size_t unit = (size_t)1 << octave, units = (*lines + unit - 1) / unit;
    *lines = units * unit;
    return octave * STEPS + (int)units;
}

// A block of so many bytes, head included; not cleared.
static struct dls_arena_block *take(struct dls_arena *a, size_t bytes)
{
    struct dls_arena *pool = pool_of(a);
    size_t lines = bytes / ALIGNMENT;
    int class = pool ? class_of(&lines) : 0;
    struct dls_arena_block *block = pool ? pool->spare->list[class] : NULL;
    if (block)
        pool->spare->list[class] = block->next;
    else
        block = aligned_alloc(ALIGNMENT, lines * ALIGNMENT);
    if (!block) return NULL;
    SHOW((char *)block + ALIGNMENT, bytes - ALIGNMENT);
    HIDE((char *)block + bytes, lines * ALIGNMENT - bytes);
    *block = (struct dls_arena_block){.bytes = lines * ALIGNMENT, .class = class};
    return block;
}

static void give_back(struct dls_arena *pool, struct dls_arena_block *block)
{
    if (!pool) {
        free(block);
        return;
    }
    HIDE((char *)block + ALIGNMENT, block->bytes - ALIGNMENT);
    block->next = pool->spare->list[block->class];
    pool->spare->list[block->class] = block;
}

void *dls_alloc_raw(struct dls_arena *a, size_t count, size_t size)
{
    struct dls_arena *root = root_of(a);
    if (++root->count == root->fail_at) return fail(a);
    if (size && count > (SIZE_MAX / 2 - 2 * ALIGNMENT) / size) return fail(a);
    size_t bytes = ALIGNMENT + (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct dls_arena_block *block = take(a, bytes);
    if (!block) return fail(a);
    block->next = a->blocks;
    a->blocks = block;
    for (struct dls_arena *up = a; up; up = up->parent) {
        up->bytes += block->bytes;
        if (up->bytes > up->peak) up->peak = up->bytes;
    }
    return (char *)block + ALIGNMENT;
}

void *dls_alloc(struct dls_arena *a, size_t count, size_t size)
{
    void *to = dls_alloc_raw(a, count, size);
    if (to) memset(to, 0, count * size);
    return to;
}

void *dls_copy(struct dls_arena *a, const void *source, size_t count, size_t size)
{
    if (!source) return NULL;
    void *to = dls_alloc_raw(a, count, size);
    if (to) memcpy(to, source, count * size);
    return to;
}

char *dls_text(struct dls_arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) return fail(a);
    char *text = DLS_NEW(a, char, length + 1);
    if (!text) return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

struct dls_arena dls_arena_scratch(struct dls_arena *parent)
{
    return (struct dls_arena){.parent = parent};
}

struct dls_arena *dls_arena_pool(struct dls_arena *parent)
{
    struct dls_spare *spare = DLS_NEW(parent, struct dls_spare, 1);
    struct dls_arena *pool = DLS_NEW(parent, struct dls_arena, 1);
    if (!pool || !spare) return NULL;
    *pool = (struct dls_arena){.parent = parent, .spare = spare};
    ((struct dls_arena_block *)((char *)pool - ALIGNMENT))->pool = pool;
    return pool;
}

// Frees what a pool keeps.
static void free_spare(struct dls_spare *spare)
{
    for (int k = 0; k < CLASSES; k++)
        for (struct dls_arena_block *b = spare->list[k], *next; b; b = next) {
            next = b->next;
            free(b);
        }
    *spare = (struct dls_spare){0};
}

void dls_arena_free(struct dls_arena *a)
{
    for (struct dls_arena_block *b = a->blocks; b; b = b->next)
        if (b->pool) dls_arena_free(b->pool);
    for (struct dls_arena *up = a->parent; up; up = up->parent) up->bytes -= a->bytes;
    struct dls_arena *pool = a->spare ? NULL : pool_of(a->parent);
    for (struct dls_arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        give_back(pool, b);
    }
    if (a->spare) free_spare(a->spare);
    a->blocks = NULL;
    a->bytes = 0;
}
