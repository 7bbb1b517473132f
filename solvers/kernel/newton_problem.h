// SPDX-License-Identifier: Apache-2.0
// The contacts as a semismooth Newton method sees them: scaled, with a function F of one
// contact, its derivatives and a merit along a direction.
//
//     F(x, rho u) = 0,   u = W x + q + shift (x - centre),      r = s x
//
// with s from dls_contact_scales, W <- s W s, q <- s q: the block W_aa has a diagonal of
// order `factor` and every quantity is a pure number. A shift other than zero makes it the
// proximal problem about `centre`. The factor fixes how much velocities count against
// impulses in F; rho can change that from one evaluation to the next.
#ifndef DLS_SOLVERS_KERNEL_NEWTON_PROBLEM_H
#define DLS_SOLVERS_KERNEL_NEWTON_PROBLEM_H

#include "solvers/contact/contact_function.h"

#include "formulations/delassus.h"

struct dls_newton_problem {
    int contacts, d, m;
    dls_contact_function *function;
    struct dls_bsr W;            // s W s = H M^-1 H^T
    const struct dls_csr *H, *M; // s H and M behind W; NULL where they are not known
    double *s, *q, *mu;          // m: scales, s q; contacts: mu s_N / s_T
    double norm_q;
    double rho;   // 1 at first
    double shift; // of the proximal problem, 0 = none
    // contacts: shifts of their own, all positive, in place of that one; or NULL. The rho of
    // a contact is then at most 1 / shift, beyond which the shift would close open contacts.
    const double *shifts;
    double *centre;                  // m
    double *x, *u, *dx, *du;         // m: iterate, velocity, direction, change of u
    struct dls_contact_value *value; // contacts: F and its derivatives at x
};

// Scales the problem; all memory from the arena. DLS_ENOMEM where it runs out.
enum dls_status dls_newton_problem_create(struct dls_newton_problem *,
                                          const struct dls_delassus *,
                                          enum dls_contact_function_kind, double factor,
                                          struct dls_arena *);

// True when no contact has friction and W is symmetric.
bool dls_newton_problem_symmetric(const struct dls_newton_problem *);

// x = r / s, and r = s (x + t dx).
void dls_newton_problem_enter(struct dls_newton_problem *, const double *r);
void dls_newton_problem_leave(const struct dls_newton_problem *, double t, double *r);

// The rho of a contact.
double dls_newton_problem_rho(const struct dls_newton_problem *, int contact);

// u, F and its derivatives at x; returns the merit |F|^2 / 2.
double dls_newton_problem_evaluate(struct dls_newton_problem *);

// du = (W + shift I) dx, and the merit at x + t dx, which then needs no product.
void dls_newton_problem_direct(struct dls_newton_problem *);
double dls_newton_problem_merit(const struct dls_newton_problem *, double t);

// The longest of 1, 1/2, 1/4, ... (`trials` of them) with merit(t) <= (1 - 0.1 t) now,
// the slope of an exact Newton step being -2 now; 0 where there is none.
double dls_newton_problem_armijo(const struct dls_newton_problem *, double now,
                                 int trials);

#endif
