// SPDX-License-Identifier: Apache-2.0
// A reason stands behind the last of the numbers that it belongs to. "Chosen" means that
// there is no derivation: the number works on the sets of docs/hard-problems.md, and whoever
// changes it should look at those.
#include "solvers/kernel/path_policy.h"

const struct dls_flow_rule dls_flow_rule = {
    .distance = 30, // far from every boundary: impulses and velocities are of order 1
    .first_fall = 0.3, // a point of rest is then still within Newton's reach;
    .least_fall = 0.1, // one decade at most, for folds between would be passed unseen;
    .most_fall = 0.8,  // progress in any case
    .few = 3,          // Newton's own number near an answer
    .many = 10,        // more than that is search
    .faster = 0.7,
    .slower = 1.5,       // one of each nearly cancels
    .first_alpha = 1e-3, // nearly Newton's step
    .least_alpha = 1e-6, // below that W alone decides, and W may be singular
    .redundant = 3,      // as in auto's policy; random sets below it are lost
    .smooth_least =
        1e-5, // chosen. What is held back leaves an error of order alpha, and
              // contacts between two statuses are of the size of the root;
    .smooth_alpha = 1e-4, // holds back what no velocity depends on: see homotopy.c
    .smooth_steps = 150,  // chosen: more than without folds (up to 39 on pyramids)
    .creep = 1,           // longer ones, which double a component, are no creep
    .slow =
        0.8, // chosen: Newton's steps would fall by far more, so alpha holds them back
    .halvings = 4,     // 1/16 is shorter than `cut`, so that alpha is doubled as well
    .bent_steps = 50,  // chosen: more than where it rests (up to 22 on pyramids)
    .within = 0.3,     // as at_rest: the next step is within Newton's reach
    .bent_creep = 0.1, // chosen: with 0.2 and more, contacts are left behind
    .most_alpha = 1e4, // steps of 1e-4 move nothing: the algebra has failed
    .raise = 4,
    .raise_least = 1e-4, // from the least to the most alpha in some 15 factorisations
    .cut = 0.25,         // chosen: three quarters of the step were refused
    .doubled = 2,
    .whole = 0.3,
    .halved = 0.6, // caution comes as fast as it goes
    .full = 10,
    .drift_alpha =
        1e-12, // whole steps ten times over need no guard against a singular W
    .omega = {0.1, 1, 0.01, 10}, // decades around 0.3, the nearer ones first
    .at_rest = 0.3,
    .free_alpha = 0.05, // the step is nearly Newton's, and within its reach
    .damping = 0.7,     // as interior points do
    .longest = 2,       // beyond that the linear model says nothing
    .least_nu = 1e-24,  // complementarity of 1e-12, the root, is below any tolerance
    .most_patience = 100000, // the default, doubled 8 times
};

const struct dls_path_rule dls_path_rule = {
    .corrections = 5,         // Newton converges in fewer or not at all
    .damped_corrections = 10, // each goes part of the way
    .shortenings = 6,
    .leaps = 7,
    .first_step = 0.2,  // a fifth of the point's own size
    .shorten = 0.4,     // 0.4^6 is 1 / 250:
    .leap = 0.002,      // leaps begin where the shortened steps ended,
    .leap_grows = 2,    // and 2^7 brings them back to a whole step
    .after_leap = 0.02, // chosen: shorter than a step, since the path is bent there
    .to_boundary = 0.9, // inside, whatever the length
    .quick = 1.6,       // two quick steps make up for a shortened one
    .fair_pace = 1.1,
    .slow_pace = 0.7, // chosen, around 1
    .small = 0.1,     // Newton's next correction is of order 0.01
    .fair = 0.3,
    .contracting = 0.7, // chosen: a tenth in seven corrections is too slow
    .room = 1.05,       // a whole correction stays inside, by a bit
    .below = 0.7,       // beyond the fold, so that the flow does not fall back to it
    .again = 0.8,       // chosen: lower than where the flow failed
};
