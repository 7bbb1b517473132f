// SPDX-License-Identifier: Apache-2.0
// One contact alone: given A (d x d) and b, find r and u = A r + b with
//
//     K* ∋ u + mu |u_T| e_N  ⟂  r ∈ K.
//
// The answers are tried in the order open, stick, slip; the first admissible one is taken.
// A may be unsymmetric or singular.
#ifndef DLS_SOLVERS_CONTACT_CONTACT_H
#define DLS_SOLVERS_CONTACT_CONTACT_H

#include "formulations/judge/cone.h"

#include <stdbool.h>

// What all contacts read stands first: a contact in the plane reads 48 bytes.
struct dls_local_contact {
    double mu;
    bool singular;  // stick needs a second look: A r + b may not vanish
    bool ambiguous; // A_NN <= mu |A_NT|: several answers may be admissible
    union {
        double inverse[9]; // of A; the pseudo-inverse where A is singular
        struct {
            double mu_r, scale, rho; // of a contact with rolling rows
        };
    };
};

// Prepares a contact with the cone K for the d x d block A (by rows). False when
// A_NN <= 0: no impulse can open such a contact.
bool dls_contact_prepare(struct dls_local_contact *, const struct dls_cone *K,
                         const double *A);

// Solves for r; r on entry is the last answer, used as a first guess of the direction of
// slip. Returns the state; `answers` (may be NULL) receives the number of admissible
// answers where the contact is ambiguous, else 1.
enum dls_contact_status dls_contact_solve1(const struct dls_local_contact *,
                                           const double *A, const double *b, double *r,
                                           int *answers);
enum dls_contact_status dls_contact_solve2(const struct dls_local_contact *,
                                           const double *A, const double *b, double *r,
                                           int *answers);
enum dls_contact_status dls_contact_solve3(const struct dls_local_contact *,
                                           const double *A, const double *b, double *r,
                                           int *answers);

// With rolling rows, d = 3 or 5: by projections (contact_rolling.c).
void dls_contact_prepare_rolling(struct dls_local_contact *, const struct dls_cone *K,
                                 const double *A);
enum dls_contact_status dls_contact_solve_rolling(const struct dls_local_contact *,
                                                  int d, const double *A,
                                                  const double *b, double *r);

// The solver for d rows.
typedef enum dls_contact_status dls_contact_solver(const struct dls_local_contact *,
                                                   const double *A, const double *b,
                                                   double *r, int *answers);
dls_contact_solver *dls_contact_solver_for(int d, bool rolling);

#endif
