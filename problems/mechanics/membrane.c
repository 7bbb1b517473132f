// SPDX-License-Identifier: Apache-2.0
// A disk is of a column when its centre sees that side: nobody stands between them at that
// height. Columns keep their disks for the whole test, as the grains that a rubber skin
// was glued to.
#include "problems/mechanics/membrane.h"

#include <math.h>

// Whether no body stands between the centre of disk k and the side.
static bool sees(const struct dls_rigid *r, int k, double way)
{
    for (int j = 0; j < r->bodies; j++) {
        double up = fabs(r->body[j].at.y - r->body[k].at.y);
        double out = way * (r->body[j].at.x - r->body[k].at.x);
        if (j != k && up < r->shape[j].radius && out > 0) return false;
    }
    return true;
}

bool dls_membrane_find(struct dls_membrane *m, const struct dls_rigid *r,
                       struct dls_arena *a)
{
    for (int side = 0; side < 2; side++) {
        struct dls_column *c = &m->side[side];
        *c = (struct dls_column){.disk = DLS_NEW(a, int, r->bodies)};
        for (int k = 0; c->disk && k < r->bodies; k++) {
            if (!sees(r, k, side ? 1 : -1)) continue;
            int at = c->count++;
            for (; at > 0 && r->body[c->disk[at - 1]].at.y > r->body[k].at.y; at--)
                c->disk[at] = c->disk[at - 1];
            c->disk[at] = k;
        }
    }
    return !a->failed;
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
