// SPDX-License-Identifier: Apache-2.0
// One to eight small changes, each of a random kind at a random place.
#include <stdint.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static size_t place(const struct fuzz_input *in, struct dls_rng *g)
{
    return in->size ? dls_rng_next(g) % in->size : 0;
}

// Makes room for (or, negative, takes away) bytes at a place; false where it cannot.
static bool shift(struct fuzz_input *in, size_t at, long by)
{
    if (by > 0 && in->size + (size_t)by > FUZZ_ROOM) return false;
    size_t from = by < 0 ? at + (size_t)-by : at;
    if (from > in->size) return false;
    memmove(in->bytes + (size_t)((long)from + by), in->bytes + from, in->size - from);
    in->size = (size_t)((long)in->size + by);
    return true;
}

static void put(struct fuzz_input *in, size_t at, const void *data, size_t size)
{
    if (at + size <= in->size) memcpy(in->bytes + at, data, size);
}

// Numbers at the borders of types, and those that arithmetic does not survive.
static void put_number(struct fuzz_input *in, struct dls_rng *g)
{
    static const int64_t whole[] = {0,  1,     -1,        2,          7,
                                    -2, 65535, INT32_MAX, INT32_MIN,  1LL << 40,
                                    3,  1024,  INT64_MAX, UINT32_MAX, 255};
    static const double real[] = {0.0,   -0.0,   1e-308, 1e308,    -1e300, 1e-160,
                                  1e160, 5e-324, NAN,    INFINITY, -1.0};
    int64_t i = whole[dls_rng_below(g, sizeof whole / sizeof *whole)];
    double x = real[dls_rng_below(g, sizeof real / sizeof *real)];
    bool is_real = dls_rng_below(g, 2);
    size_t width = is_real ? 8 : (size_t)1 << dls_rng_below(g, 4);
    put(in, place(in, g), is_real ? (const void *)&x : &i, width);
}

static void put_word(struct fuzz_input *in, const char *const *words, struct dls_rng *g)
{
    int count = 0;
    while (words[count]) count++;
    const char *word = words[dls_rng_below(g, count)];
    size_t at = place(in, g);
    if (dls_rng_below(g, 2) || shift(in, at, (long)strlen(word)))
        put(in, at, word, strlen(word));
}

static void change(struct fuzz_input *in, const char *const *words, struct dls_rng *g)
{
    size_t at = place(in, g), to = place(in, g);
    long length = 1 + dls_rng_below(g, 1 << dls_rng_below(g, 8));
    unsigned char byte = (unsigned char)dls_rng_next(g);
    switch (dls_rng_below(g, words ? 8 : 6)) {
    case 0:
        if (in->size) in->bytes[at] ^= (unsigned char)(1 << (byte & 7));
        break;
    case 1:
        put(in, at, &byte, 1);
        break;
    case 2:
        put_number(in, g);
        break;
    case 3:
        shift(in, at, -length);
        break;
    case 4: // a block again, elsewhere
        if (at + (size_t)length <= in->size && to + (size_t)length <= in->size)
            memmove(in->bytes + to, in->bytes + at, (size_t)length);
        break;
    case 5:
        if (dls_rng_below(g, 8) == 0) in->size = at; // cut
        break;
    default:
        put_word(in, words, g);
    }
}

void fuzz_mutate(struct fuzz_input *in, const char *const *words, struct dls_rng *g)
{
    for (int k = 1 + dls_rng_below(g, 8); k > 0; k--) change(in, words, g);
}
