// SPDX-License-Identifier: Apache-2.0
// One step as experiments see it: grains with places and velocities, contacts with
// forces in space. All measures of this folder read this picture and nothing else.
#ifndef DLS_PROBLEMS_OBSERVE_OBSERVED_H
#define DLS_PROBLEMS_OBSERVE_OBSERVED_H

#include "problems/mechanics/scheme.h"
#include "problems/shapes/shape.h"

#include "base/vec3.h"

// In the plane (dim = 2) z components are 0, a volume is an area, a mass is per depth.
struct dls_grain {
    int number, tag; // who it is, also where bodies come and go (population.h); its tag
    struct dls_pose pose; // where the contacts of the step were looked for
    const struct dls_shape *shape;
    double volume, mass;
    dls_vec3 v_minus, v; // before and after the step
    dls_vec3 spin;       // after it, in space
    dls_vec3 applied;    // all forces but those of contacts: weight, loads
};

struct dls_force {
    int grain, other;  // `other` is -1 for an obstacle that nobody carries
    int obstacle;      // its number, -1 between two grains
    dls_vec3 point, n; // n from the other towards the grain
    dls_vec3 f;        // impulse / h, on the grain; the other one receives -f
    double normal;     // f . n
    double work; // r . u_bar: what the contact gave in this step (dissipation < 0)
    double gap;
    double approach; // u_N^-: negative where they came together
};

struct dls_observed {
    int dim;
    double t, h;       // t: end of the step
    double free_speed; // |q|, of the local velocities without contact impulses
    dls_vec3 gravity;
    int grains, forces;
    struct dls_grain *grain;
    struct dls_force *force;
};

// The last step of a run. DLS_UNSUPPORTED where the system is not of rigid bodies;
// DLS_ENOMEM. This function alone knows how the engine stores a step.
enum dls_status dls_observe(struct dls_observed *, const struct dls_sim *,
                            struct dls_arena *);

// Area or volume of a shape.
double dls_shape_volume(const struct dls_shape *, int dim);

// True for the grains that a measure takes; NULL means all.
typedef bool dls_chosen(const struct dls_observed *, int grain, const void *data);

#endif
