// SPDX-License-Identifier: Apache-2.0
#include "problems/mechanics/spread.h"

#include <math.h>

enum { PARTS = (DLS_SPREAD_HIGH - DLS_SPREAD_LOW) * DLS_SPREAD_PARTS };

static int part_of(double value)
{
    int e;
    double f = frexp(value, &e); // value = f 2^e, f in [1/2, 1)
    if (!(value > 0) || e <= DLS_SPREAD_LOW) return 0;
    if (e > DLS_SPREAD_HIGH || isinf(value)) return PARTS - 1;
    return (e - 1 - DLS_SPREAD_LOW) * DLS_SPREAD_PARTS
           + (int)((2 * f - 1) * DLS_SPREAD_PARTS);
}

// The least value that is counted there.
static double value_of(int part)
{
    int e = part / DLS_SPREAD_PARTS + 1 + DLS_SPREAD_LOW, k = part % DLS_SPREAD_PARTS;
    return part ? ldexp(0.5 + 0.5 * k / DLS_SPREAD_PARTS, e) : 0;
}

void dls_spread_add(struct dls_spread *s, double value)
{
    double x = isnan(value) ? INFINITY : value;
    s->count++;
    s->most = fmax(s->most, x);
    s->part[part_of(x)]++;
}

void dls_spread_join(struct dls_spread *s, const struct dls_spread *other)
{
    s->count += other->count;
    s->most = fmax(s->most, other->most);
    for (int k = 0; k < PARTS; k++) s->part[k] += other->part[k];
}

double dls_spread_quantile(const struct dls_spread *s, double share)
{
    double wanted = share * (double)s->count * (1 - 1e-12); // whatever share rounds to
    long below = 0;
    for (int k = 0; k < PARTS && s->count; k++) {
        below += s->part[k];
        if ((double)below >= wanted) return fmin(value_of(k), s->most);
    }
    return NAN;
}
