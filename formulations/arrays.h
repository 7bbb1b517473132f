// SPDX-License-Identifier: Apache-2.0
// A step problem from arrays of your own; see arrays.c.
//
//   struct dls_matrix W = {.rows = m, .cols = m, .dense = values};
//   dls_problem_from_w(&problem, &W, q, (struct dls_frictions){contacts, d, mu}, ...);
#ifndef DLS_FORMULATIONS_ARRAYS_H
#define DLS_FORMULATIONS_ARRAYS_H

#include "formulations/problem.h"

// A matrix that somebody else owns: dense by rows, or compressed rows (p, j, x) in any
// order within a row, repeated entries summed.
struct dls_matrix {
    int rows, cols;
    const double *dense; // rows * cols, or NULL
    const int *p, *j;    // rows + 1, p[rows]
    const double *x;     // p[rows]
};

// The contacts: how many, their rows each (1: LCP, 2: plane, 3: space; with mu_r 3 or 5),
// and their coefficients, `contacts` entries each.
struct dls_frictions {
    int contacts, d;
    const double *mu;
    const double *mu_r; // rolling resistance; NULL = none
};

// u = W r + q: W is m x m, q has m = contacts d entries, normal rows first. Everything is
// copied into the arena and checked; DLS_EINVAL with a sentence that names the array.
enum dls_status dls_problem_from_w(struct dls_problem *, const struct dls_matrix *W,
                                   const double *q, struct dls_frictions,
                                   struct dls_arena *, struct dls_error *);

// M v = f + H^T r, u = H v + w: M is n x n, H m x n, f has n entries, w has m (NULL: 0).
// Members that only some problems have (v_minus, e_n, G and b, ...) may be set after.
enum dls_status dls_problem_from_m(struct dls_problem *, const struct dls_matrix *M,
                                   const struct dls_matrix *H, const double *f,
                                   const double *w, struct dls_frictions,
                                   struct dls_arena *, struct dls_error *);

// The matrix in the arena, columns sorted, repeated entries summed, zeros of a dense one
// left out. Pointers and columns are checked; `name` stands in the sentence.
enum dls_status dls_matrix_copy(struct dls_csr **, const struct dls_matrix *,
                                const char *name, struct dls_arena *,
                                struct dls_error *);

#endif
