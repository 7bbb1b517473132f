// SPDX-License-Identifier: Apache-2.0
// What holds for every method that accelerates the sweep of pgs: fewer sweeps where it is
// slow, hardly more anywhere, the same answers.
#ifndef DLS_TESTS_SUPPORT_SUPPORT_ACCELERATION_H
#define DLS_TESTS_SUPPORT_SUPPORT_ACCELERATION_H

// Stacks and walls, where error travels slowly from the ground up: on a stack of n a sweep
// gains cos^2(pi/2n), n^2 sweeps a decade. Fewer sweeps than pgs by these factors.
enum { SUPPORT_SLOW_PROBLEMS = 6 };
void support_fewer_sweeps(const char *solver,
                          const double factor[SUPPORT_SLOW_PROBLEMS]);

// At most twice the sweeps of pgs and 10 on problems where it is fast: an attempt that
// fails costs as many sweeps as it is followed by plain ones, hence the 2; short runs end
// before a direction is found.
void support_hardly_more_sweeps(const char *solver);

// No more sweeps than pgs on snapshots of the corpus, hyperstatic ones among them.
void support_fewer_on_snapshots(const char *solver);

// Every step is one sweep; what the judge sees lies in the cones.
void support_honest_sweeps(const char *solver);

// The same u as pgs where it is unique (frictionless, or manufactured), in units of the
// free velocity: 1e-8 of the residual times the condition number of these, below 1e3.
void support_same_answers(const char *solver);

#endif
