// SPDX-License-Identifier: Apache-2.0
// A formulation is what a solver receives: one way to write the step problem, with the
// maps between its unknown z and the impulses r. Building it and lifting its answer back
// is the formulation's job, never the solver's.
#ifndef DLS_FORMULATIONS_FORMULATION_H
#define DLS_FORMULATIONS_FORMULATION_H

#include "formulations/problem.h"

#include "base/option.h"

struct dls_formulation {
    const char *name, *brief;
    const struct dls_option *options; // facets, potentials, ...; ends with {0}; or NULL
    size_t options_size;
    bool frames;  // reads problem->frames; all others are given H
    bool own_law; // not Coulomb's: it has no meaning with elliptic cones

    // Builds the data a solver reads. DLS_UNSUPPORTED where the problem has no such
    // form; the sentence says why.
    enum dls_status (*build)(void **form, const struct dls_problem *, const void *opt,
                             struct dls_arena *, struct dls_error *);
    int (*size)(const void *form);                               // length of z
    void (*start)(const void *form, const double *r, double *z); // warm start in
    void (*lift)(const void *form, const double *z, double *r);  // answer out
    double (*residual)(const void *form, const double *z); // own; NULL = Coulomb's
    const char *(*relaxes)(const void *form); // what is relaxed, or NULL; may be NULL
    void (*destroy)(void *form);              // foreign handles only; may be NULL
};

#endif
