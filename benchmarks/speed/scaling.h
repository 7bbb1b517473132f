// SPDX-License-Identifier: Apache-2.0
// What the files of the scaling study share; scaling.c tells what it is.
#ifndef DLS_BENCHMARKS_SPEED_SCALING_H
#define DLS_BENCHMARKS_SPEED_SCALING_H

#include "formulations/problem.h"

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

// A kind of structure that can be made in any size.
enum dls_family { DLS_WALL, DLS_PYRAMID, DLS_PACKING, DLS_FAMILIES };
extern const char *const dls_family_names[DLS_FAMILIES];

// The problem of a family whose number of contacts is about the one asked for.
enum dls_status dls_family_make(struct dls_problem *, enum dls_family, double contacts,
                                struct dls_arena *, struct dls_error *);

// y = factor x^exponent over the points with x between lo and hi.
struct dls_power_law {
    int points;
    double factor, exponent; // NAN where fewer than two sizes are known
    double lo, hi;
};

// The least squares line of (log x, log y); points where either is not positive and
// finite are left out.
struct dls_power_law dls_power_law_fit(const double *x, const double *y, int count);

enum { DLS_SCALING_SIZES = 32 }; // most sizes of a family

// What was measured on one family, by size; NAN where the solver did not converge.
struct dls_scaling {
    enum dls_family family;
    int sizes;
    double contacts[DLS_SCALING_SIZES];
    double seconds[DLS_SCALING_SIZES];
    double bytes[DLS_SCALING_SIZES]; // beyond those of a process without a problem
};

// Draws seconds (or bytes) against contacts with the fitted lines.
void dls_scaling_draw(FILE *, const struct dls_scaling *, int families, bool bytes);

// The rows that a study wrote with --csv; how many families in *count. DLS_EIO, DLS_EINVAL
// with a sentence.
enum dls_status dls_scaling_read(struct dls_scaling all[DLS_FAMILIES], int *count,
                                 const char *path, struct dls_arena *,
                                 struct dls_error *);

// One solve in a process of its own, told to the parent through the pipe of
// benchmarks/campaign/process.h; `words` are FAMILY CONTACTS SOLVER TOL MAX_TIME, or none for a
// process that does nothing. Returns the exit code.
int dls_scaling_child(int count, char *const words[]);

#endif
