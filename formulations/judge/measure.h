// SPDX-License-Identifier: Apache-2.0
// What the judge measures on contacts one by one; see measure.c.
#ifndef DLS_FORMULATIONS_JUDGE_MEASURE_H
#define DLS_FORMULATIONS_JUDGE_MEASURE_H

#include "formulations/judge/residual.h"

struct dls_measuring {
    const struct dls_problem *problem;
    const double *r, *u, *l; // m, m, contacts
    double *miss, *energy,
        *gap; // contacts: |C_a| of natural, sqrt(l_a) |C_a| of merit,
              // gap of the bipotential
};

// Factor that brings row i of a contact to the units of its tangential rows.
double dls_row_scale(const struct dls_problem *, int contact, int i);

// Fills the arrays for the contacts from ... to - 1, and adds their largest values and
// counts to the measures.
void dls_measure_contacts(const struct dls_measuring *, int from, int to,
                          struct dls_measures *);

// Fills `miss` alone.
void dls_measure_misses(const struct dls_measuring *, int from, int to);

#endif
