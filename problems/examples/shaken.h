// SPDX-License-Identifier: Apache-2.0
// A shaken vessel and what is seen in it: what the shaken examples share. See shaken.c
// (the vessel) and shaking.c (a run and its checks).
#ifndef DLS_PROBLEMS_EXAMPLES_SHAKEN_H
#define DLS_PROBLEMS_EXAMPLES_SHAKEN_H

#include "problems/examples/packed.h"
#include "problems/mechanics/rigid.h"
#include "problems/observe/field.h"
#include "problems/observe/pressure.h"

#include "base/option.h"
#include "base/rng.h"

// --- options -------------------------------------------------------------------------

// The first member of the options of every shaken example. Lengths in cm.
struct dls_shaken {
    double width, frequency, peak;
    double mu, e_n, e_t, wall_mu, wall_e;
    int grains, periods, discard, steps, seed;
};

// Rows of the option table, in three groups, with the defaults of the example.
#define DLS_SHAKEN_VESSEL(count, across, hertz, way)                                   \
    DLS_INT(dls_shaken, grains, count, 2, 10000000, "grains at scale 1"),              \
        DLS_REAL(dls_shaken, width, across, 1e-6, 1e6,                                 \
                 "of the vessel at scale 1, cm"),                                      \
        DLS_REAL(dls_shaken, frequency, hertz, 1e-3, 1e6, "Hz"),                       \
        DLS_REAL(dls_shaken, peak, way, 0, 1e3, "displacement, peak to peak, cm")
#define DLS_SHAKEN_LAW(friction, normal, tangential, at_walls, normal_there)           \
    DLS_REAL(dls_shaken, mu, friction, 0, 1e3, "friction between grains"),             \
        DLS_REAL(dls_shaken, e_n, normal, 0, 1, "normal restitution between grains"),  \
        DLS_REAL(dls_shaken, e_t, tangential, 0, 1, "tangential restitution"),         \
        DLS_REAL(dls_shaken, wall_mu, at_walls, 0, 1e3, "friction with the vessel"),   \
        DLS_REAL(dls_shaken, wall_e, normal_there, 0, 1, "normal restitution there")
#define DLS_SHAKEN_TIME(counted, before, of_period)                                    \
    DLS_INT(dls_shaken, periods, counted, 1, 1000000, "counted ones at scale 1"),      \
        DLS_INT(dls_shaken, discard, before, 0, 1000000,                               \
                "periods before, at scale 1"),                                         \
        DLS_INT(dls_shaken, steps, of_period, 10, 10000000, "time steps of a period"), \
        DLS_INT(dls_shaken, seed, 1, 0, 2147483647, "of the random places")

// --- the vessel ----------------------------------------------------------------------

// Obstacle 0 is the floor, the others are sides. In the plane the vessel lies between
// x = 0 and x = width, in space it is a cylinder of diameter `width` about the z axis.
struct dls_vessel {
    int dim;
    double width;           // at the scale asked for
    double shrunk;          // the same over that of scale 1
    double peak, frequency; // peak to peak, Hz: height -peak/2 cos(2 pi frequency t)
    double gravity;
    double unit; // diameter of most grains
    struct dls_law grain, wall;
    struct dls_oscillation motion;
};

// What is poured into it: `grains` of dls_shaken times the scale, but at least `least`.
struct dls_filling {
    double low, high; // diameters are uniform between these
    bool spheres;     // in the plane: with the inertia of spheres, not of disks
    int least;
    bool deep; // at another scale: as deep as at scale 1, the width takes all of it
    // A grain that keeps its place while the others fall: body 0, at mid-width. At
    // another scale both shrink like the width. 0: none.
    double nut, height;
};

// The vessel filled and settled (or in the state asked for), shaken from t = 0 on, with
// memory from the arena; fills the scene.
enum dls_status dls_shaken_make(struct dls_scene *, int dim, const struct dls_filling *,
                                const struct dls_asked *, struct dls_arena *,
                                struct dls_error *);
const struct dls_vessel *dls_shaken_vessel(const struct dls_scene *);

// --- a run and its checks ------------------------------------------------------------

// What a run of whole periods saw, after the first `discard` of them. Numbers only: it is
// part of checkpoints.
struct dls_shaking {
    int discard, periods, steps, grains;   // steps: of a period
    struct dls_window floor, lift, normal; // forces on grains: of the floor, of the
                                           // sides upward and inward
    struct dls_window pressure;            // -trace of the internal moment
    double impulse;                        // of floor and sides, upward
    double weight;                         // of all grains, times the time
    double momentum;                       // gained, upward
    double unbalanced;                     // |impulse - weight - momentum| / weight
    double wall, core; // mean vertical displacement of a period, near the sides and in
                       // the inner half, less that of all grains
    long counted, contacts, iterations; // steps, and sums over them
    bool failed;
};

// A run of the example: makes it with its files beside, and checks what every shaken
// vessel must show.
struct dls_shaken_run {
    // In. After every counted period, with the centres one period before and now; what it
    // keeps between calls is the piece. NULL: nothing.
    void (*period)(const struct dls_shaking *, const struct dls_displaced *, int period,
                   void *data);
    struct dls_piece piece;
    // Out
    const struct dls_vessel *vessel;
    struct dls_shaking *s;
    dls_vec3 *from, *last; // centres at the first counted and the last whole period
};
enum dls_status dls_shaken_run(struct dls_shaken_run *, struct dls_checks *,
                               const struct dls_asked *, struct dls_arena *,
                               struct dls_error *);

// Down near the sides, up in the inner half.
void dls_check_circulation(struct dls_checks *, const struct dls_shaken_run *);

// The times over the period at which a block that does not bounce leaves the floor and
// lands: cos(2 pi leaves) = -1 / G, G = A omega^2 / g, and where its parabola meets the
// floor again.
void dls_block_flight_exact(const struct dls_vessel *, double *leaves, double *lands);

#endif
