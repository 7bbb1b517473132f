// SPDX-License-Identifier: Apache-2.0
// Ground pressure  p_k = sum f_z / A_k,  A_k = pi (r_2^2 - r_1^2) or the width of a
// strip; forces on obstacles, and their means over the phase of a shaken vessel.
#include "problems/observe/pressure.h"

#include <assert.h>

double dls_bin_area(const struct dls_bins *b, int dim, int k)
{
    double inner = b->from + k * b->width, outer = inner + b->width;
    return dim == 2 ? b->width : acos(-1) * (outer * outer - inner * inner);
}

static bool with(const struct dls_force *f, int first, int last)
{
    return f->obstacle >= first && f->obstacle < last;
}

double dls_ground_pressure(const struct dls_observed *o, const struct dls_bins *b,
                           double *p)
{
    double beyond = 0;
    for (int k = 0; k < b->count; k++) p[k] = 0;
    for (int c = 0; c < o->forces; c++) {
        const struct dls_force *f = &o->force[c];
        if (!with(f, b->first, b->last)) continue;
        double at = o->dim == 2 ? f->point.x - b->axis : hypot(f->point.x, f->point.y);
        double up = o->dim == 2 ? f->f.y : f->f.z;
        double k = floor((at - b->from) / b->width);
        if (k >= 0 && k < b->count)
            p[(int)k] += up / dls_bin_area(b, o->dim, (int)k);
        else
            beyond += up;
    }
    return beyond;
}

dls_vec3 dls_obstacle_force(const struct dls_observed *o, int first, int last)
{
    dls_vec3 sum = {0};
    for (int c = 0; c < o->forces; c++)
        if (with(&o->force[c], first, last)) sum = dls_vec3_add(sum, o->force[c].f);
    return sum;
}

void dls_window_add(struct dls_window *w, double t, double value)
{
    assert(w->bins > 0 && w->bins <= DLS_PHASES);
    double phase = t / w->period - floor(t / w->period);
    int k = (int)(phase * w->bins);
    if (k >= w->bins) k = w->bins - 1;
    w->sum[k] += value;
    w->count[k]++;
}

double dls_window_mean(const struct dls_window *w, double from, double to)
{
    double sum = 0;
    long count = 0;
    for (int k = 0; k < w->bins; k++) {
        double phase = (k + 0.5) / w->bins;
        if (phase < from || phase >= to) continue;
        sum += w->sum[k];
        count += w->count[k];
    }
    return count ? sum / (double)count : NAN;
}
