// SPDX-License-Identifier: Apache-2.0
// The ranges of a film that its numbers are shares of.
//
// The frame of the picture is where the bodies are, less those few that fly off: in each
// frame of time the 2 % farthest to each side are left out, and 0.3 of what is left is
// added on both sides as far as there are bodies.
#include <math.h>
#include <stdlib.h>

#include "benchmarks/film/film_parts.h"

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The range of one coordinate in one frame of time: `all` in the first pair, without the
// few farthest in the second.
static void frame_range(const struct dls_film *f, const struct dls_film_frame *frame,
                        int axis, double *work, double range[4])
{
    int count = 0;
    double lowest = INFINITY, highest = -INFINITY, largest = 0;
    for (int b = 0; b < frame->bodies; b++) {
        double x = frame->at[3 * b + axis], by = dls_film_radius(f, b);
        if (dls_film_silent(f, b) || !isfinite(x)) continue;
        lowest = fmin(lowest, x - by);
        highest = fmax(highest, x + by);
        largest = fmax(largest, by);
        work[count++] = x;
    }
    range[0] = range[2] = lowest;
    range[1] = range[3] = highest;
    int few = count / 50;
    if (!few) return;
    qsort(work, (size_t)count, sizeof *work, by_value);
    range[2] = fmax(lowest, work[few] - largest);
    range[3] = fmin(highest, work[count - 1 - few] + largest);
}

static void find_box(struct dls_film_range *r, const struct dls_film *f, double *work)
{
    for (int i = 0; i < 3; i++) {
        double all[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY}, one[4];
        for (int k = 0; k < f->frames; k++) {
            frame_range(f, &f->frame[k], i, work, one);
            for (int e = 0; e < 4; e++)
                all[e] = e % 2 ? fmax(all[e], one[e]) : fmin(all[e], one[e]);
        }
        double margin = 0.3 * (all[3] - all[2]);
        r->low[i] = fmax(all[0], all[2] - margin);
        r->high[i] = fmin(all[1], all[3] + margin);
        bool flat = i == 2 && f->dim == 2, some = r->low[i] < r->high[i];
        if (flat || !(r->low[i] <= r->high[i])) r->low[i] = r->high[i] = 0;
        if (!flat && !some) r->low[i] -= 0.5, r->high[i] += 0.5;
    }
}

bool dls_film_find_range(struct dls_film_page *p)
{
    const struct dls_film *f = p->film;
    struct dls_film_range *r = &p->range;
    struct dls_spread *forces = DLS_NEW(p->arena, struct dls_spread, 1);
    double *work = DLS_RAW(p->arena, double, f->bodies);
    if (p->arena->failed) return false;
    find_box(r, f, work);
    for (int k = 0; k < f->frames; k++) {
        const struct dls_film_frame *frame = &f->frame[k];
        for (int b = 0; b < frame->bodies; b++)
            if (!dls_film_silent(f, b)) r->speed = fmax(r->speed, frame->speed[b]);
        for (int c = 0; c < frame->contacts; c++)
            if (frame->contact[c].force > 0)
                dls_spread_add(forces, frame->contact[c].force);
    }
    r->force = forces->count ? dls_spread_quantile(forces, 0.98) : 0;
    return true;
}
