// SPDX-License-Identifier: Apache-2.0
// Resultants across cuts [MoreauJean1996, 6; Moreau2004, 10.3].
//
//   R = sum f,   C = sum (x_c - point) x f     over contacts whose two grains have their
//                                              centres on opposite sides
//   in the plane the resultant acts on x = x_0 at the height  y = y_0 - C / R_x
//
// A strip of a surface of revolution has the area pi (r_1 + r_2) L. The meridian half
// plane (r, z) shows each grain at its radius and height; a contact crosses the strip
// where the segment between the two grains does. T = (sum f_r, sum f_z) / area; the
// orthoradial part is left out. A symmetric stress, T = sigma nu, gives
// nu . T' = nu' . T for two strips through the same place.
#include "problems/observe/cut.h"

static double side(const struct dls_cut *cut, dls_vec3 x)
{
    dls_vec3 from = dls_vec3_sub(x, cut->point);
    if (cut->radius > 0) return hypot(from.x, from.y) - cut->radius;
    return dls_vec3_dot(from, cut->n);
}

struct dls_resultant dls_cut_resultant(const struct dls_observed *o,
                                       const struct dls_cut *cut, dls_chosen *chosen,
                                       const void *data)
{
    struct dls_resultant sum = {0};
    for (int c = 0; c < o->forces; c++) {
        const struct dls_force *f = &o->force[c];
        if (f->other < 0) continue;
        if (chosen && !(chosen(o, f->grain, data) && chosen(o, f->other, data)))
            continue;
        bool outer = side(cut, o->grain[f->grain].pose.at) > 0;
        if (outer == (side(cut, o->grain[f->other].pose.at) > 0)) continue;
        dls_vec3 force = dls_vec3_scale(outer ? -1 : 1, f->f); // on the inner one
        dls_vec3 arm = dls_vec3_sub(f->point, cut->point);
        sum.force = dls_vec3_add(sum.force, force);
        sum.moment = dls_vec3_add(sum.moment, dls_vec3_cross(arm, force));
        sum.contacts++;
    }
    return sum;
}

double dls_cut_height(const struct dls_cut *cut, const struct dls_resultant *r)
{
    return cut->point.y - r->moment.z / r->force.x;
}

struct dls_resultant dls_cut_mean(const struct dls_observed *o,
                                  const struct dls_cut *cut, double length, int count)
{
    struct dls_resultant sum = {0};
    for (int k = 0; k < count; k++) {
        struct dls_cut here = *cut;
        double by = count > 1 ? length * ((double)k / (count - 1) - 0.5) : 0;
        if (cut->radius > 0)
            here.radius += by;
        else
            here.point = dls_vec3_add(cut->point, dls_vec3_scale(by, cut->n));
        struct dls_resultant r = dls_cut_resultant(o, &here, NULL, NULL);
        sum.force = dls_vec3_add(sum.force, dls_vec3_scale(1.0 / count, r.force));
        sum.moment = dls_vec3_add(sum.moment, dls_vec3_scale(1.0 / count, r.moment));
        sum.contacts += r.contacts;
    }
    return sum;
}

enum { SECTORS = 8 };

// A point of space in the meridian half plane of a strip.
static void meridian(const struct dls_strip *s, dls_vec3 x, double to[2])
{
    to[0] = hypot(x.x - s->axis.x, x.y - s->axis.y);
    to[1] = x.z - s->axis.z;
}

static double turn(const double a[2], const double b[2], const double x[2])
{
    return (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
}

// 1 where the segment p -> q crosses the strip to its positive side, -1 to the other.
static int crossing(const struct dls_strip *s, const double p[2], const double q[2])
{
    double a = turn(s->from, s->to, p), b = turn(s->from, s->to, q);
    if ((a > 0) == (b > 0)) return 0;
    if ((turn(p, q, s->from) > 0) == (turn(p, q, s->to) > 0)) return 0;
    return a > 0 ? 1 : -1; // n = (dz, -dr) points to where `turn` is negative
}

static int sector_of(const struct dls_strip *s, dls_vec3 x)
{
    double angle = atan2(x.y - s->axis.y, x.x - s->axis.x) / (2 * acos(-1)) + 0.5;
    int k = (int)(SECTORS * angle);
    return k < SECTORS ? k : SECTORS - 1;
}

static double spread(const double *x)
{
    double mean = 0, square = 0;
    for (int k = 0; k < SECTORS; k++) mean += x[k] / SECTORS;
    for (int k = 0; k < SECTORS; k++) square += (x[k] - mean) * (x[k] - mean);
    return sqrt(square / (SECTORS - 1) / SECTORS);
}

struct dls_density dls_strip_density(const struct dls_observed *o,
                                     const struct dls_strip *s)
{
    double length = hypot(s->to[0] - s->from[0], s->to[1] - s->from[1]);
    struct dls_density d = {.area = acos(-1) * (s->from[0] + s->to[0]) * length};
    double r[SECTORS] = {0}, z[SECTORS] = {0}, p[2], q[2];
    for (int c = 0; c < o->forces; c++) {
        const struct dls_force *f = &o->force[c];
        if (f->other < 0) continue;
        meridian(s, o->grain[f->grain].pose.at, p);
        meridian(s, o->grain[f->other].pose.at, q);
        int way = crossing(s, p, q); // the grain is on the negative side where way = 1
        if (!way) continue;
        double x = f->point.x - s->axis.x, y = f->point.y - s->axis.y, at = hypot(x, y);
        double radial = at > 0 ? (f->f.x * x + f->f.y * y) / at : 0;
        int k = sector_of(s, f->point);
        r[k] += way * radial * SECTORS / d.area;
        z[k] += way * f->f.z * SECTORS / d.area;
        d.contacts++;
    }
    for (int k = 0; k < SECTORS; k++) d.r += r[k] / SECTORS, d.z += z[k] / SECTORS;
    d.error_r = spread(r);
    d.error_z = spread(z);
    return d;
}

double dls_reciprocity(const struct dls_strip s[2], const struct dls_density t[2],
                       double *error)
{
    double n[2][2], defect = 0, square = 0;
    for (int k = 0; k < 2; k++) {
        double dr = s[k].to[0] - s[k].from[0], dz = s[k].to[1] - s[k].from[1];
        n[k][0] = dz / hypot(dr, dz);
        n[k][1] = -dr / hypot(dr, dz);
    }
    for (int k = 0; k < 2; k++) {
        const double *nu = n[1 - k];
        double sign = k ? 1 : -1;
        defect += sign * (nu[0] * t[k].r + nu[1] * t[k].z);
        square += pow(nu[0] * t[k].error_r, 2) + pow(nu[1] * t[k].error_z, 2);
    }
    *error = sqrt(square);
    return defect;
}
