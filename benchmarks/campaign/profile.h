// SPDX-License-Identifier: Apache-2.0
// The statistics of a campaign; see profile.c for the formulas.
#ifndef DLS_BENCHMARKS_CAMPAIGN_PROFILE_H
#define DLS_BENCHMARKS_CAMPAIGN_PROFILE_H

#include "base/arena.h"

// Added to costs in `charged` and taken off again: problems of microseconds should not
// decide. In seconds.
static const double dls_profile_shift = 0.01;

// Costs are problems x solvers by rows; INFINITY (or NAN) = not solved.
struct dls_profile {
    int problems, solvers;
    int unsolved;  // problems that no solver solved
    double *best;  // lowest cost of each problem, INFINITY where unsolved
    double *ratio; // solvers x problems: t_ps / best_p, ascending, INFINITY at the end
    int *solved;   // of each solver: finite ratios
    int *wins;     // ... problems where it is (one of) the best
    double *mean;  // ... geometric mean ratio where it solved; NAN if it never did
    double *charged; // ... shifted geometric mean cost with failures charged, or NAN
};

// `charge` (problems x solvers, or NULL) is what a failure costs in `charged`; NULL leaves
// `charged` at NAN for solvers with a failure. Costs below `floor` count as `floor`. False
// when memory ran out.
bool dls_profile_make(struct dls_profile *, int problems, int solvers,
                      const double *cost, const double *charge, double floor,
                      struct dls_arena *);

// rho_s(tau): share of all problems that solver s solved within tau times the best.
// tau = INFINITY gives the share solved at all. 0 without problems.
double dls_profile_share(const struct dls_profile *, int solver, double tau);

// Geometric mean of a_k / b_k over the pairs where both are finite; their number into
// *common. NAN without such pairs.
double dls_ratio_mean(const double *a, const double *b, int count, int stride,
                      double floor, int *common);

// The middle value (the lower of two); NAN of none. Sorts the values.
double dls_median(double *values, int count);

// Where a history stands at `when`, by bisection: the residual at the last check until
// then, residual[0] before the first, INFINITY without any. Times ascend.
double dls_history_at(const double *time, const double *residual, int count,
                      double when);

#endif
