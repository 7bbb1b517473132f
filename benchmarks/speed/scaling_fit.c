// SPDX-License-Identifier: Apache-2.0
// A power law through points: with X = log x, Y = log y and means X_, Y_,
//
//   exponent = sum (X - X_)(Y - Y_) / sum (X - X_)^2,   log factor = Y_ - exponent X_.
#include <math.h>

#include "benchmarks/speed/scaling.h"

static bool is_point(double x, double y)
{
    return x > 0 && y > 0 && isfinite(x) && isfinite(y);
}

struct dls_power_law dls_power_law_fit(const double *x, const double *y, int count)
{
    struct dls_power_law law = {0, NAN, NAN, INFINITY, 0};
    double mean_x = 0, mean_y = 0, spread = 0, slope = 0;
    for (int k = 0; k < count; k++) {
        if (!is_point(x[k], y[k])) continue;
        law.points++;
        law.lo = fmin(law.lo, x[k]);
        law.hi = fmax(law.hi, x[k]);
        mean_x += (log(x[k]) - mean_x) / law.points;
        mean_y += (log(y[k]) - mean_y) / law.points;
    }
    if (!(law.hi > law.lo)) return law;
    for (int k = 0; k < count; k++) {
        if (!is_point(x[k], y[k])) continue;
        double off = log(x[k]) - mean_x;
        spread += off * off;
        slope += off * (log(y[k]) - mean_y);
    }
    law.exponent = slope / spread;
    law.factor = exp(mean_y - law.exponent * mean_x);
    return law;
}
