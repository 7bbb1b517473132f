// SPDX-License-Identifier: Apache-2.0
// The certificate of a solution: what was found out about it in extended precision. In an
// FCLIB file it is the group /certificate beside /solution, which other readers ignore;
// certificate.c lists the datasets.
#ifndef DLS_FORMULATIONS_FILES_CERTIFICATE_H
#define DLS_FORMULATIONS_FILES_CERTIFICATE_H

#include "formulations/problem.h"

// Both measures of the judge, in extended precision; merit NAN where there is none.
struct dls_residuals {
    double natural, merit;
};

struct dls_certificate {
    double tol;                   // what both were to reach
    struct dls_residuals found;   // of the answer as the solver left it
    struct dls_residuals refined; // of r + r_rest
    struct dls_residuals rounded; // of r alone, the doubles in /solution
    double *r_rest, *u_rest;      // m: what the doubles r and u in /solution leave out
    int *status;                  // contacts: enum dls_contact_status
    int weak, *weakly;            // contacts within weak_tol of another status
    double weak_tol;              // relative to the energy's root of the free velocity
    int unknowns, null_space; // impulses left free by the velocities, and the dimension
                              // of those that change no velocity; -1 where unknown
    double kept, dropped;     // relative pivots on both sides of that decision
    double *least_r;          // m: the representative of least norm; NULL where none
    struct dls_residuals least; // its own
    double
        sweep_rate; // of the error in a Gauss-Seidel sweep near the answer: above 1 it
                    // repels; NAN where unknown
    bool rate_settled;      // or else the last seen when the sweeps ended
    const char *existence;  // the verdict, in words
    double margin;          // of the strictly admissible motion found; or NAN
    const char *motion;     // the only one? "unique", "isolated", "not known"; or NULL
    const char *motion_why; // a clause
    int residual_version;
    const char *provenance; // program, solver, precision
};

// Reads the certificate of a file whose problem was read. `there` receives whether there is
// one. One that does not fit the problem is an error whose sentence names the field.
enum dls_status dls_certificate_read(struct dls_certificate *, bool *there,
                                     const char *path, const struct dls_problem *,
                                     struct dls_arena *, struct dls_error *);

#endif
