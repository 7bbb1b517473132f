// SPDX-License-Identifier: Apache-2.0
// The factor of M, joints included: solves  M v - G^T lambda = f,  G v = -b.
#ifndef DLS_FORMULATIONS_PARTS_INERTIA_H
#define DLS_FORMULATIONS_PARTS_INERTIA_H

#include "formulations/problem.h"

#include "base/sparse_factor.h"

struct dls_inertia {
    const struct dls_csr *M; // borrowed, as G
    const struct dls_csr *G; // or NULL
    int n, joints;
    int bodies;       // blocks of a block-diagonal M; 0 = factored by a sparse library
    int *start;       // bodies + 1: first velocity of each body
    int *body_of;     // n: the body of each velocity
    bool symmetric;   // max |M - M^T| <= 1e-14 max |M|
    double *diagonal; // n, where M is diagonal; there are no factors then
    double *factor;   // k x k factor of each body's block, one behind the other
    size_t *at;       // where each body's factor starts
    int *pivot;       // n, of the dense factors
    double *rhs;      // 2 (n + joints), work of the sparse solve
    struct dls_sparse_factor sparse;
};

// A singular M (with G: a singular saddle-point matrix) is DLS_EINVAL with a sentence.
enum dls_status dls_inertia_create(struct dls_inertia **, const struct dls_problem *,
                                   struct dls_arena *, struct dls_error *);
void dls_inertia_destroy(struct dls_inertia *); // accepts NULL

// Takes the factor that the problem carries (problem->inertia), or else makes one.
// dls_inertia_drop gives it back: it destroys a factor that was made here and leaves the
// problem's alone.
enum dls_status dls_inertia_take(struct dls_inertia **, const struct dls_problem *,
                                 struct dls_arena *, struct dls_error *);
void dls_inertia_drop(struct dls_inertia *, const struct dls_problem *);

// v = M^-1 f. With joints, v satisfies G v = g (NULL: zero) as well, and lambda receives the
// multipliers; it may be NULL. f and v may be the same array.
void dls_inertia_solve(const struct dls_inertia *, const double *f, const double *g,
                       double *v, double *lambda);

// x = M_b^-1 x for one body (bodies > 0), x of the body's size.
void dls_inertia_solve_body(const struct dls_inertia *, int body, double *x);

// W_aa = H_a M^-1 H_a^T of a problem that gives H, d x d by rows; `work` has n entries,
// zero on entry and exit.
void dls_inertia_diagonal(const struct dls_inertia *, const struct dls_problem *,
                          int contact, double *work, double *W);

#endif
