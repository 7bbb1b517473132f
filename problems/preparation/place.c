// SPDX-License-Identifier: Apache-2.0
// Starting places. None of them looks at forces: settle.h does.
#include "problems/preparation/place.h"

#include "problems/mechanics/shape_mass.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void dls_random_radii(int count, double least, double most, struct dls_rng *g,
                      double *radius)
{
    for (int k = 0; k < count; k++) radius[k] = 0.5 * dls_rng_range(g, least, most);
}

// The cell `site` of the rows, its centre; false where the place is not to be used.
static bool cell_centre(const struct dls_rows *rows, double cell, long site,
                        dls_vec3 *at)
{
    const struct dls_region *box = &rows->region;
    long across = (long)fmax(1, floor((box->hi.x - box->lo.x) / cell));
    long deep =
        rows->dim == 3 ? (long)fmax(1, floor((box->hi.y - box->lo.y) / cell)) : 1;
    double x = box->lo.x + ((double)(site % across) + 0.5) * cell;
    double second = ((double)(site / across % deep) + 0.5) * cell;
    double up = ((double)(site / across / deep) + 0.5) * cell;
    *at = rows->dim == 2 ? (dls_vec3){x, box->lo.y + up, 0}
                         : (dls_vec3){x, box->lo.y + second, box->lo.z + up};
    if (!rows->round) return true;
    dls_vec3 from = {at->x - 0.5 * (box->lo.x + box->hi.x),
                     at->y - 0.5 * (box->lo.y + box->hi.y), 0};
    return dls_vec3_norm(from) + 0.5 * cell < 0.5 * (box->hi.x - box->lo.x);
}

void dls_place_rows(const struct dls_rows *rows, int count, const double *radius,
                    struct dls_rng *g, dls_vec3 *at)
{
    double most = 0;
    for (int k = 0; k < count; k++) most = fmax(most, radius[k]);
    double cell = 2 * most * (1 + rows->gap);
    long site = 0;
    for (int k = 0; k < count; k++) {
        while (!cell_centre(rows, cell, site, &at[k])) site++;
        site++;
    }
    for (int k = count - 1; k > 0; k--) { // a random order, so that sizes mix
        int other = dls_rng_below(g, k + 1);
        dls_vec3 swap = at[k];
        at[k] = at[other];
        at[other] = swap;
    }
    for (int k = 0; k < count; k++) {
        double room = 0.5 * cell - radius[k];
        at[k].x += room * dls_rng_range(g, -1, 1);
        at[k].y += room * dls_rng_range(g, -1, 1);
        if (rows->dim == 3) at[k].z += room * dls_rng_range(g, -1, 1);
    }
}

struct site {
    double rank;
    dls_vec3 at;
};

static int compare_sites(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->at.y != y->at.y) return x->at.y < y->at.y ? -1 : 1;
    return (x->at.x > y->at.x) - (x->at.x < y->at.x);
}

enum dls_status dls_place_lattice(const struct dls_lattice *l, int count, dls_vec3 *at,
                                  struct dls_arena *a)
{
    // A rhombus of lattice points that covers the circle about the rectangle.
    double radius = sqrt(count * fmax(l->aspect, 1 / l->aspect));
    int half = (int)ceil(1.2 * radius) + 3, side = 2 * half + 1, found = 0;
    struct dls_arena scratch = dls_arena_scratch(a);
    struct site *all = DLS_NEW(&scratch, struct site, (size_t)side * (size_t)side);
    for (int j = -half; all && j <= half; j++)
        for (int i = -half; i <= half; i++) {
            double x = l->spacing * (i + (l->triangular ? 0.5 * j + 0.25 : 0.5));
            double y = l->spacing * (j + 0.5) * (l->triangular ? sqrt(0.75) : 1);
            dls_vec3 p = {cos(l->turn) * x - sin(l->turn) * y,
                          sin(l->turn) * x + cos(l->turn) * y, 0};
            double rank = fmax(fabs(p.x), l->aspect * fabs(p.y)) / l->spacing;
            all[found++] = (struct site){rint(1e9 * rank), p}; // ties by place
        }
    if (all) qsort(all, (size_t)found, sizeof *all, compare_sites);
    for (int k = 0; all && k < count; k++) at[k] = all[k].at;
    dls_arena_free(&scratch);
    return all ? DLS_OK : DLS_ENOMEM;
}

void dls_place_body(struct dls_rigid *r, int body, dls_vec3 at)
{
    dls_vec3 by = dls_vec3_sub(at, r->body[body].at);
    r->body[body].at = at;
    for (int k = 0; k < r->obstacles; k++) {
        struct dls_obstacle *o = &r->obstacle[k];
        if (r->carrier[k] != body) continue;
        o->point = dls_vec3_add(o->point, by);
        o->end = dls_vec3_add(o->end, by);
        o->pose.at = dls_vec3_add(o->pose.at, by);
    }
}

enum dls_status dls_regular_polygon(struct dls_shape *s, int sides, double circumradius,
                                    struct dls_arena *a, struct dls_error *err)
{
    dls_vec3 *corner = DLS_NEW(a, dls_vec3, sides);
    if (!corner) return dls_fail(err, DLS_ENOMEM, "out of memory");
    for (int k = 0; k < sides; k++) {
        double angle = 2 * acos(-1) * k / sides;
        corner[k] = (dls_vec3){circumradius * cos(angle), circumradius * sin(angle), 0};
    }
    return dls_shape_polygon(s, sides, corner, err);
}

enum dls_status dls_random_polygons(struct dls_rigid *r, const struct dls_polygons *o,
                                    const dls_vec3 *at, struct dls_rng *g,
                                    struct dls_arena *a, struct dls_error *err)
{
    int more = o->most > o->least ? o->most - o->least : 0;
    for (int i = 0; i < o->count; i++) {
        struct dls_shape shape;
        int sides = o->least + dls_rng_below(g, more + 1);
        enum dls_status status =
            dls_regular_polygon(&shape, sides, o->circumradius, a, err);
        if (status) return status;
        int k = dls_rigid_body(r, dls_body_polygon(o->density, &shape, at[i]), shape);
        r->angle[k] = dls_rng_range(g, 0, 2 * acos(-1));
    }
    return DLS_OK;
}

// Fixed grains stand `least` apart: their gaps are smaller than any grain.
int dls_pavement_room(const struct dls_pavement *p, int dim)
{
    int across = 2 * (int)ceil(p->reach / p->least) + 1;
    return dim == 2 ? across : across * across;
}

static struct dls_obstacle fixed_ball(dls_vec3 at, double radius)
{
    return (struct dls_obstacle){
        .kind = DLS_OBSTACLE_SHAPE,
        .shape = dls_shape_ball(radius),
        .pose = {at, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    };
}

int dls_pave(struct dls_rigid *r, const struct dls_pavement *p, struct dls_rng *g)
{
    int half = (int)ceil(p->reach / p->least), count = 0;
    int rows = r->dim == 2 ? 0 : half;
    for (int j = -rows; j <= rows; j++)
        for (int i = -half; i <= half; i++) {
            double wobble = 0.25 * (p->most - p->least); // places and heights
            dls_vec3 at = {i * p->least + wobble * dls_rng_range(g, -1, 1),
                           j * p->least + wobble * dls_rng_range(g, -1, 1), 0};
            double radius = 0.5 * dls_rng_range(g, p->least, p->most);
            double depth = wobble * dls_rng_range(g, -1, 1);
            if (r->dim == 2)
                at.y = depth;
            else
                at.z = depth;
            if (r->dim == 3 && hypot(at.x, at.y) > p->reach) continue;
            dls_rigid_obstacle(r, fixed_ball(at, radius));
            count++;
        }
    return count;
}

double dls_lower(const struct dls_standing *s, dls_vec3 at, double radius)
{
    double height = -INFINITY;
    for (int k = 0; k < s->count; k++) {
        dls_vec3 d = dls_vec3_sub(at, s->at[k]);
        double reach = radius + s->radius[k],
               across = s->dim == 2 ? d.x : hypot(d.x, d.y);
        if (fabs(across) >= reach) continue;
        double below = s->dim == 2 ? s->at[k].y : s->at[k].z;
        height = fmax(height, below + sqrt(reach * reach - across * across));
    }
    return height;
}
