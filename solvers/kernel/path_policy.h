// SPDX-License-Identifier: Apache-2.0
// The policy of homotopy: the numbers by which its flow and its path are followed. Their
// values and reasons stand in path_policy.c, how they are used in solvers/homotopy.c.
#ifndef DLS_SOLVERS_KERNEL_PATH_POLICY_H
#define DLS_SOLVERS_KERNEL_PATH_POLICY_H

enum { DLS_METRICS = 4 };

// The flow. Lengths of steps are relative to the point: a step of length 1 doubles a
// component. The flow "rests" where its step is short and alpha small.
struct dls_flow_rule {
    double distance; // of x and y from zero at the start
    // Where the flow rests, nu is multiplied by the `fall`: at first, at least, at most.
    double first_fall, least_fall, most_fall;
    int few, many;         // rest came after few steps, or after more than many: then
    double faster, slower; // the fall is multiplied by one of these
    double first_alpha, least_alpha, most_alpha; // bounds of alpha
    // Above so many rows for a velocity, the least alpha of a path that has not shown a fold
    // is the root of nu between the next two; det <= 0 shows one, or that the flow did not
    // come to rest within so many steps.
    double redundant, smooth_least, smooth_alpha;
    int smooth_steps;
    double creep,
        slow; // before that it also rests where whole steps are shorter than the
              // first of these and longer than this share of the one before
    // Bent steps come first. One is halved, so many times at most, while the step that would
    // follow is no shorter and longer than `within`; that one, in the mean of the contacts,
    // takes the part of the step before in the rule of creep, with a limit of its own. After
    // so many steps at one nu the flow is given up and begun again with straight ones.
    int halvings, bent_steps;
    double within, bent_creep;
    double raise, raise_least;  // alpha <- raise alpha + raise_least while det <= 0
    double cut;                 // a step shortened to less than this was cut;
    double doubled;             // factor of alpha after a cut step,
    double whole;               // after a whole step shorter than 1,
    double halved;              // after any other
    int full;                   // after more whole steps in a row than this
    double drift_alpha;         // alpha may fall so far
    double omega[DLS_METRICS];  // the metrics, in the order in which they are tried
    double at_rest, free_alpha; // it rests with shorter steps and a smaller alpha
    double damping;  // longest step, as a share of the way to the boundary of the cones
    double longest;  // longest step, in its own length
    double least_nu; // below, there is nothing left to do
    int most_patience; // the patience at which the solver gives up
};
extern const struct dls_flow_rule dls_flow_rule;

// The path, followed where the flow does not come to rest. A step along the tangent is
// corrected by Newton's method; a leap is a step that damped corrections bring back.
struct dls_path_rule {
    int corrections, damped_corrections; // of a step and of a leap, at most
    int shortenings, leaps;     // steps tried, each shorter, then leaps, each longer
    double first_step, shorten; // length of the first step, factor of the next
    double leap, leap_grows,
        after_leap;     // length of the first leap, factor of the next,
                        // length of the step that follows a leap
    double to_boundary; // longest step, as a share of the way to the boundary
    double quick, fair_pace,
        slow_pace; // factor of the length of the next step: after 1
                   // or 2 corrections, after 3, after more
    // Sizes of a correction: small enough to end with; small enough where it also is this
    // share of the one before; and the share above which corrections are hopeless.
    double small, fair, contracting;
    double room; // the way to the boundary, in whole corrections, that one has to leave
    double below,
        again; // factors of the least nu: where the flow starts next, and how far
               // the path has to fall before the flow is tried again
};
extern const struct dls_path_rule dls_path_rule;

#endif
