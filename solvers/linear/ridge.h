// SPDX-License-Identifier: Apache-2.0
// Solves (W + c S) x = b again and again, S one positive number per contact; see ridge.c.
#ifndef DLS_SOLVERS_LINEAR_RIDGE_H
#define DLS_SOLVERS_LINEAR_RIDGE_H

#include "solvers/solver.h"

#include "base/bsr.h"
#include "base/sparse_factor.h"

enum dls_ridge_way { DLS_RIDGE_AUTO, DLS_RIDGE_FACTOR, DLS_RIDGE_CG };
#define DLS_RIDGE_CHOICES "auto|factor|cg"

struct dls_ridge {
    const struct dls_bsr *W;
    const double *S;
    double c;
    enum dls_ridge_way way;     // FACTOR or CG once created
    struct dls_csr *A;          // W + c S by rows, of the factor
    int *diagonal;              // m: where A has its diagonal
    double *W_ii;               // m: the diagonal of W
    double *residual, *p, *A_p; // m each, of conjugate gradients
    struct dls_sparse_factor factor;
};

// Takes memory from the arena and analyses the pattern. W and S are kept. AUTO factors
// where the predicted work and fill are small enough, else takes conjugate gradients;
// these need a symmetric W: DLS_UNSUPPORTED with a sentence where it is not.
enum dls_status dls_ridge_create(struct dls_ridge *, const struct dls_bsr *W,
                                 const double *S, enum dls_ridge_way,
                                 struct dls_arena *, struct dls_error *);
void dls_ridge_destroy(struct dls_ridge *);

// Sets c > 0 and factors. DLS_ENOMEM, or DLS_ENUMERIC where W + c S is singular, or not
// positive definite though W is symmetric.
enum dls_status dls_ridge_set(struct dls_ridge *, double c, struct dls_work *);

// x = (W + c S)^-1 b. Conjugate gradients start from the x given and end when the
// residual in the metric 1 / S is at most tol, or out of time. DLS_ENUMERIC where x is
// not finite.
enum dls_status dls_ridge_solve(struct dls_ridge *, const double *b, double tol,
                                double *x, struct dls_work *);

#endif
