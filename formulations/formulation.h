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
    bool frames;  // it reads problem->frames; formulations that do not are given H
    bool own_law; // its law is not Coulomb's, and has no form for elliptic cones

    // Builds the data a solver reads. DLS_UNSUPPORTED where the problem has no such
    // form; the sentence says why.
    enum dls_status (*build)(void **form, const struct dls_problem *, const void *opt,
                             struct dls_arena *, struct dls_error *);
    int (*size)(const void *form);                               // length of z
    void (*start)(const void *form, const double *r, double *z); // warm start in
    void (*lift)(const void *form, const double *z, double *r);  // answer out
    // The residual of its own law; NULL where that is Coulomb's, which the judge measures.
    double (*residual)(const void *form, const double *z);
    // How its law differs from Coulomb's ("8 facets"), or NULL where it does not; the
    // pointer itself may be NULL.
    const char *(*relaxes)(const void *form);
    void (*destroy)(void *form); // foreign handles only; may be NULL
};

#endif
