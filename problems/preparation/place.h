// SPDX-License-Identifier: Apache-2.0
// Where grains start: loose rows, random sizes, regular polygons, paved ground, a grain
// lowered until it touches; see place.c.
#ifndef DLS_PROBLEMS_PREPARATION_PLACE_H
#define DLS_PROBLEMS_PREPARATION_PLACE_H

#include "problems/mechanics/rigid.h"
#include "problems/observe/fraction.h"

#include "base/rng.h"

// `count` radii, diameters uniform in [least, most].
void dls_random_radii(int count, double least, double most, struct dls_rng *,
                      double *radius);

// Places for disks or balls that touch nobody: rows from the floor of the region up (its
// top does not count), in a random order, each moved at random within its cell. With
// `round` only places inside the cylinder that the region's sides bound are taken.
struct dls_rows {
    int dim;
    struct dls_region region;
    bool round;
    double gap; // room beside the largest grain, in its diameters
};
void dls_place_rows(const struct dls_rows *, int count, const double *radius,
                    struct dls_rng *, dls_vec3 *at);

// The `count` points of a square or triangular lattice, turned by an angle (radians), that
// lie nearest to the origin when heights are multiplied by `aspect` (width over height of
// the sample), by the larger of the two coordinates: a rectangle full of them.
struct dls_lattice {
    bool triangular;
    double spacing, turn, aspect;
};
enum dls_status dls_place_lattice(const struct dls_lattice *, int count, dls_vec3 *at,
                                  struct dls_arena *);

// Moves a body, with the obstacles that it carries, to a new start.
void dls_place_body(struct dls_rigid *, int body, dls_vec3 at);

// A regular polygon; its corners from the arena. DLS_ENOMEM, or DLS_EINVAL where the
// number of sides is not one that a polygon may have.
enum dls_status dls_regular_polygon(struct dls_shape *, int sides, double circumradius,
                                    struct dls_arena *, struct dls_error *);

// Bodies that are regular polygons of a random number of sides, each turned at random:
// `count` of them, at the places given.
struct dls_polygons {
    int count, least, most; // sides, both ends taken; most < least counts as least
    double circumradius, density;
};
enum dls_status dls_random_polygons(struct dls_rigid *, const struct dls_polygons *,
                                    const dls_vec3 *at, struct dls_rng *,
                                    struct dls_arena *, struct dls_error *);

// Fixed grains as ground: disks in a row along y = 0 (plane) or balls in a round patch of
// z = 0 (space), of diameters in [least, most], close enough that no grain of that size
// falls through. Returns how many obstacles were added.
struct dls_pavement {
    double reach; // half-length or radius
    double least, most;
};
int dls_pavement_room(const struct dls_pavement *, int dim);
int dls_pave(struct dls_rigid *, const struct dls_pavement *, struct dls_rng *);

// The height (y or z) at which a ball lowered vertically at `at` first touches one of
// `count` balls or the obstacles of shape ball; -INFINITY where it meets nobody.
struct dls_standing {
    int dim, count;
    dls_vec3 *at;
    double *radius;
};
double dls_lower(const struct dls_standing *, dls_vec3 at, double radius);

#endif
