// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/film/base64.h"

#include <string.h>

static void finish(struct dls_base64 *b)
{
    static const char letter[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned all = (unsigned)b->byte[0] << 16 | (unsigned)b->byte[1] << 8 | b->byte[2];
    for (int k = 0; k < 4 && b->count; k++)
        fputc(k > b->count ? '=' : letter[all >> (18 - 6 * k) & 63], b->out);
    memset(b->byte, 0, sizeof b->byte);
    b->count = 0;
}

// So many low bytes, the lowest first.
void dls_base64_put(struct dls_base64 *b, uint32_t value, int bytes)
{
    for (int k = 0; k < bytes; k++) {
        b->byte[b->count++] = (unsigned char)(value >> (8 * k));
        if (b->count == 3) finish(b);
    }
}

void dls_base64_float(struct dls_base64 *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    dls_base64_put(b, bits, 4);
}

struct dls_base64 dls_base64_open(FILE *out, const char *id)
{
    fprintf(out, "<script type='application/octet-stream' id='%s'>", id);
    return (struct dls_base64){.out = out};
}

void dls_base64_close(struct dls_base64 *b)
{
    finish(b);
    fputs("</script>\n", b->out);
}
