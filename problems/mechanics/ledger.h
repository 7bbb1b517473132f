// SPDX-License-Identifier: Apache-2.0
// The energy of a run, item by item; see ledger.c for the formulas.
#ifndef DLS_PROBLEMS_MECHANICS_LEDGER_H
#define DLS_PROBLEMS_MECHANICS_LEDGER_H

#include "base/sparse.h"

#include <stdbool.h>

struct dls_ledger {
    double kinetic_start, potential_start;
    double kinetic, potential; // now
    // Of bodies that came during the run, less that of bodies that went.
    double kinetic_brought, potential_brought;

    // Sums over the steps so far; what the system gains is positive.
    double normal, tangential; // contact work A; dissipation is -A
    double external;           // applied forces, conservative ones included
    double gyroscopic, joints, obstacles;
    double inertia;                        // change of M(q) between steps at the same v
    double cohesion;                       // work of the glue of contacts (bonds.h)
    double cohesion_stored, cohesion_lost; // what it holds now; what damage took so far

    double defect; // what the sum of the above leaves unexplained of the kinetic energy
    double worst_defect; // largest in one step, relative to its largest item
    long steps, flagged; // flagged: A > 0 beyond what the residual explains
    double worst_work;   // largest A of a flagged step
    double worst_time;   // and when
};

struct dls_step;

// One finished step: velocities before and after, percussions applied by forces.
struct dls_passage {
    double t, h;                    // when it ended, how long it was
    const double *v_minus, *v_plus; // n
    bool
        solved; // they are the v^- and v of the step problem, whose u^- and u are known
    const double *percussion, *gyro; // n: all of h F, and the gyroscopic part of it
    double joint_work; // of smooth joint forces, where the percussion has them too
    double potential;  // after the step
};

void dls_ledger_start(struct dls_ledger *, double kinetic, double potential);
void dls_ledger_book(struct dls_ledger *, const struct dls_step *,
                     const struct dls_passage *);

// 1/2 v . M v
double dls_kinetic_energy(const struct dls_csr *M, const double *v);

#endif
