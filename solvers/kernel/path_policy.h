// SPDX-License-Identifier: Apache-2.0
// The policy of homotopy: the numbers by which its flow and its path are followed. Their
// values and reasons stand in path_policy.c, how they are used in solvers/homotopy.c.
#ifndef DLS_SOLVERS_KERNEL_PATH_POLICY_H
#define DLS_SOLVERS_KERNEL_PATH_POLICY_H

enum { DLS_METRICS = 4 };

// The flow. Lengths of steps are relative to the point: 1 doubles a component.
struct dls_flow_rule {
    double distance;                          // of x and y from zero at the start
    double first_fall, least_fall, most_fall; // of nu where the flow rests
    double faster, slower;                    // change of the fall
    int few, many;                            // steps at one nu after which it changes
    double first_alpha, least_alpha, most_alpha;
    double raise, raise_least; // of alpha where the determinant is negative
    double cut, doubled, whole,
        halved;         // alpha after a step cut to less than `cut`, after
                        // a whole one within reach, after others
    double drift_alpha; // after `full` uncut steps in a row
    int full;
    double omega[DLS_METRICS];  // the metrics, in turn
    double at_rest, free_alpha; // shorter steps, smaller alpha: it rests
    double damping, longest;    // of a step
    double least_nu;            // where there is nothing left to do
    int most_patience;
};
extern const struct dls_flow_rule dls_flow_rule;

// The path, followed where the flow does not rest.
struct dls_path_rule {
    int corrections, damped_corrections; // at most
    int shortenings, leaps;              // of the step, then leaps of growing length
    double first_step, leap, after_leap, leap_grows;
    double to_boundary;                          // of the way there, for a step
    double quick, fair_pace, slow_pace, shorten; // change of the step
    double small, fair, contracting; // sizes of corrections: done, nearly, hopeless
    double room;                     // a whole correction has to stay inside, by a bit
    double below, again;             // of the least nu: where the flow is tried
};
extern const struct dls_path_rule dls_path_rule;

#endif
