// SPDX-License-Identifier: Apache-2.0
// A random packing of spheres in an open box: a random contact graph of any size.
//
// Method
//   1. centres on a face-centred cubic lattice of square layers, `across` spheres by
//      `across` (odd layers one less each way, in the hollows), each moved by a random
//      vector of size `jitter` R; radii uniform in R (1 +- spread);
//   2. two spheres touch where gap <= `near` R, found by a cell grid: spheres are
//      sorted into cubes of the largest possible distance of touching centres, and only
//      the 27 cubes around a sphere are searched, once to count and once to write;
//   3. likewise with the floor and the four sides of the box, which may move along x;
//   4. random velocities and spins of size `speed` and `speed`/R, gravity along -z.
//
// Spheres in contact overlap (gap < 0) by a tenth of R or so, which the velocity
// problem does not see. Spheres are numbered from the floor; the contacts of a sphere
// with the box come first, then those with spheres before it. About 3 contacts per
// sphere with the default options.
//
// Cost: linear in spheres, since a cube holds a bounded number of them.
#include "problems/generators/generator.h"
#include "problems/mechanics/build.h"

#include "base/rng.h"

struct sphere_packing_options {
    int across, layers, seed;
    double radius, spread, jitter, near, density, speed, shake;
    double mu, e_n, e_t, gravity, step;
};

static const struct dls_option options[] = {
    DLS_INT(sphere_packing_options, across, 5, 1, 2000, "spheres along a side"),
    DLS_INT(sphere_packing_options, layers, 5, 1, 2000, "layers of spheres"),
    DLS_INT(sphere_packing_options, seed, 1, 0, 2147483647, "of the random numbers"),
    DLS_REAL(sphere_packing_options, radius, 0.01, 1e-6, 1e6, "mean radius"),
    DLS_REAL(sphere_packing_options, spread, 0.1, 0, 0.3, "of radii, in radii"),
    DLS_REAL(sphere_packing_options, jitter, 0.15, 0, 0.3, "of centres, in radii"),
    DLS_REAL(sphere_packing_options, near, 0.02, 0, 0.3, "largest gap, in radii"),
    DLS_REAL(sphere_packing_options, density, 2500, 1e-9, 1e9, "density"),
    DLS_REAL(sphere_packing_options, speed, 0.02, 0, 1e6, "random velocities"),
    DLS_REAL(sphere_packing_options, shake, 0, -1e6, 1e6, "velocity of the box, x"),
    DLS_ROWS_LAW(sphere_packing_options, 0.3),
    DLS_ROWS_STEP(sphere_packing_options),
    {0},
};

struct grid {
    double size;      // edge of a cube
    int side, height; // cubes along x and y, along z
    int *start,
        *order; // spheres of cube c: order[start[c]] ... order[start[c + 1] - 1]
};

struct packing {
    const struct sphere_packing_options *opt;
    int count;
    dls_vec3 *at;
    double *radius;
    struct grid grid;
};

static int sphere_count(const struct sphere_packing_options *o)
{
    int even = (o->layers + 1) / 2, odd = o->layers / 2, less = o->across - 1;
    return even * o->across * o->across + odd * less * less;
}

static dls_vec3 random_vector(struct dls_rng *g, double size)
{
    dls_vec3 v = {0};
    v.x = size * dls_rng_range(g, -1, 1);
    v.y = size * dls_rng_range(g, -1, 1);
    v.z = size * dls_rng_range(g, -1, 1);
    return v;
}

static void place(struct packing *s, struct dls_rng *g)
{
    const struct sphere_packing_options *o = s->opt;
    double R = o->radius, rise = sqrt(2) * R;
    int i = 0;
    for (int layer = 0; layer < o->layers; layer++) {
        int odd = layer % 2, side = o->across - odd;
        for (int k = 0; k < side * side; k++, i++) {
            dls_vec3 site = {
                R * (1 + odd + 2 * (k % side)),
                R * (1 + odd + 2 * (k / side)),
                R + rise * layer,
            };
            s->at[i] = dls_vec3_add(site, random_vector(g, o->jitter * R));
            s->radius[i] = R * dls_rng_range(g, 1 - o->spread, 1 + o->spread);
        }
    }
}

static int clamp(double x, int count)
{
    return x < 0 ? 0 : x >= count ? count - 1 : (int)x;
}

static int cube_of(const struct grid *t, dls_vec3 at)
{
    int x = clamp(at.x / t->size, t->side), y = clamp(at.y / t->size, t->side);
    return (clamp(at.z / t->size, t->height) * t->side + y) * t->side + x;
}

// Sorts the spheres into cubes by counting; stable, hence the same on every machine.
static bool sort(struct packing *s, struct dls_arena *a)
{
    const struct sphere_packing_options *o = s->opt;
    struct grid *t = &s->grid;
    double R = o->radius;
    t->size = R * (2 * (1 + o->spread) + o->near);
    t->side = 1 + (int)(2 * R * o->across / t->size);
    t->height = 1 + (int)(R * (2 + sqrt(2) * (o->layers - 1)) / t->size);
    int cubes = t->side * t->side * t->height;
    t->start = DLS_NEW(a, int, (size_t)cubes + 2);
    t->order = DLS_NEW(a, int, s->count);
    if (a->failed) return false;
    int *next = t->start + 1; // next[c] walks from the start of cube c to its end
    for (int i = 0; i < s->count; i++) next[cube_of(t, s->at[i]) + 1]++;
    for (int c = 0; c < cubes; c++) next[c + 1] += next[c];
    for (int i = 0; i < s->count; i++) t->order[next[cube_of(t, s->at[i])]++] = i;
    return true;
}

static int touch(struct packing *s, struct dls_build *b, struct dls_touch c)
{
    const struct sphere_packing_options *o = s->opt;
    if (c.gap > o->near * o->radius) return 0;
    c.point = dls_vec3_sub(s->at[c.body], dls_vec3_scale(s->radius[c.body], c.n));
    c.law = (struct dls_law){.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t};
    if (b) dls_build_touch(b, c);
    return 1;
}

// Contacts of sphere i with the box.
static int touch_box(struct packing *s, struct dls_build *b, int i)
{
    static const dls_vec3 normal[] = {
        {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    double edge = 2 * s->opt->radius * s->opt->across;
    const double offset[] = {0, 0, -edge, 0, -edge}; // the side is n.x = offset
    int count = 0;
    for (int k = 0; k < 5; k++) {
        double height = dls_vec3_dot(normal[k], s->at[i]) - offset[k];
        struct dls_touch c = {.body = i, .other = -1, .n = normal[k]};
        c.surface.x = s->opt->shake;
        c.gap = height - s->radius[i];
        count += touch(s, b, c);
    }
    return count;
}

// Contacts of sphere i with the spheres before it in one cube.
static int touch_cube(struct packing *s, struct dls_build *b, int i, int cube)
{
    int count = 0;
    for (int k = s->grid.start[cube]; k < s->grid.start[cube + 1]; k++) {
        int j = s->grid.order[k];
        if (j >= i) continue;
        dls_vec3 apart = dls_vec3_sub(s->at[i], s->at[j]);
        double distance = dls_vec3_norm(apart);
        struct dls_touch c = {.body = i, .other = j};
        c.n = dls_vec3_scale(1 / distance, apart);
        c.gap = distance - s->radius[i] - s->radius[j];
        count += touch(s, b, c);
    }
    return count;
}

// Contacts of all spheres; only counts them where b is NULL.
static int touch_all(struct packing *s, struct dls_build *b)
{
    const struct grid *t = &s->grid;
    int count = 0, side = t->side, height = t->height;
    for (int i = 0; i < s->count; i++) {
        count += touch_box(s, b, i);
        int c = cube_of(t, s->at[i]), x = c % side, y = c / side % side;
        int z = c / side / side;
        for (int k = 0; k < 27; k++) {
            int nx = x + k % 3 - 1, ny = y + k / 3 % 3 - 1, nz = z + k / 9 - 1;
            bool outside =
                nx < 0 || ny < 0 || nz < 0 || nx >= side || ny >= side || nz >= height;
            if (!outside) count += touch_cube(s, b, i, (nz * side + ny) * side + nx);
        }
    }
    return count;
}

static enum dls_status fill(struct packing *s, struct dls_problem *p,
                            const struct dls_origin *origin, struct dls_arena *scratch,
                            struct dls_arena *a)
{
    const struct sphere_packing_options *o = s->opt;
    s->count = sphere_count(o);
    s->at = DLS_NEW(scratch, dls_vec3, s->count);
    s->radius = DLS_NEW(scratch, double, s->count);
    if (scratch->failed) return DLS_ENOMEM;
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    place(s, &g);
    struct dls_build b;
    if (!sort(s, scratch) || !dls_build_open(&b, 3, s->count, touch_all(s, NULL), a))
        return DLS_ENOMEM;
    b.gravity = o->gravity;
    b.step = o->step;
    for (int i = 0; i < s->count; i++) {
        struct dls_body sphere = dls_body_sphere(o->density, s->radius[i], s->at[i]);
        sphere.v = random_vector(&g, o->speed);
        sphere.spin = random_vector(&g, o->speed / o->radius);
        dls_build_body(&b, sphere);
    }
    touch_all(s, &b);
    return dls_build_close(&b, p, origin, a);
}

static enum dls_status make(struct dls_problem *p, const void *opt, struct dls_arena *a,
                            struct dls_error *err)
{
    const struct sphere_packing_options *o = opt;
    if ((double)o->across * o->across * o->layers > 1e7)
        return dls_fail(err, DLS_EINVAL, "sphere-packing: more than 1e7 spheres");
    struct dls_origin origin = {"sphere-packing", options, opt,
                                "A random packing of spheres in an open box."};
    struct dls_arena scratch = dls_arena_scratch(a);
    struct packing s = {.opt = opt};
    enum dls_status status = fill(&s, p, &origin, &scratch, a);
    dls_arena_free(&scratch);
    return status;
}

const struct dls_generator dls_generator_sphere_packing = {
    .name = "sphere-packing",
    .brief = "a random packing of spheres in an open box, up to millions of contacts",
    .options = options,
    .options_size = sizeof(struct sphere_packing_options),
    .make = make,
};
