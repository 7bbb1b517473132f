// SPDX-License-Identifier: Apache-2.0
// Contacts whose answer is chosen first; see known.c.
#ifndef DLS_PROBLEMS_GENERATORS_KNOWN_H
#define DLS_PROBLEMS_GENERATORS_KNOWN_H

#include "base/rng.h"

// What is drawn: shares of contacts that open and stick (the others slip), and rows per
// contact.
struct dls_mixture {
    double open, stick;
    int d;
};

// A pair (r, u) of contact number k, d entries each, that satisfies Coulomb's law with
// friction coefficient mu > 0 and strict complementarity.
void dls_known_contact(const struct dls_mixture *, int k, double mu, struct dls_rng *,
                       double *r, double *u);

#endif
