// SPDX-License-Identifier: Apache-2.0
// A x = b  condensed to the velocities behind W.
//
//     (N + F W) x = b,      W = H M^-1 H^T
//
// With v = M^-1 H^T x and regular N the unknowns of the contacts are eliminated one by one:
//
//     (M + H^T D H) v = H^T N^-1 b,    x = N^-1 (b - F H v),     D = N^-1 F,
//
// of size n, with a pattern that never changes and is analysed once. Where N is small, D is
// large and the difference b - F H v cancels; linear_system.c refines with A itself, which
// repairs that. Where M is slightly unsymmetric its symmetric part is factored, and the
// refinement repairs that error too, which is below |M - M^T| / |M| whatever N is.
//
// det A = det N det(M + H^T D H) / det M: both have one sign where N and M have positive
// determinants.
//
// Cost: a factorisation of size n, some 10 to 80 times cheaper than in the contacts where
// bodies lie on each other by faces.
// Fails: where N is singular.
#include "solvers/linear/condensed_matrix.h"
#include "solvers/linear/linear.h"

#include "base/block.h"
#include "base/sparse_factor.h"

#include <math.h>
#include <string.h>

struct condensed {
    struct dls_linear_form form;
    struct dls_linear_values values;
    struct dls_arena *arena;
    struct dls_condensed velocities; // M + H^T D H
    struct dls_sparse_factor factor;
    bool analysed, predicted;
    struct dls_linear_cost cost;
    double *own;    // N^-1, d x d by rows for each contact, where the owner has none
    double *f, *v;  // n: right-hand side and velocities
    double *turned; // m
};

static enum dls_status create(void **out, const struct dls_linear_form *form,
                              struct dls_arena *a)
{
    if (!form->H) return DLS_UNSUPPORTED;
    struct condensed *s = *out = DLS_NEW(a, struct condensed, 1);
    const struct dls_csr *M =
        form->D_symmetric ? dls_csr_symmetric_part(form->M, a) : form->M;
    if (a->failed) return DLS_ENOMEM;
    size_t m = (size_t)form->H->rows, n = (size_t)M->rows;
    *s = (struct condensed){
        .form = *form,
        .arena = a,
        .own = DLS_NEW_TABLE(a, double, m, form->W->d),
        .f = DLS_NEW(a, double, n),
        .v = DLS_NEW(a, double, n),
        .turned = DLS_NEW(a, double, m),
    };
    if (a->failed) return DLS_ENOMEM;
    return dls_condensed_create(&s->velocities, form->H, M, form->W->d, a);
}

static void destroy(void *self)
{
    struct condensed *s = self;
    dls_sparse_factor_destroy(&s->factor);
}

static enum dls_status analyse(struct condensed *s)
{
    if (s->analysed) return DLS_OK;
    enum dls_status status = dls_sparse_factor_create(
        &s->factor, s->velocities.A,
        s->form.D_symmetric ? DLS_FACTOR_POSITIVE : DLS_FACTOR_NEARLY, s->arena);
    s->analysed = status == DLS_OK;
    if (s->analysed) dls_sparse_factor_share(&s->factor, s->form.W->threads);
    return status;
}

// Those of Cholesky factors; LU has twice as many operations and entries.
static enum dls_status cost(void *self, struct dls_linear_cost *c)
{
    struct condensed *s = self;
    enum dls_status status = DLS_OK;
    if (!s->predicted) {
        status = dls_linear_predict(s->velocities.A, &s->cost, s->arena);
        s->cost.operations += dls_condensed_work(&s->velocities);
        s->predicted = status == DLS_OK;
    }
    *c = s->cost;
    if (!s->form.D_symmetric) c->entries *= 2; // of L and of U
    return status;
}

// N^-1 and, in D of the matrix, Q^T N^-1 F Q; false where an N_a is singular.
static bool eliminate(struct condensed *s)
{
    const struct dls_linear_values *v = &s->values;
    int d = s->form.W->d, dd = d * d;
    for (int a = 0; a < s->form.W->rows; a++) {
        double *D = s->velocities.D + a * dd, *own = s->own + a * dd;
        if (v->inverse)
            memcpy(own, v->inverse + a * dd, (size_t)dd * sizeof *own);
        else if (!dls_block_invert(d, v->N + a * dd, own))
            return false;
        if (!v->F) {
            dls_linear_unframe(d, v->Q ? v->Q + a * dd : NULL, own, D);
            continue;
        }
        for (int i = 0; i < d; i++)
            for (int l = 0; l < d; l++) {
                D[i * d + l] = 0;
                for (int k = 0; k < d; k++)
                    D[i * d + l] += own[i * d + k] * v->F[a * dd + k * d + l];
            }
    }
    return true;
}

static enum dls_status factor(void *self, const struct dls_linear_values *values,
                              double *rcond, struct dls_work *work)
{
    struct condensed *s = self;
    s->values = *values;
    *rcond = 0;
    enum dls_status status = analyse(s);
    if (status != DLS_OK || !eliminate(s)) return status;
    dls_condensed_assemble(&s->velocities);
    work->factorisations++;
    status = dls_sparse_factor_update(&s->factor);
    if (status == DLS_OK) *rcond = s->factor.rcond;
    return status == DLS_ENUMERIC ? DLS_OK : status; // singular: rcond 0
}

static bool solve(void *self, const double *b, double *x, struct dls_work *work)
{
    (void)work; // no product with W
    struct condensed *s = self;
    const struct dls_csr *H = s->form.H;
    const struct dls_linear_values *v = &s->values;
    int d = s->form.W->d, contacts = s->form.W->rows;
    dls_block_apply(d, contacts, s->own, b, s->turned); // N^-1 b
    if (v->Q) dls_block_apply_transposed(d, contacts, v->Q, s->turned, s->turned);
    memset(s->f, 0, (size_t)H->cols * sizeof *s->f);
    dls_csr_add_transposed(H, 1, s->turned, s->f);
    if (!dls_sparse_factor_solve(&s->factor, s->f, s->v)) return false;
    memset(s->turned, 0, (size_t)H->rows * sizeof *s->turned);
    dls_csr_add(H, 1, s->v, s->turned); // H v
    if (v->Q) dls_block_apply(d, contacts, v->Q, s->turned, s->turned);
    if (v->F) dls_block_apply(d, contacts, v->F, s->turned, s->turned);
    for (int k = 0; k < H->rows; k++) x[k] = b[k] - s->turned[k];
    dls_block_apply(d, contacts, s->own, x, x);
    return true;
}

static int sign(const void *self)
{
    return dls_sparse_factor_sign(&((const struct condensed *)self)->factor);
}

const struct dls_linear dls_linear_condensed = {
    .name = "condensed",
    .create = create,
    .cost = cost,
    .factor = factor,
    .solve = solve,
    .sign = sign,
    .destroy = destroy,
};
