// SPDX-License-Identifier: Apache-2.0
// Bytes are compressed by zlib [RFC 1950, 1951], which takes what repeats: arrays hold
// changes between frames rather than values, and the bytes of equal weight side by side.
// The page has a decompressor of its own (assets/run.js).
#include "benchmarks/film/packed.h"

#include <string.h>
#include <zlib.h>

struct dls_packed dls_packed_open(struct dls_arena *a)
{
    return (struct dls_packed){.arena = a};
}

static unsigned char *more(struct dls_packed *p, size_t bytes)
{
    if (p->count + bytes > p->room) {
        size_t room = 2 * (p->count + bytes) + 1024;
        unsigned char *to = DLS_RAW(p->arena, unsigned char, room);
        if (!to) return NULL;
        if (p->count) memcpy(to, p->byte, p->count);
        p->byte = to;
        p->room = room;
    }
    p->count += bytes;
    return p->byte + p->count - bytes;
}

void dls_packed_put(struct dls_packed *p, uint32_t value, int bytes)
{
    unsigned char *to = more(p, (size_t)bytes);
    for (int k = 0; to && k < bytes; k++) to[k] = (unsigned char)(value >> (8 * k));
}

void dls_packed_float(struct dls_packed *p, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    dls_packed_put(p, bits, 4);
}

void dls_packed_planes(struct dls_packed *p, const uint32_t *value, int count,
                       int bytes)
{
    unsigned char *to = more(p, (size_t)count * (size_t)bytes);
    for (int k = 0; to && k < bytes; k++)
        for (int i = 0; i < count; i++) *to++ = (unsigned char)(value[i] >> (8 * k));
}

uint32_t dls_packed_change(uint32_t from, uint32_t to, int bits)
{
    uint32_t mask = bits == 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
    uint32_t change = (to - from) & mask;
    bool back = change >> (bits - 1); // 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
    return back ? (~change & mask) << 1 | 1 : change << 1;
}

static void write_base64(FILE *out, const unsigned char *x, size_t count)
{
    static const char letter[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < count; k += 3) {
        size_t here = count - k < 3 ? count - k : 3;
        unsigned all = (unsigned)x[k] << 16;
        if (here > 1) all |= (unsigned)x[k + 1] << 8;
        if (here > 2) all |= x[k + 2];
        for (size_t i = 0; i < 4; i++)
            fputc(i > here ? '=' : letter[all >> (18 - 6 * i) & 63], out);
    }
}

bool dls_packed_close(struct dls_packed *p, FILE *out, const char *id)
{
    static const unsigned char none = 0;
    uLongf size = compressBound((uLong)p->count);
    unsigned char *to = DLS_RAW(p->arena, unsigned char, size);
    if (!to) return false;
    if (compress2(to, &size, p->count ? p->byte : &none, (uLong)p->count, 9) != Z_OK)
        return false;
    fprintf(out, "<script type='application/octet-stream' id='%s' data-bytes='%zu'>",
            id, p->count);
    write_base64(out, to, size);
    fputs("</script>\n", out);
    return true;
}
