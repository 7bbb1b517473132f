// SPDX-License-Identifier: Apache-2.0
// SHA-256 as FIPS 180-4 writes it: messages in blocks of 64 bytes, 64 rounds each.
//
// Notation: a ... h = v[0] ... v[7], H = state, K_t = round[t], W_t = schedule[t].
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};

static uint32_t turn(uint32_t x, int bits) { return x >> bits | x << (32 - bits); }

static void fill_schedule(uint32_t W[64], const unsigned char block[64])
{
    for (int t = 0; t < 16; t++) {
        const unsigned char *b = block + 4 * t;
        W[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int t = 16; t < 64; t++) {
        uint32_t x = W[t - 15], y = W[t - 2];
        W[t] = W[t - 16] + (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + W[t - 7]
               + (turn(y, 17) ^ turn(y, 19) ^ y >> 10);
    }
}

static void take_block(uint32_t state[8], const unsigned char block[64])
{
    uint32_t W[64], v[8];
    fill_schedule(W, block);
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t a = v[0], e = v[4];
        uint32_t choice = (e & v[5]) ^ (~e & v[6]);
        uint32_t majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
        uint32_t T1 = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice
                      + round_constants[t] + W[t];
        uint32_t T2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += T1; // e = d + T1
        v[0] = T1 + T2;
    }
    for (int k = 0; k < 8; k++) state[k] += v[k];
}

struct dls_sha256 dls_sha256_start(void)
{
    // First 32 bits of the fractional parts of the square roots of the first 8 primes.
    return (struct dls_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab,
                                         0x5be0cd19}};
}

void dls_sha256_add(struct dls_sha256 *s, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    for (size_t k = 0; k < count;) {
        size_t had = s->bytes % 64, room = 64 - had;
        size_t take = count - k < room ? count - k : room;
        memcpy(s->block + had, from + k, take);
        s->bytes += take;
        k += take;
        if (had + take == 64) take_block(s->state, s->block);
    }
}

char *dls_sha256_end(struct dls_sha256 *s, char text[DLS_SHA256_TEXT])
{
    static const unsigned char one = 0x80, zero = 0;
    uint64_t bits = 8 * s->bytes;
    unsigned char length[8];
    for (int k = 0; k < 8; k++) length[k] = (unsigned char)(bits >> (56 - 8 * k));
    dls_sha256_add(s, &one, 1);
    while (s->bytes % 64 != 56) dls_sha256_add(s, &zero, 1);
    dls_sha256_add(s, length, sizeof length);
    for (int k = 0; k < 8; k++) snprintf(text + 8 * k, 9, "%08x", s->state[k]);
    return text;
}

bool dls_sha256_file(const char *path, char text[DLS_SHA256_TEXT])
{
    struct dls_sha256 s = dls_sha256_start();
    unsigned char buffer[1 << 16];
    FILE *in = fopen(path, "rb");
    if (!in) return false;
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, in));)
        dls_sha256_add(&s, buffer, got);
    bool good = !ferror(in);
    fclose(in);
    dls_sha256_end(&s, text);
    return good;
}
