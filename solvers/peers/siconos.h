// SPDX-License-Identifier: Apache-2.0
// Siconos' solvers behind our contract: the problem in its block storage, and runs in
// chunks of iterations or in one call. Compiled where Siconos is; see siconos.c.
#ifndef DLS_SOLVERS_PEERS_SICONOS_H
#define DLS_SOLVERS_PEERS_SICONOS_H

#include "solvers/solver.h"

#include "formulations/delassus.h"

// A problem and a solver of Siconos, with default options.
struct dls_siconos;

// How many iterations one call of Siconos gets: `first`, later `growth` times those done.
struct dls_siconos_pace {
    int first;
    double growth;
};

// What one call did.
struct dls_siconos_run {
    int iterations;
    bool satisfied; // Siconos found its own error below its own tolerance
    double error;   // that error
};

// `plane` and `space` are Siconos' numbers of the solver in 2D and 3D, 0 where it has
// none: DLS_UNSUPPORTED then, and for problems without friction rows.
// `self` receives a struct dls_siconos; `form` is a struct dls_delassus.
enum dls_status dls_siconos_create(void **self, const void *form, int plane, int space,
                                   struct dls_arena *, struct dls_error *);
void dls_siconos_destroy(void *self); // as solvers have it; accepts NULL

// One call: from r, at most that many iterations, until Siconos' error is below tol (0:
// all of them).
struct dls_siconos_run dls_siconos_call(struct dls_siconos *, double tol,
                                        int iterations, double *r);

// One step of a solver: a chunk of iterations at the pace, counted in work->products.
// Where Siconos is satisfied and the judge is not, its tolerance becomes ten times
// smaller; DLS_FINISHED where that does not help any more. Siconos' verdict on a chunk is
// not the one it has on a whole call (its cheap estimate of the error is small after a few
// sweeps that start near an answer), so nothing is claimed.
enum dls_status dls_siconos_step(struct dls_siconos *, struct dls_siconos_pace,
                                 double *r, struct dls_work *);

// One step of a solver whose inner state a restart would lose: one call at the tolerance of
// the run, as many iterations as the time allows. Where Siconos is content and the judge
// is not, the next step calls it again from the start of the run, asking ten times more.
enum dls_status dls_siconos_step_whole(struct dls_siconos *, double *r,
                                       struct dls_work *);

// Seconds spent on finding out how long an iteration takes; as solvers have it.
double dls_siconos_idle(const void *self);

// Forgets the tolerance and the pace, takes z as the start; as solvers have it.
void dls_siconos_reset(void *self, const double *z);

#endif
