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
    // The answer is exact where blocks of W and q change by this part of their norms; NAN
    // where that was not measured.
    double backward;
    double *r_rest, *u_rest;  // m: what the doubles r and u in /solution leave out
    int *status;              // contacts: enum dls_contact_status
    int weak, *weakly;        // contacts within weak_tol of another status
    double weak_tol;          // a velocity, relative to |q| in units of energy
    int unknowns, null_space; // impulses left free by the velocities, and the dimension
                              // of those that change no velocity; -1 where unknown
    double kept, dropped;     // the smallest pivot that counted for the rank, and the
                              // largest that did not, relative to the largest of all
    double *least_r; // m: the impulses of least norm with these velocities, or NULL
    struct dls_residuals least; // of least_r
    // By which factor a Gauss-Seidel sweep multiplies small errors at the answer: above 1
    // the answer repels. NAN where unknown.
    double sweep_rate;
    bool rate_settled;     // false: the rate still changed when the sweeps ended
    const char *existence; // the verdict, in words
    double margin; // by which a motion that was found opens all contacts; or NAN
    const char
        *motion; // whether it is the only one: "unique", "isolated", "not known";
                 // or NULL
    const char *motion_why; // a clause about `motion`
    int residual_version;
    const char *provenance; // program, solver, precision
};

// Reads the certificate of a file whose problem was read before. `there` receives whether
// the file has one. A certificate that does not fit the problem is an error whose sentence
// names the field.
enum dls_status dls_certificate_read(struct dls_certificate *, bool *there,
                                     const char *path, const struct dls_problem *,
                                     struct dls_arena *, struct dls_error *);

#endif
