// SPDX-License-Identifier: Apache-2.0
// What can be told of the Delassus operator W: its rank, its scale, its pattern.
#ifndef DLS_BENCHMARKS_CAMPAIGN_SPECTRUM_H
#define DLS_BENCHMARKS_CAMPAIGN_SPECTRUM_H

#include "formulations/delassus.h"

// Of the eigenvalues of the symmetric part of W; below 1e-10 of the largest is zero.
struct dls_spectrum {
    int rank_deficiency; // m - #{ positive ones }
    int negative;        // how many of these are negative: W is indefinite
    double condition;    // largest over smallest positive
};

// By LAPACK, W dense: m^3 operations, m^2 numbers. Returns DLS_ENUMERIC where the
// iteration does not end.
enum dls_status dls_spectrum_compute(struct dls_spectrum *, const struct dls_csr *W,
                                     struct dls_arena *);

// l_a, the largest eigenvalue of the symmetric part of W_aa: smallest and largest over
// the contacts; NAN for none.
void dls_spectrum_scales(const struct dls_bsr *W, double *least, double *most);

#endif
