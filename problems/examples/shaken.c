// SPDX-License-Identifier: Apache-2.0
// Vessels shaken along the vertical, height -A cos(omega t): lowest at t = 0.
//
// Grains start in loose rows, fall and settle with friction and without restitution in a
// vessel at rest, then the vessel moves. At scale s there are s times as many grains in a
// vessel narrower by the root (in space the cube root) of s, or, where the depth is kept,
// by s (in space the root of s).
#include "problems/examples/shaken.h"

#include "problems/preparation/place.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double gravity = 981; // cm/s2

static struct dls_law material(const struct dls_rigid *r, int body, int other)
{
    (void)body;
    const struct dls_vessel *vessel = r->data;
    return other < 0 ? vessel->wall : vessel->grain;
}

static void add_walls(const struct dls_vessel *vessel, struct dls_rigid *r)
{
    dls_vec3 up = {0, r->dim == 2, r->dim == 3};
    dls_rigid_plane(r, (struct dls_plane){.n = up});
    if (r->dim == 3) {
        dls_rigid_obstacle(r, (struct dls_obstacle){.kind = DLS_OBSTACLE_CONTAINER,
                                                    .n = up,
                                                    .radius = 0.5 * vessel->width});
        return;
    }
    dls_rigid_plane(r, (struct dls_plane){.n = {1, 0, 0}});
    dls_rigid_plane(
        r, (struct dls_plane){.point = {vessel->width, 0, 0}, .n = {-1, 0, 0}});
}

// A sphere, a disk, or a sphere between two plates that does not touch them. Motions do
// not depend on the density: that of a grain of `unit` diameter and mass 1 keeps impulses
// and velocities of one size, which the natural residual likes.
static void add_grain(struct dls_rigid *r, const struct dls_vessel *vessel,
                      double radius, bool sphere, dls_vec3 at)
{
    double unit = 0.5 * vessel->unit, x = radius / unit;
    struct dls_body b = dls_body_disk(x * x, radius, at);
    if (sphere) b.inertia.z *= 0.4 / 0.5;
    if (r->dim == 3) b = dls_body_sphere(0.75 / (pi * unit * unit * unit), radius, at);
    dls_rigid_body(r, b, dls_shape_ball(radius));
}

// --- filling -------------------------------------------------------------------------

// Sites of the rows that the nut may cover, and some more.
static int covered(double nut, double cell)
{
    return nut > 0 ? (int)ceil((nut / cell + 2) * (nut / cell + 2)) : 0;
}

static void pour(struct dls_rigid *r, const struct dls_vessel *vessel,
                 const struct dls_filling *with, int count, struct dls_rng *g)
{
    struct dls_arena scratch = dls_arena_scratch(r->arena);
    double half = 0.5 * vessel->width, nut = with->nut * vessel->shrunk;
    dls_vec3 place = {half, with->height * vessel->shrunk, 0};
    int sites = count + covered(nut, with->high);
    dls_vec3 *at = DLS_NEW(&scratch, dls_vec3, sites);
    double *radius = DLS_NEW(&scratch, double, sites);
    struct dls_rows rows = {
        .dim = r->dim,
        .region = {{r->dim == 3 ? -half : 0, r->dim == 3 ? -half : 0, 0},
                   {r->dim == 3 ? half : vessel->width, half, 0}},
        .round = r->dim == 3,
        .gap = 0.1,
    };
    if (!scratch.failed) {
        dls_random_radii(sites, with->low, with->high, g, radius);
        dls_place_rows(&rows, sites, radius, g, at);
        if (nut > 0) add_grain(r, vessel, 0.5 * nut, with->spheres, place);
        for (int k = 0; k < sites && r->bodies < count; k++) {
            double free = dls_vec3_norm(dls_vec3_sub(at[k], place)) - radius[k];
            if (nut > 0 && free < 0.5 * nut) continue;
            add_grain(r, vessel, radius[k], with->spheres, at[k]);
        }
    }
    dls_arena_free(&scratch);
}

static struct dls_rigid *fill(struct dls_vessel *vessel, const struct dls_filling *with,
                              int count, struct dls_rng *g, struct dls_arena *a)
{
    struct dls_rigid *r = dls_rigid_new(vessel->dim, count, 3, false, a);
    if (!r) return NULL;
    pour(r, vessel, with, count, g);
    add_walls(vessel, r);
    r->gravity = (dls_vec3){0, r->dim == 2 ? -gravity : 0, r->dim == 3 ? -gravity : 0};
    r->material = material;
    r->data = vessel;
    return a->failed ? NULL : r;
}

// Grains settle in a vessel at its mean height, then both are lowered to the start. They
// need not be at rest: the first periods shake whatever is left out of them.
static enum dls_status settle(struct dls_vessel *vessel, struct dls_rigid *r,
                              const struct dls_asked *asked, struct dls_arena *a,
                              struct dls_error *err)
{
    double T = 1 / vessel->frequency, A = 0.5 * vessel->peak, d = vessel->unit;
    dls_vec3 down = {0, r->dim == 2 ? -A : 0, r->dim == 3 ? -A : 0};
    struct dls_settling with = {
        .scheme = "moreau",
        .h = fmin(T / 200, 0.02 * d / sqrt(2 * gravity * 20 * d)),
        .most = 20 * T,
        .tol = 1e-2,
        .sweeps = 50,
        .speed = 0.1 * sqrt(gravity * d), // a fall over a two-hundredth of a grain
        .law = {.mu = vessel->grain.mu},
    };
    enum dls_status status = dls_packed(r, &with, asked, a, err);
    for (int k = 0; !asked->from && k < r->bodies; k++)
        r->body[k].at = dls_vec3_add(r->body[k].at, down);
    vessel->motion = (struct dls_oscillation){.omega = 2 * pi / T, .cosine = down};
    dls_rigid_vessel(r, dls_motion_oscillation, &vessel->motion);
    return status;
}

enum dls_status dls_shaken_make(struct dls_scene *scene, int dim,
                                const struct dls_filling *with,
                                const struct dls_asked *asked, struct dls_arena *a,
                                struct dls_error *err)
{
    const struct dls_shaken *o = asked->options;
    int count = dls_scaled(asked, o->grains, with->least);
    struct dls_rng g = dls_rng_seed((uint64_t)o->seed);
    struct dls_vessel *vessel = DLS_NEW(a, struct dls_vessel, 1);
    if (!vessel) return DLS_ENOMEM;
    double shrunk = pow((double)count / o->grains, 1.0 / (dim - (with->deep ? 1 : 0)));
    *vessel = (struct dls_vessel){
        .dim = dim,
        .width = o->width * shrunk,
        .shrunk = shrunk,
        .peak = o->peak,
        .frequency = o->frequency,
        .gravity = gravity,
        .unit = 0.5 * (with->low + with->high),
        .grain = {.mu = o->mu, .e_n = o->e_n, .e_t = o->e_t},
        .wall = {.mu = o->wall_mu, .e_n = o->wall_e, .e_t = o->e_t},
    };
    struct dls_rigid *r = fill(vessel, with, count, &g, a);
    if (!r) return DLS_ENOMEM;
    int *tag = with->nut > 0 ? DLS_NEW(a, int, count) : NULL;
    if (tag) {
        tag[0] = 1;
        r->tag = tag; // another colour for the nut
        r->held[0] = DLS_HELD_X | DLS_HELD_Y | DLS_HELD_SPIN_2D;
    }
    enum dls_status status = settle(vessel, r, asked, a, err);
    r->held[0] = 0;
    if (status) return status;
    int periods = dls_scaled_time(asked, o->discard, o->discard > 0)
                  + dls_scaled_time(asked, o->periods, 1);
    *scene = (struct dls_scene){
        .h = 1 / (o->frequency * o->steps),
        .end = periods / o->frequency,
        .scheme = "moreau",
    };
    return dls_scene_rigid(scene, r, a);
}

const struct dls_vessel *dls_shaken_vessel(const struct dls_scene *scene)
{
    const struct dls_rigid *r = scene->system->self;
    return r->data;
}
