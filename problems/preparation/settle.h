// SPDX-License-Identifier: Apache-2.0
// A packing that has come to rest; see settle.c.
#ifndef DLS_PROBLEMS_PREPARATION_SETTLE_H
#define DLS_PROBLEMS_PREPARATION_SETTLE_H

#include "problems/mechanics/rigid.h"
#include "problems/mechanics/scheme.h"

// A run that makes a packing: rain falls, walls close in, until it rests or is done.
struct dls_settling {
    const char *scheme; // "moreau"
    const char *solver; // NULL: the one of the setup
    double h, most;     // step, and longest duration
    double tol;         // natural residual of its steps
    long sweeps;        // most iterations of a step; 0 = 300
    double speed;       // at rest: no body is faster, at 20 looks in a row
    struct dls_law law; // of every contact while it settles
    // Ends it before; NULL: rest does. For packing to a given solid fraction.
    bool (*done)(const struct dls_sim *, void *data);
    void *data;
};

// What came out.
struct dls_settled {
    double t, speed; // duration, largest speed at the end
    long steps;
    bool rest; // or done
};

// Moves the bodies of `r` to where they settle and leaves them at rest there: their
// places, angles, zero velocities. Solver and limits as in `setup`.
enum dls_status dls_settle(struct dls_rigid *, const struct dls_settling *,
                           const struct dls_setup *, struct dls_settled *,
                           struct dls_arena *, struct dls_error *);

#endif
