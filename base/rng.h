// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: xoshiro256** seeded by splitmix64
// [Blackman and Vigna, 2021].
#ifndef DLS_BASE_RNG_H
#define DLS_BASE_RNG_H

#include <math.h>
#include <stdint.h>

struct dls_rng {
    uint64_t s[4];
};

static inline struct dls_rng dls_rng_seed(uint64_t seed)
{
    struct dls_rng g;
    for (int k = 0; k < 4; k++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        g.s[k] = z ^ (z >> 31);
    }
    return g;
}

static inline uint64_t dls_rng_next(struct dls_rng *g)
{
    uint64_t *s = g->s, x = s[1] * 5, t = s[1] << 17;
    x = ((x << 7) | (x >> 57)) * 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return x;
}

// Uniform in [0, 1), in [lo, hi), and an integer in 0 ... n - 1.
static inline double dls_rng_real(struct dls_rng *g)
{
    return (double)(dls_rng_next(g) >> 11) * 0x1p-53;
}
static inline double dls_rng_range(struct dls_rng *g, double lo, double hi)
{
    return lo + (hi - lo) * dls_rng_real(g);
}
static inline int dls_rng_below(struct dls_rng *g, int n)
{
    return (int)(((dls_rng_next(g) >> 32) * (uint64_t)n) >> 32);
}

// Standard normal (one of the Box-Muller pair).
static inline double dls_rng_normal(struct dls_rng *g)
{
    double radius = sqrt(-2 * log(1 - dls_rng_real(g)));
    return radius * cos(6.283185307179586 * dls_rng_real(g));
}

#endif
