// SPDX-License-Identifier: Apache-2.0
// What the parts of a page share; film_page.c says what the page holds.
#ifndef DLS_BENCHMARKS_FILM_FILM_PARTS_H
#define DLS_BENCHMARKS_FILM_FILM_PARTS_H

#include <stdint.h>
#include <stdio.h>

#include "benchmarks/film/film.h"
#include "benchmarks/film/film_shapes.h"
#include "benchmarks/film/packed.h"

// What all frames share.
struct dls_film_range {
    double low[3], high[3], speed, force;
};

// Everything that the writers need; `value` has room for the numbers of a frame.
struct dls_film_page {
    FILE *out;
    const struct dls_film *film;
    const struct dls_film_shapes *shapes;
    struct dls_film_range range;
    uint32_t *value;
    struct dls_arena *arena;
    bool good;
};

static inline bool dls_film_silent(const struct dls_film *f, int body)
{
    return f->rigid && (dls_rigid_made(f->rigid, body).held & DLS_SILENT);
}

static inline double dls_film_radius(const struct dls_film *f, int body)
{
    return f->rigid ? dls_rigid_made(f->rigid, body).shape->bound : 0;
}

// Writes an array under its name.
static inline void dls_film_close(struct dls_film_page *p, struct dls_packed *b,
                                  const char *id)
{
    p->good = dls_packed_close(b, p->out, id) && p->good;
}

// The frame of the picture, the largest speed and the widest force. False when memory runs
// out.
bool dls_film_find_range(struct dls_film_page *);

// Arrays: positions, turns, speeds, drives of obstacles; contacts that can be seen.
void dls_film_write_motion(struct dls_film_page *);
void dls_film_write_contacts(struct dls_film_page *);

// JSON: how many contacts, between two bodies (pair) or with obstacles, there are before
// each frame, and in all.
void dls_film_write_counts(const struct dls_film_page *, bool pair);

// Arrays: radii, kinds and tags of the bodies. JSON: one obstacle.
void dls_film_write_bodies(struct dls_film_page *);
void dls_film_write_obstacle(FILE *, const struct dls_film *,
                             const struct dls_film_shapes *, int obstacle);

// JSON: the curves, and which of them a chart shows.
void dls_film_write_curves(FILE *, const struct dls_film *);

#endif
