// SPDX-License-Identifier: Apache-2.0
// What a new way to solve the linear systems of contacts must implement.
//
//     A x = b,     A = N + F W,     N and F block diagonal, a block of d x d a contact
//
// A step of Newton's method has N = F_r + shift F_u and F = F_u, an interior point
// N = S Theta and F = I. W never changes, N and F do with every factorisation.
//
// A back end is a constant of six functions, in a file of its own:
//
//     create -> { factor -> { solve } } -> destroy,      cost at any time after create
//
// lu.c and cholesky.c work in the contacts, condensed.c in the velocities behind W,
// krylov.c without factors. linear_system.c alone decides which of them solves a system, by
// the costs that they predict, and which takes over where one fails.
#ifndef DLS_SOLVERS_LINEAR_LINEAR_H
#define DLS_SOLVERS_LINEAR_LINEAR_H

#include "solvers/solver.h"

#include "base/bsr.h"

// Rows from which nested dissection is worth its time, and below which no factorisation
// is dear.
enum { DLS_LINEAR_LARGE = 5000 };

// What does not change.
struct dls_linear_form {
    const struct dls_bsr *W;
    const struct dls_csr *H, *M; // W = H M^-1 H^T; NULL where that is not known
    bool W_symmetric;            // up to round-off
    bool D_symmetric; // D = N^-1 F: F = I and symmetric N, or both diagonal with F >= 0
    bool refined;     // linear_system.c refines every answer
};

// What changes: blocks by rows, contact after contact.
struct dls_linear_values {
    const double *N, *F;   // F is NULL for the identity
    const double *inverse; // N^-1 where the owner has it by a formula; or NULL
    double shift;          // N contains shift F; 0 where N may be singular
    // Orthonormal blocks: N, `inverse`, b and x are in the frames Q_a, A = Q^T N Q + W in
    // place of N + W. NULL without frames; only for F = I.
    const double *Q;
};

struct dls_linear_cost {
    double operations, entries; // of a factorisation, and of its factors
};

struct dls_linear {
    const char *name;
    // Keeps the form, and the arena: memory may be taken from it until the end of the first
    // factorisation. DLS_UNSUPPORTED where the back end does not apply.
    enum dls_status (*create)(void **self, const struct dls_linear_form *,
                              struct dls_arena *);
    // A prediction for full N and F.
    enum dls_status (*cost)(void *self, struct dls_linear_cost *);
    // Makes ready for solves with these values, which stay until the last of them. `rcond`
    // receives a rough estimate of the inverse of the condition number, 0 where A is
    // singular and nothing may be solved. Negative where the library failed.
    enum dls_status (*factor)(void *self, const struct dls_linear_values *,
                              double *rcond, struct dls_work *);
    // x = A^-1 b; b and x are different arrays. False where the answer is not finite, or
    // where an iteration ended before the accuracy that it promises.
    bool (*solve)(void *self, const double *b, double *x, struct dls_work *);
    // The sign of the determinant of A; NULL where that is always positive, or unknown.
    int (*sign)(const void *self);
    void (*destroy)(void *self); // NULL = nothing but arena memory
};
// Factorisations and products with W are counted in `work` where they are made.

extern const struct dls_linear dls_linear_lu, dls_linear_cholesky, dls_linear_condensed,
    dls_linear_krylov;

// y += c A x; `work` (2 m entries) is overwritten.
void dls_linear_add(const struct dls_linear_form *, const struct dls_linear_values *,
                    double c, const double *x, double *work, double *y);

// What a Cholesky factorisation of a matrix with this symmetric pattern would cost.
enum dls_status dls_linear_predict(const struct dls_csr *, struct dls_linear_cost *,
                                   struct dls_arena *);

// What factors in the contacts would cost: the blocks of W count as entries of d^3
// operations each.
enum dls_status dls_linear_predict_blocks(const struct dls_bsr *W,
                                          struct dls_linear_cost *, struct dls_arena *);

// block = Q_a^T B_a Q_a, or B_a without frames.
void dls_linear_unframe(int d, const double *Q, const double *B, double *block);

#endif
