// SPDX-License-Identifier: Apache-2.0
// Numbers of 113 bits, for what doubles cannot tell: GCC's and Clang's __float128, whose
// arithmetic comes with the compiler. Where a compiler has no such type its long double
// stands in; nothing else depends on which of them it is.
#ifndef DLS_BASE_QUAD_H
#define DLS_BASE_QUAD_H

#include <float.h>
#include <math.h>

#ifdef __SIZEOF_FLOAT128__
typedef __float128 dls_quad;
enum { DLS_QUAD_BITS = 113 };
#else
typedef long double dls_quad;
enum { DLS_QUAD_BITS = LDBL_MANT_DIG };
#endif

// The square root by Heron's steps from that of doubles, each of which doubles the count
// of right digits; x is brought to the range of doubles first. 0 for x <= 0; what is not
// finite stays as it is.
static inline dls_quad dls_quad_sqrt(dls_quad x)
{
    const dls_quad up = 0x1p600, half_down = 0x1p-300;
    dls_quad scale = 1;
    if (x <= 0) return 0;
    if (x - x != 0) return x; // NaN, infinity
    for (; x < (dls_quad)0x1p-600; scale *= half_down) x *= up;
    for (; x > up; scale /= half_down) x /= up;
    dls_quad root = sqrt((double)x);
    for (int k = 0; k < 2; k++) root = (root + x / root) / 2;
    return scale * root;
}

static inline dls_quad dls_quad_norm(const dls_quad *x, int count)
{
    dls_quad sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return dls_quad_sqrt(sum);
}

static inline dls_quad dls_quad_abs(dls_quad x) { return x < 0 ? -x : x; }

#endif
