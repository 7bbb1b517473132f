// SPDX-License-Identifier: Apache-2.0
// Measures over the time since the row before: means of forces, displacements between two
// looks. They keep numbers between steps, which are part of checkpoints. See since.c.
#ifndef DLS_PROBLEMS_OBSERVE_SINCE_H
#define DLS_PROBLEMS_OBSERVE_SINCE_H

#include "problems/observe/observer.h"

struct dls_since {
    const char *name, *brief;
    bool takes_number; // written name=K
    // How many numbers are kept; they are zero at first, then `start` may fill them (NULL:
    // leaves them).
    int (*size)(const struct dls_sim *);
    void (*start)(const struct dls_sim *, double *kept);
    // After every step; NULL: only rows matter.
    void (*add)(const struct dls_observed *, int number, double *kept);
    // A row; begins anew behind it. False when memory runs out.
    bool (*read)(const struct dls_observed *, int number, double *kept,
                 struct dls_readings *, struct dls_arena *);
};

extern const struct dls_since dls_since_measures[]; // ends with {0}

#endif
