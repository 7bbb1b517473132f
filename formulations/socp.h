// SPDX-License-Identifier: Apache-2.0
// The formulation `socp`: y = W' x + q' + s e_N with x and y in Lorentz cones.
#ifndef DLS_FORMULATIONS_SOCP_H
#define DLS_FORMULATIONS_SOCP_H

#include "formulations/delassus.h"

struct dls_socp {
    const struct dls_problem *problem;
    int contacts, d, m;
    struct dls_bsr W; // t W t
    double *q;        // t q / unit
    double *t;        // m: impulse r = unit t x; 0 for tangents without friction
    double unit;      // so that q' has entries of order 1
    bool symmetric;   // W equals its transpose up to round-off
    // t H and M with W = t H M^-1 H^T t: given, or recovered from W. NULL where neither
    // is possible, and with joints.
    const struct dls_csr *H, *M;
};

extern const struct dls_formulation dls_formulation_socp;

// s_a = |y_T|, De Saxcé's shift in these variables; one entry a contact.
void dls_socp_shift(const struct dls_socp *, const double *y, double *s);

#endif
