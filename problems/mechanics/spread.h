// SPDX-License-Identifier: Apache-2.0
// How the values of a run are spread (residuals, iterations, contacts), in a fixed piece of memory.
//
// A value x = f 2^e, f in [1/2, 1), is counted in one of 32 equal parts of its octave, so
// that a quantile is known within 3 %, and integers up to 64 are known exactly. Below
// 2^-64 and above 2^32 the last part counts them all.
#ifndef DLS_PROBLEMS_MECHANICS_SPREAD_H
#define DLS_PROBLEMS_MECHANICS_SPREAD_H

#include <stdint.h>

enum { DLS_SPREAD_PARTS = 32, DLS_SPREAD_LOW = -64, DLS_SPREAD_HIGH = 32 };

struct dls_spread {
    long count;
    double most;
    uint32_t part[(DLS_SPREAD_HIGH - DLS_SPREAD_LOW) * DLS_SPREAD_PARTS];
};

// Values are not negative; NAN counts as infinite.
void dls_spread_add(struct dls_spread *, double value);

// Counts what another one has counted.
void dls_spread_join(struct dls_spread *, const struct dls_spread *);

// The least value that a share of all do not exceed (0.5: the median); NAN for none.
double dls_spread_quantile(const struct dls_spread *, double share);

#endif
