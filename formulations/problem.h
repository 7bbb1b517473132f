// SPDX-License-Identifier: Apache-2.0
// The step problem of contact dynamics.
//
//   M v = f + H^T r + G^T lambda,   G v + b = 0,   u = H v + w,
//   for each contact   K* ∋ u + (mu |u_T| + mu_r |u_R|) e_N  ⟂  r ∈ K
//
// or, with the velocities eliminated, u = W r + q with W = H M^-1 H^T. A file gives the
// first (global) or the second (local) form; the original data stay untouched here and
// everything else is built from them.
//
// Each contact owns d consecutive rows of u and r, normal component first: (N) for a
// plain LCP, (N,T), (N,T1,T2); with rolling resistance (N,T,R) and (N,T1,T2,R1,R2).
#ifndef DLS_FORMULATIONS_PROBLEM_H
#define DLS_FORMULATIONS_PROBLEM_H

#include "base/arena.h"
#include "base/sparse.h"
#include "base/status.h"

#include <math.h>
#include <stdbool.h>

enum { DLS_LARGEST_D = 5 }; // rows of a contact at most

struct dls_frames;
struct dls_inertia;
struct dls_velocities;

struct dls_problem {
    int contacts;
    int d;        // rows per contact: 1, 2, 3; with rolling 3 or 5
    bool rolling; // rows behind N and T are rolling ones
    int m;        // contacts * d
    double *mu;   // contacts
    double *mu_r; // contacts, only with rolling
    // contacts: the coefficient along the second tangent where cones are elliptic (d = 3,
    // without rolling); NULL: mu in all directions.
    double *mu_2;

    // Global form; M is NULL in a local problem.
    int n, joints;     // velocities, bilateral rows
    struct dls_csr *M; // n x n, usually SPD
    struct dls_csr *H; // m x n
    double *f, *w;     // n, m
    struct dls_csr *G; // joints x n, or NULL
    double *b;         // joints

    // H of rigid bodies in a shorter form; where it is given, H may be NULL.
    const struct dls_frames *frames;
    // How many threads may work on the problem. 0: one, and sweeps visit the contacts in
    // the given order. 1 and more: sweeps over many contacts take another order, the same
    // for any number of threads (solvers/contact/stages.c). Nothing else depends on it.
    int threads;
    // The factor of M where the caller solves many problems with one M; or NULL.
    struct dls_inertia *inertia;
    // The owner of the velocities behind W (velocities.h); NULL: the driver makes one.
    struct dls_velocities *velocities;

    // Local form; W is NULL in a global problem. V, R, s are the bilateral rows that
    // FCLIB allows in a local file: u = W r + V lambda + q, V^T r + R lambda + s = 0.
    struct dls_csr *W; // m x m
    double *q;         // m
    struct dls_csr *V, *R;
    double *s;

    // What FCLIB has no place for; each may be NULL.
    double *v_minus;   // n, velocity before the step
    double *u_minus;   // m, H v^- + w_ob
    double *w_ob;      // m, the part of w due to moving obstacles (NULL: zero)
    double *e_n, *e_t; // contacts, restitution (NULL: zero)
    double *hF;        // n, external percussion (NULL: f - M v^-)
    double *gap;       // contacts
    double *position;  // 3 * contacts, of the contact points, for pictures
    int bodies;        // 0 where unknown
    int *body_start;   // bodies + 1, velocities of body k: body_start[k] ...
    int *identity;     // 2 * contacts, two halves of what names a contact in all steps
    int *body_pair;    // 2 * contacts, bodies of each contact, -1 for an obstacle
    double time, step; // NAN where unknown
    char *title, *description, *math_info, *provenance;

    // Answers found in the file; each may be NULL. Nobody trusts them.
    double *solution_r, *guess_r;
};

// Checks sizes, indices, finiteness, mu >= 0, restitution in [0, 1]; the sentence names
// the field. Whoever fills a problem calls this once; solvers assert.
enum dls_status dls_problem_check(const struct dls_problem *, struct dls_error *);

static inline bool dls_problem_is_global(const struct dls_problem *p) { return p->M; }

// m / n, rows over velocities; NAN where the problem does not give these.
static inline double dls_problem_density(const struct dls_problem *p)
{
    return p->n ? (double)p->m / p->n : NAN;
}

// e_n of the normal row, e_t of the tangential rows; rolling rows have no restitution.
static inline double dls_problem_restitution(const struct dls_problem *p, int contact,
                                             int row)
{
    const double *e = row == 0 ? p->e_n : p->e_t;
    bool rolls = p->rolling && row > (p->d - 1) / 2;
    return e && !rolls ? e[contact] : 0;
}

#endif
