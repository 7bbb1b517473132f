// SPDX-License-Identifier: Apache-2.0
// What happened between two rows of a run.
//
// Means: f = sum of impulses / time, exact over the window whatever the steps in it did.
// Circulation: displacements D of all grains between the two rows; rows at whole periods
// of a shaken vessel are its stroboscope [Moreau1994, 2 and 8].
#include "problems/observe/since.h"

#include "problems/mechanics/rigid.h"
#include "problems/observe/field.h"
#include "problems/observe/pressure.h"
#include "problems/observe/stress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- means ---------------------------------------------------------------------------

enum { TIME, X, Y, Z, NORMAL, MEANS };

static int mean_size(const struct dls_sim *sim)
{
    (void)sim;
    return MEANS;
}

static void add_obstacle(const struct dls_observed *o, int number, double *kept)
{
    dls_vec3 f = dls_obstacle_force(o, number, number + 1);
    kept[TIME] += o->h;
    kept[X] += o->h * f.x;
    kept[Y] += o->h * f.y;
    kept[Z] += o->h * f.z;
    for (int c = 0; c < o->forces; c++)
        if (o->force[c].obstacle == number) kept[NORMAL] += o->h * o->force[c].normal;
}

static bool read_obstacle(const struct dls_observed *o, int number, double *kept,
                          struct dls_readings *to, struct dls_arena *a)
{
    (void)a;
    char name[32];
    for (int i = 0; i < o->dim; i++) {
        snprintf(name, sizeof name, "obstacle%d_mean_%c", number, "xyz"[i]);
        dls_reading_add(to, name, kept[X + i] / kept[TIME]);
    }
    snprintf(name, sizeof name, "obstacle%d_mean_normal", number);
    dls_reading_add(to, name, kept[NORMAL] / kept[TIME]);
    memset(kept, 0, MEANS * sizeof *kept);
    return true;
}

static void add_pressure(const struct dls_observed *o, int number, double *kept)
{
    (void)number;
    dls_tensor M = dls_internal_moment(o, NULL, NULL);
    kept[TIME] += o->h;
    kept[NORMAL] -= o->h * (M.x[0][0] + M.x[1][1] + M.x[2][2]);
}

static bool read_pressure(const struct dls_observed *o, int number, double *kept,
                          struct dls_readings *to, struct dls_arena *a)
{
    (void)o, (void)number, (void)a;
    dls_reading_add(to, "pressure_moment_mean", kept[NORMAL] / kept[TIME]);
    memset(kept, 0, MEANS * sizeof *kept);
    return true;
}

// --- circulation ---------------------------------------------------------------------

// Centres at the last row, by the numbers of grains; NAN for those that were not there,
// which no region contains.
static int centres_size(const struct dls_sim *sim)
{
    const struct dls_system *s = sim->system;
    return 3 * (s->population ? s->population->room : s->bodies);
}

static void start_centres(const struct dls_sim *sim, double *kept)
{
    const struct dls_rigid *r = dls_rigid_of(sim->system);
    for (int i = 0; i < centres_size(sim); i++) kept[i] = NAN;
    for (int k = 0; k < sim->system->bodies; k++) {
        dls_vec3 x = sim->system->place(sim->system, sim->q, k);
        memcpy(kept + 3 * dls_rigid_number(r, k), &x, sizeof x);
    }
}

// The vessel as far as the grains show it: the box around them.
static struct dls_basin basin_of(const struct dls_observed *o, const dls_vec3 *at,
                                 double middle, double half, struct dls_arena *a)
{
    double d = 0, bottom = INFINITY;
    for (int k = 0; k < o->grains; k++) {
        d += 2 * o->grain[k].shape->bound / o->grains;
        bottom = fmin(bottom, at[k].y);
    }
    return (struct dls_basin){
        .left = o->dim == 3 ? 0 : middle - half,
        .right = o->dim == 3 ? half : middle + half,
        .layer = 2 * d,
        .bottom = bottom,
        .surface = dls_surface(o->grains, at, a),
        .axis = o->dim == 3,
    };
}

// In space: (r, z) about the middle of the box around the grains.
static void meridian(const struct dls_region *box, int count, dls_vec3 *at)
{
    dls_vec3 middle = dls_vec3_scale(0.5, dls_vec3_add(box->lo, box->hi));
    middle.z = 0;
    for (int k = 0; k < count; k++) at[k] = dls_vec3_sub(at[k], middle);
    dls_meridian_plane(count, at, at);
}

static bool read_circulation(const struct dls_observed *o, int number, double *kept,
                             struct dls_readings *to, struct dls_arena *a)
{
    (void)number;
    dls_vec3 *from = DLS_NEW(a, dls_vec3, o->grains);
    dls_vec3 *now = DLS_NEW(a, dls_vec3, o->grains);
    if (a->failed) return false;
    for (int k = 0; k < o->grains; k++) {
        double *at = kept + 3 * o->grain[k].number;
        now[k] = o->grain[k].pose.at;
        memcpy(&from[k], at, sizeof from[k]);
        memcpy(at, &now[k], sizeof now[k]);
    }
    struct dls_region box = dls_region_around(o);
    if (o->dim == 3) meridian(&box, o->grains, from);
    if (o->dim == 3) meridian(&box, o->grains, now);
    struct dls_displaced d = {o->grains, from, now};
    struct dls_basin basin =
        basin_of(o, from, 0.5 * (box.lo.x + box.hi.x), 0.5 * (box.hi.x - box.lo.x), a);
    struct dls_region all = {{-INFINITY, -INFINITY, 0}, {INFINITY, INFINITY, 0}};
    struct dls_circulation c = dls_circulation(&d, &basin);
    dls_reading_add(to, "rise_wall", c.wall);
    dls_reading_add(to, "rise_core", c.core);
    dls_reading_add(to, "rise_all", c.all);
    if (!basin.axis) dls_reading_add(to, "J_left", c.left.J);
    dls_reading_add(to, "J_right", c.right.J);
    dls_reading_add(to, "moved", sqrt(dls_flow_in(&d, &all).square));
    return true;
}

const struct dls_since dls_since_measures[] = {
    {"obstacle-mean",
     "mean force of obstacle K since the row before, and its normal part", true,
     mean_size, NULL, add_obstacle, read_obstacle},
    {"pressure-mean", "mean of -trace of the internal moment since the row before",
     false, mean_size, NULL, add_pressure, read_pressure},
    {"circulation",
     "displacements since the row before: upward near the sides, inside and of all, "
     "rotation of the upper corners, root mean square",
     false, centres_size, start_centres, NULL, read_circulation},
    {0},
};
