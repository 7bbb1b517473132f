// SPDX-License-Identifier: Apache-2.0
// Time of detection against the number of bodies.
//
//     speed_detection [--largest N]
//
// For 10^3, 10^4, ... bodies up to N (default 10^5): spheres of one size, spheres over a
// factor 10 in size, boxes, disks and hexagons, thrown on a lattice with some disorder so
// that each touches a few others. One step is all that a scheme asks for: poses, grid,
// narrow phase, rows of H. Processor time, the best of some repeats, whole and grid alone,
// and its exponent between the smallest and the largest number.
#include "problems/mechanics/rigid.h"
#include "problems/shapes/grid.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum kind { SPHERES, SIZES, BOXES, DISKS, HEXAGONS, KINDS };
static const char *const names[] = {"spheres", "spheres 1:10", "boxes", "disks",
                                    "hexagons"};

// Processor time, which other programs on the machine change little.
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double size_of(enum kind kind, struct dls_rng *g)
{
    return kind == SIZES ? pow(10, -dls_rng_real(g)) : 1;
}

static struct dls_shape shape_of(enum kind kind, double size, const dls_vec3 *hexagon)
{
    struct dls_shape s = dls_shape_ball(0.5 * size);
    if (kind == BOXES) s = dls_shape_box((dls_vec3){0.9, 0.8, 0.7});
    if (kind == HEXAGONS) dls_shape_polygon(&s, 6, hexagon, NULL);
    return s;
}

static struct dls_rigid *make(enum kind kind, int count, const dls_vec3 *hexagon,
                              struct dls_arena *a)
{
    int dim = kind >= DISKS ? 2 : 3, edge = (int)ceil(pow(count, 1.0 / dim) - 1e-9);
    struct dls_rng g = dls_rng_seed(1);
    struct dls_rigid *r = dls_rigid_new(dim, count, 1, false, a);
    if (!r) return NULL;
    for (int k = 0; k < count; k++) {
        dls_vec3 at = {k % edge + dls_rng_range(&g, -0.1, 0.1),
                       k / edge % edge + dls_rng_range(&g, -0.1, 0.1),
                       dim == 3 ? k / edge / edge + dls_rng_range(&g, -0.1, 0.1) : 0};
        if (kind == SIZES) at = dls_vec3_scale(0.45, at); // else few would touch
        double size = size_of(kind, &g);
        r->angle[k] = dls_rng_range(&g, -3, 3);
        dls_rigid_body(r, (struct dls_body){.mass = 1, .at = at},
                       shape_of(kind, size, hexagon));
    }
    dls_rigid_plane(r, dim == 2
                           ? (struct dls_plane){{0, -0.5, 0}, {0, 1, 0}, NULL, NULL}
                           : (struct dls_plane){{0, 0, -0.5}, {0, 0, 1}, NULL, NULL});
    return r;
}

// Seconds of the grid alone.
static double time_grid(const struct dls_rigid *r, const double *q)
{
    struct dls_arena a = {0};
    struct dls_nears near;
    struct dls_bound *bound = DLS_NEW(&a, struct dls_bound, r->bodies);
    if (!bound) return NAN;
    for (int k = 0; k < r->bodies; k++)
        bound[k] = (struct dls_bound){dls_rigid_pose(r, q, k).at, r->shape[k].bound};
    double start = seconds();
    dls_grid_pairs(&near, r->dim, r->bodies, r->bodies, bound, 0.01, &a);
    double spent = seconds() - start;
    dls_arena_free(&a);
    return spent;
}

static double time_step(const struct dls_rigid *r, const double *q, int *contacts)
{
    struct dls_arena a = {0};
    struct dls_contacts c;
    double start = seconds();
    bool done = dls_system_contacts(&r->system, 0, q, 0.01, &c, &a);
    double spent = seconds() - start;
    *contacts = done ? c.count : -1;
    dls_arena_free(&a);
    return spent;
}

// One row of the table; the time of a step, or a negative number without memory.
static double measure(enum kind kind, int count, const dls_vec3 *hexagon)
{
    struct dls_arena a = {0};
    struct dls_rigid *r = make(kind, count, hexagon, &a);
    double *q = r ? DLS_NEW(&a, double, r->system.nq) : NULL;
    double *v = r ? DLS_NEW(&a, double, r->system.n) : NULL;
    double step = INFINITY, grid = INFINITY;
    int contacts = 0, repeats = count > 20000 ? 5 : 20;
    if (a.failed) {
        dls_arena_free(&a);
        return -1;
    }
    dls_rigid_state(r, q, v);
    for (int k = 0; k < repeats; k++) {
        step = fmin(step, time_step(r, q, &contacts));
        grid = fmin(grid, time_grid(r, q));
    }
    printf("%-13s %8d %9d %11.3f %11.3f %9.0f\n", names[kind], count, contacts,
           1e3 * step, 1e3 * grid, 1e9 * step / count);
    dls_arena_free(&a);
    return step;
}

int main(int argc, char **argv)
{
    int largest = 100000;
    if (argc == 3 && !strcmp(argv[1], "--largest")) largest = atoi(argv[2]);
    if ((argc != 1 && argc != 3) || largest < 1000) {
        fprintf(stderr, "usage: speed_detection [--largest N], N >= 1000\n");
        return 2;
    }
    dls_vec3 hexagon[6];
    for (int k = 0; k < 6; k++)
        hexagon[k] =
            (dls_vec3){0.55 * cos(k * acos(-1) / 3), 0.55 * sin(k * acos(-1) / 3), 0};
    printf("%-13s %8s %9s %11s %11s %9s\n", "bodies", "number", "contacts", "step ms",
           "grid ms", "ns/body");
    for (int kind = 0; kind < KINDS; kind++) {
        double first = measure(kind, 1000, hexagon), last = first;
        int count = 1000;
        while (count <= largest / 10 && last > 0)
            last = measure(kind, count *= 10, hexagon);
        if (last < 0) {
            fprintf(stderr, "speed_detection: out of memory\n");
            return 1;
        }
        if (count > 1000)
            printf("%-13s time ~ number^%.2f\n", "",
                   log(last / first) / log(count / 1e3));
    }
    return 0;
}
