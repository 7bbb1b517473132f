// SPDX-License-Identifier: Apache-2.0
// Each file: a local header, its deflated bytes; at the end a directory that repeats the
// headers with their places, and where it begins. All numbers are little-endian. Dates are
// the first that the format knows, so that the same files give the same archive.
#include "benchmarks/report/zip.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

enum { VERSION = 20, DEFLATED = 8, UTF8 = 1 << 11, FIRST_DAY = 1 << 5 | 1 };

struct dls_zip_entry {
    const char *name;
    unsigned long crc, packed, size, at;
};

static void put(struct dls_zip *z, unsigned long value, int bytes)
{
    for (int k = 0; k < bytes; k++) fputc((int)(value >> 8 * k & 0xff), z->out);
}

// What a local header and the directory have in common.
static void put_entry(struct dls_zip *z, const struct dls_zip_entry *e)
{
    put(z, VERSION, 2);
    put(z, UTF8, 2);
    put(z, DEFLATED, 2);
    put(z, 0, 2);
    put(z, FIRST_DAY, 2);
    put(z, e->crc, 4);
    put(z, e->packed, 4);
    put(z, e->size, 4);
    put(z, strlen(e->name), 2);
    put(z, 0, 2);
}

struct dls_zip dls_zip_start(FILE *out, struct dls_arena *a)
{
    return (struct dls_zip){.out = out, .arena = a};
}

static struct dls_zip_entry *new_entry(struct dls_zip *z, const char *name)
{
    if (z->count == z->room) {
        int room = z->room ? 2 * z->room : 64;
        struct dls_zip_entry *entry = DLS_NEW(z->arena, struct dls_zip_entry, room);
        if (!entry) return NULL;
        if (z->count) memcpy(entry, z->entry, (size_t)z->count * sizeof *entry);
        z->entry = entry;
        z->room = room;
    }
    struct dls_zip_entry *e = &z->entry[z->count++];
    *e = (struct dls_zip_entry){.name = dls_text(z->arena, "%s", name)};
    return e->name ? e : NULL;
}

// The bytes deflated without zlib's own frame; their number, 0 where it does not work.
static size_t deflate_bytes(const void *bytes, size_t size, unsigned char *to,
                            size_t room)
{
    z_stream s = {.next_in = (Bytef *)bytes,
                  .avail_in = (uInt)size,
                  .next_out = to,
                  .avail_out = (uInt)room};
    if (deflateInit2(&s, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY)
        != Z_OK)
        return 0;
    bool good = deflate(&s, Z_FINISH) == Z_STREAM_END;
    deflateEnd(&s);
    return good ? s.total_out : 0;
}

void dls_zip_add(struct dls_zip *z, const char *name, const void *bytes, size_t size)
{
    struct dls_arena scratch = dls_arena_scratch(z->arena);
    size_t room = size + size / 1000 + 64; // deflate never needs more
    unsigned char *packed = DLS_NEW(&scratch, unsigned char, room);
    struct dls_zip_entry *e = packed ? new_entry(z, name) : NULL;
    long at = ftell(z->out);
    size_t count = e ? deflate_bytes(bytes, size, packed, room) : 0;
    if (!e || !count || at < 0 || size > INT_MAX || z->count > USHRT_MAX) {
        z->failed = true;
    } else {
        e->crc = crc32(0, bytes, (uInt)size);
        e->packed = count;
        e->size = size;
        e->at = (unsigned long)at;
        put(z, 0x04034b50, 4);
        put_entry(z, e);
        fputs(e->name, z->out);
        z->failed |= fwrite(packed, 1, count, z->out) != count;
    }
    dls_arena_free(&scratch);
}

void dls_zip_add_file(struct dls_zip *z, const char *name, const char *path)
{
    struct dls_arena scratch = dls_arena_scratch(z->arena);
    FILE *in = fopen(path, "rb");
    long size = in && !fseek(in, 0, SEEK_END) ? ftell(in) : -1;
    char *text = size >= 0 ? DLS_NEW(&scratch, char, size + 1) : NULL;
    if (in) rewind(in);
    if (text && fread(text, 1, (size_t)size, in) == (size_t)size)
        dls_zip_add(z, name, text, (size_t)size);
    else
        z->failed = true;
    if (in) fclose(in);
    dls_arena_free(&scratch);
}

bool dls_zip_end(struct dls_zip *z)
{
    long start = ftell(z->out);
    for (int k = 0; k < z->count; k++) {
        const struct dls_zip_entry *e = &z->entry[k];
        put(z, 0x02014b50, 4);
        put(z, VERSION, 2);
        put_entry(z, e);
        put(z, 0, 2); // no comment, the first disk, no attributes
        put(z, 0, 2);
        put(z, 0, 2);
        put(z, 0, 4);
        put(z, e->at, 4);
        fputs(e->name, z->out);
    }
    long end = ftell(z->out);
    put(z, 0x06054b50, 4);
    put(z, 0, 4);
    put(z, (unsigned long)z->count, 2);
    put(z, (unsigned long)z->count, 2);
    put(z, (unsigned long)(end - start), 4);
    put(z, (unsigned long)start, 4);
    put(z, 0, 2);
    return !z->failed && start >= 0 && end < UINT_MAX && !ferror(z->out);
}
