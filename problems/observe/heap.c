// SPDX-License-Identifier: Apache-2.0
// The shape of a heap of balls about the vertical through the origin.
//
//   surface   a ball lowered along its vertical stops at the height
//             z_i + sqrt((r_i + r)^2 - across^2) of the highest grain in its way
//   slope     least squares of the surface over the distance from the axis
//   layer     grains deposited one after another [Moreau2004, 10.1]: those near (r, z)
//             tell when that place was filled; of those deposited about then, and not
//             far, z is fitted over r by least squares
#include "problems/observe/heap.h"

enum { SIDES = 16, RADII = 40, PROBES = 60, FEWEST = 8 };

static const double pi = 3.14159265358979323846;

static double up(int dim, dls_vec3 x) { return dim == 2 ? x.y : x.z; }
static double off(int dim, dls_vec3 x)
{
    return dim == 2 ? fabs(x.x) : hypot(x.x, x.y);
}

double dls_surface_height(const struct dls_observed *o, dls_vec3 at, double probe,
                          double floor)
{
    double height = floor;
    for (int k = 0; k < o->grains; k++) {
        const struct dls_grain *g = &o->grain[k];
        dls_vec3 d = dls_vec3_sub(at, g->pose.at);
        double far = probe + g->shape->bound;
        double rest = far * far - d.x * d.x - (o->dim == 3 ? d.y * d.y : 0);
        if (rest > 0)
            height = fmax(height, up(o->dim, g->pose.at) + sqrt(rest) - probe);
    }
    return height;
}

// Slope and intercept of y over x by least squares.
struct line {
    int count;
    double x, y, xx, xy, yy;
};

static void add(struct line *l, double x, double y)
{
    l->count++;
    l->x += x, l->y += y, l->xx += x * x, l->xy += x * y, l->yy += y * y;
}

static double slope(const struct line *l)
{
    return (l->count * l->xy - l->x * l->y) / (l->count * l->xx - l->x * l->x);
}

// Its standard error, from the spread about the line.
static double slope_error(const struct line *l)
{
    double n = l->count, s = slope(l), sxx = l->xx - l->x * l->x / n;
    double left = l->yy - l->y * l->y / n - s * s * sxx;
    return sqrt(fmax(left, 0) / (n - 2) / sxx);
}

// Mean height of the surface at a distance from the axis.
static double ring(const struct dls_observed *o, double r, double probe, double floor)
{
    double sum = 0;
    int sides = o->dim == 2 ? 2 : SIDES;
    for (int k = 0; k < sides; k++) {
        double turn = 2 * pi * k / sides;
        dls_vec3 at = {r * cos(turn), o->dim == 2 ? 0 : r * sin(turn), 0};
        sum += dls_surface_height(o, at, probe, floor) / sides;
    }
    return sum;
}

struct dls_heap dls_heap_shape(const struct dls_observed *o, double middle,
                               double floor)
{
    struct dls_heap heap = {0};
    double probe = 0, widest = 0;
    for (int k = 0; k < o->grains; k++) {
        probe += o->grain[k].shape->bound / o->grains;
        widest = fmax(widest, off(o->dim, o->grain[k].pose.at));
    }
    double height = 0, weight = 0;
    for (int k = 0; k < PROBES; k++) { // rings of the middle, weighted by their areas
        double r = middle * (k + 0.5) / PROBES, area = o->dim == 2 ? 1 : r;
        height += area * (ring(o, r, probe, floor) - floor);
        weight += area;
    }
    heap.height = height / weight;
    struct line line = {0};
    double step = fmax(widest / (4 * RADII), 0.5 * probe);
    for (double r = 0; r < widest; r += step) {
        double z = ring(o, r, probe, floor) - floor;
        if (z > 0.2 * heap.height && z < 0.8 * heap.height) add(&line, r, z);
    }
    double s = slope(&line);
    heap.angle = -atan(s) * 180 / pi;
    heap.base = line.x / line.count - line.y / line.count / s;
    return heap;
}

double dls_layer_angle(const struct dls_observed *o, const struct dls_layer_at *at,
                       double *error)
{
    double number = 0;
    int count = 0;
    for (int k = 0; k < o->grains; k++) {
        dls_vec3 x = o->grain[k].pose.at;
        double away = hypot(off(o->dim, x) - at->r, up(o->dim, x) - at->z);
        if (away < at->near) number += o->grain[k].number, count++;
    }
    *error = NAN;
    if (!count) return NAN;
    number /= count;
    struct line line = {0};
    for (int k = 0; k < o->grains; k++) {
        dls_vec3 x = o->grain[k].pose.at;
        double r = off(o->dim, x), z = up(o->dim, x);
        bool then = fabs(o->grain[k].number - number) < 0.5 * at->window;
        if (then && hypot(r - at->r, z - at->z) < at->wide) add(&line, r, z);
    }
    if (line.count < FEWEST) return NAN;
    *error = slope_error(&line) * 180 / pi; // of a slope below 1, at most this
    return atan(slope(&line)) * 180 / pi;
}
