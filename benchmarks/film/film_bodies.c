// SPDX-License-Identifier: Apache-2.0
// What a page tells of bodies and obstacles once.
#include "benchmarks/film/film_parts.h"

enum { NO_SHAPE = 65535 };

void dls_film_write_bodies(struct dls_film_page *p)
{
    const struct dls_film *f = p->film;
    struct dls_packed b = dls_packed_open(p->arena);
    for (int k = 0; k < f->bodies; k++)
        dls_packed_float(&b, (float)dls_film_radius(f, k));
    dls_film_close(p, &b, "radii");
    b = dls_packed_open(p->arena);
    for (int k = 0; k < f->bodies; k++)
        dls_packed_put(&b,
                       dls_film_silent(f, k) ? NO_SHAPE
                       : f->rigid            ? (uint32_t)(p->shapes->of_body[k] + 1)
                                             : 0,
                       2);
    dls_film_close(p, &b, "kinds");
    b = dls_packed_open(p->arena);
    for (int k = 0; k < f->bodies; k++)
        dls_packed_put(&b, f->rigid ? (uint32_t)dls_rigid_made(f->rigid, k).tag : 0, 2);
    dls_film_close(p, &b, "tags");
}

void dls_film_write_obstacle(FILE *out, const struct dls_film *f,
                             const struct dls_film_shapes *s, int k)
{
    static const char *const kinds[] = {"plane", "wall", "container", "shape"};
    const struct dls_obstacle *o = &f->rigid->obstacle[k];
    fprintf(out, "%s{\"kind\":\"%s\",\"radius\":%.6g,\"point\":", k ? "," : "",
            kinds[o->kind], o->radius);
    dls_film_point(out, o->point);
    fputs(",\"n\":", out);
    dls_film_point(out, o->n);
    fputs(",\"end\":", out);
    dls_film_point(out, o->end);
    if (f->mover[k] >= 0) fprintf(out, ",\"moving\":%d", f->mover[k]);
    if (o->kind == DLS_OBSTACLE_SHAPE) {
        fprintf(out, ",\"shape\":%d,\"at\":", s->of_obstacle[k]);
        dls_film_point(out, o->pose.at);
        fputs(",\"axes\":[", out);
        for (int i = 0; i < 3; i++) {
            if (i) fputc(',', out);
            dls_film_point(out, o->pose.axis[i]);
        }
        fputc(']', out);
    }
    fputc('}', out);
}
