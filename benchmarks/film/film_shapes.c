// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/film/film_shapes.h"

#include <math.h>

static bool same_shape(const struct dls_shape *a, const struct dls_shape *b)
{
    return a->kind == b->kind && a->radius == b->radius && a->half.x == b->half.x
           && a->half.y == b->half.y && a->half.z == b->half.z && a->corner == b->corner
           && a->corners == b->corners;
}

void dls_film_point(FILE *out, dls_vec3 x)
{
    fprintf(out, "[%.6g,%.6g,%.6g]", x.x, x.y, x.z);
}

// Corners, and faces in space; a cylinder block becomes a prism.
void dls_film_shape(FILE *out, const struct dls_shape *s, int dim)
{
    enum { SIDES = 20 };
    const double turn = 2 * 3.14159265358979323846 / SIDES;
    bool cylinder = s->kind == DLS_SHAPE_CYLINDER;
    fputs("{\"c\":[", out);
    for (int k = 0; k < (cylinder ? 2 * SIDES : s->corners); k++) {
        if (k) fputc(',', out);
        double a = turn * (k % SIDES), z = k < SIDES ? -s->half.z : s->half.z;
        dls_film_point(out, cylinder
                                ? (dls_vec3){s->radius * cos(a), s->radius * sin(a), z}
                                : dls_shape_corner(s, k));
    }
    fputs("],\"f\":[", out);
    for (int k = 0; dim == 3 && s->hull && k < s->hull->faces; k++) {
        fputs(k ? ",[" : "[", out);
        for (int i = 0; i < s->hull->face[k].count; i++)
            fprintf(out, "%s%d", i ? "," : "", s->hull->face[k].corner[i]);
        fputc(']', out);
    }
    for (int k = 0; cylinder && k < SIDES; k++) {
        int next = (k + 1) % SIDES;
        fprintf(out, "[%d,%d,%d,%d],", k, next, SIDES + next, SIDES + k);
    }
    for (int end = 0; cylinder && end < 2; end++) {
        fputs(end ? ",[" : "[", out);
        for (int k = 0; k < SIDES; k++)
            fprintf(out, "%s%d", k ? "," : "", end ? SIDES + k : SIDES - 1 - k);
        fputc(']', out);
    }
    fputs("]}", out);
}

static int number_of(struct dls_film_shapes *s, const struct dls_shape *shape)
{
    // The last ones first: neighbours often have the same.
    for (int k = s->count - 1; k >= 0; k--)
        if (same_shape(s->all[k], shape)) return k;
    s->all[s->count] = shape;
    return s->count++;
}

bool dls_film_shapes(struct dls_film_shapes *s, const struct dls_film *f,
                     struct dls_arena *a)
{
    int obstacles = f->rigid ? f->rigid->obstacles : 0;
    *s = (struct dls_film_shapes){
        .all = DLS_NEW(a, const struct dls_shape *, f->bodies + obstacles),
        .of_body = DLS_NEW(a, int, f->bodies),
        .of_obstacle = DLS_NEW(a, int, obstacles),
    };
    if (a->failed) return false;
    for (int k = 0; f->rigid && k < f->bodies; k++) {
        const struct dls_shape *shape = dls_rigid_made(f->rigid, k).shape;
        s->of_body[k] = shape->kind == DLS_SHAPE_BALL ? -1 : number_of(s, shape);
    }
    for (int k = 0; k < obstacles; k++)
        if (f->rigid->obstacle[k].kind == DLS_OBSTACLE_SHAPE)
            s->of_obstacle[k] = number_of(s, &f->rigid->obstacle[k].shape);
    return true;
}
