// SPDX-License-Identifier: Apache-2.0
// Anderson's acceleration of a fixed point s = G(s). See mixing.c.
#ifndef DLS_SOLVERS_KERNEL_MIXING_H
#define DLS_SOLVERS_KERNEL_MIXING_H

#include "base/arena.h"

#include <stdbool.h>

struct dls_mixing {
    int size, depth;   // of s, and the most steps remembered
    int count, next;   // remembered now, and the column that is overwritten next
    bool started;      // s and f hold a step
    int idle;          // steps without gain
    int pause, length; // plain steps left to make, and the length of the next pause
    double best;       // least |f| since the memory was emptied
    double *s, *f;     // size: the last point, and its G(s) - s
    double *S, *F;     // size x depth by columns: their differences
    double *A, *b;     // size x depth and max(size, depth): of the least squares
    double *work;
    int *pivot, work_size;
};

// False when memory runs out.
bool dls_mixing_create(struct dls_mixing *, int size, int depth, struct dls_arena *);
void dls_mixing_forget(struct dls_mixing *);

// Replaces s by the next point; f = G(s) - s.
void dls_mixing_step(struct dls_mixing *, double *s, const double *f);

#endif
