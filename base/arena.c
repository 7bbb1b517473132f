// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

struct dls_arena_block {
    struct dls_arena_block *next;
    size_t bytes;
};

// The head of a block takes one cache line, the items start on the next.
_Static_assert(sizeof(struct dls_arena_block) <= ALIGNMENT, "block head fits a line");

static struct dls_arena *root_of(struct dls_arena *a)
{
    while (a->parent) a = a->parent;
    return a;
}

static void *fail(struct dls_arena *a)
{
    for (; a; a = a->parent) a->failed = true;
    return NULL;
}

void *dls_alloc(struct dls_arena *a, size_t count, size_t size)
{
    struct dls_arena *root = root_of(a);
    if (++root->count == root->fail_at) return fail(a);
    if (size && count > (SIZE_MAX - 2 * ALIGNMENT) / size) return fail(a);
    size_t bytes = ALIGNMENT + (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct dls_arena_block *block = aligned_alloc(ALIGNMENT, bytes);
    if (!block) return fail(a);
    memset(block, 0, bytes);
    *block = (struct dls_arena_block){.next = a->blocks, .bytes = bytes};
    a->blocks = block;
    for (struct dls_arena *up = a; up; up = up->parent) {
        up->bytes += bytes;
        if (up->bytes > up->peak) up->peak = up->bytes;
    }
    return (char *)block + ALIGNMENT;
}

void *dls_copy(struct dls_arena *a, const void *source, size_t count, size_t size)
{
    if (!source) return NULL;
    void *to = dls_alloc(a, count, size);
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

void dls_arena_free(struct dls_arena *a)
{
    for (struct dls_arena *up = a->parent; up; up = up->parent) up->bytes -= a->bytes;
    for (struct dls_arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    a->blocks = NULL;
    a->bytes = 0;
}
