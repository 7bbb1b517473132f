// SPDX-License-Identifier: Apache-2.0
// A shaken vessel and what is seen in it: what the three shaken examples share. See
// shaken.c.
#ifndef DLS_PROBLEMS_EXAMPLES_SHAKEN_H
#define DLS_PROBLEMS_EXAMPLES_SHAKEN_H

#include "problems/examples/packed.h"
#include "problems/mechanics/rigid.h"
#include "problems/observe/field.h"
#include "problems/observe/pressure.h"

#include "base/rng.h"

// Obstacle 0 is the floor, the others are sides. In the plane the vessel lies between
// x = 0 and x = width, in space it is a cylinder of diameter `width` about the z axis.
struct dls_vessel {
    int dim;
    double width;
    double peak, frequency; // peak to peak, Hz: height -peak/2 cos(2 pi frequency t)
    double gravity;
    struct dls_law grain, wall;
    struct dls_oscillation motion;
};

// Rigid bodies with the vessel around them, at rest still; `count` of radius[], of mass 1 for
// the last one, inertia of spheres or disks, in loose rows. The vessel is borrowed.
struct dls_rigid *dls_vessel_fill(struct dls_vessel *, int count, const double *radius,
                                  bool spheres, struct dls_rng *, struct dls_arena *);
// Lets them settle (or takes the state asked for), then hangs the vessel on its motion.
enum dls_status dls_vessel_start(struct dls_vessel *, struct dls_rigid *,
                                 const struct dls_asked *, struct dls_arena *,
                                 struct dls_error *);

// What a run of whole periods saw, after the first `discard` of them.
struct dls_shaking {
    // In
    const struct dls_vessel *vessel;
    int discard, periods;
    int steps; // of a period
    // After every counted period; NULL: nothing.
    void (*period)(const struct dls_sim *, int period, void *data);
    void *data;
    struct dls_arena *arena;
    // Out
    int grains;
    dls_vec3 *from, *to;                   // centres before and after
    struct dls_window floor, lift, normal; // forces on grains: of the floor, of the
                                           // sides upward and inward
    struct dls_window pressure;            // -trace of the internal moment
    double impulse;                        // of floor and sides, upward
    double weight;                         // of all grains, times the time
    double momentum;                       // gained, upward
    double unbalanced;                     // |impulse - weight - momentum| / weight
    long counted, contacts, iterations, unconverged; // steps, and sums over them
    bool failed;
};
enum dls_status dls_shaking_run(struct dls_shaking *, const struct dls_scene *,
                                const struct dls_asked *, struct dls_error *);

// The times over the period at which a block that does not bounce leaves the floor and
// lands, found by a run of one block.
enum dls_status dls_block_flight(const struct dls_vessel *, int steps, double *leaves,
                                 double *lands, const struct dls_asked *,
                                 struct dls_arena *, struct dls_error *);

// cos(2 pi leaves) = -1 / G, G = A omega^2 / g, and the landing that follows from it.
void dls_block_flight_exact(const struct dls_vessel *, double *leaves, double *lands);

// Checks that every shaken vessel passes, whatever its size.
enum dls_status dls_shaken_checks(struct dls_checks *, const struct dls_shaking *,
                                  const struct dls_asked *, struct dls_arena *,
                                  struct dls_error *);

#endif
