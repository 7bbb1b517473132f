// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies and obstacles as JSON, each once.
#ifndef DLS_BENCHMARKS_FILM_FILM_SHAPES_H
#define DLS_BENCHMARKS_FILM_FILM_SHAPES_H

#include <stdio.h>

#include "benchmarks/film/film.h"

// Different shapes of bodies and obstacles that are not balls, and who has which.
struct dls_film_shapes {
    int count;
    const struct dls_shape **all;
    int *of_body, *of_obstacle;
};

// False when memory runs out.
bool dls_film_shapes(struct dls_film_shapes *, const struct dls_film *,
                     struct dls_arena *);

void dls_film_point(FILE *, dls_vec3);
// Corners, and faces in space; a cylinder block becomes a prism.
void dls_film_shape(FILE *, const struct dls_shape *, int dim);

#endif
