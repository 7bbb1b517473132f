// SPDX-License-Identifier: Apache-2.0
// The product with A, for refinement and iterations, and predictions.
#include "solvers/linear/linear.h"

#include "base/block.h"
#include "base/sparse_factor.h"

#include <string.h>

// y += c (N x + F u) of one contact, F NULL being the identity.
static inline void add_contact(int d, const double *N, const double *F, double c,
                               const double *x, const double *u, double *y)
{
    for (int i = 0; i < d; i++) {
        double sum = F ? 0 : u[i];
        for (int l = 0; l < d; l++)
            sum += N[i * d + l] * x[l] + (F ? F[i * d + l] * u[l] : 0);
        y[i] += c * sum;
    }
}

void dls_linear_add(const struct dls_linear_form *form,
                    const struct dls_linear_values *v, double c, const double *x,
                    double *work, double *y)
{
    int d = form->W->d, contacts = form->W->rows;
    double *u = work, *turned = work + contacts * d;
    if (v->Q) dls_block_apply_transposed(d, contacts, v->Q, x, turned);
    dls_bsr_multiply(form->W, v->Q ? turned : x, NULL, u); // W x
    if (v->Q) dls_block_apply(d, contacts, v->Q, u, u);
    for (int a = 0; a < contacts; a++, x += d, u += d, y += d) {
        const double *N = v->N + a * d * d, *F = v->F ? v->F + a * d * d : NULL;
        if (d == 3 && F)
            add_contact(3, N, F, c, x, u, y);
        else if (d == 3)
            add_contact(3, N, NULL, c, x, u, y);
        else
            add_contact(d, N, F, c, x, u, y);
    }
}

enum dls_status dls_linear_predict(const struct dls_csr *A, struct dls_linear_cost *c,
                                   struct dls_arena *a)
{
    struct dls_sparse_factor probe;
    enum dls_status status =
        dls_sparse_factor_create(&probe, A, DLS_FACTOR_POSITIVE, a);
    *c = (struct dls_linear_cost){probe.flops, probe.entries};
    dls_sparse_factor_destroy(&probe);
    return status;
}

enum dls_status dls_linear_predict_blocks(const struct dls_bsr *W,
                                          struct dls_linear_cost *c,
                                          struct dls_arena *a)
{
    struct dls_csr blocks = {
        .rows = W->rows, .cols = W->rows, .p = W->p, .j = W->j, .x = W->x};
    double square = W->d * W->d;
    enum dls_status status = dls_linear_predict(&blocks, c, a);
    c->operations = square * W->d * (c->operations + W->p[W->rows]);
    c->entries *= square;
    return status;
}

// block = Q^T B Q
static inline void turn(int d, const double *Q, const double *B, double *block)
{
    double BQ[9];
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) {
            BQ[i * d + l] = 0;
            for (int k = 0; k < d; k++) BQ[i * d + l] += B[i * d + k] * Q[k * d + l];
        }
    for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++) {
            block[i * d + l] = 0;
            for (int k = 0; k < d; k++)
                block[i * d + l] += Q[k * d + i] * BQ[k * d + l];
        }
}

void dls_linear_unframe(int d, const double *Q, const double *B, double *block)
{
    if (!Q)
        memcpy(block, B, (size_t)(d * d) * sizeof *B);
    else if (d == 3)
        turn(3, Q, B, block);
    else
        turn(d, Q, B, block);
}
