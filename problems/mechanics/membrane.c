// SPDX-License-Identifier: Apache-2.0
// A disk is of a column when its centre sees that side: nobody stands between them at that
// height. Columns are found again as the disks move, like those that a loose skin lies
// on: a disk that is squeezed out between two others is pressed back at once. Springs stay
// between the disks that were neighbours at the start.
#include "problems/mechanics/membrane.h"

#include <math.h>

// Whether no disk stands between the centre of disk k and the side.
static bool sees(const struct dls_membrane *m, const double *q, int k, double way)
{
    for (int j = 0; j < m->disks; j++) {
        double up = fabs(q[3 * j + 1] - q[3 * k + 1]);
        double out = way * (q[3 * j] - q[3 * k]);
        if (j != k && up < m->radius[j] && out > 0) return false;
    }
    return true;
}

void dls_membrane_follow(const struct dls_membrane *m, const double *q)
{
    for (int side = 0; side < 2; side++) {
        struct dls_column *c = &m->side[side];
        c->count = 0;
        for (int k = 0; k < m->disks; k++) {
            if (!sees(m, q, k, side ? 1 : -1)) continue;
            int at = c->count++;
            for (; at > 0 && q[3 * c->disk[at - 1] + 1] > q[3 * k + 1]; at--)
                c->disk[at] = c->disk[at - 1];
            c->disk[at] = k;
        }
    }
}

bool dls_membrane_find(struct dls_membrane *m, const struct dls_rigid *r,
                       struct dls_arena *a)
{
    double *q = DLS_NEW(a, double, 3 * r->bodies);
    m->disks = r->bodies;
    m->radius = DLS_NEW(a, double, r->bodies);
    m->side = DLS_NEW(a, struct dls_column, 2);
    for (int side = 0; m->side && side < 2; side++)
        m->side[side].disk = DLS_NEW(a, int, r->bodies);
    if (a->failed) return false;
    for (int k = 0; k < r->bodies; k++) {
        m->radius[k] = r->shape[k].radius;
        q[3 * k] = r->body[k].at.x;
        q[3 * k + 1] = r->body[k].at.y;
    }
    dls_membrane_follow(m, q);
    return true;
}

void dls_membrane_springs(const struct dls_membrane *m, struct dls_rigid *r,
                          double stiffness)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i + 1 < m->side[side].count; i++) {
            int k = m->side[side].disk[i], next = m->side[side].disk[i + 1];
            dls_vec3 at = r->body[k].at, other = r->body[next].at;
            dls_rigid_spring(r, (struct dls_spring){
                                    .body = k,
                                    .other = next,
                                    .at = at,
                                    .other_at = other,
                                    .stiffness = stiffness,
                                    .rest = dls_vec3_norm(dls_vec3_sub(other, at)),
                                });
        }
}

void dls_membrane_press(const struct dls_membrane *m, const double *q, double bottom,
                        double top, double *F)
{
    for (int side = 0; side < 2; side++) {
        const struct dls_column *c = &m->side[side];
        double below = bottom, way = side ? -1 : 1;
        for (int i = 0; i < c->count; i++) {
            const double *at = q + 3 * c->disk[i];
            double above = top;
            if (i + 1 < c->count) above = 0.5 * (at[1] + q[3 * c->disk[i + 1] + 1]);
            if (above > below) F[3 * c->disk[i]] += way * m->pressure * (above - below);
            below = above;
        }
    }
}

// The area on the left of a column, from x = 0, and its height.
static double area_beside(const struct dls_column *c, const double *q, double *height)
{
    double sum = 0;
    for (int i = 0; i + 1 < c->count; i++) {
        const double *a = q + 3 * c->disk[i], *b = q + 3 * c->disk[i + 1];
        sum += 0.5 * (a[0] + b[0]) * (b[1] - a[1]);
        *height += b[1] - a[1];
    }
    return sum;
}

double dls_membrane_width(const struct dls_membrane *m, const double *q)
{
    double mean[2];
    for (int side = 0; side < 2; side++) {
        double height = 0, area = area_beside(&m->side[side], q, &height);
        mean[side] = area / height;
    }
    return mean[1] - mean[0];
}
